//! AMD64: data of its stub and its system calls.

use types::{Abi, FrameRegs, Reg, RegFile as _};

use crate::arch::{Asks, CloneArguments, Convention, Names};

pub(crate) static NAMES: Names = Names {
    registers: &[
        "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
        "rip",
    ],
    halves: &[],
    pc: "rip",
    taken_wider: None,
    qemu: "qemu-x86_64",
    longest: 15,
    breakpoint: 1,
    // wrfsbase %rdi
    set_thread_pointer: &[(0, &[0xf3, 0x48, 0x0f, 0xae, 0xd7])],
    thread_pointer: None,
    convention: Convention {
        step_goes_on: true,
        // The context is at the top of the stack: the general registers are after 40 bytes, RIP is
        // the seventeenth (Linux arch/x86/include/uapi/asm/sigcontext.h).
        resumes_at: 40 + 16 * 8,
        // syscall; nop
        code: &[0x0f, 0x05, 0x90],
        number: Reg(0),
        arguments: [Reg(5), Reg(4), Reg(1), Reg(10), Reg(8), Reg(9)],
        result: Reg(0),
        mmap_in_memory: false,
        clone: CloneArguments { flags: 0, stack: 1, parent_at: 2, child_at: 3, pointer: 4 },
    },
};

pub(crate) fn asks(registers: &FrameRegs, bytes: &[u8]) -> Asks {
    const RAX: Reg = Reg(0);
    const RDX: Reg = Reg(1);
    const RCX: Reg = Reg(2);
    const RBX: Reg = Reg(3);
    match bytes {
        [0x0f, 0x05, ..] => Asks::Kernel(registers.read(RAX).unwrap_or(u64::MAX)),
        // cpuid
        [0x0f, 0xa2, ..] => Asks::Processor(vec![RAX, RDX, RCX, RBX]),
        // xsave, xsaveopt, xsavec, with and without REX: x87 and SSE.
        [0x48, 0x0f, 0xae | 0xc7, modrm, ..] | [0x0f, 0xae | 0xc7, modrm, ..]
            if modrm >> 6 != 3 && matches!(modrm >> 3 & 7, 4 | 6) && is_xsave(bytes) =>
        {
            Asks::Parts(RAX, 3)
        }
        // rdtsc, xgetbv
        [0x0f, 0x31, ..] | [0x0f, 0x01, 0xd0, ..] => Asks::Processor(vec![RAX, RDX]),
        // rdtscp
        [0x0f, 0x01, 0xf9, ..] => Asks::Processor(vec![RAX, RDX, RCX]),
        // enter: qemu 10.0.13 interprets sizes of 32 KiB and more as negative and raises RSP. They
        // are unsigned (Intel SDM volume 2, ENTER).
        [0xc8, _, 0x80..=0xff, ..] => Asks::Wrong(Reg(7)),
        _ => of_processor(bytes),
    }
}

/// Random numbers, and where the kernel has its tables: `rdrand`, `rdseed` (0F C7 /6, /7 of a
/// register), `sldt`, `str` (0F 00 /0, /1), `smsw` (0F 01 /4), `sgdt`, `sidt` (0F 01 /0, /1 to
/// memory).
fn of_processor(bytes: &[u8]) -> Asks {
    /// DWARF numbers by the numbers in instructions.
    const GENERAL: [u16; 8] = [0, 2, 1, 3, 7, 6, 4, 5];
    let prefixes = bytes.iter().take_while(|byte| matches!(byte, 0x66 | 0xf2 | 0xf3)).count();
    let (rex, rest) = match bytes.get(prefixes..) {
        Some([rex @ 0x40..=0x4f, rest @ ..]) => (*rex, rest),
        Some(rest) => (0, rest),
        None => (0, bytes),
    };
    let [0x0f, opcode, modrm, ..] = *rest else { return Asks::Nothing };
    let (of_register, operation, number) = (modrm >> 6 == 3, modrm >> 3 & 7, u16::from(modrm & 7));
    let register = if rex & 1 == 1 { number + 8 } else { GENERAL[usize::from(number)] };
    match (opcode, operation, of_register) {
        (0xc7, 6 | 7, true) | (0x00, 0 | 1, true) | (0x01, 4, true) => Asks::Processor(vec![Reg(register)]),
        (0x00, 0 | 1, false) | (0x01, 0 | 1 | 4, false) => Asks::Unknown(None),
        _ => Asks::Nothing,
    }
}

/// Returns true for 0F AE /4 (`xsave`), 0F AE /6 (`xsaveopt`) and 0F C7 /4 (`xsavec`) (Intel SDM
/// volume 2).
fn is_xsave(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(&[0x48]).unwrap_or(bytes);
    matches!(bytes, [0x0f, 0xae, ..]) || matches!(bytes, [0x0f, 0xc7, modrm, ..] if modrm >> 3 & 7 == 4)
}

pub(crate) fn length(bytes: &[u8]) -> Option<u64> {
    isa::flow::decode(Abi::Amd64, bytes, 0).map(|instruction| u64::from(instruction.length))
}
