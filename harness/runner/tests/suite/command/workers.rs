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
const ABI: Abi = Abi::S390x;

/// `_start` calls `framed`, which calls `leaf` with this code, and exits.
fn sample(leaf: &[u8]) -> Vec<u8> {
    let leaf = Function { code: leaf.to_vec(), ..Function::leaf(ABI, "leaf") };
    let functions = vec![Function::framed(ABI, "framed", "leaf"), leaf, Function::start(ABI, "_start", "framed")];
    let sample = Sample::new(ABI, SframeVersion::V3, FileKind::Executable, functions).expect("a sample");
    sample.bytes().expect("a file")
}

/// An instruction that the emulator does not survive, from its list. (Undefined ones are refused.)
#[test]
fn a_trace_ends_where_the_emulator_would() {
    let folder = scratch::folder();
    let list = testing::root().join(format!("harness/execute/machine/data/{}.txt", ABI.name()));
    let list = fs::read_to_string(list).expect("the list");
    let deadly = list.lines().find(|line| line.starts_with("dies-")).expect("a line");
    let hex = deadly.split_whitespace().nth(2).expect("a word");
    let word: Vec<u8> = (0..hex.len()).step_by(2).flat_map(|at| u8::from_str_radix(&hex[at..at + 2], 16)).collect();
    let padding = Function::leaf(ABI, "leaf").code;
    let path = folder.path().join(ABI.name());
    fs::write(&path, sample(&[&word[..], &padding].concat())).expect("a file");
    let ran = program().arg("trace").arg(&path).output().expect("runs");
    let text = String::from_utf8(ran.stdout).expect("UTF-8");
    let lines: Vec<&str> = text.lines().collect();
    let [steps @ .., last] = lines.as_slice() else { panic!("{ABI}: nothing") };
    assert_eq!(ran.status.code(), Some(2), "{ABI}: {text}");
    assert!(steps.len() > 3 && steps.last().is_some_and(|call| call.contains("framed")), "{ABI}: {text}");
    let (count, ended) = last.split_once(" instructions, ended early at leaf: ").unwrap_or_else(|| panic!("{text}"));
    assert_eq!(count, steps.len().to_string(), "{ABI}");
    assert!(ended.starts_with("the emulator crashed (SIG") && ended.ends_with(" at leaf"), "{ABI}: {ended}");
    // For an instruction of unknown length, the list has more bytes.
    let named = ended.split_once(" when it translated (undecoded ").and_then(|(_, named)| named.split(')').next());
    assert!(named.is_some_and(|named| named.len() >= 4 && hex.starts_with(named)), "{ABI}: {ended}");
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sframe-conformance"));
    command.stdin(Stdio::null()).stderr(Stdio::null()).env_remove("RAYON_NUM_THREADS");
    command
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
        fs::write(&path, sample(&[0xa7, 0xf4, 0x00, 0x00])).expect("a file");
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
