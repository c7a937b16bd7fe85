//! Lowers models to machine code: the parts that all targets share.

use types::{Abi, CfaRule, PacKey};

use super::code::{Code, FunctionCode};
use super::machine::{Counter, FrameShape, Input, Layout, Machine, Test, Use};
use super::plan::{FunctionPlan, OpPlan, Plan, PlannedCall};
use super::{Ending, Exit, Frame, FunctionModel, Program, Shape, Signals};
use crate::arch::{arch, target};
use crate::code::{FrameState, Transfer, signal_frame};

/// Name of the table of stubs.
const STUBS: &str = "stubs";
/// Name of the function that exits.
const FINISH: &str = "finish";
/// Name of the function that calls [`RAISE`].
const THROW: &str = "throw";
/// Name of the function that jumps to a landing pad.
const RAISE: &str = "raise";

/// Name of the function that handlers return to.
pub(super) const RESTORER: &str = "restorer";
/// `SA_SIGINFO`, `SA_RESTORER`, and `SA_NODEFER` (Linux `include/uapi/asm-generic/signal-defs.h`).
const SIGINFO_RESTORER: u64 = 0x0400_0004;
const NOT_BLOCKED: u64 = 0x4000_0000;

/// Lowers all functions, in the order of their addresses.
pub(super) fn lower(program: &Program, plan: &Plan) -> Vec<StyledFunction> {
    let machine: &'static dyn Machine = arch(program.abi);
    let mut functions = Vec::new();
    let mut parts = Vec::new();
    for (index, (model, planned)) in program.functions.iter().zip(&plan.functions).enumerate() {
        let body = Body { abi: program.abi, machine, plan, model, planned, name: name(index) };
        let (function, part) = body.lower();
        functions.push(function);
        parts.extend(part);
    }
    functions.extend(parts);
    if !plan.stubs.is_empty() {
        let got = program.got && program.kind == crate::elf::FileKind::Executable;
        functions.push(stubs(program.abi, machine, &plan.stubs, got));
    }
    if plan.functions.iter().any(FunctionPlan::throws) {
        functions.extend(throwing(program.abi, machine));
    }
    if plan.handler.is_some() {
        functions.push(restorer(program.abi, machine));
    }
    if program.kind == crate::elf::FileKind::Executable {
        let at = if program.start_last { functions.len() } else { 0 };
        functions.insert(at, start(program, machine, plan));
        match program.ending {
            Ending::Exit => {}
            Ending::Call => {
                functions.insert(if program.start_last { 0 } else { functions.len() }, finish(program.abi, machine))
            }
            Ending::CallNext => functions.insert(at + 1, finish(program.abi, machine)),
        }
    }
    functions
}

fn finish(abi: Abi, machine: &dyn Machine) -> StyledFunction {
    let mut code = Code::new(abi, FrameState::at_entry(abi));
    machine.exit(&mut code);
    StyledFunction { code: code.finish(FINISH, None, false), styles: Vec::new() }
}

/// The two functions of a throw. The outer one ends with a call that never returns.
fn throwing(abi: Abi, machine: &dyn Machine) -> [StyledFunction; 2] {
    let mut throw = Code::new(abi, FrameState::at_entry(abi));
    machine.lower_stack(&mut throw);
    throw.call(RAISE, 0);
    let mut raise = Code::new(abi, FrameState::at_entry(abi));
    machine.raise(&mut raise);
    [(throw, THROW), (raise, RAISE)]
        .map(|(code, name)| StyledFunction { code: code.finish(name, None, false), styles: vec!["style/throw"] })
}

/// A function's code and its styles.
pub(super) struct StyledFunction {
    pub(super) code: FunctionCode,
    pub(super) styles: Vec<&'static str>,
}

fn name(index: usize) -> String {
    format!("f{index}")
}

fn start(program: &Program, machine: &dyn Machine, plan: &Plan) -> StyledFunction {
    let (abi, ending) = (program.abi, program.ending);
    let mut code = Code::new(abi, FrameState::at_entry(abi).outermost());
    machine.begin(&mut code);
    let mut styles = vec!["style/outermost"];
    if let (Some(handler), Some(signals)) = (plan.handler, &program.signals) {
        handle(&mut code, machine, handler, signals);
        styles.push(if signals.nests { "style/nested-handler" } else { "style/handler" });
    }
    plan.roots.iter().for_each(|root| call(&mut code, machine, plan, *root));
    match ending {
        Ending::Exit => machine.exit(&mut code),
        Ending::Call => styles.push("style/ends-in-call"),
        Ending::CallNext => {
            styles.push("style/calls-next");
            code.align_end(arch(abi).transfer(Transfer::Call, 0).len());
        }
    }
    if ending != Ending::Exit {
        code.call(FINISH, 0);
    }
    StyledFunction { code: code.finish("_start", None, false), styles }
}

/// Places `struct sigaction` between instructions (Linux `include/linux/signal_types.h`, `struct
/// sigaction`): handler, flags, restorer, mask.
fn handle(code: &mut Code, machine: &dyn Machine, handler: usize, signals: &Signals) {
    let (action, behind) = (code.label(), code.label());
    code.jump(behind);
    code.bind(action);
    code.address(&name(handler), 0);
    code.word(SIGINFO_RESTORER | if signals.nests { NOT_BLOCKED } else { 0 });
    code.address(RESTORER, arch(code.abi()).nop().len() as u32);
    code.word(0);
    code.bind(behind);
    machine.set_action(code, action);
}

/// The function that handlers return to, after a nop: unwinders look up the byte before a return
/// address.
fn restorer(abi: Abi, machine: &dyn Machine) -> StyledFunction {
    let mut code = Code::new(abi, FrameState { cfa: CfaRule::Unspecified, ..FrameState::at_entry(abi) });
    code.push(arch(abi).nop());
    machine.sigreturn(&mut code);
    let mut code = code.finish(RESTORER, None, true);
    code.function.cfi = Some(signal_frame(abi));
    StyledFunction { code, styles: vec!["style/restorer"] }
}

fn stubs(abi: Abi, machine: &dyn Machine, callees: &[usize], got: bool) -> StyledFunction {
    let mut code = Code::new(abi, FrameState::at_entry(abi));
    for callee in callees {
        match got {
            true => machine.got_stub(&mut code, &name(*callee)),
            false => machine.stub(&mut code, &name(*callee)),
        }
    }
    let code = code.finish(STUBS, None, false);
    StyledFunction {
        code: FunctionCode { block: (!got).then(|| machine.stub_size()), ..code },
        styles: vec![if got { "style/got-stubs" } else { "style/stubs" }],
    }
}

/// Computed gotos, forwards and backwards. `back` may be the link register: it has the address of
/// the instruction after the first goto.
fn gotos(code: &mut Code, machine: &dyn Machine, register: u8) {
    let (first, second, end) = (code.label(), code.label(), code.label());
    let back = machine.goto_register(code, register.wrapping_add(1), Use::Kept);
    let by = machine.goto_register(code, register, Use::Scratch);
    machine.load_address(code, back, first);
    machine.load_address(code, by, second);
    machine.goto(code, by);
    code.bind(first);
    machine.work(code, 1);
    machine.load_address(code, by, end);
    machine.goto(code, by);
    code.bind(second);
    machine.work(code, 2);
    machine.goto(code, back);
    code.bind(end);
}

fn call_by_register(code: &mut Code, machine: &dyn Machine, target: PlannedCall, register: u8) {
    let (address, behind) = (code.label(), code.label());
    code.jump(behind);
    code.bind(address);
    code.address(&name(target.function), 0);
    // Reading that takes the address for code is at an instruction again after these.
    let nop = arch(code.abi()).nop();
    (0..16 / nop.len()).for_each(|_| code.push(&nop));
    code.bind(behind);
    set_inputs(code, machine, target);
    let register = machine.goto_register(code, register, Use::Kept);
    machine.load_word(code, register, address);
    machine.call_register(code, register);
}

fn set_inputs(code: &mut Code, machine: &dyn Machine, target: PlannedCall) {
    machine.set(code, Input::Recursion, target.recursion);
    machine.set(code, Input::FirstExit, u8::from(!target.second_exit));
}

fn call(code: &mut Code, machine: &dyn Machine, plan: &Plan, target: PlannedCall) {
    set_inputs(code, machine, target);
    match plan.stubs.iter().position(|stub| target.by_stub && *stub == target.function) {
        Some(slot) => code.call(STUBS, slot as u32 * u32::from(machine.stub_size())),
        None => code.call(&name(target.function), 0),
    }
}

/// A function that is being lowered.
struct Body<'p> {
    abi: Abi,
    machine: &'static dyn Machine,
    plan: &'p Plan,
    model: &'p FunctionModel,
    planned: &'p FunctionPlan,
    name: String,
}

impl Body<'_> {
    /// Lowers the function, and its separate part, if any.
    fn lower(&self) -> (StyledFunction, Option<StyledFunction>) {
        let layout = fit(self.abi, self.model, self.planned);
        let machine = self.machine;
        let mut code = Code::new(self.abi, FrameState::at_entry(self.abi));
        if self.model.exit == Exit::ShrinkWrapped {
            let framed = code.label();
            machine.branch_if(&mut code, Input::FirstExit, Test::NotZero, framed);
            machine.work(&mut code, 2);
            code.ret();
            code.bind(framed);
        }
        machine.enter(&mut code, &layout);
        let inside = code.state;
        let early = code.label();
        let cold = format!("{}.cold", self.name);
        match self.model.exit {
            Exit::One | Exit::ShrinkWrapped => {}
            Exit::Early => machine.branch_if(&mut code, Input::FirstExit, Test::Zero, early),
            Exit::ColdReturn | Exit::ColdBack => {
                let hot = code.label();
                machine.branch_if(&mut code, Input::FirstExit, Test::NotZero, hot);
                code.jump_out(&cold, 0);
                code.bind(hot);
            }
        }
        self.recurse(&mut code);
        if self.model.skipped > 0 {
            let behind = code.label();
            code.jump(behind);
            machine.skipped(&mut code, self.model.skipped);
            code.bind(behind);
        }
        self.planned.ops.iter().for_each(|op| self.op(&mut code, op));
        let back = code.offset();
        self.finish(&mut code, &layout);
        let comes_back = (self.model.exit == Exit::Early).then(|| {
            code.bind(early);
            let again = code.offset();
            code.state = inside;
            machine.work(&mut code, 1);
            machine.leave(&mut code, &layout);
            machine.return_from(&mut code, &layout);
            (back, again)
        });
        let code = code.finish(&self.name, layout.key, self.model.signal);
        let function = StyledFunction { code: FunctionCode { comes_back, ..code }, styles: self.styles(&layout) };
        (function, self.cold(&layout, inside, &cold, back))
    }

    fn cold(&self, layout: &Layout, inside: FrameState, name: &str, back: u32) -> Option<StyledFunction> {
        let mut code = Code::new(self.abi, inside);
        self.machine.work(&mut code, 3);
        match self.model.exit {
            Exit::One | Exit::ShrinkWrapped | Exit::Early => return None,
            Exit::ColdReturn => {
                self.machine.leave(&mut code, layout);
                self.machine.return_from(&mut code, layout);
            }
            Exit::ColdBack => code.jump_out(&self.name, back),
        }
        let code = code.finish(name, layout.key, self.model.signal);
        Some(StyledFunction { code, styles: vec!["style/cold-part"] })
    }

    fn recurse(&self, code: &mut Code) {
        if !self.planned.recursive {
            return;
        }
        let enough = code.label();
        self.machine.bound_recursion(code);
        self.machine.branch_if(code, Input::Recursion, Test::Zero, enough);
        self.machine.decrement_recursion(code);
        self.machine.set(code, Input::FirstExit, 1);
        code.call(&self.name, 0);
        code.bind(enough);
    }

    fn op(&self, code: &mut Code, op: &OpPlan) {
        match op {
            OpPlan::Work(count) => self.machine.work(code, *count),
            OpPlan::Call(target) => call(code, self.machine, self.plan, *target),
            OpPlan::Signal => self.machine.send_signal(code),
            OpPlan::Gotos(register) => gotos(code, self.machine, *register),
            OpPlan::CallByRegister(target, register) => call_by_register(code, self.machine, *target, *register),
            OpPlan::Throw => {
                let pad = code.label();
                self.machine.set_handler(code, pad);
                code.call(THROW, 0);
                self.machine.work(code, 2);
                code.bind(pad);
            }
            OpPlan::Loop { times, work, call: callee } => {
                let counter = if callee.is_some() { Counter::Saved } else { Counter::Scratch };
                self.machine.start_loop(code, counter, *times);
                let again = code.label();
                code.bind(again);
                self.machine.work(code, *work);
                callee.iter().for_each(|target| call(code, self.machine, self.plan, *target));
                self.machine.end_loop(code, counter, again);
            }
        }
    }

    /// Appends the epilogue, and the return or tail call.
    fn finish(&self, code: &mut Code, layout: &Layout) {
        self.machine.leave(code, layout);
        match self.planned.tail {
            Some(callee) => {
                self.machine.authenticate(code, layout);
                self.machine.set(code, Input::Recursion, 0);
                self.machine.set(code, Input::FirstExit, 1);
                code.jump_out(&name(callee), 0);
            }
            None => self.machine.return_from(code, layout),
        }
    }

    fn styles(&self, layout: &Layout) -> Vec<&'static str> {
        let mut styles = vec![match &layout.shape {
            FrameShape::Bare => "style/no-frame",
            FrameShape::RedZone => "style/red-zone",
            FrameShape::Registers => "style/saved-in-registers",
            FrameShape::Framed(frame) if frame.frame_pointer => "style/frame-pointer",
            FrameShape::Framed(_) => "style/no-frame-pointer",
            FrameShape::Realigned(_) => "style/realigned",
        }];
        if let FrameShape::Framed(frame) = &layout.shape {
            let features = [
                (frame.saves.len() > 1, "style/pushes-in-any-order"),
                (frame.dynamic > 0, "style/dynamic-stack"),
                (frame.locals > 0x8000, "style/stack-over-32-KiB"),
                (frame.locals > 0x1_0000, "style/stack-over-64-KiB"),
                (frame.reuses_fp && !frame.frame_pointer, "style/fp-reused"),
            ];
            styles.extend(features.into_iter().filter_map(|(is, style)| is.then_some(style)));
        }
        let exit = match self.model.exit {
            Exit::One => None,
            Exit::ShrinkWrapped => Some("style/shrink-wrapped"),
            Exit::Early => Some("style/early-return"),
            Exit::ColdReturn => Some("style/cold-returns"),
            Exit::ColdBack => Some("style/cold-comes-back"),
        };
        let key = layout.key.map(|key| if key == PacKey::A { "style/key-a" } else { "style/key-b" });
        let authenticated =
            (layout.returns_authenticated && layout.key.is_some()).then_some("style/returns-authenticated");
        styles.extend([exit, key, authenticated].into_iter().flatten());
        let looped = |op: &OpPlan| matches!(op, OpPlan::Loop { .. });
        let features = [
            (self.planned.tail.is_some(), "style/tail-call"),
            (self.planned.recursive, "style/recursion"),
            (self.planned.sends(), "style/sends-signal"),
            (self.planned.ops.iter().any(looped), "style/loop"),
            (self.planned.ops.iter().any(|op| matches!(op, OpPlan::Gotos(_))), "style/computed-goto"),
            (self.planned.ops.iter().any(|op| matches!(op, OpPlan::CallByRegister(..))), "style/call-by-register"),
            (self.planned.loops_over_calls(), "style/loop-over-calls"),
            (self.model.skipped > 0x100, "style/code-over-256-bytes"),
            (self.model.skipped > 0x1_0000, "style/code-over-64-KiB"),
        ];
        styles.extend(features.into_iter().filter_map(|(is, style)| is.then_some(style)));
        styles
    }
}

/// The closest available shape to a function's shape, with room for its body's needs.
fn fit(abi: Abi, model: &FunctionModel, planned: &FunctionPlan) -> Layout {
    let target = target(abi);
    let (calls, counter) = (planned.calls(), planned.loops_over_calls());
    let plain = Frame {
        frame_pointer: false,
        saves: Vec::new(),
        before: 0,
        locals: 0,
        dynamic: 0,
        reuses_fp: false,
        variant: 0,
    };
    let shape = match &model.shape {
        Shape::RedZone if abi.facts().red_zone > 0 && !calls => FrameShape::RedZone,
        Shape::Registers if target.parks_in_registers && !calls => FrameShape::Registers,
        Shape::Bare | Shape::RedZone | Shape::Registers => FrameShape::Bare,
        Shape::Framed(frame) => FrameShape::Framed(rounded(frame, planned)),
        // The loop counter would have no register.
        Shape::Realigned(realigned) if target.realigns && !counter => FrameShape::Realigned(realigned.clone()),
        Shape::Realigned(realigned) => {
            let locals = u32::from(realigned.locals).next_multiple_of(16);
            FrameShape::Framed(Frame { frame_pointer: true, dynamic: 32, locals, ..plain.clone() })
        }
    };
    let needs_frame = counter || (calls && abi.facts().link_register);
    let shape = match shape {
        FrameShape::Bare if needs_frame => FrameShape::Framed(plain),
        shape => shape,
    };
    let returns_authenticated = model.returns_authenticated && target.signs;
    Layout { shape, key: model.key.filter(|_| target.signs), returns_authenticated, calls, counter }
}

/// A frame with sizes that keep SP aligned, and that a recursion can repeat.
fn rounded(frame: &Frame, planned: &FunctionPlan) -> Frame {
    // s390x accesses the whole frame by displacements of 20 signed bits.
    let most = if planned.recursive { 0x1_8000 } else { 0x7_f000 };
    let locals = frame.locals.min(most).next_multiple_of(16);
    let dynamic = if frame.frame_pointer { frame.dynamic.min(0x7000).next_multiple_of(16) } else { 0 };
    Frame { locals, dynamic, ..frame.clone() }
}
