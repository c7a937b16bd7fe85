//! AMD64's signal frame: `struct rt_sigframe` (Linux `arch/x86/include/asm/sigframe.h`), with `struct ucontext`, `struct sigcontext` and the FXSAVE
//! image (`arch/x86/include/uapi/asm/sigcontext.h`; Intel SDM volume 1, table 10-2), as `arch/x86/kernel/signal_64.c` lays it out for a processor without XSAVE.

use unicorn_engine::RegisterX86 as R;

use super::frame::FrameBytes;
use super::{Apart, Entry, Layout, Placed, Saved, SignalAbi};
use crate::kernel::Cause;

/// Bytes of an FXSAVE image.
pub(crate) const FXSAVE: u64 = 512;

/// From the frame's first byte, the word that the handler returns to: `uc`, and in it `uc_mcontext`.
const CONTEXT: u64 = 8;
const MACHINE: u64 = CONTEXT + 40;
const MASK: u64 = MACHINE + 256;
const INFO: u64 = MASK + 8;
const SIZE: u64 = INFO + 128;

/// Flags that a program may set (`FIX_EFLAGS`).
const FLAGS: u64 = 0x0005_0dd5;
/// Resume, trap and direction flag: clear in a handler.
const CLEARED: u64 = 0x1_0000 | 0x100 | 0x400;

pub(crate) static SIGNALS: SignalAbi = SignalAbi {
    rich: Layout {
        size: SIZE,
        info: Some(INFO),
        stack: Some(CONTEXT + 16),
        mask: MASK,
        registers: &REGISTERS,
        apart: Some(Apart { pointer: MACHINE + 184, registers: &STATE }),
        is_plain: false,
    },
    plain: None,
    place,
    red_zone: 128,
    fill,
    enter,
    // The return popped the word.
    frame_at_return: |sp| sp.wrapping_sub(8),
    // Without SA_RESTORER the kernel ends the program.
    restorer: None,
    least_stack: 2048,
};

const REGISTERS: [Saved; 18] = {
    const fn at(index: u64, register: R) -> Saved {
        Saved::word(MACHINE + 8 * index, register as i32)
    }
    [
        at(0, R::R8),
        at(1, R::R9),
        at(2, R::R10),
        at(3, R::R11),
        at(4, R::R12),
        at(5, R::R13),
        at(6, R::R14),
        at(7, R::R15),
        at(8, R::RDI),
        at(9, R::RSI),
        at(10, R::RBP),
        at(11, R::RBX),
        at(12, R::RDX),
        at(13, R::RAX),
        at(14, R::RCX),
        at(15, R::RSP),
        at(16, R::RIP),
        Saved { mask: FLAGS, fixed: 0x202, ..at(17, R::RFLAGS) },
    ]
};

const STATE: [Saved; 27] = {
    let mut all = [Saved::of(0, R::FPCW as i32, 2); 27];
    all[1] = Saved::of(2, R::FPSW as i32, 2);
    all[2] = Saved::of(24, R::MXCSR as i32, 4);
    let mut index = 0;
    while index < 8 {
        all[3 + index] = Saved::of(32 + 16 * index as u64, R::ST0 as i32 + index as i32, 10);
        index += 1;
    }
    let mut index = 0;
    while index < 16 {
        all[11 + index] = Saved::of(160 + 16 * index as u64, R::XMM0 as i32 + index as i32, 16);
        index += 1;
    }
    all
};

/// The floating point state at a multiple of 64, the frame so that a handler finds SP as a call leaves it.
fn place(sp: u64, size: u64) -> Placed {
    let apart = sp.wrapping_sub(FXSAVE) & !63;
    Placed { base: (apart.wrapping_sub(size) & !15).wrapping_sub(8), apart }
}

fn fill(frame: &mut FrameBytes, entry: &Entry<'_>) {
    // UC_SIGCONTEXT_SS and UC_STRICT_RESTORE_SS; segments of 64-bit user code (Linux `arch/x86/include/asm/segment.h`).
    frame.word(CONTEXT, 6);
    frame.word(0, entry.restorer);
    frame.word(MACHINE + 144, 0x002b_0000_0000_0033);
    if let Cause::Fault { vector, error, address, .. } = entry.delivery.cause {
        frame.word(MACHINE + 152, error);
        frame.word(MACHINE + 160, vector);
        frame.word(MACHINE + 176, address);
    }
}

fn enter(entry: &Entry<'_>) -> Vec<(i32, u64)> {
    let base = entry.placed.base;
    vec![
        (R::RDI as i32, entry.delivery.signal),
        (R::RSI as i32, base + INFO),
        (R::RDX as i32, base + CONTEXT),
        (R::RAX as i32, 0),
        (R::RSP as i32, base),
        (R::RFLAGS as i32, entry.engine.read(R::RFLAGS as i32) & !CLEARED),
    ]
}
