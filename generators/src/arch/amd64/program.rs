//! AMD64: instruction sequences, and their frames (System V AMD64 psABI 1.0, 3.2.2).

use types::{Abi, CfaRule, ValueRule};

use super::Amd64;
use super::asm::{
    self, EXIT, Gpr, Memory, R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDI, RDX, RSI, RSP, dwarf,
};
use crate::code::FrameState;
use crate::program::code::{Code, FrameChanges, Label};
use crate::program::machine::{Counter, FrameShape, Input, Layout, MASK_SIZE, Machine, SIGNAL, Test, Use};
use crate::program::{Frame, Realigned};

/// Linux `arch/x86/entry/syscalls/syscall_64.tbl`.
const SIGACTION: u32 = 13;
const SIGRETURN: u32 = 15;
const GETPID: u32 = 39;
const KILL: u32 = 62;
/// Callee-saved registers besides rbp (psABI 3.2.1). The first is the loop counter.
const SAVED: [Gpr; 5] = [RBX, R12, R13, R14, R15];
/// Registers that hold nothing between the parts of a body.
const GOTO: [Gpr; 4] = [RCX, RDX, R9, R10];
/// The value of rbp if it is not a frame pointer.
const REUSED_RBP: u32 = 0x1234;

fn work() -> [Vec<u8>; 7] {
    [
        asm::nop(),
        asm::xor_u32(RAX, RAX),
        asm::lea_u32(RAX, Memory::Near(RAX, 1)),
        asm::add(RAX, 8),
        asm::test_u32(RAX, RAX),
        asm::mov_u32(RAX, 0x1234),
        asm::nopl(),
    ]
}

fn entry() -> FrameState {
    FrameState::at_entry(Abi::Amd64)
}

/// A frame with the CFA offset from SP or FP changed by `bytes`.
fn cfa_by(state: FrameState, bytes: i64) -> FrameState {
    match state.cfa {
        CfaRule::Register { reg, offset } if reg == dwarf::RSP => state.cfa(dwarf::RSP, offset + bytes),
        _ => state,
    }
}

/// The register in which a caller passes an input.
fn input(input: Input) -> Gpr {
    match input {
        Input::Recursion => RDI,
        Input::FirstExit => RSI,
    }
}

fn counter(counter: Counter) -> Gpr {
    match counter {
        Counter::Scratch => RCX,
        Counter::Saved => SAVED[0],
    }
}

impl Machine for Amd64 {
    fn work(&self, code: &mut Code, count: u8) {
        let work = work();
        for index in 0..usize::from(count) {
            code.push(&work[(index + usize::from(count)) % work.len()]);
        }
    }

    fn skipped(&self, code: &mut Code, bytes: u32) {
        let nop = asm::nopw();
        for _ in 0..bytes.div_ceil(nop.len() as u32) {
            code.push(&nop);
        }
    }

    fn set(&self, code: &mut Code, what: Input, value: u8) {
        code.push(asm::mov_u32(input(what), u32::from(value)));
    }

    fn bound_recursion(&self, code: &mut Code) {
        code.push(asm::and_u32(input(Input::Recursion), 3));
    }

    fn decrement_recursion(&self, code: &mut Code) {
        code.push(asm::dec_u32(input(Input::Recursion)));
    }

    fn branch_if(&self, code: &mut Code, what: Input, test: Test, label: Label) {
        code.push(asm::test_u32(input(what), input(what)));
        match test {
            Test::Zero => code.branch(label, asm::jz),
            Test::NotZero => code.branch(label, asm::jnz),
        }
    }

    fn start_loop(&self, code: &mut Code, what: Counter, times: u8) {
        code.push(asm::mov_u32(counter(what), u32::from(times)));
    }

    fn end_loop(&self, code: &mut Code, what: Counter, label: Label) {
        code.push(asm::dec_u32(counter(what)));
        code.branch(label, asm::jnz);
    }

    fn enter(&self, code: &mut Code, layout: &Layout) {
        match &layout.shape {
            FrameShape::Bare => {}
            FrameShape::Registers => enter_registers(code),
            FrameShape::RedZone => enter_red_zone(code),
            FrameShape::Framed(frame) => enter_frame(code, frame, layout.counter),
            FrameShape::Realigned(realigned) => enter_realigned(code, realigned),
        }
    }

    fn leave(&self, code: &mut Code, layout: &Layout) {
        match &layout.shape {
            FrameShape::Bare => {}
            FrameShape::Registers => leave_registers(code),
            FrameShape::RedZone => code.push_to(asm::load(RBP, RED_ZONE), entry()),
            FrameShape::Framed(frame) => leave_frame(code, frame, layout.counter),
            FrameShape::Realigned(realigned) => leave_realigned(code, realigned),
        }
    }

    fn begin(&self, code: &mut Code) {
        code.push(asm::xor_u32(RBP, RBP));
    }

    fn exit(&self, code: &mut Code) {
        code.push(asm::xor_u32(RDI, RDI));
        code.push(asm::mov_u32(RAX, EXIT));
        code.push(asm::syscall());
        code.push(asm::hlt());
    }

    fn set_action(&self, code: &mut Code, action: Label) {
        code.push(asm::mov_u32(RAX, SIGACTION));
        code.push(asm::mov_u32(RDI, SIGNAL.into()));
        code.branch(action, |distance| asm::lea(RSI, Memory::Rip(distance - 7)));
        code.push(asm::xor_u32(RDX, RDX));
        code.push(asm::mov_u32(R10, MASK_SIZE.into()));
        code.push(asm::syscall());
    }

    fn send_signal(&self, code: &mut Code) {
        code.push(asm::mov_u32(RAX, GETPID));
        code.push(asm::syscall());
        code.push(asm::mov(RDI, RAX));
        code.push(asm::mov_u32(RSI, SIGNAL.into()));
        code.push(asm::mov_u32(RAX, KILL));
        code.push(asm::syscall());
    }

    fn sigreturn(&self, code: &mut Code) {
        code.push(asm::mov_u32(RAX, SIGRETURN));
        code.push(asm::syscall());
    }

    fn goto_register(&self, _code: &Code, number: u8, _usage: Use) -> u8 {
        GOTO[usize::from(number) % GOTO.len()].0
    }

    fn load_address(&self, code: &mut Code, register: u8, label: Label) {
        code.branch(label, move |distance| asm::lea(Gpr(register), Memory::Rip(distance - 7)));
    }

    fn load_word(&self, code: &mut Code, register: u8, label: Label) {
        code.branch(label, move |distance| asm::load(Gpr(register), Memory::Rip(distance - 7)));
    }

    fn goto(&self, code: &mut Code, register: u8) {
        code.push(asm::jmp_register(Gpr(register)));
    }

    fn call_register(&self, code: &mut Code, register: u8) {
        code.push(asm::call_register(Gpr(register)));
    }

    fn stub(&self, code: &mut Code, callee: &str) {
        code.push_to(asm::push_i32(0), entry().cfa(dwarf::RSP, 16));
        code.push_to(asm::lea(RSP, Memory::Near(RSP, 8)), entry());
        code.jump_out(callee, 0);
        code.push(asm::nop());
    }

    fn got_stub(&self, code: &mut Code, callee: &str) {
        // The address is in the last 8 of 16 bytes.
        code.push(asm::jmp_memory(Memory::Rip(2)));
        code.push(asm::nop());
        code.push(asm::nop());
        code.address(callee, 0);
    }

    fn lower_stack(&self, code: &mut Code) {
        code.push_to(asm::sub(RSP, 24), cfa_by(code.state, 24));
    }

    fn set_handler(&self, code: &mut Code, pad: Label) {
        // A branch distance is relative to the instruction, the address to the next one: 7 bytes
        // later.
        code.branch(pad, |distance| asm::lea(R8, Memory::Rip(distance - 7)));
        code.push(asm::mov(R9, RSP));
        code.push(asm::mov(RDX, RBP));
    }

    fn raise(&self, code: &mut Code) {
        code.push_to(asm::push(RBP), cfa_by(code.state, 8).fp_at(-16));
        code.push(asm::mov_u32(RBP, REUSED_RBP));
        code.push(asm::store(Memory::Near(RSP, 0), RDX));
        code.push(asm::store(Memory::Near(RSP, 8), R8));
        code.push_to(asm::pop(RBP), entry());
        code.push(asm::mov(RSP, R9));
        code.push(asm::push(R8));
        code.ret();
    }

    fn stub_size(&self) -> u8 {
        16
    }
}

/// 24 bytes below the CFA, in the red zone of 128 bytes below SP (psABI 3.2.2).
const RED_ZONE: Memory = Memory::Near(RSP, -16);

/// The return address in a function that does not move SP.
const RETURN_ADDRESS: Memory = Memory::Near(RSP, 0);

fn enter_registers(code: &mut Code) {
    let kept = |reg| ValueRule::Register { reg, offset: 0 };
    code.push_to(asm::load(R11, RETURN_ADDRESS), FrameState { ra: kept(dwarf::R11), ..entry() });
    code.push_to(asm::mov(R8, RBP), FrameState { fp: kept(dwarf::R8), ..code.state });
    code.push(asm::mov_u32(RBP, REUSED_RBP));
    code.push(asm::store(RETURN_ADDRESS, RBP));
}

fn leave_registers(code: &mut Code) {
    code.push_to(asm::mov(RBP, R8), code.state.fp_back());
    code.push_to(asm::store(RETURN_ADDRESS, R11), entry());
}

fn enter_red_zone(code: &mut Code) {
    code.push_to(asm::store(RED_ZONE, RBP), entry().fp_at(-24));
    code.push(asm::mov_u32(RBP, REUSED_RBP));
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

/// Returns true if `enter` can replace push, mov and sub.
fn by_enter(frame: &Frame, after: &[usize]) -> bool {
    frame.frame_pointer && frame.variant == 1 && after.is_empty() && frame.locals < 0x1_0000
}

fn push_register(code: &mut Code, save: usize) {
    let state = cfa_by(code.state, 8);
    code.push_to(asm::push(SAVED[save]), state);
}

fn enter_frame(code: &mut Code, frame: &Frame, counter: bool) {
    let (before, after) = saves(frame, counter);
    before.iter().for_each(|save| push_register(code, *save));
    let rbp_slot = -16 - 8 * before.len() as i64;
    if by_enter(frame, &after) {
        code.push_to(asm::enter(frame.locals as u16), code.state.fp_at(rbp_slot).cfa(dwarf::RBP, -rbp_slot));
    } else {
        if keeps_rbp(frame) {
            code.push_to(asm::push(RBP), cfa_by(code.state, 8).fp_at(rbp_slot));
        }
        if frame.frame_pointer {
            code.push_to(asm::mov(RBP, RSP), code.state.cfa(dwarf::RBP, -rbp_slot));
        }
        after.iter().for_each(|save| push_register(code, *save));
        if frame.locals > 0 {
            code.push_to(asm::sub(RSP, frame.locals), cfa_by(code.state, i64::from(frame.locals)));
        }
    }
    if frame.frame_pointer && frame.dynamic > 0 {
        code.push(asm::mov_u32(RAX, frame.dynamic));
        code.push(asm::sub_register(RSP, RAX));
    }
    before.iter().chain(&after).for_each(|save| code.push(asm::mov_u32(SAVED[*save], 1)));
    if frame.reuses_fp && !frame.frame_pointer {
        code.push(asm::mov_u32(RBP, REUSED_RBP));
    }
}

fn leave_frame(code: &mut Code, frame: &Frame, counter: bool) {
    let (before, after) = saves(frame, counter);
    let before_bytes = 8 * before.len() as i64;
    let without_rbp = entry().cfa(dwarf::RSP, 8 + before_bytes);
    if frame.frame_pointer && after.is_empty() {
        code.push_to(asm::leave(), without_rbp);
    } else {
        if frame.frame_pointer {
            code.push(asm::lea(RSP, Memory::Far(RBP, -8 * after.len() as i32)));
        } else if frame.locals > 0 {
            code.push_to(asm::add(RSP, frame.locals), cfa_by(code.state, -i64::from(frame.locals)));
        }
        for save in after.iter().rev() {
            let state = cfa_by(code.state, -8);
            code.push_to(asm::pop(SAVED[*save]), state);
        }
        if keeps_rbp(frame) {
            code.push_to(asm::pop(RBP), without_rbp);
        }
    }
    for save in before.iter().rev() {
        let state = cfa_by(code.state, -8);
        code.push_to(asm::pop(SAVED[*save]), state);
    }
}

fn align_rsp(realigned: &Realigned) -> Vec<u8> {
    asm::align_down(RSP, 1 << realigned.align.clamp(4, 7))
}

/// Sets up a frame with the CFA saved on the stack, and rbp next to it.
fn enter_realigned(code: &mut Code, realigned: &Realigned) {
    let saved_fp = FrameState { fp: ValueRule::Memory { reg: dwarf::RBP, offset: 0 }, ..entry() };
    if realigned.by_register {
        code.push_to(asm::lea(R10, Memory::Near(RSP, 8)), entry().cfa(dwarf::R10, 0));
        code.push(align_rsp(realigned));
        code.push(asm::push_memory(Memory::Near(R10, -8)));
        code.push(asm::push(RBP));
        code.push_to(asm::mov(RBP, RSP), saved_fp.cfa(dwarf::R10, 0));
        let cfa = CfaRule::Memory { reg: dwarf::RBP, offset: -8 };
        code.push_to(asm::push(R10), FrameState { cfa, ..saved_fp });
    } else {
        code.push_to(asm::push(RBP), entry().fp_at(-16).cfa(dwarf::RSP, 16));
        code.push_to(asm::mov(RBP, RSP), code.state.cfa(dwarf::RBP, 16));
        code.push(asm::lea(RAX, Memory::Near(RBP, 16)));
        code.push(align_rsp(realigned));
        code.push(asm::push(RAX));
        let cfa = CfaRule::Memory { reg: dwarf::RBP, offset: 0 };
        code.push_to(asm::mov(RBP, RSP), FrameState { cfa, ..entry().fp_at(-16) });
    }
    let locals = u32::from(realigned.locals);
    code.push(asm::sub(RSP, locals.next_multiple_of(8) + 8));
}

fn leave_realigned(code: &mut Code, realigned: &Realigned) {
    if realigned.by_register {
        let saved_fp = code.state.fp;
        let by_r10 = entry().cfa(dwarf::R10, 0);
        code.push_to(asm::load(R10, Memory::Near(RBP, -8)), FrameState { fp: saved_fp, ..by_r10 });
        code.push_to(asm::leave(), by_r10);
        code.push_to(asm::lea(RSP, Memory::Near(R10, -8)), entry());
    } else {
        code.push(asm::load(RAX, Memory::Near(RBP, 0)));
        code.push_to(asm::lea(RSP, Memory::Near(RAX, -16)), entry().fp_at(-16).cfa(dwarf::RSP, 16));
        code.push_to(asm::pop(RBP), entry());
    }
}
