//! Call frame information: reads rows from `.eh_frame` and `.debug_frame`, and finds callers by
//! them. The only module that uses gimli.
//!
//! Everything is read when the unwinder is created: memory is bounded by the section's size, and an
//! entry that cannot be used is kept with its offset ([`CfiUnwinder::broken`]) and does not affect
//! others. DWARF 5, 6.4; LSB 5.0 core, 10.6.

mod augmentation;
mod boundaries;
mod compile;
mod entries;
mod error;
mod instance;
mod instructions;
mod lines;
mod pointers;
mod row_error;
mod rule_sets;
mod sign_state;
mod state;
mod table;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use gimli::{BaseAddresses, DebugFrame, EhFrame, EndianSlice, RunTimeEndian, Vendor};
use sframe::Cover;
use types::{
    Abi, Answer, ByteOrder, Caller, CodePoint, Fault, FrameRegs, Pc, Reg, RegFile, Stack, UnwindRow, ValueRule,
};

pub use error::{BadEntry, CfiError};
pub use instructions::{CfiInstructions, CfiSets};
pub use lines::{SourceLines, unit_producers};

use crate::arch::pc_register;
use crate::eval::{Frame, Machine};
use crate::{FunctionRange, Lsda, Personality, RowId, SignalFrame, Unwinder, nothing};
use boundaries::Boundaries;
use entries::{Entries, Flavour};
use table::{Row, Table};

/// CFI sections of an image: address and contents, with relocations applied.
#[derive(Clone, Copy, Debug, Default)]
pub struct CfiSections<'a> {
    /// `.eh_frame`, which is preferred.
    pub eh_frame: Option<(u64, &'a [u8])>,
    /// `.debug_frame`; used only when `.eh_frame` is absent or has no entries.
    pub debug_frame: Option<(u64, &'a [u8])>,
    /// Base of `DW_EH_PE_textrel` pointers.
    pub text: Option<u64>,
    /// Base of `DW_EH_PE_datarel` pointers.
    pub got: Option<u64>,
}

/// An unwinder by call frame information.
#[derive(Debug)]
pub struct CfiUnwinder {
    machine: Machine,
    cover: Cover,
    table: Table,
    section: &'static str,
    broken: Vec<BadEntry>,
    early_terminator: Option<EarlyTerminator>,
}

/// A terminator of `.eh_frame` before the last entry. Offsets are those in the section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EarlyTerminator {
    /// Offset of the zero length.
    pub offset: u64,
    /// Offset of the first entry after it.
    pub next: u64,
}

impl CfiUnwinder {
    /// Reads the CFI sections of an image.
    pub fn new(abi: Abi, sections: &CfiSections<'_>) -> Self {
        let order = order(abi);
        let mut bases = BaseAddresses::default();
        if let Some(text) = sections.text {
            bases = bases.set_text(text);
        }
        if let Some(got) = sections.got {
            bases = bases.set_got(got);
        }
        let eh_frame = sections.eh_frame.map(|(address, bytes)| {
            (read(abi, order, &bases.clone().set_eh_frame(address), bytes, Flavour::EhFrame), ".eh_frame")
        });
        let (table, section) = match (eh_frame, sections.debug_frame) {
            (Some((table, section)), _) if !table.is_empty() => (table, section),
            (_, Some((_, bytes))) => (read(abi, order, &bases, bytes, Flavour::DebugFrame), ".debug_frame"),
            (Some(empty), None) => empty,
            (None, None) => (Table::default(), ".eh_frame"),
        };
        let named = if table.broken.is_empty() { &[] } else { table.functions.as_slice() };
        let starts: BTreeMap<u64, Pc> = named.iter().map(|range| (range.offset, range.start)).collect();
        let broken = table.broken.iter().map(|(offset, error)| BadEntry {
            section,
            offset: *offset as u64,
            function: starts.get(&(*offset as u64)).copied(),
            error: error.clone(),
        });
        let entries = sections.eh_frame.map(|(_, bytes)| Entries { bytes, order, flavour: Flavour::EhFrame });
        let early = entries.and_then(Entries::early_terminator);
        CfiUnwinder {
            early_terminator: early.map(|(at, next)| EarlyTerminator { offset: at as u64, next: next as u64 }),
            machine: Machine { facts: abi.facts(), pc_register: pc_register(abi) },
            cover: Cover::new(table.functions.iter().map(|range| (range.start.0, range.end.0))),
            broken: broken.collect(),
            section,
            table,
        }
    }

    /// Entries that could not be used, by ascending offset. Addresses that a broken FDE covers have
    /// a function but no row.
    pub fn broken(&self) -> &[BadEntry] {
        &self.broken
    }

    /// The terminator of `.eh_frame` that further entries follow: readers that walk the section
    /// stop there.
    pub fn early_terminator(&self) -> Option<EarlyTerminator> {
        self.early_terminator
    }

    /// The last address that the instructions of a function's FDE advance to, if it is the end of
    /// the function or past it.
    pub fn last_advance(&self, function: &FunctionRange) -> Option<Pc> {
        self.table.last_advances.get(&function.offset).copied().map(Pc)
    }

    /// Returns true if the FDEs of two functions have rows at the same addresses, with the same
    /// rules.
    pub fn have_same_rows(&self, one: &FunctionRange, other: &FunctionRange) -> bool {
        let key = |range: &FunctionRange| (range.start, range.offset);
        let position = |wanted| self.table.functions.binary_search_by_key(&key(wanted), key).ok();
        match (position(one), position(other)) {
            (Some(one), Some(other)) => self.table.have_same_rows(one, other),
            _ => false,
        }
    }

    /// Returns true if two rows have the same rules for every register.
    pub fn have_equal_rules(&self, one: RowId, other: RowId) -> bool {
        match (self.get(one), self.get(other)) {
            (Some(one), Some(other)) => std::ptr::eq(one.set, other.set),
            _ => false,
        }
    }

    /// Name of the section that is used: `.eh_frame` or `.debug_frame`.
    pub fn section(&self) -> &'static str {
        self.section
    }

    /// Functions with a language-specific data area (LSDA), in the order of their FDEs.
    pub fn lsdas(&self) -> &[Lsda] {
        &self.table.lsdas
    }

    /// The personality routines of CIEs, in their order.
    pub fn personalities(&self) -> &[Personality] {
        &self.table.personalities
    }

    /// Functions whose CIE marks a signal frame, by ascending start.
    pub fn signal_frames(&self) -> &[SignalFrame] {
        &self.table.signal_frames
    }

    /// Ranges of PCs in which `DW_CFA_GNU_args_size` counts arguments on the stack, with their size
    /// in bytes: SP is above them at the landing pad of a throw.
    pub fn pushed(&self) -> &[(Range<u64>, u64)] {
        &self.table.pushed
    }

    /// Returns true if the function at a PC does not follow the ABI's calling convention: its CIE
    /// has another return-address register, or another distance from SP to the CFA at entry.
    pub fn has_own_convention(&self, pc: Pc) -> bool {
        is_in(&self.table.own_convention, pc)
    }

    /// Returns true if the CIE of the function at a PC names another general register for the
    /// return address than the ABI.
    pub fn has_own_column(&self, pc: Pc) -> bool {
        is_in(&self.table.own_column, pc)
    }

    /// Returns true if a row computes the return address, and reads it neither from memory nor
    /// from a register other than the program counter: its caller is code, not who called.
    pub fn computes_ra(&self, row: RowId) -> bool {
        self.get(row).is_some_and(|row| match row.set.rules.ra {
            ValueRule::Expression(id) => self.table.programs.computes_from_pc(id),
            ValueRule::Register { reg, .. } => reg == self.machine.pc_register,
            _ => false,
        })
    }

    /// The functions that start at a PC, including empty ones.
    pub fn starting_at(&self, start: Pc) -> impl Iterator<Item = FunctionRange> {
        let from = self.table.functions.partition_point(|other| other.start < start);
        let upwards = self.table.functions.iter().skip(from);
        upwards.copied().take_while(move |other| other.start == start)
    }

    /// The rule of a row for a register; `None` if it has none.
    pub fn rule(&self, row: RowId, reg: Reg) -> Option<ValueRule> {
        self.register_rules(row).iter().find(|(each, _)| *each == reg).map(|(_, rule)| *rule)
    }

    /// The rules of a row for registers, in no particular order.
    pub fn register_rules(&self, row: RowId) -> &[(Reg, ValueRule)] {
        self.get(row).map(|row| self.table.saved(&row)).unwrap_or_default()
    }

    /// The registers for which any row has a rule. Ascending.
    pub fn registers_with_rules(&self) -> BTreeSet<Reg> {
        self.table.registers_with_rules()
    }

    /// The value that a rule of a row gives for a register, in a frame with this CFA.
    ///
    /// # Errors
    /// The rule cannot be evaluated, or is [`ValueRule::Undefined`].
    pub fn value<R: RegFile + ?Sized>(
        &self,
        (reg, rule): (Reg, ValueRule),
        cfa: u64,
        at: CodePoint,
        regs: &R,
        stack: &Stack<'_>,
    ) -> Result<u64, Fault> {
        Frame::new(&self.machine, at, regs, stack, &self.table.programs).value(rule, cfa, reg)
    }

    /// The CFA by a row with a rule for the caller's SP: it need not be the ABI's, and offsets
    /// count from it. `None` without such a rule, or if the row cannot be evaluated.
    pub fn own_cfa<R: RegFile + ?Sized>(&self, row: RowId, at: CodePoint, regs: &R, stack: &Stack<'_>) -> Option<u64> {
        self.get(row)?.set.rules.sp?;
        match self.evaluate(row, at, regs, stack) {
            Ok(Answer::Caller(caller)) => Some(caller.cfa),
            Ok(Answer::Outermost) | Err(_) => None,
        }
    }

    pub fn row_count(&self) -> usize {
        self.table.row_count()
    }

    /// Position of the function found for a PC.
    #[inline]
    fn position(&self, pc: Pc) -> Option<usize> {
        self.cover.find(pc.0, |index| self.table.range(index))
    }

    #[inline]
    fn get(&self, row: RowId) -> Option<Row<'_>> {
        self.table.row(row.function as usize, row.index as usize)
    }
}

fn order(abi: Abi) -> RunTimeEndian {
    match abi.facts().order {
        ByteOrder::Little => RunTimeEndian::Little,
        ByteOrder::Big => RunTimeEndian::Big,
    }
}

/// The section in a form that gimli can read; a copy only if it must differ.
fn prepared(abi: Abi, bytes: &[u8], flavour: Flavour) -> (Cow<'_, [u8]>, Vendor) {
    let order = order(abi);
    let entries = Entries { bytes, order, flavour };
    let readable = augmentation::readable(abi, bytes, entries);
    match abi.facts().pointer_authentication {
        true => (sign_state::readable(readable, order, flavour, entries), Vendor::AArch64),
        false => (readable, Vendor::Default),
    }
}

fn read(abi: Abi, order: RunTimeEndian, bases: &BaseAddresses, bytes: &[u8], flavour: Flavour) -> Table {
    let entries = Entries { bytes, order, flavour };
    let (readable, vendor) = prepared(abi, bytes, flavour);
    let input = EndianSlice::new(&readable, order);
    let mut table = match flavour {
        Flavour::EhFrame => {
            let mut section = EhFrame::from(input);
            section.set_address_size(8);
            section.set_vendor(vendor);
            Table::read(abi, bytes, &section, bases, entries)
        }
        Flavour::DebugFrame => {
            let mut section = DebugFrame::from(input);
            section.set_address_size(8);
            section.set_vendor(vendor);
            let mut table = Table::read(abi, bytes, &section, bases, entries);
            table.undefine_unused(abi.facts().fp);
            table
        }
    };
    table.broken.extend(entries.stop());
    table
}

impl Unwinder for CfiUnwinder {
    fn row(&self, at: CodePoint) -> Result<RowId, Fault> {
        let pc = at.lookup();
        let function = self.position(pc).ok_or(Fault::NoFunction)?;
        let index = self.table.find(function, pc.0).ok_or(Fault::NoRow)?;
        // `set.rs` ensures that functions can be numbered with 32 bits.
        let function = u32::try_from(function).map_err(|_| Fault::NoRow)?;
        Ok(RowId { function, index })
    }

    fn rules(&self, row: RowId, pc: Pc) -> UnwindRow {
        let Some(row) = self.get(row) else { return nothing(pc) };
        let column = row.set.rules.ra_column;
        let rules = self.table.instantiate(&row, pc, self.machine.pc_register);
        match rules.ra {
            // The unchanged register is that of the return-address column, which need not be the
            // ABI's.
            ValueRule::SameValue if column != self.machine.facts.ra => {
                UnwindRow { ra: ValueRule::Register { reg: column, offset: 0 }, ..rules }
            }
            _ => rules,
        }
    }

    #[inline]
    fn evaluate<R: RegFile + ?Sized>(
        &self,
        row: RowId,
        at: CodePoint,
        regs: &R,
        stack: &Stack<'_>,
    ) -> Result<Answer, Fault> {
        let row = self.get(row).ok_or(Fault::NoRow)?;
        Frame::new(&self.machine, at, regs, stack, &self.table.programs).answer(&row.set.rules)
    }

    fn caller_regs<R: RegFile + ?Sized>(
        &self,
        row: RowId,
        at: CodePoint,
        caller: &Caller,
        regs: &R,
        stack: &Stack<'_>,
    ) -> FrameRegs {
        let mut restored = FrameRegs::none();
        let Some(row) = self.get(row) else { return restored };
        for number in self.machine.facts.callee_saved {
            restored.set(Reg(*number), regs.read(Reg(*number)));
        }
        let frame = Frame::new(&self.machine, at, regs, stack, &self.table.programs);
        let facts = self.machine.facts;
        let (mut link_has_rule, column) = (false, row.set.rules.ra_column);
        for (reg, rule) in self.table.saved(&row) {
            link_has_rule |= *reg == facts.ra;
            restored.set(*reg, frame.value(*rule, caller.cfa, *reg).ok());
        }
        // After a return the link register holds the address that control returned to, not the one
        // that the caller will return to: useless further out.
        restored.set(column, None);
        if !link_has_rule {
            restored.set(facts.ra, None);
        }
        restored.set(facts.sp, Some(caller.sp));
        restored.set(facts.fp, caller.fp.ok().flatten());
        restored
    }

    fn functions(&self) -> impl ExactSizeIterator<Item = FunctionRange> + Clone {
        self.table.functions.iter().copied()
    }

    fn first_from(&self, start: Pc) -> Option<FunctionRange> {
        let upto = self.table.functions.partition_point(|other| other.start < start);
        self.table.functions.get(upto).copied()
    }

    fn function_at(&self, pc: Pc) -> Option<FunctionRange> {
        self.table.functions.get(self.position(pc)?).copied()
    }

    fn boundaries(&self, start: Pc, end: Pc) -> impl Iterator<Item = Pc> {
        Boundaries::new(&self.table, &self.cover, start, end, self.machine.pc_register)
    }
}

/// Returns true if a pc is in one of some ranges, which are ascending and apart.
fn is_in(ranges: &[(u64, u64)], pc: Pc) -> bool {
    let after = ranges.partition_point(|(start, _)| *start <= pc.0);
    after.checked_sub(1).and_then(|last| ranges.get(last)).is_some_and(|(_, end)| pc.0 < *end)
}
