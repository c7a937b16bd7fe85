//! AArch64 in both byte orders, as the machine drives it. Registers by DWARF number: DWARF for the Arm 64-bit Architecture,
//! 4.1; calls: AAPCS64 6.8.2 and Linux `arch/arm64`. Pointer authentication is on, with distinct keys.

use unicorn_engine::{Arch, Arm64CpuModel, Mode, RegisterARM64 as R, RegisterARM64CP, Unicorn, uc_error};

use crate::arch::{Convention, Interrupt, PageAccess, Synchronous, Target, Watch};
use crate::branch::Branch;
use crate::end::Reason;
use crate::kernel;
use crate::signal;

/// Little-endian data.
pub(crate) static LITTLE: Target = TARGET;

const TARGET: Target = Target {
    arch: Arch::ARM64,
    mode: Mode::ARM,
    dwarf: &DWARF,
    pc_column: None,
    pc: R::PC as i32,
    simple: None,
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
    watch: Watch::PointerAuthentication,
    branch,
    interrupt,
    page_fault,
    syscalls: &CONVENTION,
    signals: &signal::aarch64::SIGNALS,
};

/// Data is big-endian, instructions are not.
pub(crate) static BIG: Target = Target { mode: Mode(Mode::ARM.0 | Mode::BIG_ENDIAN.0), ..TARGET };

const CONVENTION: Convention = Convention {
    number: R::X8 as i32,
    arguments: [R::X0 as i32, R::X1 as i32, R::X2 as i32, R::X3 as i32, R::X4 as i32, R::X5 as i32],
    result: R::X0 as i32,
    length: 4,
    immediate: |_| None,
    call: kernel::aarch64::call,
    stat: kernel::aarch64::stat,
    open_flags: kernel::aarch64::OPEN_FLAGS,
    epoll_word: 8,
    narrow_statfs: false,
};

/// X29 and X30 are numbered apart from X0 to X28.
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

/// A system register by its encoding (Arm ARM DDI 0487, D19).
fn register(op1: u32, crn: u32, crm: u32, op2: u32) -> RegisterARM64CP {
    RegisterARM64CP::new().op0(3).op1(op1).crn(crn).crm(crm).op2(op2)
}

/// Pointer authentication needs a processor that has it, leave from EL3 (SCR_EL3.NS, RW, APK, API) and EL2 (HCR_EL2.RW, APK,
/// API), the enable bits of EL1 (SCTLR_EL1.EnIA, EnIB, EnDA, EnDB), and keys.
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
    // Floating point at EL0 and EL1: CPACR_EL1.FPEN.
    engine.reg_write_arm64_coproc(&register(0, 1, 0, 2).val(3 << 20))
}

const INSTRUCTION_ABORT: u32 = 3;
const DATA_ABORT: u32 = 4;

/// Exception numbers of the emulator (QEMU `target/arm/cpu.h`, EXCP_*), and what Linux makes of them (`arch/arm64/kernel/traps.c`,
/// `arch/arm64/mm/fault.c`): SIGILL with ILL_ILLOPC, SIGSEGV, SIGTRAP with TRAP_BRKPT.
fn interrupt(number: u32, _: &[u8]) -> Interrupt {
    let signal = |signal, code| Synchronous { signal, code, vector: number.into(), behind: false };
    match number {
        2 => Interrupt::Syscall,
        1 => Interrupt::Signal(signal(4, 1), Reason::IllegalInstruction, "undefined instruction"),
        INSTRUCTION_ABORT => Interrupt::Signal(signal(11, 1), Reason::Fault, "instruction abort"),
        DATA_ABORT => Interrupt::Signal(signal(11, 1), Reason::Fault, "data abort"),
        7 => Interrupt::Signal(signal(5, 1), Reason::Trap, "breakpoint"),
        _ => Interrupt::Ends(Reason::Trap, "processor exception"),
    }
}

/// No address has more than 48 bits, without page tables either (Arm ARM DDI 0487, J1 `AArch64.S1DisabledOutput`): an Address size fault.
fn page_fault(page: &PageAccess) -> Option<u32> {
    (page.address >> 48 != 0).then_some(if page.fetches { INSTRUCTION_ABORT } else { DATA_ABORT })
}

/// RET, RETAA and RETAB; B, B.cond and BC.cond, CBZ and CBNZ, TBZ and TBNZ (Arm ARM DDI 0487, C4.1 "Branches, Exception Generating
/// and System instructions"). Instructions are little-endian in both byte orders.
fn branch(code: &[u8]) -> Branch {
    let Some(word) = code.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes)) else { return Branch::Other };
    let is = |mask: u32, bits: u32| word & mask == bits;
    if is(0xffff_fc1f, 0xd65f_0000) || is(0xffff_fbff, 0xd65f_0bff) {
        Branch::Return
    } else if is(0xfc00_0000, 0x1400_0000) || is(0xff00_0000, 0x5400_0000) || is(0x7c00_0000, 0x3400_0000) {
        Branch::Relative
    } else {
        Branch::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches() {
        use Branch::{Other, Relative, Return};
        // As GNU as encodes them for armv8.5-a.
        let table = [
            (0xd65f_03c0, Return),   // ret
            (0xd65f_0200, Return),   // ret x16
            (0xd65f_0bff, Return),   // retaa
            (0xd65f_0fff, Return),   // retab
            (0x1400_0002, Relative), // b
            (0x17ff_ff5b, Relative), // b, backwards
            (0x5400_0080, Relative), // b.eq
            (0xb500_0110, Relative), // cbnz x16
            (0x3400_0040, Relative), // cbz w0
            (0x3607_ffe0, Relative), // tbz w0, #0
            (0xb7f8_0040, Relative), // tbnz x0, #63
            (0x9400_0002, Other),    // bl
            (0xd61f_0040, Other),    // br x2
            (0xd61f_03c0, Other),    // br x30
            (0xd63f_0200, Other),    // blr x16
            (0xd71f_0801, Other),    // braa x0, x1
            (0xd503_201f, Other),    // nop
        ];
        for (word, expected) in table {
            assert_eq!(branch(&u32::to_le_bytes(word)), expected, "{word:#x}");
        }
        assert_eq!(branch(&[0xc0, 0x03]), Other);
    }
}
