//! s390x: encodings (z/Architecture Principles of Operation) and frames (s390x ELF ABI 1.6, 1.2).

use model::{Abi, Reg, ValueRule};

use super::Frame;
use super::code::{Changed, Code, Label};
use super::machine::{Counter, Fitted, Input, Is, Layout, Machine};
use crate::code::{FrameState, Transfer};

pub(super) struct S390x;

const R11: Reg = Reg(11);
const R15: Reg = Reg(15);
/// Callee-saved registers besides r11, r14 and r15. The first counts loops.
const SAVED: [u8; 6] = [10, 9, 8, 7, 6, 13];
/// The caller's register save area; the CFA lies behind it.
const SAVE_AREA: i64 = 160;
const LINK: u8 = 14;
const FP: u8 = 11;

const BR_R14: [u8; 2] = [0x07, 0xfe];
const LGR_R15_TO_R11: [u8; 4] = [0xb9, 0x04, 0x00, 0xbf];
const LGR_R11_TO_R15: [u8; 4] = [0xb9, 0x04, 0x00, 0xfb];
/// nopr %r7; lghi %r0,0x123; aghi %r0,8; la %r4,1(%r4); lgr %r0,%r4
const WORK: [&[u8]; 5] = [
    &[0x07, 0x07],
    &[0xa7, 0x09, 0x01, 0x23],
    &[0xa7, 0x0b, 0x00, 0x08],
    &[0x41, 0x40, 0x40, 0x01],
    &[0xb9, 0x04, 0x00, 0x04],
];
/// brcl 0: never taken.
const LONG_NOP: [u8; 6] = [0xc0, 0x04, 0, 0, 0, 0];

/// A 32-bit count of halfwords at the end of an instruction, from its first byte.
fn direct(instruction: &mut [u8], distance: i32) {
    let at = instruction.len() - 4;
    instruction[at..].copy_from_slice(&(distance >> 1).to_be_bytes());
}

fn entry() -> FrameState {
    FrameState::at_entry(Abi::S390x)
}

/// lghi
fn load_immediate(register: u8, value: i16) -> [u8; 4] {
    let [high, low] = value.to_be_bytes();
    [0xa7, register << 4 | 0x09, high, low]
}

/// A long-displacement instruction with one or two registers and a 20-bit displacement.
fn storage(opcode: [u8; 2], first: u8, second: u8, displacement: i64, base: u8) -> [u8; 6] {
    let [.., high, middle, low] = (displacement as i32).to_be_bytes();
    [opcode[0], first << 4 | second, base << 4 | (middle & 0x0f), low, high << 4 | middle >> 4, opcode[1]]
}

const STG: [u8; 2] = [0xe3, 0x24];
const LG: [u8; 2] = [0xe3, 0x04];
const STMG: [u8; 2] = [0xeb, 0x24];
const LMG: [u8; 2] = [0xeb, 0x04];

/// aghi or agfi on r15.
fn move_r15(bytes: i64) -> Vec<u8> {
    match i16::try_from(bytes) {
        Ok(short) => {
            let [high, low] = short.to_be_bytes();
            vec![0xa7, 0xfb, high, low]
        }
        Err(_) => [&[0xc2, 0xf8][..], &(bytes as i32).to_be_bytes()].concat(),
    }
}

/// Where and in what order registers are saved.
struct Slots {
    /// Bytes that SP moves.
    size: i64,
    /// Registers in the order saved, each with the distance of its slot from the CFA.
    registers: Vec<(u8, i64)>,
    how: How,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// All from the first to r15, by one instruction, in the caller's save area.
    Multiple,
    /// One by one in the caller's save area.
    Single,
    /// One by one in the function's own frame.
    Own,
}

impl Slots {
    fn new(frame: &Frame, layout: &Layout) -> Self {
        let mut registers: Vec<u8> = Vec::new();
        let saves = frame.saves.iter().map(|save| SAVED[usize::from(*save) % SAVED.len()]);
        for save in saves.chain(layout.counter.then_some(SAVED[0])) {
            if !registers.contains(&save) {
                registers.push(save);
            }
        }
        let before = usize::from(frame.before).min(registers.len());
        if frame.frame_pointer || frame.reuses_fp {
            registers.insert(before, FP);
        }
        if layout.calls {
            registers.insert(usize::from(frame.before / 2).min(registers.len()), LINK);
        }
        let how = match frame.variant % 3 {
            0 => How::Multiple,
            1 => How::Single,
            _ => How::Own,
        };
        let own = if how == How::Own { 8 * registers.len() as i64 } else { 0 };
        let needed = i64::from(frame.locals) + own;
        let called = layout.calls || frame.frame_pointer || needed > 0;
        let size = if called { SAVE_AREA + needed } else { 0 };
        let registers = registers
            .iter()
            .enumerate()
            .map(|(index, register)| match how {
                How::Multiple | How::Single => (*register, 8 * i64::from(*register) - SAVE_AREA),
                How::Own => (*register, -SAVE_AREA - 8 * (index as i64 + 1)),
            })
            .collect();
        Slots { size, registers, how }
    }

    /// The first register of the multiple store.
    fn first(&self) -> u8 {
        self.registers.iter().map(|(register, _)| *register).min().unwrap_or(LINK)
    }
}

fn saved(state: FrameState, register: u8, slot: i64) -> FrameState {
    match register {
        FP => state.fp_at(slot),
        LINK => state.ra_at(slot),
        _ => state,
    }
}

fn restored(state: FrameState, register: u8) -> FrameState {
    match register {
        FP => state.fp_back(),
        LINK => state.ra_back(),
        _ => state,
    }
}

fn enter_frame(code: &mut Code, frame: &Frame, layout: &Layout) {
    let slots = Slots::new(frame, layout);
    let lower = |code: &mut Code| {
        if slots.size > 0 {
            code.push_to(move_r15(-slots.size), code.state.cfa(R15, SAVE_AREA + slots.size));
        }
    };
    match slots.how {
        How::Multiple => {
            let first = slots.first();
            let mut state = code.state.ra_at(8 * i64::from(LINK) - SAVE_AREA);
            if first <= FP {
                state = state.fp_at(8 * i64::from(FP) - SAVE_AREA);
            }
            code.push_to(storage(STMG, first, 15, 8 * i64::from(first), 15), state);
            lower(code);
        }
        How::Single | How::Own => {
            if slots.how == How::Own {
                lower(code);
            }
            let base = if slots.how == How::Own { slots.size } else { 0 };
            for (register, slot) in &slots.registers {
                let state = saved(code.state, *register, *slot);
                code.push_to(storage(STG, *register, 0, slot + SAVE_AREA + base, 15), state);
            }
            if slots.how == How::Single {
                lower(code);
            }
        }
    }
    if frame.frame_pointer {
        code.push_to(LGR_R15_TO_R11, code.state.cfa(R11, SAVE_AREA + slots.size));
        if frame.dynamic > 0 {
            // lghi %r1,dynamic; sgr %r15,%r1
            code.push(load_immediate(1, (frame.dynamic & 0x7ff8) as i16));
            code.push([0xb9, 0x09, 0x00, 0xf1]);
        }
    }
    for (register, _) in &slots.registers {
        let reused = *register == FP && !frame.frame_pointer;
        if reused || !matches!(*register, FP | LINK) {
            code.push(load_immediate(*register, 1));
        }
    }
}

fn leave_frame(code: &mut Code, frame: &Frame, layout: &Layout) {
    let slots = Slots::new(frame, layout);
    if slots.how == How::Multiple {
        // lmg: r15 comes back with the rest.
        let base = if frame.frame_pointer { FP } else { 15 };
        let first = slots.first();
        code.push_to(storage(LMG, first, 15, slots.size + 8 * i64::from(first), base), entry());
        return;
    }
    if frame.frame_pointer {
        if frame.dynamic > 0 {
            code.push(LGR_R11_TO_R15);
        }
        // r15 is where r11 is: from here on the CFA counts from it, since r11 comes back first.
        code.state = code.state.cfa(R15, SAVE_AREA + slots.size);
    }
    for (register, slot) in slots.registers.iter().rev() {
        let state = restored(code.state, *register);
        code.push_to(storage(LG, *register, 0, slot + SAVE_AREA + slots.size, 15), state);
    }
    if slots.size > 0 {
        code.push_to(move_r15(slots.size), code.state.cfa(R15, SAVE_AREA));
    }
}

/// The DWARF numbers of %f0 and %f2 (s390x ELF ABI 1.6, table 1.17).
const F0: Reg = Reg(16);
const F2: Reg = Reg(17);

fn enter_registers(code: &mut Code) {
    let kept = |reg| ValueRule::Register { reg, offset: 0 };
    // ldgr %f0,%r14; ldgr %f2,%r11; and both hold something else
    code.push_to([0xb3, 0xc1, 0x00, 0x0e], FrameState { ra: kept(F0), ..code.state });
    code.push_to([0xb3, 0xc1, 0x00, 0x2b], FrameState { fp: kept(F2), ..code.state });
    code.push(load_immediate(LINK, 1));
    code.push(load_immediate(FP, 1));
}

fn leave_registers(code: &mut Code) {
    // lgdr %r11,%f2; lgdr %r14,%f0
    code.push_to([0xb3, 0xcd, 0x00, 0xb2], code.state.fp_back());
    code.push_to([0xb3, 0xcd, 0x00, 0xe0], code.state.ra_back());
}

impl Machine for S390x {
    fn work(&self, code: &mut Code, count: u8) {
        for index in 0..usize::from(count) {
            code.push(WORK[(index + usize::from(count)) % WORK.len()]);
        }
    }

    fn skipped(&self, code: &mut Code, bytes: u32) {
        for _ in 0..bytes.div_ceil(LONG_NOP.len() as u32) {
            code.push(LONG_NOP);
        }
    }

    fn set(&self, code: &mut Code, input: Input, value: u8) {
        let register = if input == Input::Recursion { 2 } else { 3 };
        code.push(load_immediate(register, i16::from(value)));
    }

    fn bound_recursion(&self, code: &mut Code) {
        // nilf %r2,3 leaves the upper half; llgfr %r2,%r2 clears it.
        code.push([0xc0, 0x2b, 0, 0, 0, 3]);
        code.push([0xb9, 0x16, 0x00, 0x22]);
    }

    fn decrement_recursion(&self, code: &mut Code) {
        // aghi %r2,-1
        code.push([0xa7, 0x2b, 0xff, 0xff]);
    }

    fn branch_if(&self, code: &mut Code, input: Input, is: Is, label: Label) {
        // ltgr; brcl on condition code 0 (mask 8) or 1 and 2 (mask 7)
        let register = if input == Input::Recursion { 2 } else { 3 };
        code.push([0xb9, 0x02, 0x00, register << 4 | register]);
        let mask: u8 = if is == Is::Zero { 0x84 } else { 0x74 };
        code.branch([0xc0, mask, 0, 0, 0, 0], label, direct);
    }

    fn jump(&self, code: &mut Code, label: Label) {
        code.branch([0xc0, 0xf4, 0, 0, 0, 0], label, direct);
    }

    fn call(&self, code: &mut Code, callee: &str, into: u32) {
        code.transfer([0xc0, 0xe5, 0, 0, 0, 0], callee, into, Transfer::Call);
    }

    fn jump_out(&self, code: &mut Code, callee: &str, into: u32) {
        code.transfer([0xc0, 0xf4, 0, 0, 0, 0], callee, into, Transfer::Jump);
    }

    fn start_loop(&self, code: &mut Code, counter: Counter, times: u8) {
        let register = if counter == Counter::Scratch { 1 } else { SAVED[0] };
        code.push(load_immediate(register, i16::from(times)));
    }

    fn end_loop(&self, code: &mut Code, counter: Counter, label: Label) {
        // aghi %rN,-1; brcl on not zero
        let register = if counter == Counter::Scratch { 1 } else { SAVED[0] };
        code.push([0xa7, register << 4 | 0x0b, 0xff, 0xff]);
        code.branch([0xc0, 0x74, 0, 0, 0, 0], label, direct);
    }

    fn enter(&self, code: &mut Code, layout: &Layout) {
        match &layout.shape {
            Fitted::Framed(frame) => enter_frame(code, frame, layout),
            Fitted::Registers => enter_registers(code),
            Fitted::Bare | Fitted::RedZone | Fitted::Realigned(_) => {}
        }
    }

    fn leave(&self, code: &mut Code, layout: &Layout) {
        match &layout.shape {
            Fitted::Framed(frame) => leave_frame(code, frame, layout),
            Fitted::Registers => leave_registers(code),
            Fitted::Bare | Fitted::RedZone | Fitted::Realigned(_) => {}
        }
    }

    fn ret(&self, code: &mut Code, _: &Layout) {
        code.push(BR_R14);
    }

    fn begin(&self, code: &mut Code) {
        // Room for what callees save.
        code.push_to(move_r15(-SAVE_AREA), code.state.cfa(R15, 2 * SAVE_AREA));
    }

    fn exit(&self, code: &mut Code) {
        // lghi %r2,0; svc 1 (Linux's number of exit)
        code.push(load_immediate(2, 0));
        code.push([0x0a, 0x01]);
    }

    fn stub(&self, code: &mut Code, callee: &str) {
        // aghi %r15,-8; aghi %r15,8; jg; nopr
        code.push_to(move_r15(-8), entry().cfa(R15, SAVE_AREA + 8));
        code.push_to(move_r15(8), entry());
        self.jump_out(code, callee, 0);
        code.push([0x07, 0x07]);
    }

    fn stub_size(&self) -> u8 {
        16
    }
}
