//! Types for stack unwinding: ABIs and SFrame versions with their properties,
//! addresses, rows, answers, executed steps, ELF images; and a generator of pseudo-random numbers.
//!
//! No I/O. Addresses and offsets are in bytes; registers are DWARF register numbers of the ABI.
//! With the feature `serde` the types of results can be serialised and have
//! JSON schemas.

#![no_std]
#![warn(missing_docs)]

extern crate alloc;
#[cfg(test)]
extern crate std;

/// The example of the README is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod abi;
mod abi_facts;
mod address;
mod answer;
mod aspect;
mod assumed;
mod claim;
mod combination;
mod counted;
pub mod elf;
mod encoded;
mod file_error;
mod image;
pub mod memo;
mod name;
mod named;
mod observer;
pub mod ranges;
mod reach;
mod registers;
mod rng;
mod row;
mod run_end;
mod saved_at;
mod signals;
mod skip;
mod source_line;
mod stack;
mod step;
mod table_format;
mod unknown;
mod verdict;
mod version;

pub use abi::{Abi, ByteOrder};
pub use abi_facts::{AbiFacts, CfaWord};
pub use address::{Addr, CodePoint, Pc, Reg};
pub use answer::{Answer, Caller, Fault};
pub use aspect::Aspect;
pub use assumed::AssumedEntry;
/// Bytes of a file; a clone or a slice shares them.
pub use bytes::Bytes;
pub use claim::{Claim, Equations, Location, RowFault};
pub use combination::combinations;
pub use counted::counted;
pub use encoded::{PointerEncoding, sleb128, uleb128};
pub use file_error::{FileError, FileErrorKind};
pub use image::{Image, ImageKind, ImageSection, Import, Relocation, Segment, Symbol};
pub use name::Name;
pub use observer::{Compared, Handed, Observer, Past, Preserved, Probe, Unrestored};
pub use reach::{ExploredCounts, Reach, RunSteps, Unreached};
pub use registers::{FrameRegs, RegFile, RegisterSet, Regs};
pub use rng::Rng;
pub use row::{CfaRule, ExprId, PacKey, UnwindRow, ValueRule};
pub use run_end::{RunEnd, StopReason, UndecidedReason};
pub use saved_at::SavedAt;
pub use signals::{SignalCounts, SignalRequest, SignalTime};
pub use skip::Skip;
pub use source_line::SourceLine;
pub use stack::{Extent, OuterStacks, Stack};
pub use step::{EarlierCalls, Event, Frame, Frames, LeftBy, Outermost, Step, ThreadId};
pub use table_format::TableFormat;
pub use unknown::Unknown;
pub use verdict::{Field, UndecidedCause, Verdict};
pub use version::SframeVersion;

/// Used only by the macro [`named`].
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use {alloc::borrow::Cow, alloc::string::String, alloc::vec::Vec, schemars, serde};
