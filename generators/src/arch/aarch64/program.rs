//! AArch64 in both byte orders: instruction sequences, and their frames (AAPCS64 6.2).

use types::{CfaRule, ValueRule};

use super::Aarch64;
use super::asm::{
    self, EXIT, Gpr, RECORD, SP, Stack, X0, X1, X8, X9, X10, X11, X12, X13, X14, X15, X16, X19, X29, X30, dwarf,
};
use crate::code::FrameState;
use crate::program::Frame;
use crate::program::code::{Code, FrameChanges, Label};
use crate::program::machine::{Counter, FrameShape, Input, Layout, MASK_SIZE, Machine, SIGNAL, Test, Use};

/// Linux `include/uapi/asm-generic/unistd.h`.
const KILL: u16 = 129;
const SIGACTION: u16 = 134;
const SIGRETURN: u16 = 139;
const GETPID: u16 = 172;
/// Number of pairs of the callee-saved registers x19 to x28. x19 is the loop counter.
const PAIRS: u32 = 4;
/// The first of five registers that hold nothing between the parts of a body.
const GOTO: u8 = 13;
/// The value of x29 if it is not a frame pointer.
const REUSED_X29: u16 = 0x1234;

fn work() -> [asm::Word; 5] {
    [asm::nop(), asm::movz(X9, 0x1234), asm::add(X9, X9, 1), asm::eor(X10, X10, X10), asm::and(X12, X9, X10)]
}

/// Adds to SP or subtracts from it, in 12-bit parts (the upper part first), and adjusts the CFA if
/// SP is its base.
fn move_sp(code: &mut Code, bytes: u32, down: bool) {
    let (pages, rest) = (bytes >> 12, bytes & 0xfff);
    let (by_pages, by_bytes) = if down {
        (asm::sub_pages(SP, SP, pages), asm::sub(SP, SP, rest))
    } else {
        (asm::add_pages(SP, SP, pages), asm::add(SP, SP, rest))
    };
    for (instruction, moved) in [(by_pages, i64::from(pages << 12)), (by_bytes, i64::from(rest))] {
        if moved > 0 {
            let state = cfa_by(code.state, if down { moved } else { -moved });
            code.push_to(instruction, state);
        }
    }
}

fn cfa_by(state: FrameState, bytes: i64) -> FrameState {
    match state.cfa {
        CfaRule::Register { reg, offset } if reg == dwarf::SP => state.cfa(dwarf::SP, offset + bytes),
        _ => state,
    }
}

fn authenticate(code: &mut Code, layout: &Layout) {
    if let Some(key) = layout.key {
        code.push_to(asm::authenticate_x30(key), FrameState { signed: false, ..code.state });
    }
}

/// A saved item of a frame, in the order of pushes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    /// x29 and x30.
    Record,
    /// Only x30.
    Link,
    /// A pair of callee-saved registers.
    Pair(u32),
}

impl Aarch64 {
    fn entry(&self) -> FrameState {
        FrameState::at_entry(self.abi)
    }

    fn items(&self, frame: &Frame, layout: &Layout) -> Vec<Item> {
        let mut pairs: Vec<u32> = Vec::new();
        for save in frame.saves.iter().map(|save| u32::from(*save) % PAIRS).chain(layout.counter.then_some(0)) {
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
            code.push_to(asm::stp(RECORD, Stack::Before(-(all as i32))), state);
            self.set_fp(code, frame, i64::from(all));
            for (index, registers) in pairs(&items).enumerate() {
                code.push(asm::stp(registers, Stack::Offset(16 + 16 * index as i32)));
            }
        } else {
            for (index, item) in items.iter().enumerate() {
                let depth = 16 * (index as i64 + 1);
                let state = cfa_by(code.state, 16);
                match item {
                    Item::Record => {
                        let state = state.ra_at(8 - depth).fp_at(-depth);
                        code.push_to(asm::stp(RECORD, Stack::Before(-16)), state);
                        self.set_fp(code, frame, depth);
                    }
                    Item::Link => code.push_to(asm::str_before(X30, -16), state.ra_at(-depth)),
                    Item::Pair(save) => code.push_to(asm::stp(registers(*save), Stack::Before(-16)), state),
                }
            }
            move_sp(code, frame.locals, true);
        }
        if frame.frame_pointer && frame.dynamic > 0 {
            code.push(asm::movz(X9, frame.dynamic as u16));
            code.push(asm::sub_register(SP, SP, X9));
        }
        for [first, second] in pairs(&items) {
            code.push(asm::movz(first, 1));
            code.push(asm::movz(second, 1));
        }
        if frame.reuses_fp && !frame.frame_pointer {
            code.push(asm::movz(X29, REUSED_X29));
        }
    }

    fn set_fp(&self, code: &mut Code, frame: &Frame, cfa: i64) {
        if frame.frame_pointer {
            code.push_to(asm::mov_sp(X29, SP), code.state.cfa(dwarf::X29, cfa));
        }
    }

    fn leave_frame(&self, code: &mut Code, frame: &Frame, layout: &Layout) {
        let items = self.items(frame, layout);
        let signed = code.state.signed;
        let out = FrameState { signed, ..self.entry() };
        if single(frame) {
            let all = single_size(&items, frame);
            if frame.frame_pointer && frame.dynamic > 0 {
                code.push(asm::mov_sp(SP, X29));
            }
            for (index, registers) in pairs(&items).enumerate() {
                code.push(asm::ldp(registers, Stack::Offset(16 + 16 * index as i32)));
            }
            code.push_to(asm::ldp(RECORD, Stack::After(all as i32)), out);
            return;
        }
        if frame.frame_pointer {
            let behind = items.iter().skip_while(|item| **item != Item::Record).count() as u32 - 1;
            code.push(asm::sub(SP, X29, 16 * behind));
        } else {
            move_sp(code, frame.locals, false);
        }
        for (index, item) in items.iter().enumerate().rev() {
            let left = 16 * index as i64;
            match item {
                Item::Record => code.push_to(asm::ldp(RECORD, Stack::After(16)), out.cfa(dwarf::SP, left)),
                Item::Link => code.push_to(asm::ldr_after(X30, 16), cfa_by(code.state, -16).ra_back()),
                Item::Pair(save) => {
                    let state = cfa_by(code.state, -16);
                    code.push_to(asm::ldp(registers(*save), Stack::After(16)), state);
                }
            }
        }
    }
}

/// Returns true if one instruction allocates the whole frame and saves the record at its low end.
fn single(frame: &Frame) -> bool {
    frame.variant % 2 == 1 && (frame.frame_pointer || frame.reuses_fp) && frame.locals <= 256
}

fn single_size(items: &[Item], frame: &Frame) -> u32 {
    16 * items.len() as u32 + frame.locals
}

fn pairs(items: &[Item]) -> impl Iterator<Item = [Gpr; 2]> {
    items.iter().filter_map(|item| match item {
        Item::Pair(save) => Some(registers(*save)),
        Item::Record | Item::Link => None,
    })
}

fn registers(save: u32) -> [Gpr; 2] {
    let first = X19.0 + 2 * save;
    [Gpr(first), Gpr(first + 1)]
}

/// The register in which a caller passes an input.
fn input(input: Input) -> Gpr {
    match input {
        Input::Recursion => X0,
        Input::FirstExit => X1,
    }
}

fn counter(counter: Counter) -> Gpr {
    match counter {
        Counter::Scratch => X11,
        Counter::Saved => X19,
    }
}

impl Machine for Aarch64 {
    fn work(&self, code: &mut Code, count: u8) {
        let work = work();
        for index in 0..usize::from(count) {
            code.push(work[(index + usize::from(count)) % work.len()]);
        }
    }

    fn skipped(&self, code: &mut Code, bytes: u32) {
        for _ in 0..bytes.div_ceil(4) {
            code.push(asm::nop());
        }
    }

    fn set(&self, code: &mut Code, what: Input, value: u8) {
        code.push(asm::movz(input(what), u16::from(value)));
    }

    fn bound_recursion(&self, code: &mut Code) {
        let register = input(Input::Recursion);
        code.push(asm::and_low_bits(register, register, 2));
    }

    fn decrement_recursion(&self, code: &mut Code) {
        let register = input(Input::Recursion);
        code.push(asm::sub(register, register, 1));
    }

    fn branch_if(&self, code: &mut Code, what: Input, test: Test, label: Label) {
        let register = input(what);
        match test {
            Test::Zero => code.branch(label, move |distance| asm::cbz(register, distance)),
            Test::NotZero => code.branch(label, move |distance| asm::cbnz(register, distance)),
        }
    }

    fn start_loop(&self, code: &mut Code, what: Counter, times: u8) {
        code.push(asm::movz(counter(what), u16::from(times)));
    }

    fn end_loop(&self, code: &mut Code, what: Counter, label: Label) {
        let register = counter(what);
        code.push(asm::sub(register, register, 1));
        code.branch(label, move |distance| asm::cbnz(register, distance));
    }

    fn enter(&self, code: &mut Code, layout: &Layout) {
        if let Some(key) = layout.key {
            code.push_to(asm::sign_x30(key), FrameState { signed: true, ..code.state });
        }
        if let FrameShape::Framed(frame) = &layout.shape {
            self.enter_frame(code, frame, layout);
        }
    }

    fn leave(&self, code: &mut Code, layout: &Layout) {
        if let FrameShape::Framed(frame) = &layout.shape {
            self.leave_frame(code, frame, layout);
        }
        if !layout.returns_authenticated {
            authenticate(code, layout);
        }
    }

    fn return_from(&self, code: &mut Code, layout: &Layout) {
        match layout.key.filter(|_| layout.returns_authenticated) {
            Some(key) => code.push(asm::ret_authenticated(key)),
            None => code.ret(),
        }
    }

    fn authenticate(&self, code: &mut Code, layout: &Layout) {
        if layout.returns_authenticated {
            authenticate(code, layout);
        }
    }

    fn lower_stack(&self, code: &mut Code) {
        code.push_to(asm::str_before(X30, -16), cfa_by(code.state, 16).ra_at(-16));
    }

    fn set_handler(&self, code: &mut Code, pad: Label) {
        code.branch(pad, |distance| asm::adr(X13, distance));
        code.push(asm::mov_sp(X14, SP));
        code.push(asm::add(X15, X29, 0));
    }

    fn raise(&self, code: &mut Code) {
        code.push_to(asm::stp(RECORD, Stack::Before(-16)), cfa_by(code.state, 16).ra_at(-8).fp_at(-16));
        code.push(asm::movz(X29, REUSED_X29));
        code.push(asm::str_sp(X15, 0));
        code.push(asm::str_sp(X13, 8));
        code.push_to(asm::ldp(RECORD, Stack::After(16)), self.entry());
        code.push(asm::mov_sp(SP, X14));
        code.ret();
    }

    fn begin(&self, code: &mut Code) {
        code.push(asm::movz(X29, 0));
    }

    fn exit(&self, code: &mut Code) {
        code.push(asm::movz(X0, 0));
        code.push(asm::movz(X8, EXIT));
        code.push(asm::svc(0));
    }

    fn set_action(&self, code: &mut Code, action: Label) {
        code.push(asm::movz(X0, SIGNAL.into()));
        code.branch(action, |distance| asm::adr(X1, distance));
        code.push(asm::movz(Gpr(2), 0));
        code.push(asm::movz(Gpr(3), MASK_SIZE.into()));
        code.push(asm::movz(X8, SIGACTION));
        code.push(asm::svc(0));
    }

    fn send_signal(&self, code: &mut Code) {
        code.push(asm::movz(X8, GETPID));
        code.push(asm::svc(0));
        code.push(asm::movz(X1, SIGNAL.into()));
        code.push(asm::movz(X8, KILL));
        code.push(asm::svc(0));
    }

    fn sigreturn(&self, code: &mut Code) {
        code.push(asm::movz(X8, SIGRETURN));
        code.push(asm::svc(0));
    }

    fn goto_register(&self, code: &Code, number: u8, usage: Use) -> u8 {
        let is_saved = usage == Use::Kept && matches!(code.state.ra, ValueRule::AtCfa(_));
        if is_saved && number.is_multiple_of(2) { X30.0 as u8 } else { GOTO + number % 5 }
    }

    fn load_address(&self, code: &mut Code, register: u8, label: Label) {
        code.branch(label, move |distance| asm::adr(Gpr(register.into()), distance));
    }

    fn load_word(&self, code: &mut Code, register: u8, label: Label) {
        code.branch(label, move |distance| asm::ldr_near(Gpr(register.into()), distance));
    }

    fn goto(&self, code: &mut Code, register: u8) {
        code.push(asm::br(Gpr(register.into())));
    }

    fn call_register(&self, code: &mut Code, register: u8) {
        code.push(asm::blr(Gpr(register.into())));
    }

    fn stub(&self, code: &mut Code, callee: &str) {
        code.push_to(asm::sub(SP, SP, 16), self.entry().cfa(dwarf::SP, 16));
        code.push_to(asm::add(SP, SP, 16), self.entry());
        code.push(asm::nop());
        code.jump_out(callee, 0);
    }

    fn got_stub(&self, code: &mut Code, callee: &str) {
        code.push(asm::ldr_near(X16, 8));
        code.push(asm::br(X16));
        code.address(callee, 0);
    }

    fn stub_size(&self) -> u8 {
        16
    }
}
