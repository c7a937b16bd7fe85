//! Programs of a few instructions that the assembler of this machine makes.

use std::path::PathBuf;
use std::process::Command;

use backend::{Backend as _, Plan};
use libtest_mimic::Failed;
use machine::Unicorn;
use remote::Both;
use tempfile::TempDir;
use types::memo::NoMemo;
use types::{RunEnd, Step, StopReason};

use crate::agree::second;
use crate::fetched_qemu;

/// The program of an assembly text, in a folder.
fn assembled(text: &str) -> Result<(TempDir, PathBuf), Failed> {
    let folder = tempfile::tempdir()?;
    let (source, program) = (folder.path().join("program.s"), folder.path().join("program"));
    std::fs::write(&source, text)?;
    match Command::new("cc").args(["-nostdlib", "-static", "-o"]).arg(&program).arg(&source).status()?.success() {
        true => Ok((folder, program)),
        false => Err("cc failed".into()),
    }
}

/// `clone(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD)`, and `exit` in both threads.
const THREADS: &str = ".globl _start\n_start: mov $56,%eax; mov $0x10f00,%edi; lea -4096(%rsp),%rsi; syscall\n\
                       mov $60,%eax; xor %edi,%edi; syscall\n";

/// A program that begins a thread: it is followed so far, and the reason has its name.
pub(crate) fn threads() -> Result<(), Failed> {
    let (_folder, program) = assembled(THREADS)?;
    let bytes = std::fs::read(program)?;
    let image = elf::load("threads", &bytes.clone().into())?;
    let run = second(&bytes).run(&Plan::new(&image), &mut NoMemo(&mut |_: &Step<'_>| {}))?;
    let both = Both::new(Unicorn::default(), second(&bytes));
    let in_step = both.run(&Plan::new(&image), &mut NoMemo(&mut |_: &Step<'_>| {}))?;
    let compared = both.compared();
    let named = compared.ended.as_ref().is_some_and(|why| why.contains("begins a thread"));
    match run.end {
        RunEnd::Undecided { reason: StopReason::Thread, .. } if run.steps == 4 && compared.steps == 4 && named => {
            Ok(())
        }
        end => Err(format!("{end:?}, {compared:?}, {:?}", in_step.end).into()),
    }
}

/// The bug of the README recurs in the qemu that is fetched, and this processor does not have it.
pub(crate) fn enter_is_wrong() -> Result<(), Failed> {
    const README: &str = include_str!("../../README.md");
    let text = README.split("```").nth(1).ok_or("no reproducer")?;
    let (_folder, program) = assembled(text)?;
    let under_qemu = Command::new(fetched_qemu()).arg(&program).status()?.code();
    if under_qemu == Some(0) {
        return Err("qemu executes it right: see the README and amd64.rs".into());
    }
    let native = Command::new(&program).status()?.code();
    if (under_qemu, native) == (Some(1), Some(0)) { Ok(()) } else { Err(format!("{under_qemu:?}, {native:?}").into()) }
}
