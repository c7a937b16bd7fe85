//! A trial: makes or reads its object, checks it, and compares the result with the ledger.

mod outputs;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use check::{Include, Options};
use ledger::known::{resembling, standing};
use ledger::{Ledger, earlier};
use results::{Deny, Finding, GapLine, Key, Outcome, Problem, SCHEMA, Stage, Status, ToolName, TrialLine, Undecided};
use sha2::{Digest as _, Sha256};
use spec::Severity;
use toolchain::interrupt;
use types::{Bytes, UndecidedReason};

use super::built;
use super::case::Case;
use super::frozen::FrozenObject;
use super::judged::{TrialError, TrialOutcome, expect};
use super::linked;
use super::pipeline::Pipeline;
use crate::link::{LinkCase, LinkTools};
pub use outputs::Outputs;

/// A trial, before it is run.
#[derive(Clone, Debug)]
pub struct Trial {
    pub key: Key,
    /// Object to be judged.
    pub subject: Subject,
}

/// Object that a trial judges.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A frozen object.
    Frozen {
        /// Folder `cases/objects`.
        folder: PathBuf,
        /// Entry of the object.
        object: FrozenObject,
    },
    /// A case, built during the trial.
    Built {
        case: Arc<Case>,
        /// The tools.
        pipeline: Pipeline,
    },
    /// A recipe of a link.
    Linked { case: Arc<LinkCase>, tools: LinkTools },
    /// A case that cannot be built here.
    Absent {
        /// Ids of the rules and clauses that it covers.
        covers: Vec<String>,
        /// Why it cannot be built here.
        why: String,
    },
}

impl Trial {
    /// Why the trial cannot run here, if it cannot.
    pub fn absent(&self) -> Option<&str> {
        match &self.subject {
            Subject::Absent { why, .. } => Some(why),
            Subject::Frozen { .. } | Subject::Built { .. } | Subject::Linked { .. } => None,
        }
    }

    pub fn run(&self, ledger: &Ledger) -> TrialLine {
        self.run_kept(ledger).0
    }

    /// Runs the trial, and returns also sources and outputs by name; none if nothing was built.
    pub fn run_kept(&self, ledger: &Ledger) -> (TrialLine, BTreeMap<String, Bytes>) {
        let mut kept = BTreeMap::new();
        let incomparable = || ledger.earlier.as_ref().and_then(|run| run.not_comparable(&self.key));
        if let Some(why) = self.absent().map(str::to_owned).or_else(incomparable) {
            let line = TrialLine { status: Status::Unsupported, problems: vec![why], ..self.line() };
            return (line, kept);
        }
        let judged = again(|| {
            kept.clear();
            match &self.subject {
                Subject::Frozen { folder, object } => check_frozen(folder, object),
                Subject::Built { case, pipeline } => built::check(case, pipeline, &self.key, &mut kept),
                Subject::Linked { case, tools } => linked::check(case, tools, &mut kept),
                Subject::Absent { .. } => Ok(TrialOutcome::default()),
            }
        });
        let line = match judged {
            Ok(judged) => self.conclude(judged, ledger),
            Err(problem) => TrialLine {
                status: Status::Fail,
                host_failure: problem.may_be_of_host(),
                problems: vec![problem.to_string()],
                ..self.line()
            },
        };
        (line, kept)
    }

    fn conclude(&self, mut judged: TrialOutcome, ledger: &Ledger) -> TrialLine {
        let mut standing = standing(&ledger.entries, (&self.key, &self.tools()), &judged.findings, &ledger.today);
        let before = ledger.earlier.as_ref().and_then(|run| run.trial(&self.key));
        if let Some(before) = before {
            standing = before.standing(&standing, &judged.findings);
            judged.problems.retain(|problem| !before.had(&problem.text));
            let lost = before.lost(&judged.report, &judged.not_made, |function| judged.lost_by(function));
            judged.problems.extend(lost);
        }
        let TrialOutcome { findings, mut report, sizes, problems, not_made, commands, tables, no_exit, .. } = judged;
        let blamed = problems.iter().find_map(|problem| problem.blame);
        let mut problems: Vec<String> = problems.into_iter().map(|problem| problem.text).collect();
        // Each case has its own minimum of what has to be judged.
        let is_of_amount =
            |item: &Undecided| matches!(item.reason, UndecidedReason::NothingJudged | UndecidedReason::Unreached);
        report.undecided.retain(|item| !is_of_amount(item));
        let sound = problems.is_empty();
        let mut expired: Vec<usize> = standing.expired.iter().map(|(_, index)| *index).collect();
        expired.dedup();
        problems.extend(expired.into_iter().map(|index| {
            format!(
                "{}: the entry has expired; look at the discrepancy again and renew or report it",
                ledger.file(index)
            )
        }));
        if let Some(error) = &report.error {
            problems.push(error.message.clone());
        }
        let as_recorded = problems.is_empty() && standing.new.is_empty();
        problems.extend(standing.vanished.iter().map(|(index, what)| {
            let file = ledger.file(*index);
            format!(
                "{file}: {what} did not recur; if the bug is fixed, remove the finding, or give it an end or an exception"
            )
        }));
        problems.extend(report.undecided.iter().map(|item| item.message.clone()));
        let undecided = !report.undecided.is_empty();
        let status = match report.outcome(Deny::default()) {
            Outcome::Undecided if sound && findings.is_empty() => Status::Unresolved,
            _ if !as_recorded || undecided => Status::Fail,
            _ if !standing.vanished.is_empty() => Status::Xpass,
            // What is not new is known, by the ledger or by the earlier results.
            _ if !findings.is_empty() => Status::Xfail,
            _ => Status::Pass,
        };
        let mut findings = findings;
        if before.is_some() {
            findings.iter_mut().for_each(|found| found.standing.known = Some(earlier::KNOWN.to_owned()));
            for new in &standing.new {
                if let Some(found) = findings.get_mut(new.finding) {
                    found.standing.known = None;
                }
            }
        }
        for new in &standing.new {
            if let Some(found) = findings.get_mut(new.finding) {
                found.standing.unlisted = new.unlisted;
                found.standing.resembles = resembling(&ledger.entries, &self.key, found)
                    .map(|(entry, same_case)| ledger.resembles(entry, same_case));
            }
        }
        for (index, entry) in &standing.known {
            if let Some(found) = findings.get_mut(*index) {
                found.standing.known = Some(ledger.name(*entry));
            }
        }
        let mut warnings: BTreeMap<String, u64> = BTreeMap::new();
        for found in report.discrepancies.iter().filter(|found| found.severity < Severity::Error) {
            *warnings.entry(found.rule().to_string()).or_default() += 1;
        }
        let gaps = report.gaps.iter().map(|gap| GapLine { function: gap.function.clone(), reason: gap.reason.clone() });
        TrialLine {
            status,
            summary: Some(report.summary),
            sizes,
            findings,
            warnings,
            gaps: gaps.collect(),
            problems,
            blamed,
            not_made,
            commands,
            tables,
            stopped_early: no_exit || report.undecided.iter().any(Undecided::is_of_a_run),
            ..self.line()
        }
    }

    /// The tools that take part.
    pub fn tools(&self) -> Vec<ToolName> {
        let names = match &self.subject {
            Subject::Frozen { .. } | Subject::Absent { .. } => BTreeMap::new(),
            Subject::Built { pipeline, .. } => pipeline.names(),
            Subject::Linked { tools, .. } => tools.names(),
        };
        names.values().filter_map(|name| name.parse().ok()).collect()
    }

    /// The result line of a trial that has not run.
    fn line(&self) -> TrialLine {
        let (covers, tools) = match &self.subject {
            Subject::Frozen { .. } => (Vec::new(), BTreeMap::new()),
            Subject::Built { case, pipeline } => (case.facts.covers.clone(), pipeline.names()),
            Subject::Linked { case, tools } => (case.recipe.covers.clone(), tools.names()),
            Subject::Absent { covers, .. } => (covers.clone(), BTreeMap::new()),
        };
        TrialLine {
            schema: SCHEMA,
            key: self.key.to_string(),
            status: Status::Unsupported,
            producer: format!("{}@{}", self.key.producer, self.key.version),
            abi: self.key.abi.name().to_owned(),
            sframe: self.key.sframe.clone(),
            topic: self.key.topic.clone(),
            case: self.key.case.clone(),
            tools,
            commands: Vec::new(),
            summary: None,
            sizes: None,
            findings: Vec::new(),
            warnings: BTreeMap::new(),
            gaps: Vec::new(),
            problems: Vec::new(),
            covers,
            tables: Vec::new(),
            blamed: None,
            not_made: Vec::new(),
            stopped_early: false,
            host_failure: false,
        }
    }
}

/// Does it once more if it may succeed then.
fn again<T>(mut judge: impl FnMut() -> Result<T, TrialError>) -> Result<T, TrialError> {
    match judge() {
        Err(error) if error.may_pass() && !interrupt::is_requested() => judge(),
        done => done,
    }
}

fn check_frozen(folder: &Path, object: &FrozenObject) -> Result<TrialOutcome, TrialError> {
    let path = folder.join(&object.file);
    let bytes = fs::read(&path).map_err(|error| TrialError::Read { path: path.clone(), error })?;
    let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    if sum != object.sha256 {
        return Err(TrialError::Checksum { path, sum, recorded: object.sha256.clone() });
    }
    let checked = check::check(
        &object.file,
        &bytes.into(),
        &Options { include: [Include::Features].into(), ..Options::default() },
    );
    let report = &checked.report;
    let mut problems = Vec::new();
    expect(
        &mut problems,
        "SFrame version",
        report.sframe_version.map(|version| version.name()),
        Some(object.sframe.as_str()),
    );
    expect(&mut problems, "function descriptors", checked.header.map(|counts| counts.fdes), Some(object.fdes));
    expect(&mut problems, "rows", checked.header.map(|counts| counts.fres), Some(object.fres));
    expect(&mut problems, "bytes of .sframe", checked.header.map(|counts| counts.bytes), Some(object.sframe_bytes));
    expect(&mut problems, "instructions", checked.exit.map(|(steps, _)| steps), object.instructions);
    expect(&mut problems, "exit status", checked.exit.map(|(_, code)| code), object.exit_code);
    if let Some(least) = &object.least {
        problems.extend(least.vacuity(&checked).into_iter().map(Problem::from));
    }
    let no_exit = object.exit_code.is_some() && checked.exit.is_none();
    // For a single object the stage of its build is unknown.
    let stage = if object.kind == "o" { Stage::Object } else { Stage::Linked };
    let mut findings: Vec<Finding> = report.discrepancies.iter().filter(|found| found.is_error()).cloned().collect();
    findings.iter_mut().for_each(|found| found.stage = stage);
    let commands = object.command.clone();
    let tables = checked.table.into_iter().collect();
    Ok(TrialOutcome {
        findings,
        sizes: checked.sizes,
        gaps: TrialOutcome::gaps([(stage, report)]),
        report: checked.report,
        problems,
        commands,
        tables,
        no_exit,
        ..TrialOutcome::default()
    })
}

#[cfg(test)]
mod tests {
    use toolchain::process::ProcessError;

    use super::{TrialError, again};

    /// A command that got no processor is tried again, once; one that hangs or fails is not.
    #[test]
    fn what_may_pass_is_tried_twice() {
        let starved = || TrialError::Build(ProcessError::Starved { program: "as".to_owned(), seconds: 1 });
        let late = || TrialError::Build(ProcessError::Timeout { program: "as".to_owned(), seconds: 1 });
        let failed = || TrialError::Build(ProcessError::Failed { program: "as".to_owned(), message: String::new() });
        let times = |error: &dyn Fn() -> TrialError, right_at: usize| {
            let mut times = 0;
            let done = again(|| {
                times += 1;
                if times == right_at { Ok(()) } else { Err(error()) }
            });
            (times, done.is_ok())
        };
        assert_eq!(times(&starved, 2), (2, true));
        assert_eq!(times(&starved, 3), (2, false));
        assert_eq!(times(&late, 2), (1, false));
        assert_eq!(times(&failed, 2), (1, false));
    }
}
