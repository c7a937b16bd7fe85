//! AMD64 as the machine drives it. Registers by DWARF number: System V psABI AMD64 1.0, figure 3.36; calls: 3.2.3 and A.2.1.

use model::Reg;
use unicorn_engine::{Arch, Mode, RegisterX86 as R, Unicorn, uc_error};

use crate::end::Reason;
use crate::syscalls;
use crate::target::{Convention, Interrupt, Target, Watch};

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
    tracked: [R::RSP as i32, R::RBP as i32, R::RBP as i32],
    arguments: &[R::RDI as i32, R::RSI as i32, R::RDX as i32, R::RCX as i32, R::R8 as i32, R::R9 as i32],
    thread_pointer: &[R::FS_BASE as i32],
    prepare,
    nop: &[0x90],
    watch: Watch::Unfaithful,
    interrupt,
    syscalls: &Convention {
        number: R::RAX as i32,
        arguments: [R::RDI as i32, R::RSI as i32, R::RDX as i32, R::R10 as i32, R::R8 as i32, R::R9 as i32],
        result: R::RAX as i32,
        immediate: |_| None,
        call: syscalls::amd64::call,
    },
};

/// The one-byte halt instruction (Intel SDM volume 2, HLT).
pub(crate) const HLT: u8 = 0xf4;

fn prepare(_: &mut Unicorn<'static, ()>) -> Result<(), uc_error> {
    Ok(())
}

/// Exception vectors (Intel SDM volume 3, table 6-1); 0x80 is the 32-bit system call gate of Linux.
fn interrupt(vector: u32, _: Option<u8>) -> Interrupt {
    match vector {
        0 => Interrupt::Ends(Reason::Fault, "divide error"),
        1 | 3 => Interrupt::Ends(Reason::Trap, "breakpoint"),
        6 => Interrupt::Ends(Reason::IllegalInstruction, "invalid opcode"),
        13 => Interrupt::Ends(Reason::Fault, "general protection fault"),
        14 => Interrupt::Ends(Reason::Fault, "page fault"),
        0x80 => Interrupt::Ends(Reason::Trap, "32-bit system call"),
        _ => Interrupt::Ends(Reason::Trap, "processor exception"),
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
