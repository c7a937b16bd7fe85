//! s390x's signal frames: `rt_sigframe`, and `sigframe` of handlers without `SA_SIGINFO` (Linux
//! `arch/s390/kernel/signal.c`), with `_sigregs` and `_sigregs_ext`
//! (`arch/s390/include/uapi/asm/sigcontext.h`), of a processor with vector registers.

use super::frame::{FrameBytes, Saved};
use super::layout::{Entry, Layout, Placed, Restorer, SignalAbi};
use crate::registers::Register;
use crate::signals::Cause;

/// Offsets in `rt_sigframe`, after 160 bytes for the handler's callees and room for an instruction.
const INFO: u64 = 168;
const CONTEXT: u64 = INFO + 128;
const RICH: [Saved; 99] = registers(CONTEXT + 40, CONTEXT + 512);
const RICH_SIZE: u64 = CONTEXT + 1024;
/// Offsets in `sigframe`: `struct sigcontext`, the registers, the signal's number, more registers,
/// room for an instruction.
const OLD: u64 = 160;
const PLAIN: [Saved; 99] = registers(OLD + 16, OLD + 368);
const PLAIN_SIZE: u64 = OLD + 368 + 512 + 8;

/// `PSW_USER_BITS`, and the bits that a program may set: condition code and program mask.
const PSW: u64 = 0x0705_0001_8000_0000;
const PSW_FREE: u64 = 0x0000_3f00_0000_0000;

pub(crate) static SIGNALS: SignalAbi = SignalAbi {
    rich: Layout {
        size: RICH_SIZE,
        info: Some(INFO),
        stack: Some(CONTEXT + 16),
        mask: CONTEXT + 384,
        registers: &RICH,
        apart: None,
        is_plain: false,
    },
    plain: Some(Layout {
        size: PLAIN_SIZE,
        info: None,
        stack: None,
        mask: OLD,
        registers: &PLAIN,
        apart: None,
        is_plain: true,
    }),
    place: |sp, size| Placed { base: sp.wrapping_sub(size) & !7, apart: 0 },
    fill,
    enter,
    frame_at_return: |sp| sp,
    // Code of the vDSO (`arch/s390/kernel/vdso64/vdso_user_wrapper.S`): svc 173 and svc 119, with
    // room before each. Its CFI does not describe the frame.
    restorer: Some(Restorer { code: &CODE, rich: 16, plain: 32 }),
    least_stack: 2048,
};

const CODE: [u8; 48] = {
    let mut code = [0; 48];
    (code[16], code[17]) = (0x0a, 173);
    (code[32], code[33]) = (0x0a, 119);
    code
};

/// The registers of `_sigregs` and `_sigregs_ext`: PSW, general, access and floating-point
/// registers; the rest of the vector registers.
const fn registers(at: u64, more: u64) -> [Saved; 99] {
    let mut all = [Saved { mask: PSW_FREE, fixed: PSW, ..Saved::word(at, Register::Flags) }; 99];
    all[1] = Saved::word(at + 8, Register::Pc);
    all[2] = Saved::new(at + 208, Register::FloatControl, 4);
    let mut index = 0;
    while index < 16 {
        let (nth, number) = (index as u64, index as u8);
        all[3 + index] = Saved::word(at + 16 + 8 * nth, Register::General(number));
        all[19 + index] = Saved::new(at + 144 + 4 * nth, Register::Access(number), 4);
        all[35 + index] = Saved::word(at + 216 + 8 * nth, Register::VectorHigh(number));
        // The lower halves of the first sixteen vector registers, then the others in full.
        all[51 + index] = Saved::word(more + 8 * nth, Register::VectorLow(number));
        all[67 + 2 * index] = Saved::word(more + 128 + 16 * nth, Register::VectorHigh(16 + number));
        all[68 + 2 * index] = Saved::word(more + 136 + 16 * nth, Register::VectorLow(16 + number));
        index += 1;
    }
    all
}

fn fill(frame: &mut FrameBytes, entry: &Entry<'_>) {
    // The back chain.
    frame.word(0, entry.interrupted.sp);
    if entry.layout.is_plain {
        frame.word(OLD + 8, entry.placed.base + OLD + 16);
        frame.half(OLD + 360, entry.interrupted.first as u32);
    } else {
        // UC_VXRS.
        frame.word(CONTEXT, 2);
    }
}

fn enter(entry: &Entry<'_>) -> Vec<(Register, u64)> {
    let (base, signal) = (entry.placed.base, entry.delivery.signal);
    let mut registers =
        vec![(Register::General(2), signal), (Register::General(14), entry.restorer), (Register::General(15), base)];
    match (entry.layout.is_plain, entry.delivery.cause) {
        (false, _) => {
            registers.extend([
                (Register::General(3), base + INFO),
                (Register::General(4), base + CONTEXT),
                (Register::General(5), 0),
            ]);
        }
        (true, Cause::Fault { vector, address, .. }) => {
            registers.extend([
                (Register::General(4), vector),
                (Register::General(5), address),
                (Register::General(6), 0),
            ]);
        }
        (true, _) => {}
    }
    registers
}
