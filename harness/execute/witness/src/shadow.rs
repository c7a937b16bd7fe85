//! The shadow call stack: the live frames, derived from what the executed instructions did, without
//! any table. Pure: one observation per instruction is passed in.
//!
//! - A **call**: control is not at the next instruction, and the address of the next instruction is
//!   now the return address, on the stack with SP one word lower (AMD64) or in the link register
//!   (AArch64, s390x). A jump inside a function by an instruction that writes no link register is a
//!   computed goto, whatever the register has. A jump to a function's start with the address of the
//!   next instruction at the top of the stack is a call by hand. Control at the next instruction is
//!   a call too, if a function symbol begins there: `call .+5; pop` is not a call. A `call` of a
//!   retpoline thunk inside the same function is an indirect call: the frame begins at the
//!   retpoline's target.
//! - A **return**: control is at a frame's return address with the SP of that frame's caller. A
//!   callee may leave stack allocated for its caller (an outlined prologue or alloca) and return
//!   with a lower SP: that is a return if a return instruction transferred control to the innermost
//!   frame's return address. A jump inside a recursive function may go there too.
//! - Frames that SP has **passed** end at the next transfer of control, not sooner: a longjmp sets
//!   SP some instructions before it jumps, and until then no frame is the caller. A step whose SP
//!   is above the SP of its innermost frame's caller is such an instruction. Code between the two
//!   may branch: only a jump to an address that was loaded from memory is the landing.
//! - A **longjmp** may land with SP equal to the SP of the caller of the frame that it abandons. It
//!   is recognised by its landing: at the (return address, SP) of an earlier call by a live frame,
//!   such as `setjmp`. `__builtin_setjmp` is not a call: on AMD64 SP has passed the return address,
//!   on other targets symbols show that control landed in the middle of the caller.
//! - A **throw** lands at another address, but usually passes frames. The frame of the call that
//!   threw ends too: its caller's SP is the SP at the landing. A throw to the direct caller
//!   lands like a longjmp, possibly by a return instruction.
//! - All other transfers, including tail calls and PLT stubs, leave the frames unchanged.

use std::sync::Arc;

use types::{Abi, EarlierCalls, Event, Frame, Outermost, Pc, Symbol};

use crate::branch::Branch;

mod calls;
mod plain;
mod signals;
mod signing;
mod switches;

impl EarlierCalls for Shadow {
    fn came_back(&self, ra: u64, sp: u64) -> bool {
        self.calls.level_of(ra, sp).is_some()
    }
}

#[cfg(test)]
mod tests;

use calls::Calls;
pub use signals::Interruption;
use switches::Parked;
pub use switches::Switch;

/// Maximum number of live frames. A stack of 8 MiB holds no more on AMD64; on other targets a
/// recursive function without stack usage would make the list grow until the step limit.
pub const DEPTH_LIMIT: usize = 1 << 20;

/// The state at one instruction boundary.
#[derive(Clone, Copy, Debug)]
pub struct Observation {
    /// The instruction about to execute.
    pub pc: u64,
    /// Length of the instruction in bytes.
    pub size: u64,
    /// Stack pointer.
    pub sp: u64,
    /// Frame pointer.
    pub fp: u64,
    /// Link register; not used on AMD64.
    pub link: u64,
}

/// Length of BASR in bytes (z/Architecture Principles of Operation, BRANCH AND SAVE).
const BASR: u64 = 2;

/// The boundary of a stack in use to the stack outside of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Floor {
    /// Number of frames on outer stacks.
    frames: usize,
    /// True if a signal left the innermost outer stack, false if its function switched stacks
    /// itself.
    interrupted: bool,
}

/// A call of a retpoline inside the calling function: the callee's frame begins at the retpoline's
/// target.
#[derive(Clone, Copy, Debug)]
struct IndirectCall {
    /// The callee's return address, at the top of the stack or in the link register when the callee
    /// begins.
    ra: u64,
    /// SP when the callee begins.
    sp: u64,
}

/// The live frames of one execution.
#[derive(Clone, Debug)]
pub struct Shadow {
    frames: Vec<Frame>,
    calls: Calls,
    /// Address ranges of functions from their symbols: start and end, ascending.
    functions: Arc<Vec<(u64, u64)>>,
    link_register: bool,
    cfa_minus_sp: u64,
    caller_sp_minus_cfa: u64,
    /// PC, SP and link register of the previous step, and the address after its instruction.
    pc: u64,
    sp: u64,
    link: u64,
    next: u64,
    started: bool,
    max_depth: usize,
    /// The boundary of each stack in use except the first.
    floors: Vec<Floor>,
    /// SP is on an outer stack, which has this number of stacks outside of it.
    away: Option<usize>,
    /// Stacks of other contexts, and the state of a stack switch.
    parked: Vec<Parked>,
    switch: Option<Switch>,
    /// Starts of separate function parts with a symbol of their own, ascending.
    parts: Arc<Vec<u64>>,
    indirect_call: Option<IndirectCall>,
    /// The event of the next step, if the kernel caused it.
    made: Option<Event>,
    /// Number of changes of the list of frames.
    changes: u64,
    outermost: Outermost,
}

impl Shadow {
    /// Creates a shadow stack without frames, before the first observation.
    #[must_use]
    pub fn new(abi: Abi) -> Self {
        let facts = abi.facts();
        Shadow {
            frames: Vec::with_capacity(256),
            calls: Calls::default(),
            functions: Arc::default(),
            link_register: facts.link_register,
            cfa_minus_sp: facts.cfa_minus_sp_at_entry as u64,
            caller_sp_minus_cfa: facts.caller_sp_minus_cfa as u64,
            pc: 0,
            sp: 0,
            link: 0,
            next: 0,
            started: false,
            max_depth: 0,
            floors: Vec::new(),
            away: None,
            parked: Vec::new(),
            switch: None,
            parts: Arc::default(),
            indirect_call: None,
            made: None,
            changes: 0,
            outermost: Outermost::Begun,
        }
    }

    /// Adds functions from their symbols.
    pub fn with_functions<'a>(mut self, symbols: impl IntoIterator<Item = &'a Symbol>) -> Self {
        let (functions, parts) = (Arc::make_mut(&mut self.functions), Arc::make_mut(&mut self.parts));
        for symbol in symbols.into_iter().filter(|symbol| symbol.function && symbol.size > 0) {
            functions.push((symbol.address, symbol.address.saturating_add(symbol.size)));
            if symbol.name.ends_with(".cold") {
                parts.push(symbol.address);
            }
        }
        functions.sort_unstable();
        parts.sort_unstable();
        self
    }

    /// The shadow stack of a new thread of the program, without frames.
    #[must_use]
    pub fn of_another_thread(&self, abi: Abi) -> Shadow {
        Shadow { functions: Arc::clone(&self.functions), parts: Arc::clone(&self.parts), ..Shadow::new(abi) }
    }

    /// Adds the frame of a caller that is not executed: the return address of the started function
    /// is `ra`, its SP `sp`.
    pub fn enter(&mut self, ra: u64, sp: u64, fp: u64) {
        self.push(ra, sp, fp);
    }

    /// The live frames, outermost first.
    #[inline]
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Maximum number of frames live at once.
    pub fn max_depth(&self) -> usize {
        self.max_depth
    }

    /// Returns true if more frames are live than [`DEPTH_LIMIT`].
    #[inline]
    pub fn too_deep(&self) -> bool {
        self.frames.len() > DEPTH_LIMIT
    }

    /// The caller's SP after a frame's return.
    #[inline]
    pub fn caller_sp(&self, frame: &Frame) -> u64 {
        frame.cfa.wrapping_add(self.caller_sp_minus_cfa)
    }

    /// What is known of the function that the outermost frame came from.
    #[inline]
    pub fn outermost(&self) -> Outermost {
        self.outermost
    }

    /// Number of times that frames came or went.
    #[inline]
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Processes one instruction boundary, and returns its event. `top` reads the word at the top
    /// of the stack, `branch` classifies the instruction at an address.
    #[inline]
    pub fn observe(
        &mut self,
        at: &Observation,
        top: impl FnOnce() -> Option<u64>,
        branch: impl Fn(u64) -> Branch,
    ) -> Event {
        let event = match at.pc == self.next && self.started {
            true => self.step_on(at, top, branch),
            false => self.transfer(at, top, branch),
        };
        (self.pc, self.sp, self.link) = (at.pc, at.sp, at.link);
        self.next = at.pc.wrapping_add(at.size);
        event
    }

    /// Handles control at the next instruction. This may be a call: a function that ends with a
    /// call that never returns may be directly before its callee. If no function begins there, the
    /// call only reads its own address, and makes no frame. Without symbols AMD64 code does so if
    /// it takes the address from the stack; other code has instructions for that, and BASR with
    /// operand 0, which branches nowhere.
    #[inline]
    fn step_on(
        &mut self,
        at: &Observation,
        top: impl FnOnce() -> Option<u64>,
        branch: impl Fn(u64) -> Branch,
    ) -> Event {
        let called = match self.link_register {
            true => at.link == at.pc,
            false => at.sp == self.sp.wrapping_sub(self.cfa_minus_sp) && top() == Some(at.pc),
        };
        let begins = || self.function_at(at.pc).is_some_and(|(start, _)| start == at.pc);
        let is_unknown = || [self.pc, at.pc].into_iter().all(|pc| self.function_at(pc).is_none());
        let branches = || match self.link_register {
            true => self.link != at.link && self.next.wrapping_sub(self.pc) > BASR,
            false => !matches!(branch(at.pc), Branch::Pops | Branch::Discards),
        };
        if called && (begins() || is_unknown() && branches()) {
            self.call(at);
            return Event::Call;
        }
        // A stub before the function that it jumps to.
        if let Some(call) = self.indirect_call
            && self.link_register
            && (at.sp, at.link) == (call.sp, call.ra)
            && begins()
        {
            self.indirect_call = None;
            self.push(call.ra, at.sp, at.fp);
            return Event::Call;
        }
        Event::Sequential
    }

    fn transfer(
        &mut self,
        at: &Observation,
        top: impl FnOnce() -> Option<u64>,
        branch: impl Fn(u64) -> Branch,
    ) -> Event {
        if !self.started {
            self.started = true;
            return Event::Entry;
        }
        if let Some(event) = self.made.take() {
            return event;
        }
        let branch = |pc: u64| match branch(pc) {
            Branch::Executes(distance) => branch(pc.wrapping_add_signed(distance)),
            kind => kind,
        };
        let top = if self.link_register { None } else { top() };
        let called = match self.link_register {
            true => at.link == self.next && !self.is_goto(at, branch),
            // Code that pushes the address itself and jumps to another function calls it.
            false => {
                let pushes = at.sp == self.sp.wrapping_sub(self.cfa_minus_sp);
                top == Some(self.next) && (pushes || (at.sp == self.sp && self.begins(at.pc)))
            }
        };
        if self.switch == Some(Switch::UnderWay) {
            return self.land(at, called, top, branch);
        }
        if let Some(left) = self.away {
            return self.come_back(left, at, called, branch);
        }
        let returns_to = if self.link_register { Some(at.link) } else { top };
        if let Some(call) = self.indirect_call.take_if(|call| at.sp >= call.sp)
            && (at.sp, returns_to) == (call.sp, Some(call.ra))
        {
            self.push(call.ra, at.sp, at.fp);
            return Event::Call;
        }
        if called {
            match branch(at.pc) {
                Branch::Discards => return Event::Jump,
                Branch::Retpoline if self.is_within_own(at.pc) => {
                    self.indirect_call = Some(IndirectCall { ra: self.next, sp: at.sp });
                    return Event::Jump;
                }
                Branch::Retpoline
                | Branch::Pops
                | Branch::Relative
                | Branch::Return
                | Branch::Indirect
                | Branch::Executes(_)
                | Branch::Other => {}
            }
            self.call(at);
            return Event::Call;
        }
        // An interruptible instruction (x86 `rep`, s390x `mvcl` and `ex`) is observed several times
        // at one PC.
        if at.pc == self.pc && at.sp == self.sp {
            return Event::Sequential;
        }
        self.arrive_or_jump(at, branch)
    }

    /// Returns true for a jump inside a function by an instruction that writes no link register,
    /// which had the next instruction's address before. Code that sets the register itself and
    /// jumps to another function calls it.
    fn is_goto(&self, at: &Observation, branch: impl Fn(u64) -> Branch) -> bool {
        let inside = match self.function_at(self.pc) {
            Some((start, end)) => at.sp == self.sp && (start + 1..end).contains(&at.pc),
            None => at.sp == self.sp && self.function_at(at.pc).is_none_or(|(start, _)| start != at.pc),
        };
        inside && !branch(self.pc).may_link()
    }

    fn arrive_or_jump(&mut self, at: &Observation, branch: impl FnOnce(u64) -> Branch) -> Event {
        match self.frames[self.floor()..].last() {
            Some(frame) if self.caller_sp(frame) <= at.sp => self.arrive(at, branch),
            Some(frame) if frame.ra.0 == at.pc && branch(self.pc) == Branch::Return => {
                self.end_frames(self.frames.len() - 1)
            }
            _ => Event::Jump,
        }
    }

    fn call(&mut self, at: &Observation) {
        // Frames that SP passed before this call have ended; they must not remain below the new
        // one.
        let floor = self.floor();
        let passed = floor + self.frames[floor..].partition_point(|frame| self.caller_sp(frame) >= self.sp);
        if passed < self.frames.len() {
            self.drop_to(passed);
        }
        self.push(self.next, at.sp, at.fp);
    }

    fn push(&mut self, ra: u64, sp: u64, fp: u64) {
        let cfa = sp.wrapping_add(self.cfa_minus_sp);
        self.changes += 1;
        self.frames.push(Frame { number: self.changes, ..Frame::called(Pc(ra), cfa, fp) });
        self.calls.push_level();
        self.max_depth = self.max_depth.max(self.frames.len());
    }

    /// Handles a transfer of control with SP at or above the SP of the innermost frame's caller.
    fn arrive(&mut self, at: &Observation, branch: impl FnOnce(u64) -> Branch) -> Event {
        let depth = self.frames.len();
        // SPs of callers never rise towards the innermost frame: first the frames that stay, then
        // those whose caller's SP equals SP, then those that SP has passed.
        let floor = self.floor();
        let equal = floor + self.frames[floor..].partition_point(|frame| self.caller_sp(frame) > at.sp);
        let passed = equal + self.frames[equal..].partition_point(|frame| self.caller_sp(frame) == at.sp);

        if let Some(back) = self.frames[equal..passed].iter().rposition(|frame| frame.ra.0 == at.pc) {
            return self.end_frames(equal + back);
        }
        if passed < depth {
            // `ret n` returns with SP above that at the call: it also pops the callee's arguments.
            if passed + 1 == depth && self.frames[passed].ra.0 == at.pc {
                return self.end_frames(passed);
            }
            if branch(self.pc) == Branch::Relative {
                return Event::Jump;
            }
            let landed = self.calls.level_of(at.pc, at.sp).filter(|level| (equal..=passed).contains(level));
            // Neither a longjmp nor a throw lands at the start of a function: a switch to a stack
            // that is inside another stack's frame does.
            if landed.is_none() && self.begins(at.pc) {
                self.switch = Some(Switch::Lost);
            }
            return self.end_frames_unwound(landed.unwrap_or(passed.saturating_sub(1).max(equal)));
        }
        // One instruction raised SP to the caller's SP and jumped elsewhere: a `ret` used as a
        // jump, after its word was overwritten (a retpoline) or skipped (a throw by `eh_return`).
        if !self.link_register && self.sp < at.sp {
            return self.end_frames_unwound(equal);
        }
        match self.calls.level_of(at.pc, at.sp) {
            Some(level) if (equal..depth).contains(&level) => self.end_frames_unwound(level),
            _ => match self.landed_within(equal, at.pc, branch) {
                Some(level) => self.end_frames_unwound(level),
                None => Event::Jump,
            },
        }
    }

    /// The frame that ends when control lands inside the caller at an address that is not a return
    /// address, as with `__builtin_setjmp` and landing pads. On AMD64 SP is past the frame's return
    /// address, and control is not at that address. On other targets a leaf may jump inside itself
    /// or to the start of another function with the same SP: there control must land in the middle
    /// of the function that made the call.
    fn landed_within(&self, equal: usize, pc: u64, branch: impl FnOnce(u64) -> Branch) -> Option<usize> {
        if !self.link_register {
            return (branch(self.pc) == Branch::Other).then_some(equal);
        }
        let (from, to) = (self.function_at(self.pc)?, self.function_at(pc)?);
        if from == to || pc == to.0 || branch(self.pc) == Branch::Relative {
            return None;
        }
        let made_there = |frame: &Frame| (to.0..to.1).contains(&frame.ra.0.wrapping_sub(1));
        self.frames.get(equal..)?.iter().rposition(made_there).map(|back| equal + back)
    }

    /// Returns true if an address is inside the executing function, known by its symbol. Without a
    /// symbol a stub may be a function of its own, as compilers make most of them.
    fn is_within_own(&self, pc: u64) -> bool {
        self.function_at(self.pc).is_some_and(|(start, end)| (start + 1..end).contains(&pc))
    }

    fn function_at(&self, pc: u64) -> Option<(u64, u64)> {
        let behind = self.functions.partition_point(|(start, _)| *start <= pc);
        let function = *self.functions.get(behind.checked_sub(1)?)?;
        (pc < function.1).then_some(function)
    }

    fn end_frames(&mut self, first: usize) -> Event {
        let event = if first + 1 == self.frames.len() { Event::Return } else { Event::Unwound };
        self.drop_to(first);
        event
    }

    fn end_frames_unwound(&mut self, first: usize) -> Event {
        self.drop_to(first);
        Event::Unwound
    }

    /// Ends frame `first` and all inner frames. The function that made the call of frame `first`
    /// continues.
    fn drop_to(&mut self, first: usize) {
        if let Some(frame) = self.frames.get(first) {
            let (ra, sp) = (frame.ra.0, self.caller_sp(frame));
            self.truncate(first);
            self.calls.record(ra, sp);
        }
    }
}
