//! Trials of files and of producers, for libtest-mimic.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::JoinHandle;

use check::{Execution, Limits, Options, Sframe};
use ledger::{Baseline, Counting, Home, Known, Ledger, today};
use libtest_mimic::{Arguments, Failed, Trial};
use matrix::link::RecipeError;
use matrix::{Extent, Matrix};
use reports::screen::Screen;
use reports::terminal::{self, Terminal};
use reports::text::{self, Detail};
use results::{Deny, Finding, Outcome, Report, Status};
use spec::Severity;
use toolchain::cache::Cache;

use crate::expected::{Expected, ExpectedError};
use crate::home;
use crate::judged::{defaults, judged};

/// Stack size of a worker in bytes.
const STACK: usize = 16 << 20;

/// What trials are made of.
#[derive(Clone, Copy, Debug)]
pub struct Trials;

/// Trials that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum TrialsError {
    #[error(transparent)]
    Expected(#[from] ExpectedError),
    /// The project's cases and ledger are not found.
    #[error("{0:#}")]
    Home(anyhow::Error),
    #[error(transparent)]
    Producers(#[from] toolchain::producers::ProducersError),
    #[error("cannot read the trials: {0}")]
    Cases(#[from] RecipeError),
    #[error("cannot read the ledger: {0}")]
    Ledger(#[from] ledger::LedgerError),
}

/// Runs trials as the test program that Cargo started; the `main` of a test with `harness = false`.
/// Execution is done in further processes of this program, which this call recognises.
pub fn run(trials: impl FnOnce() -> Result<Vec<Trial>, TrialsError>) -> ExitCode {
    if check::client::is_worker() {
        // Whatever the shell has set (`ulimit -s`).
        let served = std::thread::Builder::new().stack_size(STACK).spawn(check::serve).map(JoinHandle::join);
        return match served {
            Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
            // The process that asked sees that this one ended.
            _ => ExitCode::FAILURE,
        };
    }
    check::client::are_this_program();
    let mut arguments = Arguments::from_args();
    // Each waits for a worker half of the time.
    arguments.test_threads.get_or_insert_with(|| 2 * std::thread::available_parallelism().map_or(1, usize::from));
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            // Nothing can be done if even the message cannot be printed.
            let _ = writeln!(terminal::stderr(), "{error}");
            ExitCode::from(3)
        }
    }
}

impl Trials {
    /// A trial for each file, named by its path as given; paths are relative to the folder of the
    /// package. An executable is executed, other code explored.
    pub fn of_files<P: Into<PathBuf>>(files: impl IntoIterator<Item = P>) -> FileTrials {
        FileTrials {
            files: files.into_iter().map(Into::into).collect(),
            options: defaults(),
            deny: Deny { undecided: true, ..Deny::default() },
            expected: None,
        }
    }

    /// The trials of the matrix: a case and a tool each, named by key
    /// (`gas@2.40::amd64::v1::frames::no-fp`). One whose tool is absent is ignored, with the
    /// reason, and fails under `SFRAME_CONFORMANCE_STRICT=1`.
    pub fn of_producers() -> ProducerTrials {
        ProducerTrials { producers: None, expected: None }
    }
}

#[derive(Clone, Debug)]
#[must_use]
pub struct FileTrials {
    files: Vec<PathBuf>,
    options: Options,
    deny: Deny,
    expected: Option<PathBuf>,
}

impl FileTrials {
    /// Static checks only: nothing is executed.
    pub fn static_only(mut self) -> Self {
        self.options.execution = Execution::Static;
        self
    }

    pub fn time(mut self, limit: std::time::Duration) -> Self {
        self.options.limits = Limits { time: Some(limit), run: None, exploration: None, ..self.options.limits };
        self
    }

    /// A file without `.sframe` fails.
    pub fn require_sframe(mut self) -> Self {
        self.options.sframe = Sframe::Required;
        self
    }

    /// What cannot be decided passes; else it fails.
    pub fn allow_undecided(mut self) -> Self {
        self.deny.undecided = false;
        self
    }

    /// A file of failures that are expected: a YAML list of `trial` (the name; `*` is any text),
    /// `rules` and `functions` (absent: all), `reason`, `expires` (`YYYY-MM-DD`). A trial passes if
    /// all its findings are expected; one that is expected and does not occur fails.
    pub fn expected(mut self, file: impl Into<PathBuf>) -> Self {
        self.expected = Some(file.into());
        self
    }

    pub fn trials(self) -> Result<Vec<Trial>, TrialsError> {
        let expected = Arc::new(read(self.expected)?);
        let (options, deny) = (Arc::new(self.options), self.deny);
        let trial = |file: PathBuf| {
            let (expected, options) = (Arc::clone(&expected), Arc::clone(&options));
            Trial::test(file.display().to_string(), move || judge_file(&file, &options, deny, &expected))
        };
        Ok(self.files.into_iter().map(trial).collect())
    }
}

#[derive(Clone, Debug)]
#[must_use]
pub struct ProducerTrials {
    producers: Option<PathBuf>,
    expected: Option<PathBuf>,
}

impl ProducerTrials {
    /// A producers' file (`ci/producers.md`) in place of that of `SFRAME_CONFORMANCE_PRODUCERS`, or
    /// the shipped one.
    pub fn producers(mut self, file: impl Into<PathBuf>) -> Self {
        self.producers = Some(file.into());
        self
    }

    /// As [`FileTrials::expected`]. Bugs of the shipped ledger are expected without it.
    pub fn expected(mut self, file: impl Into<PathBuf>) -> Self {
        self.expected = Some(file.into());
        self
    }

    /// The trials. `--exact NAME` on the command line reads no more than that one needs.
    pub fn trials(self) -> Result<Vec<Trial>, TrialsError> {
        let expected = Arc::new(read(self.expected)?);
        let home = home::find().or_else(|error| home::of_source().ok_or(error)).map_err(TrialsError::Home)?;
        let cache = cache(&home);
        let matrix = Matrix::new(home, self.producers.as_deref(), Some(cache))?;
        let arguments = Arguments::from_args();
        let trials = match (&arguments.filter, arguments.exact) {
            (Some(name), true) => matrix.trial_named(plain(name))?.into_iter().collect(),
            _ => matrix.trials(Extent::Often)?,
        };
        let ledger = Arc::new(Ledger::read(&matrix.home)?);
        let strict = std::env::var_os("SFRAME_CONFORMANCE_STRICT").is_some_and(|value| value == "1");
        let test = |trial: matrix::trial::Trial| {
            let (ledger, expected) = (Arc::clone(&ledger), Arc::clone(&expected));
            let (name, absent) = (trial.key.to_string(), trial.absent().map(str::to_owned));
            let test = Trial::test(name.clone(), move || run_trial(&trial, &name, &ledger, &expected));
            match absent {
                Some(why) => test.with_ignored_flag(!strict).with_kind(why),
                None => test,
            }
        };
        Ok(trials.into_iter().map(test).collect())
    }
}

fn read(file: Option<PathBuf>) -> Result<Expected, ExpectedError> {
    file.map_or_else(|| Ok(Expected::default()), |file| Expected::read(&file))
}

/// The cache of a checkout; elsewhere one in the target folder of the project.
fn cache(home: &Home) -> Cache {
    match Home::checkout() {
        Ok(_) => home.cache(),
        Err(_) => {
            let test = std::env::current_exe().unwrap_or_default();
            // target/debug/deps/test
            let target = test.ancestors().nth(3).unwrap_or(&home.root);
            Cache::at(&target.join("sframe-conformance"))
        }
    }
}

/// The name without the reason that `--list` prints before the name of an ignored trial:
/// `[no as on PATH] gas@absent::…`.
fn plain(name: &str) -> &str {
    name.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map_or(name, |(_, name)| name)
}

fn run_trial(trial: &matrix::trial::Trial, name: &str, ledger: &Ledger, expected: &Expected) -> Result<(), Failed> {
    let line = trial.run(ledger);
    let new: Vec<&Finding> = line.findings.iter().filter(|found| found.standing.known.is_none()).collect();
    let is_passed = match line.status {
        Status::Pass | Status::Xfail => true,
        // The findings are all there is.
        Status::Fail => line.problems.is_empty() && !new.is_empty(),
        Status::Xpass | Status::Unresolved | Status::Unsupported => false,
    };
    let shown = || line.reasons().collect::<Vec<_>>().join("\n");
    conclude(expected, name, is_passed, &new, shown)
}

fn judge_file(file: &std::path::Path, options: &Options, deny: Deny, expected: &Expected) -> Result<(), Failed> {
    // Objects that it mapped are not the project's.
    let mut reports = judged(file, options);
    let Some(report) = reports.first_mut() else { return Err("nothing was judged".into()) };
    // Known bugs are named, and fail the trial unless they are expected.
    let known = Baseline::new(&Known::Shipped(home::ledger, Counting::Counted), None, BTreeSet::new());
    known.and_then(|known| known.apply(report)).map_err(|error| Failed::from(error.to_string()))?;
    let errors: Vec<&Finding> = report.discrepancies.iter().filter(|found| found.severity == Severity::Error).collect();
    let is_undecided = deny.undecided && !report.undecided.is_empty();
    let is_passed = match report.outcome(deny) {
        Outcome::Clean | Outcome::Undecided => true,
        Outcome::Discrepancy => !errors.is_empty() && !is_undecided,
        Outcome::Error => false,
    };
    conclude(expected, &file.display().to_string(), is_passed, &errors, || print(report, report.outcome(deny)))
}

/// Passes if all findings are expected and all that is expected occurs; `is_passed` is false if
/// anything but the findings fails.
fn conclude(
    expected: &Expected,
    trial: &str,
    is_passed: bool,
    findings: &[&Finding],
    shown: impl FnOnce() -> String,
) -> Result<(), Failed> {
    let met = expected.meet(trial, findings, &today());
    let mut problems: Vec<String> = Vec::new();
    if !is_passed || !met.all {
        problems.push(shown());
        problems.extend(met.expired.iter().map(|reason| format!("no longer expected: {reason}")));
    }
    problems.extend(met.idle.iter().map(|reason| format!("expected, but did not occur: {reason}")));
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

/// A report as `check` prints it.
fn print(report: &Report, outcome: Outcome) -> String {
    let mut bytes = Vec::new();
    let mut terminal = Terminal::new(&mut bytes);
    // A vector takes all.
    let _ = text::print(report, outcome, Detail { screen: Screen::default(), ..Detail::default() }, &mut terminal);
    let _ = terminal.flush();
    drop(terminal);
    String::from_utf8_lossy(&bytes).into_owned()
}
