//! Makes findings from charges: the rule, the function, and the values of the true frame and both
//! tables side by side.

use results::{Blame, Finding, Shape, Source, Values};
use spec::{RuleId, Severity};
use types::{Answer, Aspect, Claim, Fault, Field, Image, RowFault, Verdict};

use super::waiting::Wait;
use super::{Answers, Judge};
use crate::blame::{Charge, Table};
use crate::fold::{Evidence, Identity};
use crate::saves::Saves;
use crate::slot::Slot;
use crate::tables::{Tables, claim};
use crate::witness::Witness;
use crate::wrong_row::WrongAt;

/// Records a charge as a finding, at once or after the event that it `waits` for; returns its
/// severity.
pub(super) fn charge(
    judge: &mut Judge<'_>,
    answers: &Answers<'_>,
    charge: Charge,
    (sframe, cfi): (Option<Verdict>, Option<Verdict>),
    waits: Option<Wait>,
) -> Severity {
    let Verdict::Wrong(field) = charge.verdict else { return Severity::Info };
    let id = rule_id(charge.table, field, answers.depth);
    let other = match charge.table {
        Table::Sframe => cfi,
        Table::EhFrame => sframe,
    };
    let severity = match field {
        // A table that denies a caller in one row of a function and claims one in another is wrong.
        Field::Outermost if judge.contradicts_itself(answers, charge.table) => id.facts().severity,
        // Only the directives show whether there is a caller; if they do not say so either, a row
        // that claims one is not an error.
        Field::Outermost if charge.table == Table::Sframe && cfi != Some(Verdict::Agree) => Severity::Info,
        Field::Outermost if charge.table == Table::EhFrame => Severity::Info,
        _ => id.facts().severity,
    };
    let right = reference(charge.table, other == Some(Verdict::Agree), answers);
    let broken = BrokenRule { id, severity, blame: charge.blame, kind: Kind::Field(field), table: charge.table, right };
    keep(judge, answers, &broken, waits);
    severity
}

/// Records a PC at which `.sframe` has a function but no row although there is a caller.
pub(super) fn missing_row(judge: &mut Judge<'_>, answers: &Answers<'_>, blame: Blame) {
    let id = RuleId::RowMissing;
    let severity = id.facts().severity;
    let right = Some(Source::EhFrame);
    keep(judge, answers, &BrokenRule { id, severity, blame, kind: Kind::NoRow, table: Table::Sframe, right }, None);
}

/// Records a walk that `.sframe` could not continue: the row needs a register that the format does
/// not track.
pub(super) fn stopped(judge: &mut Judge<'_>, answers: &Answers<'_>) {
    let id = RuleId::ChainStops;
    let severity = id.facts().severity;
    let blame = Blame::Undetermined;
    let broken = BrokenRule { id, severity, blame, kind: Kind::Stop, table: Table::Sframe, right: None };
    keep(judge, answers, &broken, None);
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
    match (wrong, other_agrees) {
        (Table::Sframe, true) => Some(Source::EhFrame),
        (Table::EhFrame, true) => Some(Source::Sframe),
        (_, false) => (answers.depth == 0).then_some(Source::Truth),
    }
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

fn keep(judge: &mut Judge<'_>, answers: &Answers<'_>, broken: &BrokenRule, waits: Option<Wait>) {
    let (image, tables, saves) = (judge.image, judge.tables, &judge.saves);
    let pc = answers.at.lookup();
    let start = tables.function_start(image, pc.0);
    let identity = Identity { rule: broken.id, blame: broken.blame, function: start };
    let fold = match waits.and_then(|wait| judge.waiting.pending(wait)) {
        Some(pending) => &mut pending.fold,
        None => &mut judge.fold,
    };
    let row = || {
        let wrong = match broken.table {
            Table::Sframe => Source::Sframe,
            Table::EhFrame => Source::EhFrame,
        };
        let truth = (answers.depth == 0).then(|| truth_values(answers, saves, tables, image).row);
        let place = WrongAt { pc, slots: answers.slots, wrong, right: broken.right, truth };
        Some(place.describe(tables, image))
    };
    fold.add(identity, Evidence::Step(pc.0), row, || {
        let rows = (
            claim(tables.sframe.as_ref(), answers.slots.0, pc, image),
            claim(tables.cfi.as_ref(), answers.slots.1, pc, image),
        );
        let truth = truth_values(answers, saves, tables, image);
        let sframe = answers.sframe.as_ref().map(|answer| values(answer, rows.0.clone()));
        let eh_frame = answers.cfi.as_ref().map(|answer| values(answer, rows.1.clone()));
        let of_wrong_table = match broken.table {
            Table::Sframe => sframe.as_ref(),
            Table::EhFrame => eh_frame.as_ref(),
        };
        let mut found = Finding::new(broken.id, broken.blame, image.place(start), Shape::Rule);
        found.severity = broken.severity;
        found.shown.message = message(broken, &place_of(answers, image.place(pc.0)), &truth, of_wrong_table);
        found.evidence.at = Some(pc.0);
        found.evidence.field = match broken.kind {
            Kind::Field(field) => field.aspect(),
            Kind::NoRow | Kind::Stop => Aspect::Coverage,
        };
        found.shown.section = match broken.table {
            Table::Sframe => tables.sframe_name(image),
            Table::EhFrame => Table::EhFrame.section().to_owned(),
        };
        found.shown.offset = match (broken.table, answers.slots.0) {
            (Table::Sframe, Slot::Row(_)) => tables.sframe_row_offset(pc),
            _ => None,
        };
        found.evidence.truth = Some(truth);
        found.evidence.sframe = sframe;
        found.evidence.eh_frame = eh_frame;
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

fn truth_values(answers: &Answers<'_>, saves: &Saves, tables: &Tables, image: &Image) -> Values {
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
                Err(fault) => flawed(row, RowFault::Fp(fault)),
            },
        },
        Ok(Answer::Outermost) => Values::from_row(flawed(row, RowFault::Outermost)),
        Err(fault) => Values::from_row(match row {
            Claim::Row(..) => flawed(row, RowFault::Row(*fault)),
            no_row => Claim::Fault(Box::new(no_row), *fault),
        }),
    }
}

fn flawed(row: Claim, flaw: RowFault) -> Claim {
    match row {
        Claim::Row(equations, _) => Claim::Row(equations, Some(flaw)),
        // A table without a row gives no answer that could be wrong.
        other => other,
    }
}
