//! `.sframe`: an unwinder by the rows of an [`sframe::Table`].
//!
//! SFrame restores SP and FP of a caller; all other registers are unknown in the caller's frame,
//! including the return-address register. A row that takes its return address from that register is
//! therefore usable for the innermost frame only (SFrame V3, appendix "Generating Stack Traces").

use std::ops::Range;

use ::sframe::{Function, Piece, Row, Table};
use types::{Answer, Caller, CodePoint, Fault, FrameRegs, Pc, RegFile, Stack, UnwindRow};

use crate::arch::pc_register;
use crate::eval::{Frame, Machine, Rules};
use crate::programs::Programs;
use crate::{FunctionRange, RowId, Unwinder, nothing};

/// An unwinder by a section's rows.
#[derive(Debug)]
pub struct SframeUnwinder {
    machine: Machine,
    table: Table,
    /// Empty: SFrame has no expressions.
    programs: Programs,
}

impl SframeUnwinder {
    /// Creates an unwinder for a table and the ABI of its header.
    pub fn new(table: Table) -> Self {
        let machine = Machine { facts: table.abi().facts(), pc_register: pc_register(table.abi()) };
        SframeUnwinder { machine, table, programs: Programs::default() }
    }

    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The boundaries of [`Unwinder::boundaries`], except that of a function that repeats its rows
    /// in blocks only two blocks are included, of which the range may cut the first: every row of
    /// the function begins in one of them.
    pub fn boundaries_once(&self, start: Pc, end: Pc) -> impl Iterator<Item = Pc> {
        self.boundaries_of_blocks(start, end, 2)
    }

    fn boundaries_of_blocks(&self, start: Pc, end: Pc, most: u64) -> impl Iterator<Item = Pc> {
        self.table.pieces(start.0, end.0).flat_map(move |piece| {
            let function = self.table.function(piece.function);
            function.into_iter().flat_map(move |function| row_starts(function, piece, start..end, most))
        })
    }

    #[inline]
    fn get(&self, row: RowId) -> Option<(Function<'_>, Row)> {
        let function = self.table.function(row.function as usize)?;
        Some((function, function.row(row.index as usize)?))
    }
}

impl Unwinder for SframeUnwinder {
    fn row(&self, at: CodePoint) -> Result<RowId, Fault> {
        let pc = at.lookup();
        let position = self.table.position(pc.0).ok_or(Fault::NoFunction)?;
        let function = self.table.function(position).ok_or(Fault::NoFunction)?;
        let index = function.row_index_at(pc.0);
        // A row whose words mean nothing is reported by the rules of the section, as are functions
        // that cannot be read.
        let index = index.ok_or_else(|| if function.is_unread(pc.0) { Fault::NoFunction } else { Fault::NoRow })?;
        let number = |position: usize| u32::try_from(position).map_err(|_| Fault::NoRow);
        Ok(RowId { function: number(position)?, index: number(index)? })
    }

    fn rules(&self, row: RowId, pc: Pc) -> UnwindRow {
        self.get(row).map_or_else(|| nothing(pc), |(function, row)| function.instantiate(&row, pc.0))
    }

    #[inline]
    fn evaluate<R: RegFile + ?Sized>(
        &self,
        row: RowId,
        at: CodePoint,
        regs: &R,
        stack: &Stack<'_>,
    ) -> Result<Answer, Fault> {
        let (function, row) = self.get(row).ok_or(Fault::NoRow)?;
        let rules = Rules {
            cfa: row.rules.cfa,
            ra: row.rules.ra,
            fp: row.rules.fp,
            sp: None,
            ra_column: self.machine.facts.ra,
            signed_by: row.rules.signed.then_some(function.key),
            signed_with_pc: false,
            signal: function.signal,
        };
        Frame::new(&self.machine, at, regs, stack, &self.programs).answer(&rules)
    }

    fn caller_regs<R: RegFile + ?Sized>(
        &self,
        _row: RowId,
        _at: CodePoint,
        caller: &Caller,
        _regs: &R,
        _stack: &Stack<'_>,
    ) -> FrameRegs {
        let mut restored = FrameRegs::none();
        restored.set(self.machine.facts.sp, Some(caller.sp));
        restored.set(self.machine.facts.fp, caller.fp.ok().flatten());
        restored
    }

    fn functions(&self) -> impl ExactSizeIterator<Item = FunctionRange> + Clone {
        self.table.functions().map(|function| range(&function))
    }

    fn first_from(&self, start: Pc) -> Option<FunctionRange> {
        self.table.functions_from(start.0).next().map(|function| range(&function))
    }

    fn function_at(&self, pc: Pc) -> Option<FunctionRange> {
        self.table.find(pc.0).map(|function| range(&function))
    }

    fn boundaries(&self, start: Pc, end: Pc) -> impl Iterator<Item = Pc> {
        self.boundaries_of_blocks(start, end, u64::MAX)
    }
}

fn range(function: &Function<'_>) -> FunctionRange {
    FunctionRange { start: Pc(function.start), end: Pc(function.end), offset: function.offset() }
}

/// The PCs of a piece, within `range`, at which a row of its function begins. A function that
/// repeats its rows in blocks is scanned from the block that contains the first PC, at most `most`
/// blocks.
fn row_starts(function: Function<'_>, piece: Piece, range: Range<Pc>, most: u64) -> impl Iterator<Item = Pc> + '_ {
    let (from, to) = (range.start.0.max(piece.start), range.end.0.min(piece.end));
    // After a function that lies inside another, the outer function applies again: its row for this
    // address begins here.
    let resumed =
        (from == piece.start && from > function.start && function.row_index_at(from).is_some()).then_some(from);
    let size = function.end.saturating_sub(function.start);
    let step = function.mask.map_or(size, |block| u64::from(block.get())).max(1);
    let first = from.saturating_sub(function.start).checked_div(step).unwrap_or(0);
    // Rows ascend. If none begins inside the block, billions of blocks need not be searched.
    let inside = function.rows_before(step);
    let rows = function.row_starts().take(inside);
    let after = if inside == 0 { first } else { first.saturating_add(most) };
    let blocks = (first..after).map_while(move |block| {
        let base = function.start.checked_add(block.checked_mul(step)?)?;
        (base < to).then_some(base)
    });
    let starts = blocks.flat_map(move |base| rows.clone().filter_map(move |row| base.checked_add(u64::from(row))));
    let mut last = resumed;
    let starts = starts.filter(move |pc| {
        let fresh = last.is_none_or(|last| last < *pc) && (from..to).contains(pc);
        if fresh {
            last = Some(*pc);
        }
        fresh
    });
    resumed.into_iter().chain(starts).map(Pc)
}
