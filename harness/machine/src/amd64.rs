//! AMD64 as the machine drives it. Registers by DWARF number: System V psABI AMD64 1.0, figure 3.36; calls: 3.2.3 and A.2.1.

use types::Reg;
use unicorn_engine::{Arch, Mode, RegisterX86 as R, Unicorn, uc_error};

use crate::arch::{Convention, Interrupt, SimpleRegisters, Synchronous, Target, Watch};
use crate::branch::Branch;
use crate::end::Reason;
use crate::kernel;
use crate::signal;

pub(crate) static TARGET: Target = Target {
    arch: Arch::X86,
    mode: Mode::MODE_64,
    dwarf: &[
        R::RAX as i32,
        R::RDX as i32,
        R::RCX as i32,
        R::RBX as i32,
        R::RSI as i32,
        R::RDI as i32,
        R::RBP as i32,
        R::RSP as i32,
        R::R8 as i32,
        R::R9 as i32,
        R::R10 as i32,
        R::R11 as i32,
        R::R12 as i32,
        R::R13 as i32,
        R::R14 as i32,
        R::R15 as i32,
    ],
    pc_column: Some(Reg(16)),
    pc: R::RIP as i32,
    simple: Some(SimpleRegisters {
        flags: R::RFLAGS as i32,
        segments: [R::FS_BASE as i32, R::GS_BASE as i32],
        vectors: [
            R::XMM0 as i32,
            R::XMM1 as i32,
            R::XMM2 as i32,
            R::XMM3 as i32,
            R::XMM4 as i32,
            R::XMM5 as i32,
            R::XMM6 as i32,
            R::XMM7 as i32,
            R::XMM8 as i32,
            R::XMM9 as i32,
            R::XMM10 as i32,
            R::XMM11 as i32,
            R::XMM12 as i32,
            R::XMM13 as i32,
            R::XMM14 as i32,
            R::XMM15 as i32,
        ],
    }),
    tracked: [R::RSP as i32, R::RBP as i32, R::RBP as i32],
    arguments: &[R::RDI as i32, R::RSI as i32, R::RDX as i32, R::RCX as i32, R::R8 as i32, R::R9 as i32],
    thread_pointer: &[R::FS_BASE as i32],
    prepare,
    nop: &[0x90],
    halt: Some(HLT),
    // The shortest call is FF /2 with a register.
    call_length: |_, length| (2..=15).contains(&length),
    watch: Watch::Vectors,
    branch,
    interrupt,
    page_fault: |_| None,
    syscalls: &Convention {
        number: R::RAX as i32,
        arguments: [R::RDI as i32, R::RSI as i32, R::RDX as i32, R::R10 as i32, R::R8 as i32, R::R9 as i32],
        result: R::RAX as i32,
        length: 2,
        immediate: |_| None,
        call: kernel::amd64::call,
        stat: kernel::amd64::stat,
        open_flags: kernel::amd64::OPEN_FLAGS,
        epoll_word: 4,
        narrow_statfs: false,
    },
    signals: &signal::amd64::SIGNALS,
};

/// The one-byte halt instruction (Intel SDM volume 2, HLT).
const HLT: u8 = 0xf4;

/// The control words of the x87 and of SSE with which Linux begins a process (System V psABI AMD64 1.0, 3.4.1): the emulator's own first one
/// of the x87 rounds all that it computes to single precision.
fn prepare(engine: &mut Unicorn<'static, ()>) -> Result<(), uc_error> {
    engine.reg_write(R::FPCW, 0x37f)?;
    engine.reg_write(R::MXCSR, 0x1f80)
}

/// Exception vectors (Intel SDM volume 3, table 6-1), and what Linux makes of them (`arch/x86/kernel/traps.c`): SIGFPE with FPE_INTDIV, SIGTRAP, SIGILL
/// with ILL_ILLOPN, SIGSEGV; 0x80 is its 32-bit system call gate.
fn interrupt(vector: u32, _: &[u8]) -> Interrupt {
    let signal = |signal, code| Synchronous { signal, code, vector: vector.into(), behind: vector == 3 };
    match vector {
        0 => Interrupt::Signal(signal(8, 1), Reason::Fault, "divide error"),
        1 | 3 => Interrupt::Signal(signal(5, 0x80), Reason::Trap, "breakpoint"),
        6 => Interrupt::Signal(signal(4, 2), Reason::IllegalInstruction, "invalid opcode"),
        13 => Interrupt::Signal(signal(11, 0x80), Reason::Fault, "general protection fault"),
        14 => Interrupt::Signal(signal(11, 1), Reason::Fault, "page fault"),
        0x80 => Interrupt::Ends(Reason::Trap, "32-bit system call"),
        _ => Interrupt::Ends(Reason::Trap, "processor exception"),
    }
}

/// RET near, and the relative forms of JMP, Jcc, LOOP and JRCXZ (Intel SDM volume 2, instruction reference), behind prefixes
/// that assemblers put before branches: branch hints, BND or REP, and operand size.
fn branch(code: &[u8]) -> Branch {
    match code {
        [0x2e | 0x3e | 0x66 | 0xf2 | 0xf3, rest @ ..] => branch(rest),
        [0xc2 | 0xc3, ..] => Branch::Return,
        [0x70..=0x7f | 0xe0..=0xe3 | 0xe9 | 0xeb, ..] | [0x0f, 0x80..=0x8f, ..] => Branch::Relative,
        _ => Branch::Other,
    }
}

/// True for VEX and EVEX vector encodings, which the emulator executes as their SSE forms without complaint. The
/// VEX forms of BMI1 and BMI2, on general registers, are faithful. (Intel SDM volume 2, 2.3.5 and 2.7.1: in 64-bit mode the
/// first byte decides.)
#[inline]
pub(crate) fn is_unfaithful(code: [u8; 4]) -> bool {
    match code {
        [0x62 | 0xc5, ..] => true,
        [0xc4, map, _, opcode] => !matches!((map & 0x1f, opcode), (2, 0xf2 | 0xf3 | 0xf5 | 0xf6 | 0xf7) | (3, 0xf0)),
        _ => false,
    }
}

/// BT, BTS, BTR and BTC of a register behind LOCK, which only memory can be (Intel SDM volume 2, BTS).
pub(crate) fn is_locked_bit_test(code: &[u8]) -> bool {
    let [0xf0, rest @ ..] = code else { return false };
    let rest = match rest {
        [0x40..=0x4f, rest @ ..] => rest,
        other => other,
    };
    matches!(rest, [0x0f, 0xa3 | 0xab | 0xb3 | 0xbb | 0xba, 0xc0..=0xff, ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches() {
        use Branch::{Other, Relative, Return};
        // As GNU as encodes them.
        let table: [(&[u8], Branch); 13] = [
            (&[0xc3], Return),                           // ret
            (&[0xf3, 0xc3], Return),                     // rep ret
            (&[0xf2, 0xc3], Return),                     // bnd ret
            (&[0xc2, 0x08, 0x00], Return),               // ret $8
            (&[0xeb, 0xfe], Relative),                   // jmp .
            (&[0xe9, 0xfb, 0xff, 0xff, 0xff], Relative), // jmp, 32 bits
            (&[0x75, 0x10], Relative),                   // jne
            (&[0x3e, 0x75, 0x10], Relative),             // jne,pt
            (&[0x0f, 0x85, 0x00, 0x01, 0, 0], Relative), // jne, 32 bits
            (&[0xe3, 0x10], Relative),                   // jrcxz
            (&[0xff, 0xe0], Other),                      // jmp *%rax
            (&[0x3e, 0xff, 0xe0], Other),                // notrack jmp *%rax
            (&[0xff, 0x25, 0, 0, 0, 0], Other),          // jmp *0(%rip)
        ];
        for (code, expected) in table {
            assert_eq!(branch(code), expected, "{code:x?}");
        }
        assert_eq!(branch(&[0x66; 6]), Other);
        assert_eq!(branch(&[]), Other);
    }
}
