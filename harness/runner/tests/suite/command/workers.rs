//! The command and its worker processes, in which untrusted code is executed: the death of a worker
//! affects neither the command nor reports on other files, and no worker outlives the command.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use generators::code::Function;
use generators::elf::FileKind;
use generators::sample::Sample;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use testing::scratch;
use types::{Abi, SframeVersion};

/// Maximum time to wait for a loaded machine; nothing here is a measurement.
const PATIENCE: Duration = Duration::from_secs(60);

/// `sqxbr %f0,%f0; br %r14`, with a reserved bit of the first set. Unicorn 2.1.5 crashes (SIGSEGV)
/// when it translates that, before any hook is called.
const DEADLY: [u8; 6] = [0xb3, 0x16, 0x10, 0x00, 0x07, 0xfe];

fn sample(leaf: Option<&[u8]>, uncalled: usize) -> Vec<u8> {
    sample_of(Abi::S390x, leaf, uncalled)
}

/// `_start` calls `framed`, which calls `leaf`, and exits; there are also functions that nothing
/// calls. `leaf` and these have this code.
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

/// An instruction that the emulator does not survive, from its list. (Undefined ones are refused.)
#[test]
fn a_trace_ends_where_the_emulator_would() {
    let folder = scratch::folder();
    let abi = Abi::S390x;
    let list = testing::root().join(format!("harness/execute/machine/data/{}.txt", abi.name()));
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
    let (count, ended) = last.split_once(" instructions, ended early at leaf: ").unwrap_or_else(|| panic!("{text}"));
    assert_eq!(count, steps.len().to_string(), "{abi}");
    assert!(ended.starts_with("the emulator crashed (SIG") && ended.ends_with(" at leaf"), "{abi}: {ended}");
    // For an instruction of unknown length, the list has more bytes.
    let named = ended.split_once(" when it translated (undecoded ").and_then(|(_, named)| named.split(')').next());
    assert!(named.is_some_and(|named| named.len() >= 4 && hex.starts_with(named)), "{abi}: {ended}");
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sframe-conformance"));
    command.stdin(Stdio::null()).stderr(Stdio::null()).env_remove("RAYON_NUM_THREADS");
    command
}

/// The command with a deadly file among others: the reports on the others are identical to those
/// without it.
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

/// A command that executes `j .` for hours; killed at the end of the test.
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

    /// The process that executes code.
    fn worker(&self) -> i32 {
        wait_for("a worker", || children(self.command.id()).first().copied())
    }
}

impl Drop for Endless {
    fn drop(&mut self) {
        // An error means that it has already ended.
        let _ = self.command.kill().and_then(|()| self.command.wait());
    }
}

/// Child processes of a process (`/proc/PID/stat`, fields 1, 3 and 4), without zombies.
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

/// An external signal is a death like any other: another worker takes over, and its run ends where
/// the first one died.
#[test]
fn a_worker_that_is_killed_is_replaced() {
    let mut endless = Endless::start();
    let worker = endless.worker();
    let limits = fs::read_to_string(format!("/proc/{worker}/limits")).expect("limits");
    // Not before it executes: then the limits are set, and its position counts.
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
    assert!(message.contains("(SIGABRT) at a7f40000 j ") && message.contains(" at leaf: "), "{message}");
}

/// A terminal sends Ctrl-C to the process group of the command: workers are not in it. They end
/// with the command, however it ends and however busy they are.
#[test]
fn no_worker_outlives_who_started_it() {
    let mut endless = Endless::start();
    let worker = endless.worker();
    // It is visible for a moment before it leaves the group in which it was created.
    let group = || rustix::process::getpgid(Pid::from_raw(worker)).expect("a group").as_raw_nonzero().get();
    wait_for("a group of its own", || (group() == worker).then_some(()));
    endless.command.kill().expect("kills");
    endless.command.wait().expect("ends");
    // A zombie has also ended, even if its new parent has not waited for it.
    let lives = || fs::read_to_string(format!("/proc/{worker}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
    wait_for("the end of the worker", || (!lives()).then_some(()));
}
