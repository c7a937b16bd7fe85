//! Iterator over the PCs at which a table's answer changes.

use sframe::{Cover, Piece};
use types::{Pc, Reg};

use super::instance::Form;
use super::table::Table;

/// Maximum number of bytes of PC-dependent rows that one iterator scans, so that a row which claims
/// the whole address space cannot cause a hang: enough for a PLT of 65536 entries.
const SCAN: u32 = 1 << 20;

/// An iterator over boundaries.
pub(super) struct Boundaries<'a, P> {
    table: &'a Table,
    pc_register: Reg,
    start: u64,
    end: u64,
    pieces: P,
    piece: Piece,
    /// Rows of the current piece not yet visited.
    rows: std::ops::Range<usize>,
    scan: Option<Scan>,
    budget: u32,
}

/// Scan of a row whose rules depend on the PC.
struct Scan {
    row: usize,
    next: u64,
    end: u64,
    form: Form,
}

impl<'a> Boundaries<'a, ()> {
    pub(super) fn new(
        table: &'a Table,
        cover: &'a Cover,
        start: Pc,
        end: Pc,
        pc_register: Reg,
    ) -> Boundaries<'a, impl Iterator<Item = Piece> + 'a> {
        Boundaries {
            table,
            pc_register,
            start: start.0,
            end: end.0,
            pieces: cover.pieces(start.0, end.0, |index| table.range(index)),
            piece: Piece { start: 0, end: 0, function: 0 },
            rows: 0..0,
            scan: None,
            budget: SCAN,
        }
    }
}

impl<P: Iterator<Item = Piece>> Iterator for Boundaries<'_, P> {
    type Item = Pc;

    fn next(&mut self) -> Option<Pc> {
        loop {
            if let Some(change) = self.next_change() {
                return Some(change);
            }
            let Some(index) = self.rows.next() else {
                self.piece = self.pieces.next()?;
                self.rows = self.table.rows_of(self.piece.function);
                continue;
            };
            let Some(row) = self.table.row(self.piece.function, index) else { continue };
            let from = row.start.max(self.piece.start).max(self.start);
            let to = row.end.min(self.piece.end).min(self.end);
            if from >= to {
                continue;
            }
            if self.table.depends_on_pc(&row) {
                let form = self.table.form(&row, Pc(from), self.pc_register);
                self.scan = Some(Scan { row: index, next: from.saturating_add(1), end: to, form });
            }
            // A row that began before the range, or before this piece, does not start in it.
            if from == row.start || from == self.piece.start {
                return Some(Pc(from));
            }
        }
    }
}

impl<P> Boundaries<'_, P> {
    /// The next PC of the scanned row at which its rules change.
    fn next_change(&mut self) -> Option<Pc> {
        let scan = self.scan.as_mut()?;
        let row = self.table.row(self.piece.function, scan.row)?;
        while scan.next < scan.end && self.budget > 0 {
            self.budget = self.budget.saturating_sub(1);
            let pc = Pc(scan.next);
            scan.next = scan.next.saturating_add(1);
            let form = self.table.form(&row, pc, self.pc_register);
            if form != scan.form {
                scan.form = form;
                return Some(pc);
            }
        }
        self.scan = None;
        None
    }
}
