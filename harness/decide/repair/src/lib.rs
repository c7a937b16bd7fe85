//! The repair of a function's wrong rows: the smallest edits of its CFI directives, at instruction
//! boundaries, that make each row right where the truth is known.
//!
//! A table is seen as the directives that change its rows. [`Function`] has for each boundary the
//! row of the table, and the [`Facts`]: the rules that held there in every observed state. A
//! boundary without facts was not reached; no repair is judged by it. [`repair`] chooses the right
//! rows that need the fewest edits. An edit is what no reading of the table's own directives
//! explains: a change of the CFA may be absolute or relative, and a state that recurs may be
//! restored. A right row changes only into another right one, next to a wrong row that needs it.
//!
//! Pure: no files, tables or machines.
//!
//! ```
//! use repair::{Boundary, Entered, Facts, Function, Part, Row, repair};
//! use types::{Abi, CfaRule, Pc};
//!
//! // push %rbx; push %r12; ud2. The directive after the first is missing.
//! let reg = Abi::Amd64.facts().sp;
//! let row = |offset| Row::at_entry(Abi::Amd64).with_cfa(CfaRule::Register { reg, offset });
//! let boundary = |pc, table, truth| {
//!     let facts = Some(Facts::default().with(Part::Cfa, [row(truth).get(Part::Cfa)]));
//!     let (pc, entered, row) = (Pc(pc), Entered::FromBefore, row(table));
//!     Boundary { pc, entered, row, given: None, restores: false, facts }
//! };
//! let boundaries = vec![boundary(0, 8, 8), boundary(1, 8, 16), boundary(2, 24, 24)];
//! let found = repair(&Function { abi: Abi::Amd64, initial: row(8), boundaries, end: Pc(3) })?;
//! let text = |pc: Pc| ["push S", "push S", "ud2"][pc.0 as usize].to_owned();
//! let forms: Vec<String> =
//!     found.edits.iter().map(|edit| edit.normal_form(Abi::Amd64, text)).collect();
//! assert_eq!(forms, ["insert .cfi_adjust_cfa_offset N after push S"]);
//! # Ok::<(), repair::NoRepair>(())
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]
#![warn(missing_docs)]

mod directive;
mod edit;
mod facts;
mod function;
mod options;
mod path;
mod row;
mod search;
#[cfg(test)]
mod tests;

pub use directive::Directive;
pub use edit::{Action, Edit, Place};
pub use facts::Facts;
pub use function::{Boundary, Entered, Function, Given, Remembers, Spelling};
pub use row::{Part, Row, Value};
pub use search::{Budget, NoRepair, Repair, repair};
