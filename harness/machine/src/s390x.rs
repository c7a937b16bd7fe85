//! s390x as the machine drives it. Registers by DWARF number: s390x ELF ABI 1.6, table 1.17; calls:
//! 1.2.2.1 and Linux `arch/s390`.

use linux::Register;
use unicorn_engine::{Arch, Mode, RegisterS390X as R, Unicorn, uc_error};

use crate::end::Reason;
use crate::target::{ClockReader, Interrupt, Substitute, Synchronous, Target, Watch};

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
    call_length: |first, bytes| first.is_some_and(|first| bytes == length(first)),
    length: |code| code.first().map_or(4, |first| length(*first)),
    syscall: None,
    clock: ClockReader::Emulator,
    watch: Watch::HighWords,
    substitute: Substitute::None,
    interrupt,
    // The emulator itself comes to where an execution is to end, with a fetch.
    page_fault: |page| (!page.is_mapped && !page.fetches).then_some(PROGRAM),
    special,
};

/// Bytes of an instruction: its first two bits give the length (SA22-7832, chapter 5).
fn length(first: u8) -> u64 {
    [2, 4, 4, 6][usize::from(first >> 6)]
}

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

/// Registers that signal frames have besides. The first sixteen vector registers have the floating
/// point registers for a first half.
fn special(register: Register) -> Option<i32> {
    Some(match register {
        Register::Flags => R::PSWM as i32,
        Register::FloatControl => R::FPC as i32,
        Register::Access(number) => R::A0 as i32 + i32::from(number),
        Register::VectorHigh(number @ 0..16) => R::F0 as i32 + i32::from(number),
        Register::VectorLow(number @ 0..16) => R::F0_HI as i32 + i32::from(number),
        Register::VectorHigh(number) => R::F16 as i32 + i32::from(number) - 16,
        Register::VectorLow(number) => R::F16_HI as i32 + i32::from(number) - 16,
        _ => return None,
    })
}

/// 64-bit addressing (PSW bits 31 and 32), and CR0's AFP-register and vector enablement controls
/// (bits 45 and 46). (z/Architecture Principles of Operation SA22-7832, chapter 4,
/// "Program-Status-Word Format" and "Control Registers".)
fn prepare(engine: &mut Unicorn<'static, ()>) -> Result<(), uc_error> {
    engine.reg_write(R::PSWM, 0x1_8000_0000)?;
    let control = engine.reg_read(R::CR0)?;
    engine.reg_write(R::CR0, control | 0x6_0000)
}

/// Exception numbers of the emulator (QEMU `target/s390x/cpu.h`, EXCP_*). It does not give the
/// program interruption code; no instruction has an opcode that begins with a zero byte (SA22-7832,
/// chapter 6, "Operation Exception").
///
/// Linux (`arch/s390/kernel/traps.c`, `arch/s390/mm/fault.c`) makes SIGILL with ILL_ILLOPC of an
/// operation exception, SIGFPE with FPE_INTDIV of a fixed-point divide exception, SIGSEGV of an
/// access exception; but for the last the PSW is behind the instruction (chapter 6, "Types of
/// Instruction Ending").
fn interrupt(number: u32, code: &[u8]) -> Interrupt {
    let signal = |signal, code, vector, behind| Synchronous { signal, code, vector, behind };
    match (number, code) {
        // The processor is still at the two-byte `svc`.
        (2, _) => Interrupt::Syscall { rest: 2 },
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

/// True for ROTATE THEN INSERT SELECTED BITS HIGH and LOW (RISBHG, RISBLG: opcode EC..5D and
/// EC..51, SA22-7832, chapter 7) in the forms that the emulator executes wrongly without saying so:
/// the selected bits do not wrap around, and either the rest of the half is kept or there is no
/// rest. It then puts the bits into the wrong half of the register; `tests/s390x.rs` tries every
/// form.
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

/// True for STORE FACILITY LIST (STFL: opcode B2B1, SA22-7832, chapter 10): the emulator stores to
/// its own idea of real memory, which it does not have here, and aborts.
#[inline]
pub(crate) fn is_deadly(code: &[u8]) -> bool {
    code.starts_with(&[0xb2, 0xb1])
}
