//! The ledger covers only what a person reviewed: a second bug in addition to a known one makes the
//! trial fail, whatever it is.

use std::sync::LazyLock;
use std::time::Instant;

use ledger::{Home, Ledger};
use matrix::trial::Subject;
use matrix::{Extent, Matrix};
use rayon::prelude::*;
use selftest::planted::{Bed, Planted};

static LEDGER: LazyLock<Ledger> =
    LazyLock::new(|| Ledger::read(&Home::checkout().expect("tests run in it")).expect("the ledger"));

/// Plants bugs of several seeds into each of the files that `is_chosen` selects, and returns how
/// many counted.
fn plant(is_chosen: impl Fn(usize, &matrix::trial::Trial) -> bool, seeds: u64) -> (usize, usize) {
    let home = Home::checkout().expect("tests run in it");
    let cache = home.cache();
    let matrix = Matrix::new(home, None, Some(cache)).expect("the producers");
    let trials = matrix.trials(Extent::Often).expect("the trials");
    let there = trials.iter().filter(|trial| trial.absent().is_none()).enumerate();
    let chosen: Vec<_> = there.filter(|(nth, trial)| is_chosen(*nth, trial)).map(|(_, trial)| trial).collect();
    let beds: Vec<Bed> = chosen.into_par_iter().filter_map(|trial| Bed::new(trial, &LEDGER)).collect();
    let faults: Vec<(usize, u64)> = (0..beds.len()).flat_map(|bed| (0..seeds).map(move |seed| (bed, seed))).collect();
    let planted: Vec<Planted> = faults.into_par_iter().map(|(bed, seed)| beds[bed].plant(&LEDGER, seed)).collect();
    let covered: Vec<&String> =
        planted.iter().filter_map(|one| if let Planted::Covered(what) = one { Some(what) } else { None }).collect();
    assert!(
        covered.is_empty(),
        "{} planted faults pass for known:\n{}",
        covered.len(),
        covered.iter().take(5).map(|one| one.as_str()).collect::<Vec<_>>().join("\n")
    );
    (beds.len(), planted.iter().filter(|one| **one == Planted::New).count())
}

/// One in three of the frozen objects; every night five bugs in each.
#[test]
fn a_second_fault_is_never_covered() {
    let (step, seeds) = if testing::samples::all() { (1, 5) } else { (3, 1) };
    let frozen = |nth: usize, trial: &matrix::trial::Trial| {
        nth.is_multiple_of(step) && matches!(trial.subject, Subject::Frozen { .. })
    };
    let (beds, faults) = plant(frozen, seeds);
    assert!(beds * step >= 30 && faults * step > 5, "{faults} faults in {beds} files");
}

/// All files of builds on this machine: takes minutes.
#[test]
#[ignore = "minutes: every trial with known errors"]
fn no_fault_is_covered_anywhere() {
    let began = Instant::now();
    let (beds, faults) = plant(|_, _| true, 40);
    println!("{faults} faults in {beds} files, {:.0} s", began.elapsed().as_secs_f64());
}
