//! Whether a changed answer gives another value in some state: functions are explored with a probe
//! that evaluates both answers and judges nothing.

use std::collections::{BTreeSet, HashMap};

use generators::blind::{ChangedAnswer, Difference, Fields, WrongValue};
use judge::tables::Tables;
use judge::territory::Territory;
use machine::{Budget, Executor, Pad, explore};
use types::{Compared, Handed, Image, Past, Pc, Preserved, Probe, RegisterSet, Step, UndecidedCause, Unrestored};

use super::{Cause, in_image};

/// Memory limit in bytes of exploration.
const MEMORY: u64 = 1 << 30;

/// The values of changed answers in all states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Values {
    /// No state has one of the instructions.
    Unreached,
    /// As before.
    Same,
    /// Not in all states; the value that differs first.
    Differ(Cause),
}

/// The states of the instructions at which an answer changed.
pub(super) struct States<'a> {
    image: &'a Image,
    fields: &'a Fields,
    wrong: &'a WrongValue,
    /// By address in the image.
    changed: HashMap<u64, ChangedAnswer>,
    reached: bool,
    differ: BTreeSet<Difference>,
}

impl<'a> States<'a> {
    pub(super) fn new(image: &'a Image, fields: &'a Fields, wrong: &'a WrongValue) -> States<'a> {
        let of_image = wrong.changed.iter().filter_map(|one| Some((in_image(image, fields, one.pc)?, *one)));
        States { image, fields, wrong, changed: of_image.collect(), reached: false, differ: BTreeSet::new() }
    }

    /// Explores the unchanged file.
    pub(super) fn values(mut self) -> Values {
        let tables = Tables::new(self.image);
        let territory = Territory::new(self.image, &tables);
        let pads: Vec<Pad> = territory.pads.iter().map(|pad| Pad { site: pad.site.clone(), pad: pad.pad }).collect();
        let near = |range: &&std::ops::Range<u64>| self.changed.keys().any(|pc| range.contains(pc));
        let functions: Vec<_> = territory.functions.iter().filter(near).cloned().collect();
        let mut watched = territory.watched.clone();
        watched.extend(self.changed.keys().map(|pc| *pc..pc + 1));
        let territory = machine::Territory {
            functions: if functions.is_empty() { &territory.functions } else { &functions },
            pads: &pads,
            callable: &territory.callable,
            pushed: &territory.pushed,
            stops: &territory.stops,
            watched: &watched,
            skipped: &[],
            ran: &[],
            budget: Budget::default(),
            memory_limit: MEMORY,
            executor: Executor::Crate,
        };
        // What cannot be explored is not reached.
        let explored = explore(self.image, &territory, &mut self);
        match self.differ.first() {
            _ if explored.is_err() || !self.reached => Values::Unreached,
            None => Values::Same,
            Some(Difference::Caller) => Values::Differ(Cause::Caller),
            Some(Difference::Cfa) => Values::Differ(Cause::Cfa),
            Some(Difference::Ra) => Values::Differ(Cause::Ra),
            Some(Difference::Fp) => Values::Differ(Cause::Fp),
            Some(Difference::Register) => Values::Differ(Cause::Register),
            Some(Difference::Mark) => Values::Differ(Cause::Mark),
        }
    }
}

impl Probe for States<'_> {
    fn compare(&mut self, step: &Step<'_>, preserved: &Preserved<'_>) -> Compared {
        if let Some(at) = self.changed.get(&step.pc.0) {
            self.reached = true;
            let memory = |address| step.stack.read(address).ok();
            let truth = step.frames.innermost().map(|frame| [frame.cfa, frame.ra.0, frame.fp]);
            let difference = self.fields.difference(self.wrong, at, &step.regs, &memory, preserved.entered);
            let is_right = || truth.is_some() && self.fields.caller(self.wrong, at, &step.regs, &memory) == truth;
            // The unchanged answer may have denied the caller that the state has.
            self.differ.extend(difference.filter(|what| *what != Difference::Caller || !is_right()));
        }
        Compared::default()
    }

    fn charge(&mut self, _step: &Step<'_>, _pcs: &[Pc], _past: Past, _handed: &Handed<'_>) -> bool {
        false
    }

    fn note_names(&mut self, _step: &Step<'_>, _pcs: &[Pc]) {}

    fn charge_registers(&mut self, _step: &Step<'_>, _pcs: &[Pc], _preserved: &Preserved<'_>, _suspects: Unrestored) {}

    fn change_registers(&mut self, _registers: RegisterSet) {}

    fn leave_open(&mut self, _why: UndecidedCause, _pcs: &[Pc]) {}
}
