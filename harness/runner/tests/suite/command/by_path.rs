//! Readers that are built from sources somewhere else, `ci/consumers kernel=TREE` and `profiler=FOLDER`: the recipes on stand-ins of this project's
//! own, and what is built for another target behind an emulator of user programs.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::support::{Folder, Ran, run};

fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/command/by_path").join(name)
}

/// Builds a reader into a folder by the script; `variables` choose the compiler.
fn build(folder: &Folder, reader: &str, sources: &Path, variables: &[(&str, &str)]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ci/consumers");
    let words = ["--to", &folder.path(""), &format!("{reader}={}", sources.display())];
    let output = Command::new(script).args(words).envs(variables.iter().copied()).output().expect("bash");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn ask(folder: &Folder, emulator: &str, name: &str, reads: &str) -> Ran {
    let command = format!("{emulator} {}", folder.path(&format!("{name}/answer")));
    let entry = format!(
        "- name: {name}\n  about: by path\n  command: {}\n  version_pattern: '([0-9.]+)'\n  from: nowhere\n  reads: [{reads}]\n  \
         limits: {{memory_mib: 0}}\n",
        command.trim()
    );
    let file = folder.write("consumers.yaml", entry.as_bytes());
    let version = if name == "kernel" { "v3" } else { "v2e1" };
    let vector = format!("valid/{version}-amd64/two-functions");
    run(&["consumers", "--consumers", &file, "--programs", "0", "--filter", &vector])
}

/// So many sections are right, and nothing else is said of the reader.
fn is_right(ran: &Ran) -> bool {
    ran.code == Some(0) && ran.stdout.lines().any(|line| line.split_whitespace().skip(2).take(2).eq(["right", "1"]))
}

#[test]
fn a_tree_of_linux_is_read_by_its_own_file_and_a_mistake_in_it_shows() {
    let folder = Folder::new();
    build(&folder, "kernel", &here(""), &[]);
    let ran = ask(&folder, "", "kernel", "{versions: [v3], abis: [amd64]}");
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
    let wrong = ask(&folder, "", "kernel", "{versions: [v3], abis: [amd64]}");
    assert!(wrong.code == Some(1) && wrong.stdout.contains("valid/two-functions"), "{wrong:?}");
}

#[test]
fn a_reader_in_cpp_with_an_adapter_is_built() {
    let folder = Folder::new();
    build(&folder, "profiler", &here("profiler"), &[]);
    let ran = ask(&folder, "", "profiler", "{versions: [v2e1], abis: [amd64]}");
    assert!(is_right(&ran), "{ran:?}");
}

/// Compilers that make programs for another target, and what runs those.
const FOREIGN: [(&str, [&str; 2]); 2] = [
    ("aarch64-linux-gnu-g++", ["qemu-aarch64-static", "qemu-aarch64"]),
    ("s390x-linux-gnu-g++", ["qemu-s390x-static", "qemu-s390x"]),
];

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
    let ran = ask(&folder, emulator, "profiler", "{versions: [v2e1], abis: [amd64]}");
    assert!(is_right(&ran), "{ran:?}");
}
