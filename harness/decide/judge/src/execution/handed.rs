//! Rows of functions that continue in a frame which their caller passed by address.

use types::{
    Answer, Caller, CfaRule, CodePoint, Extent, Fault, Frame, FrameRegs, Handed, OuterStacks, RegFile as _, Stack,
    Step, UnwindRow,
};

use crate::blame::Table;
use crate::slot::Slot;
use crate::tables::{TableAnswer, Tables};

/// The answer of a row whose CFA is based on a register that holds the address of such a frame, as
/// in code that calls with any number of arguments (libffi's `ffi_call_SYSV`): the caller's values
/// are saved there. Exploration makes that frame up, so its CFA is taken for right; what the row
/// reads in it is evaluated. `None` for any other row.
pub(super) fn in_handed_frame(
    tables: &Tables,
    table: Table,
    slot: Slot,
    step: &Step<'_>,
    truth: &Frame,
    handed: &Handed<'_>,
) -> TableAnswer {
    let UnwindRow { cfa: CfaRule::Register { reg, .. }, .. } = tables.rules_in(table, slot, step.pc)? else {
        return None;
    };
    let facts = step.regs.abi.facts();
    if reg == facts.sp || !step.regs.read(reg).is_some_and(handed.keeps_frame_at) {
        return None;
    }
    let frames = MadeUp { handed, outer: step.stack.outer };
    let mut stack: Stack<'_> = step.stack;
    stack.outer = &frames;
    let answer = tables.answer(table, slot, CodePoint::Exact(step.pc), &step.regs, &stack)?;
    Some(answer.map(|answer| match answer {
        Answer::Caller(caller) => {
            let sp = |cfa: u64| cfa.wrapping_add_signed(facts.caller_sp_minus_cfa);
            // A restored SP is a claim of its own.
            let caller_sp = if caller.sp == sp(caller.cfa) { sp(truth.cfa) } else { caller.sp };
            Answer::Caller(Caller { cfa: truth.cfa, sp: caller_sp, ..caller })
        }
        Answer::Outermost => Answer::Outermost,
    }))
}

/// The stacks of a step, and memory that exploration makes up.
struct MadeUp<'a> {
    handed: &'a Handed<'a>,
    outer: &'a dyn OuterStacks,
}

impl OuterStacks for MadeUp<'_> {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Fault> {
        (self.handed.made_up)(address, bytes).map_or_else(|| self.outer.read(address, bytes), Ok)
    }

    fn extent(&self, frame: usize) -> Option<Extent> {
        self.outer.extent(frame)
    }

    fn interrupted(&self, frame: usize) -> Option<&FrameRegs> {
        self.outer.interrupted(frame)
    }

    fn kept(&self, frame: usize) -> &[(u64, u64)] {
        self.outer.kept(frame)
    }
}
