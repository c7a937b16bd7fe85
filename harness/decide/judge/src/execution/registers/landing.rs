//! Registers at a landing pad: a throw restores those that the catching frame had at its call, by
//! the rules of the frames that it ended. Where one is not restored, the rule that gave the value
//! is named: that of the first ended frame whose row gave it at the frame's call. Frames of other
//! files are not seen: without the callee of a frame nothing is said about its row.

use std::collections::BTreeSet;

use spec::Severity;
use types::{CodePoint, Image, Pc, Reg, RegFile as _, Step, ValueRule};
use unwind::{Area, CfiUnwinder};

use super::{Activation, Gives, Registers, WrongRule};
use crate::execution::record::Record;
use crate::tables::Tables;

/// Number of steps in which a landing pad is reached after functions ended: an unwinder sets SP and
/// jumps.
const STEPS: u8 = 4;

/// The functions that were entered before the last throw.
#[derive(Default)]
pub(super) struct Throws {
    entered: Vec<Activation>,
    /// Number of further steps in which a landing pad may be reached.
    steps: u8,
    /// The landing pads, once a throw needed them.
    pads: Option<BTreeSet<Pc>>,
}

impl Throws {
    /// Records that functions ended otherwise than by a return.
    pub(super) fn begin(&mut self, entered: Vec<Activation>) {
        (self.entered, self.steps) = (entered, STEPS);
    }

    /// Returns true if functions ended, and control may be on its way to a landing pad.
    #[inline]
    pub(super) fn is_landing_awaited(&self) -> bool {
        self.steps > 0
    }
}

impl Registers {
    /// Observes a step at which a landing may happen. At a landing pad the registers are compared
    /// with those at the call of its frame; if all are restored, judging goes on in the functions
    /// that did not end.
    #[cold]
    pub(super) fn land(&mut self, image: &Image, tables: &Tables, step: &Step<'_>, record: &mut Record) {
        let throws = &mut self.throws;
        throws.steps = throws.steps.saturating_sub(1);
        let Some(cfi) = tables.cfi.as_ref().filter(|cfi| !cfi.lsdas().is_empty()) else { return };
        if !throws.pads.get_or_insert_with(|| pads(image, cfi)).contains(&step.pc) {
            return;
        }
        throws.steps = 0;
        let (mut entered, depth) = (std::mem::take(&mut throws.entered), step.frames.depth());
        let first = entered.partition_point(|activation| activation.level <= depth);
        let ended = entered.split_off(first);
        let Some(called) = ended.first().filter(|called| called.level == depth + 1) else { return };
        let mut is_restored = true;
        let set_by_unwinder = image.abi.facts().set_by_unwinder.iter().map(|number| Reg(*number)).collect();
        let restored = self.preserved.without(set_by_unwinder);
        for (reg, at_call) in called.values.iter().filter(|(reg, _)| restored.has(*reg)) {
            let Some(landed) = step.regs.read(*reg).filter(|landed| landed != at_call) else { continue };
            is_restored = false;
            let Some((site, wrong)) = wrong_rule(&ended, *reg, landed) else { continue };
            if self.wrong.insert(site) {
                wrong.add(&mut record.fold, image, tables, (site, tables.slots(CodePoint::Exact(site))));
            }
        }
        if is_restored {
            self.open = entered;
        }
    }
}

/// The rule that gave a register its value at a landing, with the address in the call of its frame.
fn wrong_rule(ended: &[Activation], reg: Reg, landed: u64) -> Option<(Pc, WrongRule)> {
    for (level, frame) in (ended.first()?.level..).zip(ended) {
        let (_, entered) = *frame.values.iter().find(|(one, _)| *one == reg)?;
        let called = frame.called.as_ref().filter(|_| frame.level == level)?;
        let given = called.given.iter().find(|given| given.reg == reg)?;
        if given.value == landed && landed != entered {
            let (rule, gives) = (given.rule, Gives::Landed(landed));
            return Some((called.site, WrongRule { reg, rule, gives, entered, severity: Severity::Error }));
        }
        if given.rule != ValueRule::SameValue {
            return None;
        }
    }
    None
}

/// The landing pads of all functions.
fn pads(image: &Image, cfi: &CfiUnwinder) -> BTreeSet<Pc> {
    let mut budget: usize = image.sections.iter().map(|section| section.bytes.len()).sum();
    let mut pads = BTreeSet::new();
    for lsda in cfi.lsdas() {
        let bytes = image.bytes_at(lsda.pointer.value).unwrap_or_default();
        let area = Area::parse(lsda, bytes, image.abi.facts().order, &mut budget);
        pads.extend(area.landing_pads(&lsda.function).map(|landing| Pc(landing.pad)));
    }
    pads
}
