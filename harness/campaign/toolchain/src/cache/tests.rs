//! Tests with a tool in its own folder, each run of which adds a line to a log.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use types::Abi;

use super::key::{Key, read_by_tools};
use super::makeup::Makeups;
use super::{Cache, Command, Sample, Tally};
use crate::entry::Step;
use crate::files::Files;
use crate::process::ProcessError;
use crate::producers::Producers;
use crate::tool::{Order, Tool};

struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    /// A bench with an assembler that runs `script` on its input, in the current directory of the
    /// call.
    fn new(script: &str) -> Bench {
        let bench = Bench { folder: tempfile::tempdir().expect("a folder") };
        for folder in ["own/bin", "work"] {
            fs::create_dir_all(bench.path(folder)).expect("a folder");
        }
        let log = bench.path("log");
        let script = format!("#!/bin/sh\n{VERSION}\necho run >> {}\n{script}\n", log.display());
        testing::program::write_program(bench.path("own/bin/as"), &script);
        bench.write("work/in.s", "ret\n");
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    fn cache(&self) -> Cache {
        Cache::at(&self.path("made"))
    }

    /// The tool as another process finds it.
    fn tool(&self, cache: Cache, parts: &str) -> Tool {
        let text = format!(
            "[{{name: as, kind: assembler, about: a script, program: {{all: [{}]}}, version: {{pattern: '([0-9]+)', arguments: x}}, {parts} \
             steps: {{assemble: '{{program}} {{options}} {{inputs}} {{output}}'}}}}]",
            self.path("own/bin/as").display()
        );
        let producers = Producers::parse(&self.path("producers.yaml"), &text, self.folder.path()).expect("an entry");
        let tools = producers.with_cache(Arc::new(cache));
        tools.tools("as", Abi::Amd64).expect("a tool").first().expect("one").clone()
    }

    fn assemble(&self, tool: &Tool) -> Result<String, ProcessError> {
        self.assemble_with(tool, "")
    }

    /// The output of the tool.
    fn assemble_with(&self, tool: &Tool, options: &str) -> Result<String, ProcessError> {
        let order = Order { step: Step::Assemble, inputs: &["in.s"], output: "out.o", options, sframe: false };
        let mut files = self.files();
        tool.must_run(&order, &mut files)?;
        Ok(String::from_utf8_lossy(files.get("out.o").expect("its file")).into_owned())
    }

    /// The files of the folder `work`.
    fn files(&self) -> Files {
        let mut files = Files::default();
        for path in walk(self.path("work")) {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            files.put(&name, fs::read(path).expect("a file").into());
        }
        files
    }

    /// Number of runs, except those that print the version.
    fn runs(&self) -> usize {
        fs::read_to_string(self.path("log")).map_or(0, |log| log.lines().count())
    }
}

const VERSION: &str = "[ \"$1\" = x ] && echo 1 && exit";
/// Script that copies the last argument but one to the last.
const COPIES: &str = "for last; do from=$to to=$last; done\ncat \"$from\" > \"$to\"; pwd >&2";
const EMPTY: &str = "parts: [],";

#[test]
fn what_was_made_is_not_made_again_by_this_process_or_the_next() {
    let bench = Bench::new(COPIES);
    let tool = bench.tool(bench.cache(), EMPTY);
    assert_eq!(bench.assemble(&tool).expect("it runs"), "ret\n");
    assert_eq!(bench.assemble(&tool).expect("it is recalled"), "ret\n");
    assert_eq!(bench.runs(), 1);
    let tally = tool.cache.as_ref().expect("its cache").tally();
    assert_eq!(tally, Tally { recalled: 1, kept: 2, ..Tally::default() });
    let next = bench.tool(bench.cache(), EMPTY);
    assert_eq!(bench.assemble(&next).expect("it is recalled"), "ret\n");
    assert_eq!(bench.runs(), 1);
    // The version query is also answered from the cache.
    assert_eq!(next.cache.as_ref().expect("its cache").tally(), Tally { recalled: 2, ..Tally::default() });
}

#[test]
fn whatever_it_depends_on_makes_it_run_again() {
    let bench = Bench::new(COPIES);
    let mut runs = 0;
    let mut changed = |what: &str, options: &str, made: &str| {
        // As in another process: within a process a tool is assumed not to change.
        let tool = bench.tool(bench.cache(), EMPTY);
        runs += 1;
        for _ in 0..2 {
            assert_eq!(bench.assemble_with(&tool, options).expect("it runs"), made, "{what}");
        }
        assert_eq!(bench.runs(), runs, "{what}");
    };
    changed("nothing yet", "", "ret\n");
    changed("an option", "-a", "ret\n");
    bench.write("work/in.s", "nop\n");
    changed("the input", "", "nop\n");
    bench.write("work/list", "one");
    changed("a file that an option names", "-a=list", "nop\n");
    bench.write("work/list", "two");
    changed("its contents", "-a=list", "nop\n");
    bench.write("own/specs", "a plugin");
    changed("a file in the tool's folder", "-a=list", "nop\n");
    bench.write("own/specs", "another!");
    changed("its contents", "-a=list", "nop\n");
}

/// Two runs in different environments are different commands if tools read the variable, and the
/// same otherwise.
#[test]
fn what_tools_read_of_the_environment_makes_another_key() {
    let bench = Bench::new(COPIES);
    let makeup = Makeups::at(&bench.path("tools")).find(&bench.path("own/bin/as"), &[]).expect("a tool");
    let words = ["as", "in.s", "out.o"].map(str::to_owned);
    let asked = Command { words: &words, inputs: &["in.s"], output: "out.o" };
    let key = |variables: &[(&str, &str)]| {
        let variables = read_by_tools(variables.iter().map(|(name, value)| (name.into(), value.into())));
        Key::with(&makeup, asked, &bench.files(), &variables).expect("a key")
    };
    assert_eq!(key(&[("HOME", "/a"), ("PWD", "/b")]), key(&[]));
    for name in ["LIBRARY_PATH", "GNUTARGET", "LDEMULATION", "SOURCE_DATE_EPOCH", "GCC_EXEC_PREFIX", "MOLD_JOBS"] {
        assert_ne!(key(&[(name, "1")]), key(&[]), "{name}");
        assert_ne!(key(&[(name, "1")]), key(&[(name, "2")]), "{name}");
    }
}

#[test]
fn what_may_read_more_than_it_names_is_run_every_time() {
    let bench = Bench::new(COPIES);
    let often = |parts: &str, options: &str| {
        let tool = bench.tool(bench.cache(), parts);
        let before = bench.runs();
        for _ in 0..2 {
            bench.assemble_with(&tool, options).expect("it runs");
        }
        bench.runs() - before
    };
    assert_eq!(often("", ""), 2, "nobody said what the tool consists of");
    assert_eq!(often(EMPTY, "-lm"), 2, "a library to search for");
    assert_eq!(often(EMPTY, "-L/usr/lib"), 2, "a folder to search");
    bench.write("elsewhere", "");
    assert_eq!(often(EMPTY, &format!("-L{}", bench.path("elsewhere").display())), 1, "a file");
    assert_eq!(often(EMPTY, ""), 1);
    bench.write("work/in.s", "\t.include \"other.s\"\n");
    assert_eq!(often(EMPTY, ""), 2, "a source that includes another");
}

#[test]
fn a_damaged_answer_is_none_and_a_failure_is_one() {
    let bench = Bench::new(&format!("[ \"$2\" = -bad ] && echo no >&2 && exit 3\n{COPIES}"));
    let tool = bench.tool(bench.cache(), EMPTY);
    bench.assemble(&tool).expect("it runs");
    // The other answer is the version.
    let made = |path: &PathBuf| fs::read(path).expect("an answer").ends_with(b"ret\n");
    let kept = answers(&bench);
    let answer = kept.iter().find(|path| made(path)).expect("an answer");
    let mut bytes = fs::read(answer).expect("an answer");
    *bytes.last_mut().expect("a byte") ^= 1;
    fs::write(answer, bytes).expect("it is ours");
    assert_eq!(bench.assemble(&tool).expect("it runs"), "ret\n");
    assert_eq!(bench.runs(), 2);
    for _ in 0..2 {
        let failed = bench.assemble_with(&tool, "a -bad").expect_err("it fails").to_string();
        assert!(failed.ends_with("failed: no"), "{failed}");
    }
    assert_eq!(bench.runs(), 3);
}

/// Each file is complete, but answers another command.
#[test]
fn swapped_answers_are_none() {
    let bench = Bench::new("for last; do to=$last; done\necho $2 > \"$to\"");
    let tool = bench.tool(bench.cache(), EMPTY);
    let both = || ["-a", "-b"].map(|option| bench.assemble_with(&tool, option).expect("it runs"));
    let right = both();
    let kept: Vec<PathBuf> = answers(&bench).into_iter().filter(|path| holds(path, b"in.s\n")).collect();
    let [a, b] = kept.as_slice() else { panic!("{kept:?}") };
    swap(a, b);
    assert_eq!((both(), bench.runs()), (right.clone(), 4));
    // The digest of a tool is also stored by its name.
    let other = Makeups::at(&bench.path("made/tools")).find(&bench.path("work/in.s"), &[]).expect("a file");
    let names: Vec<PathBuf> = walk(bench.path("made/tools"));
    let [a, b] = names.as_slice() else { panic!("{names:?}") };
    swap(a, b);
    let again = Makeups::at(&bench.path("made/tools")).find(&bench.path("work/in.s"), &[]).expect("a file");
    assert_eq!(again.digest(), other.digest());
}

fn holds(path: &PathBuf, end: &[u8]) -> bool {
    fs::read(path).expect("an answer").ends_with(end)
}

fn swap(a: &PathBuf, b: &PathBuf) {
    let [of_a, of_b] = [a, b].map(|path| fs::read(path).expect("a file"));
    fs::write(a, of_b).and_then(|()| fs::write(b, of_a)).expect("they are ours");
}

/// A link to an endless device, a pipe without a writer, a socket, a folder: none is read, and none
/// is written through.
#[test]
fn a_tool_makes_a_regular_file_or_none() {
    // A hard link has to be on the same file system.
    let elsewhere = tempfile::tempdir().expect("a folder");
    let socket = elsewhere.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
    let links_socket = format!("ln {}", socket.display());
    for (makes, what) in [
        (links_socket.as_str(), "not a regular file but a socket"),
        ("ln -s /dev/zero", "not a regular file but a symbolic link"),
        ("ln -s in.s", "not a regular file but a symbolic link"),
        ("mkfifo", "not a regular file but a pipe"),
        ("mkdir", "not a regular file but a directory"),
    ] {
        let bench = Bench::new(&format!("for last; do to=$last; done\n{makes} \"$to\""));
        let tool = bench.tool(bench.cache(), "limits: {file_mib: 2},");
        let order = Order { step: Step::Assemble, inputs: &["in.s"], output: "out.o", options: "", sframe: false };
        let mut files = bench.files();
        // The second run equals the first: the leftovers are removed.
        for _ in 0..2 {
            let failed = tool.must_run(&order, &mut files).expect_err("it is refused").to_string();
            assert!(failed.ends_with(what), "{failed}");
        }
        // Also if the tool made it under the name of its next input.
        files.put("out.o", "ours".into());
        let folder = files.folder().expect("a folder").to_owned();
        assert_eq!(fs::read(folder.join("out.o")).expect("a file"), b"ours", "{makes}");
        assert_eq!(fs::read(folder.join("in.s")).expect("a file"), b"ret\n", "{makes}");
    }
}

#[test]
fn a_tool_that_tells_no_version_is_asked_once() {
    let bench = Bench::new("");
    let text = format!(
        "[{{name: as, kind: assembler, about: a script, program: {{all: [{}]}}, version: {{pattern: '([0-9]+)', arguments: y}}, \
         limits: {{seconds: 1}}, steps: {{assemble: '{{program}} {{inputs}} {{output}}'}}}}]",
        bench.path("own/bin/as").display()
    );
    testing::program::write_program(
        bench.path("own/bin/as"),
        &format!("#!/bin/sh\ntrap '' TERM\necho run >> {}\nyes & wait", bench.path("log").display()),
    );
    let producers = Producers::parse(&bench.path("producers.yaml"), &text, bench.folder.path()).expect("an entry");
    for abi in Abi::ALL {
        let error = producers.tools("as", abi).expect_err("none").to_string();
        assert!(error.ends_with("did not finish in 1 s and was killed"), "{error}");
    }
    assert_eq!(bench.runs(), 1);
}

#[test]
fn a_tool_that_does_something_else_the_second_time_is_found() {
    let bench = Bench::new(&format!("{COPIES}\ndate +%N >> \"$to\""));
    bench.assemble(&bench.tool(bench.cache(), EMPTY)).expect("it runs");
    let part = |part| bench.tool(bench.cache().rechecking(Sample { part, of: 2 }), EMPTY);
    // The command is in one of the halves.
    let found = [part(0), part(1)].iter().find_map(|tool| bench.assemble(tool).err());
    let Some(ProcessError::NotDeterministic { program, what }) = found else { panic!("{found:?}") };
    assert!(program.ends_with("own/bin/as") && what == "the file that it makes", "{program}: {what}");
}

#[test]
fn beyond_its_bound_the_oldest_go() {
    let bench = Bench::new(COPIES);
    let tool = bench.tool(bench.cache(), EMPTY);
    for option in ["-a", "-b", "-c", "-d"] {
        // Longer than a tick of the clock of file times.
        std::thread::sleep(std::time::Duration::from_millis(20));
        bench.assemble_with(&tool, option).expect("it runs");
    }
    let size: u64 = answers(&bench).iter().map(|path| fs::metadata(path).expect("a file").len()).sum();
    bench.cache().trim_to(size).expect("it can be read");
    // The version is also an answer.
    assert_eq!(answers(&bench).len(), 5);
    bench.cache().trim_to(size - 1).expect("it can be read");
    assert_eq!(answers(&bench).len(), 3);
    let runs = bench.runs();
    bench.assemble_with(&tool, "-d").expect("it is recalled");
    assert_eq!(bench.runs(), runs, "the newest stayed");
}

fn answers(bench: &Bench) -> Vec<PathBuf> {
    walk(bench.path("made")).into_iter().filter(|path| !path.starts_with(bench.path("made/tools"))).collect()
}

fn walk(folder: PathBuf) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        match entry.path().is_dir() {
            true => found.extend(walk(entry.path())),
            false => found.push(entry.path()),
        }
    }
    found
}
