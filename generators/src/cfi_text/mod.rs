//! CFI as assembly text: random legal `.s` files to feed to assemblers, and files whose CFI is true
//! to their instructions.
//!
//! A random file ([`random`]) is legal, not true: every directive is one an assembler must accept
//! and that has a meaning in DWARF 5, 6.4, but the instructions between them do nothing. Its two
//! tables must mean the same, or `.sframe` must leave the function out. A true file ([`truth`]) can
//! be executed besides. Both shrink by [`Text::smaller`]. Text is a function of ABI and seed: the
//! same seed gives the same bytes.

mod directive;
mod escape;
mod function;
pub mod random;
pub(crate) mod register;
mod rng;
pub mod truth;

pub use directive::Directive;
pub use escape::Escape;
pub use function::{Function, Line, Program};
pub use register::{Register, Role, registers};
pub use rng::Rng;

use types::Abi;

/// A text that can be made smaller: assembly, or C.
pub trait Text: Clone {
    /// The target it is for.
    fn abi(&self) -> Abi;

    /// The whole file, as an assembler or compiler reads it.
    fn text(&self) -> String;

    /// Its lines in order, by kind: `offset.ra`, `restore.fp`, `code`. Two files with equal kinds
    /// show the same thing.
    fn kinds(&self) -> Vec<String>;

    /// The file with only the function of this name, where that is still a file.
    fn only(&self, function: &str) -> Option<Self>;

    /// Each function as a file of its own, where there are several and they can stand alone.
    fn apart(&self) -> Vec<Self>;

    /// Smaller or simpler files that are still legal, the smallest first.
    fn smaller(&self) -> Vec<Self>;
}
