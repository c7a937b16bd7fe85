//! A rule for a register that is wrong, and how severe that is.

use results::{Blame, Finding, Shape, Source};
use spec::{RuleId, Severity};
use types::{Abi, Aspect, Image, Pc, Reg, RegFile as _, ValueRule};

use super::{Gives, Place};
use crate::blame::{Origin, Table};
use crate::fold::{Evidence, Fold, Identity};
use crate::instructions;
use crate::per_table::PerTable;
use crate::slot::Slot;
use crate::tables::{Tables, origin};
use crate::wrong_row::WrongAt;

/// A rule for a register that is wrong.
pub(super) struct WrongRule {
    pub(super) reg: Reg,
    pub(super) rule: ValueRule,
    pub(super) gives: Gives,
    /// The value that the register had when the function was entered.
    pub(super) entered: u64,
    pub(super) severity: Severity,
}

impl WrongRule {
    /// Adds a finding about the row of `.eh_frame` at a PC.
    pub(super) fn add(&self, fold: &mut Fold, image: &Image, tables: &Tables, (pc, slots): (Pc, PerTable<Slot>)) {
        let start = tables.function_start(image, pc.0);
        let blame = match origin(image, pc.0) {
            Origin::LinkerMade => Blame::Linker,
            Origin::Object | Origin::Linked | Origin::Rewritten => Blame::Compiler,
        };
        let id = RuleId::EhFrameRegisterMatchesTruth;
        let row =
            || Some(WrongAt { pc, slots, wrong: Source::EhFrame, right: None, truth: None }.describe(tables, image));
        let identity = Identity { rule: id, blame, function: start };
        fold.add(identity, Evidence::Step(pc.0), row, || {
            let mut found = Finding::new(id, blame, image.place(start), Shape::Rule);
            found.severity = self.severity;
            found.shown.message = self.message(image.abi, &image.place(pc.0));
            found.shown.section = tables.section_name(Table::EhFrame, image);
            found.evidence.at = Some(pc.0);
            found.evidence.field = Aspect::Registers;
            found.evidence.executed = true;
            found
        });
        fold.raise(identity, self.severity);
    }

    fn message(&self, abi: Abi, place: &str) -> String {
        let name = abi.register_name(self.reg).unwrap_or_else(|| self.reg.to_string());
        let rule = self.rule.describe(abi);
        let entered = self.entered;
        match self.gives {
            Gives::DeadStack => format!(".eh_frame reads stack below SP for {name} at {place}: {name}={rule}"),
            Gives::Landed(value) => format!(
                ".eh_frame gives {name} {value:#x} for the caller of {place}, where a throw landed with it; it had {entered:#x} at the call: {name}={rule}"
            ),
            Gives::Value(value) => format!(
                ".eh_frame gives {name} {value:#x} at {place}, it had {entered:#x} when the function was entered: {name}={rule}"
            ),
        }
    }
}

impl Place<'_> {
    /// The severity of a missing rule for a register. A note if another register has the value
    /// meanwhile, as around an instruction of inline assembly that needs the register (`xchg %rsi,
    /// %rbx` after `cpuid`): no throw can happen there, so that only a profiler or a debugger meets
    /// the row, and the compiler does not know what the assembly does.
    pub(super) fn severity(self, entered: u64) -> Severity {
        let regs = &self.step.regs;
        let mut all = (0..regs.abi.facts().general_registers).map(Reg);
        let is_held = all.any(|reg| regs.read(reg) == Some(entered));
        match is_held && instructions::is_in_registers(self.image, self.step.pc) {
            true => Severity::Info,
            false => Severity::Error,
        }
    }
}
