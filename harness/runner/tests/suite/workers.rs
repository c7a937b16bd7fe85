//! Foreign code is executed in worker processes: what one brings back is what would have been found here, and the death of one is an
//! undecided run with its place, never the end of the command or of another file's report.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use check::workers::{Limits, Staff};
use check::{Options, check, check_image};
use generators::code::Function;
use generators::elf::FileKind;
use generators::sample::Sample;
use matrix::frozen::FrozenObject;
use results::{Deny, Outcome};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use types::{Abi, SframeVersion, StopReason, UndecidedReason};

use testing::program::write_program;
use testing::scratch;

/// Waits for what a busy machine may take long to do; nothing here is a measurement.
const PATIENCE: Duration = Duration::from_secs(60);

/// `sqxbr %f0,%f0; br %r14`. Unicorn 2.1.5 dies of SIGSEGV when it translates the first, before anybody is asked.
const DEADLY: [u8; 6] = [0xb3, 0x16, 0x00, 0x00, 0x07, 0xfe];

fn sample(leaf: Option<&[u8]>, uncalled: usize) -> Vec<u8> {
    sample_of(Abi::S390x, leaf, uncalled)
}

/// `_start` calls `framed`, which calls `leaf`, and exits; besides, functions that nothing calls. `leaf` and those have this code.
fn sample_of(abi: Abi, leaf: Option<&[u8]>, uncalled: usize) -> Vec<u8> {
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

fn objects() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/objects")
}

/// The smallest frozen program and shared object of each target: the worker's answer is whole.
#[test]
fn a_worker_brings_back_what_would_have_been_found_here() {
    let (mut executed, mut findings, mut seen) = (0, 0, BTreeSet::new());
    let mut all = FrozenObject::read_all(&objects()).expect("objects.yaml");
    all.sort_by_key(|object| fs::metadata(objects().join(&object.file)).map_or(0, |about| about.len()));
    all.retain(|object| object.kind != "o" && seen.insert((object.abi, object.kind.clone())));
    for object in all {
        let options = Options { features: true, explore: object.kind == "so", step_limit: 5_000, ..Options::default() };
        let bytes = fs::read(objects().join(&object.file)).expect("a frozen object").into();
        let image = elf::load(&object.file, &bytes).expect("loads");
        let (there, here) = (check(&object.file, &bytes, &options), check_image(&image, &options));
        assert_eq!(there, here, "{}", object.file);
        executed += there.report.summary.steps_executed;
        findings += there.report.discrepancies.len();
    }
    assert!(executed > 20_000 && findings > 3, "{executed} steps, {findings} findings");
}

#[test]
fn a_death_is_an_undecided_run_with_its_place_and_everything_else_is_judged() {
    let deadly = check("deadly", &sample(Some(&DEADLY), 0).into(), &Options::default());
    let report = &deadly.report;
    let [undecided] = report.undecided.as_slice() else { panic!("{report:?}") };
    assert_eq!(undecided.reason, UndecidedReason::Stopped(StopReason::EmulatorDied));
    // Not the call, which is the last instruction that was reached.
    for part in [" at leaf: ", "SIGSEGV when it translated b3160000 sqxbr %f0, %f0 at leaf"] {
        assert!(undecided.message.contains(part), "{}", undecided.message);
    }
    assert_eq!(report.outcome(Deny::default()), Outcome::Undecided);
    assert!(report.error.is_none());
    // What came before the death is judged, and the tables are compared.
    let whole = check("plain", &sample(None, 0).into(), &Options::default()).report;
    assert_eq!(whole.outcome(Deny::default()), Outcome::Clean, "{whole:?}");
    assert!(report.summary.steps_judged >= 4, "{:?}", report.summary);
    assert!(report.summary.steps_judged < whole.summary.steps_judged);
    assert_eq!(report.summary.pcs_compared_static, whole.summary.pcs_compared_static);
    // The same again, from whatever worker.
    assert_eq!(check("deadly", &sample(Some(&DEADLY), 0).into(), &Options::default()), deadly);
}

/// A block is translated as a whole before its first instruction executes.
#[test]
fn the_instruction_is_named_wherever_in_its_block_it_is() {
    // nop; nop; sqxbr; br.
    let code = [&[0x07, 0x00, 0x07, 0x00], &DEADLY[..]].concat();
    let report = check("deadly", &sample(Some(&code), 0).into(), &Options::default()).report;
    let message = report.undecided.first().map_or("", |undecided| &undecided.message);
    assert!(message.contains(" at leaf: ") && message.ends_with("b3160000 sqxbr %f0, %f0 at leaf+0x4"), "{message}");
}

/// One instruction of each target that the emulator does not survive, by its list.
#[test]
fn a_trace_ends_where_the_emulator_would() {
    let folder = scratch::folder();
    for abi in [Abi::Amd64, Abi::Aarch64, Abi::S390x] {
        let list = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../machine/data/{}.txt", abi.name()));
        let list = fs::read_to_string(list).expect("the list");
        let deadly = list.lines().find(|line| line.starts_with("dies-")).expect("a line");
        let hex = deadly.split_whitespace().nth(2).expect("a word");
        let word: Vec<u8> = (0..hex.len()).step_by(2).flat_map(|at| u8::from_str_radix(&hex[at..at + 2], 16)).collect();
        let padding = Function::leaf(abi, "leaf").code;
        let path = folder.path().join(abi.name());
        fs::write(&path, sample_of(abi, Some(&[&word[..], &padding].concat()), 0)).expect("a file");
        let ran = program().arg("trace").arg(&path).output().expect("runs");
        let text = String::from_utf8(ran.stdout).expect("UTF-8");
        let lines: Vec<&str> = text.lines().collect();
        let [steps @ .., last] = lines.as_slice() else { panic!("{abi}: nothing") };
        assert_eq!(ran.status.code(), Some(2), "{abi}: {text}");
        assert!(steps.len() > 3 && steps.last().is_some_and(|call| call.contains("framed")), "{abi}: {text}");
        let (count, ended) =
            last.split_once(" instructions, ended early at leaf: ").unwrap_or_else(|| panic!("{text}"));
        assert_eq!(count, steps.len().to_string(), "{abi}");
        assert!(ended.starts_with("the emulator died of SIG") && ended.ends_with(" at leaf"), "{abi}: {ended}");
        // Of what no disassembler knows the end, the list has more bytes.
        let named = ended.split_once(" when it translated ").and_then(|(_, named)| named.split(' ').next());
        assert!(named.is_some_and(|named| named.len() >= 4 && hex.starts_with(named)), "{abi}: {ended}");
    }
}

/// A worker that at first does what this says, having come to the fifth instruction of the first run, and then is a real one.
fn at_first(folder: &Path, what: &str, executing: Duration) -> Staff {
    let position: Vec<u8> = [1, 5, 0, 1].into_iter().flat_map(u64::to_ne_bytes).collect();
    fs::write(folder.join("position"), position).expect("a file");
    let script = format!(
        "#!/bin/sh\ncd '{}'\nif [ -e position ]; then cat position 1<>/proc/self/fd/2; rm position; {what}; fi\nexec '{}' \"$@\"\n",
        folder.display(),
        env!("CARGO_BIN_EXE_sframe-conformance")
    );
    let path = folder.join("worker");
    write_program(&path, &script);
    Staff::new(path, Limits { executing, judging: Duration::from_secs(60) })
}

/// A worker that makes no progress, or comes to its limit of memory: the run ends where that was, the rest is whole.
#[test]
fn a_worker_that_hangs_or_has_no_memory_left_is_replaced() {
    let bytes = sample(None, 0).into();
    let image = elf::load("plain", &bytes).expect("loads");
    let whole = check("plain", &bytes, &Options::default());
    for (what, reason, says) in [
        ("while :; do :; done", StopReason::EmulatorHung, "the emulator hung and was killed at "),
        (
            "echo memory allocation of 64 bytes failed >&2; kill -ABRT $$",
            StopReason::MemoryLimit,
            "limit of memory at ",
        ),
    ] {
        let folder = scratch::folder();
        let staff = at_first(folder.path(), what, Duration::from_millis(100));
        let began = Instant::now();
        let report = staff.check(&image, &bytes, &Options::default()).report;
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
        // The next file has a worker as if nothing had been.
        assert_eq!(staff.check(&image, &bytes, &Options::default()), whole);
    }
}

/// One that only sleeps uses no processor time: the clock ends it.
#[test]
fn a_worker_that_sleeps_is_replaced() {
    let bytes = sample(None, 0).into();
    let image = elf::load("plain", &bytes).expect("loads");
    let folder = scratch::folder();
    let staff = at_first(folder.path(), "exec sleep 100", Duration::from_millis(5));
    let report = staff.check(&image, &bytes, &Options::default()).report;
    assert_eq!(
        report.undecided.first().map(|one| one.reason),
        Some(UndecidedReason::Stopped(StopReason::EmulatorHung))
    );
}

#[test]
fn a_worker_is_not_called_by_hand() {
    let ran = Command::new(env!("CARGO_BIN_EXE_sframe-conformance")).arg("worker").stdin(Stdio::null()).output();
    let ran = ran.expect("runs");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.code() == Some(3) && said.contains("not by hand"), "{said}");
}

#[test]
fn a_death_in_one_function_leaves_the_exploration_of_the_others() {
    let options = Options { explore: true, ..Options::default() };
    let report = check("deadly", &sample(Some(&DEADLY), 3).into(), &options).report;
    // The run from the start ends; exploration passes over what the emulator does not survive.
    assert_eq!(report.undecided.len(), 1, "{:?}", report.undecided);
    let reach = report.summary.reach.expect("explored");
    assert!(reach.executed >= 10 && reach.executed + reach.unconfirmed == reach.covered, "{reach:?}");
}

#[test]
fn too_many_deaths_end_the_execution_and_not_the_report() {
    let options = Options { entries: vec!["leaf".to_owned(); 12], ..Options::default() };
    let bytes = sample(Some(&DEADLY), 12).into();
    let report = check("deadly", &bytes, &options).report;
    let [undecided] = report.undecided.as_slice() else { panic!("{:?}", report.undecided) };
    assert!(undecided.message.contains("given up"), "{}", undecided.message);
    assert_eq!((report.summary.steps_executed, report.outcome(Deny::default())), (0, Outcome::Undecided));
    let at_rest = check("deadly", &bytes, &Options { static_only: true, ..Options::default() }).report;
    assert_eq!(report.summary, at_rest.summary);
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sframe-conformance"));
    command.stdin(Stdio::null()).stderr(Stdio::null()).env_remove("RAYON_NUM_THREADS");
    command
}

/// The command with a deadly file among others: the others' reports are the bytes that they are without it.
#[test]
fn the_reports_of_other_files_are_whole() {
    let folder = scratch::folder();
    let put = |name: &str, bytes: Vec<u8>| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    };
    let (first, second) = (put("first", sample(None, 0)), put("second", sample(None, 1)));
    let deadly = put("deadly", sample(Some(&DEADLY), 0));
    let lines = |files: &[&String]| {
        let ran = program().args(["check", "--format", "json"]).args(files).output().expect("runs");
        let text = String::from_utf8(ran.stdout).expect("UTF-8");
        (ran.status.code(), text.lines().map(str::to_owned).collect::<Vec<_>>())
    };
    let (code, without) = lines(&[&first, &second]);
    assert_eq!((code, without.len()), (Some(0), 2));
    let (code, with) = lines(&[&first, &deadly, &second]);
    assert_eq!((code, with.len()), (Some(2), 3));
    assert_eq!([&with[0], &with[2]], [&without[0], &without[1]]);
    let json: Value = serde_json::from_str(&with[1]).expect("JSON");
    assert_eq!((&json["verdict"], &json["undecided"][0]["reason"]), (&"undecided".into(), &"emulator-died".into()));
}

/// A command that executes `j .` for hours; ended with the test, however that ends.
struct Endless {
    command: Child,
    _folder: tempfile::TempDir,
}

impl Endless {
    fn start() -> Self {
        let folder = scratch::folder();
        let path = folder.path().join("endless");
        fs::write(&path, sample(Some(&[0xa7, 0xf4, 0x00, 0x00]), 0)).expect("a file");
        let mut command = program();
        command.args(["check", "--format", "json", "--step-limit", "100000000000"]).arg(path).stdout(Stdio::piped());
        Endless { command: command.spawn().expect("starts"), _folder: folder }
    }

    /// The process that executes.
    fn worker(&self) -> i32 {
        wait_for("a worker", || children(self.command.id()).first().copied())
    }
}

impl Drop for Endless {
    fn drop(&mut self) {
        // Where it has ended already, that is what was to be.
        let _ = self.command.kill().and_then(|()| self.command.wait());
    }
}

/// Processes whose parent is this one (`/proc/PID/stat`, fields 1, 3 and 4), zombies left out.
fn children(parent: u32) -> Vec<i32> {
    let stat = |entry: fs::DirEntry| {
        let text = fs::read_to_string(entry.path().join("stat")).ok()?;
        let pid = entry.file_name().to_str()?.parse::<i32>().ok()?;
        let mut rest = text.rsplit(')').next()?.split_whitespace();
        let (state, above) = (rest.next()?, rest.next()?);
        (state != "Z" && above == parent.to_string()).then_some(pid)
    };
    fs::read_dir("/proc").expect("/proc").flatten().filter_map(stat).collect()
}

#[track_caller]
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "never: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// User time in hundredths of a second (proc_pid_stat(5), field 14).
fn processor_time(pid: i32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("a process");
    stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(11)?.parse().ok()).expect("a number")
}

/// Somebody else's signal is a death like any other: another worker takes over and ends where the first one died.
#[test]
fn a_worker_that_is_killed_is_replaced() {
    let mut endless = Endless::start();
    let worker = endless.worker();
    let limits = fs::read_to_string(format!("/proc/{worker}/limits")).expect("limits");
    // Not before it executes: the limits are set then, and its position counts.
    let limits = wait_for("limits", || {
        let limits = fs::read_to_string(format!("/proc/{worker}/limits")).unwrap_or_else(|_| limits.clone());
        limits
            .lines()
            .any(|line| line.starts_with("Max address space") && !line.contains("unlimited"))
            .then_some(limits)
    });
    assert!(limits.lines().any(|line| line.starts_with("Max core file size") && line.contains(" 0 ")), "{limits}");
    wait_for("some execution", || (processor_time(worker) >= 15).then_some(()));
    kill_process(Pid::from_raw(worker).expect("a process"), Signal::ABORT).expect("a signal");
    let printed = std::io::read_to_string(endless.command.stdout.take().expect("a pipe")).expect("UTF-8");
    let json: Value = serde_json::from_str(&printed).expect("JSON");
    let status = endless.command.wait().expect("ends");
    assert_eq!((status.code(), &json["undecided"][0]["reason"]), (Some(2), &"emulator-died".into()), "{json}");
    let message = json["undecided"][0]["message"].as_str().expect("a sentence");
    assert!(message.contains("SIGABRT at a7f40000 j ") && message.contains(" at leaf: "), "{message}");
}

/// A terminal sends Ctrl-C to the whole group of the command: workers are not of it. They end with the command, however it ends and however
/// busy they are.
#[test]
fn no_worker_outlives_who_started_it() {
    let mut endless = Endless::start();
    let worker = endless.worker();
    // It is seen for a moment before it leaves the group that it was made in.
    let group = || rustix::process::getpgid(Pid::from_raw(worker)).expect("a group").as_raw_nonzero().get();
    wait_for("a group of its own", || (group() == worker).then_some(()));
    endless.command.kill().expect("kills");
    endless.command.wait().expect("ends");
    // A zombie has ended too, however late its new parent looks.
    let lives = || fs::read_to_string(format!("/proc/{worker}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
    wait_for("the end of the worker", || (!lives()).then_some(()));
}
