//! AMD64: the data of its target. Registers by DWARF number: System V psABI AMD64 1.0, figure 3.36;
//! calls: 3.2.3 and A.2.1.

use isa::native::LONGEST;
use linux::{Processor, Register};
use types::Reg;
use unicorn_engine::{Arch, Mode, RegisterX86 as R, Unicorn, X86Insn, uc_error};

use crate::end::Reason;
use crate::engine::Engine;
use crate::target::{
    ClockReader, EngineTarget, Interrupt, Page, SimpleRegisters, Substitute, Synchronous, Watch, consecutive,
};
use crate::{canonical, native};

pub(crate) static TARGET: EngineTarget = EngineTarget {
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
    dwarf_vectors: None,
    pc_column: Some(Reg(16)),
    vector_column: None,
    set_vector_bits: |_, _| Ok(()),
    pc: R::RIP as i32,
    flags: Some(R::RFLAGS as i32),
    simple: SimpleRegisters {
        general: 16,
        flags: R::RFLAGS as i32,
        bases: [R::FS_BASE as i32, R::GS_BASE as i32],
        vectors: &XMM,
    },
    tracked: [R::RSP as i32, R::RBP as i32, R::RBP as i32],
    arguments: &[R::RDI as i32, R::RSI as i32, R::RDX as i32, R::RCX as i32, R::R8 as i32, R::R9 as i32],
    thread_pointer: &[R::FS_BASE as i32],
    prepare,
    nop: &[0x90],
    halt: Some(HLT),
    // The shortest call is FF /2 with a register.
    call_length: |_, length| (2..=15).contains(&length),
    length: |_| 1,
    syscall: Some(X86Insn::SYSCALL as i32),
    clock: ClockReader::TimeStamp,
    watch: Watch::Vectors,
    substitute: Substitute::Host,
    interrupt,
    illegal: ILLEGAL,
    page: |page| Page::At(page.address),
    denied: canonical::denied,
    processor: Processor { capabilities: native::offer::CAPABILITIES, platform: "x86_64" },
    special,
};

/// The emulator's numbers of the vector registers.
const XMM: [i32; 16] = consecutive(R::XMM0 as i32);

/// The one-byte halt instruction (Intel SDM volume 2, HLT).
const HLT: u8 = 0xf4;

/// The emulator's number of a register that only signal frames use.
fn special(register: Register) -> Option<i32> {
    Some(match register {
        Register::Flags => R::RFLAGS as i32,
        Register::ThreadPointer => R::FS_BASE as i32,
        Register::FloatControl => R::FPCW as i32,
        Register::FloatStatus => R::FPSW as i32,
        Register::VectorControl => R::MXCSR as i32,
        Register::X87(number) => R::ST0 as i32 + i32::from(number),
        Register::Vector(number) => R::XMM0 as i32 + i32::from(number),
        _ => return None,
    })
}

/// Sets the x87 and SSE control words with which Linux starts a process (System V psABI AMD64 1.0,
/// 3.4.1): the emulator's initial x87 control word rounds all results to single precision.
fn prepare(engine: &mut Unicorn<'static, ()>) -> Result<(), uc_error> {
    engine.reg_write(R::FPCW, 0x37f)?;
    engine.reg_write(R::MXCSR, 0x1f80)
}

/// The signal of an undefined instruction: SIGILL with ILL_ILLOPN.
const ILLEGAL: Synchronous = Synchronous { signal: 4, code: 2, vector: 6, behind: false };

/// The meaning of an exception vector (Intel SDM volume 3, table 6-1), as Linux handles it
/// (`arch/x86/kernel/traps.c`): SIGFPE with FPE_INTDIV, SIGTRAP, SIGILL with ILL_ILLOPN, SIGSEGV;
/// 0x80 is the 32-bit system call gate.
fn interrupt(vector: u32, _: &Engine) -> Interrupt {
    let signal = |signal, code| Synchronous { signal, code, vector: vector.into(), behind: vector == 3 };
    match vector {
        0 => Interrupt::Signal(signal(8, 1), Reason::Fault, "divide error"),
        1 | 3 => Interrupt::Signal(signal(5, 0x80), Reason::Trap, "breakpoint"),
        6 => Interrupt::Illegal(ILLEGAL),
        13 => Interrupt::Signal(signal(11, 0x80), Reason::Fault, "general protection fault"),
        14 => Interrupt::Signal(signal(11, 1), Reason::Fault, "page fault"),
        19 => Interrupt::Signal(signal(8, 0), Reason::Fault, "floating-point exception"),
        0x80 => Interrupt::Ends(Reason::Trap, "32-bit system call"),
        _ => Interrupt::Ends(Reason::Trap, "processor exception"),
    }
}

/// Returns true for VEX, EVEX and XOP encodings, also after address prefixes, which the emulator
/// silently executes as their SSE forms, or as POP (XOP: AMD APM volume 3, 1.2.5). Of BMI1 and BMI2
/// it executes ANDN, MULX, RORX and the shifts right, but not BEXTR, BLSI and similar, BZHI, PDEP
/// and PEXT: CF and upper bits are wrong. (Intel SDM volume 2, 2.3.5 and 2.7.1: in 64-bit mode the
/// first byte decides.) Also for PHADD and PHSUB of a register with itself, whose first half the
/// emulator overwrites before it reads the second.
#[inline]
pub(crate) fn is_vector(code: &[u8]) -> bool {
    // Any number of prefixes, up to the instruction's length limit.
    match code.get(..LONGEST).unwrap_or(code) {
        [0x62 | 0xc5, ..] => true,
        [0x8f, map, ..] if map & 0x1f >= 8 => true,
        [0xc4, map, prefix, opcode, ..] => match (map & 0x1f, opcode) {
            (2, 0xf2 | 0xf6) | (3, 0xf0) => false,
            // BEXTR has no prefix; with a prefix it is a shift.
            (2, 0xf7) => prefix & 3 == 0,
            _ => true,
        },
        [0x0f, 0x38, opcode, modrm, ..] => adds_itself(*opcode, *modrm, 0),
        [0x0f, rest @ ..] | [0x40..=0x4f, 0x0f, rest @ ..] if is_of_extended_state(rest) => native::offer::wide(),
        [0x66 | 0xf2 | 0xf3, rest @ ..] => match rest {
            [0x66 | 0xf2 | 0xf3, ..] | [0x0f, ..] => is_vector(rest),
            [rex @ 0x40..=0x4f, 0x0f, 0x38, opcode, modrm, ..] => adds_itself(*opcode, *modrm, *rex),
            _ => false,
        },
        [rex @ 0x40..=0x4f, 0x0f, 0x38, opcode, modrm, ..] => adds_itself(*opcode, *modrm, *rex),
        [0x26 | 0x2e | 0x36 | 0x3e | 0x64 | 0x65 | 0x67, rest @ ..] => is_vector(rest),
        _ => false,
    }
}

/// Returns true for XGETBV, XSAVE, XSAVEOPT, XSAVEC and XRSTOR, from their second byte on. The
/// emulator's do not have vectors of 256 bits.
fn is_of_extended_state(rest: &[u8]) -> bool {
    match *rest {
        [0x01, 0xd0, ..] => true,
        [0xae, modrm, ..] => modrm < 0xc0 && matches!(modrm >> 3 & 7, 4..=6),
        [0xc7, modrm, ..] => modrm < 0xc0 && modrm >> 3 & 7 == 4,
        _ => false,
    }
}

/// Returns true for PHADDW, PHADDD, PHADDSW, PHSUBW, PHSUBD or PHSUBSW of a register with itself.
fn adds_itself(opcode: u8, modrm: u8, rex: u8) -> bool {
    let is_same = modrm >= 0xc0 && modrm >> 3 & 7 == modrm & 7 && rex >> 2 & 1 == rex & 1;
    matches!(opcode, 1..=3 | 5..=7) && is_same
}

/// Returns true for stores that the emulator does in a C helper and whose failure it reports at the
/// next instruction: FNSTENV, FSTP m80, FNSAVE, FBSTP, FXSAVE, XSAVE, MASKMOVQ and MASKMOVDQU.
pub(crate) fn stores_late(code: &[u8]) -> bool {
    // A memory operand, with `middle` in the reg field of ModRM.
    let is = |modrm: u8, middle: u8| modrm < 0xc0 && modrm >> 3 & 7 == middle;
    match *code.get(..LONGEST).unwrap_or(code) {
        [0x26 | 0x2e | 0x36 | 0x3e | 0x40..=0x4f | 0x64..=0x67, ref rest @ ..] => stores_late(rest),
        [0xd9 | 0xdd | 0xdf, modrm, ..] => is(modrm, 6),
        [0xdb, modrm, ..] => is(modrm, 7),
        [0x0f, 0xae, modrm, ..] => is(modrm, 0) || is(modrm, 4),
        [0x0f, 0xf7, ..] => true,
        _ => false,
    }
}

/// Returns true for instructions of the FPU (Intel SDM volume 2, appendix A.5).
pub(crate) fn is_of_fpu(code: &[u8]) -> bool {
    let is_prefix = |byte: &u8| matches!(byte, 0x26 | 0x2e | 0x36 | 0x3e | 0x40..=0x4f | 0x64..=0x67);
    code.iter().find(|byte| !is_prefix(byte)).is_some_and(|opcode| matches!(opcode, 0xd8..=0xdf))
}

/// Returns true for SAHF and LAHF after a REX prefix, with which the emulator uses SPL in place of
/// AH.
#[inline]
pub(crate) fn is_unfaithful(code: &[u8]) -> bool {
    matches!(code, [0x40..=0x4f, 0x9e | 0x9f, ..])
}

/// Returns true for BT, BTS, BTR and BTC of a register with LOCK among their prefixes, which
/// requires a memory operand (Intel SDM volume 2, BTS).
pub(crate) fn is_locked_bit_test(code: &[u8]) -> bool {
    let is_prefix = |byte: &u8| matches!(byte, 0x26 | 0x2e | 0x36 | 0x3e | 0x64..=0x67 | 0xf0 | 0xf2 | 0xf3);
    let code = code.get(..LONGEST).unwrap_or(code);
    let count = code.iter().take_while(|byte| is_prefix(byte)).count();
    let Some((_, rest)) = code.split_at_checked(count).filter(|(prefixes, _)| prefixes.contains(&0xf0)) else {
        return false;
    };
    let rest = match rest {
        [0x40..=0x4f, rest @ ..] => rest,
        other => other,
    };
    matches!(rest, [0x0f, 0xa3 | 0xab | 0xb3 | 0xbb | 0xba, 0xc0..=0xff, ..])
}

#[cfg(test)]
mod tests {
    use super::is_locked_bit_test;

    #[test]
    fn locked_bit_tests_of_registers_have_any_prefixes() {
        let undefined: [&[u8]; 5] = [
            &[0xf0, 0x0f, 0xab, 0xc0],
            &[0xf0, 0x2e, 0x0f, 0xab, 0xc0],
            &[0x66, 0xf0, 0x48, 0x0f, 0xba, 0xe8, 1],
            &[0x2e, 0x66, 0xf0, 0xf3, 0x41, 0x0f, 0xa3, 0xff],
            &[0x67, 0xf0, 0x0f, 0xb3, 0xc1],
        ];
        assert!(undefined.into_iter().all(is_locked_bit_test));
        // Of memory; without LOCK; a REX prefix that is not one; XADD; more bytes than an
        // instruction has.
        let others: [&[u8]; 5] = [
            &[0xf0, 0x0f, 0xab, 0x00],
            &[0x66, 0x0f, 0xab, 0xc0],
            &[0x48, 0xf0, 0x0f, 0xab, 0xc0],
            &[0xf0, 0x0f, 0xc1, 0xc0],
            &[0xf0; 15],
        ];
        assert!(!others.into_iter().any(is_locked_bit_test));
    }
}
