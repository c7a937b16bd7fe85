//! Results by mnemonic: a line for each way in which its words ended, with the first such word.

use std::collections::BTreeMap;
use std::fmt;

use check::client::{Death, DeathCause, WordEnd};
use check::worker::words::steps_before;
use types::{Abi, StopReason};

use super::words::Word;

/// Result of a word that did not simply continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outcome {
    /// The emulator crashed with this signal; `early`: while it translated the word, before
    /// executing it.
    Dies {
        signal: i32,
        early: bool,
    },
    Hangs,
    /// The emulator exceeded its memory limit.
    Exhausts,
    /// An exception, although a disassembler knows the instruction.
    Raises,
}

impl Outcome {
    /// `None` if there is nothing to list. `known`: a disassembler has a mnemonic for the word.
    pub(super) fn new(abi: Abi, end: &Result<WordEnd, Death>, known: bool) -> Option<Outcome> {
        match end {
            Err(death) => Some(match death.cause {
                DeathCause::Signal(signal) | DeathCause::Status(signal) => {
                    Outcome::Dies { signal, early: death.position.steps <= steps_before(abi) }
                }
                DeathCause::Hung => Outcome::Hangs,
                DeathCause::Memory => Outcome::Exhausts,
            }),
            Ok(WordEnd::Ends(reason)) if known && is_exception(abi, *reason) => Some(Outcome::Raises),
            Ok(WordEnd::Continues | WordEnd::Refused | WordEnd::Ends(_)) => None,
        }
    }
}

/// Returns true for the result of an illegal instruction. On s390x the emulator raises the same
/// exception for every error of a program.
fn is_exception(abi: Abi, reason: StopReason) -> bool {
    let same = match abi {
        Abi::S390x => true,
        Abi::Amd64 | Abi::Aarch64 | Abi::Aarch64Be => false,
    };
    reason == StopReason::IllegalInstruction || same && reason == StopReason::Fault
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Dies { signal, early: false } => write!(f, "dies-{signal}"),
            Outcome::Dies { signal, early: true } => write!(f, "dies-{signal}-early"),
            Outcome::Hangs => f.write_str("hangs"),
            Outcome::Exhausts => f.write_str("exhausts-memory"),
            Outcome::Raises => f.write_str("raises"),
        }
    }
}

/// Words of one mnemonic with the same result.
pub(super) struct Line {
    pub(super) outcome: Outcome,
    /// Mnemonic of the disassembler, or the opcode if it has none.
    pub(super) mnemonic: String,
    /// The first such word.
    pub(super) word: Word,
    /// Number of words with this result, and number of words of the mnemonic that were tested.
    pub(super) share: (u64, u64),
}

/// Counts of words.
#[derive(Debug, Default)]
pub(super) struct Tally {
    tried: BTreeMap<String, u64>,
    found: BTreeMap<(Outcome, String), (Word, u64)>,
    refused: u64,
}

impl Tally {
    pub(super) fn add(&mut self, abi: Abi, word: &Word, end: &Result<WordEnd, Death>) {
        let name = word.name(abi);
        *self.tried.entry(name.clone()).or_default() += 1;
        self.refused += u64::from(matches!(end, Ok(WordEnd::Refused)));
        let Some(outcome) = Outcome::new(abi, end, word.mnemonic.is_some()) else { return };
        self.found.entry((outcome, name)).or_insert_with(|| (word.clone(), 0)).1 += 1;
    }

    /// Number of words tested, and of these the number that the machine refuses.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.tried.values().sum(), self.refused)
    }

    /// Crashes of the emulator, and instructions of which no word could be executed.
    pub(super) fn lines(&self) -> Vec<Line> {
        let lines = self.found.iter().map(|((outcome, mnemonic), (word, count))| Line {
            outcome: *outcome,
            mnemonic: mnemonic.clone(),
            word: word.clone(),
            share: (*count, self.tried.get(mnemonic).copied().unwrap_or_default()),
        });
        // Some forms of many instructions raise an exception correctly; one that always does is not
        // implemented.
        lines.filter(|line| line.outcome != Outcome::Raises || line.share.0 == line.share.1).collect()
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (outcome, (count, tried)) = (self.outcome.to_string(), self.share);
        write!(f, "{outcome:<12} {:<16} {:<30} {count}/{tried}", self.mnemonic, self.word.hex())
    }
}
