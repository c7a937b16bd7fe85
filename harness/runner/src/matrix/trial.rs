//! One trial: its object is made or read, checked, and held against what is recorded of it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use model::{Key, Severity};
use reports::blame::Blame;
use reports::discrepancy::{Discrepancy, fingerprint};
use reports::known::{Standing, standing};
use reports::report::{Outcome, Report};
use sha2::{Digest as _, Sha256};

use super::assembler::Assembler;
use super::case::{Case, Functions, Least};
use super::frozen::FrozenObject;
use super::ledger::Ledger;
use crate::check::{self, Options};

/// A trial, named and not yet run.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Its name.
    pub key: Key,
    /// What is judged.
    pub subject: Subject,
}

/// What a trial judges.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A frozen object.
    Frozen {
        /// `cases/objects`.
        folder: PathBuf,
        /// Its entry.
        object: FrozenObject,
    },
    /// A case, assembled here.
    Live {
        /// The case.
        case: Case,
        /// The assembler.
        assembler: Assembler,
    },
}

/// How a trial came out, in the words that toolchain people read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Status {
    /// As it should be.
    Pass,
    /// Every error found is a known one, and every known one was found.
    Xfail,
    /// The producer is not on this machine.
    Unsupported,
    /// The run could not be decided.
    Unresolved,
    /// Something new, vanished, expired, vacuous or broken.
    Fail,
}

/// A trial's result.
#[derive(Clone, Debug)]
pub struct TrialResult {
    /// How it came out.
    pub status: Status,
    /// Why, where it is not a plain pass; one item a line.
    pub problems: Vec<String>,
    /// The check's report; none where there was nothing to check.
    pub report: Option<Report>,
    /// How its findings stand against the ledger.
    pub standing: Standing,
}

impl Trial {
    /// Why the trial cannot run here, if it cannot.
    pub fn absent(&self) -> Option<&str> {
        match &self.subject {
            Subject::Frozen { .. } => None,
            Subject::Live { assembler, .. } => assembler.absent(),
        }
    }

    /// Runs it.
    pub fn run(&self, ledger: &Ledger) -> TrialResult {
        if let Some(why) = self.absent() {
            return TrialResult {
                status: Status::Unsupported,
                problems: vec![why.to_owned()],
                report: None,
                standing: Standing::default(),
            };
        }
        let mut problems = Vec::new();
        let report = match &self.subject {
            Subject::Frozen { folder, object } => check_frozen(folder, object, &mut problems),
            Subject::Live { case, assembler } => check_live(case, assembler, &self.key, &mut problems),
        };
        match report {
            Ok(report) => self.conclude(report, problems, ledger),
            Err(problem) => {
                problems.push(problem);
                TrialResult { status: Status::Fail, problems, report: None, standing: Standing::default() }
            }
        }
    }

    fn conclude(&self, report: Report, mut problems: Vec<String>, ledger: &Ledger) -> TrialResult {
        let errors = report.discrepancies.iter().filter(|found| found.severity == Severity::Error);
        let found: Vec<String> = errors.map(|found| found.fingerprint.clone()).collect();
        let name = self.key.to_string();
        let standing = standing(&ledger.entries, &name, &found, &ledger.today);
        problems.extend(standing.vanished.iter().map(|index| {
            format!(
                "{}: the known discrepancy did not recur; if it is mended, remove the entry or narrow its key",
                ledger.file(*index)
            )
        }));
        problems.extend(standing.expired.iter().map(|index| {
            format!(
                "{}: the entry has expired; look at the discrepancy again and renew or report it",
                ledger.file(*index)
            )
        }));
        for finding in report.discrepancies.iter().filter(|found| standing.new.contains(&found.fingerprint)) {
            problems.push(format!(
                "new: {}: {}\n{}",
                finding.rule.id,
                finding.message,
                entry_to_add(&name, finding, ledger)
            ));
        }
        if let Some(error) = &report.error {
            problems.push(error.message.clone());
        }
        let outcome = report.outcome(Severity::Error);
        problems.extend(report.undecided.iter().map(|item| item.message.clone()));
        let status = match (problems.is_empty(), outcome) {
            (false, Outcome::Undecided) => Status::Unresolved,
            (false, _) => Status::Fail,
            (true, _) if !standing.known.is_empty() => Status::Xfail,
            (true, _) => Status::Pass,
        };
        TrialResult { status, problems, report: Some(report), standing }
    }
}

fn check_frozen(folder: &Path, object: &FrozenObject, problems: &mut Vec<String>) -> Result<Report, String> {
    let path = folder.join(&object.file);
    let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    if sum != object.sha256 {
        return Err(format!("{}: sha256 is {sum}, recorded is {}", path.display(), object.sha256));
    }
    let checked = check::check(&object.file, &bytes, &Options::default());
    let report = &checked.report;
    expect(
        problems,
        "SFrame version",
        report.sframe_version.map(|version| version.name()),
        Some(object.sframe.as_str()),
    );
    expect(problems, "function descriptors", checked.header.map(|counts| counts.fdes), Some(object.fdes));
    expect(problems, "rows", checked.header.map(|counts| counts.fres), Some(object.fres));
    expect(problems, "bytes of .sframe", checked.header.map(|counts| counts.bytes), Some(object.sframe_bytes));
    expect(problems, "instructions", checked.exit.map(|(steps, _)| steps), object.instructions);
    expect(problems, "exit status", checked.exit.map(|(_, code)| code), object.exit_code);
    if let Some(least) = &object.least {
        vacuity(problems, least, report, &checked.entered);
    }
    Ok(checked.report)
}

fn check_live(case: &Case, assembler: &Assembler, key: &Key, problems: &mut Vec<String>) -> Result<Report, String> {
    let source = case.source(key.abi).ok_or("the case has no source for this ABI")?;
    let source = fs::canonicalize(&source).map_err(|error| format!("{}: {error}", source.display()))?;
    let folder = tempfile::tempdir().map_err(|error| format!("cannot make a temporary folder: {error}"))?;
    let built = assembler.build(&source, folder.path()).map_err(|error| error.to_string())?;
    let read = |name: &str| fs::read(folder.path().join(name)).map_err(|error| format!("{name}: {error}"));
    let object = check::check("case.o", &read("case.o")?, &Options::default()).report;
    let mut checked = check::check("case", &read("case")?, &Options::default());
    let version = checked.report.sframe_version.map(|version| version.name());
    let expected = Some(key.sframe.as_str()).filter(|version| *version != "none");
    if checked.report.summary.functions > 0 {
        expect(problems, "SFrame version", version, expected);
    }
    expect(problems, "exit status", checked.exit.map(|(_, code)| code), Some(case.facts.expect_exit));
    vacuity(problems, case.least(key.abi), &checked.report, &checked.entered);
    if checked.report.summary.functions > 0 || expected.is_none() {
        refine_blame(&mut checked.report, &object);
    } else {
        problems.push(format!("the assembler wrote no function descriptor: {}", built.warnings.trim()));
    }
    Ok(checked.report)
}

/// With source and object at hand the first wrong stage is known. The directives of a case are true to its instructions
/// (`cases/README.md`), so what is wrong alike in both tables is the assembler's; else it is the assembler's where the object
/// differs from its own CFI in the same function, and the linker's where it does not.
fn refine_blame(linked: &mut Report, object: &Report) {
    let wrong: BTreeSet<&str> = object
        .discrepancies
        .iter()
        .filter(|found| found.severity == Severity::Error)
        .map(|found| found.function.as_str())
        .collect();
    for found in &mut linked.discrepancies {
        found.blame = match found.blame {
            Blame::Compiler => Blame::Assembler,
            Blame::AssemblerOrLinker if wrong.contains(found.function.as_str()) => Blame::Assembler,
            Blame::AssemblerOrLinker => Blame::Linker,
            other => other,
        };
        found.fingerprint = fingerprint(found.rule.id, found.blame, &found.function, &found.shape);
    }
}

fn expect<T: PartialEq + std::fmt::Debug>(problems: &mut Vec<String>, what: &str, got: Option<T>, want: Option<T>) {
    if want.is_some() && got != want {
        let text = |value: Option<T>| value.map_or("none".to_owned(), |value| format!("{value:?}"));
        problems.push(format!("{what}: {}, recorded is {}", text(got), text(want)));
    }
}

fn vacuity(problems: &mut Vec<String>, least: &Least, report: &Report, entered: &BTreeSet<String>) {
    let summary = &report.summary;
    let mut short = |what: &str, got: u64, want: u64| {
        if got < want {
            problems.push(format!("vacuous: {got} {what}, at least {want} are needed"));
        }
    };
    short("steps judged", summary.steps_judged, least.steps);
    short("callers at the deepest step", summary.max_depth, least.depth);
    match &least.functions {
        Functions::Count(count) => short("functions entered", entered.len() as u64, *count),
        Functions::Named(names) => {
            let missing: Vec<&String> = names.iter().filter(|name| !entered.contains(*name)).collect();
            if !missing.is_empty() {
                problems.push(format!("vacuous: never entered {missing:?}"));
            }
        }
    }
}

/// The ledger entry that would record a finding; the reason is left to whoever has looked at it.
fn entry_to_add(key: &str, found: &Discrepancy, ledger: &Ledger) -> String {
    let version = key.split("::").next().unwrap_or(key);
    let fields = [
        ("keys", format!("[\"{key}\"]")),
        ("fingerprint", format!("\"{}\"", found.fingerprint)),
        ("rule", found.rule.id.to_owned()),
        ("blame", found.blame.to_string()),
        ("versions", format!("[\"{version}\"]")),
        ("reason", "(why it is genuine, with the bytes)".to_owned()),
        ("link", "unfiled".to_owned()),
        ("added", format!("\"{}\"", ledger.today)),
        ("expires", "(a day)".to_owned()),
    ];
    let lines = fields.map(|(name, value)| format!("    {name}: {value}"));
    format!("  to record it, add a file under reports/known/:\n{}", lines.join("\n"))
}
