//! Random changes of one row in every function of a table, in one copy of a file: the number that a
//! judge finds shows what it misses.

mod columns;

use std::collections::BTreeSet;

use types::{Abi, ByteOrder, ValueRule};

use super::cfi::{self, Cfi, Function};
use super::damage::{Edit, another, apply};
use super::effect::{DamagedPart, rules};
use super::elf::Section;
use super::view::{self, View};
use crate::arch::arch;
use crate::reader::anatomy::{self, Descriptor};
use crate::reader::{DecodedSection, Meaning, Starts, decode};
use types::Rng;

/// A copy of a file with changed rows in every possible function.
#[derive(Clone, Debug)]
pub struct ChangedRows {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// The changed rows: at most one for each function.
    pub rows: Vec<ChangedRow>,
    /// Number of functions in the table.
    pub functions: usize,
}

/// The effect of a change to one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedRow {
    /// Start and end of the function.
    pub function: (u64, u64),
    /// Ranges of PCs whose rules changed, ascending.
    pub pcs: Vec<(u64, u64)>,
    /// The answer at the first changed PC before the change.
    pub was: String,
    /// The answer at the first changed PC after the change.
    pub is: String,
}

/// A kind of change to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowChange {
    /// Another value for one byte.
    Byte,
    /// An offset of the CFA, the return address or FP is one slot more or less: the closest wrong
    /// row, which reads another value from the stack.
    Slot,
    /// In `.eh_frame`: a saved return address or FP is described as still in its register.
    Unsaved,
    /// In `.eh_frame`: the base of the CFA is a register that does not exist.
    Absent,
    /// In `.eh_frame`: the CFA is a DWARF expression of no operations, which gives none.
    Expression,
    /// In `.eh_frame`: the return address or, beside `.sframe`, FP is undefined where it is saved.
    Undefined,
    /// In `.eh_frame`: each CIE has another column for the return address.
    Column,
    /// In `.eh_frame` beside `.sframe`: the FDE ends before its last row, or has no bytes.
    Range,
    /// In `.eh_frame_hdr`: the entry of one function leads to the FDE of another.
    Search,
}

impl RowChange {
    /// All of them.
    pub const ALL: [RowChange; 9] = [
        RowChange::Byte,
        RowChange::Slot,
        RowChange::Unsaved,
        RowChange::Absent,
        RowChange::Expression,
        RowChange::Undefined,
        RowChange::Column,
        RowChange::Range,
        RowChange::Search,
    ];

    /// The name in results.
    pub const fn name(self) -> &'static str {
        match self {
            RowChange::Byte => "byte",
            RowChange::Slot => "slot",
            RowChange::Unsaved => "unsaved",
            RowChange::Absent => "absent",
            RowChange::Expression => "expression",
            RowChange::Undefined => "undefined",
            RowChange::Column => "column",
            RowChange::Range => "range",
            RowChange::Search => "search",
        }
    }
}

/// Maximum number of draws for a function, until a change has an effect.
const MOST_DRAWS: usize = 12;

/// Maximum number of blocks of a function that are compared; all blocks are alike.
const MOST_BLOCKS: usize = 64;

/// Changes one row in each function of `.sframe` or of `.eh_frame`. `None` if a linked file has no
/// readable table, or the change does not apply to it. Unchanged are functions whose rows all come
/// from the CIE, outermost functions, and those with expressions.
pub fn change_rows(file: &[u8], target: DamagedPart, change: RowChange, seed: u64) -> Option<ChangedRows> {
    let view = view::view(file).filter(|view| !view.file.relocatable)?;
    let mut rng = Rng::new(seed);
    let (section, drawn) = match target {
        DamagedPart::EhFrame if change == RowChange::Range && view.sframe.is_none() => return None,
        DamagedPart::EhFrame if change == RowChange::Search => {
            let hdr = view.hdr.as_ref().filter(|hdr| hdr.usual && hdr.flaws.is_empty())?;
            let section = view.file.sections.get(hdr.section)?;
            (section, columns::search(&view, hdr, view.file.raw(file, section)?, &mut rng)?)
        }
        DamagedPart::EhFrame if change == RowChange::Column => {
            let section = view.file.sections.get(view.file.named(b".eh_frame")?)?;
            (section, columns::columns(&view, section, view.file.raw(file, section)?, &mut rng)?)
        }
        DamagedPart::EhFrame => {
            let section = view.file.sections.get(view.file.named(b".eh_frame")?)?;
            (section, frames(&view, section, view.file.raw(file, section)?, change, &mut rng)?)
        }
        DamagedPart::Sframe => {
            let section = view.file.sections.get(view.sframe.as_ref()?.section)?;
            (section, sframe(&view, section, view.file.raw(file, section)?, change, &mut rng)?)
        }
        DamagedPart::Container | DamagedPart::EhFrameHdr | DamagedPart::Both | DamagedPart::Linker => return None,
    };
    let whole = Edit { at: section.offset, bytes: drawn.contents };
    Some(ChangedRows { bytes: apply(file, &[whole])?, rows: drawn.rows, functions: drawn.functions })
}

/// A section with changes.
struct Drawn {
    contents: Vec<u8>,
    rows: Vec<ChangedRow>,
    functions: usize,
}

impl Drawn {
    /// Changes each of these functions until `effect` sees one in the section as `read` reads it,
    /// at most [`MOST_DRAWS`] times. Changes without effect are undone.
    fn new<F: Copy, T>(
        before: &[u8],
        mut open: Vec<F>,
        mut change: impl FnMut(&mut [u8], F) -> Option<Old>,
        read: impl Fn(&[u8]) -> Option<T>,
        effect: impl Fn(&T, F) -> Option<ChangedRow>,
    ) -> Option<Drawn> {
        let mut drawn = Drawn { contents: before.to_vec(), rows: Vec::new(), functions: open.len() };
        for _ in 0..MOST_DRAWS {
            let old: Vec<Option<Old>> = open.iter().map(|function| change(&mut drawn.contents, *function)).collect();
            let now = read(&drawn.contents)?;
            let mut left = Vec::new();
            for (function, old) in open.into_iter().zip(old) {
                let Some(Old { at, bytes }) = old else { continue };
                match effect(&now, function) {
                    Some(changed) => drawn.rows.push(changed),
                    None => {
                        drawn.contents.get_mut(at..at + bytes.len())?.copy_from_slice(&bytes);
                        left.push(function);
                    }
                }
            }
            open = left;
        }
        drawn.rows.sort_by_key(|row| row.function);
        Some(drawn)
    }
}

fn frames(view: &View, section: &Section, before: &[u8], change: RowChange, rng: &mut Rng) -> Option<Drawn> {
    let (abi, order) = (view.abi(), view.abi().facts().order);
    let Cfi { functions, .. } = view.cfi.as_ref()?;
    let plant = |contents: &mut [u8], function: &Function| {
        let own = function.instructions.iter();
        let of: fn(Abi, &Function, [u8; 2]) -> Option<[u8; 2]> = match change {
            RowChange::Byte => {
                let own: Vec<_> = own.filter(|one| byte(contents, one.at) != Some(0)).collect();
                let one = (!own.is_empty()).then(|| rng.pick(&own))?;
                let at = one.at + rng.below(one.size);
                return change_byte(contents, at, rng);
            }
            RowChange::Slot => {
                let own: Vec<_> = own.filter_map(|one| offset(abi, contents, function, one.at)).collect();
                let (at, slot) = (!own.is_empty()).then(|| rng.pick(&own))?;
                return move_byte(contents, at, slot, rng);
            }
            RowChange::Range => {
                let (at, size) = shorter(function, order, contents)?;
                return write(contents, at, &size);
            }
            RowChange::Column | RowChange::Search => return None,
            RowChange::Unsaved => unsaved,
            RowChange::Absent => absent,
            RowChange::Expression => expression,
            RowChange::Undefined if view.sframe.is_some() => undefined,
            RowChange::Undefined => undefined_ra,
        };
        let own = own.filter_map(|one| Some((one.at, of(abi, function, pair(contents, one.at)?)?)));
        let own: Vec<(u64, [u8; 2])> = own.collect();
        let (at, bytes) = (!own.is_empty()).then(|| rng.pick(&own))?;
        write(contents, at, &bytes)
    };
    let read = |contents: &[u8]| Some(cfi::read(abi, contents, section.address).functions);
    let effect = |now: &Vec<Function>, function: &Function| {
        let index = now.binary_search_by_key(&function.at, |other| other.at).ok();
        let is = index.and_then(|index| now.get(index));
        match change {
            RowChange::Range => lost(abi, function, is?),
            RowChange::Expression => unreadable(abi, function, is),
            RowChange::Undefined => differs(abi, function, is?, Silence::Counts),
            _ => differs(abi, function, is?, Silence::Promises),
        }
    };
    let open: Vec<&Function> = functions.iter().filter(|function| has_caller(function)).collect();
    Some(Drawn { functions: functions.len(), ..Drawn::new(before, open, plant, read, effect)? })
}

fn has_caller(function: &Function) -> bool {
    function.rows.iter().all(|row| row.rules.registers.get(&function.whole.ra) != Some(&cfi::Rule::Undefined))
}

/// `None` if the rules are the same, or have no form that could be compared.
fn differs(abi: Abi, was: &Function, is: &Function, silence: Silence) -> Option<ChangedRow> {
    if (was.start, was.end) != (is.start, is.end) {
        return None;
    }
    let meaning = |function: &Function, pc: u64| -> Option<Meaning> {
        let row = function.rows.iter().rev().find(|row| row.start <= pc)?;
        row.rules.meaning(abi, pc, function.whole)
    };
    let starts = was.rows.iter().chain(&is.rows).map(|row| row.start).filter(|start| *start < was.end);
    let pcs: BTreeSet<u64> = starts.chain([was.end]).collect();
    let all: Vec<Meaning> = was.rows.iter().filter_map(|row| meaning(was, row.start)).collect();
    let mut changed = ChangedRow::none((was.start, was.end));
    for (start, end) in pcs.iter().zip(pcs.iter().skip(1)) {
        let (before, now) = (meaning(was, *start)?, meaning(is, *start)?);
        if !is_still_saved(abi, &all, &before, &now) {
            changed.add(abi, (*start, *end), [&before, &now], silence);
        }
    }
    (!changed.pcs.is_empty()).then_some(changed)
}

/// What it means that a row has no FP any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Silence {
    /// Nothing that a run could contradict.
    Promises,
    /// The other table has it.
    Counts,
}

/// The rows of a function that cannot be evaluated any more; all if its entry cannot be read.
fn unreadable(abi: Abi, was: &Function, is: Option<&Function>) -> Option<ChangedRow> {
    let mut changed = ChangedRow::none((was.start, was.end));
    let starts: Vec<u64> = was.rows.iter().map(|row| row.start).filter(|start| *start < was.end).collect();
    for (start, end) in starts.iter().zip(starts.iter().skip(1).chain([&was.end])) {
        let row = |function: &Function| {
            let row = function.rows.iter().rev().find(|row| row.start <= *start)?;
            row.rules.meaning(abi, *start, function.whole)
        };
        let before = row(was)?;
        if is.is_none_or(|is| row(is).is_none()) {
            changed.was = rules(abi, &before);
            changed.pcs.push((*start, *end));
        }
    }
    "none".clone_into(&mut changed.is);
    (!changed.pcs.is_empty()).then_some(changed)
}

/// A value saved at the place of another row can still be there, on targets whose functions leave
/// it there.
fn is_still_saved(abi: Abi, rows: &[Meaning], was: &Meaning, is: &Meaning) -> bool {
    let kept = |of: fn(&Meaning) -> ValueRule| of(is) == of(was) || rows.iter().any(|row| of(row) == of(is));
    arch(abi).reader().leaves_saved && was.cfa == is.cfa && kept(|row| row.ra) && kept(|row| row.fp)
}

fn sframe(view: &View, section: &Section, before: &[u8], change: RowChange, rng: &mut Rng) -> Option<Drawn> {
    let (abi, order) = (view.abi(), view.abi().facts().order);
    if !matches!(change, RowChange::Byte | RowChange::Slot) {
        return None;
    }
    let anatomy = anatomy::dissect(order, before)?;
    let read = |contents: &[u8]| decode(abi, contents, section.address, Starts::Flag);
    let was = read(before)?;
    let extents: Vec<(u64, u64)> = was.extents().collect();
    let plant = |contents: &mut [u8], (descriptor, _): (&Descriptor, &(u64, u64))| {
        let word_size = descriptor.rows.iter().map(|row| row.word_size).max().unwrap_or(1).max(1);
        let step = if change == RowChange::Slot { word_size } else { 1 };
        let words = descriptor.rows.iter().flat_map(|row| (row.words_at()..row.end()).step_by(step as usize));
        let bytes: Vec<u64> = words.collect();
        let at = (!bytes.is_empty()).then(|| rng.pick(&bytes))?;
        match (change, order) {
            (RowChange::Slot, ByteOrder::Little) => move_byte(contents, at, SLOT, rng),
            (RowChange::Slot, ByteOrder::Big) => move_byte(contents, at + step - 1, SLOT, rng),
            _ => change_byte(contents, at, rng),
        }
    };
    let open = anatomy.descriptors.iter().zip(&extents).collect();
    Drawn::new(before, open, plant, read, |is, (_, extent)| changed_in(abi, &was, is, *extent))
}

/// The rows of a function that differ in a second table.
fn changed_in(abi: Abi, was: &DecodedSection, is: &DecodedSection, extent: (u64, u64)) -> Option<ChangedRow> {
    let (start, end) = (extent.0, extent.0.saturating_add(extent.1));
    let mut changed = ChangedRow::none((start, end));
    let pcs: BTreeSet<u64> = was.boundaries_between(start, end, MOST_BLOCKS).chain([end]).collect();
    let all: Vec<Meaning> = pcs.iter().flat_map(|pc| was.at(*pc)).flatten().collect();
    for (start, end) in pcs.iter().zip(pcs.iter().skip(1)) {
        let (before, now) = (was.at(*start), is.at(*start));
        let ([Some(before)], [Some(now)]) = (before.as_slice(), now.as_slice()) else { return None };
        if !is_still_saved(abi, &all, before, now) {
            changed.add(abi, (*start, *end), [before, now], Silence::Promises);
        }
    }
    (!changed.pcs.is_empty()).then_some(changed)
}

impl ChangedRow {
    fn none(function: (u64, u64)) -> ChangedRow {
        ChangedRow { function, pcs: Vec::new(), was: String::new(), is: String::new() }
    }

    fn add(&mut self, abi: Abi, pcs: (u64, u64), [was, is]: [&Meaning; 2], silence: Silence) {
        // That FP cannot be found promises nothing that a run could contradict.
        let silent =
            silence == Silence::Promises && is.fp == ValueRule::Undefined && is.same(Meaning { fp: is.fp, ..*was });
        // Until the first call the link register still has it.
        let in_link =
            abi.facts().link_register && is.ra == ValueRule::SameValue && is.same(Meaning { ra: is.ra, ..*was });
        if was.same(*is) || silent || in_link {
            return;
        }
        if self.pcs.is_empty() {
            (self.was, self.is) = (rules(abi, was), rules(abi, is));
        }
        self.pcs.push(pcs);
    }
}

/// The bytes before a change, for undoing it.
struct Old {
    at: usize,
    bytes: Vec<u8>,
}

/// Writes bytes at an offset.
fn write(contents: &mut [u8], at: u64, bytes: &[u8]) -> Option<Old> {
    let at = usize::try_from(at).ok()?;
    let place = contents.get_mut(at..at.checked_add(bytes.len())?)?;
    let old = Old { at, bytes: place.to_vec() };
    place.copy_from_slice(bytes);
    Some(old)
}

/// `DW_CFA_same_value` of a register in place of `DW_CFA_offset`, for registers that tables are
/// judged by. Both instructions have two bytes.
fn unsaved(abi: Abi, function: &Function, [op, _]: [u8; 2]) -> Option<[u8; 2]> {
    const OFFSET: u8 = 0x80;
    const SAME_VALUE: u8 = 0x08;
    let register = op & 0x3f;
    let is_tracked = u64::from(register) == function.whole.ra || u16::from(register) == abi.facts().fp.0;
    (op & 0xc0 == OFFSET && is_tracked).then_some([SAME_VALUE, register])
}

/// `DW_CFA_def_cfa_register` of a register that no ABI has, in place of `DW_CFA_def_cfa_offset`.
fn absent(_: Abi, _: &Function, [op, offset]: [u8; 2]) -> Option<[u8; 2]> {
    const DEF_CFA_OFFSET: u8 = 0x0e;
    const DEF_CFA_REGISTER: u8 = 0x0d;
    const NO_REGISTER: u8 = 0x7e;
    (op == DEF_CFA_OFFSET && offset < 0x80).then_some([DEF_CFA_REGISTER, NO_REGISTER])
}

/// `DW_CFA_def_cfa_expression` of no bytes in place of `DW_CFA_def_cfa_offset`.
fn expression(_: Abi, _: &Function, [op, offset]: [u8; 2]) -> Option<[u8; 2]> {
    const DEF_CFA_OFFSET: u8 = 0x0e;
    const DEF_CFA_EXPRESSION: u8 = 0x0f;
    (op == DEF_CFA_OFFSET && offset < 0x80).then_some([DEF_CFA_EXPRESSION, 0])
}

/// `DW_CFA_undefined` of a register in place of `DW_CFA_offset`, as [`unsaved`].
fn undefined(abi: Abi, function: &Function, pair: [u8; 2]) -> Option<[u8; 2]> {
    const UNDEFINED: u8 = 0x07;
    unsaved(abi, function, pair).map(|[_, register]| [UNDEFINED, register])
}

/// The same of the return address alone.
fn undefined_ra(abi: Abi, function: &Function, pair: [u8; 2]) -> Option<[u8; 2]> {
    undefined(abi, function, pair).filter(|[_, register]| u64::from(*register) == function.whole.ra)
}

/// Where the size of a function is whose entry has it in 4 bytes, and the size without the last
/// row.
fn shorter(function: &Function, order: ByteOrder, contents: &[u8]) -> Option<(u64, [u8; 4])> {
    // After the length, the CIE pointer and the start.
    let at = function.at.checked_add(12)?;
    let from = usize::try_from(at).ok()?;
    let size = order.u32(*contents.get(from..)?.first_chunk()?);
    let is_it = u64::from(size) == function.end.checked_sub(function.start)?;
    let last = function.rows.last()?.start.checked_sub(function.start)?;
    let last = u32::try_from(last).ok()?;
    let bytes = match order {
        ByteOrder::Little => last.to_le_bytes(),
        ByteOrder::Big => last.to_be_bytes(),
    };
    is_it.then_some((at, bytes))
}

/// The rows that a function has lost.
fn lost(abi: Abi, was: &Function, is: &Function) -> Option<ChangedRow> {
    let mut changed = ChangedRow::none((was.start, was.end));
    let row = was.rows.iter().rev().find(|row| row.start <= is.end)?;
    changed.was = rules(abi, &row.rules.meaning(abi, is.end, was.whole)?);
    "none".clone_into(&mut changed.is);
    changed.pcs.push((is.end, was.end));
    let has_expression = was.rows.iter().any(|row| row.rules.has_expression());
    (is.start == was.start && is.end < was.end && !has_expression).then_some(changed)
}

/// Changes one byte.
fn change_byte(contents: &mut [u8], at: u64, rng: &mut Rng) -> Option<Old> {
    let new = another(rng, u64::from(byte(contents, at)?), 1, &[]).to_le_bytes()[0];
    write(contents, at, &[new])
}

/// Size in bytes of a slot.
const SLOT: u8 = 8;

/// Offset of an instruction's operand byte that is an offset of the CFA, the return address or FP,
/// and its change for one slot. DWARF 5, 7.24; a register's offset is in units of the CIE's data
/// alignment factor, which is a slot.
fn offset(abi: Abi, contents: &[u8], function: &Function, at: u64) -> Option<(u64, u8)> {
    const DEF_CFA: u8 = 0x0c;
    const DEF_CFA_OFFSET: u8 = 0x0e;
    const OFFSET: u8 = 0x80;
    let (place, slot) = match byte(contents, at)? {
        DEF_CFA_OFFSET => (at + 1, SLOT),
        DEF_CFA => (at + 2, SLOT),
        op if op & 0xc0 == OFFSET => {
            let register = u64::from(op & 0x3f);
            let tracked = register == function.whole.ra || register == u64::from(abi.facts().fp.0);
            (tracked.then_some(at + 1)?, 1)
        }
        _ => return None,
    };
    // One byte of ULEB128, before and after the change.
    let fits = |value: u8| (slot..0x80 - slot).contains(&value);
    byte(contents, place).filter(|value| fits(*value)).map(|_| (place, slot))
}

/// Increases or decreases a byte by `by`.
fn move_byte(contents: &mut [u8], at: u64, by: u8, rng: &mut Rng) -> Option<Old> {
    let old = byte(contents, at)?;
    let new = if rng.below(2) == 0 { old.wrapping_add(by) } else { old.wrapping_sub(by) };
    write(contents, at, &[new])
}

fn pair(contents: &[u8], at: u64) -> Option<[u8; 2]> {
    contents.get(usize::try_from(at).ok()?..)?.first_chunk().copied()
}

fn byte(contents: &[u8], at: u64) -> Option<u8> {
    contents.get(usize::try_from(at).ok()?).copied()
}
