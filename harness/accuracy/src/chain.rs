//! The chain that a method finds from a step on.

use types::{CodePoint, FrameRegs, Step};

use crate::{Caller, Lost, Method, Position};

/// The most frames of a chain that are looked at: as many as Linux records of one
/// (`kernel.perf_event_max_stack`).
pub(crate) const MOST_FRAMES: usize = 127;

/// What a method found, innermost caller first.
pub(crate) struct Chain {
    pub(crate) callers: Vec<Caller>,
    /// Why it ends, unless the last frame is known to be the outermost or there are enough.
    pub(crate) lost: Option<Lost>,
}

/// Walks from a step on; as many callers at most.
pub(crate) fn walk(method: &dyn Method, step: &Step<'_>, regs: &FrameRegs, most: usize) -> Chain {
    let mut callers: Vec<Caller> = Vec::new();
    let first = Position { at: CodePoint::Exact(step.pc), regs: *regs, innermost: true };
    while callers.len() < most {
        let frame = callers.last().map_or(&first, |caller| &caller.frame);
        match method.caller(frame, &step.stack) {
            Ok(Some(caller)) => callers.push(caller),
            Ok(None) => return Chain { callers, lost: None },
            Err(lost) => return Chain { callers, lost: Some(lost) },
        }
    }
    Chain { callers, lost: None }
}
