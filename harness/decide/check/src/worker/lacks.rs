//! What the emulated system lacks that a program asked for, and whether it failed for that: its run
//! then proves little.
//!
//! Programs look for many files whose absence they survive on every system. One that fails for what
//! is missing prints so, or nothing at all: its output names the file, or has the text of the
//! error.

use std::path::Path;

use machine::{End, Run};
use results::{Report, Undecided};
use types::{StopReason, UndecidedReason, counted};

use crate::supplies::Outside;

/// Number of absent files that are named.
const NAMED: usize = 3;
/// Texts of ENOENT and ENOSYS (glibc `sysdeps/gnu/errlist.h`, musl `__strerror.h`), in lower case.
const NO_ENTRY: &str = "no such file or directory";
const NO_CALL: &str = "function not implemented";
/// Least length of a name that output is searched for.
const SHORTEST: usize = 5;

/// Adds to a report what a program lacked.
pub(super) fn note(run: &Run, outside: &Outside, report: &mut Report) {
    let output = String::from_utf8_lossy(&run.output).to_lowercase();
    let failed = match run.end {
        End::Exit(0) | End::Halt(_) | End::Sentinel | End::Undecided { .. } => None,
        End::Exit(status) => Some(status),
    };
    refused(run, failed.filter(|_| output.is_empty() || output.contains(NO_CALL)), report);
    if !matches!(run.end, End::Exit(0)) && run.absent.count > 0 {
        not_found(run, outside, failed, &output, report);
    }
}

/// Adds the system calls that returned ENOSYS; `failed` is the status of a program that may have
/// failed for it.
fn refused(run: &Run, failed: Option<i32>, report: &mut Report) {
    if run.refused.is_empty() {
        return;
    }
    let calls = run.refused.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    let calls = format!("system calls returned ENOSYS, as of Linux 3.2 with few options: {calls}");
    match failed {
        None => report.notes.push(calls),
        Some(status) => report.undecided.push(Undecided {
            reason: UndecidedReason::Stopped(StopReason::Syscall),
            pc: None,
            message: format!("exited with status {status}; {calls}"),
        }),
    }
}

/// Adds the files that a program which failed did not find. If this machine has one of them, the
/// program no root of its own, and it failed for one, it would go on outside the emulator.
fn not_found(run: &Run, outside: &Outside, failed: Option<i32>, output: &str, report: &mut Report) {
    let last = &run.absent.last;
    let listed = |names: &[&String]| {
        let last = names.iter().rev().take(NAMED).rev();
        last.map(|name| name.as_str()).collect::<Vec<_>>().join(", ")
    };
    let is_here = |path: &&String| match outside {
        Outside::Nothing | Outside::Libraries => path.starts_with('/') && Path::new(path).exists(),
        Outside::Folder(_) => false,
    };
    let here: Vec<&String> = last.iter().filter(is_here).collect();
    let named: Vec<&String> = here.iter().copied().filter(|path| is_named(output, path)).collect();
    let (count, hint) = (counted(run.absent.count, "file"), "--file and --root supply files");
    let by_file = !named.is_empty() || output.is_empty() || output.contains(NO_ENTRY);
    match failed.filter(|_| !here.is_empty() && by_file) {
        Some(status) => {
            let files = listed(if named.is_empty() { &here } else { &named });
            let message = format!(
                "exited with status {status} after {count} were not found, of which this machine has {files} ({hint})"
            );
            report.undecided.push(Undecided { reason: UndecidedReason::FilesNotFound, pc: None, message });
        }
        None => {
            let last = listed(&last.iter().collect::<Vec<_>>());
            report.notes.push(format!("{count} not found, last {last} ({hint})"));
        }
    }
}

/// Returns true if output in lower case has the path of a file, or as a word its name, without the
/// extension too, or the name of its folder (a module of Python).
fn is_named(output: &str, path: &str) -> bool {
    let path = path.to_lowercase();
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let stem = name.split('.').next().unwrap_or(name);
    let in_folder = folder.matches('/').count() > 2;
    let folder = folder.rsplit('/').next().filter(|_| in_folder).unwrap_or_default();
    output.contains(&path) || [name, stem, folder].into_iter().any(|word| has_word(output, word))
}

fn has_word(output: &str, word: &str) -> bool {
    let joins = |character: Option<char>| character.is_some_and(|one| one.is_alphanumeric() || "_-/".contains(one));
    word.len() >= SHORTEST
        && output.match_indices(word).any(|(at, _)| {
            let (before, after) = (&output[..at], &output[at + word.len()..]);
            !joins(before.chars().next_back()) && !joins(after.chars().next())
        })
}
