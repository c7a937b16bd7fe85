//! Classes of mutants, what has to be reported for each, and whether it was.

use generators::blind::{DamagedPart, Effect, Mutant, Span, Unseen};
use results::{Blame, Finding, Outcome, Report};
use spec::{RuleGroup, RuleId, Severity};
use types::Aspect;

use super::BlindFile;

types::named! {
    /// Class of a mutant.
    pub enum Class {
        /// A clear clause of a format is violated.
        Invalid = "invalid",
        /// The table changed where code was executed and the other table has a row.
        RowsExecutedCovered = "rows-executed-covered",
        /// The table changed where code was executed and the other table has no row.
        RowsExecuted = "rows-executed",
        /// The table changed where code was not executed and the other table has a row.
        RowsCovered = "rows-covered",
        /// The table changed where code was not executed and the other table has no row.
        RowsBare = "rows-bare",
        /// The table lost the rows of some functions.
        CoverageLost = "coverage-lost",
        /// The headers of the file changed.
        Container = "container",
        /// The bytes changed, but not the meaning.
        Redundant = "redundant",
        /// Only bytes that no reader uses changed.
        NoChange = "no-change",
    }
}

/// What has to be reported for a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Demand {
    /// An error: exit code 1, with the right blame.
    Error,
    /// An error, or a file that cannot be read or executed: exit code 1, 2 or 3.
    Refusal,
    /// An error, or a function listed as omitted, or a warning about it.
    Gap,
    /// No error: exit code 0.
    Quiet,
    /// Any verdict is accepted.
    Free,
    /// The bytes do not decide: an error is neither expected nor wrong.
    Unseen(Unseen),
}

types::named! {
    /// Result for a mutant.
    pub enum BlindFate {
        /// As expected.
        Right = "right",
        /// A required finding was not reported.
        Missed = "missed",
        /// A finding was reported with the wrong blame.
        WrongBlame = "wrong-blame",
        /// An error was reported although nothing is wrong.
        FalseAlarm = "false-alarm",
        /// No error was expected, and one was reported.
        Reported = "reported",
        /// The judge panicked.
        Panicked = "panicked",
    }
}

/// Class of a mutant and what has to be reported, by its effect alone.
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

/// Wrong headers can keep a file from being read at all.
fn refusal(mutant: &Mutant) -> Demand {
    if mutant.damage.target == DamagedPart::Container { Demand::Refusal } else { Demand::Error }
}

/// Rules of `.eh_frame` that `.sframe` does not have are left to the judge: other registers,
/// landing pads.
fn quiet(mutant: &Mutant) -> Demand {
    if mutant.damage.target == DamagedPart::EhFrame { Demand::Free } else { Demand::Quiet }
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

/// An error if at least one span has evidence.
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
        // Without `.sframe` nothing else shows what `.eh_frame` omits.
        DamagedPart::EhFrame if spans.iter().any(|span| span.covered) => Demand::Gap,
        DamagedPart::EhFrame => Demand::Free,
        DamagedPart::Sframe | DamagedPart::Container if spans.iter().any(|span| span.executed || span.covered) => {
            Demand::Gap
        }
        DamagedPart::Sframe
        | DamagedPart::Container
        | DamagedPart::EhFrameHdr
        | DamagedPart::Both
        | DamagedPart::Linker => Demand::Free,
    }
}

pub(super) fn fate(file: &BlindFile, mutant: &Mutant, demand: Demand, report: &Report) -> BlindFate {
    let outcome = file.outcome(report);
    let clean = outcome == Outcome::Clean;
    match demand {
        Demand::Refusal if matches!(outcome, Outcome::Error | Outcome::Undecided) => BlindFate::Right,
        // For example in the outermost function, where no CFA is right.
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

/// Returns true if the damaged part is reported as wrong before and after the damage.
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

/// Returns true for a warning about code without a description.
fn is_about_coverage(found: &Finding) -> bool {
    found.severity >= Severity::Warning
        && (found.evidence.field == Aspect::Coverage || found.rule() == RuleId::PltCovered)
}

/// Result by the blamed tools: right if all of them may be blamed.
fn blamed(file: &BlindFile, mutant: &Mutant, report: &Report) -> BlindFate {
    let errors = || file.fresh(report).filter(|found| found.is_error());
    let rights = rights(file, mutant);
    // Two tables that differ, neither refuted by execution, do not show which tool is to blame.
    let open = |found: &Finding| {
        let alike = mutant.damage.target == DamagedPart::Both;
        !alike && found.rule().group() == RuleGroup::Cfi && found.blame() == Blame::Undetermined
    };
    let right = |found: &Finding| rights.contains(&found.blame()) || open(found);
    let passes = match mutant.damage.target {
        // Executed code is shown wrong by execution; other code can only be shown to differ.
        DamagedPart::EhFrame | DamagedPart::EhFrameHdr => errors().any(right),
        DamagedPart::Sframe | DamagedPart::Both | DamagedPart::Linker => errors().all(right),
        // A segment at another address also moves the code: another program is executed.
        DamagedPart::Container => true,
    };
    if passes { BlindFate::Right } else { BlindFate::WrongBlame }
}

/// Producers that may be blamed. Only `.sframe` or only `.eh_frame` is damaged, and a linked file
/// alone does not show whether assembler or linker made `.sframe`. If nothing was executed two
/// tables differ, and nothing shows which of them is wrong: the judge assumes that `.eh_frame` is
/// right.
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
    // An object with several sources may be made by `ld -r`.
    let makers: &[Blame] = match file.original.is_object() {
        true => &[Blame::Assembler, Blame::AssemblerOrLinker],
        false => &[Blame::AssemblerOrLinker, Blame::Linker],
    };
    let mut rights = Vec::new();
    match mutant.damage.target {
        DamagedPart::Sframe | DamagedPart::Container => rights.extend(makers),
        // Only linkers write it.
        DamagedPart::EhFrameHdr | DamagedPart::Linker => return vec![Blame::Linker],
        // Only the directives are wrong in both tables alike.
        DamagedPart::Both => return vec![Blame::Compiler],
        DamagedPart::EhFrame => {
            rights.push(Blame::EhFrame);
            if !executed {
                rights.extend(makers);
            }
            // No other table describes the code: the directives are the first suspect.
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

/// Returns true for an error that structural rules alone report.
pub(super) fn is_structural(found: &Finding) -> bool {
    found.is_error() && found.evidence.field == Aspect::Structure && found.rule().group() != RuleGroup::Cfi
}

pub(super) fn line(found: &Finding) -> String {
    format!("{:?} {}={}", found.severity, found.rule(), found.blame())
}

impl Demand {
    /// Why nothing has to be reported, if so.
    pub(super) const fn reason_for_nothing(self) -> Option<&'static str> {
        match self {
            Demand::Error | Demand::Refusal | Demand::Gap => None,
            Demand::Quiet => Some("the same rules"),
            Demand::Free => Some("any verdict is accepted"),
            Demand::Unseen(reason) => Some(reason.name()),
        }
    }
}

impl Class {
    /// Returns true if the changed rows can be contradicted by execution or the other table.
    pub const fn is_witnessed(self) -> bool {
        matches!(self, Class::RowsExecutedCovered | Class::RowsExecuted | Class::RowsCovered)
    }
}

impl BlindFate {
    /// Returns true if the result needs attention.
    pub const fn is_failure(self) -> bool {
        match self {
            BlindFate::Right | BlindFate::Reported => false,
            BlindFate::Missed | BlindFate::WrongBlame | BlindFate::FalseAlarm | BlindFate::Panicked => true,
        }
    }
}
