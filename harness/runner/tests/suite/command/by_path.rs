//! Readers that are built from external sources, `ci/consumers kernel=TREE` and `profiler=FOLDER`:
//! the recipes are tested with stand-ins of this project, and with programs for another target
//! under a user-mode emulator.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::command::support::{Folder, Ran, run};

fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/command/by_path").join(name)
}

/// Builds a reader into a folder with the script; `variables` select the compiler.
fn build(folder: &Folder, reader: &str, sources: &Path, variables: &[(&str, &str)]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ci/consumers");
    let words = ["--to", &folder.path(""), &format!("{reader}={}", sources.display())];
    let output = Command::new(script).args(words).envs(variables.iter().copied()).output().expect("bash");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Asks about a vector, and about its stacks if it has any.
fn ask(folder: &Folder, emulator: &str, name: &str, vector: &str) -> Ran {
    let command = format!("{emulator} {}", folder.path(&format!("{name}/answer")));
    let entry = format!(
        "- name: {name}\n  about: by path\n  command: {}\n  version_pattern: '([0-9.]+)'\n  from: nowhere\n  \
         reads: [{{versions: [v2e1, v3], abis: [amd64]}}]\n  tells: [chain]\n  limits: {{memory_mib: 0}}\n",
        command.trim()
    );
    let file = folder.write("consumers.yaml", entry.as_bytes());
    run(&["consumers", "--consumers", &file, "--programs", "0", "--builds", "0", "--filter", vector])
}

/// Checks that this many sections are right, and nothing else is reported.
fn is_right(ran: &Ran) -> bool {
    ran.code == Some(0) && ran.stdout.lines().any(|line| line.split_whitespace().skip(2).take(2).eq(["right", "1"]))
}

#[test]
fn a_tree_of_linux_is_read_by_its_own_file_and_a_bug_in_it_shows() {
    let folder = Folder::new();
    build(&folder, "kernel", &here(""), &[]);
    let ran = ask(&folder, "", "kernel", "valid/v3-amd64/two-functions");
    assert!(is_right(&ran), "{ran:?}");
    let text = std::fs::read_to_string(here("kernel/unwind/sframe.c")).expect("the stand-in");
    for part in ["include/linux", "kernel/unwind"] {
        std::fs::create_dir_all(folder.path("tree/").clone() + part).expect("a folder");
    }
    for name in ["linux/sframe.h", "linux/unwind_user_types.h"] {
        folder.write(&format!("tree/include/{name}"), &std::fs::read(here("include").join(name)).expect("a header"));
    }
    folder.write("tree/kernel/unwind/sframe.c", text.replace("row[0] <= ip", "row[0] < ip").as_bytes());
    build(&folder, "kernel", Path::new(&folder.path("tree")), &[]);
    let wrong = ask(&folder, "", "kernel", "valid/v3-amd64/two-functions");
    assert!(wrong.code == Some(1) && wrong.stdout.contains("valid/two-functions"), "{wrong:?}");
}

#[test]
fn a_reader_in_cpp_with_an_adapter_is_built() {
    let folder = Folder::new();
    build(&folder, "profiler", &here("profiler"), &[]);
    let ran = ask(&folder, "", "profiler", "valid/v2e1-amd64/two-functions");
    assert!(is_right(&ran), "{ran:?}");
}

/// The time is of a pass over all PCs, however many passes there are.
#[test]
fn an_adapter_measures_the_time_of_its_answers() {
    let folder = Folder::new();
    build(&folder, "profiler", &here("profiler"), &[]);
    let vector = readers::vector_named(readers::corpus::SEED, "valid/v2e1-amd64/two-functions").expect("a vector");
    let section = folder.write("section.sframe", &vector.bytes);
    let (from, to) = vector.text;
    let mut asked = format!("section {section} {:#x} {from:#x} {to:#x} little amd64\n", vector.address);
    let count = 2000;
    for answer in vector.answers.iter().cycle().take(count) {
        asked.push_str(&format!("{:#x} r7=0x7000 r6=0x7100 @0x7008=0x1234\n", answer.pc));
    }
    asked.push_str("time 1\ntime 100\n");
    let mut child = Command::new(folder.path("profiler/answer"))
        .arg("sframe-answers-2")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the adapter");
    child.stdin.take().expect("a pipe").write_all(asked.as_bytes()).expect("questions");
    let said = String::from_utf8(child.wait_with_output().expect("answers").stdout).expect("text");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), count + 3, "{said}");
    let time = |line: &str| line.strip_prefix("time ").and_then(|time| time.parse::<u64>().ok()).expect(line);
    let [.., once, often] = lines[..] else { panic!("{said}") };
    // A look-up takes some nanoseconds; a pass far less than a second.
    assert!(time(often) >= count as u64 && time(often) < 1_000_000_000, "{once} {often}");
}

/// Compilers for another target, and emulators for their programs.
const FOREIGN: [(&str, [&str; 2]); 2] = [
    ("aarch64-linux-gnu-g++", ["qemu-aarch64-static", "qemu-aarch64"]),
    ("s390x-linux-gnu-g++", ["qemu-s390x-static", "qemu-s390x"]),
];

/// With a bug in a reader's rows, the adapter's walk is wrong.
#[test]
fn stacks_are_walked_by_the_rows_that_a_reader_gives() {
    let folder = Folder::new();
    build(&folder, "profiler", &here("profiler"), &[]);
    let stack = "valid/v2e1-amd64/chain-2";
    let ran = ask(&folder, "", "profiler", stack);
    assert!(is_right(&ran) && ran.stdout.contains("stacks: 1 drawn"), "{ran:?}");
    let text = std::fs::read_to_string(here("profiler/reader.cc")).expect("the stand-in");
    let shared = std::fs::canonicalize(here("../../../../../../ci/adapters/adapter.h")).expect("the adapters");
    let shared = std::fs::read_to_string(shared).expect("what they share");
    for (name, text, from, to) in [
        ("reader.cc", &text, "at_cfa(offset(next)) : same", "at_cfa(offset(next) - 8) : same"),
        ("adapter.h", &shared, "cfa + target->caller_sp", "cfa + 8 + target->caller_sp"),
    ] {
        assert!(text.contains(from), "{name} has no '{from}'");
        let folder = Folder::new();
        std::fs::create_dir(folder.path("sources")).expect("a folder");
        folder.write("sources/reader.cc", std::fs::read(here("profiler/reader.cc")).expect("the stand-in").as_slice());
        folder.write("sources/adapter.h", shared.as_bytes());
        folder.write(&format!("sources/{name}"), text.replace(from, to).as_bytes());
        build(&folder, "profiler", Path::new(&folder.path("sources")), &[]);
        let wrong = ask(&folder, "", "profiler", stack);
        assert!(wrong.code == Some(1) && wrong.stdout.contains("chain"), "{name}: {wrong:?}");
    }
}

#[test]
fn a_reader_for_another_target_runs_through_an_emulator_of_programs() {
    let is_here =
        |program: &&str| Command::new(program).arg("--version").output().is_ok_and(|ran| ran.status.success());
    let pair = |(compiler, emulators): &(&'static str, [&'static str; 2])| {
        Some((is_here(compiler).then_some(*compiler)?, emulators.iter().copied().find(is_here)?))
    };
    let Some((compiler, emulator)) = FOREIGN.iter().find_map(pair) else {
        eprintln!(
            "not run: apt-get install qemu-user-static g++-aarch64-linux-gnu (or g++-s390x-linux-gnu) would get what it needs"
        );
        return;
    };
    let folder = Folder::new();
    build(&folder, "profiler", &here("profiler"), &[("CXX", compiler), ("CFLAGS", "-static")]);
    let ran = ask(&folder, emulator, "profiler", "valid/v2e1-amd64/two-functions");
    assert!(is_right(&ran), "{ran:?}");
}
