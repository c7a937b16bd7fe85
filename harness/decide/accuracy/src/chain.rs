//! Walks the chain of callers by a method.

use types::{CodePoint, FrameRegs, Step};

use crate::{Caller, Lost, Method, Position};

/// Maximum number of frames of a chain: as many as Linux records (`kernel.perf_event_max_stack`).
pub(crate) const MOST_FRAMES: usize = 127;

/// Callers found by a method, innermost first.
pub(crate) struct Chain {
    pub(crate) callers: Vec<Caller>,
    /// Why the chain ends; `None` if the last frame is known to be the outermost or the maximum is
    /// reached.
    pub(crate) lost: Option<Lost>,
}

/// Walks from a step, to at most `most` callers.
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
