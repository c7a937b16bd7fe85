//! `ci/upstream`: the commit of a repository that brought a bug, on a stand-in for binutils whose
//! tools call the real ones.

use std::path::Path;
use std::process::{Command, Output};

use crate::command::support::Folder;

/// Writes a Makefile that copies the tools.
const CONFIGURE: &str = "#!/bin/sh\nprintf 'all-gas all-ld all-binutils all-gcc: copied\\n.PHONY: copied\\ncopied:\\n\
                         \\tcp -r ../source/tools/. .\\n' >Makefile\n";

/// Makes the offset of the last row of a table wrong.
const BUG: &str = "while [ $# -gt 0 ]; do [ \"$1\" != -o ] || out=$2; shift; done\n\
                   set -- $(objdump -h \"$out\" | awk '$2 == \".sframe\" { print $3, $6 }')\n\
                   printf '\\030' | dd of=\"$out\" bs=1 seek=$((0x$2 + 0x$1 - 1)) conv=notrunc 2>/dev/null\n";

fn git(folder: &Folder, words: &[&str]) {
    let by = ["-c", "user.name=test", "-c", "user.email=test@localhost", "-C"];
    let output = Command::new("git").args(by).arg(folder.path("repository")).args(words).output().expect("git");
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn begin(folder: &Folder) {
    std::fs::create_dir_all(folder.path("repository")).expect("a folder");
    git(folder, &["init", "-q"]);
    testing::program::write_program(folder.path("repository/configure"), CONFIGURE);
}

fn tool(folder: &Folder, name: &str, real: &str, more: &str) {
    let path = folder.path(&format!("repository/tools/{name}"));
    std::fs::create_dir_all(Path::new(&path).parent().expect("a folder")).expect("a folder");
    testing::program::write_program(
        &path,
        &format!("#!/bin/sh\n{real} \"$@\" || exit\n[ $# -gt 1 ] || exit 0\n{more}"),
    );
}

fn commit(folder: &Folder, subject: &str) {
    folder.write("repository/NEWS", subject.as_bytes());
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", subject]);
}

fn upstream(folder: &Folder, project: &str, more: &[(&str, &str)]) -> (Option<i32>, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ci/upstream");
    let variables = [
        ("OUT", folder.path("out")),
        ("PROGRAM", env!("CARGO_BIN_EXE_sframe-conformance").to_owned()),
        ("TARGETS", "x86_64".to_owned()),
    ];
    let mut command = Command::new(script);
    command.args([project, &folder.path("repository")]).envs(variables).envs(more.iter().copied());
    let Output { status, stdout, stderr } = command.output().expect("bash");
    (status.code(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
}

/// The lines of a page that name commits.
fn named(page: &str) -> Vec<&str> {
    page.lines().filter(|line| line.starts_with("- **")).collect()
}

#[test]
fn the_commit_that_brought_a_bug_is_named() {
    let folder = Folder::new();
    begin(&folder);
    for (name, real) in
        [("gas/as-new", "as"), ("ld/ld-new", "ld"), ("binutils/readelf", "readelf"), ("binutils/objdump", "objdump")]
    {
        tool(&folder, name, real, "");
    }
    commit(&folder, "Begin");
    let upstream =
        || upstream(&folder, "binutils", &[("FILTER", "::frames::no-fp"), ("BUNDLE", "--as-is"), ("CHECKS", "trials")]);
    let (code, printed) = upstream();
    assert!(code == Some(0) && printed.contains("nothing to compare with"), "{code:?}: {printed}");
    commit(&folder, "Change news");
    tool(&folder, "gas/as-new", "as", BUG);
    commit(&folder, "Break the assembler");
    commit(&folder, "Change more news");
    commit(&folder, "Change the last news");
    let (code, printed) = upstream();
    assert_eq!(code, Some(1), "{printed}");
    let page = std::fs::read_to_string(folder.path("out/binutils/page.md")).expect("a page");
    assert!(matches!(named(&page)[..], [line] if line.contains("Break the assembler")), "{page}");
    let bundled = |line: &str| line.contains("CFA is rsp+24, expected rsp+8") && line.contains("/bundles/");
    assert!(page.lines().any(bundled), "{page}");
    let (code, printed) = upstream();
    assert!(code == Some(0) && printed.contains("was run already"), "{code:?}: {printed}");
}

/// Answers for `consumers`: a finding is known unless the reader prints what it should not. A run
/// of one section has no folder of private findings.
const CONSUMERS: &str = r#"#!/bin/sh
while [ $# -gt 0 ]; do case $1 in --readelf) reader=$2 ;; --filter) filter=$2 ;; --out) out=$2 ;; esac; shift; done
mkdir -p "$out"; [ "$filter" ] || { mkdir -p "$out/private"; : >"$out/private/findings.jsonl"; }
known='"an-entry"' code=0; "$reader" | grep -q wrong && known=null code=1
echo '{"fingerprint":"1234","cause":"wrong-row","example":{"id":"valid/one"},"known":'$known'}' >"$out/findings.jsonl"
exit $code
"#;

/// A finding about readelf is bisected with the one section that shows it.
#[test]
fn the_commit_that_broke_a_reader_is_named() {
    let folder = Folder::new();
    begin(&folder);
    for name in ["gas/as-new", "ld/ld-new", "binutils/readelf", "binutils/objdump"] {
        tool(&folder, name, "true", "");
    }
    testing::program::write_program(folder.path("consumers"), CONSUMERS);
    let program = folder.path("consumers");
    let upstream = || upstream(&folder, "binutils", &[("CHECKS", "readers"), ("PROGRAM", &program)]);
    commit(&folder, "Begin");
    let (code, printed) = upstream();
    assert!(code == Some(0) && printed.contains("nothing to compare with"), "{code:?}: {printed}");
    commit(&folder, "Change news");
    tool(&folder, "binutils/readelf", "echo wrong; true", "");
    commit(&folder, "Break the reader");
    commit(&folder, "Change more news");
    commit(&folder, "Change the last news");
    let (code, printed) = upstream();
    assert_eq!(code, Some(1), "{printed}");
    let page = std::fs::read_to_string(folder.path("out/binutils/page.md")).expect("a page");
    assert!(matches!(named(&page)[..], [line] if line.contains("Break the reader")), "{page}");
    assert!(page.contains("wrong-row") && page.contains("its least section"), "{page}");
}

/// A random program shows what a commit makes the compiler lose.
#[test]
fn the_commit_that_broke_a_compiler_is_named() {
    let folder = Folder::new();
    begin(&folder);
    tool(&folder, "gcc/cc1", "false", "");
    // The stand-in's cc1 is not that of the real one.
    let real = "shift 2; gcc";
    tool(&folder, "gcc/xgcc", real, "");
    commit(&folder, "Begin");
    let upstream = || {
        upstream(
            &folder,
            "gcc",
            &[("CHECKS", "programs"), ("PROGRAMS", "1"), ("LANGUAGES", "c"), ("BUNDLE", "--as-is")],
        )
    };
    let (code, printed) = upstream();
    assert!(code == Some(0) && printed.contains("nothing to compare with"), "{code:?}: {printed}");
    tool(
        &folder,
        "gcc/xgcc",
        real,
        "while [ $# -gt 1 ]; do [ \"$1\" != -o ] || sed -i '0,/cfa_offset 16$/{//d}' \"$2\"; shift; done\n",
    );
    commit(&folder, "Break the compiler");
    commit(&folder, "Change news");
    let (code, printed) = upstream();
    assert_eq!(code, Some(1), "{printed}");
    let page = std::fs::read_to_string(folder.path("out/gcc/page.md")).expect("a page");
    assert!(!named(&page).is_empty() && named(&page).iter().all(|line| line.contains("Break the compiler")), "{page}");
    let least = page.lines().find_map(|line| line.strip_prefix("  - the least program: ")).expect("a program");
    assert!(Path::new(least).join("repro.c").is_file(), "{least}");
}
