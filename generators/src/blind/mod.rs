//! Blind damage: bytes, words, fields and whole FDEs of real files are replaced at random, in
//! `.sframe`, in the headers around it and in `.eh_frame`. The effect of each change is determined
//! at every PC from the bytes only.
//!
//! The second opinion is independent: it has readers of ELF, `.sframe` and `.eh_frame` of its own,
//! written from the specifications. The judge's reports, or a run without contradiction, never
//! count here; of a run only the executed PCs are used.
//! - [`Original`] is a decoded file, [`Mutant`] a damaged file, [`Effect`] the effect of the
//!   damage;
//! - [`change_rows`] changes a row of every function at once, for code that is explored;
//! - `damage` draws the changes; `elf`, `anatomy`, `cfi` and `hdr` decode; `flaw` has the
//!   unambiguous clauses of the format; `effect` compares.

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

/// A file that mutants are made from.
#[derive(Clone, Debug)]
pub struct Original {
    bytes: Vec<u8>,
    view: View,
    executed: BTreeSet<u64>,
}

/// A damaged file.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The damage.
    pub damage: Damage,
    /// The effect of the damage.
    pub effect: Effect,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
}

impl Original {
    /// Reads a file; `executed` are the addresses of the instructions that its run executed. `None`
    /// if it is not an ELF64 file of a known machine or has no readable `.sframe`.
    pub fn new(bytes: Vec<u8>, executed: BTreeSet<u64>) -> Option<Original> {
        let view = view::view(&bytes)?;
        view.sframe.as_ref()?.table.as_ref()?;
        Some(Original { bytes, view, executed })
    }

    /// The target's ABI.
    pub fn abi(&self) -> Abi {
        self.view.abi()
    }

    /// The version of `.sframe`; V2 errata 1 is the one with starts relative to their own field.
    pub fn version(&self) -> SframeVersion {
        self.view.version().map_or(SframeVersion::LATEST, |version| version.name)
    }

    /// Returns true if the file is an object.
    pub fn is_object(&self) -> bool {
        self.view.file.relocatable
    }

    /// Returns true if some row of `.sframe` agrees with `.eh_frame`: otherwise there is nothing
    /// right to damage.
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
