//! Random C programs with the installed compilers: their results are right, planted bugs are found,
//! known ones hide none, and each cause of the ledger is shown by the programs that prove it. Tests
//! a program of every second entry with the newest compiler; `SAMPLES=all` tests all with each,
//! plants bugs in 25 programs of each compiler and ABI, and measures the repairs of 1,000 planted
//! bugs of each (`REPAIRS=N`: of N), and the blame of stand-ins of the assembler (`BLAMES=N`: N
//! trials of each). A compiler that is not installed is ignored, with the command that fetches it.

mod blamed;
mod plant;
mod repaired;

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsStr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use generators::c::Program;
use generators::cfi_text::Text as _;
use ledger::known::{Compiled, Proof, RecordedCause, WRONG_RESULT};
use ledger::{Home, Ledger};
use libtest_mimic::{Arguments, Failed, Trial, run};
use results::ProgramCause;
use selftest::compiled::observe::{ProgramEnd, ProgramResult, observe};
use selftest::compiled::options::{ChoiceError, Choices, Family, OptionsError, SHIPPED};
use selftest::compiled::subject::{self, CompilerSubject};
use testing::samples;
use toolchain::entry::unknown_abi;
use toolchain::producers::Producers;
use types::Abi;

fn main() -> ExitCode {
    if env::args_os().nth(1).as_deref() == Some(OsStr::new(check::client::SUBCOMMAND)) {
        return check::serve().map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    check::client::are_this_program();
    let home = Home::checkout().expect("tests run in it");
    let producers = Producers::new(None, &home.root).expect("the producers' file");
    let subjects = subject::all(&producers, &[]).expect("no compiler is named");
    let ledger = Arc::new(Ledger::read(&home).expect("the ledger"));
    let choices = Arc::new(Choices::read(&home.root.join(SHIPPED)).expect("the options"));
    let own = Arc::clone(&choices);
    let mut tests = vec![
        Trial::test("a_seed_gives_one_set_of_options", move || a_seed_gives_one_set_of_options(&own)),
        Trial::test("options_that_contradict_themselves_are_refused", options_are_checked),
    ];
    for subject in &subjects {
        let own = subject.clone();
        tests.push(Trial::test(format!("{}::{}::computes", subject.name, subject.abi), move || computes(&own)));
        let own = (subject.clone(), Arc::clone(&ledger), Arc::clone(&choices));
        let name = format!("{}::{}::hides_none", subject.name, subject.abi);
        // With this one, nearly every program shows a known cause.
        let is_sample = subject.family == Family::Clang && subject.abi == Abi::S390x;
        match (samples::all(), is_sample) {
            (true, _) => tests.push(Trial::test(name, move || plant::none_hides(&own.0, &own.1, &own.2, 25))),
            (false, true) => tests.push(Trial::test(name, move || plant::none_hides(&own.0, &own.1, &own.2, 1))),
            (false, false) => {}
        }
        let own = (subject.clone(), Arc::clone(&choices));
        let name = format!("{}::{}::repaired", subject.name, subject.abi);
        // A few by day, where one miss would be more than the share that is allowed.
        let count = env::var("REPAIRS").ok().and_then(|count| count.parse().ok());
        let count = count.or(samples::all().then_some(1_000)).or((subject.abi == Abi::Amd64).then_some(8));
        if let Some(count) = count {
            tests.push(Trial::test(name, move || repaired::are_found(&own.0, &own.1, count)));
        }
        let own = (subject.clone(), home.root.clone(), Arc::clone(&choices));
        let name = format!("{}::{}::blamed", subject.name, subject.abi);
        let count = env::var("BLAMES").ok().and_then(|count| count.parse().ok());
        let is_same = |other: &&CompilerSubject| other.family == subject.family && other.abi == subject.abi;
        let is_newest = subjects.iter().rfind(is_same).is_some_and(|newest| newest.name == subject.name);
        if let Some(count) = count.or(samples::all().then_some(5)).filter(|_| is_newest) {
            tests.push(Trial::test(name, move || blamed::are_attributed(&own.0, &own.1, &own.2, count)));
        }
        if subject.abi == Abi::Amd64 {
            let own = (subject.clone(), Arc::clone(&ledger));
            let name = format!("{}::{}::planted", subject.name, subject.abi);
            tests.push(Trial::test(name, move || planted_faults_are_found(&own.0, &own.1)));
        }
    }
    for entry in producers.entries().filter(|entry| ["gcc", "clang"].contains(&entry.name.as_str())) {
        for abi in Abi::ALL {
            let absent = producers.absent(entry, abi).into_iter();
            tests.extend(absent.map(|absent| {
                let name = format!("{}@{}::{abi}::computes", entry.name, absent.version);
                Trial::test(name, || Ok(())).with_kind(absent.why).with_ignored_flag(true)
            }));
        }
    }
    for index in (0..ledger.entries.len()).step_by(if samples::all() { 1 } else { 2 }) {
        let entry = &ledger.entries[index];
        let proofs = entry.causes.iter().flat_map(|cause| cause.proofs.iter().map(move |proof| (cause, proof)));
        let all = if samples::all() { usize::MAX } else { 1 };
        for (cause, proof) in proofs.take(all) {
            let is_due = |one: &&CompilerSubject| one.proves(entry, proof);
            // The last is the newest.
            for subject in subjects.iter().filter(is_due).rev().take(all) {
                let name = format!("{}::{}::{} {}", subject.name, subject.abi, proof.file, proof.options);
                let own = (subject.clone(), home.root.clone(), Arc::clone(&ledger), cause.clone(), proof.clone());
                tests.push(Trial::test(name, move || is_proven(&own.0, &own.1, &own.2, &own.3, &own.4)));
            }
        }
    }
    run(&Arguments::from_args(), tests).exit_code()
}

fn seen(subject: &CompilerSubject, text: &str, options: &str) -> Result<ProgramResult, Failed> {
    observe(subject, text, options).map_err(|error| Failed::from(error.to_string()))
}

/// Two programs of each target, at the level that most users have.
fn computes(subject: &CompilerSubject) -> Result<(), Failed> {
    for seed in [2, 5] {
        let text = Program::draw(subject.target(), seed).text();
        let seen = seen(subject, &text, "-O2")?;
        if seen.end != ProgramEnd::Right {
            return Err(format!("seed {seed}: {:?}: {:?}\n{text}", seen.end, seen.causes).into());
        }
    }
    Ok(())
}

/// A program in which one function pushes without a directive, and another describes a frame that
/// is gone: each is found, and a record of one does not cover the other.
fn planted_faults_are_found(subject: &CompilerSubject, ledger: &Ledger) -> Result<(), Failed> {
    let text = format!("{PLANTED}{}", start());
    let seen = seen(subject, &text, "-O2 -fomit-frame-pointer")?;
    let program = Compiled { text: &text, options: "" };
    // An old assembler adds a bug of its own.
    let is_new = |cause: &&ProgramCause| subject.entry_of(ledger, cause, program).is_none();
    let new: Vec<&ProgramCause> = seen.causes.keys().filter(is_new).collect();
    let titles: Vec<String> = new.iter().map(|cause| cause.title()).collect();
    let has = |form: &str| new.iter().any(|cause| cause.shape.starts_with(form));
    let forms = ["insert .cfi_adjust_cfa_offset N after push R", "delete .cfi_adjust_cfa_offset N after mov R"];
    if !forms.iter().all(|form| has(form)) {
        return Err(format!("{titles:#?}\n{text}").into());
    }
    let record = |cause: &ProgramCause| RecordedCause {
        arch: "amd64".to_owned(),
        repairs: vec![cause.shape.clone()],
        frames: vec![cause.after.clone()],
        shows: Vec::new(),
        needs: Vec::new(),
        proofs: Vec::new(),
    };
    for known in &new {
        let left = new.iter().filter(|cause| !record(known).covers(cause, program)).count();
        if left + 1 != new.len() {
            return Err(format!("{} hides another, of {titles:#?}", known.title()).into());
        }
    }
    Ok(())
}

const PLANTED: &str = r#"
__attribute__((noinline)) void pushes(void) { asm volatile ("push %%rdx\nnop\npop %%rdx" ::: "rdx", "memory"); }
__attribute__((noinline)) void claims(void)
{
    asm volatile ("mov %%rdx,%%rcx\n.cfi_adjust_cfa_offset 8\nnop\n.cfi_adjust_cfa_offset -8" ::: "rcx");
}
__attribute__((noinline)) int test(void) { pushes(); claims(); return 0; }
"#;

/// The beginning of every random program.
fn start() -> String {
    let target = generators::c::CompilerTarget { abi: Abi::Amd64, compiler: Family::Gcc.compiler() };
    let text = Program::draw(target, 0).text();
    text.find("#ifdef SPLIT").map(|at| text[at..].to_owned()).unwrap_or_default()
}

/// The program shows the cause and no new ones, and its result is right.
fn is_proven(
    subject: &CompilerSubject,
    home: &Path,
    ledger: &Ledger,
    cause: &RecordedCause,
    proof: &Proof,
) -> Result<(), Failed> {
    let path = home.join("cases/compiled").join(&proof.file);
    let text = std::fs::read_to_string(&path).map_err(|error| Failed::from(format!("{}: {error}", path.display())))?;
    let seen = seen(subject, &text, &proof.options)?;
    let program = Compiled { text: &text, options: &proof.options };
    let (covered, mut others): (Vec<_>, Vec<_>) = seen.causes.keys().partition(|shown| cause.covers(shown, program));
    others.retain(|other| subject.entry_of(ledger, other, program).is_none());
    // A wrong result and a crash are the cause itself.
    let is_end = match seen.end {
        ProgramEnd::Right | ProgramEnd::NotBuilt => true,
        ProgramEnd::Wrong => cause.is_of(WRONG_RESULT),
        ProgramEnd::NotCompiled => cause.is_of("crash"),
        ProgramEnd::Unfinished => false,
    };
    match (covered.is_empty(), others.is_empty() && is_end, seen.end) {
        (false, true, _) => Ok(()),
        (covered, _, end) => Err(format!(
            "{}: {} {end:?}; others: {others:#?}",
            proof.file,
            if covered { "the cause does not recur" } else { "the cause recurs" }
        )
        .into()),
    }
}

/// Sets depend on the seed alone; each has one level, and at most one option of a group.
fn a_seed_gives_one_set_of_options(choices: &Choices) -> Result<(), Failed> {
    let version = results::ToolVersion::new("12.2.0");
    let mut all = BTreeSet::new();
    for seed in 0..400 {
        let draw = || choices.draw(Family::Gcc, &version, Abi::Amd64, seed);
        let set = draw();
        assert_eq!(set, draw());
        let levels = set.iter().filter(|choice| choice.group.as_deref() == Some("level")).count();
        let groups: Vec<&String> = set.iter().filter_map(|choice| choice.group.as_ref()).collect();
        let distinct: BTreeSet<&&String> = groups.iter().collect();
        assert_eq!((levels, distinct.len()), (1, groups.len()), "{set:?}");
        assert!(set.iter().all(|choice| choice.compiler != Some(Family::Clang)), "{set:?}");
        all.insert(set.iter().map(|choice| choice.name.clone()).collect::<Vec<_>>());
    }
    assert!(all.len() > 150, "{}", all.len());
    Ok(())
}

fn options_are_checked() -> Result<(), Failed> {
    let level = "- {name: O2, words: -O2, group: level}\n";
    let parse = |text: &str| Choices::parse(Path::new("o.yaml"), text);
    parse(level)?;
    let refused = |more: &str| match parse(&format!("{level}{more}")) {
        Err(OptionsError::Choice { error, .. }) => error,
        other => panic!("{more}: {other:?}"),
    };
    assert_eq!(refused("- {name: O2, words: -O3}"), ChoiceError::Twice(Abi::Amd64));
    assert_eq!(refused("- {name: a b, words: -O3}"), ChoiceError::Name);
    assert_eq!(refused("- {name: a, words: O3}"), ChoiceError::Words);
    assert_eq!(refused("- {name: a, words: -O3, weight: 0}"), ChoiceError::Weight);
    assert_eq!(refused("- {name: a, words: -O3, abis: [vax]}"), ChoiceError::NoAbi(unknown_abi("vax").into()));
    assert!(matches!(parse("- {name: a, words: -O3, compilers: gcc}"), Err(OptionsError::Yaml(_))));
    assert!(matches!(parse("- {name: a, words: -a}"), Err(OptionsError::NoLevel { .. })));
    parse(&format!("{level}- {{name: a, words: -a, compiler: gcc}}\n- {{name: a, words: -b, compiler: clang}}"))?;
    Ok(())
}
