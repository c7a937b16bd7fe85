//! External text stays text: a name from a file, or a file's name, moves no cursor, changes no
//! direction of writing and starts no workflow command, whatever prints it.

use generators::code::Function;
use generators::elf::FileKind;
use generators::sample::Sample;
use types::{Abi, SframeVersion};

use crate::command::support::{Folder, Ran, run};
use testing::pack::{ar, deb, xz};

/// A name with an effect if it is printed unescaped. File names cannot contain NUL and slash; nor
/// can symbols.
const NAME: &str = "f\n::error::forged\n  ::add-mask::x\r\t##[error]y\u{1b}[31m\u{9b}2J\u{202e}z\u{2028}\u{feff}";

/// Checks for characters and words that a terminal or CI service acts upon.
fn assert_tame(ran: &Ran, what: &str) {
    for text in [&ran.stdout, &ran.stderr] {
        for line in text.lines() {
            assert!(!line.trim().starts_with("::"), "{what}: a command: {line:?}");
            assert!(!line.contains("##["), "{what}: a command: {line:?}");
            let acts = |c: char| c.is_control() && c != '\t' || matches!(c, '\u{202e}' | '\u{2028}' | '\u{feff}');
            assert!(!line.contains(acts), "{what}: {line:?}");
        }
    }
}

/// A file with functions of this name, in which the code and both tables differ.
fn file(kind: FileKind) -> Vec<u8> {
    let abi = Abi::Amd64;
    let mut wrong = Function::leaf(abi, NAME);
    wrong.frames[0].frame.cfa = types::CfaRule::Register { reg: abi.facts().sp, offset: 24 };
    let functions = vec![Function::framed(abi, "framed", NAME), wrong, Function::start(abi, "_start", "framed")];
    let sample = Sample::new(abi, SframeVersion::V2Errata1, kind, functions).expect("a sample");
    let mut spec = sample.elf().expect("a file");
    spec.section_mut(".sframe").expect("a section").name = NAME.to_owned();
    generators::elf::write(&spec).expect("a file")
}

#[test]
fn names_of_functions_sections_and_files() {
    let folder = Folder::new();
    for (kind, more) in [(FileKind::Executable, "exe"), (FileKind::Relocatable, "o"), (FileKind::Shared, "so")] {
        let path = folder.write(&format!("{NAME}{more}"), &file(kind));
        for (arguments, shows) in [
            (&["check", "--info", &path][..], "f\\n::error::forged"),
            (&["check", "--info", "--explore", &path], "f\\n::error::forged"),
            (&["check", "--static", "--info", &path], "f\\n::error::forged"),
            (&["check", "--entry", NAME, &path], "f\\n::error::forged"),
            (&["check", "--entry", "no\n::error::x", &path], "f\\n::error::forged"),
            (&["check", "--format", "json", &path], "f\\n::error::forged"),
            (&["dump", &path], "f\\n::error::forged"),
            (&["trace", "--entry", NAME, &path], ""),
            (&["trace", "--entry", "framed", &path], ""),
        ] {
            let ran = run(arguments);
            assert_tame(&ran, &format!("{:?} of {more}", &arguments[..2]));
            let printed = [ran.stdout.as_str(), &ran.stderr].concat();
            assert!(printed.contains(shows), "{:?} of {more} does not show the name: {printed}", &arguments[..2]);
        }
    }
}

/// Names in archives are untrusted: they move no cursor, and their paths are neither opened nor
/// written.
#[test]
fn names_in_archives() {
    let folder = Folder::new();
    let object = file(FileKind::Relocatable);
    let climbs = format!("../../{NAME}.o");
    let members = [(climbs.as_str(), object.as_slice()), ("/etc/<b>&\"'.o", b"\x7fELF"), (NAME, b"text")];
    let path = folder.write(&format!("{NAME}.deb"), &deb(".xz", xz, &members));
    // The long names of `ar` end at a line break, and an empty one is a name too.
    folder.write("nameless.a", &ar(&[("", &object), ("x\u{1b}[2J", &object)]));
    let out = folder.path("out");
    let before = std::fs::read_dir(folder.path(".")).expect("the folder").count();
    for arguments in [
        &["sweep", &path, "--out", &out][..],
        &["sweep", &folder.path("."), "--out", &out],
        &["sweep", &folder.path(NAME), "--out", &out],
        &["report", &out],
        &["report", &out, "--format", "json"],
        &["report", &folder.path("out"), "--format", "sarif"],
        &["check", &path],
    ] {
        let ran = run(arguments);
        assert_tame(&ran, &format!("{arguments:?}"));
        assert!(ran.stderr.len() + ran.stdout.len() > 0, "{arguments:?}");
    }
    run(&["sweep", &path, "--out", &out]);
    let results = std::fs::read_to_string(folder.path("out/results.jsonl")).expect("results");
    let names: Vec<String> = results
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).expect("JSON")["file"].as_str().expect("a name").to_owned()
        })
        .collect();
    assert_eq!(names, [format!("{path}!data.tar.xz!../../{NAME}.o"), format!("{path}!data.tar.xz!/etc/<b>&\"'.o")]);
    let page = std::fs::read_to_string(folder.path("out/index.html")).expect("the page");
    assert!(page.contains("/etc/&lt;b&gt;&amp;&quot;") && !page.contains("<b>&"), "markup of a name");
    assert!(
        !page.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t') || c == '\u{202e}'),
        "control characters"
    );
    // Only the results folder was created.
    assert_eq!(std::fs::read_dir(folder.path(".")).expect("the folder").count(), before + 1);
}

#[test]
fn json_says_the_same_name() {
    let folder = Folder::new();
    let path = folder.write(NAME, &file(FileKind::Executable));
    let (_, json) = crate::command::support::check(&path, &[]);
    assert_eq!(json["file"], path);
    let functions: Vec<_> = json["discrepancies"].as_array().expect("a list").iter().map(|f| &f["function"]).collect();
    assert!(functions.iter().any(|function| *function == NAME), "{functions:?}");
}
