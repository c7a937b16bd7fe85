//! AMD64's signal frame: `struct rt_sigframe` (Linux `arch/x86/include/asm/sigframe.h`), with
//! `struct ucontext`, `struct sigcontext` and the FXSAVE image
//! (`arch/x86/include/uapi/asm/sigcontext.h`; Intel SDM volume 1, table 10-2), as
//! `arch/x86/kernel/signal_64.c` lays it out for a processor without XSAVE, or with AVX: then the
//! image is an XSAVE area (`arch/x86/kernel/fpu/signal.c`).

use super::frame::{FrameBytes, Saved};
use super::layout::{Apart, Entry, Layout, Placed, SignalAbi};
use crate::registers::Register;
use crate::signals::Cause;

/// Size in bytes of an FXSAVE image.
const FXSAVE: u64 = 512;
/// Offset of the AVX component of an XSAVE area, and the area's size with the mark after it.
const AVX: u64 = 576;
const XSAVE: u64 = 832;
const MARKED: u64 = XSAVE + 4;
/// `FP_XSTATE_MAGIC1` and `FP_XSTATE_MAGIC2`, and the offset of `struct _fpx_sw_bytes`.
const MARKS: [u32; 2] = [0x4650_5853, 0x4650_5845];
const SOFTWARE: u64 = 464;
/// `XFEATURE_MASK`: x87, SSE, AVX.
const COMPONENTS: u64 = 7;
/// `UC_FP_XSTATE`: the state is an XSAVE area.
const FP_XSTATE: u64 = 1;

/// Offsets from the frame's first byte, that of the handler's return address: `uc`, and in it
/// `uc_mcontext`.
const CONTEXT: u64 = 8;
const MACHINE: u64 = CONTEXT + 40;
const MASK: u64 = MACHINE + 256;
const INFO: u64 = MASK + 8;
const SIZE: u64 = INFO + 128;

/// Flags that a program may set (`FIX_EFLAGS`).
const FLAGS: u64 = 0x0005_0dd5;
/// Resume, trap and direction flag: clear in a handler.
const CLEARED: u64 = 0x1_0000 | 0x100 | 0x400;

pub(crate) static SIGNALS: SignalAbi = signals(
    Apart { pointer: MACHINE + 184, size: FXSAVE, registers: &STATE, mark: |_| {} },
    |sp, size| place(sp, size, FXSAVE),
    |frame, entry| fill(frame, entry, 0),
);

/// Signals of a processor with AVX.
pub(crate) static WIDE_SIGNALS: SignalAbi = signals(
    Apart { pointer: MACHINE + 184, size: MARKED, registers: &WIDE_STATE, mark },
    |sp, size| place(sp, size, MARKED),
    |frame, entry| fill(frame, entry, FP_XSTATE),
);

const fn signals(apart: Apart, place: fn(u64, u64) -> Placed, fill: fn(&mut FrameBytes, &Entry<'_>)) -> SignalAbi {
    SignalAbi {
        rich: Layout {
            size: SIZE,
            info: Some(INFO),
            stack: Some(CONTEXT + 16),
            mask: MASK,
            registers: &REGISTERS,
            apart: Some(apart),
            is_plain: false,
        },
        plain: None,
        place,
        fill,
        enter,
        // The return instruction popped the return address.
        frame_at_return: |sp| sp.wrapping_sub(8),
        // Without SA_RESTORER the kernel ends the program.
        restorer: None,
        least_stack: 2048,
    }
}

/// DWARF numbers of the general registers in the order of `sigcontext`: r8 to r15, rdi, rsi, rbp,
/// rbx, rdx, rax, rcx, rsp.
const ORDER: [u8; 16] = [8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, 7];

const REGISTERS: [Saved; 18] = {
    let mut all = [Saved::word(MACHINE + 8 * 16, Register::Pc); 18];
    let mut index = 0;
    while index < ORDER.len() {
        all[index] = Saved::word(MACHINE + 8 * index as u64, Register::General(ORDER[index]));
        index += 1;
    }
    all[17] = Saved { mask: FLAGS, fixed: 0x202, ..Saved::word(MACHINE + 8 * 17, Register::Flags) };
    all
};

const STATE: [Saved; 27] = {
    let mut all = [Saved::new(0, Register::FloatControl, 2); 27];
    all[1] = Saved::new(2, Register::FloatStatus, 2);
    all[2] = Saved::new(24, Register::VectorControl, 4);
    let mut index = 0;
    while index < 8 {
        all[3 + index] = Saved::new(32 + 16 * index as u64, Register::X87(index as u8), 10);
        index += 1;
    }
    let mut index = 0;
    while index < 16 {
        all[11 + index] = Saved::new(160 + 16 * index as u64, Register::Vector(index as u8), 16);
        index += 1;
    }
    all
};

const WIDE_STATE: [Saved; 43] = {
    let mut all = [STATE[0]; 43];
    let mut index = 0;
    while index < STATE.len() {
        all[index] = STATE[index];
        index += 1;
    }
    let mut index = 0;
    while index < 16 {
        all[27 + index] = Saved::new(AVX + 16 * index as u64, Register::VectorUpper(index as u8), 16);
        index += 1;
    }
    all
};

/// Marks an XSAVE area: its components, and that it is one.
fn mark(state: &mut FrameBytes) {
    state.half(SOFTWARE, MARKS[0]);
    state.half(SOFTWARE + 4, MARKED as u32);
    state.word(SOFTWARE + 8, COMPONENTS);
    state.half(SOFTWARE + 16, XSAVE as u32);
    state.word(FXSAVE, COMPONENTS);
    state.half(XSAVE, MARKS[1]);
}

/// The floating-point state is 64-byte aligned; the frame is placed so that a handler finds SP as
/// after a call.
fn place(sp: u64, size: u64, of_state: u64) -> Placed {
    let apart = sp.wrapping_sub(of_state) & !63;
    Placed { base: (apart.wrapping_sub(size) & !15).wrapping_sub(8), apart }
}

/// `extended` is a flag of `uc_flags`.
fn fill(frame: &mut FrameBytes, entry: &Entry<'_>, extended: u64) {
    // UC_SIGCONTEXT_SS and UC_STRICT_RESTORE_SS; segments of 64-bit user code (Linux
    // `arch/x86/include/asm/segment.h`).
    frame.word(CONTEXT, 6 | extended);
    frame.word(0, entry.restorer);
    frame.word(MACHINE + 144, 0x002b_0000_0000_0033);
    if let Cause::Fault { vector, error, address, .. } = entry.delivery.cause {
        frame.word(MACHINE + 152, error);
        frame.word(MACHINE + 160, vector);
        frame.word(MACHINE + 176, address);
    }
}

fn enter(entry: &Entry<'_>) -> Vec<(Register, u64)> {
    let base = entry.placed.base;
    // rdi, rsi, rdx, rax, rsp.
    vec![
        (Register::General(5), entry.delivery.signal),
        (Register::General(4), base + INFO),
        (Register::General(1), base + CONTEXT),
        (Register::General(0), 0),
        (Register::General(7), base),
        (Register::Flags, entry.registers.read(Register::Flags) & !CLEARED),
    ]
}
