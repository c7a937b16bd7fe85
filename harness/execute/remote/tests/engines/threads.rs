//! Programs with several threads, compiled from C: under both engines in lockstep, and under the
//! second engine alone.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Failed;
use tempfile::TempDir;
use testing::samples;
use types::memo::NoMemo;
use types::{Abi, RunEnd, Step};
use witness::{Backend as _, Plan, Run};

use crate::agree::{compare, second};

/// The compiler of each target, with options that include exclusive loads and stores: for small
/// programs without a C library, and large ones with a static one.
pub(crate) const COMPILERS: [(Abi, &str, &[&str]); 4] = [
    (Abi::Amd64, "cc", &[]),
    (Abi::Aarch64, "aarch64-linux-gnu-gcc", &["-mno-outline-atomics"]),
    (Abi::Aarch64Be, "aarch64-linux-gnu-gcc", &["-mno-outline-atomics", "-mbig-endian"]),
    (Abi::S390x, "s390x-linux-gnu-gcc", &[]),
];

/// Two threads that alternate by futexes, each with its own thread pointer; the status is 42 if
/// each saw all stores of the other.
const TURNS: &str = include_str!("programs/turns.c");

/// Threads of the C library: a mutex, a condition variable and thread-local storage.
const LIBRARY: &str = include_str!("programs/library.c");

/// Compiles a C text to a program, in a directory.
fn compiled(compiler: &str, options: &[&str], text: &str) -> Result<(TempDir, PathBuf), Failed> {
    let folder = tempfile::tempdir()?;
    let (source, program) = (folder.path().join("program.c"), folder.path().join("program"));
    std::fs::write(&source, text)?;
    match Command::new(compiler).args(options).arg("-o").arg(&program).arg(&source).status()?.success() {
        true => Ok((folder, program)),
        false => Err(format!("{compiler} failed").into()),
    }
}

/// Runs the programs to their exits under both engines, and under the second engine alone, each
/// with several thread schedules.
pub(crate) fn agree(abi: Abi, compiler: &str, options: &[&str]) -> Result<(), Failed> {
    let small = ["-O1", "-nostdlib", "-static", "-fno-pic", "-no-pie", "-fno-stack-protector"];
    let (_folder, program) = compiled(compiler, &[&small, options].concat(), TURNS)?;
    // The second schedule switches threads between a store and its use.
    follow(&program, 2, &[None, Some(22)])?;
    // There is no C library for big-endian AArch64.
    if samples::all() && abi != Abi::Aarch64Be {
        let (_folder, program) = compiled(compiler, &["-O1", "-static", "-pthread"], LIBRARY)?;
        follow(&program, 4, &[None, Some(1)])?;
    }
    Ok(())
}

fn follow(program: &Path, threads: u32, schedules: &[Option<u64>]) -> Result<(), Failed> {
    let bytes = std::fs::read(program)?;
    let image = elf::load("program", &bytes.clone().into())?;
    for schedule in schedules {
        let plan = Plan { schedule: *schedule, ..Plan::new(&image) };
        compare(&plan, &bytes)?;
        let mut seen = std::collections::BTreeSet::new();
        let mut note = |step: &Step<'_>| {
            seen.insert(step.thread);
        };
        let run = second(&bytes).run(&plan, &mut NoMemo(&mut note))?;
        match run {
            Run { end: RunEnd::Exit(42), threads: made, .. } if made == threads && seen.len() == threads as usize => {}
            run => return Err(format!("alone: {:?}, {} threads, {} seen", run.end, run.threads, seen.len()).into()),
        }
    }
    Ok(())
}
