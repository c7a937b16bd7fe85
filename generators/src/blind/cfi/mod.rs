//! A small reader of `.eh_frame` (LSB 5.0 core, 10.6; DWARF 5, 6.4): the rules at each PC.
//! Expressions are kept as bytes: two are equal if their bytes are.
//!
//! It shares nothing with the reader under test.

mod entry;
mod expression;
mod pointer;
mod program;
mod rewrite;
mod rule;

#[cfg(test)]
mod tests;

use std::fmt;

use types::Abi;

use crate::eh_frame::Factors;
use crate::reader::Meaning;

pub(super) use expression::{Simple, evaluate};
pub(super) use pointer::Encoding;
pub(super) use program::{CfiRow, Instruction};
pub use rewrite::{CfiEdit, Rewritten, Room, rewritten};
pub(super) use rule::{Cfa, Rule, Rules, SIGNED, Whole};

/// Maximum number of PCs examined one by one in functions with expressions.
const MOST_PCS: u64 = 0x1000;

/// The reason why an entry cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CfiFlaw {
    /// The entry is truncated, or extends beyond the section.
    Truncated,
    /// A version that `.eh_frame` does not have.
    Version,
    /// An undefined letter in the augmentation.
    Augmentation,
    /// A pointer encoding that is not defined for code addresses.
    Encoding,
    /// An FDE refers to no CIE.
    CiePointer,
    /// An instruction that does not exist, or is not allowed there.
    Operation,
    /// A number out of range.
    Operand,
    /// The location decreases, or leaves the address space.
    Location,
    /// A change of the CFA's offset or register, while the CFA is an expression or undefined.
    NoCfaRegister,
    /// DW_CFA_restore_state without a remembered state.
    NothingRemembered,
}

/// The functions of a section.
#[derive(Clone, Debug, Default)]
pub(super) struct Cfi {
    pub(super) functions: Vec<Function>,
    /// Offsets of unreadable entries, with the reason.
    pub(super) flaws: Vec<(u64, CfiFlaw)>,
}

/// A function: its FDE, and its rules.
#[derive(Clone, Debug)]
pub(super) struct Function {
    /// Offset of the FDE, and its size in bytes.
    pub(super) at: u64,
    pub(super) size: u64,
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) whole: Whole,
    /// Ascending.
    pub(super) rows: Vec<CfiRow>,
    pub(super) instructions: Vec<Instruction>,
    pub(super) fields: Vec<Field>,
    pub(super) cie: Shared,
}

/// The CIE of a function.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    pub(super) fields: Vec<Field>,
    pub(super) instructions: Vec<Instruction>,
    pub(super) factors: Factors,
}

/// A field of an entry: offset in the section, and size in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) at: u64,
    pub(super) size: u64,
}

/// The rules of a function at a PC.
#[derive(Clone, Copy, Debug)]
pub(super) struct RulesAt<'a> {
    pub(super) pc: u64,
    pub(super) function: &'a Function,
    pub(super) rules: &'a Rules,
}

/// Reads a section at an address.
pub(super) fn read(abi: Abi, bytes: &[u8], address: u64) -> Cfi {
    let (functions, flaws) = entry::entries(abi, bytes, address);
    Cfi { functions, flaws }
}

impl Cfi {
    /// The rules at a PC. If functions overlap, those of the one with the highest start, as a
    /// binary search finds.
    pub(super) fn at(&self, pc: u64) -> Option<RulesAt<'_>> {
        let covering = self.functions.iter().filter(|function| function.start <= pc && pc < function.end);
        let function = covering.rev().max_by_key(|function| function.start)?;
        let row = function.rows.iter().rev().find(|row| row.start <= pc)?;
        Some(RulesAt { pc, function, rules: &row.rules })
    }

    /// Start and end of each function that the other section does not have with the same rules.
    pub(super) fn differing(&self, other: &Cfi) -> impl Iterator<Item = (u64, u64)> {
        let mut same: Vec<&Function> = other.functions.iter().collect();
        same.sort_by_key(|function| (function.start, function.end));
        let is_same = move |function: &&Function| {
            let key = (function.start, function.end);
            let from = same.partition_point(|one| (one.start, one.end) < key);
            let alike = |one: &&Function| one.whole == function.whole && one.rows == function.rows;
            same.iter().skip(from).take_while(|one| (one.start, one.end) == key).any(alike)
        };
        let differing = self.functions.iter().filter(move |function| !is_same(function));
        differing.map(|function| (function.start, function.end))
    }

    pub(super) fn starting_at(&self, pc: u64) -> Option<&Function> {
        self.functions.iter().find(|function| function.start == pc)
    }

    /// PCs at which the rules can change.
    pub(super) fn boundaries(&self) -> impl Iterator<Item = u64> {
        self.functions.iter().flat_map(|function| {
            let rows = function.rows.iter().map(|row| row.start).filter(|start| *start < function.end);
            let moving = function.rows.iter().any(|row| row.rules.has_expression());
            let size = if moving { function.end.saturating_sub(function.start).min(MOST_PCS) } else { 0 };
            let every = (0..size).map(|offset| function.start.saturating_add(offset));
            [function.start, function.end].into_iter().chain(rows).chain(every)
        })
    }
}

impl RulesAt<'_> {
    /// The part that SFrame can express, or `None` if SFrame cannot express a rule.
    pub(super) fn meaning(&self, abi: Abi) -> Option<Meaning> {
        self.rules.meaning(abi, self.pc, self.function.whole)
    }

    /// Returns true if both have the same function attributes and the same rules for every
    /// register.
    pub(super) fn same(&self, other: &Self) -> bool {
        self.function.whole == other.function.whole && self.rules == other.rules
    }

    /// The rule of the return address, if there is one.
    pub(super) fn ra(&self) -> Option<&Rule> {
        self.rules.registers.get(&self.function.whole.ra)
    }
}

impl fmt::Display for CfiFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CfiFlaw::Truncated => "truncated",
            CfiFlaw::Version => "version",
            CfiFlaw::Augmentation => "augmentation",
            CfiFlaw::Encoding => "pointer encoding",
            CfiFlaw::CiePointer => "CIE pointer",
            CfiFlaw::Operation => "operation",
            CfiFlaw::Operand => "operand",
            CfiFlaw::Location => "location",
            CfiFlaw::NoCfaRegister => "CFA without register",
            CfiFlaw::NothingRemembered => "nothing remembered",
        })
    }
}
