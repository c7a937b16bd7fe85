//! Planted bugs. Bytes, words, fields and whole FDEs of real files are replaced at random, in
//! `.sframe`, in the headers around it and in `.eh_frame`; generated programs are also made with
//! wrong frames, in one table or in both alike, and with the bugs of linkers. The effect of each
//! change is determined at every PC from the bytes only.
//!
//! The second opinion is independent: it has readers of ELF, `.sframe` and `.eh_frame` of its own,
//! written from the specifications. The judge's reports, or a run without contradiction, never
//! count here; of a run only the executed PCs, and SP and FP there, are used.
//! - [`Original`] is a decoded file, [`Mutant`] one with a bug, [`Effect`] the effect of the bug;
//! - [`Fields`] gives one field of a file a wrong value, a [`WrongValue`];
//! - `damage` draws changes of bytes, `planted` bugs of generated programs; `elf`, `anatomy`, `cfi`
//!   and `hdr` decode; `flaw` has the unambiguous clauses of the format; `effect` compares.

mod answer;
mod cfi;
mod damage;
mod effect;
mod elf;
mod flaw;
mod hdr;
mod place;
mod planted;
#[cfg(test)]
mod tests;
mod view;
mod wrong_value;

use types::{Abi, SframeVersion};

pub use answer::{Difference, Memory, Table};
pub use cfi::{CfiEdit, CfiFlaw, Rewritten, Room, rewritten};
pub use damage::{Damage, Edit};
pub use effect::{Breach, DamagedPart, Effect, Executed, Registers, Span, Unseen};
pub use flaw::BrokenClause;
pub use wrong_value::{ChangedAnswer, Fields, WrongValue};

use crate::program::Program;
use planted::{Built, Planted};
use types::Rng;
use view::View;

/// A file that mutants are made from.
#[derive(Clone, Debug)]
pub struct Original {
    bytes: Vec<u8>,
    view: View,
    executed: Executed,
    /// The program that the file was made of, if it was generated.
    built: Option<Built>,
}

/// A file with a bug.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The bug.
    pub damage: Damage,
    /// The effect of the bug.
    pub effect: Effect,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
}

/// The number of draws for a planted bug, since a drawn one may not apply to the program.
const MOST_DRAWS: usize = 64;

impl Original {
    /// Reads a file with what its run executed, and the program if it was generated. `None` if it
    /// is not an ELF64 file of a known machine or has no readable `.sframe`, or the program cannot
    /// be built.
    pub fn new(bytes: Vec<u8>, executed: Executed, program: Option<Program>) -> Option<Original> {
        let view = view::view(&bytes)?;
        view.sframe.as_ref()?.table.as_ref()?;
        let built = program.map(Built::new).transpose().ok()?;
        Some(Original { bytes, view, executed, built })
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

    /// Returns true if a run executed the file.
    pub fn is_executed(&self) -> bool {
        !self.executed.is_empty()
    }

    /// Returns true if some row of `.sframe` agrees with `.eh_frame`: otherwise there is nothing
    /// right to damage.
    pub fn is_right_somewhere(&self) -> bool {
        effect::is_right_somewhere(&self.view)
    }

    /// The mutant of a seed. `None` if nothing can be damaged.
    pub fn mutant(&self, seed: u64) -> Option<Mutant> {
        self.mutant_of(seed, |_| true)
    }

    /// The mutant of a seed, if `accepts` accepts the name of its operator.
    pub fn mutant_of(&self, seed: u64, accepts: impl Fn(&str) -> bool) -> Option<Mutant> {
        let mut rng = Rng::new(seed);
        let built = self.built.as_ref().filter(|_| rng.one_in(2));
        match built {
            Some(built) => {
                let planted = |_| self.finish(planted::draw(built, &mut rng)?);
                (0..MOST_DRAWS).find_map(planted).filter(|mutant| accepts(&mutant.damage.operator))
            }
            None => {
                let damage = damage::draw(&self.view, &self.bytes, &mut rng)?;
                let bytes = damage::apply(&self.bytes, &damage.edits)?;
                accepts(&damage.operator).then(|| self.finish(Planted { damage, bytes })).flatten()
            }
        }
    }

    /// `None` if the bug leaves the values of both tables as they are.
    fn finish(&self, Planted { damage, bytes }: Planted) -> Option<Mutant> {
        let effect = match view::view(&bytes) {
            Some(view) => effect::effect(damage.target, &self.view, &view, &self.executed)?,
            None => Effect::Headers(vec![(BrokenClause::SectionHeader, 0)]),
        };
        Some(Mutant { damage, effect, bytes })
    }
}
