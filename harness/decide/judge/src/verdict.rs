//! Judges one table's answer for one frame against the true frame. A pure function of values.

use types::{Answer, Caller, Fault, Field, Frame, LeftBy, UndecidedCause, Verdict};

/// The extent of the stack, and SP, at one step: tables are not judged by a true frame that is
/// outside of the stack or that SP has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// First address of the observed stack.
    pub start: u64,
    /// First address after it.
    pub end: u64,
    /// SP at the step.
    pub sp: u64,
    /// The caller's SP minus the CFA ([`types::AbiFacts::caller_sp_minus_cfa`]).
    pub caller_sp_minus_cfa: i64,
    /// True if SP is at the innermost frame's CFA, past its return address, and no register holds
    /// that address: the frame never returns, as a longjmp or throw leaves it. Always false on
    /// targets with a link register.
    pub ra_is_gone: bool,
    /// True if the registers of the answer are those of the machine, not of a caller.
    pub is_innermost: bool,
}

impl Bounds {
    /// Why the true frame cannot judge the answer, if it cannot.
    fn doubt(&self, frame: &Frame) -> Option<UndecidedCause> {
        let stack = self.start..=self.end;
        if !stack.contains(&frame.cfa) || !stack.contains(&self.sp) {
            Some(UndecidedCause::OtherStack)
        } else if frame.cfa.wrapping_add_signed(self.caller_sp_minus_cfa) < self.sp
            || (self.ra_is_gone && frame.cfa == self.sp)
        {
            Some(UndecidedCause::Abandoned)
        } else {
            None
        }
    }
}

/// The verdict on an answer. `truth` is `None` in the outermost function.
#[inline]
pub fn verdict(answer: &Result<Answer, Fault>, truth: Option<&Frame>, bounds: &Bounds) -> Verdict {
    let compared = compare(answer, truth, bounds);
    match (compared, truth) {
        // No row gives no answer, for any frame.
        (Verdict::Agree | Verdict::Missing, _) | (_, None) => compared,
        (_, Some(frame)) => bounds.doubt(frame).map_or(compared, Verdict::Undecided),
    }
}

#[inline]
fn compare(answer: &Result<Answer, Fault>, truth: Option<&Frame>, bounds: &Bounds) -> Verdict {
    match (answer, truth) {
        (Ok(Answer::Caller(caller)), Some(frame)) if frame.left_by == LeftBy::Nothing => {
            judge_uncalled(caller, frame, bounds)
        }
        (Ok(Answer::Caller(caller)), Some(frame)) => judge_caller(caller, frame, bounds),
        (Err(Fault::NoFunction | Fault::NoRow), _) => Verdict::Missing,
        (Ok(Answer::Outermost), None) => Verdict::Agree,
        (Ok(Answer::Outermost), Some(frame)) if frame.left_by == LeftBy::Nothing => Verdict::Agree,
        // No claim about a caller: the row cannot be applied at all.
        (Err(fault @ (Fault::NoCfa | Fault::Expression)), None) => Verdict::Refused(*fault),
        (Ok(Answer::Caller(_)) | Err(_), None) => Verdict::Wrong(Field::Outermost),
        (Ok(Answer::Outermost), Some(_)) => Verdict::Wrong(Field::Ra),
        (Err(fault), Some(_)) => judge_fault(*fault),
    }
}

#[inline]
fn judge_caller(caller: &Caller, frame: &Frame, bounds: &Bounds) -> Verdict {
    // The signed return address may have an unsigned copy, and a row that refers to that copy, as
    // unsigned, is right.
    let is_plain = caller.raw_ra == frame.ra.0 && frame.raw_ra != frame.ra.0;
    let is_plain_copy = is_plain && caller.signed_by.is_none();
    if frame.left_by == LeftBy::Signal {
        judge_interrupted(caller, frame, bounds)
    } else if caller.cfa != frame.cfa {
        Verdict::Wrong(Field::Cfa)
    } else if (caller.signed_by, caller.signed_with_pc) != (frame.signed_by, frame.signed_with_pc) && !is_plain_copy {
        Verdict::Wrong(Field::Signed)
    } else if is_plain && !is_plain_copy {
        // The location that the row gives contains it unsigned.
        Verdict::Wrong(Field::Signed)
    } else if caller.ra != frame.ra.0 || (frame.signed_by.is_some() && !is_plain && caller.raw_ra != frame.raw_ra) {
        Verdict::Wrong(Field::Ra)
    } else {
        match caller.fp {
            Ok(Some(fp)) if fp != frame.fp => Verdict::Wrong(Field::Fp),
            Ok(_) | Err(Fault::UnknownRegister { .. })
                if caller.sp != frame.cfa.wrapping_add_signed(bounds.caller_sp_minus_cfa) =>
            {
                Verdict::Wrong(Field::Sp)
            }
            Ok(_) => Verdict::Agree,
            Err(Fault::DeadMemory { .. }) => Verdict::Wrong(Field::DeadStack),
            // The machine has every register of the innermost frame, but not each is read.
            Err(fault @ Fault::UnknownRegister { .. }) if bounds.is_innermost => Verdict::Refused(fault),
            // A register that has not been restored (in a caller's frame) makes no claim about the
            // value.
            Err(Fault::UnknownRegister { .. }) => Verdict::Agree,
            // The harness cannot evaluate it: a limitation of the harness, not a bug of the table.
            Err(fault @ Fault::Expression) => Verdict::Refused(fault),
            Err(_) => Verdict::Wrong(Field::Fp),
        }
    }
}

/// Judges an answer for a function that was not called: its CFA, its FP, and the address that a
/// call would have left as its return address. A return address of 0 claims no caller, by
/// convention.
#[cold]
fn judge_uncalled(caller: &Caller, frame: &Frame, bounds: &Bounds) -> Verdict {
    if caller.ra != 0 {
        return judge_caller(caller, frame, bounds);
    }
    let Frame { ra, raw_ra, signed_by, signed_with_pc, .. } = *frame;
    judge_caller(&Caller { ra: ra.0, raw_ra, signed_by, signed_with_pc, ..*caller }, frame, bounds)
}

/// Judges an answer for a function that a signal interrupted: its PC, SP and FP. The CFA that the
/// table gives a signal frame does not matter by itself.
#[cold]
fn judge_interrupted(caller: &Caller, frame: &Frame, bounds: &Bounds) -> Verdict {
    let sp = frame.cfa.wrapping_add_signed(bounds.caller_sp_minus_cfa);
    if caller.sp != sp {
        return Verdict::Wrong(Field::Cfa);
    }
    let as_called = Frame { left_by: LeftBy::Call, ..*frame };
    match judge_caller(&Caller { cfa: frame.cfa, ..*caller }, &as_called, bounds) {
        // An unwinder that does not know that it is not a return address looks up the next row one
        // byte before it.
        Verdict::Agree if !caller.signal => Verdict::Undecided(UndecidedCause::Unmarked),
        verdict => verdict,
    }
}

#[cold]
fn judge_fault(fault: Fault) -> Verdict {
    match fault {
        Fault::NoFunction | Fault::NoRow => Verdict::Missing,
        Fault::DeadMemory { .. } => Verdict::Wrong(Field::DeadStack),
        Fault::UnreadableMemory { .. } => Verdict::Wrong(Field::Ra),
        Fault::Overflow => Verdict::Wrong(Field::Cfa),
        Fault::NoCfa | Fault::UnknownRegister { .. } | Fault::Expression => Verdict::Refused(fault),
    }
}
