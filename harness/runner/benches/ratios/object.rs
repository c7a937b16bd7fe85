//! An object of many functions, assembled by the newest GNU assembler that `ci/producers` fetched:
//! the same source in every run.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::Absent;

/// Path prefix of the newest suite's programs.
const SUITE: &str = "target/producers/gnu-newest/bin/x86_64-linux-gnu-";

pub(crate) fn program(name: &str) -> Result<PathBuf, Absent> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("{SUITE}{name}"));
    if path.is_file() { Ok(path) } else { Err(format!("no {name} is here: ci/producers gnu-newest")) }
}

/// An object file in a temporary folder.
pub(crate) struct Object {
    pub(crate) folder: TempDir,
    pub(crate) path: PathBuf,
}

/// An object with this number of functions, and with both tables.
pub(crate) fn assembled(functions: u32) -> Result<Object, Absent> {
    let assembler = program("as")?;
    let folder = tempfile::tempdir().expect("a folder");
    let (source, path) = (folder.path().join("many.s"), folder.path().join("many.o"));
    let mut text = "\t.text\n".to_owned();
    (0..functions).for_each(|index| function(&mut text, index).expect("text"));
    std::fs::write(&source, text).expect("a file");
    let ran =
        Command::new(assembler).arg("--gsframe").arg(&source).arg("-o").arg(&path).status().expect("an assembler");
    assert!(ran.success());
    Ok(Object { folder, path })
}

/// Leaf functions, functions with a frame pointer, with a frame, with saved registers, two exits
/// and calls, like compilers' output.
fn function(text: &mut String, index: u32) -> std::fmt::Result {
    let name = format!("module_{}_function_{index}", index / 100);
    writeln!(text, "\t.globl {name}\n\t.type {name},@function\n\t.p2align 4\n{name}:\n\t.cfi_startproc")?;
    let work = |text: &mut String, times: u32| {
        (0..times).try_for_each(|_| writeln!(text, "\tmovl ${index},%eax\n\tleal 3(%rax),%ecx"))
    };
    let push = |text: &mut String, name: &str, number: u32, cfa: u32| {
        writeln!(text, "\tpushq %{name}\n\t.cfi_def_cfa_offset {cfa}\n\t.cfi_offset {number},-{cfa}")
    };
    let pop = |text: &mut String, name: &str, cfa: u32| writeln!(text, "\tpopq %{name}\n\t.cfi_def_cfa_offset {cfa}");
    match index % 6 {
        0 => work(text, 2)?,
        1 | 4 => {
            push(text, "rbp", 6, 16)?;
            writeln!(text, "\tmovq %rsp,%rbp\n\t.cfi_def_cfa_register 6")?;
            work(text, 5)?;
            writeln!(text, "\tpopq %rbp\n\t.cfi_def_cfa 7,8")?;
        }
        2 => {
            let size = 24 + 16 * (index % 5);
            writeln!(text, "\tsubq ${size},%rsp\n\t.cfi_def_cfa_offset {}", size + 8)?;
            work(text, 6)?;
            writeln!(text, "\taddq ${size},%rsp\n\t.cfi_def_cfa_offset 8")?;
        }
        3 => {
            push(text, "r12", 12, 16)?;
            push(text, "rbp", 6, 24)?;
            push(text, "rbx", 3, 32)?;
            work(text, 8)?;
            let restored = |text: &mut String| {
                pop(text, "rbx", 24)?;
                pop(text, "rbp", 16)?;
                pop(text, "r12", 8)
            };
            writeln!(text, "\t.cfi_remember_state")?;
            restored(text)?;
            writeln!(text, "\tret\n\t.cfi_restore_state")?;
            work(text, 1)?;
            restored(text)?;
        }
        _ => {
            push(text, "rbx", 3, 16)?;
            work(text, 4)?;
            writeln!(text, "\tcall {name}")?;
            pop(text, "rbx", 8)?;
        }
    }
    writeln!(text, "\tret\n\t.cfi_endproc\n\t.size {name},.-{name}")
}
