//! Options of judging a file: the executed parts and their inputs, how steps are judged, limits,
//! and contents of the report.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use judge::options::{Chains, Rows, Sframe, Synchronous};
use machine::VectorBits;
use serde::{Deserialize, Serialize};
use types::ImageKind;

use crate::signals::SignalAt;
use crate::supplies::{Outside, Supplies};

/// Options of checking a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Parts of the file that are executed.
    pub execution: Execution,
    /// Engine that executes them.
    pub engine: Engine,
    /// Arguments, files, input and signals of the executed program.
    pub inputs: Inputs,
    /// Steps at which chains are walked and rows are evaluated.
    pub judging: Judging,
    /// Limits of execution.
    pub limits: Limits,
    /// Optional contents of the report.
    pub include: BTreeSet<Include>,
    /// Whether the file must have a `.sframe` section.
    pub sframe: Sframe,
    /// How synchronous unwind tables are reported.
    pub synchronous: Synchronous,
}

/// Parts of a file that are executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Execution {
    /// Nothing: static checks only.
    Static,
    /// The selected parts.
    Run {
        /// Entry points.
        start: Start,
        /// Functions that are explored.
        explore: Explore,
    },
}

/// Entry points.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Start {
    /// The ELF entry of an executable; other files are not executed.
    #[default]
    ElfEntry,
    Functions(Vec<String>),
}

/// Functions that are explored: executed without their inputs, taking both ways at each branch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Explore {
    /// None.
    #[default]
    Nothing,
    /// All.
    All,
}

/// The engine for programs. Functions are always explored in Unicorn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Engine {
    /// Unicorn, in its own sandbox.
    #[default]
    Unicorn,
    /// A stub of the GDB remote protocol, not sandboxed.
    Remote(Stub),
    /// Both in lockstep; the steps of Unicorn are judged.
    Both(Stub),
}

/// A stub of the GDB remote protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stub {
    /// A qemu-user to start: from this folder of fetched producers, or from PATH.
    Qemu {
        /// Folder of fetched producers.
        fetched: PathBuf,
    },
    /// A running stub at HOST:PORT, or at the path of a socket.
    Address(String),
}

/// Inputs of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inputs {
    pub arguments: Vec<String>,
    /// Files and standard input.
    pub supplies: Supplies,
    /// Signals to send.
    pub signals: Vec<SignalAt>,
    /// Seed of the order in which threads are scheduled.
    pub schedule: Option<u64>,
    /// Length of AArch64's scalable vectors in bits, if not 256.
    pub sve_bits: Option<u16>,
}

impl Inputs {
    /// The length of scalable vectors.
    pub(crate) fn vector_bits(&self) -> VectorBits {
        self.sve_bits.and_then(VectorBits::new).unwrap_or(VectorBits::DEFAULT)
    }
}

/// The steps at which chains are walked and rows are evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judging {
    /// When the complete chain is walked.
    pub chains: Chains,
    /// When rows are evaluated.
    pub rows: Rows,
}

/// The limits of execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Maximum number of steps of one run.
    pub steps: u64,
    /// Maximum time of all runs and of exploration together.
    pub time: Option<Duration>,
    /// Maximum processor time of all runs.
    pub run: Option<Duration>,
    /// Maximum processor time of exploration.
    pub exploration: Option<Duration>,
}

/// Optional contents of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Include {
    /// The program's output.
    Output,
    /// Features of the table, for coverage of the specification.
    Features,
    /// The instructions that exploration reached.
    Reached,
    /// Causes of errors, and what built the file, for a ledger.
    Causes,
}

impl Options {
    /// Static checks only.
    pub fn static_only() -> Options {
        Options { execution: Execution::Static, ..Options::default() }
    }

    /// Options with exploration of every function.
    pub fn exploring() -> Options {
        Options { execution: Execution::exploring(), ..Options::default() }
    }

    /// Functions that are explored.
    pub(crate) fn explores(&self) -> Explore {
        match self.execution {
            Execution::Static => Explore::Nothing,
            Execution::Run { explore, .. } => explore,
        }
    }

    pub(crate) fn judge_options(&self) -> judge::options::Options {
        let Judging { chains, rows } = self.judging;
        let (sframe, synchronous, causes) = (self.sframe, self.synchronous, self.include.contains(&Include::Causes));
        judge::options::Options { chains, rows, sframe, synchronous, causes }
    }

    /// Returns true if code of a file of this kind is executed.
    pub(crate) fn executes(&self, kind: ImageKind) -> bool {
        let Execution::Run { start, explore } = &self.execution else { return false };
        let explored = *explore != Explore::Nothing;
        let is_started = explored || *start != Start::ElfEntry;
        match kind {
            ImageKind::Executable => true,
            ImageKind::Dynamic => is_started || self.inputs.supplies.outside != Outside::Nothing,
            // A dynamic linker that is given a program.
            ImageKind::Shared => is_started || !self.inputs.arguments.is_empty(),
            ImageKind::Relocatable => explored,
        }
    }
}

impl Execution {
    /// Executes the program, and explores every function.
    pub fn exploring() -> Execution {
        Execution::Run { start: Start::ElfEntry, explore: Explore::All }
    }

    pub fn functions(names: Vec<String>) -> Execution {
        let start = if names.is_empty() { Start::ElfEntry } else { Start::Functions(names) };
        Execution::Run { start, explore: Explore::Nothing }
    }
}

impl Default for Execution {
    fn default() -> Self {
        Execution::Run { start: Start::default(), explore: Explore::default() }
    }
}

impl Judging {
    /// Evaluates rows at every step.
    pub fn every_step() -> Judging {
        Judging { rows: Rows::AtEveryStep, ..Judging::default() }
    }

    /// Walks the complete chain at every step.
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
    /// Limits only the number of steps of one run.
    pub fn steps(steps: u64) -> Limits {
        Limits { steps, time: None, run: None, exploration: None }
    }
}
