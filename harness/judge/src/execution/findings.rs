//! A charge with all that a reader needs: the rule, the function, and the three voices' values side by side.

use model::{Answer, Blame, Discrepancy, Fault, Field, RuleId, Severity, Values, Verdict, fingerprint, rule};

use super::{Asked, Judge};
use crate::blame::{Charge, Table};
use crate::fold::{Identity, Shown};
use crate::slot::Slot;
use crate::tables::row_text;
use crate::witness::Witness;

/// Keeps a charge as a finding, at once or until the function with `waits` frames around it returns.
pub(super) fn charge(
    judge: &mut Judge<'_>,
    asked: &Asked<'_>,
    charge: Charge,
    cfi: Option<Verdict>,
    waits: Option<usize>,
) {
    let Verdict::Wrong(field) = charge.verdict else { return };
    let id = rule_id(charge.table, field, asked.depth);
    let severity = match field {
        // Only the directives can tell whether there is a caller; where they are silent too, a row that claims one is no breach.
        Field::Outermost if charge.table == Table::Sframe && cfi != Some(Verdict::Agree) => Severity::Info,
        Field::Outermost if charge.table == Table::EhFrame => Severity::Info,
        _ => rule(id).severity,
    };
    let told = Told { id, severity, blame: charge.blame, field: field.name(), table: charge.table };
    keep(judge, asked, &told, waits);
}

/// Keeps a PC at which `.sframe` has a function but no row while `.eh_frame` is right.
pub(super) fn missing_row(judge: &mut Judge<'_>, asked: &Asked<'_>, blame: Blame) {
    let id = RuleId::RowMissing;
    let told = Told { id, severity: rule(id).severity, blame, field: "coverage", table: Table::Sframe };
    keep(judge, asked, &told, None);
}

/// Keeps a walk that `.sframe` could not go on with: the row needs a register that the format does not track.
pub(super) fn stopped(judge: &mut Judge<'_>, asked: &Asked<'_>) {
    let id = RuleId::ChainStops;
    let told =
        Told { id, severity: rule(id).severity, blame: Blame::Undetermined, field: "coverage", table: Table::Sframe };
    keep(judge, asked, &told, None);
}

struct Told {
    id: RuleId,
    severity: Severity,
    blame: Blame,
    field: &'static str,
    table: Table,
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
        (Table::EhFrame, Field::DeadStack) => RuleId::EhFrameReadsDeadStack,
        (Table::EhFrame, Field::Cfa) => RuleId::EhFrameCfaMatchesTruth,
        (Table::EhFrame, Field::Signed) => RuleId::EhFrameSignedMatchesTruth,
        (Table::EhFrame, Field::Ra) => RuleId::EhFrameRaMatchesTruth,
        (Table::EhFrame, Field::Fp) => RuleId::EhFrameFpMatchesTruth,
    }
}

fn keep(judge: &mut Judge<'_>, asked: &Asked<'_>, told: &Told, waits: Option<usize>) {
    let (image, tables) = (judge.image, judge.tables);
    let pc = asked.at.lookup();
    let start = tables.function_start(image, pc.0);
    let identity = Identity { rule: told.id, blame: told.blame, function: start };
    let fold = match waits.and_then(|level| judge.lowered.waiting(level)) {
        Some(waiting) => &mut waiting.fold,
        None => &mut judge.fold,
    };
    fold.add(identity, Shown::Step(pc.0), || {
        let function = image.place(start);
        let rows = (
            row_text(tables.sframe.as_ref(), asked.slots.0, pc, image),
            row_text(tables.cfi.as_ref(), asked.slots.1, pc, image),
        );
        let shape = format!("{} | {}", rows.0, rows.1);
        let truth = truth_values(asked, image.abi);
        let sframe = asked.sframe.as_ref().map(|answer| values(answer, &rows.0));
        let eh_frame = asked.cfi.as_ref().map(|answer| values(answer, &rows.1));
        let section = match told.table {
            Table::Sframe => tables.sframe_name(image),
            Table::EhFrame => ".eh_frame".to_owned(),
        };
        let offset = match (told.table, asked.slots.0) {
            (Table::Sframe, Slot::Row(_)) => tables.sframe_row_offset(pc),
            _ => None,
        };
        let wrong = match told.table {
            Table::Sframe => sframe.as_ref(),
            Table::EhFrame => eh_frame.as_ref(),
        };
        Discrepancy {
            fingerprint: fingerprint(told.id, told.blame, &function, &shape),
            rule: rule(told.id),
            severity: told.severity,
            blame: told.blame,
            message: message(told, &image.place(pc.0), &truth, wrong),
            function,
            shape,
            at: Some(pc.0),
            ranges: Vec::new(),
            place: String::new(),
            steps: 0,
            field: told.field,
            truth: Some(truth),
            sframe,
            eh_frame,
            section,
            offset,
            executed: true,
            depth: asked.depth,
            window: Vec::new(),
        }
    });
}

fn message(told: &Told, place: &str, truth: &Values, wrong: Option<&Values>) -> String {
    let table = match told.table {
        Table::Sframe => ".sframe",
        Table::EhFrame => ".eh_frame",
    };
    let hex =
        |value: Option<u64>| value.map_or_else(|| format!("none ({})", row_of(wrong)), |value| format!("{value:#x}"));
    let pair = |get: fn(&Values) -> Option<u64>| (hex(get(truth)), hex(wrong.and_then(get)));
    match told.field {
        "coverage" if told.id == RuleId::ChainStops => format!("a walk by {table} stops at {place}: {}", row_of(wrong)),
        "coverage" => format!("{table} has a function but no row at {place}, where .eh_frame is right"),
        _ if told.id.ends_with("/outermost") => {
            format!("{table} claims a caller at {place}, but execution began in this function")
        }
        _ if told.id.ends_with("dead-stack") => format!("{table} reads stack below SP at {place}: {}", row_of(wrong)),
        _ if told.id.ends_with("signed-matches-truth") => {
            format!("{table} is wrong at {place} about how the return address is signed: {}", row_of(wrong))
        }
        "cfa" => {
            let (want, got) = pair(|values| values.cfa);
            format!("{table} gives CFA {got} at {place}, the machine has {want}")
        }
        "fp" => {
            let (want, got) = pair(|values| values.fp);
            format!("{table} gives the caller's FP as {got} at {place}, the machine has {want}")
        }
        _ => {
            let (want, got) = pair(|values| values.ra);
            format!("{table} gives return address {got} at {place}, the machine has {want}")
        }
    }
}

fn row_of(values: Option<&Values>) -> &str {
    values.map_or("no row", |values| values.row.as_str())
}

fn truth_values(asked: &Asked<'_>, abi: model::Abi) -> Values {
    match asked.truth {
        None => Values { row: "no caller: execution began here".to_owned(), ..Values::default() },
        Some(frame) => Values {
            cfa: Some(frame.cfa),
            ra: Some(frame.ra.0),
            fp: Some(frame.fp),
            row: match asked.depth {
                0 => Witness::of(asked.step).describe(abi),
                depth => format!("{depth} frames up"),
            },
        },
    }
}

fn values(answer: &Result<Answer, Fault>, row: &str) -> Values {
    match answer {
        Ok(Answer::Caller(caller)) => Values {
            cfa: Some(caller.cfa),
            ra: Some(caller.ra),
            fp: caller.fp.ok().flatten(),
            row: match caller.fp {
                Ok(_) => row.to_owned(),
                Err(fault) => format!("{row}; FP {fault}"),
            },
        },
        Ok(Answer::Outermost) => Values { row: format!("{row}; no caller"), ..Values::default() },
        Err(fault) => Values { row: format!("{row}; {fault}"), ..Values::default() },
    }
}
