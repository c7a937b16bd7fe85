//! The registers of a calling function: at a call each of its rules is judged as an unwinder in the
//! callee evaluates it. So are the rows of a whole chain, each at the call that began the next
//! frame; a slot that another frame overwrites later is no error of the row. The rules of the code
//! that a signal handler returns to have to give the registers of the interrupted function.

use spec::Severity;
use types::{Abi, Answer, CodePoint, Image, LeftBy, Pc, Reg, RegFile, Step, ValueRule};
use unwind::Unwinder as _;

use super::{Gives, Registers, VISITS, View, WrongRule, gives, has_known_convention};
use crate::blame::Table;
use crate::execution::record::Record;
use crate::slot::Slot;
use crate::tables::Tables;

/// A call, and what the row of the calling function gives there.
pub(super) struct Called {
    pub(super) site: Pc,
    pub(super) given: Vec<Given>,
}

/// What a row gives for a register.
#[derive(Clone, Copy)]
pub(super) struct Given {
    pub(super) reg: Reg,
    pub(super) rule: ValueRule,
    pub(super) value: u64,
}

/// The registers of a calling function: those at the entry of its callee, but for SP.
struct AtCall<'s> {
    abi: Abi,
    entry: &'s dyn RegFile,
    sp: u64,
}

impl RegFile for AtCall<'_> {
    fn read(&self, reg: Reg) -> Option<u64> {
        if reg == self.abi.facts().sp { Some(self.sp) } else { self.entry.read(reg) }
    }
}

impl Registers {
    /// Judges the calling function at the call that begins with this step, if its own call was
    /// recorded. What its row gives is kept if a throw may land in the file.
    #[cold]
    pub(super) fn judge_caller(&mut self, image: &Image, tables: &Tables, step: &Step<'_>, record: &mut Record) {
        let (Some(cfi), Some(caller)) = (&tables.cfi, self.open.last()) else { return };
        let mut frames = step.frames.iter();
        let (Some(called), Some(frame)) = (frames.next(), frames.next()) else { return };
        if (caller.level + 1, caller.number) != (step.frames.depth(), frame.number) {
            return;
        }
        let at = CodePoint::AfterCall(called.ra);
        let site = at.lookup();
        let visits = self.sites.entry(site).or_default();
        let (is_done, is_caught) = (*visits >= VISITS, !cfi.lsdas().is_empty());
        *visits = visits.saturating_add(1);
        let Slot::Row(row) = tables.slot(Table::EhFrame, at) else { return };
        if is_done && !is_caught {
            return;
        }
        // The callee overwrites words below the caller's SP.
        let sp = called.cfa.wrapping_add_signed(image.abi.facts().caller_sp_minus_cfa);
        let regs = AtCall { abi: image.abi, entry: &step.regs, sp };
        let mut stack = step.stack;
        stack.live_from = sp;
        let view = View { at, regs: &regs, stack: &stack };
        let cfa = caller.cfa;
        let is_right = matches!(
            cfi.evaluate(row, at, &regs, &stack), Ok(Answer::Caller(given)) if given.cfa == cfa && given.ra == frame.ra.0
        );
        if !is_done && is_right && !has_known_convention(image, cfi, site) {
            let slots = tables.slots(at);
            let wrong = self.judge_all(view, cfi, row, slots);
            if let Some(wrong) = wrong.first().filter(|_| self.wrong.insert(site)) {
                wrong.add(&mut record.fold, image, tables, (site, slots));
            }
        }
        let given = |reg: Reg| {
            let rule = cfi.rule(row, reg).unwrap_or(ValueRule::SameValue);
            match gives(cfi, view, row, (reg, rule), cfa) {
                Some(Gives::Value(value)) => Some(Given { reg, rule, value }),
                Some(Gives::Landed(_) | Gives::DeadStack) | None => None,
            }
        };
        if is_caught && let Some(caller) = self.open.last_mut() {
            caller.called = Some(Called { site, given: self.preserved.iter().filter_map(given).collect() });
        }
    }

    /// Judges the row of the code that a signal handler returns to, at the handler's first
    /// instruction: later the handler may have changed what the kernel saved.
    #[cold]
    pub(super) fn judge_restorer(&mut self, image: &Image, tables: &Tables, step: &Step<'_>, record: &mut Record) {
        let facts = image.abi.facts();
        let mut frames = step.frames.iter();
        let (Some(cfi), Some(handler), Some(frame)) = (&tables.cfi, frames.next(), frames.next()) else { return };
        let around = step.frames.depth().checked_sub(2).filter(|_| frame.left_by == LeftBy::Signal);
        let Some(interrupted) = around.and_then(|around| step.stack.outer.interrupted(around)) else { return };
        let at = CodePoint::AfterCall(handler.ra);
        let Slot::Row(row) = tables.slot(Table::EhFrame, at) else { return };
        let sp = handler.cfa.wrapping_add_signed(facts.caller_sp_minus_cfa);
        let regs = AtCall { abi: image.abi, entry: &step.regs, sp };
        let Ok(Answer::Caller(caller)) = cfi.evaluate(row, at, &regs, &step.stack) else { return };
        if caller.ra != frame.ra.0 {
            return;
        }
        let view = View { at, regs: &regs, stack: &step.stack };
        let judged = |reg: Reg| ![facts.sp, facts.fp, facts.ra].contains(&reg);
        let wrong = cfi.register_rules(row).iter().filter(|(reg, _)| judged(*reg)).find_map(|(reg, rule)| {
            let entered = interrupted.read(*reg)?;
            let gives = gives(cfi, view, row, (*reg, *rule), caller.cfa).filter(|gives| !gives.is(entered))?;
            Some(WrongRule { reg: *reg, rule: *rule, gives, entered, severity: Severity::Error })
        });
        let site = at.lookup();
        if let Some(wrong) = wrong.filter(|_| self.wrong.insert(site)) {
            wrong.add(&mut record.fold, image, tables, (site, tables.slots(at)));
        }
    }
}
