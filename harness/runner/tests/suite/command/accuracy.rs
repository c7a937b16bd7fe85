//! `accuracy` on programs of every target whose code is known: the methods that are right.

use std::fs;

use serde_json::Value;

use crate::command::support::{Folder, finish, frozen, program, run};
use crate::command::sweep::fits;

/// A program of each target with both tables.
const PROGRAMS: [&str; 4] = [
    "x86_64/gas-2.47.50--v3--gcc12-O2--exe",
    "aarch64/gas-2.47.50--v3--gcc12-O2--exe",
    "aarch64_be/gas-2.47.50--v3--gcc12-O2--exe",
    "s390x/gas-2.47.50--v3--gcc12-O2--exe",
];

fn measured(path: &str, more: &[&str]) -> Value {
    let ran = run(&[&["accuracy", "--format", "json", path], more].concat());
    assert_eq!(ran.code, Some(0), "{path}: {}", ran.stderr);
    let json = ran.json();
    fits("accuracy.schema.json", &json);
    json
}

fn method<'j>(json: &'j Value, name: &str) -> &'j Value {
    let methods = json["methods"].as_array().expect("methods");
    methods.iter().find(|method| method["method"] == name).unwrap_or_else(|| panic!("no {name}"))
}

fn counts(share: &Value) -> [u64; 3] {
    ["samples", "first", "chain"].map(|key| share[key].as_u64().expect("a number"))
}

/// gcc's tables are right at every instruction, and an analysis of its code nearly always; FP
/// begins no chain in code compiled without frame pointers.
#[test]
fn tables_and_code_are_right_where_frame_pointers_are_not() {
    for path in PROGRAMS.map(frozen) {
        let json = measured(&path, &[]);
        let all = json["samples"].as_u64().expect("a number");
        assert!(all >= 17_000, "{path}: {json}");
        for exact in ["eh-frame", "sframe", "synthesised-sframe"] {
            let method = method(&json, exact);
            assert_eq!(counts(&method["own"]), counts(&method["all"]), "{path}: all code is the program's");
            assert_eq!(counts(&method["all"]), [all; 3], "{path} {exact}: {method}");
            assert_eq!(method["misses"], Value::Array(Vec::new()), "{path} {exact}");
        }
        let [_, first, chain] = counts(&method(&json, "code-analysis")["all"]);
        assert!(first * 1000 >= all * 999 && chain * 1000 >= all * 995, "{path}: {first} and {chain} of {all}");
        let walk = if path.contains("s390x") { "back-chain" } else { "frame-pointer" };
        let (plain, patterns) = (method(&json, walk), method(&json, &format!("{walk}-patterns")));
        assert!(counts(&plain["all"])[1] < counts(&patterns["all"])[1], "{path}: patterns help");
        assert!(counts(&patterns["all"])[1] < all, "{path}: {patterns}");
        for wrong in [plain, patterns] {
            let misses = wrong["misses"].as_array().expect("misses").iter();
            let places: u64 = misses.map(|one| one["own"].as_u64().unwrap() + one["library"].as_u64().unwrap()).sum();
            assert_eq!(places, all - counts(&wrong["all"])[2], "{path}: every wrong chain has a place");
            for function in wrong["worst"].as_array().expect("functions") {
                let code = function["code"].as_array().expect("code").iter();
                let shown: u64 = code.clone().map(|one| one["misses"].as_u64().expect("a number")).sum();
                assert!(shown > 0 && shown <= function["misses"].as_u64().expect("a number"), "{path}: {function}");
                assert!(code.clone().all(|one| one["text"] != "(undecoded)"), "{path}: {function}");
            }
        }
    }
}

/// The same seed samples the same instructions.
#[test]
fn a_sample_is_drawn_by_its_seed() {
    let path = frozen(PROGRAMS[0]);
    let of = |seed: &str| measured(&path, &["--samples", "500", "--seed", seed]);
    assert_eq!(of("1"), of("1"));
    assert_eq!(of("1")["samples"], 500);
    assert_ne!(of("2")["methods"], of("1")["methods"]);
}

/// Readers are asked about frames whose callers their table describes: both of this project's find
/// all.
#[test]
fn readers_are_timed_on_the_frames_of_the_same_chains() {
    for path in PROGRAMS.map(frozen) {
        let json = measured(&path, &["--samples", "500", "--readers"]);
        let readers = json["readers"].as_array().expect("readers");
        let mut frames = Vec::new();
        for (name, section) in [("own", ".sframe"), ("own-eh-frame", ".eh_frame")] {
            let reader = readers.iter().find(|reader| reader["reader"] == name).expect(name);
            assert_eq!(reader["section"], section);
            assert_eq!(reader["right"], reader["frames"], "{path}: {reader}");
            assert!(reader["nanoseconds_per_frame"].as_f64().is_some_and(|time| time > 0.0), "{path}: {reader}");
            frames.push(reader["frames"].as_u64().expect("a number"));
        }
        // 400 to 500 chains of some frames each.
        assert!(frames[0] == frames[1] && frames[0] > 800, "{path}: {frames:?}");
        assert!(readers.iter().all(|reader| reader["right"].as_u64() <= reader["frames"].as_u64()), "{readers:?}");
    }
}

/// The page has the instructions at which a method fails, and as many misses as the counts.
#[test]
fn the_text_has_every_method_and_the_costs() {
    let folder = Folder::new();
    let ran = run(&[
        "accuracy",
        "--time",
        "--readers",
        "--samples",
        "2000",
        "--report",
        &folder.path("page"),
        &frozen(PROGRAMS[0]),
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for text in [
        "frame pointer",
        "with byte patterns",
        "code analysis",
        ".sframe",
        "ns a frame",
        "bytes/fn",
        "\n  own-eh-frame ",
    ] {
        assert!(ran.stdout.contains(text), "no {text}:\n{}", ran.stdout);
    }
    let line = ran.stdout.lines().find(|line| line.trim_start().starts_with(".eh_frame")).expect("a line");
    assert_eq!(line.matches("100.0").count(), 4, "{line}");
    let page = fs::read_to_string(folder.path("page/index.html")).expect("a page");
    assert_eq!(page.matches("<svg class=\"bars\"").count(), 7, "a bar for each method");
    for text in
        ["Worst functions", "<code>useptr</code>", "<tr class=\"wrong\">", ".sframe, synthesised", ">own-eh-frame<"]
    {
        assert!(page.contains(text), "no {text}:\n{page}");
    }
}

#[test]
fn what_does_not_run_to_its_end_is_not_0() {
    let folder = Folder::new();
    let ran = run(&["accuracy", "--step-limit", "50", &frozen(PROGRAMS[0])]);
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    assert!(ran.stdout.contains("ended early at "), "{}", ran.stdout);
    for bad in [frozen("x86_64/gas-2.47.50--v3--gcc12-O2--o"), folder.write("text", b"text")] {
        let mut command = program();
        command.args(["accuracy", &bad]);
        let ran = finish(command);
        assert_eq!(ran.code, Some(3), "{bad}");
        assert!(ran.stdout.is_empty() && !ran.stderr.is_empty(), "{bad}");
    }
}

/// The dynamic linker runs, finds no library and exits: nothing of the program was measured.
#[test]
fn a_program_whose_dynamic_linker_fails_is_not_finished() {
    let loader = "/lib64/ld-linux-x86-64.so.2";
    let Ok(bytes) = fs::read(loader) else { return };
    if !fs::read("/bin/true").is_ok_and(|program| program.windows(loader.len()).any(|part| part == loader.as_bytes())) {
        return;
    }
    let root = Folder::new();
    fs::create_dir(root.path("lib64")).expect("a folder");
    root.write("lib64/ld-linux-x86-64.so.2", &bytes);
    let ran = run(&["accuracy", "--format", "json", "--root", &root.path(""), "/bin/true"]);
    let json = ran.json();
    assert_eq!((ran.code, &json["finished"], &json["samples"]), (Some(2), &false.into(), &0.into()), "{json}");
    assert_eq!(json["end"], "exit status 127 before the program's first instruction");
}
