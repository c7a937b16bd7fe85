//! AArch64's signal frame: `struct rt_sigframe` and the frame record above it (Linux
//! `arch/arm64/kernel/signal.c`), with `struct sigcontext` and `struct fpsimd_context`
//! (`arch/arm64/include/uapi/asm/sigcontext.h`).

use super::frame::{FrameBytes, Saved};
use super::layout::{Entry, Layout, Placed, Restorer, SignalAbi};
use crate::registers::Register;
use crate::signals::Cause;

/// Offsets from the frame's first byte, which is that of `siginfo_t`.
const CONTEXT: u64 = 128;
const MACHINE: u64 = CONTEXT + 176;
const STATE: u64 = MACHINE + 288;
const SIZE: u64 = STATE + 4096;
/// `FPSIMD_MAGIC`, and the size of the record in bytes.
const STATE_MAGIC: u32 = 0x4650_8001;
const STATE_SIZE: u32 = 528;
/// Condition flags.
const FLAGS: u64 = 0xf000_0000;
/// `SA_SIGINFO`.
const WITH_INFO: u64 = 4;

pub(crate) static SIGNALS: SignalAbi = SignalAbi {
    rich: Layout {
        size: SIZE,
        info: Some(0),
        stack: Some(CONTEXT + 16),
        mask: CONTEXT + 40,
        registers: &REGISTERS,
        apart: None,
        is_plain: false,
    },
    plain: None,
    place,
    fill,
    enter,
    frame_at_return: |sp| sp,
    // `__kernel_rt_sigreturn` of the vDSO (`arch/arm64/kernel/vdso/sigreturn.S`): nop; mov x8,
    // #139; svc #0. It has no CFI.
    restorer: Some(Restorer {
        code: &[0x1f, 0x20, 0x03, 0xd5, 0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4],
        rich: 4,
        plain: 4,
    }),
    least_stack: 5120,
};

/// The number of SP, after x0 to x30.
const SP: u8 = 31;

const REGISTERS: [Saved; 68] = {
    let mut all = [Saved::word(MACHINE + 264, Register::Pc); 68];
    let mut index = 0;
    while index <= SP {
        all[index as usize] = Saved::word(MACHINE + 8 + 8 * index as u64, Register::General(index));
        index += 1;
    }
    all[33] = Saved { mask: FLAGS, ..Saved::word(MACHINE + 272, Register::Flags) };
    all[34] = Saved::new(STATE + 8, Register::FloatStatus, 4);
    all[35] = Saved::new(STATE + 12, Register::FloatControl, 4);
    let mut index = 0;
    while index < 32 {
        all[36 + index] = Saved::new(STATE + 16 + 16 * index as u64, Register::Vector(index as u8), 16);
        index += 1;
    }
    all
};

fn place(sp: u64, size: u64) -> Placed {
    let record = sp.wrapping_sub(16) & !15;
    Placed { base: record.wrapping_sub(size) & !15, apart: record }
}

fn fill(frame: &mut FrameBytes, entry: &Entry<'_>) {
    frame.half(STATE, STATE_MAGIC);
    frame.half(STATE + 4, STATE_SIZE);
    if let Cause::Fault { address, .. } = entry.delivery.cause {
        frame.word(MACHINE, address);
    }
}

fn enter(entry: &Entry<'_>) -> Vec<(Register, u64)> {
    let base = entry.placed.base;
    let mut registers = vec![
        (Register::General(0), entry.delivery.signal),
        (Register::General(SP), base),
        (Register::General(29), entry.placed.apart),
        (Register::General(30), entry.restorer),
    ];
    if entry.delivery.action.flags & WITH_INFO != 0 {
        registers.extend([(Register::General(1), base), (Register::General(2), base + CONTEXT)]);
    }
    registers
}
