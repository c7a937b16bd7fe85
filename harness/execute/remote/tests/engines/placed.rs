//! Programs that the second engine's kernel would load or start at other addresses.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use libtest_mimic::Failed;
use linux::{Given, World};
use testing::samples;
use types::elf::PT_LOAD;
use types::memo::NoMemo;
use types::{Abi, Bytes, Image, Pc, RunEnd, Step};
use witness::{Backend as _, Plan, Start};

use crate::agree::{SAMPLE, compare, second};

/// Number of steps in a normal test run.
fn some() -> u64 {
    if samples::all() { u64::MAX } else { SAMPLE / 5 }
}

/// Compares the engines on a run that starts at a function.
pub(crate) fn function(file: &Path) -> Result<(), Failed> {
    let bytes = std::fs::read(file)?;
    let image = elf::load("program", &bytes.clone().into())?;
    let symbol = image.symbols.iter().find(|symbol| symbol.name.to_string() == "nonleaf").ok_or("no nonleaf")?;
    compare(&Plan { start: Start::Function(Pc(symbol.address)), ..Plan::new(&image) }, &bytes)
}

/// Compares the engines on a file marked as position-independent, so that its image is loaded by
/// this project.
pub(crate) fn independent(file: &Path) -> Result<(), Failed> {
    const E_TYPE: usize = 16;
    let mut bytes = std::fs::read(file)?;
    let image = elf::load("program", &bytes.clone().into())?;
    // ET_EXEC is 2, ET_DYN 3.
    bytes[E_TYPE..E_TYPE + 2].iter_mut().filter(|byte| **byte == 2).for_each(|byte| *byte = 3);
    compare(&Plan { step_limit: some(), ..Plan::new(&image) }, &bytes)
}

const HELLO: &str = "#include <stdio.h>\nint main(int c, char **v) { printf(\"hello %d\\n\", c); return 0; }\n";

/// What the kernel puts at an address of a file: as it is there, since the dynamic linker relocates
/// itself and the program.
fn in_memory(name: &str, file: Vec<u8>, address: u64) -> Result<Image, Failed> {
    let file = Bytes::from(file);
    let mut image = elf::load(name, &file)?.moved(address);
    for segment in image.segments.iter_mut().filter(|segment| segment.kind == PT_LOAD) {
        let from = usize::try_from(segment.file_offset)?;
        segment.bytes = file.slice(from..from + usize::try_from(segment.file_size)?);
    }
    Ok(image)
}

/// A program of another target's C compiler, with the dynamic linker and the library of its folder.
pub(crate) fn foreign(of: &Foreign) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let (source, program) = (folder.path().join("hello.c"), folder.path().join("hello"));
    std::fs::write(&source, HELLO)?;
    if !Command::new(of.compiler).args(["-O2", "-o"]).arg(&program).arg(&source).status()?.success() {
        return Err(format!("{} failed", of.compiler).into());
    }
    let (bytes, root) = (std::fs::read(&program)?, Path::new(of.root));
    let image = in_memory("/hello", bytes.clone(), 0x10_0000_0000)?;
    let interpreter = in_memory(of.loader, std::fs::read(root.join(of.loader))?, 0x20_0000_0000)?;
    let given = |path: &str, bytes: Vec<u8>| Given { path: path.to_owned(), bytes: Arc::from(bytes) };
    let files = vec![given("/lib/libc.so.6", std::fs::read(root.join("lib/libc.so.6"))?)];
    let world = World { files, program: Some(given("/hello", bytes.clone())), ..World::default() };
    compare(&Plan { interpreter: Some(&interpreter), world, step_limit: some(), ..Plan::new(&image) }, &bytes)
}

/// The directory of another target's C library.
pub(crate) struct Foreign {
    pub(crate) compiler: &'static str,
    pub(crate) root: &'static str,
    loader: &'static str,
}

pub(crate) const FOREIGN: [(Abi, Foreign); 2] = [
    (
        Abi::Aarch64,
        Foreign {
            compiler: "aarch64-linux-gnu-gcc",
            root: "/usr/aarch64-linux-gnu",
            loader: "lib/ld-linux-aarch64.so.1",
        },
    ),
    (Abi::S390x, Foreign { compiler: "s390x-linux-gnu-gcc", root: "/usr/s390x-linux-gnu", loader: "lib/ld64.so.1" }),
];

/// A program by this machine's C compiler, with its dynamic linker.
pub(crate) fn dynamic() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let (source, program) = (folder.path().join("hello.c"), folder.path().join("hello"));
    std::fs::write(&source, HELLO)?;
    let built = Command::new("cc").args(["-O2", "-o"]).arg(&program).arg(&source).status()?;
    let library = Command::new("cc").arg("-print-file-name=libc.so.6").output()?;
    let library = String::from_utf8(library.stdout)?;
    if !built.success() {
        return Err("cc failed".into());
    }
    let (bytes, loader) = (std::fs::read(&program)?, std::fs::read(LOADER)?);
    let image = in_memory("/hello", bytes.clone(), 0x10_0000_0000)?;
    let interpreter = in_memory(LOADER, loader, 0x20_0000_0000)?;
    let given = |path: &str, bytes: Vec<u8>| Given { path: path.to_owned(), bytes: Arc::from(bytes) };
    let files = vec![given("/lib/x86_64-linux-gnu/libc.so.6", std::fs::read(library.trim())?)];
    let world = World { files, program: Some(given("/hello", bytes.clone())), ..World::default() };
    let plan = Plan { interpreter: Some(&interpreter), world: world.clone(), step_limit: some(), ..Plan::new(&image) };
    compare(&plan, &bytes)?;
    // The second engine alone executes the system calls itself.
    let plan = Plan { world: World { files: Vec::new(), ..world }, ..plan };
    let run = second(&bytes).run(&plan, &mut NoMemo(&mut |_: &Step<'_>| {}))?;
    let bounded = matches!(&run.end, RunEnd::Undecided { .. }) && run.steps == plan.step_limit;
    let whole = matches!(run.end, RunEnd::Exit(0)) && run.output == b"hello 1\n";
    if whole || bounded { Ok(()) } else { Err(format!("{:?}", run.end).into()) }
}

/// The dynamic linker of AMD64 (System V psABI AMD64 1.0, 5.2.1 "Program Interpreter").
pub(crate) const LOADER: &str = "/lib64/ld-linux-x86-64.so.2";
