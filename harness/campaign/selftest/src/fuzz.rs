//! Tests assemblers with random CFI text: finds those that crash, refuse silently, or write tables
//! that disagree.
//!
//! Every finding is reduced (`reduce::random`) and then compared with the classes that a person has
//! reviewed ([`ledger::class`]): it is known if exactly one class matches, otherwise new. The same
//! seeds and assemblers give the same findings, regardless of interruptions and threads.

pub mod found;
pub mod observe;
pub mod run;
pub mod symptom;
pub mod tally;
pub mod tool;

use types::Abi;

use observe::ObserveError;
use tool::Tool;

use crate::journal::JournalError;

/// An assembler's wrong behaviour for a file, with the reduced text that shows it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Assembler: `gas@2.40`.
    pub assembler: String,
    /// The target of the file.
    pub abi: Abi,
    /// Seed of the file.
    pub seed: u64,
    /// True if the CFI is correct and the file was executed.
    pub executed: bool,
    /// Id of a rule, or the name of another symptom.
    pub what: String,
    /// One sentence with the numbers.
    pub detail: String,
    /// Reduced text that shows it.
    pub text: String,
}

/// Why a run cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum FuzzError {
    #[error(transparent)]
    Observe(#[from] ObserveError),
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Consecutive seeds for one assembler: a unit of work.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stretch {
    /// Name and version: `gas@2.40`.
    pub assembler: String,
    /// The target of the files.
    pub abi: Abi,
    /// The first seed.
    pub first: u64,
    /// The seed after the last.
    pub next: u64,
}

/// Number of seeds in a stretch: a few seconds of work.
const STRETCH: u64 = 10;

/// The stretches of `count` seeds from `first` on, for each tool. Those of the same seeds are
/// adjacent, so that all tools progress equally.
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
