//! The words of sframe-conformance: plain data that every other crate shares. No I/O, no tables read, no code run.
//!
//! Units: addresses and offsets are bytes; registers are DWARF register numbers of the ABI at hand.

mod abi;
mod address;
mod answer;
mod catalogue;
mod clause;
mod clause_feature;
mod clauses;
mod image;
mod key;
mod row;
mod rule;
mod step;
mod version;

pub use abi::{Abi, AbiFacts, ByteOrder, UnknownAbi};
pub use address::{Addr, CodePoint, Pc, Reg};
pub use answer::{Answer, Caller, Fault};
pub use catalogue::{CATALOGUE, rule, rule_named};
pub use clause::{Clause, ShownBy};
pub use clause_feature::Feature;
pub use clauses::{RULES_WITHOUT_CLAUSE, SECTIONS, clause_named, clauses, clauses_of};
pub use image::{Image, ImageKind, ImageSection, Relocation, Segment, Symbol};
pub use key::{Key, KeyError};
pub use row::{CfaRule, ExprId, PacKey, UnwindRow, ValueRule};
pub use rule::{Finding, Rule, Severity};
pub use step::{EarlierCalls, Event, Frame, FrameRegs, Frames, RegFile, Regs, Stack, Step};
pub use version::SframeVersion;
