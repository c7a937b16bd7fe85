//! CFI as assembly text: random legal `.s` files for assemblers, and files whose CFI is true for
//! their instructions.
//!
//! A random file ([`random`]) is legal, not true: an assembler must accept every directive, and
//! each is defined in DWARF 5, 6.4, but the instructions between them are no-ops. Both tables must
//! mean the same, or `.sframe` must omit the function. A true file ([`truth`]) can also be
//! executed. Both shrink by [`Text::smaller`]. Text is a function of ABI and seed: the same seed
//! gives the same bytes.

mod directive;
mod escape;
mod function;
pub mod random;
pub(crate) mod register;
pub mod truth;

pub use directive::Directive;
pub use escape::Escape;
pub use function::{Function, Line, Program};
pub use register::{Register, Role, registers};

use types::Abi;

/// A text that can be reduced: assembly, or C.
pub trait Text: Clone {
    /// The target's ABI.
    fn abi(&self) -> Abi;

    /// The whole file, as input of an assembler or compiler.
    fn text(&self) -> String;

    /// The kinds of its lines in order: `offset.ra`, `restore.fp`, `code`. Two files with equal
    /// kinds show the same behaviour.
    fn kinds(&self) -> Vec<String>;

    /// The file with only the function of this name, if that is a valid file.
    fn only(&self, function: &str) -> Option<Self>;

    /// Each function as a separate file, if there are several and they are independent.
    fn apart(&self) -> Vec<Self>;

    /// Smaller or simpler files that are still legal, the smallest first.
    fn smaller(&self) -> Vec<Self>;
}
