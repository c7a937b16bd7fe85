//! AArch64 in both byte orders: the data of its target. Registers by DWARF number: DWARF for the
//! Arm 64-bit Architecture, 4.1; calls: AAPCS64 6.8.2 and Linux `arch/arm64`. Pointer
//! authentication is on, with distinct keys.

use linux::{Processor, Register};
use types::Reg;
use unicorn_engine::{Arch, Arm64CpuModel, Mode, RegisterARM64 as R, RegisterARM64CP, Unicorn, uc_error};
use witness::VectorBits;

use crate::end::Reason;
use crate::engine::Engine;
use crate::target::{
    ClockReader, EngineTarget, Interrupt, Page, PageAccess, PageState, SimpleRegisters, Substitute, Synchronous, Watch,
    consecutive, segmentation,
};

/// The target with little-endian data.
pub(crate) static LITTLE: EngineTarget = TARGET;

const TARGET: EngineTarget = EngineTarget {
    arch: Arch::ARM64,
    mode: Mode::ARM,
    dwarf: &DWARF,
    dwarf_vectors: Some((V0, &HALVES)),
    pc_column: None,
    vector_column: Some(VG),
    set_vector_bits,
    pc: R::PC as i32,
    flags: Some(R::NZCV as i32),
    simple: SimpleRegisters { general: 32, flags: R::NZCV as i32, bases: [R::TPIDR_EL0 as i32; 2], vectors: &VECTORS },
    tracked: [R::SP as i32, R::X29 as i32, R::X30 as i32],
    arguments: &[
        R::X0 as i32,
        R::X1 as i32,
        R::X2 as i32,
        R::X3 as i32,
        R::X4 as i32,
        R::X5 as i32,
        R::X6 as i32,
        R::X7 as i32,
    ],
    thread_pointer: &[R::TPIDR_EL0 as i32],
    prepare,
    nop: &[0x1f, 0x20, 0x03, 0xd5],
    halt: None,
    call_length: |_, length| length == 4,
    length: |_| 4,
    syscall: None,
    clock: ClockReader::SystemRegister,
    watch: Watch::PointerAuthentication,
    substitute: Substitute::Scalable,
    interrupt,
    illegal: ILLEGAL,
    page,
    denied: |denied| segmentation(denied.address, denied.is_mapped),
    processor: Processor { capabilities: CAPABILITIES, platform: "aarch64" },
    special,
};

/// AT_HWCAP (Linux `arch/arm64/include/uapi/asm/hwcap.h`): FP, ASIMD, AES, PMULL, SHA1, SHA2,
/// CRC32, ATOMICS, FPHP, ASIMDHP; ASIMDRDM, JSCVT, FCMA, LRCPC, DCPOP, SHA3, SM3, SM4, ASIMDDP,
/// SHA512, SVE, ASIMDFHM; ILRCPC, FLAGM; SB, PACA and PACG. AT_HWCAP2: DCPODP; FLAGM2, FRINT.
const CAPABILITIES: [u64; 2] = [0b11 | 0xff << 3 | 0xfff << 12 | 0b11 << 26 | 0b111 << 29, 1 | 0b11 << 7];

/// The target with big-endian data; instructions are little-endian.
pub(crate) static BIG: EngineTarget = EngineTarget {
    mode: Mode(Mode::ARM.0 | Mode::BIG_ENDIAN.0),
    processor: Processor { platform: "aarch64_be", ..TARGET.processor },
    ..TARGET
};

/// The emulator's register numbers by DWARF number. X29 and X30 are not contiguous with X0 to X28.
const DWARF: [i32; 32] = {
    let mut ids = [0; 32];
    let mut number = 0;
    while number < 29 {
        ids[number] = R::X0 as i32 + number as i32;
        number += 1;
    }
    ids[29] = R::X29 as i32;
    ids[30] = R::X30 as i32;
    ids[31] = R::SP as i32;
    ids
};

/// DWARF for the Arm 64-bit Architecture, 4.1: 64 to 95 are V0 to V31, of which calls preserve the
/// lower halves of V8 to V15.
const V0: Reg = Reg(64);

/// The emulator's numbers of the vector registers, and of their lower halves.
const VECTORS: [i32; 32] = consecutive(R::Q0 as i32);
const HALVES: [i32; 32] = consecutive(R::D0 as i32);

/// A system register by its encoding (Arm ARM DDI 0487, D19).
fn register(op1: u32, crn: u32, crm: u32, op2: u32) -> RegisterARM64CP {
    RegisterARM64CP::new().op0(3).op1(op1).crn(crn).crm(crm).op2(op2)
}

/// The emulator's number of a register that only signal frames use.
fn special(register: Register) -> Option<i32> {
    Some(match register {
        Register::Flags => R::NZCV as i32,
        Register::ThreadPointer => R::TPIDR_EL0 as i32,
        Register::FloatControl => R::FPCR as i32,
        Register::FloatStatus => R::FPSR as i32,
        Register::Vector(number) => R::Q0 as i32 + i32::from(number),
        _ => return None,
    })
}

/// Pointer authentication needs a processor that has it, leave from EL3 (SCR_EL3.NS, RW, APK, API)
/// and EL2 (HCR_EL2.RW, APK, API), the enable bits of EL1 (SCTLR_EL1.EnIA, EnIB, EnDA, EnDB), and
/// keys.
fn prepare(engine: &mut Unicorn<'static, ()>) -> Result<(), uc_error> {
    engine.ctl_set_cpu_model(Arm64CpuModel::MAX as i32)?;
    engine.reg_write_arm64_coproc(&register(6, 1, 1, 0).val(1 | 1 << 10 | 1 << 16 | 1 << 17))?;
    engine.reg_write_arm64_coproc(&register(4, 1, 1, 0).val(1 << 31 | 1 << 40 | 1 << 41))?;
    let mut control = register(0, 1, 0, 0);
    engine.reg_read_arm64_coproc(&mut control)?;
    let enabled = control.val | 1 << 31 | 1 << 30 | 1 << 27 | 1 << 13;
    engine.reg_write_arm64_coproc(&control.val(enabled))?;
    // APIAKeyLo/Hi (op2 0, 1) and APIBKeyLo/Hi (2, 3); APDA, APDB and APGA are in CRm 2 and 3.
    for (op2, half) in
        (0..4).zip([0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0x0f1e_2d3c_4b5a_6978, 0x8796_a5b4_c3d2_e1f0])
    {
        engine.reg_write_arm64_coproc(&register(0, 2, 1, op2).val(half))?;
    }
    // Floating point and SVE at EL0 and EL1: CPACR_EL1.FPEN and ZEN; leave from EL3 (CPTR_EL3.EZ)
    // and EL2 (CPTR_EL2.TZ and TFP clear).
    engine.reg_write_arm64_coproc(&register(0, 1, 0, 2).val(3 << 20 | 3 << 16))?;
    engine.reg_write_arm64_coproc(&register(6, 1, 1, 2).val(1 << 8))?;
    engine.reg_write_arm64_coproc(&register(4, 1, 1, 2).val(0))
}

/// DWARF for the Arm 64-bit Architecture, 4.1: 46 is VG, the vector length in granules of 64 bits.
const VG: Reg = Reg(46);

/// ZCR_EL3, EL2 and EL1: LEN, the length in units of 128 bits, less one.
fn set_vector_bits(engine: &mut Unicorn<'static, ()>, bits: VectorBits) -> Result<(), uc_error> {
    let len = u64::from(bits.get()) / 128 - 1;
    [6, 4, 0].into_iter().try_for_each(|op1| engine.reg_write_arm64_coproc(&register(op1, 1, 2, 0).val(len)))
}

/// The signal of an undefined instruction: SIGILL with ILL_ILLOPC.
const ILLEGAL: Synchronous = Synchronous { signal: 4, code: 1, vector: 1, behind: false };

/// The meaning of an exception number of the emulator (QEMU `target/arm/cpu.h`, EXCP_*), as Linux
/// handles it (`arch/arm64/kernel/traps.c`, `arch/arm64/mm/fault.c`): SIGILL with ILL_ILLOPC,
/// SIGSEGV, SIGTRAP with TRAP_BRKPT.
fn interrupt(number: u32, _: &Engine) -> Interrupt {
    let signal = |signal, code| Synchronous { signal, code, vector: number.into(), behind: false };
    match number {
        2 => Interrupt::Syscall { rest: 0 },
        1 => Interrupt::Illegal(ILLEGAL),
        3 => Interrupt::Signal(signal(11, 1), Reason::Fault, "instruction abort"),
        4 => Interrupt::Signal(signal(11, 1), Reason::Fault, "data abort"),
        7 => Interrupt::Signal(signal(5, 1), Reason::Trap, "breakpoint"),
        _ => Interrupt::Ends(Reason::Trap, "processor exception"),
    }
}

/// The page that an address means: the top byte is ignored (TCR_EL1.TBI0, which Linux sets).
/// Addresses have at most 48 bits, also without page tables (Arm ARM DDI 0487, D5.1.4, and J1
/// `AArch64.S1DisabledOutput`), but for the memory of a kernel's image.
fn page(page: &PageAccess) -> Page {
    const TAG: u32 = 56;
    if page.address >> 48 == 0xffff && page.found != PageState::Absent {
        return Page::At(page.address);
    }
    let address = if page.fetches { page.address } else { page.address << (64 - TAG) >> (64 - TAG) };
    if address >> 48 == 0 { Page::At(address) } else { Page::Outside }
}

/// Returns true for instructions that the emulator lacks and this crate may execute; for ADDG and
/// SUBG, which the emulator executes as ADD and SUB; and for LDSMAX and LDSMIN narrower than 64
/// bits, for which the emulator does not sign-extend the value in memory.
#[inline]
pub(crate) fn lacks(code: &[u8]) -> bool {
    let is_wrong = |word: u32| {
        let is_tagging = word & 0xbfc0_0000 == 0x9180_0000;
        let is_signed = word & 0x3f20_ec00 == 0x3820_4000 && word >> 30 != 3;
        is_tagging || is_signed
    };
    isa::scalable::scalable(code).is_some()
        || code.first_chunk().is_some_and(|word| is_wrong(u32::from_le_bytes(*word)))
}

/// Returns true for loads and stores of 128-bit vector registers, single or in pairs (Arm ARM DDI
/// 0487, C4.1.94: LDP and STP, LDR and STR).
pub(crate) fn accesses_128_bits(code: &[u8]) -> bool {
    let Some(word) = code.first_chunk().map(|word| u32::from_le_bytes(*word)) else { return false };
    let is = |mask: u32, bits: u32| word & mask == bits;
    is(0xfe00_0000, 0xac00_0000) || is(0xff00_0000, 0x9c00_0000) || is(0xfe80_0000, 0x3c80_0000)
}

/// Returns true for SVE stores, whose failure the emulator reports at the next instruction (Arm ARM
/// DDI 0487, C4.1.37: SVE encodings, bits 31 to 25).
pub(crate) fn stores_late(code: &[u8]) -> bool {
    code.first_chunk::<4>().is_some_and(|word| u32::from_le_bytes(*word) >> 25 == 0b111_0010)
}

/// Returns true for undefined encodings of half-precision vector instructions, on which the
/// emulator aborts (Arm ARM DDI 0487, C4.1.95: "Advanced SIMD two-register miscellaneous (FP16)"
/// and "three same (FP16)", and the scalar forms of the first).
pub(crate) fn is_undefined_half_precision(code: &[u8]) -> bool {
    let Some(word) = code.first_chunk::<4>().map(|word| u32::from_le_bytes(*word)) else { return false };
    // Bit N is set if the operation U:a:opcode, or U:a:opcode of three bits, is defined.
    const TWO_VECTOR: u128 = defined(&[
        0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x2c, 0x2d, 0x2e, 0x2f, 0x38, 0x39, 0x3a, 0x3b, 0x3d, 0x58, 0x59, 0x5a,
        0x5b, 0x5c, 0x5d, 0x6c, 0x6d, 0x6f, 0x79, 0x7a, 0x7b, 0x7d, 0x7f,
    ]);
    const TWO_SCALAR: u128 = defined(&[
        0x1a, 0x1b, 0x1c, 0x1d, 0x2c, 0x2d, 0x2e, 0x3a, 0x3b, 0x3d, 0x3f, 0x5a, 0x5b, 0x5c, 0x5d, 0x6c, 0x6d, 0x7a,
        0x7b, 0x7d,
    ]);
    const THREE: u128 = defined(&[
        0x0, 0x1, 0x2, 0x3, 0x4, 0x6, 0x7, 0x8, 0x9, 0xa, 0xe, 0xf, 0x10, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18,
        0x1a, 0x1c, 0x1d, 0x1e,
    ]);
    let is_scalar = word >> 28 & 1 != 0;
    let (upper, three) = (word >> 29 & 1, word & 0x9f60_c400 == 0x0e40_0400);
    // With bit 28 and without bit 30 it is arithmetic on scalars.
    let is_two = word & 0x8f7e_0c00 == 0x0e78_0800 && word >> 28 & 5 != 1;
    let operation = match is_two {
        true => upper << 6 | (word >> 23 & 1) << 5 | word >> 12 & 0x1f,
        false if three => upper << 4 | (word >> 23 & 1) << 3 | word >> 11 & 7,
        false => return false,
    };
    let known = match (three, is_scalar) {
        (true, _) => THREE,
        (false, true) => TWO_SCALAR,
        (false, false) => TWO_VECTOR,
    };
    known >> operation & 1 == 0
}

/// The set of these numbers, as bits.
const fn defined(numbers: &[u8]) -> u128 {
    let (mut set, mut at) = (0, 0);
    while at < numbers.len() {
        set |= 1 << numbers[at];
        at += 1;
    }
    set
}
