//! Signing and authentication of the innermost frame's return address.

use types::{Frame, PacKey};

use super::Shadow;
use crate::pac::PacOp;

impl Shadow {
    /// Applies a pointer authentication instruction to the link register, when its result is known.
    /// `held` returns true if the executing function still holds a value elsewhere, in a register
    /// or in its frame.
    pub fn authenticate(&mut self, op: PacOp, before: u64, after: u64, held: impl FnOnce(u64) -> bool) {
        let Some(frame) = self.frames.last_mut().filter(|frame| frame.raw_ra == before) else { return };
        // Stripping, authenticating or signing a copy has no effect: the frame's return address is
        // the value that is held elsewhere.
        if frame.signed_by.is_some() && held(before) {
            return;
        }
        let sign = |frame: &mut Frame, key, with_pc| {
            (frame.raw_ra, frame.signed_by, frame.signed_with_pc) = (after, Some(key), with_pc);
        };
        let plain = |frame: &mut Frame| {
            (frame.raw_ra, frame.signed_by, frame.signed_with_pc) = (frame.ra.0, None, false);
        };
        match (op, frame.signed_by) {
            (PacOp::Sign(key), _) => sign(frame, key, false),
            (PacOp::SignWithPc(key), _) => sign(frame, key, true),
            // A failed authentication leaves a poisoned pointer in LR, and the frame unchanged.
            (PacOp::Authenticate(_), Some(PacKey::A | PacKey::B)) if after == frame.ra.0 => plain(frame),
            (PacOp::Strip, Some(_)) if after == frame.ra.0 => plain(frame),
            _ => {}
        }
    }
}
