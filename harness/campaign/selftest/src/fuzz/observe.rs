//! Tests one assembler with one file: how it ends, and whether `.sframe` agrees with `.eh_frame`.

use check::{Limits, Options};
use judge::slot::{Slot, slot};
use judge::tables::Tables;
use results::Report;
use spec::{RuleGroup, RuleId, Severity};
use toolchain::complaint::{SframeLines, without_numbers};
use toolchain::end::{Crash, ToolEnd};
use toolchain::files::Files;
use toolchain::process::{Finished, ProcessError};
use types::{Bytes, CfaRule, CodePoint};
use unwind::Unwinder as _;

use super::symptom::{Symptom, What};
use super::tool::Tool;

/// Why there is no result for a file: the harness itself cannot work.
#[derive(Debug, thiserror::Error)]
pub enum ObserveError {
    #[error("{0}: wrote no output file")]
    Nothing(&'static str),
    #[error(transparent)]
    Process(#[from] ProcessError),
}

/// Rules about real programs. Random directives break them, which is not a bug of the assembler.
const ABOUT_PROGRAMS: [RuleId; 3] = [RuleId::RowCfaPlausible, RuleId::RowFpOnRaSlot, RuleId::RowSameSlot];

/// Maximum number of steps of a correct program; each calls at most a few dozen functions.
const STEPS: u64 = 100_000;

/// Assembles a text and judges the output; with `execute`, also links and executes it.
///
/// # Errors
/// The harness itself cannot work: no temporary folder, the assembler cannot be started.
pub fn observe(tool: &Tool, text: &str, execute: bool) -> Result<Vec<Symptom>, ObserveError> {
    let mut files = Files::default();
    files.put("t.s", text.as_bytes().to_vec().into());
    let assembled = tool.assemble(&mut files, "t.s", "t.o");
    if let Some(found) = ended_badly(&assembled) {
        return Ok(vec![found]);
    }
    let warnings = assembled?.stderr;
    let mut found = statically(made(&files, "t.o")?, &warnings, text);
    if !execute {
        found.retain(|symptom| !ABOUT_PROGRAMS.iter().any(|id| symptom.what == What::Rule(*id)));
    } else {
        found.extend(executed(tool, &mut files)?);
    }
    Ok(found)
}

fn made<'a>(files: &'a Files, name: &'static str) -> Result<&'a Bytes, ObserveError> {
    files.get(name).ok_or(ObserveError::Nothing(name))
}

fn symptom(what: What, function: Option<&str>, detail: &str) -> Symptom {
    Symptom { what, function: function.map(str::to_owned), detail: detail.to_owned() }
}

/// A crash, a refusal or a hang of the tool; `None` if it succeeded, or could not be run.
fn ended_badly(ran: &Result<Finished, ProcessError>) -> Option<Symptom> {
    let printed = ran.as_ref().map_or("", |finished| finished.stderr.trim());
    match ToolEnd::new(ran)? {
        ToolEnd::Success => None,
        ToolEnd::Timeout => Some(symptom(What::Hang, None, "killed at the time limit")),
        ToolEnd::Refusal { message } => Some(symptom(What::Rejected(without_numbers(&message)), None, printed)),
        ToolEnd::Crash(crash) => {
            let detail = match &crash {
                Crash::Signal(_) => format!("{crash}: {printed}"),
                _ => printed.to_owned(),
            };
            Some(symptom(What::Crash(crash), None, &detail))
        }
    }
}

fn statically(bytes: &Bytes, warnings: &str, text: &str) -> Vec<Symptom> {
    let options = Options::static_only();
    let report = check::check("t.o", bytes, &options).report;
    let mut found = report_symptoms(&report, |_| true);
    let about_sframe = SframeLines::parse(warnings);
    let warned = about_sframe.count();
    if report.sframe_version.is_none() && report.error.is_none() {
        if text.contains("\t.cfi_startproc") && warned == 0 {
            found.push(symptom(What::RefusedSilently, None, "no .sframe section and no warning"));
        }
        return found;
    }
    if report.gaps.len() > warned {
        for gap in &report.gaps {
            let why = gap.reason.as_deref().unwrap_or("the format can say it");
            let detail = format!("{} of {} gaps are warned about; {why}", warned, report.gaps.len());
            found.push(symptom(What::RefusedSilently, Some(&gap.function), &detail));
        }
    }
    for gap in report.gaps.iter().filter(|gap| gap.reason.is_none()) {
        let Some(message) = about_sframe.message() else { break };
        let what = What::RefusedNeedlessly(without_numbers(message));
        found.push(symptom(what, Some(&gap.function), warnings.trim()));
    }
    found.extend(missing_rows(bytes));
    found
}

/// Functions that `.sframe` describes without a row although `.eh_frame` has one. A signal frame
/// without rows is correct.
fn missing_rows(bytes: &Bytes) -> Vec<Symptom> {
    let Ok(image) = elf::load("t.o", bytes) else { return Vec::new() };
    let tables = Tables::new(&image);
    let (Some(sframe), Some(cfi)) = (&tables.sframe, &tables.cfi) else { return Vec::new() };
    let mut found = Vec::new();
    for function in sframe.functions().filter(|function| function.start < function.end) {
        let at = CodePoint::Exact(function.start);
        let Slot::Row(row) = slot(Some(cfi), at) else { continue };
        let rules = cfi.rules(row, function.start);
        let missing = slot(Some(sframe), at) == Slot::NoRow && !tables.is_rowless_signal_frame(function.start);
        if missing && rules.cfa != CfaRule::Unspecified {
            let detail = format!("no row where .eh_frame has {}", rules.describe(image.abi));
            found.push(symptom(What::RowMissing, Some(&image.place(function.start.0)), &detail));
        }
    }
    found
}

fn executed(tool: &Tool, files: &mut Files) -> Result<Vec<Symptom>, ObserveError> {
    // Without a linker for the assembler its objects are judged statically.
    let Some(linked) = tool.link(files, "t.o", "t") else { return Ok(Vec::new()) };
    if let Some(found) = ended_badly(&linked) {
        let detail = if found.what == What::Hang { "killed".to_owned() } else { found.detail };
        return Ok(vec![Symptom { what: What::Linker(Box::new(found.what)), detail, ..found }]);
    }
    linked?;
    let options = Options { limits: Limits::steps(STEPS), ..Options::default() };
    let checked = check::check("t", made(files, "t")?, &options);
    let mut found = report_symptoms(&checked.report, is_about_code);
    for undecided in &checked.report.undecided {
        found.push(symptom(What::Undecided(undecided.reason), None, &undecided.message));
    }
    if let Some((_, code)) = checked.exit.filter(|(_, code)| *code != 0) {
        found.push(symptom(What::WrongExit, None, &format!("exit status {code}")));
    }
    Ok(found)
}

/// Returns true for rules about rows and code: rules about the section as a whole concern the
/// linker.
const fn is_about_code(group: RuleGroup) -> bool {
    match group {
        RuleGroup::Row | RuleGroup::Cfi | RuleGroup::EhFrame | RuleGroup::Coverage => true,
        RuleGroup::Header
        | RuleGroup::Fde
        | RuleGroup::Flex
        | RuleGroup::Elf
        | RuleGroup::Plt
        | RuleGroup::Chain
        | RuleGroup::Build
        | RuleGroup::Link => false,
    }
}

fn report_symptoms(report: &Report, accepts: impl Fn(RuleGroup) -> bool) -> Vec<Symptom> {
    let errors = report.discrepancies.iter().filter(|found| found.severity == Severity::Error);
    let mut found: Vec<Symptom> = errors
        .filter(|found| accepts(found.rule().group()))
        .map(|found| {
            let detail = format!("{} [{}]", found.shown.message, found.what());
            symptom(What::Rule(found.rule()), Some(found.function()), &detail)
        })
        .collect();
    if let Some(error) = &report.error {
        found.push(symptom(What::Unjudged(error.kind), None, &error.message));
    }
    found
}
