//! Variables that live in a register (`register long k asm("r12")`): the compiler saves the
//! register nowhere, and code that keeps its value looks like a function that preserves it. The
//! file itself shows it: no row has a rule for the register, and a function returns with another
//! value in it.

use types::{Image, Pc, RegisterSet, UndecidedCause};

use super::{Record, WrongRule};
use crate::per_table::PerTable;
use crate::slot::Slot;
use crate::tables::Tables;

/// The registers that may hold variables of the file.
#[derive(Default)]
pub(super) struct Variables {
    /// A call preserves them, and no row has a rule for them.
    pub(super) without_rule: RegisterSet,
    /// A function returned with another value than at its entry.
    changed: RegisterSet,
    /// Rows that exploration found without a rule for one.
    waiting: Vec<(Pc, PerTable<Slot>, WrongRule, RegisterSet)>,
}

impl Variables {
    pub(super) fn new(without_rule: RegisterSet) -> Variables {
        Variables { without_rule, ..Variables::default() }
    }

    /// Adds the registers that a function returns with another value in.
    pub(super) fn change(&mut self, registers: RegisterSet) {
        self.changed = self.changed.and(registers.common(self.without_rule));
    }

    /// Keeps a row until all functions are explored; `suspects`: the registers that it has no rule
    /// for.
    pub(super) fn wait(&mut self, pc: Pc, slots: PerTable<Slot>, wrong: WrongRule, suspects: RegisterSet) {
        self.waiting.push((pc, slots, wrong, suspects));
    }

    /// Returns true if a register of the file holds a variable.
    pub(super) fn are(&self, registers: RegisterSet) -> bool {
        registers.without(self.changed).is_empty()
    }

    /// Makes findings of the rows that waited, but for registers that hold variables.
    pub(super) fn end(&mut self, image: &Image, tables: &Tables, record: &mut Record) -> Vec<Pc> {
        let mut wrong_at = Vec::new();
        for (pc, slots, wrong, suspects) in std::mem::take(&mut self.waiting) {
            if self.are(suspects) {
                record.undecided(UndecidedCause::OwnConvention, pc);
            } else {
                record.registers.entry(pc).or_default().extend(suspects.iter());
                wrong.add(&mut record.fold, image, tables, (pc, slots));
                wrong_at.push(pc);
            }
        }
        wrong_at
    }
}
