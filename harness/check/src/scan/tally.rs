//! What was found, by mnemonic: a line for each way in which words of one ended, with the first of them.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use types::{Abi, StopReason};

use super::{WordEnd, name, prologue};
use crate::workers::{Cause, Death};

/// What became of a word that did not simply go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The emulator died of this signal.
    Dies(i32, Phase),
    /// The emulator hung.
    Hangs,
    /// The emulator asked for more memory than there is.
    Exhausts,
    /// An exception, though a disassembler knows the instruction.
    Raises,
}

/// When the emulator died.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// While the word was executed.
    Executing,
    /// Before, while it was translated: nobody is asked before that.
    Translating,
}

/// Words of one mnemonic that ended in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// How.
    pub outcome: Outcome,
    /// As the disassembler has it, or the opcode where it has none.
    pub mnemonic: String,
    /// The first such word.
    pub word: Vec<u8>,
    /// How many ended so, and how many of the mnemonic were tried.
    pub share: (u64, u64),
}

/// Counts of words.
#[derive(Debug, Default)]
pub struct Tally {
    tried: BTreeMap<String, u64>,
    found: BTreeMap<(Outcome, String), (Vec<u8>, u64)>,
    refused: u64,
}

impl Tally {
    /// Takes in one word.
    pub fn add(&mut self, abi: Abi, (word, mnemonic): &(Vec<u8>, Option<String>), end: &Result<WordEnd, Death>) {
        let name = name(abi, word, mnemonic.as_deref());
        *self.tried.entry(name.clone()).or_default() += 1;
        self.refused += u64::from(matches!(end, Ok(WordEnd::Refused)));
        let Some(outcome) = Outcome::of(abi, end, mnemonic.is_some()) else { return };
        self.found.entry((outcome, name)).or_insert_with(|| (word.clone(), 0)).1 += 1;
    }

    /// Words that were tried, and of them those that the machine does not execute.
    pub fn counts(&self) -> (u64, u64) {
        (self.tried.values().sum(), self.refused)
    }

    /// What ended the emulator, and the instructions of which no word could be executed.
    pub fn lines(&self) -> Vec<Line> {
        let lines = self.found.iter().map(|((outcome, mnemonic), (word, count))| Line {
            outcome: *outcome,
            mnemonic: mnemonic.clone(),
            word: word.clone(),
            share: (*count, self.tried.get(mnemonic).copied().unwrap_or_default()),
        });
        // Some forms of many instructions raise by right; one that always does is not there.
        lines.filter(|line| line.outcome != Outcome::Raises || line.share.0 == line.share.1).collect()
    }
}

impl Outcome {
    /// None where it is nothing to be told. `known`: a disassembler has a mnemonic for it.
    pub fn of(abi: Abi, end: &Result<WordEnd, Death>, known: bool) -> Option<Outcome> {
        let phase = |death: &Death| match death.position.steps > prologue(abi).instructions {
            true => Phase::Executing,
            false => Phase::Translating,
        };
        match end {
            Err(death @ Death { cause: Cause::Signal(signal), .. }) => Some(Outcome::Dies(*signal, phase(death))),
            Err(death @ Death { cause: Cause::Status(_), .. }) => Some(Outcome::Dies(0, phase(death))),
            Err(Death { cause: Cause::Hung, .. }) => Some(Outcome::Hangs),
            Err(Death { cause: Cause::Memory, .. }) => Some(Outcome::Exhausts),
            Ok(WordEnd::Ends(StopReason::IllegalInstruction)) => known.then_some(Outcome::Raises),
            Ok(WordEnd::Ends(StopReason::Fault)) if tells_nothing_of_exceptions(abi) => {
                known.then_some(Outcome::Raises)
            }
            Ok(WordEnd::Goes | WordEnd::Refused | WordEnd::Ends(_)) => None,
        }
    }
}

/// The emulator raises one exception for all that a program may do wrong: an illegal instruction cannot be told from a bad address.
fn tells_nothing_of_exceptions(abi: Abi) -> bool {
    match abi {
        Abi::S390x => true,
        Abi::Amd64 | Abi::Aarch64 | Abi::Aarch64Be => false,
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Dies(signal, Phase::Executing) => write!(f, "dies-{signal}"),
            Outcome::Dies(signal, Phase::Translating) => write!(f, "dies-{signal}-early"),
            Outcome::Hangs => f.write_str("hangs"),
            Outcome::Exhausts => f.write_str("exhausts-memory"),
            Outcome::Raises => f.write_str("raises"),
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word: String = self.word.iter().map(|byte| format!("{byte:02x}")).collect();
        write!(f, "{:<12} {:<16} {word:<30} {}/{}", self.outcome.to_string(), self.mnemonic, self.share.0, self.share.1)
    }
}

/// A text that is no [`Line`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not: outcome, mnemonic, word in hex, count/count")]
pub struct NotALine(String);

impl FromStr for Line {
    type Err = NotALine;

    fn from_str(text: &str) -> Result<Self, NotALine> {
        let parse = || {
            let mut fields = text.split_whitespace();
            let outcome = match fields.next()? {
                "hangs" => Outcome::Hangs,
                "exhausts-memory" => Outcome::Exhausts,
                "raises" => Outcome::Raises,
                dies => {
                    let signal = dies.strip_prefix("dies-")?;
                    match signal.strip_suffix("-early") {
                        Some(signal) => Outcome::Dies(signal.parse().ok()?, Phase::Translating),
                        None => Outcome::Dies(signal.parse().ok()?, Phase::Executing),
                    }
                }
            };
            let (mnemonic, word, (count, tried)) = (fields.next()?, fields.next()?, fields.next()?.split_once('/')?);
            let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
            let word = word.as_bytes().chunks(2).map(byte).collect::<Option<Vec<u8>>>()?;
            let share = (count.parse().ok()?, tried.parse().ok()?);
            fields.next().is_none().then(|| Line { outcome, mnemonic: mnemonic.to_owned(), word, share })
        };
        parse().ok_or_else(|| NotALine(text.to_owned()))
    }
}
