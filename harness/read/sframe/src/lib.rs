//! A reader for `.sframe` sections of V1, V2 (with and without errata 1 and errata 2) and V3, in
//! both byte orders.
//!
//! Three layers, each usable alone:
//! - syntax: [`Section`], [`FuncDesc`], [`FrameRow`] hold the encoded fields, including unknown
//!   bits, with absolute offsets;
//! - meaning: [`Table`], [`Function`], [`Row`] give the rules for the caller at an address;
//! - rules: [`validate`] lists breaches of the format's rules.
//!
//! No input causes a panic, and memory and time are bounded by the size of the section. The crate
//! opens no file and executes nothing.

#![no_std]
#![warn(missing_docs)]
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

extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

/// The example of the README is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod budget;
mod bytes;
mod cover;
pub mod cut;
#[cfg(feature = "std")]
mod dump;
mod error;
mod frame_row;
mod func;
mod function;
pub mod header;
mod layout;
#[cfg(feature = "std")]
mod lines;
mod meaning;
mod reader;
mod recent;
mod rules;
mod section;
mod table;

/// The crates whose types are part of this crate's interface.
pub use {spec, types};

pub use budget::Budget;
pub use cover::{Cover, Piece};
#[cfg(feature = "std")]
pub use dump::dump;
pub use error::{ErrorKind, ParseError};
pub use frame_row::{FrameRow, RowInfo};
pub use func::{Attributes, FuncDesc, FuncEntry, Info, Info2};
pub use function::{Function, FunctionFacts, Row};
pub use header::{Flags, Header};
pub use layout::Format;
pub use meaning::Rules;
pub use rules::{BREACHES_PER_RULE, Checked, check, validate};
pub use section::{Rows, Section};
pub use table::{Placement, StartBase, Table};
