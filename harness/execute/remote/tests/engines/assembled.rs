//! Programs of a few instructions, assembled on this machine.

use std::fs::Permissions;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use backend::{Backend as _, Plan};
use libtest_mimic::Failed;
use machine::Unicorn;
use remote::{Both, Remote, Target};
use tempfile::TempDir;
use types::memo::NoMemo;
use types::{Abi, RunEnd, Step, StopReason};

use crate::agree::{SAMPLE, second};
use crate::{executables, fetched_qemu};

/// Assembles a program into a directory.
fn assembled(text: &str) -> Result<(TempDir, PathBuf), Failed> {
    assembled_with(&[], text)
}

fn assembled_with(options: &[&str], text: &str) -> Result<(TempDir, PathBuf), Failed> {
    assembled_by("cc", options, text)
}

fn assembled_by(compiler: &str, options: &[&str], text: &str) -> Result<(TempDir, PathBuf), Failed> {
    let folder = tempfile::tempdir()?;
    let (source, program) = (folder.path().join("program.s"), folder.path().join("program"));
    std::fs::write(&source, text)?;
    let mut compiler = Command::new(compiler);
    let built = compiler.args(["-nostdlib", "-static", "-o"]).arg(&program).args(options).arg(&source).status()?;
    match built.success() {
        true => Ok((folder, program)),
        false => Err("the compiler failed".into()),
    }
}

/// A program that changes executed code into a system call, and reads properties that differ
/// between processors.
const CHANGES: &str = ".globl _start\n_start:\n  xor %ebx,%ebx\nagain: mov $39,%eax\nplace: nop; nop; nop\n  inc %ebx\n  \
                       movw $0x050f,place(%rip)\n  cmp $3,%ebx\n  jb again\n  str %ecx; smsw %edx; sldt %r9d\n  \
                       rdrand %rsi; rdseed %r10\n  mov $60,%eax\n  xor %edi,%edi\n  syscall\n";

/// Runs a program that changes its own code, under both engines in lockstep.
pub(crate) fn changes_itself() -> Result<(), Failed> {
    let (_folder, program) = assembled_with(&["-Wl,--omagic"], CHANGES)?;
    let bytes = std::fs::read(program)?;
    let image = elf::load("program", &bytes.clone().into())?;
    let both = Both::new(Unicorn::default(), second(&bytes));
    let run = both.run(&Plan::new(&image), &mut NoMemo(&mut |_: &Step<'_>| {}))?;
    // Three rounds of seven instructions or more; one store may be observed twice.
    if both.compared().ended.is_some() || both.compared().steps + 3 < run.steps || run.steps < 22 {
        return Err(format!("{:?}, {:?}", both.compared(), run.end).into());
    }
    let alone = second(&bytes).run(&Plan::new(&image), &mut NoMemo(&mut |_: &Step<'_>| {}))?;
    if alone.end == RunEnd::Exit(0) { Ok(()) } else { Err(format!("{:?}", alone.end).into()) }
}

/// A program that sets eight bytes by FEAT_MOPS, which the first engine lacks, and exits with one.
const SETS: &str = ".arch armv8.8-a+mops\n.globl _start\n_start:\n sub sp, sp, #16\n mov x0, sp\n mov x1, #8\n \
                    mov x2, #7\n setp [x0]!, x1!, x2\n setm [x0]!, x1!, x2\n sete [x0]!, x1!, x2\n \
                    ldrb w0, [sp, #7]\n mov x8, #93\n svc #0\n";

/// Instructions at which the first engine's runs end undecided, and the second's do not.
pub(crate) fn more_instructions() -> Result<(), Failed> {
    let (_folder, program) = assembled_by("aarch64-linux-gnu-gcc", &[], SETS)?;
    let bytes = std::fs::read(program)?;
    let image = elf::load("program", &bytes.clone().into())?;
    let plan = Plan::new(&image);
    let first = Unicorn::default().run(&plan, &mut NoMemo(&mut |_: &Step<'_>| {}))?.end;
    let end = second(&bytes).run(&plan, &mut NoMemo(&mut |_: &Step<'_>| {}))?.end;
    let undecided = matches!(first, RunEnd::Undecided { reason: StopReason::IllegalInstruction, .. });
    if undecided && end == RunEnd::Exit(7) { Ok(()) } else { Err(format!("{first:?}, {end:?}").into()) }
}

/// Programs whose handlers, one of them with SA_SIGINFO, return to the kernel's own code, as a C
/// library's do on these targets; and their compilers. Both exit with 3, the number of handled
/// signals. On s390x the last is of `cvb` with invalid digits: SIGILL.
pub(crate) const HANDLERS: [(Abi, &str, &str); 2] = [
    (
        Abi::Aarch64,
        "aarch64-linux-gnu-gcc",
        ".globl _start\nhandler: adr x1, seen; ldr w2, [x1]; add w2, w2, #1; str w2, [x1]; ret\n\
         .macro send number, action\n mov x0, \\number; adr x1, \\action; mov x2, 0; mov x3, 8; mov x8, 134; svc 0\n\
         mov x8, 172; svc 0; mov x1, \\number; mov x8, 129; svc 0\n .endm\n\
         _start: send 10, plain; send 12, rich; send 12, rich\n ldr w0, seen; mov x8, 93; svc 0\n\
         .balign 8\nplain: .quad handler, 0, 0, 0\nrich: .quad handler, 4, 0, 0\nseen: .word 0\n",
    ),
    (
        Abi::S390x,
        "s390x-linux-gnu-gcc",
        ".globl _start\nhandler: larl %r1,seen; l %r2,0(%r1); ahi %r2,1; st %r2,0(%r1); br %r14\n\
         .macro send number, action\n lghi %r2,\\number; larl %r3,\\action; lghi %r4,0; lghi %r5,8; svc 174\n\
         svc 20; lghi %r3,\\number; svc 37\n .endm\n\
         _start: send 10, plain; send 12, rich\n lghi %r2,4; larl %r3,rich; lghi %r4,0; svc 174\n\
         larl %r1,plain; cvb %r2,8(%r1); larl %r1,seen; llgf %r2,0(%r1); svc 1\n\
         .balign 8\nplain: .quad handler, 0, 0, 0\nrich: .quad handler, 4, 0, 0\nseen: .long 0\n",
    ),
];

/// Runs a program of [`HANDLERS`] in lockstep to its end.
pub(crate) fn handles_signals(compiler: &str, text: &str) -> Result<(), Failed> {
    let (_folder, program) = assembled_by(compiler, &["-Wl,--omagic"], text)?;
    let bytes = std::fs::read(program)?;
    let image = elf::load("program", &bytes.clone().into())?;
    let both = Both::new(Unicorn::default(), second(&bytes));
    let run = both.run(&Plan::new(&image), &mut NoMemo(&mut |_: &Step<'_>| {}))?;
    let compared = both.compared();
    match (&run.end, &compared.ended, compared.steps == run.steps) {
        (RunEnd::Exit(3), None, true) => Ok(()),
        _ => Err(format!("{compared:?}, {:?} after {} steps", run.end, run.steps).into()),
    }
}

/// A program that clears the block of memory at a multiple of 512 and exits with the byte 64 bytes
/// after it.
const CLEARS: &str = ".globl _start\n_start:\n adrp x1, block\n mov w0, #7\n strb w0, [x1, #64]\n dc zva, x1\n \
                      ldrb w0, [x1, #64]\n mov x8, #93\n svc #0\n .bss\n .balign 4096\nblock: .skip 4096\n";

/// Runs a program with `dc zva` under both engines, whose blocks have 64 and 512 bytes.
pub(crate) fn clears_a_block() -> Result<(), Failed> {
    let (_folder, program) = assembled_by("aarch64-linux-gnu-gcc", &[], CLEARS)?;
    let bytes = std::fs::read(program)?;
    let image = elf::load("program", &bytes.clone().into())?;
    let both = Both::new(Unicorn::default(), second(&bytes));
    let run = both.run(&Plan::new(&image), &mut NoMemo(&mut |_: &Step<'_>| {}))?;
    let whole = both.compared().ended.is_none() && run.end == RunEnd::Exit(7);
    if whole { Ok(()) } else { Err(format!("{:?}, {:?}", both.compared(), run.end).into()) }
}

/// Exits with 0 where `enter` lowers RSP, with 1 where it raises it.
const ENTER: &str = ".globl _start\n_start: mov %rsp,%rbx; enter $0xff60,$0; mov %rbp,%rdi; sub %rsp,%rdi\n\
                     shr $63,%rdi; mov $60,%eax; syscall\n";

/// `enter` with a size of 32 KiB or more raises RSP in qemu-user 10.0.13 (Debian 13), but not on
/// this processor: the size, an unsigned 16-bit immediate (Intel SDM volume 2, ENTER: "RSP := RSP -
/// AllocSize"), is sign-extended. After `enter $0xff60,$0`, RBP - RSP is 0xff60 on processors and
/// -0xa0 there.
pub(crate) fn enter_is_wrong() -> Result<(), Failed> {
    let (_folder, program) = assembled(ENTER)?;
    let under_qemu = Command::new(fetched_qemu()).arg(&program).status()?.code();
    if under_qemu == Some(0) {
        return Err("qemu executes it right: see the README and amd64.rs".into());
    }
    let native = Command::new(&program).status()?.code();
    if (under_qemu, native) == (Some(1), Some(0)) { Ok(()) } else { Err(format!("{under_qemu:?}, {native:?}").into()) }
}

/// Instructions on 256-bit vectors, and on 512-bit vectors, which qemu-user lacks.
const AVX2: &str = "  mov $7,%eax; vmovd %eax,%xmm0; vpbroadcastd %xmm0,%ymm1; vpaddd %ymm1,%ymm1,%ymm2\n\
                    vextracti128 $1,%ymm2,%xmm3; vmovq %xmm3,%rbx; push %rbx; pop %rcx\n";
const AVX512: &str = "  vpbroadcastd %xmm0,%zmm4; vpmulld %zmm4,%zmm4,%zmm5; vextracti64x4 $1,%zmm5,%ymm6\n\
                      vmovq %xmm6,%rdx; push %rdx; pop %rsi\n";

/// Compares with this machine's processor, by gdbserver: a frozen executable and one with vector
/// instructions.
pub(crate) fn processor() -> Result<(), Failed> {
    let flags = std::fs::read_to_string("/proc/cpuinfo")?;
    let avx512 = if flags.contains(" avx512f ") { AVX512 } else { "" };
    let text = format!(".globl _start\n_start:\n{AVX2}{avx512}  mov $60,%eax; xor %edi,%edi; syscall\n");
    let (folder, program) = assembled(&text)?;
    // Frozen files have no execute permission.
    let frozen = folder.path().join("frozen");
    std::fs::copy(executables("x86_64").first().ok_or("no executable")?, &frozen)?;
    std::fs::set_permissions(&frozen, Permissions::from_mode(0o700))?;
    for file in [frozen, program] {
        let (_server, address) = Server::start(&file)?;
        let bytes = std::fs::read(&file)?;
        let image = elf::load("program", &bytes.clone().into())?;
        let second = Remote { target: Target::Address(address), file: bytes.into() };
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
        let said = server.0.stderr.take().ok_or("no output")?;
        for line in BufReader::new(said).lines() {
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
