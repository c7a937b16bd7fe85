//! What the tests of this crate share: an assembler for call frame information, registers and a
//! stack to evaluate rules with.
//!
//! Not shared with the generators: these sections exercise the reader, and are written from the
//! DWARF and LSB texts.

pub(crate) mod asm;
pub(crate) mod entry;
pub(crate) mod expr;
pub(crate) mod frame;

pub(crate) use asm::Asm;
pub(crate) use entry::{Cie, Fde, Flavour, Section};
pub(crate) use frame::{Memory, regs};

use types::{CodePoint, Pc, UnwindRow};
use unwind::Unwinder;

/// Every row a table has in a range, as text: `0x1000..0x1001 cfa=...`.
pub(crate) fn listing(abi: types::Abi, unwinder: &impl Unwinder, start: u64, end: u64) -> Vec<String> {
    let line = |pc: Pc| {
        let row = at(unwinder, pc.0);
        format!("{:#x}..{:#x} {}", row.start.0, row.end.0, row.describe(abi))
    };
    unwinder.boundaries(Pc(start), Pc(end)).map(line).collect()
}

/// The row that answers at an address.
pub(crate) fn at(unwinder: &impl Unwinder, pc: u64) -> UnwindRow {
    let row = unwinder.row(CodePoint::Exact(Pc(pc))).unwrap_or_else(|fault| panic!("{pc:#x}: {fault}"));
    unwinder.rules(row, Pc(pc))
}
