//! Runs the program with a time limit.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use wait_timeout::ChildExt as _;

use crate::command::document::root;
use testing::scratch::{self, SCRATCH};

/// Clean, runs to its exit, 20,983 instructions, 7 callers deep (`objects.yaml`).
pub(crate) const CLEAN_EXE: &str = "aarch64/gas-2.47.50--v3--gcc12-O2--exe";
/// Clean, without warnings.
pub(crate) const CLEAN_OBJECT: &str = "aarch64/gas-2.47.50--v3--gcc12-O0--o";
/// Three wrong rows (`reports/known`), small.
pub(crate) const WRONG_OBJECT: &str = "x86_64/gas-2.40--v1--hand--o";
/// Runs to its exit; `_start` claims a caller (`reports/known`).
pub(crate) const WRONG_EXE: &str = "x86_64/gas-2.44--v2--gcc12-O2--exe";
/// A shared object.
pub(crate) const SHARED: &str = "aarch64/gas-2.47.50--v3--gcc12-O2--so";

/// Time limit of a call; none in these tests needs a tenth of it, even on a loaded machine.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// The result of a call of the program.
#[derive(Debug)]
pub(crate) struct Ran {
    /// Exit status; `None` if a signal killed it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The program, not yet started, without environment variables that could change its behaviour. It
/// has no producers: querying the versions of all installed ones takes longer than most calls. See
/// [`with_producers`].
pub(crate) fn program() -> Command {
    let mut command = with_producers();
    command.env("SFRAME_CONFORMANCE_PRODUCERS", no_producers());
    command
}

/// An empty producers' file.
pub(crate) fn no_producers() -> PathBuf {
    root().join("harness/runner/tests/suite/command/no-producers.yaml")
}

/// Like [`program`], with the producers of the shipped file.
pub(crate) fn with_producers() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sframe-conformance"));
    for name in [
        "COLUMNS",
        "RAYON_NUM_THREADS",
        "SFRAME_CONFORMANCE_STRICT",
        "SFRAME_CONFORMANCE_PRODUCERS",
        "GITHUB_WORKSPACE",
    ] {
        command.env_remove(name);
    }
    command.env("TMPDIR", &*SCRATCH).env("PATH", &*PATH);
    // Tests work in their own folders, outside of any checkout.
    command.env("SFRAME_CONFORMANCE_HOME", root());
    command.stdin(Stdio::null());
    command
}

/// PATH, beginning with the directory of the program that `python3` resolves to. If `python3` is a
/// script that selects the user's version, it takes longer than the test.
static PATH: LazyLock<OsString> = LazyLock::new(|| {
    let resolved = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().expect("python3");
    let real = String::from_utf8(resolved.stdout).expect("a path in UTF-8");
    let before = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
    fs::create_dir_all(&before).expect("a folder");
    let (made, link) = (before.join(format!("made-by-{}", std::process::id())), before.join("python3"));
    symlink(real.trim(), &made).and_then(|()| fs::rename(&made, link)).expect("a link");
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(std::iter::once(before).chain(std::env::split_paths(&path))).expect("a folder without a colon")
});

/// Runs the program.
pub(crate) fn run<S: AsRef<str>>(arguments: &[S]) -> Ran {
    finish(program_with(arguments))
}

/// The commands that the help lists.
pub(crate) fn commands() -> Vec<String> {
    let help = run(&["--help"]).stdout;
    let listed = help.lines().take_while(|line| *line != "Options:").filter_map(|line| line.strip_prefix("  "));
    listed.filter_map(|line| line.split(' ').next()).filter(|name| *name != "help").map(str::to_owned).collect()
}

/// The program with these arguments, not yet started.
pub(crate) fn program_with<S: AsRef<str>>(arguments: &[S]) -> Command {
    let mut command = program();
    command.args(arguments.iter().map(AsRef::as_ref));
    command
}

/// Runs a prepared command to its end.
pub(crate) fn finish(command: Command) -> Ran {
    looked_at(command, None)
}

/// Runs a prepared command to its end, and returns also the maximum memory in bytes of the process
/// or its children. 0 if it ended within a millisecond or two.
pub(crate) fn measured(command: Command) -> (Ran, u64) {
    assert!(resident(std::process::id()) > 0, "the system tells what memory a process has");
    let mut peak = 0;
    let ran = looked_at(command, Some(&mut |id| peak = peak.max(resident(id))));
    (ran, peak)
}

/// Runs a command; its output goes to files, so that no pipe can fill up.
fn looked_at(mut command: Command, mut look: Option<&mut dyn FnMut(u32)>) -> Ran {
    let file = || tempfile::tempfile_in(&*SCRATCH).expect("a file");
    let (mut out, mut err) = (file(), file());
    let handle = |file: &File| Stdio::from(file.try_clone().expect("a handle"));
    let mut child = command.stdout(handle(&out)).stderr(handle(&err)).spawn().expect("the program starts");
    let started = Instant::now();
    let status = loop {
        let mut pause = TIME_LIMIT;
        if let Some(look) = &mut look {
            look(child.id());
            // A process that runs longer is examined less often.
            pause = (started.elapsed() / 4).clamp(Duration::from_millis(2), Duration::from_millis(20));
        }
        if let Some(status) = child.wait_timeout(pause).expect("a child to wait for") {
            break status;
        }
        if started.elapsed() > TIME_LIMIT {
            child.kill().expect("a child to kill");
            panic!("did not end in {TIME_LIMIT:?}: {command:?}");
        }
    };
    let text = |file: &mut File| {
        let mut bytes = Vec::new();
        file.rewind().and_then(|()| file.read_to_end(&mut bytes)).expect("the output");
        String::from_utf8(bytes).expect("the output is UTF-8")
    };
    let ran = Ran { code: status.code(), stdout: text(&mut out), stderr: text(&mut err) };
    assert!(!ran.stderr.contains("panicked"), "{command:?}: {}", ran.stderr);
    ran
}

/// Most resident memory of a process so far, or of its children: field `VmHWM` of
/// `/proc/PID/status`, which is in KiB.
fn resident(id: u32) -> u64 {
    let own = |id: &str| {
        let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
    };
    let threads = fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    let children = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let children: Vec<u64> =
        children.flat_map(|ids| ids.split_whitespace().filter_map(own).collect::<Vec<_>>()).collect();
    children.into_iter().chain(own(&id.to_string())).max().unwrap_or(0)
}

impl Ran {
    /// One JSON value per line.
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        let value = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}"));
        self.stdout.lines().map(value).collect()
    }

    /// The only JSON line.
    pub(crate) fn json(&self) -> Value {
        let mut lines = self.json_lines();
        assert_eq!(lines.len(), 1, "{} {}", self.stdout, self.stderr);
        lines.remove(0)
    }
}

/// The path of a frozen object.
pub(crate) fn frozen(name: &str) -> String {
    objects().join(name).to_str().expect("a path in UTF-8").to_owned()
}

/// Folder `cases/objects`.
pub(crate) fn objects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/objects")
}

/// The bytes of a frozen object.
pub(crate) fn bytes_of(name: &str) -> Vec<u8> {
    fs::read(frozen(name)).expect("a frozen object")
}

/// A folder for files that tests create.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Folder(scratch::folder())
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("a path in UTF-8").to_owned()
    }

    /// Writes a file and returns its path.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.path(name);
        fs::write(&path, bytes).expect("a file");
        path
    }
}
