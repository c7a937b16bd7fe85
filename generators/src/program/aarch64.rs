//! AArch64 of both byte orders: encodings (Arm ARM, C6.2) and frames (AAPCS64 6.2).

use model::{Abi, CfaRule, PacKey, Reg};

use super::Frame;
use super::code::{Changed, Code, Label};
use super::machine::{Counter, Fitted, Input, Is, Layout, Machine};
use crate::code::{FrameState, Transfer};

pub(super) static LITTLE: Aarch64 = Aarch64 { abi: Abi::Aarch64 };
pub(super) static BIG: Aarch64 = Aarch64 { abi: Abi::Aarch64Be };

pub(super) struct Aarch64 {
    abi: Abi,
}

const X29: Reg = Reg(29);
const SP: Reg = Reg(31);
/// The first of the callee-saved registers x19 to x28, which are saved by pairs. x19 counts loops.
const FIRST_SAVED: u32 = 19;
const PAIRS: usize = 4;

const RET: u32 = 0xd65f_03c0;
const MOV_SP_TO_X29: u32 = 0x9100_03fd;
const MOV_X29_TO_SP: u32 = 0x9100_03bf;
const PACIASP: u32 = 0xd503_233f;
const AUTIASP: u32 = 0xd503_23bf;
const PACIBSP: u32 = 0xd503_237f;
const AUTIBSP: u32 = 0xd503_23ff;
/// movz x29,#0x1234
const REUSE_X29: u32 = 0xd282_469d;
/// nop; movz x9,#0x1234; add x9,x9,#1; eor x10,x10,x10; and x12,x9,x10
const WORK: [u32; 5] = [0xd503_201f, 0xd282_4689, 0x9100_0529, 0xca0a_014a, 0x8a0a_012c];

/// b: a 26-bit count of words.
fn direct_b(instruction: &mut [u8], distance: i32) {
    patch(instruction, (distance as u32 >> 2) & 0x03ff_ffff);
}

/// cbz and cbnz: a 19-bit count of words.
fn direct_cb(instruction: &mut [u8], distance: i32) {
    patch(instruction, ((distance as u32 >> 2) & 0x7_ffff) << 5);
}

fn patch(instruction: &mut [u8], bits: u32) {
    for (byte, bits) in instruction.iter_mut().zip(bits.to_le_bytes()) {
        *byte |= bits;
    }
}

/// Instructions are little-endian in both byte orders (Arm ARM, B2.6.2).
fn push(code: &mut Code, word: u32) {
    code.push(word.to_le_bytes());
}

fn push_to(code: &mut Code, word: u32, state: FrameState) {
    code.push_to(word.to_le_bytes(), state);
}

/// stp and ldp of registers with a 7-bit count of 8-byte words, by opcode.
fn pair(opcode: u32, [first, second]: [u32; 2], offset: i32) -> u32 {
    opcode | ((offset / 8) as u32 & 0x7f) << 15 | second << 10 | 31 << 5 | first
}

const STP: u32 = 0xa900_0000;
const STP_PRE: u32 = 0xa980_0000;
const LDP: u32 = 0xa940_0000;
const LDP_POST: u32 = 0xa8c0_0000;
/// x29 and x30: the frame record (AAPCS64 6.2.3).
const RECORD: [u32; 2] = [29, 30];
/// str x30,[sp,#-16]! and ldr x30,[sp],#16
const PUSH_X30: u32 = 0xf81f_0ffe;
const POP_X30: u32 = 0xf841_07fe;

/// Adds to SP or subtracts from it, in pieces of 12 bits (the upper ones first), with the CFA where it counts from SP.
fn move_sp(code: &mut Code, bytes: u32, down: bool) {
    let opcode = if down { 0xd100_0000 } else { 0x9100_0000 };
    for (shift, piece) in [(1 << 22, bytes >> 12), (0, bytes & 0xfff)] {
        if piece > 0 {
            let moved = i64::from(if shift > 0 { piece << 12 } else { piece });
            let state = cfa_by(code.state, if down { moved } else { -moved });
            push_to(code, opcode | shift | piece << 10 | 31 << 5 | 31, state);
        }
    }
}

fn cfa_by(state: FrameState, bytes: i64) -> FrameState {
    match state.cfa {
        CfaRule::Register { reg, offset } if reg == SP => state.cfa(SP, offset + bytes),
        _ => state,
    }
}

/// What a frame saves, in the order of pushes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    /// x29 and x30.
    Record,
    /// x30 alone.
    Link,
    /// A pair of callee-saved registers.
    Pair(usize),
}

impl Aarch64 {
    fn entry(&self) -> FrameState {
        FrameState::at_entry(self.abi)
    }

    fn items(&self, frame: &Frame, layout: &Layout) -> Vec<Item> {
        let mut pairs: Vec<usize> = Vec::new();
        for save in frame.saves.iter().map(|save| usize::from(*save) % PAIRS).chain(layout.counter.then_some(0)) {
            if !pairs.contains(&save) {
                pairs.push(save);
            }
        }
        let mut items: Vec<Item> = pairs.into_iter().map(Item::Pair).collect();
        let record = match (frame.frame_pointer || frame.reuses_fp, layout.calls) {
            (true, _) => Some(Item::Record),
            (false, true) => Some(Item::Link),
            (false, false) => None,
        };
        let before = usize::from(frame.before).min(items.len());
        items.splice(before..before, record);
        items
    }

    fn enter_frame(&self, code: &mut Code, frame: &Frame, layout: &Layout) {
        let items = self.items(frame, layout);
        if single(frame) {
            let all = single_size(&items, frame);
            let state = cfa_by(code.state, i64::from(all)).ra_at(8 - i64::from(all)).fp_at(-i64::from(all));
            push_to(code, pair(STP_PRE, RECORD, -(all as i32)), state);
            self.set_fp(code, frame, i64::from(all));
            for (index, registers) in pairs(&items).enumerate() {
                push(code, pair(STP, registers, 16 + 16 * index as i32));
            }
        } else {
            for (index, item) in items.iter().enumerate() {
                let depth = 16 * (index as i64 + 1);
                let state = cfa_by(code.state, 16);
                match item {
                    Item::Record => {
                        let state = state.ra_at(8 - depth).fp_at(-depth);
                        push_to(code, pair(STP_PRE, RECORD, -16), state);
                        self.set_fp(code, frame, depth);
                    }
                    Item::Link => push_to(code, PUSH_X30, state.ra_at(-depth)),
                    Item::Pair(save) => push_to(code, pair(STP_PRE, registers(*save), -16), state),
                }
            }
            move_sp(code, frame.locals, true);
        }
        if frame.frame_pointer && frame.dynamic > 0 {
            // movz x9,#dynamic; sub sp,sp,x9
            push(code, 0xd280_0009 | (frame.dynamic & 0xffff) << 5);
            push(code, 0xcb29_63ff);
        }
        for [first, second] in pairs(&items) {
            push(code, 0xd280_0020 | first);
            push(code, 0xd280_0020 | second);
        }
        if frame.reuses_fp && !frame.frame_pointer {
            push(code, REUSE_X29);
        }
    }

    fn set_fp(&self, code: &mut Code, frame: &Frame, cfa: i64) {
        if frame.frame_pointer {
            push_to(code, MOV_SP_TO_X29, code.state.cfa(X29, cfa));
        }
    }

    fn leave_frame(&self, code: &mut Code, frame: &Frame, layout: &Layout) {
        let items = self.items(frame, layout);
        let signed = code.state.signed;
        let out = FrameState { signed, ..self.entry() };
        if single(frame) {
            let all = single_size(&items, frame);
            if frame.frame_pointer && frame.dynamic > 0 {
                push(code, MOV_X29_TO_SP);
            }
            for (index, registers) in pairs(&items).enumerate() {
                push(code, pair(LDP, registers, 16 + 16 * index as i32));
            }
            push_to(code, pair(LDP_POST, RECORD, all as i32), out);
            return;
        }
        if frame.frame_pointer {
            let behind = items.iter().skip_while(|item| **item != Item::Record).count() as u32 - 1;
            // sub sp,x29,#16n
            push(code, 0xd100_0000 | (16 * behind) << 10 | 29 << 5 | 31);
        } else {
            move_sp(code, frame.locals, false);
        }
        for (index, item) in items.iter().enumerate().rev() {
            let left = 16 * index as i64;
            match item {
                Item::Record => push_to(code, pair(LDP_POST, RECORD, 16), out.cfa(SP, left)),
                Item::Link => push_to(code, POP_X30, cfa_by(code.state, -16).ra_back()),
                Item::Pair(save) => {
                    let state = cfa_by(code.state, -16);
                    push_to(code, pair(LDP_POST, registers(*save), 16), state);
                }
            }
        }
    }
}

/// The whole frame is allocated by the instruction that saves the record at its low end.
fn single(frame: &Frame) -> bool {
    frame.variant % 2 == 1 && (frame.frame_pointer || frame.reuses_fp) && frame.locals <= 256
}

fn single_size(items: &[Item], frame: &Frame) -> u32 {
    16 * items.len() as u32 + frame.locals
}

fn pairs(items: &[Item]) -> impl Iterator<Item = [u32; 2]> {
    items.iter().filter_map(|item| match item {
        Item::Pair(save) => Some(registers(*save)),
        Item::Record | Item::Link => None,
    })
}

fn registers(save: usize) -> [u32; 2] {
    let first = FIRST_SAVED + 2 * save as u32;
    [first, first + 1]
}

impl Machine for Aarch64 {
    fn work(&self, code: &mut Code, count: u8) {
        for index in 0..usize::from(count) {
            push(code, WORK[(index + usize::from(count)) % WORK.len()]);
        }
    }

    fn skipped(&self, code: &mut Code, bytes: u32) {
        for _ in 0..bytes.div_ceil(4) {
            push(code, WORK[0]);
        }
    }

    fn set(&self, code: &mut Code, input: Input, value: u8) {
        // movz x0 and x1
        let register = if input == Input::Recursion { 0 } else { 1 };
        push(code, 0xd280_0000 | u32::from(value) << 5 | register);
    }

    fn bound_recursion(&self, code: &mut Code) {
        // and x0,x0,#3
        push(code, 0x9240_0400);
    }

    fn decrement_recursion(&self, code: &mut Code) {
        // sub x0,x0,#1
        push(code, 0xd100_0400);
    }

    fn branch_if(&self, code: &mut Code, input: Input, is: Is, label: Label) {
        let opcode: u32 = if is == Is::Zero { 0xb400_0000 } else { 0xb500_0000 };
        let register = if input == Input::Recursion { 0 } else { 1 };
        code.branch((opcode | register).to_le_bytes(), label, direct_cb);
    }

    fn jump(&self, code: &mut Code, label: Label) {
        code.branch(0x1400_0000_u32.to_le_bytes(), label, direct_b);
    }

    fn call(&self, code: &mut Code, callee: &str, into: u32) {
        code.transfer(0x9400_0000_u32.to_le_bytes(), callee, into, Transfer::Call);
    }

    fn jump_out(&self, code: &mut Code, callee: &str, into: u32) {
        code.transfer(0x1400_0000_u32.to_le_bytes(), callee, into, Transfer::Jump);
    }

    fn start_loop(&self, code: &mut Code, counter: Counter, times: u8) {
        // movz x11 and x19
        let register = if counter == Counter::Scratch { 11 } else { FIRST_SAVED };
        push(code, 0xd280_0000 | u32::from(times) << 5 | register);
    }

    fn end_loop(&self, code: &mut Code, counter: Counter, label: Label) {
        // sub xN,xN,#1; cbnz xN
        let register = if counter == Counter::Scratch { 11 } else { FIRST_SAVED };
        push(code, 0xd100_0400 | register << 5 | register);
        code.branch((0xb500_0000 | register).to_le_bytes(), label, direct_cb);
    }

    fn enter(&self, code: &mut Code, layout: &Layout) {
        if let Some(key) = layout.key {
            let sign = if key == PacKey::A { PACIASP } else { PACIBSP };
            push_to(code, sign, FrameState { signed: true, ..code.state });
        }
        if let Fitted::Framed(frame) = &layout.shape {
            self.enter_frame(code, frame, layout);
        }
    }

    fn leave(&self, code: &mut Code, layout: &Layout) {
        if let Fitted::Framed(frame) = &layout.shape {
            self.leave_frame(code, frame, layout);
        }
        if let Some(key) = layout.key {
            let authenticate = if key == PacKey::A { AUTIASP } else { AUTIBSP };
            push_to(code, authenticate, FrameState { signed: false, ..code.state });
        }
    }

    fn ret(&self, code: &mut Code, _: &Layout) {
        push(code, RET);
    }

    fn begin(&self, code: &mut Code) {
        // movz x29,#0
        push(code, 0xd280_001d);
    }

    fn exit(&self, code: &mut Code) {
        // movz x0,#0; movz x8,#93 (Linux's number of exit); svc #0
        push(code, 0xd280_0000);
        push(code, 0xd280_0ba8);
        push(code, 0xd400_0001);
    }

    fn stub(&self, code: &mut Code, callee: &str) {
        // sub sp,sp,#16; add sp,sp,#16; nop; b
        push_to(code, 0xd100_43ff, self.entry().cfa(SP, 16));
        push_to(code, 0x9100_43ff, self.entry());
        push(code, WORK[0]);
        self.jump_out(code, callee, 0);
    }

    fn stub_size(&self) -> u8 {
        16
    }
}
