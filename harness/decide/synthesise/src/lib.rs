//! Synthesises the `.sframe` section equivalent to an `.eh_frame`: the output of an ideal
//! assembler, and the functions that the format cannot express.
//!
//! [`layouts()`] compares the bytes of these rows in the versions of SFrame and in other forms.
//! [`section()`] makes the section from the CFI; functions that it cannot express are listed, each
//! with its [`Reason`]. CFI is read by `unwind`, and the section is encoded by `generators`, which
//! shares nothing with the readers: what is written is judged by them.

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

pub mod layouts;
mod reason;
mod row;
mod section;
#[cfg(test)]
mod tests;

pub use generators::sframe::EncodeError;
pub use layouts::layouts;
pub use reason::Reason;
pub use section::{Input, Omitted, Synthesised, relocatable, section};
