//! Tests one compiler with one program: how it ends, whether the program's result is right, and
//! which rows are wrong.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use check::{Limits, Options};
use judge::cause;
use ledger::known::WRONG_RESULT;
use results::{Blame, ProgramCause, Report};
use spec::Severity;
use toolchain::complaint::without_numbers;
use toolchain::end::ToolEnd;
use toolchain::entry::Step;
use toolchain::files::Files;
use toolchain::process::ProcessError;
use types::Bytes;

use super::subject::CompilerSubject;

#[derive(Clone, Debug, Default)]
pub struct ProgramResult {
    /// How it ended.
    pub end: ProgramEnd,
    /// Causes that it shows, each with the headline of a finding.
    pub causes: BTreeMap<ProgramCause, String>,
    /// The compiler's output.
    pub assembly: Option<Bytes>,
    /// The linked program.
    pub program: Option<Bytes>,
    /// Complete report.
    pub report: Option<Report>,
    /// Time of compiler, assembler and linker.
    pub tools: Duration,
    /// Time of the judge.
    pub judge: Duration,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProgramEnd {
    #[default]
    Right,
    /// The result was wrong: a bug of the compiler, or of this project's emulator.
    Wrong,
    /// The run did not reach its exit.
    Unfinished,
    /// The compiler refused the program.
    NotCompiled,
    /// The assembler or linker refused the compiler's output.
    NotBuilt,
}

/// Why there is no result for a program: the harness itself cannot work.
#[derive(Debug, thiserror::Error)]
pub enum ObserveError {
    #[error("{0}: wrote no output file")]
    Nothing(String),
    #[error(transparent)]
    Process(#[from] ProcessError),
}

/// Maximum number of steps of a run, and maximum time of run and exploration together: about ten
/// times what a program needs.
const LIMITS: Limits = Limits { steps: 3_000_000, time: Some(Duration::from_secs(20)), run: None, exploration: None };

/// Compiles a program, and judges the output by execution and exploration.
///
/// # Errors
/// The harness itself cannot work: no temporary folder, a tool cannot be started.
pub fn observe(subject: &CompilerSubject, text: &str, options: &str) -> Result<ProgramResult, ObserveError> {
    observe_edited(subject, text, options, |assembly| assembly.to_owned())
}

/// Like [`observe`], with the compiler's output changed by `edit`.
pub fn observe_edited(
    subject: &CompilerSubject,
    text: &str,
    options: &str,
    edit: impl FnOnce(&str) -> String,
) -> Result<ProgramResult, ObserveError> {
    let mut edit = Some(edit);
    let mut files = Files::default();
    files.put("t.c", text.as_bytes().to_vec().into());
    let (began, mut seen) = (Instant::now(), ProgramResult::default());
    let mut is_edited = false;
    for step in [Step::Compile, Step::Assemble, Step::Link] {
        let words = if step == Step::Compile { options } else { "" };
        let ran = subject.run(step, &mut files, words);
        if let Some((end, cause)) = ended_badly(subject, step, &ran) {
            seen.causes.extend(cause);
            // What the assembler does not support is judged as the compiler itself assembles it.
            let is_refused = step == Step::Assemble && matches!(ToolEnd::new(&ran), Some(ToolEnd::Refusal { .. }));
            if is_refused && !is_edited && subject.assembles_itself() {
                let ran = subject.run(Step::CompileObject, &mut files, options);
                if ended_badly(subject, Step::CompileObject, &ran).is_none() {
                    ran?;
                    continue;
                }
            }
            seen.end = end;
            seen.assembly = files.get("t.s").cloned();
            seen.tools = began.elapsed();
            return Ok(seen);
        }
        ran?;
        if let (Step::Compile, Some(edit), Some(assembly)) = (step, edit.take(), files.get("t.s")) {
            let edited = edit(&String::from_utf8_lossy(assembly));
            is_edited = edited.as_bytes() != &assembly[..];
            files.put("t.s", edited.into_bytes().into());
        }
    }
    seen.tools = began.elapsed();
    seen.assembly = files.get("t.s").cloned();
    let bytes = files.get("t").ok_or_else(|| ObserveError::Nothing(subject.tool(Step::Link)))?;
    judged(subject, bytes, seen)
}

fn judged(subject: &CompilerSubject, bytes: &Bytes, mut seen: ProgramResult) -> Result<ProgramResult, ObserveError> {
    let began = Instant::now();
    let options = Options { limits: LIMITS, ..Options::exploring() };
    let report = check::check("t", bytes, &options).report;
    seen.end = match report.exit_status {
        Some(0) => ProgramEnd::Right,
        Some(status) => {
            let wrong = cause::from_tool(subject.abi, Blame::Compiler, WRONG_RESULT, "");
            seen.causes.insert(wrong, format!("exit status {status}, expected 0"));
            ProgramEnd::Wrong
        }
        None => ProgramEnd::Unfinished,
    };
    // A program with a wrong result may have frames that no compiler made.
    if let (Ok(image), ProgramEnd::Right) = (elf::load("t", bytes), seen.end) {
        for found in report.discrepancies.iter().filter(|found| found.severity == Severity::Error) {
            for cause in cause::from_finding(found, &report.discrepancies, &image) {
                seen.causes.entry(cause).or_insert_with(|| found.headline());
            }
        }
    }
    seen.judge = began.elapsed();
    seen.report = Some(report);
    seen.program = Some(bytes.clone());
    Ok(seen)
}

/// How a build ended at a step that failed, with the cause if it is a bug.
fn ended_badly(
    subject: &CompilerSubject,
    step: Step,
    ran: &Result<toolchain::process::Finished, ProcessError>,
) -> Option<(ProgramEnd, Option<(ProgramCause, String)>)> {
    let is_compiler = step == Step::Compile;
    let end = if is_compiler { ProgramEnd::NotCompiled } else { ProgramEnd::NotBuilt };
    let blame = match step {
        Step::Assemble => Blame::Assembler,
        Step::Link | Step::Shared | Step::Relocatable => Blame::Linker,
        Step::Compile | Step::CompileObject | Step::Strip | Step::Copy => Blame::Compiler,
    };
    let of = |blame, rule: &str, message: String| {
        let cause = cause::from_tool(subject.abi, blame, rule, &message);
        Some((cause, format!("{}: {message}", subject.tool(step))))
    };
    let cause = match ToolEnd::new(ran)? {
        ToolEnd::Success => return None,
        ToolEnd::Timeout => of(blame, "hang", String::new()),
        ToolEnd::Crash(crash) => of(blame, "crash", crash.to_string()),
        // Options and attributes that are incompatible, or a call of a library function.
        ToolEnd::Refusal { .. } if step != Step::Assemble => None,
        // The compiler's output has something that the assembler does not support.
        ToolEnd::Refusal { message } => of(Blame::Compiler, "refused", refusal(&message)),
    };
    Some((end, cause))
}

/// The first line of a refusal, without numbers and quoted text.
fn refusal(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    without_numbers(line.split(['`', '\'']).next().unwrap_or_default().trim_end_matches([' ', '-']))
}
