//! s390x: instruction sequences, and their frames (s390x ELF ABI 1.6, 1.2).

use types::{Abi, ValueRule};

use super::S390x;
use super::asm::{self, Condition, EXIT, F0, F2, Gpr, R0, R1, R2, R3, R4, R5, R7, R11, R14, R15, at, dwarf};
use crate::code::FrameState;
use crate::program::Frame;
use crate::program::code::{Code, FrameChanges, Label};
use crate::program::machine::{Counter, FrameShape, Input, Layout, MASK_SIZE, Machine, SIGNAL, Test, Use};

/// Linux `arch/s390/kernel/syscalls/syscall.tbl`.
const GETPID: u8 = 20;
const KILL: u8 = 37;
const SIGRETURN: u8 = 173;
const SIGACTION: u8 = 174;
/// Callee-saved registers besides r11, r14 and r15 (s390x ELF ABI 1.6, 1.2.1). The first is the
/// loop counter.
const SAVED: [Gpr; 6] = [Gpr(10), Gpr(9), Gpr(8), Gpr(7), Gpr(6), Gpr(13)];
/// The caller's register save area, which ends at the CFA.
const SAVE_AREA: i64 = 160;
const LINK: Gpr = R14;
const FP: Gpr = R11;

fn work() -> [Vec<u8>; 5] {
    [
        asm::nopr(R7).to_vec(),
        asm::lghi(R0, 0x123).to_vec(),
        asm::aghi(R0, 8).to_vec(),
        asm::la(R4, at(1, R4)).to_vec(),
        asm::lgr(R0, R4).to_vec(),
    ]
}

fn entry() -> FrameState {
    FrameState::at_entry(Abi::S390x)
}

fn move_r15(bytes: i64) -> Vec<u8> {
    asm::add(R15, bytes as i32)
}

/// Offset from SP at entry at which a register is saved in the caller's save area (s390x ELF ABI
/// 1.6, figure 1-3).
fn home(register: Gpr) -> i64 {
    8 * i64::from(register.0)
}

/// The saved registers: slots and order.
struct Slots {
    /// Number of bytes that SP moves by.
    size: i64,
    /// Registers in the order saved, each with the offset of its slot from the CFA.
    registers: Vec<(Gpr, i64)>,
    style: SaveStyle,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SaveStyle {
    /// All registers from the first to r15, stored by one instruction in the caller's save area.
    Multiple,
    /// Registers stored one by one in the caller's save area.
    Single,
    /// Registers stored one by one in the function's own frame.
    Own,
}

impl Slots {
    fn new(frame: &Frame, layout: &Layout) -> Self {
        let mut registers: Vec<Gpr> = Vec::new();
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
        let style = match frame.variant % 3 {
            0 => SaveStyle::Multiple,
            1 => SaveStyle::Single,
            _ => SaveStyle::Own,
        };
        let own = if style == SaveStyle::Own { 8 * registers.len() as i64 } else { 0 };
        let needed = i64::from(frame.locals) + own;
        let called = layout.calls || frame.frame_pointer || needed > 0;
        let size = if called { SAVE_AREA + needed } else { 0 };
        let registers = registers
            .iter()
            .enumerate()
            .map(|(index, register)| match style {
                SaveStyle::Multiple | SaveStyle::Single => (*register, home(*register) - SAVE_AREA),
                SaveStyle::Own => (*register, -SAVE_AREA - 8 * (index as i64 + 1)),
            })
            .collect();
        Slots { size, registers, style }
    }

    /// The first register of the multiple store.
    fn first(&self) -> Gpr {
        self.registers.iter().map(|(register, _)| *register).min().unwrap_or(LINK)
    }
}

fn saved(state: FrameState, register: Gpr, slot: i64) -> FrameState {
    match register {
        FP => state.fp_at(slot),
        LINK => state.ra_at(slot),
        _ => state,
    }
}

fn restored(state: FrameState, register: Gpr) -> FrameState {
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
            code.push_to(move_r15(-slots.size), code.state.cfa(dwarf::R15, SAVE_AREA + slots.size));
        }
    };
    match slots.style {
        SaveStyle::Multiple => {
            let first = slots.first();
            let mut state = code.state.ra_at(home(LINK) - SAVE_AREA);
            if first <= FP {
                state = state.fp_at(home(FP) - SAVE_AREA);
            }
            code.push_to(asm::stmg(first, R15, at(home(first) as i32, R15)), state);
            lower(code);
        }
        SaveStyle::Single | SaveStyle::Own => {
            if slots.style == SaveStyle::Own {
                lower(code);
            }
            let base = if slots.style == SaveStyle::Own { slots.size } else { 0 };
            for (register, slot) in &slots.registers {
                let state = saved(code.state, *register, *slot);
                code.push_to(asm::stg(*register, at((slot + SAVE_AREA + base) as i32, R15)), state);
            }
            if slots.style == SaveStyle::Single {
                lower(code);
            }
        }
    }
    if frame.frame_pointer {
        code.push_to(asm::lgr(FP, R15), code.state.cfa(dwarf::R11, SAVE_AREA + slots.size));
        if frame.dynamic > 0 {
            code.push(asm::lghi(R1, (frame.dynamic & 0x7ff8) as i16));
            code.push(asm::sgr(R15, R1));
        }
    }
    for (register, _) in &slots.registers {
        let reused = *register == FP && !frame.frame_pointer;
        if reused || !matches!(*register, FP | LINK) {
            code.push(asm::lghi(*register, 1));
        }
    }
}

fn leave_frame(code: &mut Code, frame: &Frame, layout: &Layout) {
    let slots = Slots::new(frame, layout);
    if slots.style == SaveStyle::Multiple {
        // lmg restores r15 with the others.
        let base = if frame.frame_pointer { FP } else { R15 };
        let first = slots.first();
        code.push_to(asm::lmg(first, R15, at((slots.size + home(first)) as i32, base)), entry());
        return;
    }
    if frame.frame_pointer {
        if frame.dynamic > 0 {
            code.push(asm::lgr(R15, FP));
        }
        // r15 equals r11: from here on it is the base of the CFA, since r11 is restored first.
        code.state = code.state.cfa(dwarf::R15, SAVE_AREA + slots.size);
    }
    for (register, slot) in slots.registers.iter().rev() {
        let state = restored(code.state, *register);
        code.push_to(asm::lg(*register, at((slot + SAVE_AREA + slots.size) as i32, R15)), state);
    }
    if slots.size > 0 {
        code.push_to(move_r15(slots.size), code.state.cfa(dwarf::R15, SAVE_AREA));
    }
}

fn enter_registers(code: &mut Code) {
    let kept = |reg| ValueRule::Register { reg, offset: 0 };
    code.push_to(asm::ldgr(F0, LINK), FrameState { ra: kept(dwarf::F0), ..code.state });
    code.push_to(asm::ldgr(F2, FP), FrameState { fp: kept(dwarf::F2), ..code.state });
    code.push(asm::lghi(LINK, 1));
    code.push(asm::lghi(FP, 1));
}

fn leave_registers(code: &mut Code) {
    code.push_to(asm::lgdr(FP, F2), code.state.fp_back());
    code.push_to(asm::lgdr(LINK, F0), code.state.ra_back());
}

/// The register in which a caller passes an input.
fn input(input: Input) -> Gpr {
    match input {
        Input::Recursion => R2,
        Input::FirstExit => R3,
    }
}

fn counter(counter: Counter) -> Gpr {
    match counter {
        Counter::Scratch => R1,
        Counter::Saved => SAVED[0],
    }
}

impl Machine for S390x {
    fn work(&self, code: &mut Code, count: u8) {
        let work = work();
        for index in 0..usize::from(count) {
            code.push(&work[(index + usize::from(count)) % work.len()]);
        }
    }

    fn skipped(&self, code: &mut Code, bytes: u32) {
        // A branch that is never taken.
        let nop = asm::brcl(Condition::Never, 0);
        for _ in 0..bytes.div_ceil(nop.len() as u32) {
            code.push(nop);
        }
    }

    fn set(&self, code: &mut Code, what: Input, value: u8) {
        code.push(asm::lghi(input(what), i16::from(value)));
    }

    fn bound_recursion(&self, code: &mut Code) {
        let register = input(Input::Recursion);
        code.push(asm::nilf(register, 3));
        // The upper half is unchanged.
        code.push(asm::llgfr(register, register));
    }

    fn decrement_recursion(&self, code: &mut Code) {
        code.push(asm::aghi(input(Input::Recursion), -1));
    }

    fn branch_if(&self, code: &mut Code, what: Input, test: Test, label: Label) {
        code.push(asm::ltgr(input(what), input(what)));
        let condition = match test {
            Test::Zero => Condition::Zero,
            Test::NotZero => Condition::NotZero,
        };
        code.branch(label, move |distance| asm::brcl(condition, distance));
    }

    fn start_loop(&self, code: &mut Code, what: Counter, times: u8) {
        code.push(asm::lghi(counter(what), i16::from(times)));
    }

    fn end_loop(&self, code: &mut Code, what: Counter, label: Label) {
        code.push(asm::aghi(counter(what), -1));
        code.branch(label, |distance| asm::brcl(Condition::NotZero, distance));
    }

    fn enter(&self, code: &mut Code, layout: &Layout) {
        match &layout.shape {
            FrameShape::Framed(frame) => enter_frame(code, frame, layout),
            FrameShape::Registers => enter_registers(code),
            FrameShape::Bare | FrameShape::RedZone | FrameShape::Realigned(_) => {}
        }
    }

    fn leave(&self, code: &mut Code, layout: &Layout) {
        match &layout.shape {
            FrameShape::Framed(frame) => leave_frame(code, frame, layout),
            FrameShape::Registers => leave_registers(code),
            FrameShape::Bare | FrameShape::RedZone | FrameShape::Realigned(_) => {}
        }
    }

    fn begin(&self, code: &mut Code) {
        // Room for the registers that callees save.
        code.push_to(move_r15(-SAVE_AREA), code.state.cfa(dwarf::R15, 2 * SAVE_AREA));
    }

    fn exit(&self, code: &mut Code) {
        code.push(asm::lghi(R2, 0));
        code.push(asm::svc(EXIT));
    }

    fn set_action(&self, code: &mut Code, action: Label) {
        code.push(asm::lghi(R2, SIGNAL.into()));
        code.branch(action, |distance| asm::larl(R3, distance));
        code.push(asm::lghi(R4, 0));
        code.push(asm::lghi(R5, MASK_SIZE.into()));
        code.push(asm::svc(SIGACTION));
    }

    fn send_signal(&self, code: &mut Code) {
        code.push(asm::svc(GETPID));
        code.push(asm::lghi(R3, SIGNAL.into()));
        code.push(asm::svc(KILL));
    }

    fn sigreturn(&self, code: &mut Code) {
        code.push(asm::svc(SIGRETURN));
    }

    fn goto_register(&self, code: &Code, number: u8, usage: Use) -> u8 {
        let is_saved = usage == Use::Kept && code.state.ra != ValueRule::SameValue;
        // Even and odd numbers are different registers.
        if is_saved && number % 4 < 2 { LINK.0 } else { [R1, R5][usize::from(number % 2)].0 }
    }

    fn load_address(&self, code: &mut Code, register: u8, label: Label) {
        code.branch(label, move |distance| asm::larl(Gpr(register), distance));
    }

    fn load_word(&self, code: &mut Code, register: u8, label: Label) {
        self.load_address(code, register, label);
        code.push(asm::lg(Gpr(register), at(0, Gpr(register))));
    }

    fn goto(&self, code: &mut Code, register: u8) {
        code.push(asm::br(Gpr(register)));
    }

    fn call_register(&self, code: &mut Code, register: u8) {
        code.push(asm::basr(LINK, Gpr(register)));
    }

    fn stub(&self, code: &mut Code, callee: &str) {
        code.push_to(move_r15(-8), entry().cfa(dwarf::R15, SAVE_AREA + 8));
        code.push_to(move_r15(8), entry());
        code.jump_out(callee, 0);
        code.push(asm::nopr(R7));
    }

    fn got_stub(&self, code: &mut Code, callee: &str) {
        code.push(asm::lgrl(R1, 8));
        code.push(asm::br(R1));
        code.address(callee, 0);
    }

    fn lower_stack(&self, code: &mut Code) {
        let slot = home(LINK) - SAVE_AREA;
        code.push_to(asm::stg(LINK, at(home(LINK) as i32, R15)), code.state.ra_at(slot));
        code.push_to(move_r15(-SAVE_AREA), code.state.cfa(dwarf::R15, 2 * SAVE_AREA));
    }

    fn set_handler(&self, code: &mut Code, pad: Label) {
        code.branch(pad, |distance| asm::larl(R5, distance));
        code.push(asm::lgr(R4, R15));
        code.push(asm::lgr(R1, FP));
    }

    fn raise(&self, code: &mut Code) {
        let (fp, link) = (at(home(FP) as i32, R15), at(home(LINK) as i32, R15));
        code.push_to(asm::stg(FP, fp), code.state.fp_at(home(FP) - SAVE_AREA));
        code.push_to(asm::stg(LINK, link), code.state.ra_at(home(LINK) - SAVE_AREA));
        code.push(asm::lghi(FP, 1));
        code.push(asm::lghi(LINK, 1));
        code.push(asm::stg(R1, fp));
        code.push(asm::stg(R5, link));
        code.push_to(asm::lg(FP, fp), code.state.fp_back());
        code.push_to(asm::lg(LINK, link), code.state.ra_back());
        code.push(asm::lgr(R15, R4));
        code.ret();
    }

    fn stub_size(&self) -> u8 {
        16
    }
}
