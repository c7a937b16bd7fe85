//! Runs the program with a time limit, and edits copies of frozen objects. Offsets are bytes from
//! the start of the file.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use generators::code::Function;
use generators::elf::FileKind;
use generators::sample::Sample;
use serde_json::Value;
use tempfile::TempDir;
use types::{Abi, SframeVersion};
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
    let asked = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().expect("python3");
    let real = String::from_utf8(asked.stdout).expect("a path in UTF-8");
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

/// `check --format json` of one file with more arguments: exit status and JSON object.
pub(crate) fn check(file: &str, more: &[&str]) -> (i32, Value) {
    let arguments = [&["check", "--format", "json", file], more].concat();
    let ran = run(&arguments);
    let json = ran.json();
    (ran.code.expect("no signal"), json)
}

/// The path of a frozen object.
pub(crate) fn frozen(name: &str) -> String {
    objects().join(name).to_str().expect("a path in UTF-8").to_owned()
}

/// Folder `cases/objects`.
pub(crate) fn objects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/objects")
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

/// The fields of an ELF64 file that tests change (gABI, chapters 4 and 5), located by independent
/// code.
pub(crate) struct Elf {
    pub(crate) bytes: Vec<u8>,
    little: bool,
}

/// Offsets of a section's header and contents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    pub(crate) header: usize,
    pub(crate) offset: usize,
    pub(crate) size: usize,
}

impl Elf {
    /// A copy of a frozen object.
    pub(crate) fn frozen(name: &str) -> Self {
        Elf::new(bytes_of(name))
    }

    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        let little = bytes[5] == 1;
        Elf { bytes, little }
    }

    /// An integer in the file's byte order.
    pub(crate) fn number(&self, offset: usize, size: usize) -> u64 {
        let bytes = self.bytes[offset..offset + size].iter();
        let join = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        if self.little { bytes.rev().fold(0, join) } else { bytes.fold(0, join) }
    }

    /// Stores an integer in the file's byte order.
    pub(crate) fn store(&mut self, offset: usize, size: usize, value: u64) {
        let bytes = value.to_be_bytes();
        let field = &mut self.bytes[offset..offset + size];
        field.copy_from_slice(&bytes[8 - size..]);
        if self.little {
            field.reverse();
        }
    }

    /// The sections by name.
    pub(crate) fn sections(&self) -> BTreeMap<String, Section> {
        let (table, count) = (self.number(40, 8) as usize, self.number(60, 2) as usize);
        let names = table + 64 * self.number(62, 2) as usize;
        let names = self.number(names + 24, 8) as usize;
        let section = |index: usize| {
            let header = table + 64 * index;
            let name = &self.bytes[names + self.number(header, 4) as usize..];
            let name = name.iter().take_while(|byte| **byte != 0).map(|byte| char::from(*byte)).collect();
            let place = |field: usize| self.number(header + field, 8) as usize;
            (name, Section { header, offset: place(24), size: place(32) })
        };
        (0..count).map(section).collect()
    }

    /// The section with this name.
    pub(crate) fn section(&self, name: &str) -> Section {
        *self.sections().get(name).unwrap_or_else(|| panic!("no section {name}"))
    }

    /// Disguises a section: without a name, as plain data, and without a segment of its own.
    pub(crate) fn hide(&mut self, name: &str) {
        const SHT_PROGBITS: u64 = 1;
        const PT_NULL: u64 = 0;
        const PT_GNU_SFRAME: u64 = 0x6474_e554;
        let header = self.section(name).header;
        self.store(header, 4, 0);
        self.store(header + 4, 4, SHT_PROGBITS);
        let (table, count) = (self.number(32, 8) as usize, self.number(56, 2) as usize);
        for segment in (0..count).map(|index| table + 56 * index) {
            if name == ".sframe" && self.number(segment, 4) == PT_GNU_SFRAME {
                self.store(segment, 4, PT_NULL);
            }
        }
    }

    /// Entry point.
    pub(crate) fn entry(&self) -> u64 {
        self.number(24, 8)
    }

    /// File offset of the instruction at the entry point: in the PT_LOAD that contains it.
    pub(crate) fn entry_offset(&self) -> usize {
        let (table, count) = (self.number(32, 8) as usize, self.number(56, 2) as usize);
        let load = |index: usize| {
            let header = table + 56 * index;
            let field = |offset: usize| self.number(header + offset, 8);
            let inside = self.entry().checked_sub(field(16)).filter(|distance| *distance < field(32))?;
            (self.number(header, 4) == 1).then_some((field(8) + inside) as usize)
        };
        (0..count).find_map(load).expect("the entry lies in a segment")
    }
}

/// A copy of an AArch64 executable that jumps to itself at its first instruction.
pub(crate) fn endless() -> Vec<u8> {
    const BRANCH_TO_SELF: [u8; 4] = [0, 0, 0, 0x14];
    let mut elf = Elf::frozen(CLEAN_EXE);
    let at = elf.entry_offset();
    elf.bytes[at..at + 4].copy_from_slice(&BRANCH_TO_SELF);
    elf.bytes
}

/// `_start` calls `framed`, which calls `leaf`, and exits.
pub(crate) fn sample(abi: Abi, kind: FileKind) -> Sample {
    let functions = vec![
        Function::framed(abi, "framed", "leaf"),
        Function::leaf(abi, "leaf"),
        Function::start(abi, "_start", "framed"),
    ];
    Sample::new(abi, SframeVersion::V3, kind, functions).expect("a sample")
}
