//! Programs of a few instructions: `programs`.

use std::fs::Permissions;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use libtest_mimic::Failed;
use machine::Unicorn;
use remote::{Both, BothError, Remote, StubSource};
use testing::binutils;
use testing::program::write_executable;
use testing::scratch;
use types::memo::NoMemo;
use types::{Abi, Image, Reg, RunEnd, Step, StopReason};
use witness::{Backend as _, Plan, Run};

use crate::agree::{SAMPLE, second};
use crate::{executables, fetched_qemu};

/// Options of the linker for a program whose code is writable.
const WRITABLE: &[&str] = &["--omagic"];

/// A program and its bytes.
struct Program(Image, Vec<u8>);

impl Program {
    /// Assembles and links a source.
    fn new(target: binutils::Target, source: &str, options: [&[&str]; 2]) -> Result<Program, Failed> {
        let bytes = target.build(source, options[0], Some(options[1]))?;
        Ok(Program(elf::load("program", &bytes.clone().into())?, bytes))
    }

    /// Runs it under both engines in lockstep.
    fn both(&self) -> Result<(Both<Unicorn>, Run), Failed> {
        let both = Both::new(Unicorn::default(), second(&self.1));
        let run = both.run(&Plan::new(&self.0), &mut NoMemo(&mut |_: &Step<'_>| {}))?;
        Ok((both, run))
    }

    /// How it ends under the second engine.
    fn alone(&self) -> Result<RunEnd, Failed> {
        Ok(second(&self.1).run(&Plan::new(&self.0), &mut NoMemo(&mut |_: &Step<'_>| {}))?.end)
    }
}

/// Runs a program that changes its own code, under both engines in lockstep.
pub(crate) fn changes_itself() -> Result<(), Failed> {
    let program =
        Program::new(binutils::Target::Amd64, include_str!("programs/changes-itself.amd64.s"), [&[], WRITABLE])?;
    let (both, run) = program.both()?;
    // Three rounds of seven instructions or more; one store may be observed twice.
    if both.compared().ended.is_some() || both.compared().steps + 3 < run.steps || run.steps < 22 {
        return Err(format!("{:?}, {:?}", both.compared(), run.end).into());
    }
    let alone = program.alone()?;
    if alone == RunEnd::Exit(0) { Ok(()) } else { Err(format!("{alone:?}").into()) }
}

/// Instructions at which the first engine's runs end undecided, and the second's do not.
pub(crate) fn more_instructions() -> Result<(), Failed> {
    let program = Program::new(binutils::Target::Aarch64, include_str!("programs/sets.aarch64.s"), [&[], &[]])?;
    let first = Unicorn::default().run(&Plan::new(&program.0), &mut NoMemo(&mut |_: &Step<'_>| {}))?.end;
    let end = program.alone()?;
    let undecided = matches!(first, RunEnd::Undecided { reason: StopReason::IllegalInstruction, .. });
    if undecided && end == RunEnd::Exit(7) { Ok(()) } else { Err(format!("{first:?}, {end:?}").into()) }
}

/// Programs whose signal handlers return to the kernel's own code.
pub(crate) const HANDLERS: [(Abi, binutils::Target, &str); 2] = [
    (Abi::Aarch64, binutils::Target::Aarch64, include_str!("programs/handlers.aarch64.s")),
    (Abi::S390x, binutils::Target::S390x, include_str!("programs/handlers.s390x.s")),
];

/// Runs a program of [`HANDLERS`] in lockstep to its end.
pub(crate) fn handles_signals(target: binutils::Target, source: &str) -> Result<(), Failed> {
    let (both, run) = Program::new(target, source, [&[], WRITABLE])?.both()?;
    let compared = both.compared();
    match (&run.end, &compared.ended, compared.steps == run.steps) {
        (RunEnd::Exit(3), None, true) => Ok(()),
        _ => Err(format!("{compared:?}, {:?} after {} steps", run.end, run.steps).into()),
    }
}

/// A program with a nop, the instruction that the first engine executes in its place, and the
/// floating-point register that it writes, which a call preserves.
pub(crate) struct Preserved {
    pub(crate) abi: Abi,
    target: binutils::Target,
    source: &'static str,
    nop: [u8; 4],
    executes: [u8; 4],
    register: Reg,
}

pub(crate) static PRESERVED: [Preserved; 2] = [
    Preserved {
        abi: Abi::Aarch64,
        target: binutils::Target::Aarch64,
        source: include_str!("programs/preserved.aarch64.s"),
        nop: [0x1f, 0x20, 0x03, 0xd5],
        executes: [0x08, 0x00, 0x67, 0x9e],
        register: Reg(72),
    },
    Preserved {
        abi: Abi::S390x,
        target: binutils::Target::S390x,
        source: include_str!("programs/preserved.s390x.s"),
        nop: [0x47, 0x00, 0x00, 0x00],
        executes: [0xb3, 0xc1, 0x00, 0x82],
        register: Reg(24),
    },
];

/// Asserts that both engines agree about a program, and that the register is found to differ at the
/// call if the first engine writes it.
pub(crate) fn compares_preserved(preserved: &Preserved) -> Result<(), Failed> {
    let mut program = Program::new(preserved.target, preserved.source, [&[], &[]])?;
    let (both, run) = program.both()?;
    if both.compared().ended.is_some() || run.end != RunEnd::Exit(5) {
        return Err(format!("{:?}, {:?}", both.compared(), run.end).into());
    }
    for segment in &mut program.0.segments {
        let mut code = segment.bytes.to_vec();
        for at in (0..code.len().saturating_sub(3)).step_by(2) {
            if code[at..at + 4] == preserved.nop {
                code[at..at + 4].copy_from_slice(&preserved.executes);
            }
        }
        segment.bytes = code.into();
    }
    let both = Both::new(Unicorn::default(), second(&program.1));
    match both.run(&Plan::new(&program.0), &mut NoMemo(&mut |_: &Step<'_>| {})) {
        Err(BothError::Differ(found)) if found.register == Some((preserved.register, [5, 0])) => Ok(()),
        other => Err(format!("{other:?}").into()),
    }
}

/// Runs a program with `dc zva` under both engines, whose blocks have 64 and 512 bytes.
pub(crate) fn clears_a_block() -> Result<(), Failed> {
    let (both, run) =
        Program::new(binutils::Target::Aarch64, include_str!("programs/clears.aarch64.s"), [&[], &[]])?.both()?;
    let whole = both.compared().ended.is_none() && run.end == RunEnd::Exit(7);
    if whole { Ok(()) } else { Err(format!("{:?}, {:?}", both.compared(), run.end).into()) }
}

/// `enter` with a size of 32 KiB or more raises RSP in qemu-user 10.0.13 (Debian 13), but not on
/// this processor: the size, an unsigned 16-bit immediate (Intel SDM volume 2, ENTER: "RSP := RSP -
/// AllocSize"), is sign-extended. After `enter $0xff60,$0`, RBP - RSP is 0xff60 on processors and
/// -0xa0 there.
pub(crate) fn enter_is_wrong() -> Result<(), Failed> {
    let Program(_, bytes) = Program::new(binutils::Target::Amd64, include_str!("programs/enter.amd64.s"), [&[], &[]])?;
    let folder = scratch::folder();
    let program = folder.path().join("program");
    write_executable(&program, &bytes);
    let under_qemu = Command::new(fetched_qemu()).arg(&program).status()?.code();
    if under_qemu == Some(0) {
        return Err("qemu executes it right: see the README and amd64.rs".into());
    }
    let native = Command::new(&program).status()?.code();
    if (under_qemu, native) == (Some(1), Some(0)) { Ok(()) } else { Err(format!("{under_qemu:?}, {native:?}").into()) }
}

/// Compares with this machine's processor, by gdbserver: a frozen executable and one with vector
/// instructions.
pub(crate) fn processor() -> Result<(), Failed> {
    let flags = std::fs::read_to_string("/proc/cpuinfo")?;
    let avx512: &[&str] = if flags.contains(" avx512f ") { &["--defsym", "avx512=1"] } else { &[] };
    let Program(_, bytes) =
        Program::new(binutils::Target::Amd64, include_str!("programs/vectors.amd64.s"), [avx512, &[]])?;
    let folder = scratch::folder();
    let (program, frozen) = (folder.path().join("program"), folder.path().join("frozen"));
    write_executable(&program, &bytes);
    // Frozen files have no execute permission.
    std::fs::copy(executables("x86_64").first().ok_or("no executable")?, &frozen)?;
    std::fs::set_permissions(&frozen, Permissions::from_mode(0o700))?;
    for file in [frozen, program] {
        let (_server, address) = Server::start(&file)?;
        let bytes = std::fs::read(&file)?;
        let image = elf::load("program", &bytes.clone().into())?;
        let second = Remote { target: StubSource::Address(address), file: bytes.into() };
        let both = Both::new(Unicorn::default(), second);
        let plan = Plan { step_limit: SAMPLE / 5, ..Plan::new(&image) };
        let run = both.run(&plan, &mut NoMemo(&mut |_: &Step<'_>| {}))?;
        let compared = both.compared();
        if run.steps < 10 || compared.steps != run.steps || compared.ended.is_some() {
            return Err(format!("{}: {compared:?}, {:?}", file.display(), run.end).into());
        }
    }
    Ok(())
}

/// A gdbserver process, killed when dropped.
struct Server(Child);

impl Server {
    /// Starts gdbserver with a program, and returns its address.
    fn start(program: &Path) -> Result<(Server, String), Failed> {
        let mut command = Command::new("gdbserver");
        command.args(["--once", "127.0.0.1:0"]).arg(program).stdin(Stdio::null());
        let mut server = Server(command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?);
        let output = server.0.stderr.take().ok_or("no output")?;
        for line in BufReader::new(output).lines() {
            if let Some(port) = line?.strip_prefix("Listening on port ") {
                return Ok((server, format!("127.0.0.1:{}", port.trim())));
            }
        }
        Err("gdbserver does not listen".into())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = (self.0.kill(), self.0.wait());
    }
}
