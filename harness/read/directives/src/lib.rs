//! Rows that the CFI directives of an assembly source mean, as the GNU as manual defines them
//! ("CFI directives"), independent of any table: they decide whether a wrong table is the
//! assembler's or its source is wrong.
//!
//! Addresses come from the assembler under test. [`logged`] adds to the source a section in which
//! each directive is logged with the address at which it stands; the caller assembles the source
//! with and without it, and [`Meaning::read`] accepts the log if the code of both objects is equal.
//! Macros, repetitions, conditions and symbolic operands need no interpreter: the assembler
//! expands and evaluates them in the log too.
//!
//! Shares no code with the readers of `.eh_frame` and `.sframe`.
//!
//! ```
//! let source = "f: .cfi_startproc\npush %rbp\n.cfi_adjust_cfa_offset 8\nret\n.cfi_endproc\n";
//! let logged = directives::logged(source, types::Abi::Amd64);
//! assert_eq!(logged.matches(".pushsection").count(), 3);
//! let record = ".asciz \"adjust_cfa_offset 8\"; .8byte (8); .popsection\n";
//! assert!(logged.contains(&format!("{record}.cfi_adjust_cfa_offset 8\n")));
//! ```

mod directive;
mod escape;
mod log;
mod meaning;
mod register;
mod source;
mod state;

pub use log::{LogError, logged};
pub use meaning::{FunctionMeaning, Meaning, RowMeaning};
pub use register::number as register_number;
pub use state::Unclear;
