//! What is known of the truth at a PC.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use repair::{Facts, Part, Row, Value};
use types::{Abi, Aspect, CfaRule, Location, Pc, Reg, SavedAt, ValueRule};

use crate::execution::Exploration;
use crate::memo::Memo;
use crate::witness::Held;

pub(super) struct Observed<'a> {
    pub(super) memo: &'a mut Memo,
    pub(super) exploration: &'a Exploration,
    /// Registers whose rules are wrong, other than FP and RA.
    pub(super) registers: &'a BTreeMap<Pc, Vec<Reg>>,
}

impl Observed<'_> {
    /// What held at a PC, where a wrong row is reported or not; `None` if it was not reached, or
    /// only in states that show nothing.
    pub(super) fn held(&mut self, pc: Pc, is_reported: bool) -> Option<Held> {
        let witness = self.memo.truth_at(pc).and_then(|witness| witness.held());
        let explored = || self.exploration.held(pc).filter(|(_, is_right)| *is_right || is_reported);
        witness.or_else(|| explored().map(|(held, _)| held))
    }

    /// Returns true if a PC was executed, or reached by exploration.
    pub(super) fn is_reached(&self, pc: Pc) -> bool {
        self.memo.executed(pc, Pc(pc.0.saturating_add(1)))
    }
}

/// A register that the code saved: where, and from which address on.
pub(super) struct Save {
    from: Pc,
    reg: Reg,
    rule: ValueRule,
}

impl Save {
    /// A save by the instruction before `from`.
    pub(super) fn new(abi: Abi, (reg, to): (Reg, SavedAt), held: &Held, from: Pc) -> Option<Save> {
        let facts = abi.facts();
        let rule = match to {
            SavedAt::Slot { base, offset } if base == facts.sp => {
                ValueRule::AtCfa(offset.wrapping_sub(held.cfa_minus_sp))
            }
            SavedAt::Slot { base, offset } if base == facts.fp => {
                ValueRule::AtCfa(offset.wrapping_sub(held.cfa_minus_fp))
            }
            SavedAt::Slot { .. } => return None,
            SavedAt::Register(to) => ValueRule::Register { reg: to, offset: 0 },
        };
        Some(Save { from, reg, rule })
    }

    /// Adds it to those before an instruction with this row, unless the register is in another
    /// place already: it is stored again with a value of the function.
    pub(super) fn add_to(self, all: &mut Vec<Save>, row: &Row) {
        let is_unchanged = row.get(Part::Register(self.reg)) == Value::Rule(ValueRule::SameValue);
        if is_unchanged || all.iter().all(|other| other.reg != self.reg || other.rule == self.rule) {
            all.push(self);
        }
    }
}

/// The largest distance from FP to the CFA of the same frame that is taken for one.
const FARTHEST: i64 = 1 << 20;

/// A row at a PC, and what is known of the truth there.
pub(super) struct Known<'a> {
    pub(super) abi: Abi,
    pub(super) pc: Pc,
    pub(super) row: &'a Row,
    pub(super) held: &'a Held,
    /// The fields of the row that are wrong.
    pub(super) wrong: &'a [Aspect],
    /// Other registers of which a rule of the function is wrong.
    pub(super) registers: &'a BTreeSet<Reg>,
    /// Those of which this row's rule is wrong.
    pub(super) wrong_registers: &'a [Reg],
    pub(super) saves: &'a [Save],
    /// Where saves are that control jumped over.
    pub(super) skipped: Range<Pc>,
}

impl Known<'_> {
    pub(super) fn facts(&self) -> Facts {
        let known = self.abi.facts();
        let mut all = self.register(self.cfa(), known.fp, self.held.fp, Aspect::Fp);
        if known.link_register {
            all = self.register(all, known.ra, self.held.ra, Aspect::Ra);
        }
        for reg in self.registers {
            let is_wrong = self.wrong_registers.contains(reg);
            // Elsewhere the fields show these two.
            if is_wrong || ![known.fp, known.ra].contains(reg) {
                all = self.preserved(all, *reg, is_wrong);
            }
        }
        match self.held.signed.filter(|_| known.pointer_authentication) {
            Some(signed) if self.wrong.contains(&Aspect::Ra) => all.with(Part::Signing, [Value::Signed(signed)]),
            Some(_) => all.with(Part::Signing, [self.row.get(Part::Signing)]),
            None => all,
        }
    }

    /// Returns true if the return address is wrong because of its signature.
    fn has_wrong_signing(&self) -> bool {
        let signed = self.held.signed.filter(|_| self.abi.facts().pointer_authentication);
        signed.is_some_and(|signed| Value::Signed(signed) != self.row.get(Part::Signing))
    }

    /// Returns true if the CFA is wrong, whatever field was reported: what is read from it is too.
    fn has_wrong_cfa(&self) -> bool {
        let known = self.abi.facts();
        let differs = match self.row.get(Part::Cfa) {
            Value::Cfa(CfaRule::Register { reg, offset }) if reg == known.sp => offset != self.held.cfa_minus_sp,
            Value::Cfa(CfaRule::Register { reg, offset }) if reg == known.fp => offset != self.held.cfa_minus_fp,
            _ => false,
        };
        self.wrong.contains(&Aspect::Cfa) || (!self.wrong.is_empty() && differs)
    }

    fn cfa(&self) -> Facts {
        let known = self.abi.facts();
        let sum = |reg, offset| Value::Cfa(CfaRule::Register { reg, offset });
        let mut facts = Facts::default().and(Part::Cfa, sum(known.sp, self.held.cfa_minus_sp));
        // FP is that of this frame.
        let is_own = self.held.fp != Some(Location::Rule(ValueRule::SameValue));
        if is_own && self.held.cfa_minus_fp.abs() < FARTHEST {
            facts = facts.and(Part::Cfa, sum(known.fp, self.held.cfa_minus_fp));
        }
        if self.has_wrong_cfa() { facts } else { facts.and(Part::Cfa, self.row.get(Part::Cfa)) }
    }

    fn register(&self, facts: Facts, reg: Reg, location: Option<Location>, field: Aspect) -> Facts {
        let part = Part::Register(reg);
        let given = self.row.get(part);
        let has_wrong_signing = field == Aspect::Ra && self.has_wrong_signing();
        let is_wrong = self.wrong.contains(&field) && !self.has_wrong_cfa() && !has_wrong_signing;
        let shown = match location {
            Some(Location::Rule(rule)) => Some(rule),
            Some(Location::Elsewhere) | None => None,
        };
        // It is wrong in another state, or its place is dead, while the register has the value too.
        let shown = match shown {
            Some(rule) if is_wrong && Value::Rule(rule) == given && rule != ValueRule::SameValue => {
                Some(ValueRule::SameValue)
            }
            Some(rule) if is_wrong && Value::Rule(rule) == given && self.saved(reg).any(|saved| saved != rule) => None,
            shown => shown,
        };
        let mut facts = match shown {
            Some(rule) => facts.and(part, Value::Rule(rule)),
            // Perhaps nothing shows where it is.
            None if is_wrong => facts.with(part, []),
            None => facts,
        };
        for rule in self.saved(reg).map(Value::Rule).filter(|rule| !is_wrong || *rule != given) {
            facts = facts.and(part, rule);
        }
        // Another field is wrong, which may hide that this one is too.
        let contradicts = match (given, shown) {
            (Value::Rule(ValueRule::SameValue), Some(rule)) => rule != ValueRule::SameValue,
            (Value::Rule(rule @ ValueRule::AtCfa(_)), Some(shown)) => {
                rule != shown && !self.saved(reg).any(|saved| saved == rule)
            }
            _ => false,
        };
        let hides = self.has_wrong_cfa() || (field == Aspect::Fp && self.wrong.contains(&Aspect::Ra));
        let is_hidden = hides && contradicts;
        if is_wrong || is_hidden { facts } else { facts.and(part, given) }
    }

    /// The facts of another register that a call preserves and whose rule is wrong somewhere.
    fn preserved(&self, facts: Facts, reg: Reg, is_wrong: bool) -> Facts {
        let part = Part::Register(reg);
        let given = self.row.get(part);
        let mut rules: Vec<Value> = self.saved(reg).map(Value::Rule).filter(|rule| *rule != given).collect();
        if !is_wrong {
            rules.push(given);
            // Perhaps it was loaded.
            if matches!(given, Value::Rule(ValueRule::AtCfa(_))) {
                rules.push(Value::Rule(ValueRule::SameValue));
            }
        } else if rules.is_empty() && given != Value::Rule(ValueRule::SameValue) {
            rules.push(Value::Rule(ValueRule::SameValue));
        }
        facts.with(part, rules)
    }

    /// The places that hold a register's value because the code before put it there.
    fn saved(&self, reg: Reg) -> impl Iterator<Item = ValueRule> {
        let is_passed = |save: &&Save| save.from <= self.pc && !self.skipped.contains(&save.from);
        let saved = self.saves.iter().filter(is_passed).filter(move |save| save.reg == reg);
        saved.map(|save| save.rule).filter(|rule| self.is_live(*rule))
    }

    /// Returns true if a place is not below the stack.
    fn is_live(&self, rule: ValueRule) -> bool {
        let ValueRule::AtCfa(offset) = rule else { return true };
        let red_zone = i64::try_from(self.abi.facts().red_zone).unwrap_or(0);
        offset.saturating_add(self.held.cfa_minus_sp).saturating_add(red_zone) >= 0
    }
}
