//! Random CFI text through assemblers: which of them crash, refuse silently, or write tables
//! that disagree.
//!
//! Every finding is made as short as it gets (`reduce::random`) and then compared with the classes
//! that a person has reviewed ([`ledger::class`]): it is known by exactly one of them, or new.
//! Same seeds, same assemblers, same findings, however often the run was broken off and by however
//! many threads.

pub mod found;
pub mod journal;
pub mod observe;
pub mod symptom;
pub mod tally;
pub mod tool;

use types::Abi;

use journal::JournalError;
use observe::ObserveError;
use tool::Tool;

/// Something that an assembler did with a file, by the shortest text that shows it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The assembler: `gas@2.40`.
    pub assembler: String,
    /// The target of the file.
    pub abi: Abi,
    /// Seed of the file.
    pub seed: u64,
    /// The file is true to its instructions and was executed.
    pub executed: bool,
    /// A rule's id, or a word for another kind of result.
    pub what: String,
    /// One sentence with the numbers.
    pub detail: String,
    /// The shortest text that shows it.
    pub text: String,
}

/// Why a run cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum FuzzError {
    /// A file cannot be judged.
    #[error(transparent)]
    Observe(#[from] ObserveError),
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Consecutive seeds for one assembler: what is done in one go.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stretch {
    /// Its name and version: `gas@2.40`.
    pub assembler: String,
    /// The target of the files.
    pub abi: Abi,
    /// The first seed.
    pub first: u64,
    /// The seed after the last.
    pub next: u64,
}

/// Seeds of a stretch: seconds of work.
const STRETCH: u64 = 25;

/// The stretches of `count` seeds from `first` on, for each tool: those of one seed stand together,
/// so that all tools get on alike.
pub fn stretches<'a>(tools: &'a [Tool], first: u64, count: u64) -> Vec<(&'a Tool, Stretch)> {
    let end = first.saturating_add(count);
    let mut stretches = Vec::new();
    let mut at = first;
    while at < end {
        let next = (at - at % STRETCH).saturating_add(STRETCH).min(end);
        let of = |tool: &'a Tool| (tool, Stretch { assembler: tool.name.clone(), abi: tool.abi, first: at, next });
        stretches.extend(tools.iter().map(of));
        at = next;
    }
    stretches
}
