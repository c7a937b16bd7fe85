//! A run whose temporary files have no space, on a file system of a few pages. If mounting is not
//! permitted, the test is ignored with the reason.

use std::io;
use std::process::{Command, ExitCode, Output, Stdio};

use libtest_mimic::{Arguments, Failed, Trial, run};

/// Mounts a file system of three pages, visible only to the given command, for its temporary files.
const MOUNT: &str = "mount -t tmpfs -o size=12k none \"$1\" && TMPDIR=$1 && export TMPDIR && shift && exec \"$@\"";

/// An assembler and a linker: the trials need more files than fit before either is called, and the
/// first error ends the run.
const PRODUCERS: &str = "- name: fake
  kind: assembler
  about: a test's
  program: {all: [/bin/sh]}
  version: {arguments: '-c \"echo 9.1\"', pattern: '([0-9.]+)'}
  sframe: [{from: '1', versions: [v3]}]
  with: [{name: link}]
  steps: {assemble: '{program} {inputs} {output}'}
- name: link
  kind: linker
  about: a test's
  program: {all: [/bin/sh]}
  version: {arguments: '-c \"echo 9.1\"', pattern: '([0-9.]+)'}
  steps: {link: '{program} {inputs} {output}', relocatable: '{program} {inputs} {output}'}
";
const FILTER: &str = "::frames::no-fp";

fn main() -> ExitCode {
    let permitted = within_mount(&["true"]).is_ok_and(|ran| ran.status.success());
    let name = match permitted {
        true => "no_trial_fails_where_the_disk_is_full",
        false => "no_trial_fails_where_the_disk_is_full (ignored: mounting is not permitted here)",
    };
    let test = Trial::test(name, no_trial_fails).with_ignored_flag(!permitted);
    run(&Arguments::from_args(), vec![test]).exit_code()
}

fn within_mount(command: &[&str]) -> io::Result<Output> {
    let folder = tempfile::tempdir()?;
    let mut unshare = Command::new("unshare");
    unshare.args(["--mount", "sh", "-c", MOUNT, "sh"]).arg(folder.path()).args(command);
    unshare.stdin(Stdio::null()).output()
}

fn no_trial_fails() -> Result<(), Failed> {
    let out = tempfile::tempdir()?;
    let folder = out.path().join("out");
    let program = env!("CARGO_BIN_EXE_sframe-conformance");
    let producers = out.path().join("producers.yaml");
    std::fs::write(&producers, PRODUCERS)?;
    let (producers, folder_name) = (producers.display().to_string(), folder.display().to_string());
    let ran = within_mount(&[program, "run", "--producers", &producers, "--filter", FILTER, "--out", &folder_name])?;
    let printed = String::from_utf8_lossy(&ran.stderr).into_owned();
    let results = std::fs::read_to_string(folder.join("results.jsonl"))?;
    let named = printed.contains("/sframe-conformance-")
        && printed.contains(": no storage space; no trial can be judged there");
    match (ran.status.code(), named, results.contains("\"status\":\"FAIL\"")) {
        (Some(3), true, false) => Ok(()),
        (code, ..) => Err(format!("exit code {code:?}, {} results: {printed}", results.lines().count()).into()),
    }
}
