//! Blind damage: bytes, words, fields and whole descriptors of real files replaced at random, in
//! `.sframe`, in the headers around it and in `.eh_frame`; and what each change does, decided at
//! every PC from the bytes alone.
//!
//! The second opinion is independent: readers of ELF, `.sframe` and `.eh_frame` of its own, written
//! from the texts. What a judge reports, and what a run does not contradict, never counts here; of
//! a run only the PCs that were executed are known.
//! - [`Original`] is a file as read, [`Mutant`] the file damaged, [`Effect`] what that does;
//! - [`change_rows`] changes a row of every function at once, for code that is explored;
//! - `damage` draws the changes; `elf`, `anatomy`, `cfi` and `hdr` read; `flaw` has the clauses of the
//!   format that are clear cases; `effect` compares.

mod cfi;
mod damage;
mod effect;
mod elf;
mod flaw;
mod hdr;
mod rows;
#[cfg(test)]
mod tests;
mod view;

use std::collections::BTreeSet;

use types::{Abi, SframeVersion};

pub use cfi::CfiFlaw;
pub use damage::{Damage, Edit};
pub use effect::{Breach, Effect, Span, Target, Unseen};
pub use flaw::BrokenClause;
pub use rows::{ChangedRow, ChangedRows, RowChange, change_rows};

use crate::cfi_text::Rng;
use view::View;

/// A file from which mutants are made.
#[derive(Clone, Debug)]
pub struct Original {
    bytes: Vec<u8>,
    view: View,
    executed: BTreeSet<u64>,
}

/// A file with damage.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The damage.
    pub damage: Damage,
    /// The effect of the damage.
    pub effect: Effect,
    /// The file.
    pub bytes: Vec<u8>,
}

impl Original {
    /// A file, and the addresses of the instructions that its run executed. None for what is no
    /// ELF64 file of a known machine or has no `.sframe` that can be read.
    pub fn new(bytes: Vec<u8>, executed: BTreeSet<u64>) -> Option<Original> {
        let view = view::view(&bytes)?;
        view.sframe.as_ref()?.table.as_ref()?;
        Some(Original { bytes, view, executed })
    }

    /// The target.
    pub fn abi(&self) -> Abi {
        self.view.abi()
    }

    /// The version: errata 1 of V2 is that whose starts count from their own field.
    pub fn version(&self) -> SframeVersion {
        self.view.version().map_or(SframeVersion::LATEST, |version| version.name)
    }

    /// It is not linked.
    pub fn is_object(&self) -> bool {
        self.view.file.relocatable
    }

    /// Some row of `.sframe` agrees with `.eh_frame`: there is something right to damage.
    pub fn is_right_somewhere(&self) -> bool {
        effect::is_right_somewhere(&self.view)
    }

    /// The mutant of a seed. `None` if nothing can be damaged.
    pub fn mutant(&self, seed: u64) -> Option<Mutant> {
        let damage = damage::draw(&self.view, &self.bytes, &mut Rng::new(seed))?;
        let bytes = damage::apply(&self.bytes, &damage.edits)?;
        let effect = match view::view(&bytes) {
            Some(view) => effect::effect(damage.target, &self.view, &view, &self.executed),
            None => Effect::Headers(vec![(BrokenClause::SectionHeader, 0)]),
        };
        Some(Mutant { damage, effect, bytes })
    }
}
