//! The right values that a boundary may have after a path, each with the edit that it needs.

use types::{CfaRule, ValueRule};

use crate::function::{Function, Set, Spelling};
use crate::path::{Did, Path, Target};
use crate::row::{Part, Value};

/// A value of a part at a boundary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) value: Value,
    pub(crate) did: Option<Did>,
    /// How unusual the place of the edit is.
    pub(crate) badness: u32,
}

impl Choice {
    /// Number of edits.
    pub(crate) fn cost(&self) -> u32 {
        u32::from(self.did.is_some_and(|did| !matches!(did, Did::Complete(_))))
    }
}

/// A value that an added or changed directive may set at a boundary, and how unusual that is:
/// whatever the path.
pub(crate) type Settable = (Value, u32);

/// The choices for a part; `settable` are those of [`settable`] for it.
pub(crate) fn choices(
    function: &Function,
    index: usize,
    path: &Path,
    part: Part,
    settable: &[Settable],
) -> Vec<Choice> {
    let Some(boundary) = function.at(index) else { return Vec::new() };
    let (new, before) = (boundary.row.get(part), path.row.get(part));
    let mut all: Vec<Choice> = Vec::new();
    let mut add = |value: Value, did: Option<Did>, badness: u32| {
        if !all.iter().any(|choice| choice.value == value) {
            all.push(Choice { value, did, badness });
        }
    };
    let directive = function.directive(index, part);
    match directive {
        Some(set) => {
            // One that was missing before stands here: there are as many as before.
            if part == Part::Signing && set.new == before && set.old != before {
                add(before, None, 0);
            }
            set.readings(before).into_iter().for_each(|value| add(value, None, 0));
            function.passed(index, part).iter().for_each(|value| add(*value, Some(Did::Delete), 0));
            add(before, Some(Did::Delete), 1);
        }
        None => {
            let removed = path.removed_at(&Target::Part(part, new));
            // What was deleted is put back as soon as it is right.
            add(before, None, u32::from(removed.is_some()));
            if let Some(from) = removed {
                add(new, Some(Did::Complete(from)), 0);
            }
            for (from, by) in path.removed.iter().filter_map(|removed| added(function, removed.index, &removed.target))
            {
                if let Value::Cfa(CfaRule::Register { reg, offset }) = before {
                    let value = Value::Cfa(CfaRule::Register { reg, offset: offset.wrapping_add(by) });
                    add(value, Some(Did::Complete(from)), 0);
                }
            }
        }
    }
    let did = if directive.is_some() { Did::Change } else { Did::Insert };
    // A change of the operand gives no other register.
    let sets_offset = directive.is_some_and(|set| set.spelling == Some(Spelling::CfaOffset));
    let is_other = |value: Value| match (value, before) {
        (Value::Cfa(CfaRule::Register { reg, .. }), Value::Cfa(CfaRule::Register { reg: old, .. })) => reg != old,
        _ => false,
    };
    for (value, badness) in settable {
        let unusual = if sets_offset && is_other(*value) { 8 } else { 0 };
        add(*value, Some(did), badness.saturating_add(unusual));
    }
    all
}

/// What a directive at a boundary that was removed adds to the offset of the CFA.
fn added(function: &Function, index: usize, target: &Target) -> Option<(usize, i64)> {
    let Target::Part(Part::Cfa, Value::Cfa(CfaRule::Register { reg, offset })) = target else { return None };
    match function.row_before(index).get(Part::Cfa) {
        Value::Cfa(CfaRule::Register { reg: before, offset: from }) if before == *reg => {
            Some((index, offset.wrapping_sub(from)))
        }
        _ => None,
    }
}

/// The values of a part that an added or changed directive may set at a boundary.
pub(crate) fn settable(function: &Function, index: usize, part: Part) -> Vec<Settable> {
    // Back to the table's value.
    let own = function.at(index).map(|boundary| boundary.row.get(part));
    let back = own.filter(|_| !function.is_wrong(index, part));
    let values = candidates(function, index, part).into_iter().chain(back);
    values.map(|value| (value, badness(function, index, part, value))).collect()
}

impl Set {
    /// What the directive may set after another value: offsets are absolute or relative.
    pub(crate) fn readings(self, before: Value) -> Vec<Value> {
        let sum = |value| match value {
            Value::Cfa(CfaRule::Register { reg, offset }) => Some((reg, offset)),
            Value::Cfa(_) | Value::Rule(_) | Value::Signed(_) => None,
        };
        if let Value::Signed(signed) = before {
            return vec![Value::Signed(!signed)];
        }
        let Set { old, new, spelling } = self;
        let (Some((old_reg, from)), Some((new_reg, to)), Some((reg, offset))) = (sum(old), sum(new), sum(before))
        else {
            return vec![new];
        };
        let value = |reg, offset| Value::Cfa(CfaRule::Register { reg, offset });
        let mut all = Vec::new();
        if matches!(spelling, None | Some(Spelling::Whole)) {
            all.push(new);
        }
        if spelling == Some(Spelling::CfaOffset) || (spelling.is_none() && old_reg == new_reg) {
            all.push(value(reg, to));
            all.push(value(reg, offset.wrapping_add(to.wrapping_sub(from))));
        }
        if spelling == Some(Spelling::CfaRegister) || (spelling.is_none() && from == to) {
            all.push(value(new_reg, offset));
        }
        all
    }
}

/// The values of a part that an added or changed directive may set.
fn candidates(function: &Function, index: usize, part: Part) -> Vec<Value> {
    let of = |index: usize| {
        let facts = function.at(index).and_then(|boundary| boundary.facts.as_ref());
        facts.and_then(|facts| facts.of(part)).unwrap_or_default().to_vec()
    };
    let is_reached = function.at(index).is_some_and(|boundary| boundary.facts.is_some());
    if is_reached && function.is_wrong(index, part) {
        return of(index);
    }
    let changes = function.at(index).is_some_and(|boundary| boundary.row != *function.row_before(index));
    match function.next_reached(index) {
        // As long as it was right before, it has to lead to where it is not.
        Some(_) if is_reached => {
            let mut values = of(index);
            values.retain(|value| {
                function.leads_to_wrong(index, part, *value) || function.is_needed(index, part, *value)
            });
            values
        }
        // The truth of the next boundary that was reached.
        Some(next) if (changes || function.is_barrier(index)) && function.is_wrong(next, part) => of(next),
        Some(_) | None => Vec::new(),
    }
}

/// How unusual it is that a directive which sets a part to a value is at a boundary. Compilers
/// describe a save or a new base of the CFA after the instruction that makes it true, several saves
/// together; and a restore where the place of the saved value is given up.
fn badness(function: &Function, index: usize, part: Part, value: Value) -> u32 {
    let before = index.checked_sub(1);
    let begins = before.is_none_or(|before| !function.allows(before, part, value)) || function.is_barrier(index);
    let ends = function.is_wrong(index, part) && before.is_none_or(|before| !function.is_wrong(before, part));
    let unless = |is_usual: bool, usual: u32| if is_usual { usual } else { usual.saturating_add(2) };
    let sp = function.abi.facts().sp;
    match (part, value) {
        // The whole state is restored there, or a part that is in force elsewhere.
        _ if function.is_barrier(index) => unless(function.has(part, value), 2),
        (Part::Register(_), value) if value == function.initial.get(part) => unless(ends, 1),
        (Part::Register(_), _) if has_save(function, index) => 0,
        (Part::Cfa, Value::Cfa(CfaRule::Register { reg, .. })) if reg == sp => {
            if begins_restores(function, index) {
                1
            } else {
                unless(ends, 2)
            }
        }
        (Part::Cfa, Value::Cfa(CfaRule::Register { reg, .. })) if reg != function.abi.facts().fp => 5,
        _ => unless(begins, 1),
    }
}

/// Returns true if the instructions that restore registers begin at a boundary, and are described
/// together after the last of them.
fn begins_restores(function: &Function, index: usize) -> bool {
    let restores = |index: usize| function.at(index).is_some_and(|boundary| boundary.restores);
    let next = function.at(index.saturating_add(1)).and_then(|next| next.given.as_ref());
    let is_described = next.is_none_or(|given| !given.sets.is_empty());
    restores(index) && !index.checked_sub(1).is_some_and(restores) && !is_described
}

/// Returns true if the table saves a register at a boundary.
fn has_save(function: &Function, index: usize) -> bool {
    let Some(boundary) = function.at(index) else { return false };
    let before = function.row_before(index);
    boundary.row.parts().any(|part| {
        let value = boundary.row.get(part);
        matches!((part, value), (Part::Register(_), Value::Rule(ValueRule::AtCfa(_)))) && before.get(part) != value
    })
}
