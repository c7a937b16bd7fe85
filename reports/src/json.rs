//! A report as the JSON object of the command's contract, schema 2.

use model::{Claim, Finding, Outcome, Report, Values, WrongRow};
use serde_json::{Value, json};

/// The object for one file.
pub fn to_json(report: &Report, outcome: Outcome, tool_version: &str) -> Value {
    let undecided = report
        .undecided
        .iter()
        .map(|item| json!({ "reason": item.reason.name(), "pc": item.pc.map(hex), "message": item.message }));
    let gaps = report.gaps.iter().map(|gap| {
        json!({
            "function": gap.function, "pc_start": hex(gap.code.0), "pc_end": hex(gap.code.1),
            "place": gap.place, "reason": gap.reason, "executed": gap.executed,
        })
    });
    json!({
        "schema": 2,
        "file": report.file,
        "abi": report.abi.map(model::Abi::name),
        "sframe_version": report.sframe_version.map(model::SframeVersion::name),
        "verdict": outcome.name(),
        "summary": report.summary,
        "discrepancies": report.discrepancies.iter().map(finding).collect::<Vec<_>>(),
        "undecided": undecided.collect::<Vec<_>>(),
        "coverage": gaps.collect::<Vec<_>>(),
        "exit_status": report.exit_status,
        "output": report.output,
        "notes": report.notes,
        "tool_version": tool_version,
        "error": report.error.as_ref().map(|error| {
            json!({ "kind": error.kind.name(), "offset": error.offset, "message": error.message })
        }),
    })
}

fn finding(found: &Finding) -> Value {
    let span = found.ranges.first().zip(found.ranges.last());
    json!({
        "fingerprint": found.fingerprint(),
        "rule": found.rule(),
        "severity": found.severity,
        "blame": found.blame().name(),
        "function": found.function(),
        "pc_start": span.map(|(first, _)| hex(first.0)),
        "pc_end": span.map(|(_, last)| hex(last.1)),
        "ranges": found.ranges.iter().map(|(start, end)| [hex(*start), hex(*end)]).collect::<Vec<_>>(),
        "place": found.place,
        "steps": found.steps,
        "field": found.field,
        "truth": found.truth.as_ref().map(values),
        "sframe": found.sframe.as_ref().map(values),
        "eh_frame": found.eh_frame.as_ref().map(values),
        "message": found.message,
        "section": found.section,
        "offset": found.offset.map(hex),
        "executed": found.executed,
        "depth": found.depth,
        "rows": found.rows.iter().map(row).collect::<Vec<_>>(),
        "rows_cut": found.rows_cut,
        "rows_fingerprint": found.rows_fingerprint(),
    })
}

fn row(row: &WrongRow) -> Value {
    let text = |claim: Option<&Claim>| claim.map(Claim::to_string);
    json!({
        "ranges": row.ranges.iter().map(|(start, end)| [hex(*start), hex(*end)]).collect::<Vec<_>>(),
        "wrong": row.wrong,
        "right": row.right,
        "sframe": row.sframe.to_string(),
        "eh_frame": row.eh_frame.to_string(),
        "truth": text(row.truth.as_ref()),
        "before": text(row.before.as_ref()),
        "after": text(row.after.as_ref()),
    })
}

fn values(values: &Values) -> Value {
    json!({
        "cfa": values.cfa.map(hex),
        "ra": values.ra.map(hex),
        "fp": values.fp.map(hex),
        "row": values.row.to_string(),
    })
}

fn hex(value: u64) -> String {
    format!("{value:#x}")
}
