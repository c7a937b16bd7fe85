//! A row as independent parts.

use std::collections::BTreeMap;

use types::{Abi, CfaRule, Reg, UnwindRow, ValueRule};

/// A part of a row, which a directive sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The CFA.
    Cfa,
    /// A register of the caller; the return address has the ABI's column.
    Register(Reg),
    /// AArch64: whether the return address is signed.
    Signing,
}

/// The value of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Of [`Part::Cfa`].
    Cfa(CfaRule),
    /// Of [`Part::Register`].
    Rule(ValueRule),
    /// Of [`Part::Signing`].
    Signed(bool),
}

/// A row. A register without a rule keeps its value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    cfa: CfaRule,
    signed: bool,
    /// Without those that keep their value.
    rules: BTreeMap<Reg, ValueRule>,
}

impl Row {
    /// The row of a function that was just called.
    pub fn at_entry(abi: Abi) -> Row {
        let facts = abi.facts();
        let cfa = CfaRule::Register { reg: facts.sp, offset: facts.cfa_minus_sp_at_entry };
        let ra =
            (!facts.link_register).then_some((facts.ra, ValueRule::AtCfa(facts.cfa_minus_sp_at_entry.wrapping_neg())));
        Row { cfa, signed: false, rules: ra.into_iter().collect() }
    }

    /// The row of a table, with the rules of further registers.
    pub fn new(abi: Abi, row: &UnwindRow, further: impl IntoIterator<Item = (Reg, ValueRule)>) -> Row {
        let facts = abi.facts();
        let mut new = Row { cfa: row.cfa, signed: row.signed, rules: BTreeMap::new() };
        for (reg, rule) in further.into_iter().chain([(facts.ra, row.ra), (facts.fp, row.fp)]) {
            new.set(Part::Register(reg), Value::Rule(rule));
        }
        new
    }

    /// A table's row with these rules.
    pub fn applied_to(&self, given: &UnwindRow, abi: Abi) -> UnwindRow {
        let facts = abi.facts();
        let rule = |reg: Reg| self.rules.get(&reg).copied().unwrap_or(ValueRule::SameValue);
        UnwindRow { cfa: self.cfa, signed: self.signed, ra: rule(facts.ra), fp: rule(facts.fp), ..given.clone() }
    }

    /// The row with another CFA.
    #[must_use]
    pub fn with_cfa(self, cfa: CfaRule) -> Row {
        Row { cfa, ..self }
    }

    /// The row with another rule of a register.
    #[must_use]
    pub fn with_rule(mut self, reg: Reg, rule: ValueRule) -> Row {
        self.set(Part::Register(reg), Value::Rule(rule));
        self
    }

    /// The value of a part.
    pub fn get(&self, part: Part) -> Value {
        match part {
            Part::Cfa => Value::Cfa(self.cfa),
            Part::Register(reg) => Value::Rule(self.rules.get(&reg).copied().unwrap_or(ValueRule::SameValue)),
            Part::Signing => Value::Signed(self.signed),
        }
    }

    /// Sets a part; a value of another kind of part changes nothing.
    pub(crate) fn set(&mut self, part: Part, value: Value) {
        match (part, value) {
            (Part::Cfa, Value::Cfa(cfa)) => self.cfa = cfa,
            (Part::Signing, Value::Signed(signed)) => self.signed = signed,
            (Part::Register(reg), Value::Rule(ValueRule::SameValue)) => {
                self.rules.remove(&reg);
            }
            (Part::Register(reg), Value::Rule(rule)) => {
                self.rules.insert(reg, rule);
            }
            (Part::Cfa | Part::Signing | Part::Register(_), _) => {}
        }
    }

    /// The row with that part alone.
    #[must_use]
    pub(crate) fn only(self, part: Part) -> Row {
        let mut row = Row { cfa: CfaRule::Unspecified, signed: false, rules: BTreeMap::new() };
        row.set(part, self.get(part));
        row
    }

    /// The parts that have a value of their own.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Part> {
        [Part::Cfa, Part::Signing].into_iter().chain(self.rules.keys().map(|reg| Part::Register(*reg)))
    }
}
