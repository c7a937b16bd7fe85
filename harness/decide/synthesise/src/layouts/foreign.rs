//! Bytes that the forms of other systems would take, by their documented rules. Nothing is encoded.
//!
//! A form fits a function if it can express the row of most of its code. Registers that callers
//! need besides SP, FP and return address are looked at where the form restricts them.

use types::{Abi, CfaRule, CodePoint, Pc, Reg, UnwindRow, ValueRule};
use unwind::Unwinder as _;

use super::{Expressed, Part, Parts, Size, Source, size};

/// A function as these forms describe it.
struct Shape {
    start: u64,
    size: u64,
    rows: Vec<(u64, UnwindRow)>,
    /// Position of the row of most of the code, and the size of that code.
    body: (usize, u64),
    /// Registers that the body's row finds in memory, as offsets from the CFA.
    saved: Vec<(Reg, i64)>,
}

impl Shape {
    fn new(source: &Source<'_>, one: &Expressed) -> Option<Shape> {
        let (start, end) = (one.range.start, one.range.end);
        let starts: Vec<Pc> = source.cfi.boundaries(start, end).collect();
        let mut rows: Vec<(u64, UnwindRow)> = Vec::new();
        for (index, pc) in starts.iter().enumerate() {
            let next = starts.get(index.saturating_add(1)).unwrap_or(&end);
            let row = source.cfi.row(CodePoint::Exact(*pc)).ok()?;
            rows.push((next.0.saturating_sub(pc.0), source.cfi.rules(row, *pc)));
        }
        let of = |row: &UnwindRow| (row.cfa, row.ra, row.fp);
        let bytes = |one: &UnwindRow| -> u64 {
            rows.iter().filter(|(_, other)| of(other) == of(one)).map(|(size, _)| size).sum()
        };
        // Of equal ones the first.
        let (body, most) = (rows.iter().enumerate().rev())
            .max_by_key(|(_, (_, row))| bytes(row))
            .map(|(index, (_, row))| (index, bytes(row)))?;
        let row = source.cfi.row(CodePoint::Exact(*starts.get(body)?)).ok()?;
        let at_cfa = |(reg, rule): &(Reg, ValueRule)| match rule {
            ValueRule::AtCfa(offset) => Some((*reg, *offset)),
            _ => None,
        };
        let saved = source.cfi.register_rules(row).iter().filter_map(at_cfa).collect();
        Some(Shape { start: start.0, size: size(&one.range), rows, body: (body, most), saved })
    }

    fn row(&self) -> Option<&UnwindRow> {
        self.rows.get(self.body.0).map(|(_, row)| row)
    }

    /// The body's CFA as register and offset.
    fn cfa(&self) -> Option<(Reg, i64)> {
        match self.row()?.cfa {
            CfaRule::Register { reg, offset } => Some((reg, offset)),
            _ => None,
        }
    }

    /// Offsets of saved registers that a predicate accepts, ascending; `None` if there are others.
    fn only(&self, accepts: impl Fn(Reg) -> bool) -> Option<Vec<i64>> {
        let mut slots = Vec::new();
        for (reg, slot) in &self.saved {
            if !accepts(*reg) {
                return None;
            }
            slots.push(*slot);
        }
        slots.sort_unstable();
        Some(slots)
    }
}

/// A form of another system.
struct Form {
    name: &'static str,
    abi: Abi,
    /// Bytes of a function apart from the section's own; `None` if the form cannot express it.
    bytes: fn(&Shape, Option<&Shape>) -> Option<u64>,
    /// Bytes of the section's own for a size of code and a number of functions.
    section: fn(u64, u64) -> u64,
    /// True if the form describes the body alone.
    body_alone: bool,
}

const FORMS: [Form; 5] = [
    // Linux, arch/x86/include/asm/orc_types.h and orc_lookup.h: an entry has 6 bytes and its
    // address 4; a lookup table has 4 bytes for each 256 bytes of code, and an end.
    Form { name: "ORC", abi: Abi::Amd64, bytes: orc, section: |code, _| lookup(code), body_alone: false },
    // mach-o/compact_unwind_encoding.h: compressed pages of 4096 bytes have a header of 12 bytes,
    // and the first level 12 bytes for each, after a header of 28 bytes.
    Form { name: "compact unwind", abi: Abi::Amd64, bytes: compact_amd64, section: pages, body_alone: true },
    Form { name: "compact unwind", abi: Abi::Aarch64, bytes: compact_aarch64, section: pages, body_alone: true },
    // Microsoft, "x64 exception handling": .pdata and .xdata.
    Form { name: "Windows", abi: Abi::Amd64, bytes: windows_amd64, section: |_, _| 0, body_alone: false },
    // Microsoft, "ARM64 exception handling": .pdata and .xdata.
    Form { name: "Windows", abi: Abi::Aarch64, bytes: windows_aarch64, section: |_, _| 0, body_alone: false },
];

/// Sizes in each form for the ABI.
pub(super) fn sizes(source: &Source<'_>) -> Vec<Size> {
    let shapes: Vec<Shape> = source.functions.iter().filter_map(|one| Shape::new(source, one)).collect();
    let code = match (shapes.first(), shapes.last()) {
        (Some(first), Some(last)) => last.start.saturating_add(last.size).saturating_sub(first.start),
        _ => 0,
    };
    let of = |form: &Form| {
        let mut sum = Size { layout: form.name, functions: 0, without: 0, parts: Parts::default() };
        for (index, shape) in shapes.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|before| shapes.get(before));
            if let Some(bytes) = (form.bytes)(shape, before) {
                sum.functions = sum.functions.saturating_add(1);
                sum.parts.add(Part::Functions, bytes);
                if form.body_alone {
                    sum.without = sum.without.saturating_add(shape.size.saturating_sub(shape.body.1));
                }
            }
        }
        sum.parts.add(Part::Index, (form.section)(code, sum.functions));
        sum
    };
    FORMS.iter().filter(|form| form.abi == source.abi).map(of).collect()
}

fn lookup(code: u64) -> u64 {
    code.div_ceil(256).saturating_add(1).saturating_mul(4)
}

/// A page has 1,021 entries of 4 bytes if it has no encodings of its own.
fn pages(_: u64, functions: u64) -> u64 {
    functions.div_ceil(1021).saturating_mul(12 + 12).saturating_add(28 + 12)
}

// DWARF numbers of the System V AMD64 psABI.
const RBP: Reg = Reg(6);
const RSP: Reg = Reg(7);

/// Entries: rows that differ from the one before, and one without rules for the code between two
/// functions.
fn orc(shape: &Shape, before: Option<&Shape>) -> Option<u64> {
    let near = |offset: i64| i16::try_from(offset).is_ok();
    let is_base = |reg: Reg| [RSP, RBP, Reg(1), Reg(5), Reg(10), Reg(13)].contains(&reg);
    let fits = |row: &UnwindRow| {
        let cfa = match row.cfa {
            CfaRule::Register { reg, offset } => is_base(reg) && near(offset),
            CfaRule::Memory { reg, offset } => [RSP, RBP].contains(&reg) && near(offset),
            CfaRule::Expression(_) | CfaRule::Unspecified => false,
        };
        let fp = match row.fp {
            ValueRule::AtCfa(offset) | ValueRule::Memory { reg: RBP, offset } => near(offset),
            other => other == ValueRule::SameValue,
        };
        row.ra == ValueRule::Undefined || (cfa && fp && row.ra == ValueRule::AtCfa(-8))
    };
    if !shape.rows.iter().all(|(_, row)| fits(row)) {
        return None;
    }
    let of = |row: &UnwindRow| (row.cfa, row.ra, row.fp, row.signal);
    let same = |pair: &[(u64, UnwindRow)]| matches!(pair, [(_, one), (_, other)] if of(one) == of(other));
    let mut entries =
        (shape.rows.len() as u64).saturating_sub(shape.rows.windows(2).filter(|pair| same(pair)).count() as u64);
    if let Some(before) = before {
        let ends = [before.rows.last(), shape.rows.first()].map(|row| row.map(|(_, row)| of(row)));
        match before.start.saturating_add(before.size) == shape.start {
            false => entries = entries.saturating_add(1),
            true if ends[0] == ends[1] => entries = entries.saturating_sub(1),
            true => {}
        }
    }
    Some(entries.saturating_mul(6 + 4))
}

/// An entry of a compressed page, unless the function before has the same encoding.
fn compact(shape: &Shape, before: Option<&Shape>) -> u64 {
    let of = |shape: &Shape| shape.row().map(|row| (row.cfa, row.fp, shape.saved.clone()));
    if before.and_then(of).is_some_and(|before| of(shape) == Some(before)) { 0 } else { 4 }
}

/// Returns true if slots of 8 bytes, ascending, adjoin each other up to the last.
fn is_dense(slots: &[i64], last: i64) -> bool {
    let adjoin = |pair: &[i64]| matches!(pair, [one, next] if next.checked_sub(*one) == Some(8));
    slots.windows(2).all(adjoin) && slots.last().is_none_or(|slot| *slot == last)
}

fn compact_amd64(shape: &Shape, before: Option<&Shape>) -> Option<u64> {
    let (base, offset) = shape.cfa()?;
    let is_saved = |reg: Reg| matches!(reg, Reg(3 | 6 | 12..=15 | 16));
    let slots: Vec<i64> = shape.only(is_saved)?.into_iter().filter(|slot| *slot != -8).collect();
    let fits = match base {
        // Five registers at most, in a window of five slots at most 255 slots below the record.
        RBP => {
            let below: Vec<&i64> = slots.iter().filter(|slot| **slot != -16).collect();
            let window = below.first().zip(below.last()).is_none_or(|(low, high)| high.saturating_sub(**low) <= 32);
            offset == 16 && window && below.first().is_none_or(|low| **low >= -16 - 8 * 255)
        }
        // Registers are directly below the return address; a larger frame's size is in its code.
        RSP => is_dense(&slots, -16),
        _ => false,
    };
    fits.then(|| compact(shape, before))
}

fn compact_aarch64(shape: &Shape, before: Option<&Shape>) -> Option<u64> {
    let (base, offset) = shape.cfa()?;
    let slots = shape.only(|reg| matches!(reg, Reg(19..=30 | 72..=79)))?;
    // Pairs directly below the CFA, the record first.
    let fits = match base {
        Reg(29) => offset == 16 && is_dense(&slots, -8),
        Reg(31) => {
            shape.row()?.ra == ValueRule::SameValue
                && (0..=65_520).contains(&offset)
                && offset & 15 == 0
                && is_dense(&slots, -8)
        }
        _ => false,
    };
    (fits && slots.len() & 1 == 0).then(|| compact(shape, before))
}

/// A prologue of pushes, one allocation and a frame pointer, in at most 255 bytes.
fn windows_amd64(shape: &Shape, _: Option<&Shape>) -> Option<u64> {
    let (base, _) = shape.cfa()?;
    let prologue = shape.rows.get(..shape.body.0)?;
    let length: u64 = prologue.iter().map(|(size, _)| size).sum();
    let (mut slots, mut before) = (0u64, 8i64);
    for row in prologue.iter().map(|(_, row)| row).chain(shape.row()) {
        match row.cfa {
            CfaRule::Register { reg: RSP, offset } => {
                slots = slots.saturating_add(match offset.saturating_sub(before) {
                    i64::MIN..=-1 => return None,
                    0 => 0,
                    1..=128 => 1,
                    129..=524_280 => 2,
                    _ => 3,
                });
                before = offset;
            }
            CfaRule::Register { reg: RBP, .. } => {}
            _ => return None,
        }
    }
    let frame = u64::from(base == RBP);
    let codes = slots.saturating_add(frame);
    (length <= 255 && codes <= 255 && [RSP, RBP].contains(&base))
        .then(|| codes.saturating_add(codes & 1).saturating_mul(2).saturating_add(12 + 4))
}

/// 8 bytes if the prologue has the packed form's order, else also a record with its codes.
fn windows_aarch64(shape: &Shape, _: Option<&Shape>) -> Option<u64> {
    let (base, offset) = shape.cfa()?;
    if ![Reg(29), Reg(31)].contains(&base) || shape.size >= 1 << 20 {
        return None;
    }
    let frame = if base == Reg(31) {
        offset
    } else {
        shape.saved.iter().map(|(_, slot)| slot.saturating_neg()).max().unwrap_or(0).max(offset)
    };
    let has_record = shape.saved.iter().any(|(reg, _)| *reg == Reg(29));
    let of = |first: u16, last: u16| {
        let mut regs: Vec<(u16, i64)> = shape
            .saved
            .iter()
            .filter(|(reg, _)| (first..=last).contains(&reg.0))
            .map(|(reg, slot)| (reg.0, *slot))
            .collect();
        regs.sort_unstable();
        regs
    };
    let (integers, floats) = (of(19, 28), of(72, 79));
    let count = integers.len().saturating_add(floats.len()) as i64;
    let area = count.saturating_mul(8).saturating_add(15) & !15;
    // x19 first, at the low end of an area at the CFA.
    let slots: Vec<i64> = integers.iter().map(|(_, slot)| *slot).collect();
    let consecutive = (19..).zip(&integers).all(|(number, (reg, _))| *reg == number)
        && slots.first().is_none_or(|slot| *slot == area.saturating_neg())
        && slots.last().is_none_or(|last| is_dense(&slots, *last));
    let body_first = shape.saved.iter().all(|(reg, _)| matches!(reg.0, 19..=30 | 72..=79));
    let packed = shape.size <= 2047 * 4
        && frame <= 511 * 16
        && frame & 15 == 0
        && consecutive
        && body_first
        && floats.is_empty();
    if packed {
        return Some(8);
    }
    // A code of 2 bytes for each pair, 4 for frame and record, and an end; an epilogue at the end
    // shares the codes of the prologue, any other has 4 bytes.
    let pairs = u64::try_from(count).ok()?.saturating_add(1) >> 1;
    let codes = pairs.saturating_mul(2).saturating_add(if has_record { 3 } else { 2 }).saturating_add(1);
    let body = |row: &UnwindRow| shape.row().is_some_and(|own| own.cfa == row.cfa && own.ra == row.ra);
    let leaves =
        shape.rows.windows(2).filter(|pair| matches!(pair, [(_, one), (_, other)] if body(one) && !body(other)));
    let epilogues = (leaves.count() as u64).saturating_sub(1).saturating_mul(4);
    Some(8u64.saturating_add(4).saturating_add(codes.next_multiple_of(4)).saturating_add(epilogues))
}
