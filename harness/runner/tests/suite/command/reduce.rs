//! `reduce` and `bundle` with a fake assembler: a script that crashes if the text has certain
//! lines, so that the minimal text is known.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use reduce::{Bounds, Counts, Files, Language, Search, Text, Watch};
use rustix::process::{Pid, Signal, kill_process};

use crate::command::support::{CLEAN_OBJECT, Folder, Ran, finish, frozen, program};
use crate::command::transcript::Transcript;
use testing::program::write_program;

/// Crashes on `one` before `two`; differently on `two` alone; on `two` without `base` even without
/// .sframe.
const ASSEMBLER: &str = r#"#!/bin/sh
case "$1" in --version) echo "fake 9.1"; exit 0 ;; esac
sframe= out= in=
while [ $# -gt 0 ]; do
  case "$1" in --gsframe) sframe=1 ;; -o) shift; out=$1 ;; *) in=$1 ;; esac
  shift
done
SLOWLY
base= one= two=
while read -r line; do
  case $line in *base*) base=1 ;; esac
  case $line in *one*) one=1 ;; esac
  case $line in *two*) two=1 ;; esac
done <"$in"
if [ -n "$two" ] && [ -z "$base" ]; then echo "$in: Internal error in do_it at a.c:12." >&2; exit 1; fi
if [ -n "$two" ] && [ -n "$sframe" ] && [ -z "$MENDED" ]; then
  if [ -n "$one" ]; then echo "$in: Internal error in do_it at a.c:12." >&2; exit 1; fi
  echo "$in: Internal error in do_other at b.c:7." >&2; exit 1
fi
cp 'OBJECT' "$out"
"#;

/// The minimal text: without `base` the text is invalid, without `one` it crashes differently.
const LEAST: [&str; 3] = ["\tbase", "\tone", "\ttwo"];

struct Fake {
    folder: Folder,
}

impl Fake {
    fn new(slowly: &str) -> Fake {
        let folder = Folder::new();
        let script = ASSEMBLER.replace("SLOWLY", slowly).replace("OBJECT", &frozen(CLEAN_OBJECT));
        let path = PathBuf::from(folder.path("as"));
        write_program(&path, &script);
        let producers = format!(
            "- name: fake\n  kind: assembler\n  about: breaks where it is told to\n  called: Fake as\n  \
             bugzilla: {{product: fakes, component: as}}\n  search: ['{}']\n  program: {{all: [as]}}\n  \
             version: {{pattern: 'fake ([0-9.]+)'}}\n  sframe: [{{from: '1', versions: [v3]}}]\n  sframe_words: --gsframe\n  \
             steps: {{assemble: '{{program}} {{sframe}} -o {{output}} {{inputs}}'}}\n",
            path.parent().expect("a folder").display()
        );
        fs::write(folder.path("producers.yaml"), producers).expect("producers");
        Fake { folder }
    }

    /// A text of many functions, three of which contain the lines.
    fn text(&self, functions: usize) -> String {
        let mut lines = vec!["# a comment".to_owned(), "\t.text".to_owned()];
        for nth in 0..functions {
            let line = match nth {
                0 => LEAST[0],
                2 => LEAST[1],
                5 => LEAST[2],
                _ => "\tnop",
            };
            lines.extend([
                format!("f{nth}:"),
                "\t.cfi_startproc".to_owned(),
                line.to_owned(),
                "\t.cfi_endproc".to_owned(),
            ]);
        }
        let path = self.folder.path("whole.s");
        fs::write(&path, lines.join("\n")).expect("a source");
        path
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program();
        command.env("SFRAME_CONFORMANCE_PRODUCERS", self.folder.path("producers.yaml")).args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        finish(self.command(arguments))
    }

    fn arguments<'a>(&self, verb: &'a str, source: &'a str, out: &'a str) -> Vec<&'a str> {
        vec![verb, source, "--assembler", "fake@9", "--abi", "aarch64-le", "--out", out]
    }
}

fn lines(path: &Path) -> Vec<String> {
    fs::read_to_string(path).expect("a reproducer").lines().map(str::to_owned).collect()
}

/// A bundle is tested with the other versions in the file given by `--producers`.
#[test]
fn a_bundle_tries_the_other_versions_of_the_producers_file_that_is_named() {
    let fake = Fake::new("");
    let older = PathBuf::from(fake.folder.path("older"));
    fs::create_dir(&older).expect("a folder");
    let script = fs::read_to_string(fake.folder.path("as")).expect("the script");
    write_program(older.join("as"), &script.replace("fake 9", "fake 8"));
    let one = fs::read_to_string(fake.folder.path("producers.yaml")).expect("producers");
    let both = one.replace("search: [", &format!("search: ['{}', ", older.display()));
    fs::write(fake.folder.path("both.yaml"), both).expect("producers");
    let source = fake.text(9);
    for (file, expected) in [("producers.yaml", false), ("both.yaml", true)] {
        let (out, producers) = (fake.folder.path(&format!("of-{file}")), fake.folder.path(file));
        let mut command = program();
        command.env_remove("SFRAME_CONFORMANCE_PRODUCERS").args(fake.arguments("bundle", &source, &out));
        command.args(["--producers", &producers]);
        let ran = finish(command);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let report = fs::read_to_string(Path::new(&out).join("report.md")).expect("a report");
        assert_eq!(report.contains("Also in: 8.1"), expected, "{file}: {report}");
    }
}

#[test]
fn a_source_is_reduced_to_its_least_and_never_to_another_fault() {
    let fake = Fake::new("");
    let (source, out) = (fake.text(9), fake.folder.path("out"));
    let ran = fake.run(&fake.arguments("reduce", &source, &out));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(lines(&Path::new(&out).join("repro.s")), LEAST, "{}", ran.stdout);
    let mut told = Transcript::from_folder(&fake.folder);
    told.text(&ran.stdout);
    let again = fake.run(&fake.arguments("reduce", &source, &fake.folder.path("again")));
    let tried = |ran: &Ran| ran.stdout.split(" tried").next().map(str::to_owned);
    assert_eq!(tried(&ran), tried(&again), "the same tries in the same order");
    let bound = fake.folder.path("bound");
    let mut arguments = fake.arguments("reduce", &source, &bound);
    arguments.extend(["--tries", "3"]);
    let ran = fake.run(&arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    told.text(&format!("With --tries 3:\n\n{}", ran.stdout));
    told.printed("reduced.txt");
    let text = lines(&Path::new(&bound).join("repro.s"));
    assert!(LEAST.iter().all(|line| text.iter().any(|found| found == line)), "{text:?}");
    assert!(text.len() > LEAST.len(), "a bound ends the search with a text that shows it");
}

/// Exit code as for a program that a signal killed, the best result complete and printed, nothing
/// left in the temporary folder; for a bundle, no text that describes an unfinished result.
#[test]
fn a_signal_ends_it_with_the_best_so_far() {
    for (verb, signal, code) in [
        ("reduce", Signal::INT, 130),
        ("reduce", Signal::TERM, 143),
        ("bundle", Signal::INT, 130),
        ("bundle", Signal::TERM, 143),
    ] {
        let fake = Fake::new("sleep 0.02");
        let (source, out) = (fake.text(40), fake.folder.path("out"));
        let temporary = fake.folder.path("temporary");
        fs::create_dir(&temporary).expect("a folder");
        let whole = lines(Path::new(&source)).len();
        let mut command = fake.command(&fake.arguments(verb, &source, &out));
        command.env("TMPDIR", &temporary).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().expect("the program starts");
        let repro = Path::new(&out).join("repro.s");
        wait_for(|| repro.is_file() && lines(&repro).len() <= whole - 8);
        let pid = Pid::from_raw(child.id() as i32).expect("a process");
        kill_process(pid, signal).expect("a signal");
        let ended = child.wait_with_output().expect("its end");
        let printed = String::from_utf8_lossy(&ended.stdout).into_owned();
        assert_eq!(ended.status.code(), Some(code), "{verb}: {printed}{}", String::from_utf8_lossy(&ended.stderr));
        assert!(printed.contains("interrupted; the best so far") && printed.contains(&out), "{verb}: {printed}");
        let text = lines(&repro);
        assert!(text.len() < whole && LEAST.iter().all(|line| text.iter().any(|found| found == line)), "{text:?}");
        assert_eq!(fs::read_dir(&temporary).expect("a folder").count(), 0, "{verb}: temporary files are left");
        assert!(!Path::new(&out).join("report.md").exists(), "{verb}");
    }
}

/// The running tool is killed, and a killed tool proves nothing about the source.
#[test]
fn a_signal_kills_the_tool_that_runs() {
    let fake = Fake::new("[ -z \"$sframe\" ] || sleep 20");
    let (source, out) = (fake.text(9), fake.folder.path("out"));
    let mut command = fake.command(&fake.arguments("reduce", &source, &out));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let pid = Pid::from_raw(child.id() as i32).expect("a process");
    let began = Instant::now();
    // Before the handler is installed, a signal kills it like any program.
    thread::sleep(Duration::from_secs(1));
    kill_process(pid, Signal::INT).expect("a signal");
    let ended = child.wait_with_output().expect("its end");
    let printed = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(130), "{printed}");
    assert!(began.elapsed() < Duration::from_secs(15));
    assert!(!printed.contains("does not show it"), "{printed}");
}

fn wait_for(is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(60), "it gets nowhere");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Killed with SIGKILL: the file on disk is the best text so far, and complete.
#[test]
fn an_interruption_keeps_the_best_so_far() {
    let fake = Fake::new("sleep 0.02");
    let (source, out) = (fake.text(40), fake.folder.path("out"));
    let whole = lines(Path::new(&source)).len();
    let mut child = fake.command(&fake.arguments("reduce", &source, &out)).spawn().expect("the program starts");
    let repro = Path::new(&out).join("repro.s");
    wait_for(|| repro.is_file() && lines(&repro).len() <= whole - 8);
    child.kill().expect("a child to kill");
    child.wait().expect("its end");
    let text = lines(&repro);
    assert!(text.len() < whole && LEAST.iter().all(|line| text.iter().any(|found| found == line)), "{text:?}");
}

#[test]
fn what_shows_nothing_is_told_and_not_reduced() {
    let fake = Fake::new("");
    let (source, out) = (fake.folder.path("right.s"), fake.folder.path("out"));
    fs::write(&source, "\tnop\n").expect("a source");
    let mut told = Transcript::from_folder(&fake.folder);
    let words = fake.arguments("reduce", &source, &out);
    told.refused(&words.join(" "), &fake.run(&words));
    for words in [
        &["reduce", "no::such"][..],
        &["reduce", &source],
        &["reduce", &source, "--assembler", "fake@8", "--abi", "amd64"],
        &["bundle", "0123456789abcdef", "--out", &out, "--results", "/nowhere/at/all"],
    ] {
        told.refused(&words.join(" "), &fake.run(words));
    }
    told.printed("reduce-nothing.txt");
}

/// The folder of a finding, and its script with the tool as it is, fixed, and missing.
#[test]
fn a_bundle_says_whether_the_fault_is_still_there() {
    let fake = Fake::new("");
    let (source, out) = (fake.text(9), fake.folder.path("bundle"));
    let mut arguments = fake.arguments("bundle", &source, &out);
    arguments.extend(["--title", "breaks on `two` after 'one'; $(exit 9)"]);
    let ran = fake.run(&arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let script = |variables: &[(&str, &str)]| {
        let mut command = Command::new("sh");
        command.arg(Path::new(&out).join("run.sh")).envs(variables.iter().copied());
        finish(command).code
    };
    let assembler = fake.folder.path("as");
    assert_eq!(script(&[("AS", &assembler)]), Some(1));
    assert_eq!(script(&[("AS", &assembler), ("MENDED", "1")]), Some(0));
    assert_eq!(script(&[("AS", "/nowhere/as")]), Some(77));
    let report = fs::read_to_string(Path::new(&out).join("report.md")).expect("a report");
    assert!(report.starts_with("# Fake as 9.1: breaks on"), "{report}");
    for name in ["repro.s", "run.sh", "report.md", "bugzilla.txt", "github.md", "mail.txt"] {
        assert!(Path::new(&out).join(name).is_file(), "{name}");
    }
    let bugzilla = fs::read_to_string(Path::new(&out).join("bugzilla.txt")).expect("a text");
    assert!(bugzilla.starts_with("Product: fakes\nComponent: as\nVersion: 9.1\n"), "{bugzilla}");
}

/// The search alone: a failure to store a result ends it, and is reported.
#[test]
fn a_text_that_cannot_be_kept_is_an_error() {
    struct Full(u32);
    impl Watch for Full {
        fn tried(&mut self, _: &Counts) {}
        fn kept(&mut self, _: &Files) -> std::io::Result<()> {
            self.0 += 1;
            if self.0 > 2 { Err(std::io::Error::other("the disk is full")) } else { Ok(()) }
        }
    }
    let files = |text: &Text| Files::from([("repro.s".to_owned(), text.to_string().into_bytes())]);
    let shows = |text: &Text| text.to_string().contains("x").then(|| files(text));
    let bounds = Bounds { time: Duration::from_secs(60), tries: 1000 };
    let mut watch = Full(0);
    let text = Text::new("a\nb\nx\nc\nd\n", Language { abi: types::Abi::Amd64, is_c: false });
    let mut search = Search::new(text.clone(), &shows, bounds, &mut watch);
    search.run(&files(&text));
    assert!(search.finish().is_err_and(|error| error.to_string().contains("full")));
}
