//! Bugs in the frames that tables are made from: in both tables, as by a compiler, or in
//! `.eh_frame` only.

use types::{CfaRule, ValueRule};

use super::base::Base;
use super::{Edit, Expectation, Operator, WrongTable};
use crate::arch::target;
use crate::code::{FrameAt, Function};

const fn both(name: &'static str, what: &'static str, make: fn(&Base) -> Vec<Edit>) -> Operator {
    Operator { name, what, fault: WrongTable::Both, make }
}

const fn alone(name: &'static str, what: &'static str, make: fn(&Base) -> Vec<Edit>) -> Operator {
    Operator { name, what, fault: WrongTable::EhFrame, make }
}

pub(super) const OPERATORS: &[Operator] = &[
    both("both-cfa", "both tables: the CFA is 8 bytes higher", cfa),
    both("both-base", "both tables: the CFA is based on the other register", cfa_base),
    both("both-ra", "both tables: the return address is taken from an adjacent slot", ra),
    both("both-ra-dropped", "both tables: the return address is encoded as unsaved", ra_dropped),
    both("both-fp", "both tables: FP is taken from an adjacent slot", fp),
    both("both-fp-dropped", "both tables: FP is encoded as unsaved", fp_dropped),
    both("both-signed", "both tables: the signed bit of the return address is inverted", signed),
    both("both-key", "both tables: the wrong signing key", key),
    both("both-late", "both tables: a row starts one instruction late", late),
    both("both-missing", "both tables: a row is missing", missing),
    alone("eh-cfa", ".eh_frame: the CFA is 8 bytes higher", cfa),
    alone("eh-base", ".eh_frame: the CFA is based on the other register", cfa_base),
    alone("eh-ra", ".eh_frame: the return address is taken from an adjacent slot", ra),
    alone("eh-ra-dropped", ".eh_frame: the return address is encoded as unsaved", ra_dropped),
    alone("eh-fp", ".eh_frame: FP is taken from an adjacent slot", fp),
    alone("eh-fp-dropped", ".eh_frame: FP is encoded as unsaved", fp_dropped),
    alone("eh-signed", ".eh_frame: the signed bit of the return address is inverted", signed),
    alone("eh-key", ".eh_frame: the wrong signing key", key),
    alone("eh-late", ".eh_frame: a row starts one instruction late", late),
    alone("eh-missing", ".eh_frame: a row is missing", missing),
];

/// One edit for each frame that `edit` changes. Functions of blocks are skipped: their rows apply
/// to all blocks, so that a single block cannot be wrong in both tables.
fn frames(base: &Base, edit: impl Fn(&mut Vec<FrameAt>, usize, &super::Subject) -> bool) -> Vec<Edit> {
    each(base, |function, index, subject| index < function.frames.len() && edit(&mut function.frames, index, subject))
}

fn each(base: &Base, edit: impl Fn(&mut Function, usize, &super::Subject) -> bool) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (number, subject) in base.subjects.iter().enumerate().filter(|(_, subject)| subject.block.is_none()) {
        for index in 0..subject.function.frames.len() {
            let sample = base.falsified(|other, function| other == number && edit(function, index, subject));
            let offset = subject.function.frames[index].offset;
            let note = format!("{}: row at +{offset:#x}", subject.function.name);
            edits.extend(sample.map(|sample| Edit {
                note,
                breaks: None,
                expected: Expectation::Error,
                sample,
                linked: None,
            }));
        }
    }
    edits
}

/// A frame of a function that has a caller.
fn inner(frames: &mut [FrameAt], index: usize) -> Option<&mut FrameAt> {
    frames.get_mut(index).filter(|at| at.frame.ra != ValueRule::Undefined)
}

fn cfa(base: &Base) -> Vec<Edit> {
    frames(base, |frames, index, _| {
        let Some(at) = inner(frames, index) else { return false };
        match &mut at.frame.cfa {
            CfaRule::Register { offset, .. } | CfaRule::Memory { offset, .. } => *offset += 8,
            CfaRule::Expression(_) | CfaRule::Unspecified => return false,
        }
        true
    })
}

fn cfa_base(base: &Base) -> Vec<Edit> {
    let facts = base.sample.abi.facts();
    frames(base, |frames, index, _| {
        let Some(at) = inner(frames, index) else { return false };
        let CfaRule::Register { reg, .. } = &mut at.frame.cfa else { return false };
        *reg = if *reg == facts.sp { facts.fp } else { facts.sp };
        true
    })
}

fn ra(base: &Base) -> Vec<Edit> {
    frames(base, |frames, index, _| {
        let Some(FrameAt { frame, .. }) = inner(frames, index) else { return false };
        let ValueRule::AtCfa(offset) = &mut frame.ra else { return false };
        *offset -= 8;
        true
    })
}

fn ra_dropped(base: &Base) -> Vec<Edit> {
    // On AMD64 there is no register that could still hold it.
    let link_register = base.sample.abi.facts().link_register;
    frames(base, |frames, index, _| {
        let Some(at) = inner(frames, index) else { return false };
        let saved = at.frame.ra != ValueRule::SameValue;
        at.frame.ra = ValueRule::SameValue;
        saved && link_register
    })
}

fn fp(base: &Base) -> Vec<Edit> {
    frames(base, |frames, index, _| {
        let Some(FrameAt { frame, .. }) = inner(frames, index) else { return false };
        match &mut frame.fp {
            ValueRule::AtCfa(offset) | ValueRule::Memory { offset, .. } => *offset -= 8,
            _ => return false,
        }
        true
    })
}

fn fp_dropped(base: &Base) -> Vec<Edit> {
    frames(base, |frames, index, _| {
        let Some(at) = inner(frames, index) else { return false };
        let saved = at.frame.fp != ValueRule::SameValue;
        at.frame.fp = ValueRule::SameValue;
        saved
    })
}

fn signed(base: &Base) -> Vec<Edit> {
    let signs = target(base.sample.abi).signs;
    frames(base, |frames, index, _| {
        let Some(at) = inner(frames, index) else { return false };
        at.frame.signed = !at.frame.signed;
        signs
    })
}

fn key(base: &Base) -> Vec<Edit> {
    use types::PacKey;
    each(base, |function, index, _| {
        let signs = function.frames.iter().any(|at| at.frame.signed);
        function.key = if function.key == PacKey::A { PacKey::B } else { PacKey::A };
        // One bug for each function, not for each row.
        signs && index == 0
    })
}

fn late(base: &Base) -> Vec<Edit> {
    frames(base, |frames, index, subject| {
        let Some(next) = subject.next(frames[index].offset) else { return false };
        let end = subject.instructions.last().copied().unwrap_or_default();
        let free = frames.get(index + 1).is_none_or(|after| next < after.offset) && next < end;
        frames[index].offset = next;
        index > 0 && free
    })
}

fn missing(base: &Base) -> Vec<Edit> {
    frames(base, |frames, index, _| {
        frames.remove(index);
        index > 0
    })
}
