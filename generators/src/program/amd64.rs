//! AMD64: encodings (Intel SDM volume 2) and frames (System V AMD64 psABI 1.0, 3.2.2).

use model::{Abi, CfaRule, Reg, ValueRule};

use super::code::{Changed, Code, Label};
use super::machine::{Counter, Fitted, Input, Is, Layout, Machine};
use super::{Frame, Realigned};
use crate::code::{FrameState, Transfer};

pub(super) struct Amd64;

const RBP: Reg = Reg(6);
const RSP: Reg = Reg(7);
const R10: Reg = Reg(10);

/// Callee-saved registers besides rbp (psABI 3.2.1): push, pop, and a move of 1 into it. The first counts loops.
const SAVED: [(&[u8], &[u8], &[u8]); 5] = [
    (&[0x53], &[0x5b], &[0xbb, 1, 0, 0, 0]),
    (&[0x41, 0x54], &[0x41, 0x5c], &[0x41, 0xbc, 1, 0, 0, 0]),
    (&[0x41, 0x55], &[0x41, 0x5d], &[0x41, 0xbd, 1, 0, 0, 0]),
    (&[0x41, 0x56], &[0x41, 0x5e], &[0x41, 0xbe, 1, 0, 0, 0]),
    (&[0x41, 0x57], &[0x41, 0x5f], &[0x41, 0xbf, 1, 0, 0, 0]),
];
const PUSH_RBP: [u8; 1] = [0x55];
const POP_RBP: [u8; 1] = [0x5d];
const MOV_RSP_TO_RBP: [u8; 3] = [0x48, 0x89, 0xe5];
/// mov $0x1234,%ebp
const REUSE_RBP: [u8; 5] = [0xbd, 0x34, 0x12, 0, 0];
const LEAVE: [u8; 1] = [0xc9];
const RET: [u8; 1] = [0xc3];
/// nop; xor %eax,%eax; lea 1(%rax),%eax; add $8,%rax; test %eax,%eax; mov $0x1234,%eax; nopl 0(%rax)
const WORK: [&[u8]; 7] = [
    &[0x90],
    &[0x31, 0xc0],
    &[0x8d, 0x40, 0x01],
    &[0x48, 0x83, 0xc0, 0x08],
    &[0x85, 0xc0],
    &[0xb8, 0x34, 0x12, 0, 0],
    &[0x0f, 0x1f, 0x40, 0x00],
];
/// nopw %cs:0(%rax,%rax)
const LONG_NOP: [u8; 10] = [0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0];

/// A 32-bit displacement at the end of an instruction, which counts from behind it.
fn direct(instruction: &mut [u8], distance: i32) {
    let at = instruction.len() - 4;
    let from_next = distance.wrapping_sub(instruction.len() as i32);
    instruction[at..].copy_from_slice(&from_next.to_le_bytes());
}

/// An opcode and a 32-bit operand.
fn with_u32(opcode: &[u8], operand: u32) -> Vec<u8> {
    [opcode, &operand.to_le_bytes()].concat()
}

/// sub $bytes,%rsp and add $bytes,%rsp in the short form where it does.
fn move_rsp(short: u8, bytes: u32) -> Vec<u8> {
    match u8::try_from(bytes) {
        Ok(byte) if byte < 0x80 => vec![0x48, 0x83, short, byte],
        _ => with_u32(&[0x48, 0x81, short], bytes),
    }
}

const SUB: u8 = 0xec;
const ADD: u8 = 0xc4;

fn entry() -> FrameState {
    FrameState::at_entry(Abi::Amd64)
}

/// The CFA counted from SP or FP changes by so much.
fn cfa_by(state: FrameState, bytes: i64) -> FrameState {
    match state.cfa {
        CfaRule::Register { reg, offset } if reg == RSP => state.cfa(RSP, offset + bytes),
        _ => state,
    }
}

impl Machine for Amd64 {
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
        // mov $value,%edi and %esi
        let opcode = match input {
            Input::Recursion => 0xbf,
            Input::FirstExit => 0xbe,
        };
        code.push([opcode, value, 0, 0, 0]);
    }

    fn bound_recursion(&self, code: &mut Code) {
        // and $3,%edi
        code.push([0x83, 0xe7, 3]);
    }

    fn decrement_recursion(&self, code: &mut Code) {
        // dec %edi
        code.push([0xff, 0xcf]);
    }

    fn branch_if(&self, code: &mut Code, input: Input, is: Is, label: Label) {
        // test %edi,%edi and %esi,%esi; jz and jnz rel32
        code.push(match input {
            Input::Recursion => [0x85, 0xff],
            Input::FirstExit => [0x85, 0xf6],
        });
        let condition = if is == Is::Zero { 0x84 } else { 0x85 };
        code.branch([0x0f, condition, 0, 0, 0, 0], label, direct);
    }

    fn jump(&self, code: &mut Code, label: Label) {
        code.branch([0xe9, 0, 0, 0, 0], label, direct);
    }

    fn call(&self, code: &mut Code, callee: &str, into: u32) {
        code.transfer([0xe8, 0, 0, 0, 0], callee, into, Transfer::Call);
    }

    fn jump_out(&self, code: &mut Code, callee: &str, into: u32) {
        code.transfer([0xe9, 0, 0, 0, 0], callee, into, Transfer::Jump);
    }

    fn start_loop(&self, code: &mut Code, counter: Counter, times: u8) {
        // mov $times,%ecx and %ebx
        let opcode = if counter == Counter::Scratch { 0xb9 } else { 0xbb };
        code.push([opcode, times, 0, 0, 0]);
    }

    fn end_loop(&self, code: &mut Code, counter: Counter, label: Label) {
        // dec %ecx and %ebx; jnz
        code.push([0xff, if counter == Counter::Scratch { 0xc9 } else { 0xcb }]);
        code.branch([0x0f, 0x85, 0, 0, 0, 0], label, direct);
    }

    fn enter(&self, code: &mut Code, layout: &Layout) {
        match &layout.shape {
            Fitted::Bare | Fitted::Registers => {}
            Fitted::RedZone => enter_red_zone(code),
            Fitted::Framed(frame) => enter_frame(code, frame, layout.counter),
            Fitted::Realigned(realigned) => enter_realigned(code, realigned),
        }
    }

    fn leave(&self, code: &mut Code, layout: &Layout) {
        match &layout.shape {
            Fitted::Bare | Fitted::Registers => {}
            // mov -16(%rsp),%rbp
            Fitted::RedZone => code.push_to([0x48, 0x8b, 0x6c, 0x24, 0xf0], entry()),
            Fitted::Framed(frame) => leave_frame(code, frame, layout.counter),
            Fitted::Realigned(realigned) => leave_realigned(code, realigned),
        }
    }

    fn ret(&self, code: &mut Code, _: &Layout) {
        code.push(RET);
    }

    fn begin(&self, code: &mut Code) {
        // xor %ebp,%ebp
        code.push([0x31, 0xed]);
    }

    fn exit(&self, code: &mut Code) {
        // xor %edi,%edi; mov $60,%eax (Linux's number of exit); syscall; hlt
        code.push([0x31, 0xff]);
        code.push([0xb8, 60, 0, 0, 0]);
        code.push([0x0f, 0x05]);
        code.push([0xf4]);
    }

    fn stub(&self, code: &mut Code, callee: &str) {
        // push $0; lea 8(%rsp),%rsp; jmp; nop
        code.push_to([0x68, 0, 0, 0, 0], entry().cfa(RSP, 16));
        code.push_to([0x48, 0x8d, 0x64, 0x24, 0x08], entry());
        self.jump_out(code, callee, 0);
        code.push([0x90]);
    }

    fn stub_size(&self) -> u8 {
        16
    }
}

fn enter_red_zone(code: &mut Code) {
    // mov %rbp,-16(%rsp): 24 bytes below the CFA, in the 128 bytes that nobody else touches (psABI 3.2.2).
    code.push_to([0x48, 0x89, 0x6c, 0x24, 0xf0], entry().fp_at(-24));
    code.push(REUSE_RBP);
}

/// Registers saved before and after rbp, without repetition.
fn saves(frame: &Frame, counter: bool) -> (Vec<usize>, Vec<usize>) {
    let mut order: Vec<usize> = Vec::new();
    for save in frame.saves.iter().map(|save| usize::from(*save) % SAVED.len()).chain(counter.then_some(0)) {
        if !order.contains(&save) {
            order.push(save);
        }
    }
    let before = usize::from(frame.before).min(order.len());
    let after = order.split_off(before);
    (order, after)
}

fn keeps_rbp(frame: &Frame) -> bool {
    frame.frame_pointer || frame.reuses_fp
}

/// `enter` does what push, mov and sub do.
fn by_enter(frame: &Frame, after: &[usize]) -> bool {
    frame.frame_pointer && frame.variant == 1 && after.is_empty() && frame.locals < 0x1_0000
}

fn push_register(code: &mut Code, save: usize) {
    let state = cfa_by(code.state, 8);
    code.push_to(SAVED[save].0, state);
}

fn enter_frame(code: &mut Code, frame: &Frame, counter: bool) {
    let (before, after) = saves(frame, counter);
    before.iter().for_each(|save| push_register(code, *save));
    let rbp_slot = -16 - 8 * before.len() as i64;
    if by_enter(frame, &after) {
        let [low, high, ..] = frame.locals.to_le_bytes();
        code.push_to([0xc8, low, high, 0], code.state.fp_at(rbp_slot).cfa(RBP, -rbp_slot));
    } else {
        if keeps_rbp(frame) {
            code.push_to(PUSH_RBP, cfa_by(code.state, 8).fp_at(rbp_slot));
        }
        if frame.frame_pointer {
            code.push_to(MOV_RSP_TO_RBP, code.state.cfa(RBP, -rbp_slot));
        }
        after.iter().for_each(|save| push_register(code, *save));
        if frame.locals > 0 {
            code.push_to(move_rsp(SUB, frame.locals), cfa_by(code.state, i64::from(frame.locals)));
        }
    }
    if frame.frame_pointer && frame.dynamic > 0 {
        // mov $dynamic,%eax; sub %rax,%rsp
        code.push(with_u32(&[0xb8], frame.dynamic));
        code.push([0x48, 0x29, 0xc4]);
    }
    before.iter().chain(&after).for_each(|save| code.push(SAVED[*save].2));
    if frame.reuses_fp && !frame.frame_pointer {
        code.push(REUSE_RBP);
    }
}

fn leave_frame(code: &mut Code, frame: &Frame, counter: bool) {
    let (before, after) = saves(frame, counter);
    let before_bytes = 8 * before.len() as i64;
    let without_rbp = entry().cfa(RSP, 8 + before_bytes);
    if frame.frame_pointer && after.is_empty() {
        code.push_to(LEAVE, without_rbp);
    } else {
        if frame.frame_pointer {
            // lea -8n(%rbp),%rsp
            code.push(with_u32(&[0x48, 0x8d, 0xa5], (-8 * after.len() as i32) as u32));
        } else if frame.locals > 0 {
            code.push_to(move_rsp(ADD, frame.locals), cfa_by(code.state, -i64::from(frame.locals)));
        }
        for save in after.iter().rev() {
            let state = cfa_by(code.state, -8);
            code.push_to(SAVED[*save].1, state);
        }
        if keeps_rbp(frame) {
            code.push_to(POP_RBP, without_rbp);
        }
    }
    for save in before.iter().rev() {
        let state = cfa_by(code.state, -8);
        code.push_to(SAVED[*save].1, state);
    }
}

/// and $-align,%rsp
fn align_rsp(realigned: &Realigned) -> [u8; 4] {
    [0x48, 0x83, 0xe4, (-(1i32 << realigned.align.clamp(4, 7))) as u8]
}

/// The CFA is on the stack and rbp points near it.
fn enter_realigned(code: &mut Code, realigned: &Realigned) {
    let saved_fp = FrameState { fp: ValueRule::Memory { reg: RBP, offset: 0 }, ..entry() };
    if realigned.by_register {
        // lea 8(%rsp),%r10; and; push -8(%r10); push %rbp; mov %rsp,%rbp; push %r10
        code.push_to([0x4c, 0x8d, 0x54, 0x24, 0x08], entry().cfa(R10, 0));
        code.push(align_rsp(realigned));
        code.push([0x41, 0xff, 0x72, 0xf8]);
        code.push(PUSH_RBP);
        code.push_to(MOV_RSP_TO_RBP, saved_fp.cfa(R10, 0));
        code.push_to([0x41, 0x52], FrameState { cfa: CfaRule::Memory { reg: RBP, offset: -8 }, ..saved_fp });
    } else {
        // push %rbp; mov %rsp,%rbp; lea 16(%rbp),%rax; and; push %rax; mov %rsp,%rbp
        code.push_to(PUSH_RBP, entry().fp_at(-16).cfa(RSP, 16));
        code.push_to(MOV_RSP_TO_RBP, code.state.cfa(RBP, 16));
        code.push([0x48, 0x8d, 0x45, 0x10]);
        code.push(align_rsp(realigned));
        code.push([0x50]);
        code.push_to(MOV_RSP_TO_RBP, FrameState { cfa: CfaRule::Memory { reg: RBP, offset: 0 }, ..entry().fp_at(-16) });
    }
    let locals = u32::from(realigned.locals);
    code.push(move_rsp(SUB, locals.next_multiple_of(8) + 8));
}

fn leave_realigned(code: &mut Code, realigned: &Realigned) {
    if realigned.by_register {
        // mov -8(%rbp),%r10; leave; lea -8(%r10),%rsp
        let saved_fp = code.state.fp;
        code.push_to([0x4c, 0x8b, 0x55, 0xf8], FrameState { fp: saved_fp, ..entry().cfa(R10, 0) });
        code.push_to(LEAVE, entry().cfa(R10, 0));
        code.push_to([0x49, 0x8d, 0x62, 0xf8], entry());
    } else {
        // mov 0(%rbp),%rax; lea -16(%rax),%rsp; pop %rbp
        code.push([0x48, 0x8b, 0x45, 0x00]);
        code.push_to([0x48, 0x8d, 0x60, 0xf0], entry().fp_at(-16).cfa(RSP, 16));
        code.push_to(POP_RBP, entry());
    }
}
