//! The true frame at one PC in the form of a row, so that a person can compare it with both tables.

use types::{
    Abi, Aspect, CfaRule, Claim, Equations, Frame, Image, Location, PacKey, Reg, RegFile as _, Step, ValueRule,
};

use crate::saves::{Candidates, Saves};
use crate::tables::Tables;

/// True locations of the caller's values when a PC was first executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Witness {
    /// CFA minus SP; `None` in the outermost function.
    cfa_minus_sp: Option<i64>,
    cfa_minus_fp: Option<i64>,
    ra: Location,
    fp: Location,
    signed_by: Option<PacKey>,
    signed_with_pc: bool,
}

/// What held in the first state of a PC.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) cfa_minus_sp: i64,
    pub(crate) cfa_minus_fp: i64,
    /// Location of the return address, if it was searched for.
    pub(crate) ra: Option<Location>,
    /// Location of the caller's FP, if it was searched for or is FP itself.
    pub(crate) fp: Option<Location>,
    pub(crate) signed: Option<bool>,
}

impl Held {
    /// What holds in a state: cheap, for every state that exploration compares.
    pub(crate) fn new(step: &Step<'_>) -> Option<Held> {
        let (frame, facts) = (step.frames.innermost()?, step.regs.abi.facts());
        let kept = |is_kept: bool| is_kept.then_some(Location::Rule(ValueRule::SameValue));
        Some(Held {
            cfa_minus_sp: frame.cfa.wrapping_sub(step.regs.sp).cast_signed(),
            cfa_minus_fp: frame.cfa.wrapping_sub(step.regs.fp).cast_signed(),
            ra: kept(facts.link_register && step.regs.ra == frame.raw_ra),
            fp: kept(step.regs.fp == frame.fp),
            signed: Some(frame.signed_by.is_some()),
        })
    }
}

impl Held {
    /// What is known of the true frame, in the notation of a row. `right` is a row that is right
    /// there: it has the places that were not searched for.
    pub(crate) fn text(&self, abi: Abi, right: Option<&Equations>) -> String {
        let cfa = CfaRule::Register { reg: abi.facts().sp, offset: self.cfa_minus_sp };
        let place = |held: Option<Location>, of: fn(&Equations) -> Location| held.or(right.map(of));
        let (ra, fp) = (place(self.ra, |row| row.ra), place(self.fp, |row| row.fp));
        let (signed_by, signed_with_pc) = right.map_or((None, false), |row| (row.signed_by, row.signed_with_pc));
        let elsewhere = Location::Elsewhere;
        let row = Equations {
            abi,
            cfa,
            ra: ra.unwrap_or(elsewhere),
            fp: fp.unwrap_or(elsewhere),
            sp: None,
            signed_by,
            signed_with_pc,
            signal: false,
        };
        if ra.is_some() && fp.is_some() {
            return Claim::Row(row, None).to_string();
        }
        let known = [(Aspect::Cfa, true), (Aspect::Ra, ra.is_some()), (Aspect::Fp, fp.is_some())];
        let known = known.into_iter().filter(|(_, is_known)| *is_known);
        let terms = known.filter_map(|(field, _)| Some(format!("{}={}", field.name(), row.term(field)?)));
        terms.collect::<Vec<_>>().join(" ")
    }
}

/// Distance in bytes below the CFA that is searched for a saved value.
const SEARCH: i64 = 4096;

/// Counters, flags and sizes are below this.
const LARGE: u64 = 1 << 16;

impl Witness {
    /// Finds the true values: where they were saved, else where a table's row has them. Not cheap:
    /// for first visits.
    pub fn new(step: &Step<'_>, saves: &Saves, tables: &Tables, image: &Image) -> Witness {
        let candidates = Candidates::new(step, saves, tables, image);
        let facts = step.regs.abi.facts();
        let Some(frame) = step.frames.innermost() else {
            let (ra, fp) = (Location::Elsewhere, Location::Elsewhere);
            return Witness { cfa_minus_sp: None, cfa_minus_fp: None, ra, fp, signed_by: None, signed_with_pc: false };
        };
        let in_register = |reg, value| step.regs.read(reg) == Some(value);
        let home = |held: bool, value: u64, candidates: &[ValueRule]| match held {
            true => Location::Rule(ValueRule::SameValue),
            false => locate(step, frame, value, candidates),
        };
        let link = facts.link_register && in_register(facts.ra, frame.raw_ra);
        Witness {
            cfa_minus_sp: Some(frame.cfa.wrapping_sub(step.regs.sp) as i64),
            cfa_minus_fp: Some(frame.cfa.wrapping_sub(step.regs.fp) as i64),
            ra: home(link, frame.raw_ra, &candidates.ra),
            fp: home(in_register(facts.fp, frame.fp), frame.fp, &candidates.fp),
            signed_by: frame.signed_by,
            signed_with_pc: frame.signed_with_pc,
        }
    }

    /// Returns true if the caller's values are at the same places, whatever FP is.
    pub(crate) fn has_places_of(&self, other: &Witness) -> bool {
        Witness { cfa_minus_fp: other.cfa_minus_fp, ..*self } == *other
    }

    pub(crate) fn held(&self) -> Option<Held> {
        Some(Held {
            cfa_minus_sp: self.cfa_minus_sp?,
            cfa_minus_fp: self.cfa_minus_fp?,
            ra: Some(self.ra),
            fp: Some(self.fp),
            signed: Some(self.signed_by.is_some()),
        })
    }

    /// Returns true if neither FP nor another register nor a slot holds the caller's FP.
    pub(crate) fn has_lost_fp(&self) -> bool {
        self.fp == Location::Elsewhere
    }

    /// The true frame in the form of a row.
    pub fn claim(&self, abi: Abi) -> Claim {
        let Some(offset) = self.cfa_minus_sp else { return Claim::NoCaller };
        let cfa = CfaRule::Register { reg: abi.facts().sp, offset };
        let Witness { ra, fp, signed_by, signed_with_pc, .. } = *self;
        Claim::Row(Equations { abi, cfa, ra, fp, sp: None, signed_by, signed_with_pc, signal: false }, None)
    }
}

/// Returns true for a value that a program hardly has by chance: no counter, flag or size.
pub(crate) fn is_telling(value: u64) -> bool {
    value.cast_signed().unsigned_abs() >= LARGE
}

/// The first candidate that holds the value, else the only place that does.
fn locate(step: &Step<'_>, frame: &Frame, value: u64, candidates: &[ValueRule]) -> Location {
    let held = candidates.iter().find_map(|rule| holder(step, frame, *rule, value));
    held.or_else(|| only_holder(step, frame, value)).map_or(Location::Elsewhere, Location::Rule)
}

/// The rule, with a slot counted from the CFA, if it gives the value.
fn holder(step: &Step<'_>, frame: &Frame, rule: ValueRule, value: u64) -> Option<ValueRule> {
    let slot = |address: u64| {
        let rule = ValueRule::AtCfa(address.wrapping_sub(frame.cfa).cast_signed());
        (step.stack.read(address) == Ok(value)).then_some(rule)
    };
    match rule {
        ValueRule::AtCfa(offset) => slot(frame.cfa.wrapping_add_signed(offset)),
        ValueRule::Memory { reg, offset } => slot(step.regs.read(reg)?.wrapping_add_signed(offset)),
        ValueRule::CfaPlus(offset) => (frame.cfa.wrapping_add_signed(offset) == value).then_some(rule),
        ValueRule::Register { reg, offset } => {
            (step.regs.read(reg)?.wrapping_add_signed(offset) == value).then_some(rule)
        }
        ValueRule::SameValue | ValueRule::Undefined | ValueRule::Expression(_) => None,
    }
}

/// The only slot that holds the value, or the only register if no slot does; `None` for a value
/// that a program has by chance. Of several equal values the saved one is not known. On s390x
/// registers are saved above SP in the caller's area, which is also below the CFA.
fn only_holder(step: &Step<'_>, frame: &Frame, value: u64) -> Option<ValueRule> {
    if !is_telling(value) {
        return None;
    }
    let mut slots = (1..=SEARCH / 8)
        .map(|slot| -8 * slot)
        .take_while(|offset| frame.cfa.wrapping_add_signed(*offset) >= step.stack.live_from)
        .filter(|offset| step.stack.read(frame.cfa.wrapping_add_signed(*offset)) == Ok(value))
        .map(ValueRule::AtCfa);
    let mut registers = (0..step.regs.abi.facts().keeping_registers)
        .map(Reg)
        .filter(|reg| step.regs.read(*reg) == Some(value))
        .map(|reg| ValueRule::Register { reg, offset: 0 });
    // A copy in a register does not move the value away from its slot.
    match slots.next() {
        Some(slot) => slots.next().is_none().then_some(slot),
        None => registers.next().filter(|_| registers.next().is_none()),
    }
}
