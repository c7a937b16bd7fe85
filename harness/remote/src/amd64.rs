//! AMD64.

use types::{Abi, FrameRegs, Reg, RegFile as _};

use crate::arch::{Asks, Calls, Names};

pub(crate) static NAMES: Names = Names {
    registers: &[
        "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
        "rip",
    ],
    pc: "rip",
    qemu: "qemu-x86_64",
    longest: 15,
    breakpoint: 1,
    // Linux arch/x86/entry/syscalls/syscall_64.tbl; syscall(2).
    calls: Calls {
        step_goes_on: true,
        // The context is on top of the stack: the general registers are after 40 bytes, RIP is the
        // seventeenth (Linux arch/x86/include/uapi/asm/sigcontext.h).
        resumes_at: 40 + 16 * 8,
        // syscall; nop
        code: &[0x0f, 0x05, 0x90],
        number: Reg(0),
        arguments: [Reg(5), Reg(4), Reg(1), Reg(10), Reg(8), Reg(9)],
        result: Reg(0),
        mmap: 9,
        mmap_in_memory: false,
        munmap: 11,
        mremap: 25,
        brk: 12,
        sigaction: 13,
        signal_returns: &[15],
        // mprotect, rt_sigaction, rt_sigprocmask, madvise, exit, sigaltstack, arch_prctl, exit_group.
        executed: &[10, 13, 14, 28, 60, 131, 158, 231],
        // write, writev, getpid, kill, gettid, tkill, set_tid_address, tgkill, set_robust_list, rseq.
        silent: &[1, 20, 39, 62, 186, 200, 218, 234, 273, 334],
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
        // rdtsc, xgetbv
        [0x0f, 0x31, ..] | [0x0f, 0x01, 0xd0, ..] => Asks::Processor(vec![RAX, RDX]),
        // rdtscp
        [0x0f, 0x01, 0xf9, ..] => Asks::Processor(vec![RAX, RDX, RCX]),
        // enter: qemu 10.0.13 takes sizes of 32 KiB and more as negative and raises RSP. They are
        // unsigned (Intel SDM volume 2, ENTER).
        [0xc8, _, 0x80..=0xff, ..] => Asks::Wrong(Reg(7)),
        _ => Asks::Nothing,
    }
}

pub(crate) fn length(bytes: &[u8]) -> Option<u64> {
    isa::flow::decode(Abi::Amd64, bytes, 0).map(|instruction| u64::from(instruction.length))
}
