//! s390x: the data of its target. Registers by DWARF number: s390x ELF ABI 1.6, table 1.17; calls:
//! 1.2.2.1 and Linux `arch/s390`.

use std::sync::OnceLock;

use linux::{Processor, Register};
use unicorn_engine::{Arch, Mode, RegisterS390X as R, Unicorn, uc_error};

use crate::end::Reason;
use crate::engine::Engine;
use crate::target::{
    ClockReader, EngineTarget, Interrupt, Page, PageState, SimpleRegisters, Substitute, Synchronous, Watch,
    consecutive, segmentation,
};

pub(crate) static TARGET: EngineTarget = EngineTarget {
    arch: Arch::S390X,
    mode: Mode::BIG_ENDIAN,
    dwarf: &DWARF,
    dwarf_vectors: None,
    pc_column: None,
    vector_column: None,
    set_vector_bits: |_, _| Ok(()),
    pc: R::PC as i32,
    flags: None,
    simple: SimpleRegisters {
        general: 16,
        flags: R::PSWM as i32,
        bases: [R::A0 as i32, R::A1 as i32],
        vectors: &FLOATS,
    },
    tracked: [R::R15 as i32, R::R11 as i32, R::R14 as i32],
    arguments: &[R::R2 as i32, R::R3 as i32, R::R4 as i32, R::R5 as i32, R::R6 as i32],
    // The high and the low half.
    thread_pointer: &[R::A0 as i32, R::A1 as i32],
    prepare,
    nop: &[0x07, 0x00],
    halt: None,
    call_length: |first, bytes| first.is_some_and(|first| bytes == length(first)),
    length: |code| code.first().map_or(4, |first| length(*first)),
    syscall: None,
    clock: ClockReader::Emulator,
    watch: Watch::ZArch,
    substitute: Substitute::Definition,
    interrupt,
    illegal: ILLEGAL,
    // The emulator itself does a fetch at the end of an execution.
    page: |page| match page.found {
        _ if page.fetches => Page::At(page.address),
        PageState::Absent => Page::Raises(ACCESS),
        PageState::Protected => Page::Raises(PROTECTION),
        PageState::Usable => Page::At(page.address),
    },
    // The translation-exception identification has only the page (SA22-7832, chapter 3, real
    // storage location 168; Linux `arch/s390/mm/fault.c`, `__FAIL_ADDR_MASK`).
    denied: |denied| segmentation(denied.address & !0xfff, denied.is_mapped),
    processor: Processor { capabilities: [CAPABILITIES, 0], platform: "z15" },
    special,
};

/// AT_HWCAP (Linux `arch/s390/include/asm/elf.h`): ESAN3, ZARCH, STFLE; LDISP, EIMM; ETF3EH,
/// HIGH_GPRS; VXRS; VXRS_EXT; VXRS_EXT2.
const CAPABILITIES: u64 = 0b111 | 0b11 << 4 | 0b11 << 8 | 1 << 11 | 1 << 13 | 1 << 15;

/// The facilities that are executed (SA22-7832, chapter 4, "Facility Indications"), as STORE
/// FACILITY LIST EXTENDED stores them: those of z15 without the message-security assists, decimal
/// floating point, packed decimal vectors, and compression.
pub(crate) const FACILITIES: [u64; 3] = {
    const OFFERED: [u32; 41] = [
        0, 1, 2, 3, 4, 7, 9, 16, 18, 19, 21, 22, 24, 25, 27, 30, 31, 32, 33, 34, 35, 37, 40, 41, 45, 49, 51, 52, 53,
        58, 61, 69, 71, 72, 75, 129, 130, 131, 135, 138, 148,
    ];
    let (mut words, mut at) = ([0; 3], 0);
    while at < OFFERED.len() {
        words[OFFERED[at] as usize / 64] |= 1 << (63 - OFFERED[at] % 64);
        at += 1;
    }
    words
};

/// Length in bytes of an instruction: its first two bits give the length (SA22-7832, chapter 5).
fn length(first: u8) -> u64 {
    [2, 4, 4, 6][usize::from(first >> 6)]
}

/// The number of the FPR with DWARF number 16 + i.
const FPR_ORDER: [i32; 16] = [0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15];

/// The emulator's numbers of the floating-point registers.
const FLOATS: [i32; 16] = consecutive(R::F0 as i32);

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

/// The emulator's number of a register that only signal frames use. The first halves of the first
/// sixteen vector registers are the floating-point registers.
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

/// Sets problem state (PSW bit 15), 64-bit addressing (bits 31 and 32), and CR0's AFP-register and
/// vector enablement controls (bits 45 and 46). (z/Architecture Principles of Operation SA22-7832,
/// chapter 4, "Program-Status-Word Format" and "Control Registers".)
fn prepare(engine: &mut Unicorn<'static, ()>) -> Result<(), uc_error> {
    engine.reg_write(R::PSWM, 0x1_0001_8000_0000)?;
    let control = engine.reg_read(R::CR0)?;
    engine.reg_write(R::CR0, control | 0x6_0000)
}

/// The signal of an undefined instruction: SIGILL with ILL_ILLOPC.
const ILLEGAL: Synchronous = Synchronous { signal: 4, code: 1, vector: OPERATION, behind: true };

/// A program interruption of the emulator (QEMU `target/s390x/cpu.h`, EXCP_PGM).
const PROGRAM: u32 = 3;
/// An access to an absent page, and one that a page does not allow; the numbers are none of the
/// emulator's.
const ACCESS: u32 = 0x100;
const PROTECTION: u32 = 0x101;

/// Base of the numbers of program interruptions that this crate raises itself; the code is added.
const RAISED: u32 = 0x200;
pub(crate) const SPECIFICATION: u32 = RAISED + 6;
pub(crate) const DATA: u32 = RAISED + 7;
pub(crate) const DIVIDE: u32 = RAISED + 9;

/// Program interruption codes (SA22-7832, chapter 6, "Program-Interruption Conditions").
const OPERATION: u64 = 1;

/// The meaning of an exception of the emulator, as Linux handles it (`arch/s390/kernel/traps.c`,
/// `arch/s390/mm/fault.c`). Except for an access the PSW is after the instruction (SA22-7832,
/// chapter 6, "Types of Instruction Ending").
fn interrupt(number: u32, engine: &Engine) -> Interrupt {
    match number {
        // The PC is still at the two-byte `svc`.
        2 => Interrupt::Syscall { rest: 2 },
        PROGRAM => interruption(program_code(engine), engine),
        RAISED.. => interruption((number - RAISED).into(), engine),
        ACCESS => ACCESSED,
        PROTECTION => PROTECTED,
        _ => Interrupt::Ends(Reason::Trap, "interruption"),
    }
}

/// The signal of an access to an unmapped page: SIGSEGV with SEGV_MAPERR.
const ACCESSED: Interrupt = Interrupt::Signal(
    Synchronous { signal: 11, code: 1, vector: 0x10, behind: false },
    Reason::Fault,
    "program interruption",
);

/// The signal of an access that a page does not allow: SIGSEGV with SEGV_ACCERR
/// (`do_protection_exception`).
const PROTECTED: Interrupt = Interrupt::Signal(
    Synchronous { signal: 11, code: 2, vector: 4, behind: false },
    Reason::Fault,
    "program interruption",
);

/// The signal of a program interruption: SIGILL with ILL_ILLOPC, ILL_PRVOPC or ILL_ILLOPN; SIGFPE
/// with FPE_INTOVF, FPE_INTDIV, and for a data exception by its code in FPC: SIGILL for 0, as of
/// a decimal operand (`data_exception`, `do_fp_trap`).
fn interruption(code: u64, engine: &Engine) -> Interrupt {
    let by = |signal, si| Synchronous { signal, code: si, vector: code, behind: true };
    let computing = |si, what| Interrupt::Signal(by(8, si), Reason::Fault, what);
    match code {
        OPERATION => Interrupt::Illegal(ILLEGAL),
        2 => Interrupt::Signal(by(4, 5), Reason::IllegalInstruction, "privileged instruction"),
        3 | 6 | 0x15 => Interrupt::Signal(by(4, 2), Reason::IllegalInstruction, "specification exception"),
        7 => {
            const WHAT: &str = "data exception";
            match engine.read(R::FPC as i32) >> 8 & 0xff {
                0 => Interrupt::Signal(by(4, 2), Reason::Fault, WHAT),
                0x80..=0x83 => computing(7, WHAT),
                0x40..=0x43 => computing(3, WHAT),
                0x20..=0x23 | 0x28..=0x2f => computing(4, WHAT),
                0x10..=0x13 | 0x18..=0x1f => computing(5, WHAT),
                0x08..=0x0f => computing(6, WHAT),
                _ => computing(0, WHAT),
            }
        }
        8 => computing(2, "fixed-point overflow"),
        9 => computing(1, "fixed-point divide exception"),
        0x1b => computing(0, "vector-processing exception"),
        _ => ACCESSED,
    }
}

/// The code of the last program interruption, which the emulator has in memory and gives in no
/// other way.
fn program_code(engine: &Engine) -> u64 {
    static PLACE: OnceLock<Option<usize>> = OnceLock::new();
    let state = engine.state().unwrap_or_default();
    let code = PLACE.get_or_init(program_code_place).and_then(|at| state.get(at..)?.first_chunk().copied());
    code.map_or(0, |code| u32::from_ne_bytes(code).into())
}

/// Offset of the code in the state: `int_pgm_code`, seven 64-bit words after the PSW's address
/// (QEMU `target/s390x/cpu.h`, `struct CPUS390XState`: the address, `cc_src`, `cc_dst`, `cc_vr`,
/// `ex_value`, `__excp_addr`, `psa`).
fn program_code_place() -> Option<usize> {
    /// A value that no program has as an address.
    const WORD: u64 = 0x5afe_c0de_0bad_f100;
    const SIZE: usize = size_of::<u64>();
    let engine = Engine::new(&TARGET).ok()?;
    engine.write(R::PC as i32, WORD).ok()?;
    let state = engine.state()?;
    let address = state.chunks_exact(SIZE).position(|word| word == WORD.to_ne_bytes())?;
    Some((address + 7) * SIZE)
}

/// Returns true for STORE FACILITY LIST (STFL: opcode B2B1, SA22-7832, chapter 10): the emulator
/// stores to its real memory, which does not exist here, and aborts.
#[inline]
pub(crate) fn is_deadly(code: &[u8]) -> bool {
    code.starts_with(&[0xb2, 0xb1])
}

/// Returns true for SQUARE ROOT of an extended number (SQXBR: opcode B316, then 8 reserved bits,
/// which are zero).
pub(crate) fn is_extended_root(code: &[u8]) -> bool {
    code.starts_with(&[0xb3, 0x16, 0])
}
