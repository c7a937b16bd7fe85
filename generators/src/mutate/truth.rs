//! Symbolic values of registers and stack at an instruction. They decide whether a row that differs
//! from the original is wrong, or gives the same values in another way. Offsets are in bytes from
//! the CFA.

use std::collections::BTreeMap;

use types::{Abi, CfaRule, PacKey, Reg, ValueRule};

use crate::reader::Meaning;

/// The symbolic value of a register or a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The CFA plus this many bytes.
    CfaPlus(i64),
    /// The return address as the call saved it.
    ReturnAddress,
    /// The return address with an authentication code.
    Signed(PacKey),
    /// The caller's frame pointer.
    CallerFp,
    /// An unknown value: every rule that uses it is wrong.
    Unknown,
}

/// The state of the machine before one instruction.
#[derive(Clone, Debug)]
pub struct Truth {
    abi: Abi,
    regs: BTreeMap<Reg, Value>,
    slots: BTreeMap<i64, Value>,
    /// Key of the signed return address; `None` while it is not signed.
    pub signed: Option<PacKey>,
    /// Execution began in this function: there is no return address.
    pub outermost: bool,
}

impl Truth {
    /// The state after a call.
    pub(crate) fn at_entry(abi: Abi) -> Self {
        let facts = abi.facts();
        let mut truth = Truth { abi, regs: BTreeMap::new(), slots: BTreeMap::new(), signed: None, outermost: false };
        truth.regs.insert(facts.sp, Value::CfaPlus(-facts.cfa_minus_sp_at_entry));
        truth.regs.insert(facts.fp, Value::CallerFp);
        if facts.link_register {
            truth.regs.insert(facts.ra, Value::ReturnAddress);
        } else {
            truth.slots.insert(-8, Value::ReturnAddress);
        }
        truth
    }

    /// The value of a register.
    pub(crate) fn reg(&self, reg: Reg) -> Value {
        self.regs.get(&reg).copied().unwrap_or(Value::Unknown)
    }

    pub(crate) fn set(&mut self, reg: Reg, value: Value) {
        self.regs.insert(reg, value);
    }

    pub(crate) fn sp(&self) -> Value {
        self.reg(self.abi.facts().sp)
    }

    pub(crate) fn move_sp(&mut self, bytes: i64) {
        let moved = add(self.sp(), bytes);
        self.set(self.abi.facts().sp, moved);
    }

    /// Stores at register + offset; no effect if the address is unknown.
    pub(crate) fn store(&mut self, base: Reg, offset: i64, value: Value) {
        if let Value::CfaPlus(at) = add(self.reg(base), offset) {
            self.slots.insert(at, value);
        }
    }

    /// Loads from register + offset.
    pub(crate) fn load(&self, base: Reg, offset: i64) -> Value {
        self.read(add(self.reg(base), offset))
    }

    /// The state for a walk from a callee: only SP and FP are recovered by then.
    pub(crate) fn during_call(&self) -> Self {
        let facts = self.abi.facts();
        let mut truth = self.clone();
        truth.regs.retain(|reg, _| [facts.sp, facts.fp].contains(reg));
        truth
    }

    /// The word at an address. Words from SP on are valid, on AMD64 those from the red zone on
    /// (psABI 3.2.2).
    fn read(&self, at: Value) -> Value {
        let Value::CfaPlus(at) = at else { return Value::Unknown };
        let live = match self.sp() {
            Value::CfaPlus(sp) => at >= sp - self.abi.facts().red_zone as i64,
            // SP was rounded down: it is below all pushed words.
            _ => true,
        };
        if live { self.slots.get(&at).copied().unwrap_or(Value::Unknown) } else { Value::Unknown }
    }

    /// Returns true if the rules give the caller's values.
    pub fn confirms(&self, meaning: &Meaning) -> bool {
        if self.outermost || meaning.ra == ValueRule::Undefined {
            return self.outermost && meaning.ra == ValueRule::Undefined;
        }
        let facts = self.abi.facts();
        let cfa = match meaning.cfa {
            CfaRule::Register { reg, offset } => add(self.reg(reg), offset),
            CfaRule::Memory { reg, offset } => self.load(reg, offset),
            CfaRule::Expression(_) | CfaRule::Unspecified => Value::Unknown,
        };
        let value = |rule, own| match rule {
            ValueRule::SameValue => self.reg(own),
            ValueRule::AtCfa(offset) => self.read(Value::CfaPlus(offset)),
            ValueRule::CfaPlus(offset) => Value::CfaPlus(offset),
            ValueRule::Register { reg, offset } => add(self.reg(reg), offset),
            ValueRule::Memory { reg, offset } => self.load(reg, offset),
            ValueRule::Undefined | ValueRule::Expression(_) => Value::Unknown,
        };
        let ra = self.signed.map_or(Value::ReturnAddress, Value::Signed);
        cfa == Value::CfaPlus(0)
            && meaning.signed == self.signed
            && value(meaning.ra, facts.ra) == ra
            && value(meaning.fp, facts.fp) == Value::CallerFp
    }
}

fn add(value: Value, bytes: i64) -> Value {
    match value {
        Value::CfaPlus(offset) => Value::CfaPlus(offset.wrapping_add(bytes)),
        value if bytes == 0 => value,
        _ => Value::Unknown,
    }
}
