//! Values of registers and stack slots at an instruction, in terms of the function's entry.

use isa::effects::Effect;
use types::{Abi, Reg};

/// A value in terms of the function's entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryValue {
    /// Unknown.
    Unknown,
    /// A constant.
    Constant(i64),
    /// CFA + n.
    Cfa(i64),
    /// Value of the register at entry.
    Entry(Reg),
}

/// Number of registers that are tracked, by DWARF number.
const REGISTERS: usize = 32;

/// Values of registers and slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    regs: [EntryValue; REGISTERS],
    /// Slots by offset from the CFA, ascending: only those that hold the entry value of a register.
    slots: Vec<(i64, Reg)>,
}

impl State {
    /// The state at the first instruction of a function.
    pub(crate) fn entry(abi: Abi) -> State {
        let facts = abi.facts();
        let mut regs = [EntryValue::Unknown; REGISTERS];
        for (number, value) in (0..).zip(&mut regs) {
            *value = EntryValue::Entry(Reg(number));
        }
        let mut state = State { regs, slots: Vec::new() };
        state.set(facts.sp, EntryValue::Cfa(-facts.cfa_minus_sp_at_entry));
        if !facts.link_register {
            state.slots.push((-facts.cfa_minus_sp_at_entry, facts.ra));
            state.set(facts.ra, EntryValue::Unknown);
        }
        state
    }

    pub(crate) fn get(&self, reg: Reg) -> EntryValue {
        self.regs.get(usize::from(reg.0)).copied().unwrap_or(EntryValue::Unknown)
    }

    fn set(&mut self, reg: Reg, value: EntryValue) {
        if let Some(place) = self.regs.get_mut(usize::from(reg.0)) {
            *place = value;
        }
    }

    /// A register whose value is the CFA plus a constant: SP if possible, then FP, then others.
    pub(crate) fn cfa(&self, abi: Abi) -> Option<(Reg, i64)> {
        let facts = abi.facts();
        let others = (0..REGISTERS as u16).map(Reg);
        [facts.sp, facts.fp].into_iter().chain(others).find_map(|reg| match self.get(reg) {
            EntryValue::Cfa(offset) => Some((reg, -offset)),
            EntryValue::Unknown | EntryValue::Constant(_) | EntryValue::Entry(_) => None,
        })
    }

    /// The register that holds the entry value of another; itself if unchanged.
    pub(crate) fn register_of(&self, saved: Reg) -> Option<Reg> {
        let holds = |reg: &Reg| self.get(*reg) == EntryValue::Entry(saved);
        Some(saved).filter(holds).or_else(|| (0..REGISTERS as u16).map(Reg).find(holds))
    }

    /// The slot that holds the entry value of a register, as an offset from the CFA.
    pub(crate) fn slot_of(&self, saved: Reg) -> Option<i64> {
        self.slots.iter().find(|(_, reg)| *reg == saved).map(|(offset, _)| *offset)
    }

    /// Keeps what is known on both paths to an instruction. Returns true if the state lost
    /// information.
    pub(crate) fn meet(&mut self, other: &State) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.regs.iter_mut().zip(&other.regs) {
            if *mine != *theirs && *mine != EntryValue::Unknown {
                *mine = EntryValue::Unknown;
                changed = true;
            }
        }
        let before = self.slots.len();
        self.slots.retain(|slot| other.slots.contains(slot));
        changed || self.slots.len() != before
    }

    /// Applies a call: registers that the callee need not preserve become unknown.
    pub(crate) fn call(&mut self, abi: Abi) {
        let facts = abi.facts();
        self.apply(abi, Effect::LosesOthers);
        if facts.link_register {
            self.set(facts.ra, EntryValue::Unknown);
        }
        (facts.general_registers..REGISTERS as u16)
            .filter(|reg| Reg(*reg) != facts.sp)
            .for_each(|reg| self.set(Reg(reg), EntryValue::Unknown));
    }

    /// Applies an effect of an instruction.
    pub(crate) fn apply(&mut self, abi: Abi, effect: Effect) {
        match effect {
            Effect::Sets { to, base, offset } => {
                let value = match self.get(base) {
                    EntryValue::Cfa(from) => from.checked_add(offset).map_or(EntryValue::Unknown, EntryValue::Cfa),
                    EntryValue::Constant(from) => {
                        from.checked_add(offset).map_or(EntryValue::Unknown, EntryValue::Constant)
                    }
                    value if offset == 0 => value,
                    EntryValue::Entry(_) | EntryValue::Unknown => EntryValue::Unknown,
                };
                self.set(to, value);
            }
            Effect::Constant { to, value } => self.set(to, EntryValue::Constant(value)),
            Effect::Inserts { to, bits, at } => {
                let value = match self.get(to) {
                    EntryValue::Constant(from) => EntryValue::Constant(from & !(0xffff << at) | i64::from(bits) << at),
                    EntryValue::Cfa(_) | EntryValue::Entry(_) | EntryValue::Unknown => EntryValue::Unknown,
                };
                self.set(to, value);
            }
            Effect::Adds { to, base, by, sign } => {
                let value = match (self.get(base), self.get(by)) {
                    (EntryValue::Cfa(from), EntryValue::Constant(by)) => by
                        .checked_mul(sign)
                        .and_then(|by| from.checked_add(by))
                        .map_or(EntryValue::Unknown, EntryValue::Cfa),
                    _ => EntryValue::Unknown,
                };
                self.set(to, value);
            }
            Effect::Stores { from, base, offset } => {
                let EntryValue::Cfa(place) = self.get(base) else { return };
                let place = place.saturating_add(offset);
                self.slots.retain(|(slot, _)| slot.abs_diff(place) >= 8);
                let facts = abi.facts();
                let held = match self.get(from) {
                    EntryValue::Entry(reg) => Some(reg),
                    EntryValue::Cfa(place) if place == -facts.cfa_minus_sp_at_entry => Some(facts.sp),
                    EntryValue::Unknown | EntryValue::Constant(_) | EntryValue::Cfa(_) => None,
                };
                if let Some(reg) = held {
                    let at = self.slots.partition_point(|(slot, _)| *slot < place);
                    self.slots.insert(at, (place, reg));
                }
            }
            Effect::Overwrites { base, offset } => {
                if let EntryValue::Cfa(place) = self.get(base) {
                    let place = place.saturating_add(offset);
                    self.slots.retain(|(slot, _)| *slot != place);
                }
            }
            Effect::Loads { to, base, offset } => {
                let place = match self.get(base) {
                    EntryValue::Cfa(place) => Some(place.saturating_add(offset)),
                    EntryValue::Unknown | EntryValue::Constant(_) | EntryValue::Entry(_) => None,
                };
                let held = place.and_then(|place| self.slots.iter().find(|(slot, _)| *slot == place));
                let value = held.map_or(EntryValue::Unknown, |(_, reg)| EntryValue::Entry(*reg));
                self.set(to, value);
                self.restore_sp(abi, to);
            }
            Effect::Loses(reg) => self.set(reg, EntryValue::Unknown),
            Effect::LosesOthers => {
                let facts = abi.facts();
                let keeps = |reg: &Reg| [facts.sp, facts.fp, facts.ra].contains(reg);
                (0..facts.general_registers).map(Reg).filter(|reg| !keeps(reg)).for_each(|reg| {
                    self.set(reg, EntryValue::Unknown);
                });
            }
        }
    }

    /// SP that is restored from its slot has its value at entry (s390x).
    fn restore_sp(&mut self, abi: Abi, to: Reg) {
        let facts = abi.facts();
        if to == facts.sp && self.get(to) == EntryValue::Entry(facts.sp) {
            self.set(to, EntryValue::Cfa(-facts.cfa_minus_sp_at_entry));
        }
    }
}
