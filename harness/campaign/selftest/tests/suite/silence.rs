//! `score --silence`: a wrong value in any field of a frozen object is noticed.

use std::fs;
use std::sync::LazyLock;

use check::Options;
use selftest::journal::Journal;
use selftest::score::silence::{Fate, Silence, SilenceFile, print, silence, to_json};
use testing::{frozen, scratch};
use types::Bytes;

const SEED: u64 = 1;

/// The files, of which nothing is executed.
static STATIC: LazyLock<Vec<SilenceFile>> = LazyLock::new(|| files(&Options::static_only()));

/// A shared object of each target, and an object.
fn files(options: &Options) -> Vec<SilenceFile> {
    let open = |name: &str| {
        let bytes = Bytes::from(fs::read(frozen(name)).expect("a frozen object"));
        SilenceFile::new(name, bytes, options.clone()).expect("it is judged")
    };
    let shared = ["x86_64/gas-2.44--v2", "aarch64/gas-2.40--v1", "s390x/gas-2.47.50--v3"];
    let shared = shared.map(|target| open(&format!("{target}--gcc12-O2--so")));
    shared.into_iter().chain([open("x86_64/gas-2.44--v2--gcc12-O2--o")]).collect()
}

/// Number of wrong values: every night some for each field.
fn count() -> usize {
    if testing::samples::all() { 160 } else { 20 }
}

/// Readers that share no code with the judge select the wrong values, and determine what changes.
/// Silent is what `--gaps` lists, and the rule of a register that no run judged: exploration judges
/// none but FP and SP.
#[test]
fn a_wrong_value_in_any_field_is_noticed() {
    // Each is explored twice.
    let count = if testing::samples::all() { count() } else { count() / 2 };
    let all = silence(&files(&Options::exploring()), SEED, count, None).expect("planted");
    let sum = Silence::new(&all);
    assert!(sum.planted * 10 >= count * 9 && sum.error * 10 >= count * 7, "{sum:?}");
    let mut text = Vec::new();
    print(&all, &mut text).expect("a vector takes all");
    let text = String::from_utf8_lossy(&text);
    let silent = text.lines().filter(|line| line.starts_with("silent ("));
    let is_known = |line: &str| line.starts_with("silent (register,") || line.contains(", listed)");
    assert!(silent.clone().all(is_known), "{text}");
    assert!(sum.silent * 10 <= sum.planted && silent.count() == sum.silent, "{text}");
    let places = to_json(&all)["places"].as_object().expect("places").len();
    assert!(places > count / 4, "{places} places");
}

/// Without execution, what only the code shows is not noticed, and each is printed with its cause.
#[test]
fn without_execution_some_are_silent() {
    let all = silence(&STATIC, SEED, count(), None).expect("planted");
    let sum = Silence::new(&all);
    assert!(sum.silent > 0 && !sum.passes(), "{sum:?}");
    let mut text = Vec::new();
    print(&all, &mut text).expect("a vector takes all");
    let text = String::from_utf8_lossy(&text);
    assert_eq!(text.lines().filter(|line| line.starts_with("silent (")).count(), sum.silent, "{text}");
}

#[test]
fn what_a_journal_has_is_not_planted_again() {
    let folder = scratch::folder();
    let count = |count| {
        let journal = Journal::open(folder.path()).expect("a folder");
        silence(&STATIC, SEED, count, Some(&journal)).expect("planted")
    };
    let first = count(8);
    let path = folder.path().join("planted.jsonl");
    let text = fs::read_to_string(&path).expect("results");
    fs::write(&path, text.replace("\"fate\":{\"error\":", "\"fate\":{\"refused\":")).expect("written");
    let both = count(12);
    assert_eq!(both.len(), first.len() + 4);
    let refused = both.iter().filter(|one| matches!(one.fate, Fate::Refused(_))).count();
    assert!((1..=8).contains(&refused), "{refused} of those in the journal are as it has them");
}
