//! `sweep`: files found in folders, archives and packages; results independent of threads,
//! interruptions and shards; and exit codes.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use toolchain::lock::FolderLock;

use crate::command::support::{
    CLEAN_OBJECT, Folder, Ran, WRONG_OBJECT, bytes_of, endless, finish, measured, program, run,
};
use crate::command::transcript::Transcript;
use testing::pack::{ar, bomb, bsd_ar, deb, gzip, tar, thin, xz, zstd};
use testing::schema::{self, Checker};

/// A folder with files to sweep in `in`, and results beside it.
struct Desk(Folder);

impl Desk {
    fn new() -> Desk {
        let folder = Folder::new();
        fs::create_dir(folder.path("in")).expect("a folder");
        Desk(folder)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.0.path(&format!("in/{name}"));
        fs::create_dir_all(Path::new(&path).parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).expect("a file");
    }

    /// Sweeps `in` into a folder with this name.
    fn sweep(&self, out: &str, more: &[&str]) -> Ran {
        self.call(&[&["sweep", "in", "--out", out], more].concat())
    }

    /// Like [`Desk::sweep`], with this exit code.
    fn sweep_ends(&self, code: i32, out: &str, more: &[&str]) -> Ran {
        let ran = self.sweep(out, more);
        assert_eq!(ran.code, Some(code), "{}{}", ran.stdout, ran.stderr);
        ran
    }

    fn call(&self, arguments: &[&str]) -> Ran {
        finish(self.command(arguments))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program();
        command.args(arguments).current_dir(self.0.path(""));
        command
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn lines(&self, out: &str) -> Vec<Value> {
        let text = self.read(&format!("{out}/results.jsonl"));
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// `FILE VERDICT`, with the file that has the same contents.
    fn verdicts(&self, out: &str) -> Vec<String> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let line = |line: &Value| {
            let same = line.get("same_as").map_or_else(String::new, |same| format!(" = {}", text(same)));
            format!("{} {}{same}", text(&line["file"]), text(&line["verdict"]))
        };
        self.lines(out).iter().map(line).collect()
    }

    /// The totals, without values that vary from run to run.
    fn totals(&self, out: &str) -> Value {
        let mut totals: Value = serde_json::from_str(&self.read(&format!("{out}/sweep.json"))).expect("JSON");
        for varies in ["day", "seconds", "slowest"] {
            assert!(totals[varies].take() != Value::Null, "{varies}");
        }
        totals
    }
}

/// Objects that differ in their last byte, which has no meaning.
fn variants(name: &str, count: u8) -> Vec<Vec<u8>> {
    let bytes = bytes_of(name);
    (0..count).map(|number| [&bytes[..], &[number]].concat()).collect()
}

/// Like [`fits`] of the formats: unknown keys are refused.
pub(crate) fn fits(schema: &str, document: &Value) {
    let closed = schema::closed(schema::read(schema));
    assert_eq!(Checker::new(&closed).complaint(document), None, "{schema} on {document:#}");
}

#[test]
fn a_folder_with_good_bad_and_other_files() {
    let desk = Desk::new();
    let (good, bad) = (bytes_of(CLEAN_OBJECT), bytes_of(WRONG_OBJECT));
    let mut elf32 = good.clone();
    elf32[4] = 1;
    let truncated = &good[..good.len() / 2];
    for (name, bytes) in [
        ("b/good.o", &good[..]),
        ("a/bad.o", &bad),
        ("a/dup.o", &bad),
        ("elf32.o", &elf32),
        ("cut.o", truncated),
        ("run.sh", b"#!/bin/sh\n"),
        ("text", b"text\n"),
        ("empty", b""),
    ] {
        desk.write(name, bytes);
    }
    // A loop, a link out of the folder, another name of a file, a dangling link, and a link to a
    // file that has no other name here.
    symlink("..", desk.0.path("in/a/up")).expect("a link");
    symlink("bad.o", desk.0.path("in/a/again.o")).expect("a link");
    symlink("nowhere", desk.0.path("in/a/none.o")).expect("a link");
    fs::hard_link(desk.0.path("in/a/bad.o"), desk.0.path("in/a/hard.o")).expect("a link");
    fs::write(desk.0.path("outside.o"), &variants(CLEAN_OBJECT, 1)[0]).expect("a file");
    symlink("../outside.o", desk.0.path("in/outside.o")).expect("a link");

    let ran = desk.sweep_ends(1, "out", &[]);
    let mut told = Transcript::new(&[]);
    told.call("sframe-conformance sweep in --out out", &ran);
    told.printed("sweep.txt");
    let expected = [
        "in/a/bad.o discrepancy",
        "in/a/dup.o discrepancy = in/a/bad.o",
        "in/b/good.o clean",
        "in/cut.o error",
        "in/elf32.o skipped",
        "in/outside.o clean",
    ];
    assert_eq!(desk.verdicts("out"), expected);
    let totals = desk.totals("out");
    assert_eq!(totals["verdicts"], json!({ "clean": 2, "discrepancy": 1, "undecided": 0, "error": 1 }));
    assert_eq!(totals["duplicates"], 1);
    let skipped = json!({ "script": 1, "text": 1, "empty": 1, "link": 4, "elf32": 1 });
    assert_eq!(totals["skipped"], skipped);
    assert_eq!(totals["errors"][0]["reason"], "truncated");
    let rules: Vec<&Value> = totals["causes"].as_array().expect("a list").iter().map(|one| &one["rule"]).collect();
    assert!(rules.contains(&&json!("cfi/cfa-differs")), "{rules:?}");
    assert_eq!(totals["causes"][0]["example"]["file"], "in/a/bad.o");
    assert_eq!(totals["sizes"].as_array().map(Vec::len), Some(2));
    assert!(desk.read("out/index.html").contains("in/a/bad.o"));

    desk.lines("out").iter().for_each(|line| fits("sweep-results.schema.json", line));
    fits("sweep.schema.json", &serde_json::from_str(&desk.read("out/sweep.json")).expect("JSON"));
    let asked: Value = serde_json::from_str(&desk.read("out/asked.json")).expect("JSON");
    assert_eq!(asked, totals["asked"]);

    let only = desk.sweep("bad", &["--only-bad"]);
    assert!(only.stdout.contains("DISCREPANCY in/a/bad.o") && !only.stdout.contains("CLEAN"), "{}", only.stdout);
    assert_eq!(desk.read("bad/results.jsonl"), desk.read("out/results.jsonl"));
    let printed = desk.call(&["report", "out"]);
    assert_eq!((printed.code, printed.stdout.contains("errors by cause")), (Some(1), true), "{}", printed.stderr);
    assert_eq!(desk.call(&["report", "out", "--format", "html"]).stdout, desk.read("out/index.html"));
    assert_eq!(desk.call(&["report", "out", "--format", "json"]).json()["duplicates"], 1);
    let sarif = desk.call(&["report", "out", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&sarif.stdout).expect("JSON");
    assert_eq!((sarif.code, &log["runs"][0]["properties"]["files"]), (Some(1), &5.into()), "{}", sarif.stdout);
}

#[test]
fn every_kind_of_archive() {
    let desk = Desk::new();
    let (bad, all) = (bytes_of(WRONG_OBJECT), variants(WRONG_OBJECT, 10));
    let long = "a-name-of-more-than-fifteen-bytes.o";
    desk.write("gnu.a", &ar(&[("0.o", &all[0]), (long, &all[1]), ("0.o", &all[2]), ("x.txt", b"text")]));
    desk.write("bsd.a", &bsd_ar(&[(long, &all[3])]));
    desk.write("thin.a", &thin(&[("other/4.o", &all[4]), ("nowhere.o", b"")]));
    desk.write("other/4.o", &all[4]);
    for (more, pack, file) in [
        ("", <[u8]>::to_vec as fn(&[u8]) -> Vec<u8>, &all[5]),
        (".gz", gzip, &all[6]),
        (".xz", xz, &all[7]),
        (".zst", zstd, &all[8]),
    ] {
        desk.write(&format!("p{more}.deb"), &deb(more, pack, &[("./usr/lib/x.so", file)]));
        desk.write(&format!("m.ko{more}"), &pack(&bad));
    }
    desk.write("nest.tar.gz", &gzip(&tar(&[("p.deb", &deb(".xz", xz, &[("./l.a", &ar(&[("9.o", &all[9])]))]))])));
    // The missing member of the thin archive is undecided; the error takes precedence.
    desk.sweep_ends(1, "out", &["--static"]);
    let expected = [
        "in/bsd.a!a-name-of-more-than-fifteen-bytes.o discrepancy",
        "in/gnu.a!0.o discrepancy",
        "in/gnu.a!0.o#2 discrepancy",
        "in/gnu.a!a-name-of-more-than-fifteen-bytes.o discrepancy",
        "in/m.ko discrepancy",
        "in/m.ko.gz discrepancy = in/m.ko",
        "in/m.ko.xz discrepancy = in/m.ko",
        "in/m.ko.zst discrepancy = in/m.ko",
        "in/nest.tar.gz!p.deb!data.tar.xz!./l.a!9.o discrepancy",
        "in/other/4.o discrepancy",
        "in/p..deb!data.tar!./usr/lib/x.so discrepancy",
        "in/p.gz.deb!data.tar.gz!./usr/lib/x.so discrepancy",
        "in/p.xz.deb!data.tar.xz!./usr/lib/x.so discrepancy",
        "in/p.zst.deb!data.tar.zst!./usr/lib/x.so discrepancy",
        "in/thin.a!nowhere.o error",
        "in/thin.a!other/4.o discrepancy = in/other/4.o",
    ];
    let expected: Vec<String> = expected.iter().map(|line| line.replace("p..deb", "p.deb")).collect();
    let mut sorted = expected.clone();
    sorted.sort();
    assert_eq!(desk.verdicts("out"), sorted);
    // One bug in eleven different files is one line.
    let causes = desk.totals("out")["causes"].clone();
    assert!(causes.as_array().expect("a list").iter().all(|one| one["files"] == 11), "{causes:#}");
}

#[test]
fn bombs_and_truncated_archives_end_nothing_but_themselves() {
    let desk = Desk::new();
    let objects = variants(CLEAN_OBJECT, 2);
    desk.write("a.ko.zst", &bomb(600));
    let whole = ar(&[("0.o", &objects[0]), ("1.o", &objects[1])]);
    desk.write("b.a", &whole[..whole.len() - 100]);
    desk.write("c.o", &objects[1]);
    let (ran, peak) = measured(desk.command(&["sweep", "in", "--out", "out"]));
    assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
    let expected = ["in/a.ko.zst error", "in/b.a error", "in/b.a!0.o clean", "in/b.a!1.o error", "in/c.o clean"];
    assert_eq!(desk.verdicts("out"), expected);
    assert!(ran.stdout.contains("decompression bomb: 2413 bytes expand to more than "), "{}", ran.stdout);
    assert!(peak < 400 << 20, "{peak}");
    // A user who names the file gets a message.
    let named = desk.call(&["sweep", "in/b.a", "--out", "named"]);
    assert_eq!(named.code, Some(3), "{}", named.stdout);
}

#[test]
fn exit_codes() {
    let desk = Desk::new();
    desk.write("text", b"text\n");
    desk.write("none.a", &ar(&[("text", b"text\n")]));
    desk.write("good.o", &bytes_of(CLEAN_OBJECT));
    let mut elf32 = bytes_of(CLEAN_OBJECT);
    elf32[4] = 1;
    desk.write("elf32.o", &elf32);
    let mut told = Transcript::new(&[]);
    let mut ends = |code: i32, words: &[&str]| {
        let ran = desk.call(words);
        assert_eq!(ran.code, Some(code), "{words:?}: {}{}", ran.stdout, ran.stderr);
        told.call(&format!("sframe-conformance {}", words.join(" ")), &ran);
    };
    for (paths, code) in [
        (&["in"][..], 0),
        (&["in/text"], 3),
        (&["in/none.a"], 3),
        (&["in", "in/text"], 3),
        (&["in/elf32.o", "in"], 3),
        (&["in", "nowhere"], 3),
        (&["in/good.o", "in/good.o", "in"], 0),
    ] {
        ends(code, &[&["sweep", "-q", "--out", "out"], paths].concat());
    }
    ends(3, &["sweep"]);
    ends(3, &["sweep", "in", "--shard", "4/3"]);
    ends(3, &["check", "in"]);
    ends(3, &["check", "in/none.a"]);
    let lock = FolderLock::take(Path::new(&desk.0.path("out"))).expect("the lock");
    ends(3, &["sweep", "in", "--out", "out"]);
    drop(lock);
    told.printed("sweep-ends.txt");
}

/// Enough files for threads, shards and interruptions to divide them.
fn many() -> Desk {
    let desk = Desk::new();
    let (good, bad) = (variants(CLEAN_OBJECT, 16), variants(WRONG_OBJECT, 16));
    for (number, (good, bad)) in good.iter().zip(&bad).enumerate() {
        desk.write(&format!("{number}/good.o"), good);
        desk.write(&format!("{number}/x.a"), &ar(&[("bad.o", bad), ("good.o", good), ("text", b"text\n")]));
        desk.write(&format!("{number}/bad.ko.gz"), &gzip(bad));
        desk.write(&format!("{number}/text"), b"text\n");
    }
    desk.write("cut.a", &ar(&[("0.o", &good[0])])[..200]);
    desk
}

/// The output, without times.
fn told(ran: &Ran) -> Vec<&str> {
    let varies =
        |line: &&str| !line.contains(" bytes in ") && !line.contains(" s  in/") && !line.contains("/index.html");
    ran.stdout.lines().filter(|line| varies(line) && !line.starts_with("results: ")).collect()
}

/// Sends a signal to a sweep once this many files are judged, while a file that never finishes is
/// being judged: returns exit code and results.
fn interrupted(desk: &Desk, out: &str, signal: Signal, least: usize) -> (Option<i32>, String) {
    desk.write("0/endless", &endless());
    let mut command = program();
    command.args(["sweep", "in", "--jobs", "2", "--out", out]).current_dir(desk.0.path(""));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    let grown = || fs::read_to_string(desk.0.path(&format!("{out}/results.jsonl"))).unwrap_or_default();
    let began = Instant::now();
    while grown().lines().count() < least {
        assert!(began.elapsed() < Duration::from_secs(60), "never: {least} files are judged");
    }
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a process");
    kill_process(pid, signal).expect("a signal");
    let code = child.wait().expect("it ends").code();
    // A child that was starting when the sweep was killed holds the lock for a moment.
    let folder = desk.0.path(out);
    while FolderLock::take(Path::new(&folder)).is_err() {
        assert!(began.elapsed() < Duration::from_secs(60), "the lock of a dead sweep stays");
    }
    assert!(!Path::new(&desk.0.path(&format!("{out}/sweep.json"))).exists(), "it came to its end");
    fs::remove_file(desk.0.path("in/0/endless")).expect("the file");
    (code, grown())
}

#[test]
fn neither_threads_nor_a_death_nor_a_signal_change_the_results() {
    let desk = many();
    let whole = desk.sweep_ends(1, "whole", &["--jobs", "1"]);
    let (results, totals) = (desk.read("whole/results.jsonl"), desk.totals("whole"));
    assert_eq!((results.lines().count(), totals["duplicates"].as_u64()), (16 * 4 + 2, Some(32)));
    let wide = desk.sweep("wide", &["--jobs", "4"]);
    assert_eq!(desk.read("wide/results.jsonl"), results);
    assert_eq!(desk.totals("wide"), totals);
    assert_eq!(told(&wide), told(&whole));

    for (out, signal, least) in [("killed", Signal::KILL, 2), ("again", Signal::KILL, 9), ("asked", Signal::INT, 3)] {
        let (code, part) = interrupted(&desk, out, signal, least);
        assert_eq!(desk.call(&["report", out]).code, Some(3), "it was not finished");
        if signal == Signal::INT {
            assert_eq!(code, Some(1), "what was found counts");
            assert!(desk.read(&format!("{out}/index.html")).contains("not finished"));
        } else {
            // Truncated in the middle of a line.
            fs::write(desk.0.path(&format!("{out}/results.jsonl")), &part[..part.len() - 40]).expect("a file");
        }
        let other = desk.sweep(out, &["--resume", "--static"]);
        assert_eq!((other.code, other.stderr.contains("of another sweep")), (Some(3), true), "{}", other.stderr);
        let resumed = desk.sweep(out, &["--resume"]);
        assert_eq!(resumed.code, whole.code, "{}", resumed.stderr);
        assert!(told(&resumed).len() < told(&whole).len(), "what was judged is not judged again");
        assert_eq!(desk.read(&format!("{out}/results.jsonl")), results);
        assert_eq!(desk.totals(out), totals);
    }
    // Resuming a finished sweep judges only new files.
    desk.write("0/new.o", &variants(CLEAN_OBJECT, 17)[16]);
    let ran = desk.sweep("whole", &["--resume"]);
    let (first, again) = ran.stdout.split_once("\nnot clean:\n").expect("those that are not clean");
    let told = |text: &str| text.lines().filter(|line| line.starts_with("ERROR ")).count();
    assert_eq!((told(first), told(again)), (2, 2), "once in its place and once last: {}", ran.stdout);
    let judged: Vec<&str> = first.lines().filter(|line| line.starts_with(|c: char| c.is_uppercase())).collect();
    assert!(judged.iter().any(|line| line.starts_with("CLEAN       in/0/new.o")) && judged.len() == 3, "{judged:?}");
    assert_eq!(desk.lines("whole").len(), 16 * 4 + 3);
}

#[test]
fn shards_put_together_are_the_whole() {
    let desk = many();
    desk.sweep("whole", &["--static"]);
    let mut counts = Vec::new();
    for part in ["1/3", "2/3", "3/3"] {
        let out = format!("part-{}", &part[..1]);
        desk.sweep_ends(1, &out, &["--static", "--shard", part]);
        counts.push(desk.lines(&out).len());
    }
    assert!(counts.iter().all(|count| *count > 5) && counts.iter().sum::<usize>() == 16 * 4 + 2, "{counts:?}");
    let merged = desk.call(&["report", "--merge", "part-3", "part-1", "part-2", "--out", "all"]);
    assert_eq!(merged.code, Some(0), "{}", merged.stderr);
    assert_eq!(desk.read("all/results.jsonl"), desk.read("whole/results.jsonl"));
    assert_eq!(desk.totals("all"), desk.totals("whole"));
    for (arguments, why) in [
        (&["report", "--merge", "part-1", "part-3", "--out", "x"][..], "shard 2/3 is missing"),
        (&["report", "part-1", "part-3"], "more than one sweep: --merge combines them"),
        (&["report", "--diff", "part-1", "part-3"], "not sweeps"),
    ] {
        let ran = desk.call(arguments);
        assert_eq!((ran.code, ran.stderr.contains(why)), (Some(3), true), "{arguments:?}: {}", ran.stderr);
    }
    // From another folder, with another name, the shards are the same.
    fs::rename(desk.0.path("in"), desk.0.path("other")).expect("a new name");
    let root = desk.0.path("other");
    let ran = run(&["sweep", &root, "--static", "--shard", "2/3", "--out", &desk.0.path("far")]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let names = |out: &str, prefix: &str| -> Vec<String> {
        let file = |line: &Value| line["file"].as_str().expect("a name").trim_start_matches(prefix).to_owned();
        desk.lines(out).iter().map(file).collect()
    };
    assert_eq!(names("far", &root), names("part-2", "in"));
}

/// The members of a thin archive are beside it or below: no name in it opens other files.
#[test]
fn a_thin_archive_opens_no_file_outside_its_folder() {
    let desk = Desk::new();
    let outside = desk.0.write("outside.o", &bytes_of(WRONG_OBJECT));
    desk.write("b.o", &bytes_of(CLEAN_OBJECT));
    let names = ["../../outside.o", outside.as_str(), "../b.o"];
    desk.write("a/thin.a", &thin(&names.map(|name| (name, &b""[..]))));
    desk.sweep("out", &["--static"]);
    let mut expected: Vec<String> = names.iter().map(|name| format!("in/a/thin.a!{name} error")).collect();
    expected.push("in/b.o clean".to_owned());
    expected.sort();
    let mut verdicts = desk.verdicts("out");
    verdicts.sort();
    assert_eq!(verdicts, expected);
}

/// A `.S` file that includes a header and one whose directives are in a macro, for one target; a
/// `.s` file that nothing assembles, and one with lines for the preprocessor.
#[test]
fn assembly_is_preprocessed_assembled_and_explored() {
    let desk = Desk::new();
    desk.write("include/frame.h", b"#define LOWER subq $8, %rsp\n#define RAISE addq $8, %rsp\n");
    let source = "#ifdef __x86_64__\n#include <frame.h>\n.globl f\n.type f, @function\nf: .cfi_startproc\nLOWER\n\
                  .cfi_def_cfa_offset AFTER\nRAISE\n.cfi_def_cfa_offset 8\nret\n.cfi_endproc\n.size f, .-f\n#endif\n";
    desk.write("a/f.S", source.replace("AFTER", "24").as_bytes());
    let not = format!(".cfi_startproc\n{}not an instruction\n.cfi_endproc\n", "addq $8, %rsp\n".repeat(20));
    desk.write("a/not.s", not.as_bytes());
    desk.write("a/plain.S", b"nop\n");
    let producers = crate::command::document::root().join("ci/producers.yaml").display().to_string();
    let asked = ["--assemble", "--producers", &producers];
    let ran = desk.sweep_ends(1, "out", &asked);
    let told = ran.stdout.lines().find(|line| line.starts_with("not assembled: a/not.s: ")).expect("a line");
    assert!(!told.contains("s390x") && !told.contains("aarch64"), "another target's complaint: {told}");
    assert!(ran.stdout.contains("2 files with CFI: "), "{}", ran.stdout);
    assert!(ran.stdout.contains("cfa=rsp+N, expected rsp+N"), "{}", ran.stdout);
    // Right, and not clean: a file was not judged.
    desk.write("a/f.S", source.replace("AFTER", "16").as_bytes());
    desk.sweep_ends(2, "right", &asked);
    // The object of a file that is not there any more is not judged.
    fs::remove_file(desk.0.path("in/a/f.S")).expect("removed");
    fs::remove_file(desk.0.path("in/a/not.s")).expect("removed");
    let body = "f: .cfi_startproc\nnop\n#ifdef WRONG\npush %rax\npop %rcx\n#endif\nret\n.cfi_endproc\n.size f, .-f\n";
    let text = format!(".globl f\n.type f, @function\n{body}");
    desk.write("a/included.s", text.as_bytes());
    desk.write("a/macro.S", text.replace(".cfi_startproc", "START").replace(".cfi_endproc", "END").as_bytes());
    desk.write("words/words.h", b"#define START .cfi_startproc\n#define END .cfi_endproc\n");
    let words = "-include words.h -Iin/words -Uunused";
    let ran = desk.sweep_ends(0, "right", &[&asked[..], &["--abi", "amd64", "--cpp", words]].concat());
    assert!(ran.stdout.contains("2 files with CFI: "), "{}", ran.stdout);
    assert!(ran.stdout.contains(", 0 not assembled"), "{}", ran.stdout);
    desk.sweep_ends(1, "wrong", &[&asked[..], &["--abi", "amd64", "--cpp", words, "--cpp", "-DWRONG"]].concat());
    desk.write("a/macro.S", b"#include <nowhere.h>\n.cfi_startproc\n.cfi_endproc\n");
    let ran = desk.sweep_ends(2, "missing", &[&asked[..], &["--abi", "amd64"]].concat());
    assert!(ran.stdout.contains("not assembled: a/macro.S: "), "{}", ran.stdout);
    assert!(ran.stdout.contains("nowhere.h"), "{}", ran.stdout);
}
