//! Untrusted code is executed in worker processes: a worker gives the same result as this process,
//! and its death makes one run undecided, with the position, without affecting reports on other
//! files. For the command see `runner/tests/suite/command/workers.rs`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use check::client::{Limits, Pool};
use check::{Execution, Include, Options, check_image};
use generators::code::Function;
use generators::elf::FileKind;
use generators::sample::Sample;
use results::{Deny, Outcome};
use testing::program::write_program;
use testing::scratch;
use types::{Abi, Bytes, SframeVersion, StopReason, UndecidedReason};

use crate::{check, worker};

/// `sqxbr %f0,%f0; br %r14`, with a reserved bit of the first set. Unicorn 2.1.5 crashes (SIGSEGV)
/// when it translates that, before any hook is called.
const DEADLY: [u8; 6] = [0xb3, 0x16, 0x10, 0x00, 0x07, 0xfe];

/// `_start` calls `framed`, which calls `leaf`, and exits; there are also functions that nothing
/// calls. `leaf` and these have this code.
fn sample(leaf: Option<&[u8]>, uncalled: usize) -> Vec<u8> {
    let abi = Abi::S390x;
    let with = |name: &str| {
        let plain = Function::leaf(abi, name);
        Function { code: leaf.map_or_else(|| plain.code.clone(), <[u8]>::to_vec), ..plain }
    };
    let mut functions = vec![Function::framed(abi, "framed", "leaf"), with("leaf")];
    functions.extend((0..uncalled).map(|number| with(&format!("uncalled{number}"))));
    functions.push(Function::start(abi, "_start", "framed"));
    let sample = Sample::new(abi, SframeVersion::V3, FileKind::Executable, functions).expect("a sample");
    sample.bytes().expect("a file")
}

/// The smallest frozen program and shared object of each target: the worker's answer is complete.
#[test]
fn a_worker_brings_back_what_would_have_been_found_here() {
    let (mut executed, mut findings, mut compared) = (0, 0, 0);
    let targets = fs::read_dir(testing::root().join("cases/objects")).expect("the frozen objects");
    let targets: Vec<PathBuf> =
        targets.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir()).collect();
    for (target, kind) in targets.iter().flat_map(|target| [(target, "exe"), (target, "so")]) {
        let of_kind = fs::read_dir(target).expect("objects").map(|entry| entry.expect("an entry").path());
        let of_kind = of_kind.filter(|path| path.to_string_lossy().ends_with(&format!("--{kind}")));
        let size = |path: &PathBuf| (fs::metadata(path).map_or(0, |about| about.len()), path.clone());
        let Some(path) = of_kind.min_by_key(size) else { continue };
        let of_kind = if kind == "so" { Options::exploring() } else { Options::default() };
        let options = Options { include: [Include::Features].into(), limits: check::Limits::steps(5_000), ..of_kind };
        let (name, bytes) = (path.display().to_string(), Bytes::from(fs::read(&path).expect("a frozen object")));
        let image = elf::load(&name, &bytes).expect("loads");
        let (there, here) = (check(&name, &bytes, &options), check_image(&image, &options));
        assert_eq!(there, here, "{name}");
        compared += 1;
        executed += there.report.summary.steps_executed;
        findings += there.report.discrepancies.len();
    }
    assert!(
        compared == 2 * Abi::ALL.len() && executed > 20_000 && findings > 3,
        "{compared} files, {executed} steps, {findings} findings"
    );
}

#[test]
fn a_death_is_an_undecided_run_with_its_place_and_everything_else_is_judged() {
    let deadly = check("deadly", &sample(Some(&DEADLY), 0).into(), &Options::default());
    let report = &deadly.report;
    let [undecided] = report.undecided.as_slice() else { panic!("{report:?}") };
    assert_eq!(undecided.reason, UndecidedReason::Stopped(StopReason::EngineDied));
    // Not the call, which is the last instruction that was reached.
    for part in [" at leaf: ", "(SIGSEGV) when it translated (undecoded b3161000) at leaf"] {
        assert!(undecided.message.contains(part), "{}", undecided.message);
    }
    assert_eq!(report.outcome(Deny::default()), Outcome::Undecided);
    assert!(report.error.is_none());
    // Steps before the death are judged, and the tables are compared.
    let whole = check("plain", &sample(None, 0).into(), &Options::default()).report;
    assert_eq!(whole.outcome(Deny::default()), Outcome::Clean, "{whole:?}");
    assert!(report.summary.steps_judged >= 4, "{:?}", report.summary);
    assert!(report.summary.steps_judged < whole.summary.steps_judged);
    assert_eq!(report.summary.pcs_compared_static, whole.summary.pcs_compared_static);
    // Another worker gives the same result.
    assert_eq!(check("deadly", &sample(Some(&DEADLY), 0).into(), &Options::default()), deadly);
}

/// A block is translated as a whole before its first instruction executes.
#[test]
fn the_instruction_is_named_wherever_in_its_block_it_is() {
    // nop; nop; sqxbr; br.
    let code = [&[0x07, 0x00, 0x07, 0x00], &DEADLY[..]].concat();
    let report = check("deadly", &sample(Some(&code), 0).into(), &Options::default()).report;
    let message = report.undecided.first().map_or("", |undecided| &undecided.message);
    assert!(message.contains(" at leaf: ") && message.ends_with("(undecoded b3161000) at leaf+0x4"), "{message}");
}

/// A worker that executes `what` when it reaches the fifth instruction of the first run, and is
/// replaced by a normal one.
fn at_first(folder: &Path, what: &str, executing: Duration) -> Pool {
    let position: Vec<u8> = [1, 5, 0, 1].into_iter().flat_map(u64::to_ne_bytes).collect();
    fs::write(folder.join("position"), position).expect("a file");
    let script = format!(
        "#!/bin/sh\ncd '{}'\nif [ -e position ]; then cat position 1<>/proc/self/fd/2; rm position; {what}; fi\nexec '{}' \"$@\"\n",
        folder.display(),
        worker().display()
    );
    let path = folder.join("worker");
    write_program(&path, &script);
    Pool::new(path, Limits { executing, judging: Duration::from_secs(60) })
}

/// A worker that makes no progress, or reaches its memory limit: the run ends there, the rest is
/// complete.
#[test]
fn a_worker_that_hangs_or_has_no_memory_left_is_replaced() {
    let bytes = Bytes::from(sample(None, 0));
    let whole = check("plain", &bytes, &Options::default());
    for (what, reason, says) in [
        ("while :; do :; done", StopReason::EngineHung, "the emulator hung and was killed at "),
        ("echo memory allocation of 64 bytes failed >&2; kill -ABRT $$", StopReason::MemoryLimit, "memory limit at "),
    ] {
        let folder = scratch::folder();
        let pool = at_first(folder.path(), what, Duration::from_millis(100));
        let began = Instant::now();
        let report = pool.check("plain", &bytes, &Options::default()).report;
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
        let [undecided] = report.undecided.as_slice() else { panic!("{report:?}") };
        assert_eq!(undecided.reason, UndecidedReason::Stopped(reason));
        let message = &undecided.message;
        assert!(
            message.starts_with("the run ended after 4 instructions at framed") && message.contains(says),
            "{message}"
        );
        assert_eq!(report.summary.steps_judged, 4);
        assert_eq!(report.outcome(Deny::default()), Outcome::Undecided);
        // The next file gets a working worker.
        assert_eq!(pool.check("plain", &bytes, &Options::default()), whole);
    }
}

/// A worker that only sleeps uses no processor time: the wall-clock limit ends it.
#[test]
fn a_worker_that_sleeps_is_replaced() {
    let bytes = Bytes::from(sample(None, 0));
    let folder = scratch::folder();
    let pool = at_first(folder.path(), "exec sleep 100", Duration::from_millis(5));
    let report = pool.check("plain", &bytes, &Options::default()).report;
    assert_eq!(report.undecided.first().map(|one| one.reason), Some(UndecidedReason::Stopped(StopReason::EngineHung)));
}

/// A stopped worker (SIGSTOP) is continued, whether it has read its request (here more than a pipe
/// holds) or not.
#[test]
fn a_worker_that_was_stopped_is_continued() {
    let mut bytes = sample(None, 0);
    bytes.resize(1 << 20, 0);
    let bytes = Bytes::from(bytes);
    let folder = scratch::folder();
    let path = folder.path().join("worker");
    write_program(&path, &format!("#!/bin/sh\nkill -STOP $$\nexec '{}' \"$@\"\n", worker().display()));
    let pool = Pool::new(path, Limits::default());
    let options = Options::default();
    assert_eq!(pool.check("plain", &bytes, &options), check("plain", &bytes, &options));
}

#[test]
fn a_death_in_one_function_leaves_the_exploration_of_the_others() {
    let options = Options::exploring();
    let report = check("deadly", &sample(Some(&DEADLY), 3).into(), &options).report;
    // The run from the entry ends; exploration skips instructions that the emulator does not
    // survive.
    assert_eq!(report.undecided.len(), 1, "{:?}", report.undecided);
    let reach = report.summary.reach.expect("explored");
    assert!(reach.executed >= 10 && reach.executed + reach.unconfirmed == reach.covered, "{reach:?}");
}

#[test]
fn too_many_deaths_end_the_execution_and_not_the_report() {
    let options = Options { execution: Execution::functions(vec!["leaf".to_owned(); 12]), ..Options::default() };
    let bytes = sample(Some(&DEADLY), 12).into();
    let report = check("deadly", &bytes, &options).report;
    let [undecided] = report.undecided.as_slice() else { panic!("{:?}", report.undecided) };
    assert!(undecided.message.contains("execution abandoned"), "{}", undecided.message);
    assert_eq!((report.summary.steps_executed, report.outcome(Deny::default())), (0, Outcome::Undecided));
    let at_rest = check("deadly", &bytes, &Options::static_only()).report;
    assert_eq!(report.summary, at_rest.summary);
}
