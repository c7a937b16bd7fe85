//! A program with resolved callees: call graph, depth, and calls that are omitted because the
//! program would run for too long.

use super::machine;
use super::{ByRegister, CallTo, Callee, Exit, FunctionModel, Op, Program};
use crate::elf::FileKind;

/// Maximum number of instructions of one activation of a function, including callees; `_start` may
/// use this number for each of two calls.
const LONGEST: u64 = 3_000;
/// Approximate number of instructions of a function besides its body.
const FRAME: u64 = 60;
/// Approximate number of instructions of a call or a loop iteration, without callees.
const TURN: u64 = 12;
/// Number of instructions of a throw.
const THROW: u64 = 40;
/// Number of instructions of computed gotos.
const GOTOS: u64 = 12;
/// Number of instructions to send a signal and return from its handler.
const SIGNAL: u64 = 12;
/// Maximum number of nested activations of a recursive function: [`CallTo::recursion`] is at most
/// 3.
const ACTIVATIONS: u64 = 4;

/// The program's functions with resolved callees.
pub(super) struct Plan {
    pub(super) functions: Vec<FunctionPlan>,
    /// Calls of `_start`, in order.
    pub(super) roots: Vec<PlannedCall>,
    /// Maximum number of frames in a run from `_start`.
    pub(super) depth: u64,
    /// Functions that are called through stubs, ascending, each once.
    pub(super) stubs: Vec<usize>,
    /// Index of the function that handles a signal.
    pub(super) handler: Option<usize>,
}

/// A function with its callees resolved.
pub(super) struct FunctionPlan {
    pub(super) ops: Vec<OpPlan>,
    pub(super) tail: Option<usize>,
    pub(super) recursive: bool,
    exit: Exit,
    /// Maximum number of inner frames, for the normal and for the early return, without recursion.
    nest: [u64; 2],
    steps: u64,
}

/// [`Op`] with its callee resolved.
pub(super) enum OpPlan {
    Work(u8),
    Call(PlannedCall),
    Throw,
    Signal,
    /// Computed gotos, by a register and the one after it.
    Gotos(u8),
    CallByRegister(PlannedCall, u8),
    Loop {
        times: u8,
        work: u8,
        call: Option<PlannedCall>,
    },
}

/// [`CallTo`] with the callee as an index into the program's functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlannedCall {
    pub(super) function: usize,
    pub(super) recursion: u8,
    pub(super) second_exit: bool,
    pub(super) by_stub: bool,
}

/// Resolves callees from the last function, which cannot call anything, to the first.
pub(super) fn plan(program: &Program) -> Plan {
    let count = program.functions.len();
    let mut functions = LaterFunctions { count, done: Vec::with_capacity(count) };
    let signals = program.signals.as_ref().filter(|_| program.kind == FileKind::Executable);
    let handler = signals.and_then(|signals| usize::from(signals.handler).checked_rem(count));
    for (index, model) in program.functions.iter().enumerate().rev() {
        let mut sent = Vec::new();
        if let (Some(signals), Some(handler)) = (signals, handler.filter(|handler| index < *handler)) {
            let here = signals.sent.iter().filter(|(sender, _)| usize::from(*sender) % handler == index);
            sent.extend(here.map(|(_, place)| (handler, usize::from(*place))));
        }
        let is_here = |one: &&ByRegister| usize::from(one.function) % count == index;
        let by_register: Vec<&ByRegister> = program.by_register.iter().filter(is_here).collect();
        let has_addresses = program.kind == FileKind::Executable;
        let extra = Extra { sent, by_register, has_addresses };
        let planned = function(model, index, &functions, &extra);
        functions.done.push(planned);
    }
    let mut steps = 0;
    let mut roots = Vec::new();
    for call in &program.roots {
        let Some(target) = resolve(call, 0, count) else { continue };
        steps += functions.at(target.function).steps;
        if steps <= 2 * LONGEST {
            roots.push(target);
        }
    }
    let depth = roots.iter().map(|root| 1 + functions.at(root.function).nest(*root)).max().unwrap_or(0);
    let mut functions = functions.done;
    functions.reverse();
    let stubs = through_stubs(&functions, &roots);
    Plan { functions, roots, depth, stubs, handler }
}

fn through_stubs(functions: &[FunctionPlan], roots: &[PlannedCall]) -> Vec<usize> {
    let inner = functions.iter().flat_map(|function| &function.ops).filter_map(OpPlan::call);
    let mut through: Vec<usize> =
        inner.chain(roots.iter().copied()).filter(|target| target.by_stub).map(|target| target.function).collect();
    through.sort_unstable();
    through.dedup();
    through
}

/// The functions after the one that is being planned, the last first.
struct LaterFunctions {
    count: usize,
    done: Vec<FunctionPlan>,
}

impl LaterFunctions {
    fn at(&self, function: usize) -> &FunctionPlan {
        &self.done[self.count - 1 - function]
    }
}

/// What a function has besides its body.
struct Extra<'p> {
    /// The handlers of signals that the function sends, and the number of body parts before each.
    sent: Vec<(usize, usize)>,
    by_register: Vec<&'p ByRegister>,
    /// The file has absolute addresses.
    has_addresses: bool,
}

fn function(model: &FunctionModel, index: usize, later: &LaterFunctions, extra: &Extra<'_>) -> FunctionPlan {
    let mut draft = Draft { index, later, steps: FRAME, nest: 0, activations: 1 };
    if model.recursive {
        draft.activations = ACTIVATIONS;
    }
    let mut ops = Vec::new();
    for op in &model.body {
        match op {
            Op::Work(work) if draft.afford(u64::from(*work)) => ops.push(OpPlan::Work(*work)),
            Op::Work(_) => {}
            Op::Throw if draft.afford(THROW) => {
                draft.nest = draft.nest.max(2);
                ops.push(OpPlan::Throw);
            }
            Op::Throw => {}
            Op::Call(call) => ops.extend(draft.call(call, 1).map(OpPlan::Call)),
            Op::Loop { times, work, call } => {
                let times = (*times).clamp(1, 3);
                let call = call.as_ref().and_then(|call| draft.call(call, u64::from(times)));
                if call.is_some() || draft.afford(u64::from(times) * (u64::from(*work) + TURN)) {
                    ops.push(OpPlan::Loop { times, work: *work, call });
                }
            }
        }
    }
    for one in &extra.by_register {
        let op = match one.call.filter(|_| extra.has_addresses) {
            Some(call) => draft.call(&call, 1).map(|call| OpPlan::CallByRegister(call, one.register)),
            None => draft.afford(GOTOS).then_some(OpPlan::Gotos(one.register)),
        };
        let at = usize::from(one.place) % (ops.len() + 1);
        ops.splice(at..at, op);
    }
    for (handler, place) in &extra.sent {
        if draft.interrupted_by(*handler) {
            ops.insert(place % (ops.len() + 1), OpPlan::Signal);
        }
    }
    let tail = model.tail.and_then(|callee| draft.tail(callee));
    let second = match model.exit {
        Exit::One => draft.nest,
        Exit::ShrinkWrapped | Exit::Early | Exit::ColdReturn => 0,
        // The separate part returns to the code after the body, before the tail call.
        Exit::ColdBack => tail.map_or(0, |function| later.at(function).nest[0]),
    };
    FunctionPlan {
        ops,
        tail,
        recursive: model.recursive,
        exit: model.exit,
        nest: [draft.nest, second],
        steps: draft.steps * draft.activations,
    }
}

/// The state while a function's body is planned.
struct Draft<'p> {
    index: usize,
    later: &'p LaterFunctions,
    steps: u64,
    nest: u64,
    activations: u64,
}

impl Draft<'_> {
    fn afford(&mut self, more: u64) -> bool {
        let fits = (self.steps + more) * self.activations <= LONGEST;
        self.steps += if fits { more } else { 0 };
        fits
    }

    fn call(&mut self, call: &CallTo, times: u64) -> Option<PlannedCall> {
        let target = resolve(call, self.index + 1, self.later.count)?;
        let callee = self.later.at(target.function);
        self.afford(times * (callee.steps + TURN)).then(|| {
            self.nest = self.nest.max(1 + callee.nest(target));
            target
        })
    }

    /// A handler's argument is the signal number.
    fn interrupted_by(&mut self, handler: usize) -> bool {
        let target =
            PlannedCall { function: handler, recursion: machine::SIGNAL % 4, second_exit: false, by_stub: false };
        let planned = self.later.at(handler);
        let fits = self.afford(planned.steps + SIGNAL);
        if fits {
            self.nest = self.nest.max(1 + planned.nest(target));
        }
        fits
    }

    /// The callee's frame replaces the caller's.
    fn tail(&mut self, callee: Callee) -> Option<usize> {
        let call = CallTo { callee, recursion: 0, second_exit: false, by_stub: false };
        let target = resolve(&call, self.index + 1, self.later.count)?;
        let callee = self.later.at(target.function);
        self.afford(callee.steps).then(|| {
            self.nest = self.nest.max(callee.nest(target));
            target.function
        })
    }
}

impl FunctionPlan {
    /// Returns true if the function calls anything that returns, including the kernel.
    pub(super) fn calls(&self) -> bool {
        self.recursive || self.throws() || self.sends() || self.ops.iter().any(|op| op.call().is_some())
    }

    /// Returns true if the function sends a signal.
    pub(super) fn sends(&self) -> bool {
        self.ops.iter().any(|op| matches!(op, OpPlan::Signal))
    }

    /// Returns true if a callee throws to the function.
    pub(super) fn throws(&self) -> bool {
        self.ops.iter().any(|op| matches!(op, OpPlan::Throw))
    }

    /// Returns true if the function needs a counter that survives calls.
    pub(super) fn loops_over_calls(&self) -> bool {
        self.ops.iter().any(|op| matches!(op, OpPlan::Loop { call: Some(_), .. }))
    }

    /// Maximum number of frames inside that of an activation.
    fn nest(&self, target: PlannedCall) -> u64 {
        if target.second_exit && self.exit != Exit::One {
            return self.nest[1];
        }
        let again = if self.recursive { u64::from(target.recursion) } else { 0 };
        again + self.nest[0]
    }
}

impl OpPlan {
    fn call(&self) -> Option<PlannedCall> {
        match self {
            OpPlan::Work(_) | OpPlan::Throw | OpPlan::Signal | OpPlan::Gotos(_) => None,
            OpPlan::Call(target) | OpPlan::CallByRegister(target, _) => Some(*target),
            OpPlan::Loop { call, .. } => *call,
        }
    }
}

fn resolve(call: &CallTo, first: usize, count: usize) -> Option<PlannedCall> {
    let behind = count.checked_sub(first).filter(|behind| *behind > 0)?;
    Some(PlannedCall {
        function: first + usize::from(call.callee) % behind,
        recursion: call.recursion.min(3),
        second_exit: call.second_exit,
        by_stub: call.by_stub,
    })
}
