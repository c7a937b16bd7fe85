//! A table's entry for a PC: none, a function without a row, or a row.

use types::{CodePoint, Fault};
use unwind::{RowId, Unwinder};

/// A table's entry for a PC, looked up once and remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// The file does not have this table.
    Absent,
    /// No function descriptor covers the PC.
    NoFunction,
    /// A function descriptor covers the PC, but no row does.
    NoRow,
    /// The row that covers the PC.
    Row(RowId),
}

impl Slot {
    /// The row, if there is one.
    pub const fn row(self) -> Option<RowId> {
        match self {
            Slot::Row(row) => Some(row),
            Slot::Absent | Slot::NoFunction | Slot::NoRow => None,
        }
    }
}

/// Looks up a code point in a table.
pub fn slot<U: Unwinder>(table: Option<&U>, at: CodePoint) -> Slot {
    match table.map(|table| table.row(at)) {
        None => Slot::Absent,
        Some(Ok(row)) => Slot::Row(row),
        Some(Err(Fault::NoRow)) => Slot::NoRow,
        Some(Err(_)) => Slot::NoFunction,
    }
}
