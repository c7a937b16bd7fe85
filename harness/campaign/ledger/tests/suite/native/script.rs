//! Linkers' test scripts, run with the variables of those test suites, and gas's test in Tcl.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ledger::bundles;
use reports::bundle::files;
use toolchain::producers::{Producers, SHIPPED};
use types::Abi;

use super::home;
use testing::program::write_program;

/// A folder with the test file and all other files of its bundle.
fn folder_of(name: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (file, text) in files(&bundles::read(&home(), name).expect("a bundle")) {
        fs::write(folder.path().join(file), text).expect("a file");
    }
    folder
}

/// An installed linker or assembler, by prefix of its version.
fn program(tool: &str, abi: Abi, version: &str) -> Option<PathBuf> {
    let home = home();
    let producers = Producers::read(&home.root.join(SHIPPED), &home.root).expect("the shipped one");
    let tools = producers.tools(tool, abi).unwrap_or_default();
    tools.iter().find(|tool| tool.version.to_string().starts_with(version)).map(|tool| tool.program.clone())
}

/// Returns true if the script succeeds with this linker in place of the suite's own. Options that
/// only wild has are removed, and this assembler replaces any other.
fn passes(folder: &Path, linker: &Path, assembler: &Path) -> bool {
    fs::write(folder.join("common.inc"), "set -e -o pipefail\nt=$PWD/made\nmkdir -p $t\nskip() { exit 77; }\n")
        .expect("a file");
    write_program(
        folder.join("mold"),
        &format!(
            "#!/bin/bash\nwords=()\nfor word; do case $word in --wild-*) ;; *) words+=(\"$word\") ;; esac; done\nexec {} \"${{words[@]}}\"\n",
            linker.display()
        ),
    );
    let test = fs::read_to_string(folder.join("test.sh")).expect("a test");
    // A compiler that assembles is replaced by the assembler.
    let named = test.replace(
        "clang-23 --target=x86_64-linux-gnu -c -Wa,--allow-experimental-sframe -Wa,--gsframe",
        "x86_64-linux-gnu-as --gsframe",
    );
    let named = named
        .replace("clang-23", "x86_64-linux-gnu-as")
        .replace("x86_64-linux-gnu-as ", &format!("{} ", assembler.display()));
    fs::write(folder.join("test.sh"), named).expect("a file");
    let beside = assembler.with_file_name("x86_64-linux-gnu-readelf");
    if beside.is_file() {
        write_program(folder.join("readelf"), &format!("#!/bin/sh\nexec {} \"$@\"\n", beside.display()));
    }
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").expect("a path"));
    let ran = Command::new("bash").arg("test.sh").current_dir(folder).env("PATH", path).output().expect("a shell");
    assert_ne!(ran.status.code(), Some(77), "{ran:?}");
    ran.status.success()
}

/// Tests in mold's format fail with a linker that concatenates tables, and pass with one that
/// merges them.
#[test]
fn a_script_passes_with_a_linker_that_merges_alone() {
    let tools = [("gas", "2.47"), ("ld", "2.47"), ("gold", "1.16")];
    let [Some(assembler), Some(merges), Some(appends)] =
        tools.map(|(name, version)| program(name, Abi::Amd64, version))
    else {
        return;
    };
    let sorted = folder_of("wild-sort-section");
    assert!(passes(sorted.path(), &merges, &assembler), "it fails with ld");
    let sorted = folder_of("wild-sort-section");
    assert!(!passes(sorted.path(), &appends, &assembler), "it passes with gold");
    let by_way = folder_of("wild-relocatable");
    assert!(passes(by_way.path(), &merges, &assembler), "it fails with ld");
    let by_way = folder_of("wild-relocatable");
    assert!(!passes(by_way.path(), &appends, &assembler), "it passes with gold");
}

/// V2 start fields of objects are relative to themselves: ld 2.44 corrects them, and a linker
/// without SFrame support does not.
#[test]
fn a_script_looks_for_the_function_where_its_code_is() {
    let tools = [("gas", "2.44"), ("ld", "2.44"), ("gold", "1.16")];
    let [Some(assembler), Some(mends), Some(leaves)] = tools.map(|(name, version)| program(name, Abi::Amd64, version))
    else {
        return;
    };
    assert!(passes(folder_of("wild-v2-starts").path(), &mends, &assembler), "it fails with ld");
    assert!(!passes(folder_of("wild-v2-starts").path(), &leaves, &assembler), "it passes with gold");
}

/// mold omits a table silently, GNU ld prints a warning.
#[test]
fn a_script_passes_where_it_is_told() {
    let tools = [("gas", "2.47"), ("ld", "2.47"), ("mold", "3.0"), ("gas", "2.40")];
    let [Some(assembler), Some(tells), Some(silent), Some(old)] =
        tools.map(|(name, version)| program(name, Abi::Amd64, version))
    else {
        return;
    };
    for (linker, right) in [(&tells, true), (&silent, false)] {
        let folder = folder_of("mold-skips-versions");
        write_program(
            folder.path().join("x86_64-linux-gnu-as-2.40"),
            &format!("#!/bin/sh\nexec {} \"$@\"\n", old.display()),
        );
        assert_eq!(passes(folder.path(), linker, &assembler), right, "{}", linker.display());
    }
}

/// gold truncates a number in the CIE of its PLT. No other linker makes this CIE for the source:
/// the correct version is readelf's expected output.
#[test]
fn a_script_of_gold_reads_the_cie() {
    let Some(gold) = program("gold", Abi::S390x, "1.16") else { return };
    for (mended, passes) in [("ofs 32", false), ("ofs 160", true)] {
        let folder = folder_of("gold-s390x-plt-cfa");
        let made = tempfile::tempdir().expect("a temporary folder");
        let readelf = made.path().join("readelf");
        write_program(
            &readelf,
            &format!("#!/bin/sh\ns390x-linux-gnu-readelf \"$@\" | sed 's/r15 ofs 32/r15 {mended}/'\n"),
        );
        let mut script = Command::new("sh");
        script.arg(folder.path().join("test.sh")).current_dir(made.path()).env("srcdir", folder.path());
        let ran = script.env("LD", &gold).env("READELF", &readelf).output().expect("a shell");
        assert_eq!(ran.status.success(), passes, "{mended}: {ran:?}");
    }
}

/// With stubs for the DejaGnu procedures that it uses.
#[test]
fn a_script_in_tcl_fails_where_gas_is_silent() {
    let stubs = "proc istarget {target} { return 1 }\n\
                 proc remote_exec {host command} { return [list [catch {exec -ignorestderr sh -c \"$command 2>&1\"} said] $said] }\n\
                 foreach verdict {pass fail unresolved} { proc $verdict {test} [list puts $verdict] }\n\
                 set srcdir [pwd]\nset subdir .\nset AS $env(AS)\nset READELF $env(READELF)\n";
    for (version, verdict) in [("2.40", "fail\n"), ("2.44", "pass\n"), ("2.47", "pass\n")] {
        let Some(assembler) = program("gas", Abi::Amd64, version) else { continue };
        let folder = folder_of("gas-refuses-silently");
        fs::write(folder.path().join("stubs.tcl"), stubs).expect("a file");
        fs::write(folder.path().join("all.tcl"), "source stubs.tcl\nsource test.exp\n").expect("a file");
        let readelf = assembler.with_file_name("x86_64-linux-gnu-readelf");
        let mut tcl = Command::new("tclsh");
        tcl.arg("all.tcl").current_dir(folder.path()).env("AS", &assembler).env("READELF", readelf);
        // Only this test needs Tcl.
        let Ok(ran) = tcl.output() else { return };
        assert_eq!(String::from_utf8_lossy(&ran.stdout), verdict, "{version}: {ran:?}");
    }
}
