//! One frame at one step, with both tables' answers for it.

use types::{
    Answer, Caller, CodePoint, Extent, Fault, Frame, Image, LeftBy, Pc, Reg, RegFile as _, Step, UnwindRow, ValueRule,
    Verdict,
};

use crate::blame::{Table, alike};
use crate::chain::{ChainFrame, Walk};
use crate::compare::Shared;
use crate::per_table::PerTable;
use crate::slot::Slot;
use crate::tables::{TableAnswer, Tables, ra_of_call};
use crate::verdict::{Bounds, verdict};

/// One frame with both tables' answers for it.
pub(super) struct Answers<'s> {
    pub(super) image: &'s Image,
    pub(super) tables: &'s Tables,
    pub(super) step: &'s Step<'s>,
    pub(super) at: CodePoint,
    /// Number of frames from the innermost, which is 0.
    pub(super) depth: usize,
    /// The true frame; `None` for the outermost.
    pub(super) truth: Option<&'s Frame>,
    pub(super) slots: PerTable<Slot>,
    pub(super) given: PerTable<TableAnswer>,
}

impl Answers<'_> {
    /// The innermost frame of a step, with these answers.
    pub(super) fn innermost<'s>(
        image: &'s Image,
        tables: &'s Tables,
        step: &'s Step<'s>,
        slots: PerTable<Slot>,
        given: PerTable<TableAnswer>,
    ) -> Answers<'s> {
        let truth = step.frames.innermost();
        Answers { image, tables, step, at: CodePoint::Exact(step.pc), depth: 0, truth, slots, given }
    }

    /// The address that is looked up.
    pub(super) fn pc(&self) -> Pc {
        self.at.lookup()
    }

    pub(super) fn answer(&self, table: Table) -> Option<&Result<Answer, Fault>> {
        self.given.get(table).as_ref()
    }

    /// The rules of the row that a table's answer comes from.
    pub(super) fn rules(&self, table: Table) -> Option<UnwindRow> {
        self.tables.rules_in(table, *self.slots.get(table), self.pc())
    }

    /// Number of frames around the frame's function.
    pub(super) fn level(&self) -> Option<usize> {
        self.step.frames.depth().checked_sub(self.depth)
    }

    /// The bounds of the stack that contains the frame.
    pub(super) fn bounds(&self) -> Bounds {
        let step = self.step;
        let outer = self.level().and_then(|level| step.stack.outer.extent(level.checked_sub(1)?));
        let bounds = Bounds { is_innermost: self.depth == 0, ..bounds(step) };
        match outer {
            None => bounds,
            Some(Extent { start, end, sp }) => Bounds { start, end, sp, ra_is_gone: false, ..bounds },
        }
    }

    /// Returns true if the two tables gave the same answer.
    pub(super) fn are_alike(&self) -> bool {
        matches!((&self.given.sframe, &self.given.eh_frame), (Some(a), Some(b)) if alike(a, b))
    }

    /// The fields that both rows give by the same rule.
    pub(super) fn shared(&self) -> Shared {
        match (self.rules(Table::Sframe), self.rules(Table::EhFrame)) {
            (Some(a), Some(b)) => Shared::new(self.image.abi.facts(), &a, &b),
            _ => Shared::default(),
        }
    }

    /// Returns true if a table's answer claims a caller, readable or not, and another row of the
    /// function denies one. Where a call leaves the return address, 0 claims none, by convention,
    /// and a function may deny its caller late, but not claim one again after that.
    pub(super) fn contradicts_itself(&self, table: Table) -> bool {
        let pc = self.pc();
        let Some(denial) = self.tables.first_denial(table, pc) else { return false };
        let is_of_call = self.tables.rules(table, pc).is_some_and(|row| row.ra == ra_of_call(self.image.abi.facts()));
        match self.answer(table) {
            Some(Ok(Answer::Caller(caller))) if is_of_call => caller.ra != 0 && denial < pc,
            Some(Ok(Answer::Caller(_)) | Err(_)) => true,
            Some(Ok(Answer::Outermost)) | None => false,
        }
    }

    /// Returns true if the CFA of a row of `.eh_frame` is a mere name: the row has its own rule for
    /// the caller's SP, and that SP, the return address and FP are right. DWARF 5, 6.4.1, leaves it
    /// to the ABI what the CFA is; nothing else of the caller depends on it.
    pub(super) fn names_cfa_only(&self, table: Table) -> bool {
        let (Some(Ok(Answer::Caller(caller))), Some(truth), Table::EhFrame) = (self.answer(table), self.truth, table)
        else {
            return false;
        };
        let renamed = Ok(Answer::Caller(Caller { cfa: truth.cfa, ..*caller }));
        if verdict(&renamed, self.truth, &self.bounds()) != Verdict::Agree {
            return false;
        }
        // Rules that depend on the PC are dear to find.
        let usual = ValueRule::CfaPlus(self.image.abi.facts().caller_sp_minus_cfa);
        self.rules(table).is_some_and(|row| row.sp.is_some_and(|rule| rule != usual))
    }

    /// Returns true if the row of a part of a function leads into that function's code, and the row
    /// there to the true caller. Not of a caller's frame, where a walk goes on by itself.
    pub(super) fn leads_to_function(&self, table: Table) -> bool {
        let (Some(answer), 0) = (*self.given.get(table), self.depth) else { return false };
        let part = ChainFrame { slot: *self.slots.get(table), answer, at: self.at };
        let function = Walk::of_function(self.tables, table, &part, self.step);
        function.is_some_and(|of| verdict(&of.answer, self.truth, &self.bounds()) == Verdict::Agree)
    }

    /// Returns true if the frame is a signal frame whose handler has changed the interrupted PC, SP
    /// or FP.
    pub(super) fn continues_elsewhere(&self) -> bool {
        let kept = self.truth.filter(|frame| frame.left_by == LeftBy::Signal).and_then(|_| {
            let around = self.level()?.checked_sub(1)?;
            Some(self.step.stack.outer.kept(around))
        });
        kept.is_some_and(|kept| kept.iter().any(|(address, word)| self.step.stack.read(*address) != Ok(*word)))
    }

    /// Returns true if the frame's function is in a call: it is neither executing nor interrupted
    /// by a signal.
    pub(super) fn is_of_a_caller(&self) -> bool {
        let callee = self.depth.checked_sub(1).and_then(|depth| self.step.frames.iter().nth(depth));
        callee.is_some_and(|frame| frame.left_by == LeftBy::Call)
    }

    /// Returns true if a row of `.eh_frame` begins at this instruction and marks the return address
    /// as signed with its PC. The directive precedes the signing instruction, because the signature
    /// contains its PC: before that instruction executes, no row can be right (DWARF for the Arm
    /// 64-bit Architecture, `DW_CFA_AARCH64_negate_ra_state_with_pc`).
    #[cold]
    pub(super) fn begins_to_sign(&self, answer: &Result<Answer, Fault>) -> bool {
        let with_pc = matches!(answer, Ok(Answer::Caller(caller)) if caller.signed_with_pc);
        let unsigned = self.truth.is_some_and(|frame| frame.signed_by.is_none());
        let before = CodePoint::Exact(Pc(self.step.pc.0.wrapping_sub(1)));
        let begins = || self.tables.slot(Table::EhFrame, before) != self.slots.eh_frame;
        with_pc && unsigned && self.depth == 0 && begins()
    }
}

/// The bounds of the stack at a step.
#[inline]
pub(super) fn bounds(step: &Step<'_>) -> Bounds {
    let extent = step.stack.extent();
    Bounds {
        start: extent.start,
        end: extent.end,
        sp: step.regs.sp,
        caller_sp_minus_cfa: step.regs.abi.facts().caller_sp_minus_cfa,
        ra_is_gone: ra_is_gone(step),
        is_innermost: true,
    }
}

/// Returns true after a longjmp whose target executes with SP as it was at the jumping function's
/// call: SP is above the return address, and control cannot return to it any more. Functions that
/// return by a link register have it there.
#[inline]
fn ra_is_gone(step: &Step<'_>) -> bool {
    let facts = step.regs.abi.facts();
    let Some(frame) = step.frames.innermost().filter(|frame| frame.cfa == step.regs.sp) else { return false };
    let held = |number| step.regs.read(Reg(number)) == Some(frame.ra.0);
    !facts.link_register && !(0..facts.general_registers).any(held)
}
