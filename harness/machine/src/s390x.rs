//! s390x as the machine drives it. Registers by DWARF number: s390x ELF ABI 1.6, table 1.17; calls: 1.2.2.1 and Linux
//! `arch/s390`.

use unicorn_engine::{Arch, Mode, RegisterS390X as R, Unicorn, uc_error};

use crate::arch::{Convention, Interrupt, Synchronous, Target, Watch};
use crate::branch::Branch;
use crate::end::Reason;
use crate::kernel;
use crate::signal;

pub(crate) static TARGET: Target = Target {
    arch: Arch::S390X,
    mode: Mode::BIG_ENDIAN,
    dwarf: &DWARF,
    pc_column: None,
    pc: R::PC as i32,
    simple: None,
    tracked: [R::R15 as i32, R::R11 as i32, R::R14 as i32],
    arguments: &[R::R2 as i32, R::R3 as i32, R::R4 as i32, R::R5 as i32, R::R6 as i32],
    // High and low half.
    thread_pointer: &[R::A0 as i32, R::A1 as i32],
    prepare,
    nop: &[0x07, 0x00],
    halt: None,
    // The first two bits give the length (SA22-7832, chapter 5).
    call_length: |first, length| first.is_some_and(|first| length == [2, 4, 4, 6][usize::from(first >> 6)]),
    watch: Watch::HighWords,
    branch,
    interrupt,
    // The emulator itself comes to where an execution is to end, with a fetch.
    page_fault: |page| (!page.is_mapped && !page.fetches).then_some(PROGRAM),
    syscalls: &Convention {
        number: R::R1 as i32,
        arguments: [R::R2 as i32, R::R3 as i32, R::R4 as i32, R::R5 as i32, R::R6 as i32, R::R7 as i32],
        result: R::R2 as i32,
        length: 2,
        immediate: |code| (code[0] == SVC && code[1] != 0).then_some(u64::from(code[1])),
        call: kernel::s390x::call,
        stat: kernel::s390x::stat,
        open_flags: kernel::s390x::OPEN_FLAGS,
        epoll_word: 8,
        narrow_statfs: true,
    },
    signals: &signal::s390x::SIGNALS,
};

/// SUPERVISOR CALL (SA22-7832, chapter 7); its immediate is the call's number, or 0 when r1 holds it (Linux).
const SVC: u8 = 0x0a;

/// The FPR at DWARF number 16 + i.
const FPR_ORDER: [i32; 16] = [0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15];

const DWARF: [i32; 32] = {
    let mut ids = [0; 32];
    let mut number = 0;
    while number < 16 {
        ids[number] = R::R0 as i32 + number as i32;
        ids[16 + number] = R::F0 as i32 + FPR_ORDER[number];
        number += 1;
    }
    ids
};

/// 64-bit addressing (PSW bits 31 and 32), and CR0's AFP-register and vector enablement controls (bits 45 and 46).
/// (z/Architecture Principles of Operation SA22-7832, chapter 4, "Program-Status-Word Format" and "Control Registers".)
fn prepare(engine: &mut Unicorn<'static, ()>) -> Result<(), uc_error> {
    engine.reg_write(R::PSWM, 0x1_8000_0000)?;
    let control = engine.reg_read(R::CR0)?;
    engine.reg_write(R::CR0, control | 0x6_0000)
}

/// Exception numbers of the emulator (QEMU `target/s390x/cpu.h`, EXCP_*). It does not give the program interruption code;
/// no instruction has an opcode that begins with a zero byte (SA22-7832, chapter 6, "Operation Exception").
///
/// Linux (`arch/s390/kernel/traps.c`, `arch/s390/mm/fault.c`) makes SIGILL with ILL_ILLOPC of an operation exception, SIGFPE with FPE_INTDIV of a
/// fixed-point divide exception, SIGSEGV of an access exception; but for the last the PSW is behind the instruction (chapter 6, "Types of
/// Instruction Ending").
fn interrupt(number: u32, code: &[u8]) -> Interrupt {
    let signal = |signal, code, vector, behind| Synchronous { signal, code, vector, behind };
    match (number, code) {
        (2, _) => Interrupt::Syscall,
        (PROGRAM, [0, ..]) => {
            Interrupt::Signal(signal(4, 1, 1, true), Reason::IllegalInstruction, "illegal instruction")
        }
        (PROGRAM, code) if divides(code) => {
            Interrupt::Signal(signal(8, 1, 9, true), Reason::Fault, "program interruption")
        }
        (PROGRAM, _) => Interrupt::Signal(signal(11, 1, 0x10, false), Reason::Fault, "program interruption"),
        _ => Interrupt::Ends(Reason::Trap, "interruption"),
    }
}

/// A program interruption: an addressing exception among others.
const PROGRAM: u32 = 3;

/// D and DR; DL, DLG, DSG, DSGF and DLR, DLGR, DSGR, DSGFR (SA22-7832, chapter 7).
fn divides(code: &[u8]) -> bool {
    const LONG: [u8; 4] = [0x0d, 0x1d, 0x87, 0x97];
    match code {
        [0x1d | 0x5d, ..] => true,
        [0xb9, second, ..] => LONG.contains(second),
        [0xe3, _, _, _, _, last] => LONG.contains(last),
        _ => false,
    }
}

/// `br %r14`, which is how functions return (s390x ELF ABI 1.6, 1.2.2.1), and the relative branches (SA22-7832, chapter 7): BRC,
/// BRCL, BRCT and BRCTG, BRCTH, BRXH and BRXLE, BRXHG and BRXLG, and the compare-and-branch-relative family.
fn branch(code: &[u8]) -> Branch {
    match code {
        [0x07, 0xfe, ..] => Branch::Return,
        [0xa7, second, ..] if matches!(second & 0xf, 4 | 6 | 7) => Branch::Relative,
        [0xc0, second, ..] if second & 0xf == 4 => Branch::Relative,
        [0xcc, second, ..] if second & 0xf == 6 => Branch::Relative,
        [0x84 | 0x85, ..] => Branch::Relative,
        [0xec, _, _, _, _, 0x44 | 0x45 | 0x64 | 0x65 | 0x76 | 0x77 | 0x7c..=0x7f, ..] => Branch::Relative,
        _ => Branch::Other,
    }
}

/// True for ROTATE THEN INSERT SELECTED BITS HIGH and LOW (RISBHG, RISBLG: opcode EC..5D and EC..51, SA22-7832, chapter 7) in the
/// forms that the emulator executes wrongly without saying so: the selected bits do not wrap around, and either the rest of the
/// half is kept or there is no rest. It then puts the bits into the wrong half of the register; `tests/s390x.rs` tries every form.
#[inline]
pub(crate) fn is_unfaithful(code: [u8; 6]) -> bool {
    const ZERO_THE_REST: u8 = 0x80;
    match code {
        [0xec, _, first, last, _, 0x51 | 0x5d] => {
            let (from, to) = (first & 0x1f, last & 0x1f);
            from <= to && (last & ZERO_THE_REST == 0 || (from, to) == (0, 31))
        }
        _ => false,
    }
}

/// True for STORE FACILITY LIST (STFL: opcode B2B1, SA22-7832, chapter 10): the emulator stores to its own idea of real memory, which it
/// does not have here, and aborts.
#[inline]
pub(crate) fn is_deadly(code: &[u8]) -> bool {
    code.starts_with(&[0xb2, 0xb1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches() {
        use Branch::{Other, Relative, Return};
        // As GNU as encodes them for z196.
        let table: [(&[u8], Branch); 16] = [
            (&[0x07, 0xfe], Return),                           // br %r14
            (&[0x07, 0xf1], Other),                            // br %r1
            (&[0x07, 0x8e], Other),                            // ber %r14
            (&[0xa7, 0xf4, 0x00, 0x06], Relative),             // j
            (&[0xa7, 0x84, 0x00, 0x0f], Relative),             // je
            (&[0xa7, 0x27, 0xff, 0xfe], Relative),             // brctg %r2
            (&[0xa7, 0xe5, 0x00, 0x06], Other),                // bras %r14
            (&[0xc0, 0xf4, 0, 0, 0, 4], Relative),             // jg
            (&[0xc0, 0xe5, 0, 0, 0, 4], Other),                // brasl %r14
            (&[0xcc, 0x26, 0xff, 0xff, 0xff, 0xfe], Relative), // brcth %r2
            (&[0x84, 0x12, 0x00, 0x04], Relative),             // brxh
            (&[0xec, 0x12, 0x00, 0x04, 0x80, 0x64], Relative), // cgrje
            (&[0xec, 0x16, 0x00, 0x04, 0x05, 0x7f], Relative), // clijne
            (&[0xec, 0x12, 0x00, 0x9f, 0x20, 0x5d], Other),    // risbhg
            (&[0x47, 0xf0, 0x10, 0x00], Other),                // b 0(%r1)
            (&[0x18, 0x12], Other),                            // lr
        ];
        for (code, expected) in table {
            assert_eq!(branch(code), expected, "{code:x?}");
        }
    }
}
