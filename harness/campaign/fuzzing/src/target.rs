//! The parsers that are fuzzed.

use crate::bodies;
use crate::seeds::{self, SeedError};

types::named! {
    /// A parser of the project, with the code that uses its result.
    pub enum Target {
        /// `.sframe`: syntax, meaning, rules, dump, cutting.
        Section = "section",
        /// Unwinding by a `.sframe` table.
        Unwinder = "unwinder",
        /// `.eh_frame` and `.debug_frame`, and unwinding by them.
        Cfi = "cfi",
        /// ELF files.
        Elf = "elf",
        /// Archives and compressed files.
        Archive = "archive",
        /// `check --static`, printed as text and JSON.
        Check = "check",
        /// Producers' files.
        Producer = "producer",
        /// Files of cases, of links, of frozen objects, and of found findings.
        Case = "case",
        /// Entries of the ledger.
        Ledger = "ledger",
        /// Results of runs, and every format that they are printed in.
        Results = "results",
        /// Messages of tools.
        Complaint = "complaint",
        /// Messages of tools, by running a tool: starts processes.
        Tool = "tool",
        /// `check` with a run of the code: starts an engine.
        Run = "run",
    }
}

impl Target {
    /// Returns true if each execution starts an engine or processes.
    pub const fn is_slow(self) -> bool {
        matches!(self, Target::Run | Target::Tool)
    }

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

    /// Executes the target once: returns true if the input had the expected form. The first byte of
    /// an input selects how the rest is read, except for whole files.
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
