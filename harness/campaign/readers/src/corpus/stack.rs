//! A stack of an execution as a question for readers that walk: registers, memory, and the true
//! callers, as far as a table's rows find them from these alone.

use generators::vectors::{Chain, Expected, Row, Word};
use types::{Abi, AbiFacts, CfaRule, Frame, FrameRegs, LeftBy, Reg, RegFile as _, Step, ValueRule};

/// Limits of the part of a stack that is stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    /// Maximum size in bytes: a larger stack is not used.
    pub(crate) most: u64,
    /// Number of bytes above the outermost CFA, where rows may also have slots; fewer if the stack
    /// ends.
    pub(crate) above: u64,
}

/// The stack at a step; `None` if no caller is found. `at` is the table's answer for an address;
/// `None` if it does not count against a reader.
pub(crate) fn witnessed(
    abi: Abi,
    step: &Step<'_>,
    window: Window,
    at: impl Fn(u64) -> Option<Expected>,
) -> Option<Chain> {
    let facts = abi.facts();
    let Expected::Row(innermost) = at(step.pc.0)? else { return None };
    if innermost.signal {
        return None;
    }
    let mut found: Vec<&Frame> = Vec::new();
    let (mut ends, mut interrupted) = (false, None);
    // A caller that a signal interrupted is not found by rows for calls.
    for frame in step.frames.iter().take_while(|frame| frame.left_by == LeftBy::Call) {
        found.push(frame);
        let is_last = found.len() == step.frames.depth();
        match frame.ra.0.checked_sub(1).and_then(&at) {
            Some(Expected::Row(row)) if is_last => ends = row.frame.ra == ValueRule::Undefined,
            Some(Expected::NoRow) if is_last => ends = true,
            Some(Expected::Row(row)) if is_walkable(&row, facts) => {}
            Some(Expected::Row(row)) if row.signal => {
                interrupted = step.frames.iter().nth(found.len());
                break;
            }
            _ => break,
        }
    }
    let outermost = found.last()?;
    let regs = FrameRegs::snapshot(&step.regs);
    // AMD64's column 16 is the PC itself.
    let known = |reg: &Reg| facts.link_register || *reg != facts.ra;
    let registers = (0..32).map(Reg).filter(known).filter_map(|reg| Some((reg, regs.read(reg)?))).collect();
    let extent = step.stack.extent();
    let from = step.stack.live_from.max(extent.start).next_multiple_of(8);
    // A debugger identifies a caller by its frame, that of a handler's caller by what the kernel
    // pushed.
    let outermost_cfa = interrupted.map_or(outermost.cfa, |frame| frame.cfa.max(outermost.cfa));
    let to = outermost_cfa.checked_add(8)?.max(outermost_cfa.checked_add(window.above)?.min(extent.end));
    if to.checked_sub(from)? > window.most {
        return None;
    }
    let word = |address: u64| Some(Word { address, value: step.stack.at_hand(address)? });
    let memory = (from..to).step_by(8).map(word).collect::<Option<Vec<Word>>>()?;
    let callers = found.iter().map(|frame| frame.ra.0).collect();
    Some(Chain { pc: step.pc.0, registers, memory, callers, ends })
}

/// Returns true if a caller's row needs no registers except SP and FP.
fn is_walkable(row: &Row, facts: &AbiFacts) -> bool {
    let kept = |reg: Reg| reg == facts.sp || reg == facts.fp;
    let cfa = match row.frame.cfa {
        CfaRule::Register { reg, .. } | CfaRule::Memory { reg, .. } => kept(reg),
        CfaRule::Expression(_) | CfaRule::Unspecified => false,
    };
    let value = |rule| match rule {
        ValueRule::Register { reg, .. } | ValueRule::Memory { reg, .. } => kept(reg),
        ValueRule::AtCfa(_) | ValueRule::CfaPlus(_) => true,
        ValueRule::SameValue | ValueRule::Undefined | ValueRule::Expression(_) => false,
    };
    let fp = row.frame.fp == ValueRule::SameValue || value(row.frame.fp);
    cfa && fp && value(row.frame.ra) && !row.signal
}
