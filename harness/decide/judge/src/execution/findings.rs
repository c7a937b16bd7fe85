//! Makes findings from charges: the rule, the function, and the values of the true frame and both
//! tables side by side.

use results::{Blame, Finding, Shape, Source, Values};
use spec::{RuleId, Severity};
use types::{Answer, Aspect, Claim, Fault, Field, RowFault, Verdict};

use super::answers::Answers;
use super::deferred::Until;
use super::record::Record;
use crate::blame::{Charge, Table};
use crate::fold::{Evidence, Identity};
use crate::per_table::PerTable;
use crate::saves::Saves;
use crate::slot::Slot;
use crate::witness::Witness;
use crate::wrong_row::WrongAt;

/// Adds a charge as a finding, at once or deferred; returns its severity.
pub(super) fn charge(
    record: &mut Record,
    answers: &Answers<'_>,
    charge: Charge,
    verdicts: PerTable<Option<Verdict>>,
    until: Option<Until>,
    saves: &Saves,
) -> Severity {
    let Verdict::Wrong(field) = charge.verdict else { return Severity::Info };
    let id = rule_id(charge.table, field, answers.depth);
    let other_agrees = *verdicts.get(charge.table.other()) == Some(Verdict::Agree);
    let severity = match (field, charge.table) {
        // A table that denies a caller in one row of a function and claims one in another is wrong.
        (Field::Outermost, table) if answers.contradicts_itself(table) => id.facts().severity,
        // Only the directives show whether there is a caller; if they do not say so either, a row
        // that claims one is not an error.
        (Field::Outermost, Table::Sframe) if !other_agrees => Severity::Info,
        (Field::Outermost, Table::EhFrame) => Severity::Info,
        (Field::Cfa, table) if answers.names_cfa_only(table) => Severity::Info,
        _ => id.facts().severity,
    };
    let right = reference(charge.table, other_agrees, answers);
    let broken = BrokenRule { id, severity, blame: charge.blame, kind: Kind::Field(field), table: charge.table, right };
    add(record, answers, &broken, until, saves);
    severity
}

/// Adds a PC at which `.sframe` has a function but no row although there is a caller.
pub(super) fn missing_row(record: &mut Record, answers: &Answers<'_>, blame: Blame, saves: &Saves) {
    let id = RuleId::RowMissing;
    let severity = id.facts().severity;
    let right = Some(Source::EhFrame);
    let broken = BrokenRule { id, severity, blame, kind: Kind::NoRow, table: Table::Sframe, right };
    add(record, answers, &broken, None, saves);
}

/// Adds a walk that `.sframe` could not continue: the row needs a register that the format does not
/// track.
pub(super) fn stopped(record: &mut Record, answers: &Answers<'_>, saves: &Saves) {
    let id = RuleId::ChainStops;
    let severity = id.facts().severity;
    let blame = Blame::Undetermined;
    let broken = BrokenRule { id, severity, blame, kind: Kind::Stop, table: Table::Sframe, right: None };
    add(record, answers, &broken, None, saves);
}

/// The rule that one frame breaks.
struct BrokenRule {
    id: RuleId,
    severity: Severity,
    blame: Blame,
    kind: Kind,
    table: Table,
    /// The row that the wrong one is compared with.
    right: Option<Source>,
}

/// The other table if it is right, else the machine, which shows a row for the innermost frame
/// only.
fn reference(wrong: Table, other_agrees: bool, answers: &Answers<'_>) -> Option<Source> {
    if other_agrees { Some(wrong.other().source()) } else { (answers.depth == 0).then_some(Source::Truth) }
}

#[derive(Clone, Copy)]
enum Kind {
    /// A wrong value.
    Field(Field),
    /// A function without a row at the PC.
    NoRow,
    /// A walk that cannot continue.
    Stop,
}

fn rule_id(table: Table, field: Field, depth: usize) -> RuleId {
    match (table, field) {
        (Table::Sframe, Field::Outermost) => RuleId::RowOutermost,
        (Table::EhFrame, Field::Outermost) => RuleId::EhFrameOutermost,
        (Table::Sframe, _) if depth > 0 => RuleId::ChainMatchesTruth,
        (Table::Sframe, Field::DeadStack) => RuleId::RowReadsDeadStack,
        (Table::Sframe, Field::Cfa) => RuleId::RowCfaMatchesTruth,
        (Table::Sframe, Field::Signed) => RuleId::RowSignedMatchesTruth,
        (Table::Sframe, Field::Ra) => RuleId::RowRaMatchesTruth,
        (Table::Sframe, Field::Fp) => RuleId::RowFpMatchesTruth,
        // A row's SP follows from its CFA.
        (Table::Sframe, Field::Sp) => RuleId::RowCfaMatchesTruth,
        (Table::EhFrame, Field::DeadStack) => RuleId::EhFrameReadsDeadStack,
        (Table::EhFrame, Field::Cfa) => RuleId::EhFrameCfaMatchesTruth,
        (Table::EhFrame, Field::Signed) => RuleId::EhFrameSignedMatchesTruth,
        (Table::EhFrame, Field::Ra) => RuleId::EhFrameRaMatchesTruth,
        (Table::EhFrame, Field::Fp) => RuleId::EhFrameFpMatchesTruth,
        (Table::EhFrame, Field::Sp) => RuleId::EhFrameSpMatchesTruth,
    }
}

fn add(record: &mut Record, answers: &Answers<'_>, broken: &BrokenRule, until: Option<Until>, saves: &Saves) {
    let (image, tables, pc) = (answers.image, answers.tables, answers.pc());
    let start = tables.function_start(image, pc.0);
    let identity = Identity { rule: broken.id, blame: broken.blame, function: start };
    let fold = match until.and_then(|until| record.deferred.pending(until)) {
        Some(pending) => &mut pending.fold,
        None => &mut record.fold,
    };
    let row = || {
        let truth = (answers.depth == 0).then(|| truth_values(answers, saves).row);
        let (wrong, right) = (broken.table.source(), broken.right);
        Some(WrongAt { pc, slots: answers.slots, wrong, right, truth }.describe(tables, image))
    };
    fold.add(identity, Evidence::Step(pc.0), row, || {
        let truth = truth_values(answers, saves);
        let given = answers.given.map(|table, answer| {
            answer.map(|answer| values(&answer, tables.claim(table, *answers.slots.get(table), pc, image)))
        });
        let mut found = Finding::new(broken.id, broken.blame, image.place(start), Shape::Rule);
        found.severity = broken.severity;
        let place = place_of(answers, image.place(pc.0));
        found.shown.message = message(broken, &place, &truth, given.get(broken.table).as_ref());
        found.evidence.at = Some(pc.0);
        found.evidence.field = match broken.kind {
            Kind::Field(field) => field.aspect(),
            Kind::NoRow | Kind::Stop => Aspect::Coverage,
        };
        found.shown.section = tables.section_name(broken.table, image);
        found.shown.offset = match (broken.table, answers.slots.sframe) {
            (Table::Sframe, Slot::Row(_)) => tables.sframe_row_offset(pc),
            _ => None,
        };
        found.evidence.truth = Some(truth);
        found.evidence.sframe = given.sframe;
        found.evidence.eh_frame = given.eh_frame;
        found.evidence.executed = true;
        found.evidence.depth = answers.depth;
        found
    });
}

/// Position of the finding, with the thread if that is not the initial one.
fn place_of(answers: &Answers<'_>, place: String) -> String {
    match answers.step.thread.number() {
        1 => place,
        number => format!("{place} in thread {number}"),
    }
}

fn message(broken: &BrokenRule, place: &str, truth: &Values, given: Option<&Values>) -> String {
    let table = broken.table.section();
    let row = || given.map_or_else(|| "no row".to_owned(), |values| values.row.to_string());
    let hex = |value: Option<u64>| value.map_or_else(|| "none".to_owned(), |value| format!("{value:#x}"));
    let differ = |what: &str, get: fn(&Values) -> Option<u64>| match given.and_then(get) {
        Some(got) => format!("{table} gives {what} {got:#x} at {place}, the machine has {}", hex(get(truth))),
        None => format!("{table} gives no {what} at {place}, the machine has {}: {}", hex(get(truth)), row()),
    };
    match broken.kind {
        Kind::Stop => format!("a walk by {table} stops at {place}: {}", row()),
        Kind::NoRow => format!("{table} has an FDE but no row at {place}, where there is a caller"),
        Kind::Field(Field::Outermost) => {
            format!("{table} claims a caller at {place}, but nothing called this function")
        }
        // For a caller's frame the message names the function that it belongs to.
        Kind::Field(Field::DeadStack) if is_about_innermost(broken.id) => {
            format!("{table} reads stack below SP at {place}: {}", row())
        }
        Kind::Field(Field::Signed) if is_about_innermost(broken.id) => {
            format!("{table} is wrong at {place} about how the return address is signed: {}", row())
        }
        Kind::Field(Field::Cfa) => differ("CFA", |values| values.cfa),
        Kind::Field(Field::Fp) => differ("caller's FP", |values| values.fp),
        Kind::Field(Field::Sp) => {
            let given = given.map_or_else(String::new, |values| values.row.to_string());
            format!("{table} gives an SP of the caller at {place} other than the one it continues with: {given}")
        }
        Kind::Field(Field::Ra | Field::DeadStack | Field::Signed) => differ("return address", |values| values.ra),
    }
}

/// Returns true for rules about the innermost frame, not about a walk.
fn is_about_innermost(id: RuleId) -> bool {
    id != RuleId::ChainMatchesTruth
}

fn truth_values(answers: &Answers<'_>, saves: &Saves) -> Values {
    let (image, tables) = (answers.image, answers.tables);
    match answers.truth {
        None => Values::from_row(Claim::BeganHere),
        Some(frame) => Values {
            cfa: Some(frame.cfa),
            ra: Some(frame.ra.0),
            fp: Some(frame.fp),
            row: match answers.depth {
                0 => Witness::new(answers.step, saves, tables, image).claim(image.abi),
                depth => Claim::FramesUp(depth),
            },
        },
    }
}

fn values(answer: &Result<Answer, Fault>, row: Claim) -> Values {
    match answer {
        Ok(Answer::Caller(caller)) => Values {
            cfa: Some(caller.cfa),
            ra: Some(caller.ra),
            fp: caller.fp.ok().flatten(),
            row: match caller.fp {
                Ok(_) => row,
                Err(fault) => with_fault(row, RowFault::Fp(fault)),
            },
        },
        Ok(Answer::Outermost) => Values::from_row(with_fault(row, RowFault::Outermost)),
        Err(fault) => Values::from_row(match row {
            Claim::Row(..) => with_fault(row, RowFault::Row(*fault)),
            no_row => Claim::Fault(Box::new(no_row), *fault),
        }),
    }
}

fn with_fault(row: Claim, fault: RowFault) -> Claim {
    match row {
        Claim::Row(equations, _) => Claim::Row(equations, Some(fault)),
        // A table without a row gives no answer that could be wrong.
        other => other,
    }
}
