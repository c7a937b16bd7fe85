//! Random programs from the generators: judged, where every finding that their style does not
//! explain is a false alarm or a bug of the generator; or written to files with their true frames
//! at each address, for people who test other readers.

mod expected;
mod judged;

use generators::program::Program;
use types::{Abi, SframeVersion};

pub use expected::{Files, files};
pub use judged::{ProgramOutcome, Totals, judge_many, outcome_of};

/// A program by its number for a seed: consecutive numbers cycle through the combinations.
#[derive(Clone, Debug)]
pub struct Numbered {
    /// Seed of all programs of the run.
    pub seed: u64,
    /// Number of the program, from 0.
    pub number: u64,
    /// The program, which depends on both.
    pub program: Program,
}

impl Numbered {
    /// The program with this number. `None` if there are no combinations.
    pub fn new(combinations: &[(Abi, SframeVersion)], seed: u64, number: u64) -> Option<Self> {
        let count = combinations.len() as u64;
        let (abi, version) = *combinations.get(number.checked_rem(count)? as usize)?;
        // The program depends only on its index for its target and version, whatever other
        // combinations were requested.
        let program = generators::program::numbered(abi, version, seed, number / count);
        Some(Numbered { seed, number, program })
    }

    /// Name: `000012-amd64-v3`.
    pub fn name(&self) -> String {
        format!("{:06}-{}-{}", self.number, self.program.abi, self.program.version)
    }
}
