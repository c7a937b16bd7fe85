//! Programs from the generators: judged. Every finding beyond those that their style explains is a
//! false alarm or a bug of the generator; and written, with the frames that are true at each
//! address, for people who test readers of their own.

mod expected;
mod judged;

use generators::program::Program;
use types::{Abi, SframeVersion};

pub use expected::{Files, files};
pub use judged::{ProgramOutcome, Totals, judge, judge_many};

/// A program by its number under a seed: numbers go round the combinations.
#[derive(Clone, Debug)]
pub struct Numbered {
    /// What all of its run come from.
    pub seed: u64,
    /// Its place among them, from 0.
    pub number: u64,
    /// It depends on both.
    pub program: Program,
}

impl Numbered {
    /// The program of that number. `None` if there are no combinations.
    pub fn new(combinations: &[(Abi, SframeVersion)], seed: u64, number: u64) -> Option<Self> {
        let count = combinations.len() as u64;
        let (abi, version) = *combinations.get(number.checked_rem(count)? as usize)?;
        // The program depends on its place among those of its target and version only, whatever
        // else was asked for.
        let program = generators::program::numbered(abi, version, seed, number / count);
        Some(Numbered { seed, number, program })
    }

    /// `000012-amd64-v3`.
    pub fn name(&self) -> String {
        format!("{:06}-{}-{}", self.number, self.program.abi, self.program.version)
    }
}
