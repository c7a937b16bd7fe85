//! What a mutant is, what has to be reported of it, and whether it was.

use generators::blind::{Effect, Mutant, Span, Target, Unseen};
use results::{Blame, Finding, Outcome, Report};
use spec::{RuleGroup, RuleId, Severity};
use types::Aspect;

use super::BlindFile;

/// What a mutant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// A clear clause of a format is broken.
    Invalid,
    /// The table changed where code was executed and the other table has a row.
    RowsExecutedCovered,
    /// Where code was executed only.
    RowsExecuted,
    /// The table changed where code was not executed and the other table has a row.
    RowsCovered,
    /// Where neither is so.
    RowsBare,
    /// The table lost the rows of some functions.
    CoverageLost,
    /// The headers around the table are changed.
    Container,
    /// Other bytes, the same meaning.
    Redundant,
    /// Bytes that no reader uses.
    NoChange,
}

/// What has to be reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Demand {
    /// An error: exit code 1, with the right blame.
    Error,
    /// An error, or that the file cannot be read or run: exit code 1, 2 or 3.
    Refusal,
    /// An error, or a function listed as left out, or a warning that it is.
    Gap,
    /// Nothing: exit code 0.
    Quiet,
    /// Whatever the judge makes of it.
    Free,
    /// The bytes do not decide it: an error is neither expected nor wrong.
    Unseen(Unseen),
}

/// What came of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlindFate {
    /// As expected.
    Right,
    /// What had to be reported was not.
    Missed,
    /// Reported, and another tool is blamed.
    WrongBlame,
    /// What is nothing was reported.
    FalseAlarm,
    /// No error was expected, and one was reported.
    Reported,
    /// The judge came down.
    Panicked,
}

/// What a mutant is and what has to be reported of it, by its effect alone.
pub(super) fn classify(mutant: &Mutant) -> (Class, Demand) {
    match &mutant.effect {
        Effect::Invalid(_) | Effect::InvalidCfi(_) => (Class::Invalid, refusal(mutant)),
        Effect::Rows(spans) => (rows(spans), seen(mutant, spans)),
        Effect::Lost(spans) => (Class::CoverageLost, lost(mutant, spans)),
        Effect::Headers(flaws) if flaws.is_empty() => (Class::Container, Demand::Free),
        Effect::Headers(_) => (Class::Container, refusal(mutant)),
        Effect::Redundant => (Class::Redundant, quiet(mutant)),
        Effect::Nothing => (Class::NoChange, quiet(mutant)),
    }
}

/// Headers that are wrong can keep a file from being read at all.
fn refusal(mutant: &Mutant) -> Demand {
    if mutant.damage.target == Target::Container { Demand::Refusal } else { Demand::Error }
}

/// Rules of `.eh_frame` that `.sframe` has not are the judge's to weigh: other registers, landing
/// pads.
fn quiet(mutant: &Mutant) -> Demand {
    if mutant.damage.target == Target::EhFrame { Demand::Free } else { Demand::Quiet }
}

fn rows(spans: &[Span]) -> Class {
    let any = |of: fn(&Span) -> bool| spans.iter().any(of);
    match (any(|span| span.executed && span.covered), any(|span| span.executed), any(|span| span.covered)) {
        (true, ..) => Class::RowsExecutedCovered,
        (_, true, _) => Class::RowsExecuted,
        (_, _, true) => Class::RowsCovered,
        (_, false, false) => Class::RowsBare,
    }
}

/// An error, where one span at least has a witness.
fn seen(mutant: &Mutant, spans: &[Span]) -> Demand {
    let witnessed = || spans.iter().filter(|span| span.executed || span.covered);
    match witnessed().map(|span| span.unseen).min() {
        None => Demand::Free,
        Some(None) => refusal(mutant),
        Some(Some(reason)) => Demand::Unseen(reason),
    }
}

fn lost(mutant: &Mutant, spans: &[Span]) -> Demand {
    match mutant.damage.target {
        // Without .sframe nothing else shows what .eh_frame leaves out.
        Target::EhFrame if spans.iter().any(|span| span.covered) => Demand::Gap,
        Target::EhFrame => Demand::Free,
        Target::Sframe | Target::Container if spans.iter().any(|span| span.executed || span.covered) => Demand::Gap,
        Target::Sframe | Target::Container | Target::EhFrameHdr => Demand::Free,
    }
}

/// What came of it.
pub(super) fn fate(file: &BlindFile, mutant: &Mutant, demand: Demand, report: &Report) -> BlindFate {
    let outcome = file.outcome(report);
    let clean = outcome == Outcome::Clean;
    match demand {
        Demand::Refusal if matches!(outcome, Outcome::Error | Outcome::Undecided) => BlindFate::Right,
        // In the outermost function, say, where no CFA is right.
        Demand::Error if outcome != Outcome::Discrepancy && is_still_wrong(file, mutant, report) => BlindFate::Right,
        Demand::Error | Demand::Refusal if outcome != Outcome::Discrepancy => BlindFate::Missed,
        Demand::Error | Demand::Refusal => blamed(file, mutant, report),
        Demand::Gap if outcome == Outcome::Discrepancy => blamed(file, mutant, report),
        Demand::Gap if report.gaps.iter().any(|gap| !file.gaps.contains(&gap.place)) => BlindFate::Right,
        Demand::Gap if file.fresh(report).any(is_about_coverage) => BlindFate::Right,
        Demand::Gap => BlindFate::Missed,
        Demand::Quiet if clean => BlindFate::Right,
        Demand::Quiet => BlindFate::FalseAlarm,
        Demand::Free | Demand::Unseen(_) if clean => BlindFate::Right,
        Demand::Free | Demand::Unseen(_) => BlindFate::Reported,
    }
}

/// Returns true if what the damage changed is reported as wrong before and after it.
fn is_still_wrong(file: &BlindFile, mutant: &Mutant, report: &Report) -> bool {
    match &mutant.effect {
        Effect::Rows(spans) => file.is_still_wrong(report, spans),
        Effect::Invalid(_)
        | Effect::InvalidCfi(_)
        | Effect::Lost(_)
        | Effect::Headers(_)
        | Effect::Redundant
        | Effect::Nothing => false,
    }
}

/// A warning that code is not described.
fn is_about_coverage(found: &Finding) -> bool {
    found.severity >= Severity::Warning
        && (found.evidence.field == Aspect::Coverage || found.rule() == RuleId::PltCovered)
}

/// Returns true if a tool is blamed that may be, and no other.
fn blamed(file: &BlindFile, mutant: &Mutant, report: &Report) -> BlindFate {
    let errors = || file.fresh(report).filter(|found| found.is_error());
    let rights = rights(file, mutant);
    // Two tables that differ, neither refuted by a run, do not show which tool is at fault.
    let open = |found: &Finding| found.rule().group() == RuleGroup::Cfi && found.blame() == Blame::Undetermined;
    let right = |found: &Finding| rights.contains(&found.blame()) || open(found);
    let passes = match mutant.damage.target {
        // What runs is shown wrong by the run; what does not run can only be shown to differ.
        Target::EhFrame | Target::EhFrameHdr => errors().any(right),
        Target::Sframe => errors().all(right),
        // Another place of a segment moves the code too: the run is another program's.
        Target::Container => true,
    };
    if passes { BlindFate::Right } else { BlindFate::WrongBlame }
}

/// The producers that may be blamed. Only `.sframe` is damaged, or only `.eh_frame`, and a linked
/// file alone does not show which of assembler and linker made `.sframe`. Where nothing was
/// executed two tables differ, and nothing shows which of them is wrong: the judge takes
/// `.eh_frame` for the right one.
fn rights(file: &BlindFile, mutant: &Mutant) -> Vec<Blame> {
    let executed = match &mutant.effect {
        Effect::Rows(spans) | Effect::Lost(spans) => {
            spans.iter().any(|span| span.executed && !span.lost && span.unseen.is_none())
        }
        Effect::Invalid(_) | Effect::InvalidCfi(_) | Effect::Headers(_) | Effect::Redundant | Effect::Nothing => false,
    };
    let covered = match &mutant.effect {
        Effect::Rows(spans) => spans.iter().all(|span| span.covered),
        _ => true,
    };
    // Of an object that shows several sources `ld -r` may be the maker.
    let makers: &[Blame] = match file.original.is_object() {
        true => &[Blame::Assembler, Blame::AssemblerOrLinker],
        false => &[Blame::AssemblerOrLinker, Blame::Linker],
    };
    let mut rights = Vec::new();
    match mutant.damage.target {
        Target::Sframe | Target::Container => rights.extend(makers),
        // Linkers alone write it.
        Target::EhFrameHdr => return vec![Blame::Linker],
        Target::EhFrame => {
            rights.push(Blame::EhFrame);
            if !executed {
                rights.extend(makers);
            }
            // Nothing else describes the code: the directives are the first suspect.
            if !covered {
                rights.push(Blame::Compiler);
            }
        }
    }
    if !executed || !covered {
        rights.push(Blame::Undetermined);
    }
    rights
}

/// A finding in a line.
pub(super) fn line(found: &Finding) -> String {
    format!("{:?} {}={}", found.severity, found.rule(), found.blame())
}

impl Class {
    /// All of them, in order of print.
    pub const ALL: [Class; 9] = [
        Class::Invalid,
        Class::RowsExecutedCovered,
        Class::RowsExecuted,
        Class::RowsCovered,
        Class::RowsBare,
        Class::CoverageLost,
        Class::Container,
        Class::Redundant,
        Class::NoChange,
    ];

    /// The name in print and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Invalid => "invalid",
            Class::RowsExecutedCovered => "rows-executed-covered",
            Class::RowsExecuted => "rows-executed",
            Class::RowsCovered => "rows-covered",
            Class::RowsBare => "rows-bare",
            Class::CoverageLost => "coverage-lost",
            Class::Container => "container",
            Class::Redundant => "redundant",
            Class::NoChange => "no-change",
        }
    }

    /// Rows changed that the run or the other table can contradict.
    pub const fn is_witnessed(self) -> bool {
        matches!(self, Class::RowsExecutedCovered | Class::RowsExecuted | Class::RowsCovered)
    }
}

impl BlindFate {
    /// It has to be looked at.
    pub const fn is_failure(self) -> bool {
        match self {
            BlindFate::Right | BlindFate::Reported => false,
            BlindFate::Missed | BlindFate::WrongBlame | BlindFate::FalseAlarm | BlindFate::Panicked => true,
        }
    }

    /// The name in print and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            BlindFate::Right => "right",
            BlindFate::Missed => "missed",
            BlindFate::WrongBlame => "wrong-blame",
            BlindFate::FalseAlarm => "false-alarm",
            BlindFate::Reported => "reported",
            BlindFate::Panicked => "panicked",
        }
    }
}
