//! The stacks of a program: the one in use, and those that were left for signal handlers. Each is
//! known by its address range; the range of its host memory may change while the program runs.
#![allow(unsafe_code, reason = "stacks are read through host pointers")]

use types::{Extent, Fault, FrameRegs, OuterStacks};
use witness::Interruption;

use crate::memory::{Memory, Window};

/// A stack of which only the end is known has so much above where its first function begins:
/// arguments. Below SP so much is its own: another one may be next to it.
const ABOVE: u64 = 256;
const BELOW: u64 = 256;
/// The most bytes of a kernel's frame for a handler below what is known of a stack.
const GROWTH: u64 = 4096;
/// A stack has its end at that of a region, or so near.
const AT_END: u64 = 64 << 10;

/// The address range of a stack; an empty stack begins at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StackRange {
    start: u64,
    end: u64,
    /// Only the end is known: the stack grows.
    open: bool,
}

/// The stacks in use, the first one outermost.
#[derive(Clone)]
pub(crate) struct Stacks {
    /// The innermost stack.
    pub(crate) now: Window,
    place: StackRange,
    left: Left,
    /// The stack that the kernel gave, which is never unmapped.
    first: Window,
    /// Stacks of other contexts that the program may return to.
    parked: Vec<ParkedStack>,
}

/// A stack that was in use, with what was left for handlers on it.
#[derive(Clone)]
struct ParkedStack {
    window: Window,
    place: StackRange,
    /// SP when it was left: what is below may be in use again.
    sp: u64,
    left: Left,
}

impl ParkedStack {
    /// SP is as one of it or of what was left on it.
    fn is_one_of(&self, sp: u64) -> bool {
        self.place.holds_sp(sp) || self.left.stacks.iter().any(|stack| stack.place.holds_sp(sp))
    }
}

/// A signal handler that has begun: its effect on the frames, and its alternate stack, if any.
pub(crate) struct Begun {
    pub by: Interruption,
    pub live_from: u64,
    pub alternate: Option<StackRange>,
    /// Registers at the interrupted instruction.
    pub registers: FrameRegs,
    /// Addresses in the signal frame of PC, SP and FP, and their stored words.
    pub kept: [(u64, u64); 3],
}

/// Stacks that were left, outermost first.
#[derive(Clone, Default)]
pub(crate) struct Left {
    stacks: Vec<LeftStack>,
    /// SP is on no stack in use: the stacks of all frames are unknown.
    lost: bool,
}

#[derive(Clone)]
struct LeftStack {
    place: StackRange,
    window: Window,
    /// SP, and the lowest live address.
    sp: u64,
    live_from: u64,
    /// Number of frames whose callers are on this stack or an outer one.
    frames: usize,
    /// The interrupted state; `None` if a function has switched stacks by itself.
    interrupted: Option<Interrupted>,
}

#[derive(Clone)]
struct Interrupted {
    registers: FrameRegs,
    /// Addresses in the signal frame of PC, SP and FP, and their stored words.
    kept: [(u64, u64); 3],
}

impl StackRange {
    pub(crate) fn new(start: u64, end: u64) -> StackRange {
        StackRange { start, end, open: false }
    }

    fn from_window(window: Window) -> StackRange {
        StackRange::new(window.base, window.base + window.len as u64)
    }

    fn open(window: Window) -> StackRange {
        StackRange { open: true, ..StackRange::from_window(window) }
    }

    /// Returns true if a stack pointer with this value belongs to the stack.
    fn holds_sp(self, sp: u64) -> bool {
        (self.start..=self.end).contains(&sp)
    }
}

impl Stacks {
    pub(crate) fn new(first: Window) -> Stacks {
        Stacks { now: first, place: StackRange::from_window(first), left: Left::default(), first, parked: Vec::new() }
    }

    /// The stack of another thread, which begins with this SP. Its memory may be unmapped by that
    /// thread itself; that of the first one is not. None if it is in no memory.
    pub(crate) fn of_thread(&self, sp: u64, memory: &Memory) -> Option<Stacks> {
        let mut stacks = Stacks { first: self.first, ..Stacks::new(self.first) };
        stacks.begin(sp, memory).then_some(stacks)
    }

    /// The stack in use is the one of this SP, and nothing is known of any other: its whole region
    /// if SP is near the end of that, else it is one of several there. False if it is in no memory.
    pub(crate) fn begin(&mut self, sp: u64, memory: &Memory) -> bool {
        let Some(region) = memory.window(sp.wrapping_sub(1)) else { return false };
        self.left = Left::default();
        self.parked.clear();
        if (region.base + region.len as u64).saturating_sub(sp) <= AT_END {
            self.replace(region);
            return true;
        }
        let window = begun(sp, memory);
        if let Some(window) = window {
            (self.now, self.place) = (window, StackRange::open(window));
        }
        window.is_some()
    }

    /// Nothing is known any more of the stacks that were left around the one in use.
    pub(crate) fn forget_left(&mut self) {
        self.left = Left::default();
    }

    /// Forgets the stacks that the program used before, if SP is as one of any of them.
    pub(crate) fn forget_parked(&mut self, sp: u64) -> bool {
        let forgets = self.parked.iter().any(|parked| parked.is_one_of(sp));
        if forgets {
            self.parked.clear();
        }
        forgets
    }

    /// SP is as one of a stack that was left for a function or a handler that is live.
    pub(crate) fn left_one_of(&self, sp: u64) -> bool {
        self.left.stacks.iter().any(|stack| stack.place.holds_sp(sp))
    }

    pub(crate) fn left(&self) -> &Left {
        &self.left
    }

    /// Replaces the stack in use by one without frames.
    pub(crate) fn replace(&mut self, window: Window) {
        (self.now, self.place) = (window, StackRange::from_window(window));
    }

    /// Begins a handler, on the alternate stack or below the live part of the interrupted
    /// function's stack; `frames` frames are outside of it. Returns false if its stack is not in
    /// memory.
    pub(crate) fn enter(&mut self, begun: &Begun, frames: usize, memory: &Memory) -> bool {
        let (sp, live_from) = (begun.by.sp, begun.live_from);
        let below = || StackRange { end: live_from, ..self.reaching(begun.by.sp, begun.by.handler_sp, memory) };
        let place = begun.alternate.unwrap_or_else(below);
        let Some(window) = window(place, memory) else { return false };
        let interrupted = Some(Interrupted { registers: begun.registers, kept: begun.kept });
        self.left.stacks.push(LeftStack { place: self.place, window: self.now, sp, live_from, frames, interrupted });
        (self.now, self.place) = (window, place);
        true
    }

    /// The stack of the interrupted function's SP, extended so that the handler's frame fits: a
    /// signal frame may be larger than the range assumed for the stack. A stack that SP has just
    /// reached is known only by that SP.
    fn reaching(&self, sp: u64, handler_sp: u64, memory: &Memory) -> StackRange {
        let place = if self.place.holds_sp(sp) { self.place } else { StackRange { start: sp, end: sp, open: true } };
        let start = handler_sp.saturating_sub(GROWTH);
        let region = memory.window(handler_sp).filter(|_| place.open && start < place.start);
        StackRange { start: region.map_or(place.start, |region| region.base.max(start)), ..place }
    }

    /// Returns true if SP is on the innermost stack.
    pub(crate) fn holds_sp(&self, sp: u64) -> bool {
        self.place.holds_sp(sp)
    }

    /// Handles a call by a function that has switched to another stack by itself, with this SP.
    /// `left` has SP and the lowest live address of the stack that it left; `frames` frames are
    /// outside of the call. Returns false if the stack is not in memory.
    pub(crate) fn enter_within(&mut self, sp: u64, left: (u64, u64), frames: usize, memory: &Memory) -> bool {
        let Some(window) = begun(sp, memory) else { return false };
        // What it had below is over.
        for parked in self.parked.iter_mut().filter(|parked| parked.place.holds_sp(sp)) {
            parked.sp = parked.sp.max(sp);
        }
        let ((sp, live_from), interrupted) = (left, None);
        self.left.stacks.push(LeftStack { place: self.place, window: self.now, sp, live_from, frames, interrupted });
        (self.now, self.place) = (window, StackRange::open(window));
        true
    }

    /// Records whether SP has left all stacks in use.
    pub(crate) fn set_switching(&mut self, switching: bool) {
        self.left.lost = switching;
    }

    /// Switches to a new stack, whose first function begins with this SP near its end. `left_with`:
    /// SP on the stack that it leaves. Returns false if the stack is not in memory.
    pub(crate) fn begin_another(&mut self, sp: u64, left_with: u64, memory: &Memory) -> bool {
        let Some(window) = begun(sp, memory) else { return false };
        let left = std::mem::take(&mut self.left);
        let left = Left { lost: false, ..left };
        self.parked.push(ParkedStack { window: self.now, place: self.place, sp: left_with, left });
        (self.now, self.place) = (window, StackRange::open(window));
        true
    }

    /// Switches back to a stack that the program left. `left_with`: SP on the stack that it leaves.
    pub(crate) fn back_to(&mut self, place: usize, left_with: u64) {
        self.left.lost = false;
        if let Some(parked) = self.parked.get_mut(place) {
            std::mem::swap(&mut self.now, &mut parked.window);
            std::mem::swap(&mut self.place, &mut parked.place);
            std::mem::swap(&mut self.left, &mut parked.left);
            parked.sp = left_with;
        }
    }

    /// SP goes below a stack of which only the end is known, by at most so much: it grows. False if
    /// SP goes elsewhere.
    pub(crate) fn grows(&mut self, sp: u64, before: u64, most: u64, memory: &Memory) -> bool {
        let (from, to) = (self.place.start, self.place.end);
        let near = self.place.open && sp < from && before >= from && before - sp <= most;
        let parked = self.parked.iter().any(|parked| parked.place.holds_sp(sp) && sp >= parked.sp);
        let other = parked || self.left.stacks.iter().any(|stack| stack.place.holds_sp(sp));
        if !near || other {
            return false;
        }
        match memory.window(sp).and_then(|region| region.part(sp.saturating_sub(BELOW), to)) {
            Some(window) => {
                (self.now, self.place) = (window, StackRange::open(window));
                true
            }
            None => false,
        }
    }

    /// Drops all but the outermost `count` left stacks.
    pub(crate) fn go_back(&mut self, count: usize) {
        while self.left.stacks.len() > count {
            if let Some(stack) = self.left.stacks.pop() {
                (self.now, self.place) = (stack.window, stack.place);
            }
        }
    }

    /// The stack that contains SP: the innermost one, or the index of a left one.
    pub(crate) fn find(&self, sp: u64) -> Option<StackOfSp> {
        if self.place.holds_sp(sp) {
            return Some(StackOfSp::Innermost);
        }
        let outer = self.left.stacks.iter().rposition(|stack| stack.place.holds_sp(sp))?;
        Some(StackOfSp::Left { around: outer, window: self.left.stacks.get(outer)?.window })
    }

    /// Updates the host memory of each stack after memory was unmapped. Returns false if a stack is
    /// gone.
    pub(crate) fn refresh(&mut self, memory: &Memory) -> bool {
        let mut all = true;
        for parked in &mut self.parked {
            // A later use of the stack is noticed then.
            parked.window = window(parked.place, memory).unwrap_or(self.first);
        }
        for stack in &mut self.left.stacks {
            match window(stack.place, memory) {
                Some(window) => stack.window = window,
                None => all = false,
            }
        }
        match window(self.place, memory) {
            Some(window) => self.now = window,
            None if self.left.stacks.is_empty() => self.replace(self.first),
            None => all = false,
        }
        all
    }
}

/// The stack that a stack pointer belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StackOfSp {
    Innermost,
    Left { around: usize, window: Window },
}

/// The range assumed for a stack of which only an SP near its end is known.
fn begun(sp: u64, memory: &Memory) -> Option<Window> {
    let region = memory.window(sp.wrapping_sub(1))?;
    region.part(sp.saturating_sub(BELOW), sp.saturating_add(ABOVE))
}

fn window(place: StackRange, memory: &Memory) -> Option<Window> {
    let last = memory.window(place.end.checked_sub(1)?)?;
    last.part(place.start, place.end)
}

impl Left {
    pub(crate) fn count(&self) -> usize {
        self.stacks.len()
    }

    fn interrupted_at(&self, frame: usize) -> Option<&Interrupted> {
        let stack = self.stacks.iter().find(|stack| stack.frames == frame + 1)?;
        stack.interrupted.as_ref()
    }
}

impl OuterStacks for Left {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Fault> {
        for stack in self.stacks.iter().rev() {
            let offset = address.checked_sub(stack.window.base).and_then(|offset| usize::try_from(offset).ok());
            // SAFETY: stacks are refreshed when memory was unmapped, and the guest does not run
            // while a step is looked at.
            let memory = unsafe { stack.window.bytes() };
            let found = offset.and_then(|offset| memory.get(offset..)?.get(..bytes.len()));
            match found {
                None => {}
                Some(_) if address < stack.live_from => return Err(Fault::DeadMemory { address }),
                Some(found) => {
                    bytes.copy_from_slice(found);
                    return Ok(());
                }
            }
        }
        Err(Fault::UnreadableMemory { address })
    }

    fn extent(&self, frame: usize) -> Option<Extent> {
        if self.lost {
            return Some(Extent { start: 0, end: 0, sp: 0 });
        }
        let stack = self.stacks.iter().find(|stack| frame < stack.frames)?;
        Some(Extent { start: stack.place.start, end: stack.place.end, sp: stack.sp })
    }

    fn interrupted(&self, frame: usize) -> Option<&FrameRegs> {
        self.interrupted_at(frame).map(|interrupted| &interrupted.registers)
    }

    fn kept(&self, frame: usize) -> &[(u64, u64)] {
        self.interrupted_at(frame).map_or(&[], |interrupted| &interrupted.kept)
    }
}
