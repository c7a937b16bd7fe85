//! Tests the judge: bugs are planted in files, and those counted that it detects with the right
//! blame.
//!
//! - [`blind`] plants them in any files, [`score`] in generated programs, by operator;
//! - [`reasons`] plants wrong rows where answers are undecided;
//! - [`silence`] gives one field of a file a wrong value;
//! - [`source`] puts bugs into the source of a producer or reader.

pub mod blind;
mod fates;
pub mod reasons;
pub mod silence;
pub mod source;
mod table;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rayon::prelude::*;
use types::{Abi, SframeVersion, combinations};

pub use fates::Fates;

use blind::{BlindFile, BlindJudge, BlindResult, BlindScore, MutantId, Source, one_of, open};

use crate::generate::Numbered;

/// Selection of planted bugs.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Only operators whose name contains this; all if empty.
    pub filter: String,
    /// Maximum number of bugs of each operator for each file; `None` for all that are drawn.
    pub most: Option<usize>,
    /// Number of bugs drawn for each file.
    pub draws: u64,
}

/// Seed of the programs and of what is drawn for them.
const SEED: u64 = 1;
/// Number of programs for each target and version among which those to plant bugs in are chosen.
pub const PROGRAMS: u64 = 24;
/// Number of executables, and of other files, for each target and version.
const EXECUTABLES: usize = 3;
const OTHERS: usize = 1;
/// Number of bugs drawn for each file by the command.
pub const DRAWS: u64 = 400;

/// Plants bugs in generated programs, and judges them with `judge`.
pub fn score(selection: &Selection, judge: BlindJudge<'_>) -> BlindScore {
    let files = &*PROGRAM_FILES;
    let mutants = files.par_iter().flat_map_iter(|file| plant(file, selection, judge)).collect();
    BlindScore { mutants, files: files.len(), left_out: Vec::new() }
}

/// The first programs of each target and version that can be judged completely.
static PROGRAM_FILES: LazyLock<Vec<BlindFile>> = LazyLock::new(|| {
    let combinations = combinations(None, None);
    (0..combinations.len() as u64).into_par_iter().flat_map_iter(|first| programs(&combinations, first)).collect()
});

/// Those of the combination with this position, which is the number of its first program.
fn programs(combinations: &[(Abi, SframeVersion)], first: u64) -> Vec<BlindFile> {
    let numbers = (first..PROGRAMS * combinations.len() as u64).step_by(combinations.len());
    let own = numbers.filter_map(|number| Numbered::new(combinations, SEED, number));
    let (mut executables, mut others) = (EXECUTABLES, OTHERS);
    let mut chosen = Vec::new();
    for file in own.filter_map(|one| open(Source::generated(one)?).ok()) {
        let left = if file.is_executed() { &mut executables } else { &mut others };
        if *left > 0 {
            *left -= 1;
            chosen.push(file);
        }
        if executables + others == 0 {
            break;
        }
    }
    chosen
}

fn plant(file: &BlindFile, selection: &Selection, judge: BlindJudge<'_>) -> Vec<BlindResult> {
    let mut made: BTreeMap<String, usize> = BTreeMap::new();
    let planted = (0..selection.draws).filter_map(|number| {
        let id = MutantId { seed: SEED, number, file: file.name.clone() };
        let few = |operator: &str| selection.most.is_none_or(|most| made.get(operator).is_none_or(|made| *made < most));
        let accepts = |operator: &str| operator.contains(&selection.filter) && few(operator);
        let result = one_of(file, &id, judge, accepts)?;
        *made.entry(result.mutant.damage.operator.clone()).or_default() += 1;
        Some(result)
    });
    planted.collect()
}
