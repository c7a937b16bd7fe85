//! What one assembler does with one file: whether it ends well, and whether `.sframe` says what `.eh_frame` says.

use std::fs;
use std::path::Path;

use judge::slot::{Slot, slot};
use judge::tables::Tables;
use model::{CfaRule, CodePoint, Report, RuleId, Severity};
use toolchain::process::{Finished, ProcessError};
use unwind::Unwinder as _;

use super::tool::Tool;
use crate::check::{self, Options};

/// Something that should not be, in words that stay the same while the file gets smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symptom {
    /// A rule's id, or `crash`, `hang`, `rejected`, `refused-silently`, `refused-needlessly`, `row-missing`, ….
    pub what: String,
    /// The function that shows it, where one does.
    pub function: Option<String>,
    /// One sentence with the numbers.
    pub detail: String,
}

/// Rules about what real programs look like. Random directives break them; that says nothing of the assembler.
const ABOUT_PROGRAMS: [RuleId; 3] = [RuleId::RowCfaPlausible, RuleId::RowFpOnRaSlot, RuleId::RowSameSlot];

/// Steps of a true program; each calls at most a few dozen functions.
const STEPS: u64 = 100_000;

/// Assembles a text and judges what comes out; with `execute`, links it and runs it too.
///
/// # Errors
/// When the harness itself cannot work: no temporary folder, the assembler cannot be started.
pub fn observe(tool: &Tool, text: &str, execute: bool) -> Result<Vec<Symptom>, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("cannot make a temporary folder: {error}"))?;
    let folder = folder.path();
    fs::write(folder.join("t.s"), text).map_err(|error| format!("t.s: {error}"))?;
    let told = match tool.assemble(folder, "t.s", "t.o") {
        Ok(told) => told,
        Err(ProcessError::Timeout { .. }) => return Ok(vec![symptom("hang", None, "killed after its time was over")]),
        Err(error) => return Err(error.to_string()),
    };
    if let Some(found) = ended_badly(&told) {
        return Ok(vec![found]);
    }
    let bytes = fs::read(folder.join("t.o")).map_err(|error| format!("t.o: {error}"))?;
    let mut found = statically(&bytes, &told.stderr, text);
    if !execute {
        found.retain(|symptom| !ABOUT_PROGRAMS.iter().any(|rule| rule.name() == symptom.what));
    } else {
        found.extend(executed(tool, folder)?);
    }
    Ok(found)
}

fn symptom(what: &str, function: Option<&str>, detail: &str) -> Symptom {
    Symptom { what: what.to_owned(), function: function.map(str::to_owned), detail: detail.to_owned() }
}

/// A crash is a signal, or what an assembler that caught it says.
fn ended_badly(told: &Finished) -> Option<Symptom> {
    let said = told.stderr.trim();
    let words = ["Internal error", "Segmentation fault", "PLEASE submit a bug report", "Assertion `"];
    if let Some(signal) = told.signal {
        return Some(symptom(&format!("crash: signal {signal}"), None, &format!("signal {signal}: {said}")));
    }
    if words.iter().any(|word| said.contains(word)) {
        return Some(symptom(&format!("crash: {}", crashed_where(said)), None, said));
    }
    let message = said.lines().find_map(|line| line.split_once("rror: ")).map_or(said, |(_, message)| message);
    (!told.success).then(|| symptom(&format!("rejected: {}", without_numbers(message)), None, said))
}

/// Where it was: of "Internal error in FUNCTION at FILE:LINE." the function, of "Internal error (SIGNAL)." the signal, of clang's words the reason.
fn crashed_where(said: &str) -> String {
    let after = |words: &str| said.split_once(words).map(|(_, rest)| rest);
    if let Some(rest) = after("Internal error") {
        let place = rest.strip_prefix(" in ").and_then(|rest| rest.split_whitespace().next());
        let signal = rest.strip_prefix(" (").and_then(|rest| rest.split(')').next());
        return place.or(signal).unwrap_or("Internal error").to_owned();
    }
    let reason = after("error in backend: ").or_else(|| after("Assertion `")).and_then(|rest| rest.lines().next());
    let reason = reason.map(|reason| reason.split(['.', '\'']).next().unwrap_or(reason));
    reason.map_or_else(|| "stack dump".to_owned(), without_numbers)
}

/// A message whose numbers are `N`, decimal or hexadecimal, so that it stays the same while the text changes.
fn without_numbers(message: &str) -> String {
    let mut stable = String::new();
    for part in message.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let word = part.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let number = word.starts_with(|c: char| c.is_ascii_digit());
        stable.push_str(if number { "N" } else { word });
        stable.push_str(part.get(word.len()..).unwrap_or(""));
    }
    stable
}

fn statically(bytes: &[u8], warnings: &str, text: &str) -> Vec<Symptom> {
    let options = Options { static_only: true, ..Options::default() };
    let report = check::check("t.o", bytes, &options).report;
    let mut found = of_report(&report, |_| true);
    let warned = warnings.lines().filter(|line| line.to_ascii_lowercase().contains("sframe")).count();
    if report.sframe_version.is_none() && report.error.is_none() {
        if text.contains("\t.cfi_startproc") && warned == 0 {
            found.push(symptom("refused-silently", None, "no .sframe section and no warning"));
        }
        return found;
    }
    if report.gaps.len() > warned {
        for gap in &report.gaps {
            let why = gap.reason.as_deref().unwrap_or("the format can say it");
            let detail = format!("{} of {} gaps are warned about; {why}", warned, report.gaps.len());
            found.push(symptom("refused-silently", Some(&gap.function), &detail));
        }
    }
    let said = warnings.lines().find(|line| line.to_ascii_lowercase().contains("sframe"));
    let said = said.and_then(|line| line.split_once("; ").or_else(|| line.split_once("arning: ")));
    for gap in report.gaps.iter().filter(|gap| gap.reason.is_none()) {
        let Some((_, message)) = said else { break };
        let what = format!("refused-needlessly: {}", without_numbers(message));
        found.push(symptom(&what, Some(&gap.function), warnings.trim()));
    }
    found.extend(missing_rows(bytes));
    found
}

/// Functions that `.sframe` describes without a row where `.eh_frame` has one. A signal frame without rows is meant so.
fn missing_rows(bytes: &[u8]) -> Vec<Symptom> {
    let Ok(image) = elf::load("t.o", bytes) else { return Vec::new() };
    let tables = Tables::of(&image);
    let (Some(sframe), Some(cfi)) = (&tables.sframe, &tables.cfi) else { return Vec::new() };
    let mut found = Vec::new();
    for function in sframe.functions().iter().filter(|function| function.start < function.end) {
        let at = CodePoint::Exact(function.start);
        let Slot::Row(row) = slot(Some(cfi), at) else { continue };
        let rules = cfi.rules(row, function.start);
        let missing = slot(Some(sframe), at) == Slot::NoRow && !tables.is_rowless_signal_frame(function.start);
        if missing && rules.cfa != CfaRule::Unspecified {
            let detail = format!("no row where .eh_frame says {}", rules.describe(image.abi));
            found.push(symptom("row-missing", Some(&image.place(function.start.0)), &detail));
        }
    }
    found
}

fn executed(tool: &Tool, folder: &Path) -> Result<Vec<Symptom>, String> {
    let told = match tool.link(folder, "t.o", "t") {
        Ok(Some(told)) => told,
        // No linker beside the assembler: its objects are judged statically.
        Ok(None) => return Ok(Vec::new()),
        Err(ProcessError::Timeout { .. }) => return Ok(vec![symptom("linker-hang", None, "killed")]),
        Err(error) => return Err(error.to_string()),
    };
    if let Some(found) = ended_badly(&told) {
        return Ok(vec![Symptom { what: format!("linker-{}", found.what), ..found }]);
    }
    let bytes = fs::read(folder.join("t")).map_err(|error| format!("t: {error}"))?;
    let options = Options { step_limit: STEPS, ..Options::default() };
    let checked = check::check("t", &bytes, &options);
    // What the linker does to the section as a whole is not asked here.
    let about_code =
        |rule: &str| ["row/", "cfi/", "eh-frame/", "coverage/"].iter().any(|topic| rule.starts_with(topic));
    let mut found = of_report(&checked.report, about_code);
    for undecided in &checked.report.undecided {
        found.push(symptom(&format!("undecided-{}", undecided.reason.name()), None, &undecided.message));
    }
    if let Some((_, code)) = checked.exit.filter(|(_, code)| *code != 0) {
        found.push(symptom("wrong-exit", None, &format!("exit status {code}")));
    }
    Ok(found)
}

fn of_report(report: &Report, wanted: impl Fn(&str) -> bool) -> Vec<Symptom> {
    let errors =
        report.discrepancies.iter().filter(|found| found.severity == Severity::Error && wanted(found.rule().name()));
    let mut found: Vec<Symptom> = errors
        .map(|found| {
            let detail = format!("{} [{}]", found.message, found.shape());
            symptom(found.rule().name(), Some(found.function()), &detail)
        })
        .collect();
    if let Some(error) = &report.error {
        found.push(symptom(&format!("unjudged-{}", error.kind.name()), None, &error.message));
    }
    for note in report.notes.iter().filter(|note| note.contains("cannot be read")) {
        found.push(symptom("cfi-unreadable", None, note));
    }
    found
}
