//! The judge passes the blind test: random damage to real files is reported if it has an effect,
//! with the right kind and blame, and not otherwise. The test can fail: judges that miss,
//! downgrade, exaggerate or always blame one tool do not pass.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use check::Options;
use generators::blind::{BrokenClause, DamagedPart, Effect, Unseen};
use results::{Blame, Finding, Report, Shape};
use selftest::score::blind::{
    BlindFate, BlindFile, BlindResult, BlindScore, Class, Demand, KnownFinding, MutantId, Sources, blind, files, one,
    print, show, to_json,
};
use spec::RuleId;
use testing::samples;

use crate::judges;

const SEED: u64 = 1;

/// Small frozen objects, and a program of each target and version.
static FILES: LazyLock<Vec<BlindFile>> = LazyLock::new(|| {
    let frozen = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../cases/objects");
    let sources = |filter: &str, generated| {
        let sources =
            Sources { seed: SEED, filter: filter.to_owned(), frozen: Some(frozen.clone()), generated, built: 0 };
        files(&sources, None).expect("the frozen objects can be read").0
    };
    let mut files = sources("hand--o", 0);
    files.extend(sources("O2--exe", 0));
    files.extend(sources("generated/", 1));
    files
});

/// The judged mutants of [`FILES`]: more at night.
static OWN: LazyLock<BlindScore> = LazyLock::new(|| blind(&FILES, SEED, drawn(), &judges::own));

fn drawn() -> usize {
    if samples::all() { 420 } else { 200 }
}

fn shown<'m>(mutants: impl Iterator<Item = &'m BlindResult>) -> String {
    let mut text = Vec::new();
    mutants.for_each(|mutant| show(mutant, &mut text).expect("a vector takes all"));
    String::from_utf8(text).expect("text")
}

fn count(score: &BlindScore, of: impl Fn(&BlindResult) -> bool) -> usize {
    score.mutants.iter().filter(|mutant| of(mutant)).count()
}

#[test]
fn damage_is_reported_as_what_it_is() {
    let score = &*OWN;
    let count = drawn();
    let failures = || score.failures().filter(|failure| !is_known(failure));
    assert_eq!(failures().count(), 0, "{}", shown(failures()));
    assert!(FILES.len() > 25 && score.mutants.len() > count - 10, "{} of {}", score.mutants.len(), FILES.len());
    let classes: BTreeSet<Class> = score.mutants.iter().map(|mutant| mutant.class).collect();
    assert!(classes.len() >= 8, "{classes:?}");
    let targets: BTreeSet<DamagedPart> = score.mutants.iter().map(|mutant| mutant.mutant.damage.target).collect();
    assert_eq!(targets.len(), 6);
    let pairs: BTreeSet<_> = score.mutants.iter().map(|mutant| (mutant.abi, mutant.version)).collect();
    assert_eq!(pairs.len(), 14, "{pairs:?}");
    let (rows, unseen) = score.witnessed();
    assert!(rows > 40 && unseen * 10 < rows, "{unseen} of {rows}");
    let mut text = Vec::new();
    print(score, &mut text).expect("a vector takes all");
    let text = String::from_utf8(text).expect("text");
    assert!(text.contains("wrong blame 0, false alarms 0, panics 0"), "{text}");
    let listed = to_json(score)["failures"].as_array().map(Vec::len);
    assert_eq!(listed, Some(score.failures().count()));
}

/// Damage to `.eh_frame_hdr` and a second PT_GNU_SFRAME, in shared objects of every target, is
/// blamed on the linker.
#[test]
fn damage_to_what_unwinders_search_first_is_the_linkers() {
    let sources = Sources {
        seed: SEED,
        filter: "O2--so".to_owned(),
        frozen: Some(testing::root().join("cases/objects")),
        generated: 0,
        built: 0,
    };
    let (files, _) = files(&sources, None).expect("the frozen objects can be read");
    let score = blind(&files, SEED, 600, &judges::own);
    let mut broken = BTreeSet::new();
    let mut targets = BTreeSet::new();
    for mutant in &score.mutants {
        let Effect::Headers(flaws) = &mutant.mutant.effect else { continue };
        let is_second = flaws.iter().any(|(flaw, _)| *flaw == BrokenClause::OneSegment);
        if flaws.is_empty() || !is_second && mutant.mutant.damage.target != DamagedPart::EhFrameHdr {
            continue;
        }
        assert_eq!(mutant.fate, BlindFate::Right, "{}", shown([mutant].into_iter()));
        broken.extend(flaws.iter().map(|(flaw, _)| *flaw));
        targets.insert(mutant.abi);
    }
    let kinds = [
        BrokenClause::OneSegment,
        BrokenClause::HdrVersion,
        BrokenClause::HdrPointer,
        BrokenClause::HdrCount,
        BrokenClause::HdrSorted,
        BrokenClause::HdrEntry,
        BrokenClause::HdrCovers,
        BrokenClause::HdrEmpty,
    ];
    assert!(kinds.iter().all(|kind| broken.contains(kind)), "{broken:?}");
    assert_eq!(targets.len(), 4, "{targets:?}");
}

/// Bugs that the judge is known to miss. Remove a cause that is fixed.
fn is_known(failure: &BlindResult) -> bool {
    if failure.fate != BlindFate::Missed {
        return false;
    }
    match &failure.mutant.effect {
        // The contents of a segment at PT_GNU_SFRAME's address are checked only in part.
        Effect::Headers(flaws) => flaws.iter().all(|(flaw, _)| *flaw == BrokenClause::Segment),
        // Functions of size 0 keep their rows.
        Effect::Invalid(flaws) => flaws.iter().all(|(flaw, _)| *flaw == BrokenClause::RowStart),
        Effect::Rows(_) | Effect::InvalidCfi(_) | Effect::Lost(_) | Effect::Redundant | Effect::Nothing => false,
    }
}

/// Programs that overwrite saved values on purpose: the correct table waits for the end of the
/// function, the damaged one does not, and no other tool is blamed.
#[test]
fn a_fault_beside_a_slot_written_over_is_charged_alone() {
    for name in ["generated/1/000026-s390x-v2e1", "generated/1/000011-aarch64-be-v3"] {
        let sources = Sources { seed: SEED, filter: name.to_owned(), frozen: None, generated: 2, built: 0 };
        let (files, _) = files(&sources, None).expect("generated programs need no files");
        let score = blind(&files, SEED, 80, &judges::own);
        let damaged = |mutant: &&BlindResult| {
            mutant.mutant.damage.target != DamagedPart::Container && mutant.class == Class::RowsExecutedCovered
        };
        let damaged: Vec<&BlindResult> = score.mutants.iter().filter(damaged).collect();
        assert!(damaged.len() > 3, "{name}: {}", damaged.len());
        let wrong = damaged.into_iter().filter(|mutant| mutant.fate.is_failure());
        assert_eq!(wrong.clone().count(), 0, "{}", shown(wrong));
    }
}

/// GCC's rows of realigned frames are wrong after `pop %rbp`; a damaged descriptor that covers them
/// is right there by chance.
#[test]
fn an_error_of_both_tables_that_one_is_left_with_was_there_before() {
    let id: MutantId = "91:0:frozen/x86_64/gas-2.44--v2--gcc12-O0--exe".parse().expect("a name");
    let frozen = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../cases/objects");
    let sources = Sources { seed: SEED, filter: id.file.clone(), frozen: Some(frozen), generated: 0, built: 0 };
    let (files, _) = files(&sources, None).expect("the frozen objects can be read");
    let judged = one(&files[0], &id, &judges::own).expect("its mutant");
    assert!(judged.findings.iter().any(|line| line.contains("elf/function-in-code=assembler-or-linker")));
    assert_eq!(judged.fate, BlindFate::Right, "{}", shown([&judged].into_iter()));
}

#[test]
fn the_same_seed_gives_the_same_mutants_with_any_number_of_threads() {
    let quiet = |_: &str, _: &[u8], _: &Options| Report::default();
    let bytes = |score: BlindScore| -> Vec<(MutantId, Vec<u8>)> {
        score.mutants.into_iter().map(|mutant| (mutant.id, mutant.mutant.bytes)).collect()
    };
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let first = bytes(alone.install(|| blind(&FILES[..8], SEED, 60, &quiet)));
    assert_eq!(first, bytes(blind(&FILES[..8], SEED, 60, &quiet)));
    assert_ne!(first, bytes(blind(&FILES[..8], SEED + 1, 60, &quiet)));
    // A name alone reproduces the mutant.
    let (id, want) = &first[42];
    let id: MutantId = id.to_string().parse().expect("a name");
    let file = FILES.iter().find(|file| file.name == id.file).expect("its file");
    assert_eq!(one(file, &id, &quiet).expect("its mutant").mutant.bytes, *want);
    assert!("1:frozen".parse::<MutantId>().is_err() && "x:1:f".parse::<MutantId>().is_err());
}

/// A judge that reports a row as wrong which was already wrong before the damage has not missed it:
/// in the outermost function, for example, no CFA is right. Here the damaged row was wrong before.
#[test]
fn what_was_wrong_before_and_is_reported_is_not_missed() {
    let judge = judges::own;
    let executed = |one: &&BlindResult| {
        matches!(one.class, Class::RowsExecuted | Class::RowsExecutedCovered) && one.demand == Demand::Error
    };
    let mut right = 0;
    for drawn in OWN.mutants.iter().filter(executed).take(20) {
        let file = FILES.iter().find(|file| file.name == drawn.id.file).expect("its file");
        let report = judge(&file.name, &drawn.mutant.bytes, &file.options);
        let known = |found: &Finding| KnownFinding {
            fingerprint: found.fingerprint().to_owned(),
            blame: found.blame(),
            severity: found.severity,
            field: found.evidence.field,
            executed: found.evidence.executed,
            ranges: found.evidence.ranges.clone(),
        };
        let known = report.discrepancies.iter().map(known).collect();
        let before = BlindFile { known, ..file.clone() };
        let fate = |judge| one(&before, &drawn.id, judge).expect("a mutant").fate;
        right += usize::from(fate(&judge) == BlindFate::Right);
        assert_eq!(fate(&|_, _, _| Report::default()), BlindFate::Missed, "{}", drawn.id);
    }
    assert!(right > 2, "{right}");
}

/// Three undecidable rows of a hundred are few, a third is not.
#[test]
fn many_rows_that_nobody_can_see_show_nothing() {
    let rows = || OWN.mutants.iter().filter(|one| one.class.is_witnessed() && one.demand == Demand::Error).cloned();
    let score = |unseen: usize| {
        let mut mutants: Vec<BlindResult> = rows().cycle().take(100).collect();
        mutants.iter_mut().take(unseen).for_each(|one| one.demand = Demand::Unseen(Unseen::Expression));
        BlindScore { mutants, ..BlindScore::default() }
    };
    assert!(score(0).is_witnessed() && score(3).is_witnessed() && !score(33).is_witnessed());
    let mut text = Vec::new();
    print(&score(33), &mut text).expect("a vector takes all");
    assert!(String::from_utf8_lossy(&text).contains("failed: more than 2 % of the changed rows cannot be detected"));
}

#[test]
fn a_blind_judge_misses_all() {
    let score = blind(&FILES, SEED, 160, &|_, _, _| Report::default());
    let demanded = |mutant: &BlindResult| matches!(mutant.demand, Demand::Error | Demand::Refusal | Demand::Gap);
    let missed = count(&score, |mutant| mutant.fate == BlindFate::Missed);
    assert!(missed > 100 && missed == count(&score, demanded), "{missed}");
    assert!(!score.passes());
}

/// Warnings are not enough.
#[test]
fn a_timid_judge_misses() {
    let score = blind(&FILES, SEED, 80, &judges::timid);
    let caught = |mutant: &BlindResult| mutant.demand == Demand::Error && mutant.fate == BlindFate::Right;
    assert_eq!(count(&score, caught), 0);
    assert!(count(&score, |mutant| mutant.fate == BlindFate::Missed) > 40);
}

/// A change without effect is distinguished from one with an effect.
#[test]
fn a_noisy_judge_raises_false_alarms() {
    let noisy = |_: &str, _: &[u8], _: &Options| Report {
        discrepancies: vec![Finding::new(RuleId::HeaderMagic, Blame::Assembler, ".sframe", Shape::Rule)],
        ..Report::default()
    };
    let score = blind(&FILES, SEED, 200, &noisy);
    let quiet = count(&score, |mutant| mutant.demand == Demand::Quiet);
    assert!(quiet > 3, "{quiet}");
    assert_eq!(quiet, count(&score, |mutant| mutant.fate == BlindFate::FalseAlarm));
}

/// A judge that always blames the compiler is right about what both tables have alike, and about
/// nothing else.
#[test]
fn a_judge_with_a_grudge_is_found_out() {
    let score = blind(&FILES, SEED, 160, &judges::grudge);
    assert!(count(&score, |mutant| mutant.fate == BlindFate::WrongBlame) > 40);
    let right = |score: &BlindScore, target: DamagedPart| {
        let is_right = |mutant: &BlindResult| mutant.demand == Demand::Error && mutant.fate == BlindFate::Right;
        count(score, |mutant| mutant.mutant.damage.target == target && is_right(mutant))
    };
    assert_eq!(right(&score, DamagedPart::Sframe) + right(&score, DamagedPart::Linker), 0);
    let generated: Vec<BlindFile> = FILES.iter().filter(|file| file.name.starts_with("generated/")).cloned().collect();
    assert!(right(&blind(&generated, SEED, 160, &judges::grudge), DamagedPart::Both) > 0);
}

#[test]
fn a_judge_that_panics_has_failed() {
    let score = blind(&FILES[..1], SEED, 3, &|_, _, _| panic!("a judge of this test"));
    assert_eq!(count(&score, |mutant| mutant.fate == BlindFate::Panicked), score.mutants.len());
    assert!(!score.passes() && !score.mutants.is_empty());
}
