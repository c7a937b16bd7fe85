//! What a table has for a PC: nothing, a function without a row, or a row.

use types::{CodePoint, Fault};
use unwind::{RowId, Unwinder};

/// What a table has for a PC, found once and remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// The file does not have this table.
    Absent,
    /// No function descriptor covers the PC.
    NoFunction,
    /// A function descriptor covers it, no row does.
    NoRow,
    /// The row that covers it, by the table's own number.
    Row(RowId),
}

/// What a table has for a code point.
pub fn slot<U: Unwinder>(table: Option<&U>, at: CodePoint) -> Slot {
    match table.map(|table| table.row(at)) {
        None => Slot::Absent,
        Some(Ok(row)) => Slot::Row(row),
        Some(Err(Fault::NoRow)) => Slot::NoRow,
        Some(Err(_)) => Slot::NoFunction,
    }
}
