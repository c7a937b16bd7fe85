//! Tests the judge: bugs are planted in files, and those counted that it detects with the right
//! blame.
//!
//! - [`blind`] plants them in any files, [`score`] in generated programs, by operator;
//! - [`rows`] changes a row in every function of a file, for exploration;
//! - [`reasons`] plants wrong rows where answers are undecided;
//! - [`source`] puts bugs into the source of a producer or reader.

pub mod blind;
mod fates;
pub mod reasons;
pub mod rows;
pub mod source;
mod table;

use std::collections::BTreeMap;

use rayon::prelude::*;
use types::combinations;

pub use fates::Fates;

use blind::{BlindFile, BlindJudge, BlindResult, BlindScore, MutantId, Source, one_of, open};

use crate::generate::Numbered;

/// Selection of planted bugs.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Only operators whose name contains this; all if empty.
    pub filter: String,
    /// Maximum number of bugs of each operator for each file; `None` for all that are drawn.
    pub most: Option<usize>,
}

/// Seed of the programs and of what is drawn for them.
const SEED: u64 = 1;
/// Number of programs for each target and version among which those to plant bugs in are chosen.
pub const PROGRAMS: u64 = 24;
/// Number of executables, and of other files, for each target and version.
const EXECUTABLES: usize = 3;
const OTHERS: usize = 1;
/// Number of bugs drawn for each file.
const DRAWS: u64 = 400;

/// Plants bugs in generated programs, and judges them with `judge`.
pub fn score(selection: &Selection, judge: BlindJudge<'_>) -> BlindScore {
    let files = programs();
    let mutants = files.par_iter().flat_map_iter(|file| plant(file, selection, judge)).collect();
    BlindScore { mutants, files: files.len(), left_out: Vec::new() }
}

/// The first programs of each target and version that can be judged completely.
fn programs() -> Vec<BlindFile> {
    let combinations = combinations(None, None);
    let chosen = combinations.par_iter().flat_map_iter(|combination| {
        let numbers = 0..PROGRAMS * combinations.len() as u64;
        let all = numbers.filter_map(|number| Numbered::new(&combinations, SEED, number));
        let own = all.filter(|one| (one.program.abi, one.program.version) == *combination);
        let files = own.filter_map(|one| open(Source::generated(one)?).ok());
        let (mut executables, mut others) = (EXECUTABLES, OTHERS);
        files.filter(move |file| {
            let left = if file.is_executed() { &mut executables } else { &mut others };
            let is_chosen = *left > 0;
            *left = left.saturating_sub(1);
            is_chosen
        })
    });
    chosen.collect()
}

fn plant(file: &BlindFile, selection: &Selection, judge: BlindJudge<'_>) -> Vec<BlindResult> {
    let mut made: BTreeMap<String, usize> = BTreeMap::new();
    let planted = (0..DRAWS).filter_map(|number| {
        let id = MutantId { seed: SEED, number, file: file.name.clone() };
        let few = |operator: &str| selection.most.is_none_or(|most| made.get(operator).is_none_or(|made| *made < most));
        let accepts = |operator: &str| operator.contains(&selection.filter) && few(operator);
        let result = one_of(file, &id, judge, accepts)?;
        *made.entry(result.mutant.damage.operator.clone()).or_default() += 1;
        Some(result)
    });
    planted.collect()
}
