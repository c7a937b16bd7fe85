//! Compares SFrame's row with the CFI row at one PC, rule by rule, executed or not.

use spec::RuleId;
use types::{AbiFacts, CfaRule, Field, UnwindRow, ValueRule};

/// Ids of the rules that a difference breaks; empty if the rows mean the same.
///
/// If both rows mark the return address as undefined, nothing else is compared: there is no caller.
/// Expressions that could not be simplified are not compared: only execution can judge them.
pub fn differences(facts: &AbiFacts, sframe: &UnwindRow, eh_frame: &UnwindRow) -> Vec<RuleId> {
    let mut broken = Vec::new();
    let undefined = [sframe.ra, eh_frame.ra].map(|rule| rule == ValueRule::Undefined);
    if undefined == [true, true] {
        return broken;
    }
    if undefined != [false, false] {
        return vec![RuleId::CfiRaDiffers];
    }
    if cfa_differs(sframe.cfa, eh_frame.cfa) {
        broken.push(RuleId::CfiCfaDiffers);
    }
    if value_differs(sframe, sframe.ra, eh_frame, eh_frame.ra) {
        broken.push(RuleId::CfiRaDiffers);
    }
    // An undefined FP cannot be expressed in SFrame: a row that leaves it unchanged is as precise
    // as possible.
    let inexpressible = eh_frame.fp == ValueRule::Undefined && sframe.fp == ValueRule::SameValue;
    if !inexpressible && value_differs(sframe, sframe.fp, eh_frame, eh_frame.fp) {
        broken.push(RuleId::CfiFpDiffers);
    }
    if moves_sp(facts, eh_frame) {
        broken.push(RuleId::CfiSpDiffers);
    }
    if (sframe.signed, false) != (eh_frame.signed, eh_frame.signed && eh_frame.signed_with_pc) {
        broken.push(RuleId::CfiSignedDiffers);
    } else if sframe.signed && sframe.key != eh_frame.key {
        broken.push(RuleId::CfiKeyDiffers);
    }
    broken
}

/// Returns true if a row has a rule for the caller's SP that no SFrame row can have: another value
/// than at the ABI's distance from the CFA. A slot in the frame is where a function saved the
/// caller's SP, and so is a register on ABIs that save SP with other registers (s390x: GCC's leaf
/// functions, `ldgr %f0,%r15`): for these only execution can show whether the value is there.
pub fn moves_sp(facts: &AbiFacts, row: &UnwindRow) -> bool {
    let Some(rule) = row.sp else { return false };
    let rule = if rule == ValueRule::SameValue { ValueRule::Register { reg: facts.sp, offset: 0 } } else { rule };
    match rule {
        ValueRule::Expression(_) => false,
        ValueRule::AtCfa(_) => false,
        ValueRule::Register { reg, offset: 0 } if facts.sp_is_saved && reg != facts.sp => false,
        _ => resolve(row, rule) != resolve(row, ValueRule::CfaPlus(facts.caller_sp_minus_cfa)),
    }
}

/// The parts of a frame that both rows give by the same rule. If such a part is wrong, it was wrong
/// in the directives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// True if the CFA is the same register plus offset, or the word there.
    pub cfa: bool,
    /// True if the return address is signed with the same key, or in neither row.
    pub signing: bool,
    /// True if the return address has the same location.
    pub ra: bool,
    /// True if the caller's FP has the same location.
    pub fp: bool,
    /// True if the caller's SP has the same distance from the CFA.
    pub sp: bool,
}

impl Shared {
    /// Compares two rows. Expressions are never shared: the rows do not show their result.
    pub fn new(facts: &AbiFacts, sframe: &UnwindRow, eh_frame: &UnwindRow) -> Shared {
        let cfa = sframe.cfa == eh_frame.cfa && !matches!(sframe.cfa, CfaRule::Expression(_));
        let value = |a: ValueRule, b: ValueRule| {
            let relative = matches!(a, ValueRule::AtCfa(_) | ValueRule::CfaPlus(_));
            let same = a == b && !matches!(a, ValueRule::Expression(_)) && (cfa || !relative);
            same || cfa && resolve(sframe, a) == resolve(eh_frame, b) && !matches!(a, ValueRule::Expression(_))
        };
        let signing = |row: &UnwindRow| row.signed.then_some((row.key, row.signed_with_pc));
        Shared {
            cfa,
            signing: signing(sframe) == signing(eh_frame),
            ra: value(sframe.ra, eh_frame.ra),
            fp: value(sframe.fp, eh_frame.fp),
            sp: cfa && !moves_sp(facts, eh_frame),
        }
    }

    /// Returns true if everything that a field depends on is the same.
    pub fn has(self, field: Field) -> bool {
        match field {
            Field::Outermost => self.ra,
            Field::DeadStack => self.cfa && self.ra && self.fp,
            Field::Cfa => self.cfa,
            Field::Signed => self.signing,
            Field::Ra => self.cfa && self.ra,
            Field::Fp => self.cfa && self.fp,
            Field::Sp => self.sp,
        }
    }
}

fn cfa_differs(a: CfaRule, b: CfaRule) -> bool {
    let opaque = |rule| matches!(rule, CfaRule::Expression(_));
    a != b && !opaque(a) && !opaque(b)
}

fn value_differs(row_a: &UnwindRow, a: ValueRule, row_b: &UnwindRow, b: ValueRule) -> bool {
    let opaque = |rule| matches!(rule, ValueRule::Expression(_));
    a != b && resolve(row_a, a) != resolve(row_b, b) && !opaque(a) && !opaque(b)
}

/// A rule relative to the CFA, rewritten relative to the CFA's base register if there is one, so
/// that `[cfa-16]` and `[rbp+0]` compare equal if the CFA is `rbp+16`.
fn resolve(row: &UnwindRow, rule: ValueRule) -> ValueRule {
    match (rule, row.cfa) {
        (ValueRule::AtCfa(n), CfaRule::Register { reg, offset }) => {
            ValueRule::Memory { reg, offset: offset.wrapping_add(n) }
        }
        (ValueRule::CfaPlus(n), CfaRule::Register { reg, offset }) => {
            ValueRule::Register { reg, offset: offset.wrapping_add(n) }
        }
        _ => rule,
    }
}
