//! How a file is judged: what is executed of it and with what, how steps are judged, the limits,
//! and what is reported.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use machine::VectorBits;
use serde::{Deserialize, Serialize};
use types::ImageKind;

use crate::signals::SignalAt;
use crate::supplies::{Outside, Supplies};

/// What to do with a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The parts of it that are executed.
    pub execution: Execution,
    /// The engine that executes it.
    pub engine: Engine,
    /// Arguments, files, input and signals of the executed program.
    pub inputs: Inputs,
    /// The steps at which chains are walked and rows are evaluated.
    pub judging: Judging,
    /// The limits of execution.
    pub limits: Limits,
    /// Further contents of the report.
    pub include: BTreeSet<Include>,
    /// Whether a file must have the section.
    pub sframe: Sframe,
    /// How synchronous unwind tables are reported.
    pub synchronous: Synchronous,
}

/// The parts of a file that are executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Execution {
    /// Nothing: static checks only.
    Static,
    /// The parts that were selected.
    Run {
        /// Entry points.
        start: Start,
        /// Whether functions that no run calls are explored.
        uncalled: Uncalled,
    },
}

/// Entry points.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Start {
    /// At the ELF entry of an executable; no other file is run.
    #[default]
    ElfEntry,
    /// At each of these functions, by name.
    Functions(Vec<String>),
}

/// Whether functions that no run calls are explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Uncalled {
    /// No: they are not executed.
    #[default]
    Skipped,
    /// Yes: they are executed without their inputs, both ways at each branch.
    Explored,
}

/// What executes programs. Functions that nothing calls are always explored by the first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Engine {
    /// Unicorn, in a sandbox of its own.
    #[default]
    Unicorn,
    /// A stub of the GDB remote protocol, outside any sandbox.
    Remote(Stub),
    /// Both in step; steps of the first are judged.
    Both(Stub),
}

/// A stub of the GDB remote protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stub {
    /// A qemu-user that is started: of PATH, or of this folder of fetched producers.
    Qemu {
        /// The folder.
        fetched: PathBuf,
    },
    /// The one at HOST:PORT, or at the path of a socket.
    Address(String),
}

/// Inputs of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inputs {
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Files and input.
    pub supplies: Supplies,
    /// Signals that it is sent.
    pub signals: Vec<SignalAt>,
    /// The seed of the order in which its threads take turns.
    pub schedule: Option<u64>,
    /// Bits of AArch64's scalable vectors, if not 256.
    pub sve_bits: Option<u16>,
}

impl Inputs {
    /// The length of scalable vectors.
    pub(crate) fn vector_bits(&self) -> VectorBits {
        self.sve_bits.and_then(VectorBits::new).unwrap_or(VectorBits::DEFAULT)
    }
}

/// The steps at which chains are walked and rows are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judging {
    /// When the whole chain is walked.
    pub chains: Chains,
    /// When rows are evaluated.
    pub rows: Rows,
}

/// When the whole chain is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Chains {
    /// At calls, returns and the first visit of a PC.
    AtCalls,
    /// At every step.
    AtEveryStep,
}

/// When rows are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rows {
    /// At steps whose state differs from that of a step that was judged.
    Changed,
    /// At every step.
    AtEveryStep,
}

/// The limits of execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Most steps of one run.
    pub steps: u64,
    /// Most time of all runs together.
    pub time: Option<Duration>,
}

/// Further contents of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Include {
    /// The program's output.
    Output,
    /// Features of the table, for coverage of the specification.
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

/// How synchronous unwind tables are reported: those that are right at calls only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Synchronous {
    /// Each finding by itself.
    #[default]
    Listed,
    /// As one error.
    Error,
    /// As one finding of severity info: they are what was asked for.
    Note,
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
        Judging { chains: Chains::AtCalls, rows: Rows::Changed }
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
