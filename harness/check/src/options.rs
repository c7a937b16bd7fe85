//! How a file is judged: what is executed of it and with what, how steps are judged, the limits,
//! and what is reported.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use types::ImageKind;

use crate::signals::SignalAt;
use crate::supplies::{Outside, Supplies};

/// What to do with a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// What of it is executed.
    pub execution: Execution,
    /// What the program that is executed is given.
    pub inputs: Inputs,
    /// How much of each step is evaluated.
    pub judging: Judging,
    /// Where executing it ends.
    pub limits: Limits,
    /// What is reported besides.
    pub include: BTreeSet<Include>,
    /// Whether a file must have the section.
    pub sframe: Sframe,
}

/// What of a file is executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Execution {
    /// Nothing: static checks only.
    Static,
    /// What it has.
    Run {
        /// Where runs start.
        start: Start,
        /// What becomes of functions that no run calls.
        uncalled: Uncalled,
    },
}

/// Where runs start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Start {
    /// At the ELF entry of an executable; no other file is run.
    #[default]
    ElfEntry,
    /// At each of these functions, by name.
    Functions(Vec<String>),
}

/// What becomes of functions that no run calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Uncalled {
    /// They are not executed.
    #[default]
    Skipped,
    /// They are explored: executed without their inputs, both ways at each branch.
    Explored,
}

/// What a program is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inputs {
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Files and input.
    pub supplies: Supplies,
    /// Signals that it is sent.
    pub signals: Vec<SignalAt>,
    /// The seed by which its threads take turns.
    pub schedule: Option<u64>,
}

/// How much of each step is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judging {
    /// Where the whole chain is walked.
    pub chains: Chains,
    /// Where rows are evaluated.
    pub rows: Rows,
    /// See [`machine::Unicorn::blocks_from`].
    pub blocks_from: u64,
}

/// Where the whole chain is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Chains {
    /// At calls, returns and the first visit of a PC.
    AtCalls,
    /// At every step.
    AtEveryStep,
}

/// Where rows are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rows {
    /// Where what they read is not as it was at a step that was judged.
    Changed,
    /// At every step.
    AtEveryStep,
}

/// Where executing a file ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Most steps of one run.
    pub steps: u64,
    /// Most time of all runs together.
    pub time: Option<Duration>,
}

/// What is reported besides findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Include {
    /// What the program wrote.
    Output,
    /// What the table has, for coverage of the specification.
    Features,
    /// The instructions that exploration reached.
    Reached,
}

/// Whether a file must have the section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sframe {
    /// It may have none.
    #[default]
    Optional,
    /// A file without it is an error.
    Required,
}

impl Options {
    /// Static checks only.
    pub fn static_only() -> Options {
        Options { execution: Execution::Static, ..Options::default() }
    }

    /// Functions that nothing calls are explored.
    pub fn exploring() -> Options {
        Options { execution: Execution::exploring(), ..Options::default() }
    }

    /// Returns true if code of a file of this kind is executed.
    pub(crate) fn executes(&self, kind: ImageKind) -> bool {
        let Execution::Run { start, uncalled } = &self.execution else { return false };
        let explored = *uncalled == Uncalled::Explored;
        let asked = explored || *start != Start::ElfEntry;
        match kind {
            ImageKind::Executable => true,
            ImageKind::Dynamic => asked || self.inputs.supplies.outside != Outside::Nothing,
            ImageKind::Shared => asked,
            ImageKind::Relocatable => explored,
        }
    }
}

impl Execution {
    /// The program, and what nothing calls.
    pub fn exploring() -> Execution {
        Execution::Run { start: Start::ElfEntry, uncalled: Uncalled::Explored }
    }

    /// These functions, by name.
    pub fn functions(names: Vec<String>) -> Execution {
        let start = if names.is_empty() { Start::ElfEntry } else { Start::Functions(names) };
        Execution::Run { start, uncalled: Uncalled::Skipped }
    }
}

impl Default for Execution {
    fn default() -> Self {
        Execution::Run { start: Start::default(), uncalled: Uncalled::default() }
    }
}

impl Default for Judging {
    fn default() -> Self {
        Judging { chains: Chains::AtCalls, rows: Rows::Changed, blocks_from: machine::BLOCKS_FROM }
    }
}

impl Judging {
    /// Rows are evaluated at every step.
    pub fn every_step() -> Judging {
        Judging { rows: Rows::AtEveryStep, ..Judging::default() }
    }

    /// The whole chain is walked at every step.
    pub fn whole_chains() -> Judging {
        Judging { chains: Chains::AtEveryStep, ..Judging::default() }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::steps(100_000_000)
    }
}

impl Limits {
    /// No more steps than these in one run, in any time.
    pub fn steps(steps: u64) -> Limits {
        Limits { steps, time: None }
    }
}
