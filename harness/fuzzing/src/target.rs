//! The parsers that are fuzzed.

use crate::bodies;
use crate::seeds::{self, SeedError};

/// A parser, and what is done with what it gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Target {
    /// `.sframe`: syntax, meaning, rules, dump, cutting.
    Section,
    /// Callers by a `.sframe` table.
    Unwinder,
    /// `.eh_frame` and `.debug_frame`, and callers by them.
    Cfi,
    /// ELF files.
    Elf,
    /// Archives and compressed files.
    Archive,
    /// `check --static`, printed as text and JSON.
    Check,
    /// Producers' files.
    Producer,
    /// Files of cases, of linking, of frozen objects, and of what was found.
    Case,
    /// Entries of the ledger.
    Ledger,
    /// Results of runs, and every format that they are printed in.
    Results,
    /// What tools print.
    Complaint,
    /// The same by way of a tool: starts processes.
    Tool,
    /// `check` with a run of the code: starts an engine.
    Run,
}

impl Target {
    /// All of them.
    pub const ALL: [Target; 13] = [
        Target::Section,
        Target::Unwinder,
        Target::Cfi,
        Target::Elf,
        Target::Archive,
        Target::Check,
        Target::Producer,
        Target::Case,
        Target::Ledger,
        Target::Results,
        Target::Complaint,
        Target::Tool,
        Target::Run,
    ];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Target::Section => "section",
            Target::Unwinder => "unwinder",
            Target::Cfi => "cfi",
            Target::Elf => "elf",
            Target::Archive => "archive",
            Target::Check => "check",
            Target::Producer => "producer",
            Target::Case => "case",
            Target::Ledger => "ledger",
            Target::Results => "results",
            Target::Complaint => "complaint",
            Target::Tool => "tool",
            Target::Run => "run",
        }
    }

    /// Each execution starts an engine or processes, so that fewer are worth their time.
    pub const fn is_dear(self) -> bool {
        matches!(self, Target::Run | Target::Tool)
    }

    /// Inputs that are right.
    ///
    /// # Errors
    /// When the project's files cannot be read.
    pub fn seeds(self) -> Result<Vec<Vec<u8>>, SeedError> {
        match self {
            Target::Section | Target::Unwinder => seeds::sections(&[".sframe"]),
            Target::Cfi => seeds::sections(&[".eh_frame"]),
            Target::Elf | Target::Check => seeds::files(),
            Target::Archive => seeds::archives(),
            Target::Run => seeds::linked_files(),
            Target::Producer => seeds::producers(),
            Target::Case => seeds::cases(),
            Target::Ledger => seeds::ledger(),
            Target::Results => seeds::results(),
            Target::Complaint | Target::Tool => Ok(seeds::complaints()),
        }
    }

    /// One execution: whether the input was taken for what it should be. The first byte of an input
    /// says how the rest is meant, except of whole files.
    pub fn run(self, input: &[u8]) -> bool {
        match self {
            Target::Section => bodies::section::run(input),
            Target::Unwinder => bodies::unwinder::sframe(input),
            Target::Cfi => bodies::unwinder::cfi(input),
            Target::Elf => bodies::elf::run(input),
            Target::Archive => bodies::archive::run(input),
            Target::Check => bodies::check::statically(input),
            Target::Producer => bodies::texts::producer(input),
            Target::Case => bodies::texts::case(input),
            Target::Ledger => bodies::texts::ledger(input),
            Target::Results => bodies::results::run(input),
            Target::Complaint => bodies::texts::complaint(input),
            Target::Tool => bodies::tool::run(input),
            Target::Run => bodies::check::with_a_run(input),
        }
    }
}
