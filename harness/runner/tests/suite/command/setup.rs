//! `ci/setup browser` on simulated systems: a PATH with nothing but the words it uses, and an
//! apt with scripted answers.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::support::Folder;
use testing::program::write_program;

/// Commands that the script calls, other than apt and the browser.
const WORDS: [&str; 7] = ["bash", "sed", "grep", "env", "cat", "chmod", "id"];

/// A PATH with these scripts, by name, and the real [`WORDS`].
fn system(scripts: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    let path = std::env::var_os("PATH").expect("PATH");
    for word in WORDS {
        let real = std::env::split_paths(&path).map(|folder| folder.join(word)).find(|file| file.is_file());
        symlink(real.unwrap_or_else(|| panic!("no {word}")), folder.path(word)).expect("a link");
    }
    for (name, body) in scripts {
        write_program(folder.path(name), &format!("#!/bin/sh\n{body}\n"));
    }
    folder
}

/// Exit code and complete output.
fn setup(system: &Folder, words: &[&str]) -> (Option<i32>, String) {
    let script: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ci/setup");
    let bash = system.path("bash");
    let output = Command::new(bash).arg(script).args(words).env("PATH", system.path("")).output().expect("bash");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

const STUB: &str = "echo 'this command needs a snap' >&2; exit 1";
const ROOT: (&str, &str) = ("sudo", "exec \"$@\"");

#[test]
fn a_browser_that_runs_is_left_alone() {
    let (code, printed) =
        setup(&system(&[("google-chrome", "echo Chrome 1"), ("chromium-browser", STUB)]), &["browser"]);
    assert_eq!((code, printed.trim()), (Some(0), "ci/setup: nothing to do, google-chrome is a browser"));
}

#[test]
fn a_system_with_a_package_gets_it() {
    let all = "echo '  Candidate: 140.0-1'";
    let no_shell = "case $2 in chromium) echo '  Candidate: 140.0-1' ;; *) echo '  Candidate: (none)' ;; esac";
    for (candidates, package) in [(all, "chromium-headless-shell"), (no_shell, "chromium")] {
        let system = system(&[
            ROOT,
            ("apt-cache", candidates),
            // The last requested package is installed afterwards.
            (
                "apt-get",
                "case $* in *install*) for last; do :; done; last=${0%/*}/$last; printf '#!/bin/sh\\n' > \"$last\"; chmod 755 \"$last\" ;; esac",
            ),
        ]);
        let (code, printed) = setup(&system, &["browser"]);
        assert_eq!(
            (code, printed.trim().to_owned()),
            (Some(0), format!("ci/setup: installed fonts-dejavu-core {package}"))
        );
        assert!(setup(&system, &["browser"]).1.contains(&format!("nothing to do, {package} is a browser")));
    }
}

#[test]
fn a_stub_for_a_snap_is_no_browser() {
    for policy in ["echo '  Candidate: 2:1snap1-0ubuntu2'", "echo '  Candidate: (none)'", ":"] {
        let system = system(&[ROOT, ("chromium-browser", STUB), ("apt-get", ":"), ("apt-cache", policy)]);
        let (code, printed) = setup(&system, &["browser"]);
        assert!(code == Some(2) && printed.contains("stub for a snap"), "{policy}: {code:?} {printed}");
    }
}

#[test]
fn what_fails_is_told() {
    let candidate = ("apt-cache", "echo '  Candidate: 140.0-1'");
    for (scripts, code, words) in [
        (vec![], 2, "no apt-get here"),
        (vec![ROOT, ("apt-get", "exit 100")], 1, "apt-get update failed"),
        (
            vec![ROOT, candidate, ("apt-get", "case $* in *install*) exit 100 ;; esac")],
            1,
            "could not install fonts-dejavu-core chromium-headless-shell",
        ),
        (vec![ROOT, candidate, ("apt-get", ":")], 1, "no browser on PATH prints its version"),
    ] {
        let (ended, printed) = setup(&system(&scripts), &["browser"]);
        assert!(ended == Some(code) && printed.contains(words), "{words}: {ended:?} {printed}");
    }
    assert_eq!(setup(&system(&[]), &["brewser"]).0, Some(2));
}
