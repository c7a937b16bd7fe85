//! `sweep` of archives and packages: the files in each, and what a damaged one ends.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use testing::pack::{ar, bomb, bsd_ar, deb, gzip, tar, thin, xz, zstd};

use crate::command::support::{CLEAN_OBJECT, Folder, WRONG_OBJECT, bytes_of, finish, measured, program};

fn write(folder: &Folder, name: &str, bytes: &[u8]) {
    let path = folder.path(&format!("in/{name}"));
    fs::create_dir_all(Path::new(&path).parent().expect("a folder")).expect("a folder");
    fs::write(path, bytes).expect("a file");
}

/// The program in a folder, not yet started.
fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = program();
    command.args(arguments).current_dir(folder.path(""));
    command
}

/// `FILE VERDICT`, with the file that has the same contents.
fn verdicts(folder: &Folder) -> Vec<String> {
    let results = fs::read_to_string(folder.path("out/results.jsonl")).expect("results");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let same = line.get("same_as").map_or_else(String::new, |same| format!(" = {}", text(same)));
        format!("{} {}{same}", text(&line["file"]), text(&line["verdict"]))
    };
    results.lines().map(line).collect()
}

/// Objects that differ in their last byte, which has no meaning.
fn variants(name: &str, count: u8) -> Vec<Vec<u8>> {
    let bytes = bytes_of(name);
    (0..count).map(|number| [&bytes[..], &[number]].concat()).collect()
}

#[test]
fn every_kind_of_archive() {
    let folder = Folder::new();
    let (bad, all) = (bytes_of(WRONG_OBJECT), variants(WRONG_OBJECT, 10));
    let long = "a-name-of-more-than-fifteen-bytes.o";
    write(&folder, "gnu.a", &ar(&[("0.o", &all[0]), (long, &all[1]), ("0.o", &all[2]), ("x.txt", b"text")]));
    write(&folder, "bsd.a", &bsd_ar(&[(long, &all[3])]));
    write(&folder, "thin.a", &thin(&[("other/4.o", &all[4]), ("nowhere.o", b"")]));
    write(&folder, "other/4.o", &all[4]);
    for (more, pack, file) in [
        ("", <[u8]>::to_vec as fn(&[u8]) -> Vec<u8>, &all[5]),
        (".gz", gzip, &all[6]),
        (".xz", xz, &all[7]),
        (".zst", zstd, &all[8]),
    ] {
        write(&folder, &format!("p{more}.deb"), &deb(more, pack, &[("./usr/lib/x.so", file)]));
        write(&folder, &format!("m.ko{more}"), &pack(&bad));
    }
    write(&folder, "nest.tar.gz", &gzip(&tar(&[("p.deb", &deb(".xz", xz, &[("./l.a", &ar(&[("9.o", &all[9])]))]))])));
    // The missing member of the thin archive is undecided; the error takes precedence.
    let ran = finish(command(&folder, &["sweep", "in", "--out", "out", "--static"]));
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
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
        "in/p.deb!data.tar!./usr/lib/x.so discrepancy",
        "in/p.gz.deb!data.tar.gz!./usr/lib/x.so discrepancy",
        "in/p.xz.deb!data.tar.xz!./usr/lib/x.so discrepancy",
        "in/p.zst.deb!data.tar.zst!./usr/lib/x.so discrepancy",
        "in/thin.a!nowhere.o error",
        "in/thin.a!other/4.o discrepancy = in/other/4.o",
    ];
    let mut sorted = verdicts(&folder);
    sorted.sort();
    assert_eq!(sorted, expected);
    // One bug in eleven different files is one line.
    let totals = fs::read_to_string(folder.path("out/sweep.json")).expect("totals");
    let causes = serde_json::from_str::<Value>(&totals).expect("JSON")["causes"].clone();
    assert!(causes.as_array().expect("a list").iter().all(|one| one["files"] == 11), "{causes:#}");
}

#[test]
fn bombs_and_truncated_archives_end_nothing_but_themselves() {
    let folder = Folder::new();
    let objects = variants(CLEAN_OBJECT, 2);
    write(&folder, "a.ko.zst", &bomb(600));
    let whole = ar(&[("0.o", &objects[0]), ("1.o", &objects[1])]);
    write(&folder, "b.a", &whole[..whole.len() - 100]);
    write(&folder, "c.o", &objects[1]);
    let (ran, peak) = measured(command(&folder, &["sweep", "in", "--out", "out"]));
    assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
    let expected = ["in/a.ko.zst error", "in/b.a error", "in/b.a!0.o clean", "in/b.a!1.o error", "in/c.o clean"];
    assert_eq!(verdicts(&folder), expected);
    assert!(ran.stdout.contains("decompression bomb: 2413 bytes expand to more than "), "{}", ran.stdout);
    assert!(peak < 400 << 20, "{peak}");
    // A user who names the file gets a message.
    let named = finish(command(&folder, &["sweep", "in/b.a", "--out", "named"]));
    assert_eq!(named.code, Some(3), "{}", named.stdout);
}
