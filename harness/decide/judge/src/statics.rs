//! Compares the two tables at every PC at which either changes, executed or not. A difference
//! counts even if an execution shows no error.

use std::collections::BTreeSet;
use std::ops::Range;

use results::{Blame, Finding, Shape, Source, Values};
use spec::RuleId;
use types::{Aspect, CfaRule, CodePoint, Image, ImageKind, Pc, SframeVersion, UnwindRow, ValueRule};
use unwind::{CfiUnwinder, FunctionRange, SframeUnwinder, Unwinder};

use crate::blame::Origin;
use crate::compare::differences;
use crate::fold::{Evidence, Fold, Identity};
use crate::memo::Memo;
use crate::per_table::PerTable;
use crate::slot::Slot;
use crate::tables::{Tables, origin};
use crate::wrong_row::WrongAt;

/// Maximum number of rows compared, whatever the file contains: about ten seconds. Real programs
/// have far fewer: sqlite 30,000; a million functions have four or five million.
const MOST_ROWS: usize = 1 << 24;
/// Maximum number of differing rows, each of which needs a message and its position: further ones
/// are not compared.
const MOST_DIFFERENT: usize = 1 << 20;
/// Maximum number of rows compared in a file of little code.
const FEW_ROWS: usize = 1 << 12;
/// Maximum number of descriptors that one of the other table is split into.
const MOST_PARTS: usize = 64;

/// Number of rows that may be examined: a bound for hostile tables (a PCMASK function of 4 GiB with
/// blocks of one byte). A row takes a byte of its table or, in a function whose rows repeat, begins
/// at a byte of code: valid tables have fewer rows than their file has bytes.
pub(crate) fn most_rows(image: &Image) -> usize {
    let bytes = image.sections.iter().fold(0_usize, |sum, section| sum.saturating_add(section.bytes.len()));
    bytes.clamp(FEW_ROWS, MOST_ROWS)
}

/// The result of the comparison.
#[derive(Debug, Default)]
pub(crate) struct Statics {
    /// Findings: the differences between the tables.
    pub(crate) fold: Fold,
    /// Number of PCs at which rows were compared.
    pub(crate) compared: u64,
    /// True if the limit was reached: the rest was not compared.
    pub(crate) gave_up: bool,
}

/// Compares the tables of an image. `charged` are rows that execution already showed wrong: they
/// are not reported again.
pub(crate) fn compare(image: &Image, tables: &Tables, memo: &Memo, charged: &BTreeSet<PerTable<Slot>>) -> Statics {
    let (Some(sframe), Some(cfi)) = (&tables.sframe, &tables.cfi) else { return Statics::default() };
    let (statics, budget, different) = (Statics::default(), most_rows(image), MOST_DIFFERENT);
    let mut work = Work { image, tables, sframe, cfi, memo, charged, statics, budget, different };
    let mut pcs = Vec::new();
    for function in sframe.functions() {
        work.function(&function, &mut pcs);
    }
    work.statics
}

struct Work<'a> {
    image: &'a Image,
    tables: &'a Tables,
    sframe: &'a SframeUnwinder,
    cfi: &'a CfiUnwinder,
    memo: &'a Memo,
    charged: &'a BTreeSet<PerTable<Slot>>,
    statics: Statics,
    budget: usize,
    /// Number of further rows that may differ.
    different: usize,
}

impl Work<'_> {
    /// Compares a function. `pcs` is for the PCs at which its rows begin.
    fn function(&mut self, function: &FunctionRange, pcs: &mut Vec<Pc>) {
        let (start, end) = (function.start, function.end);
        if start == end {
            return self.lost(function);
        }
        let linker_made = origin(self.image, start.0) == Origin::LinkerMade;
        match self.cfi.function_at(start) {
            None if linker_made => return,
            None => match beginning_within(self.cfi, function) {
                Some(range) => self.range_differs(function, range),
                None => match empty_at(self.cfi, start) {
                    Some(range) => return self.range_differs(function, range),
                    None => return self.no_cfi(function),
                },
            },
            Some(range)
                if (range.start, range.end) != (start, end)
                    && !linker_made
                    && !is_split(self.sframe, function, self.cfi, &range)
                    && !is_split(self.cfi, &range, self.sframe, function) =>
            {
                self.range_differs(function, range);
            }
            Some(_) => {}
        }
        self.flags(function);
        let end = end_of_code(self.image, start, end);
        pcs.clear();
        pcs.push(start);
        pcs.extend(self.sframe.boundaries(start, end).take(self.budget));
        pcs.extend(self.cfi.boundaries(start, end).take(self.budget));
        pcs.sort_unstable();
        pcs.dedup();
        self.budget = self.budget.saturating_sub(pcs.len());
        self.statics.gave_up |= self.budget == 0;
        let hidden = hidden(self.sframe, function);
        for (index, pc) in pcs.iter().enumerate() {
            let next = pcs.get(index + 1).copied().unwrap_or(end);
            self.rows(function, hidden, *pc..next);
        }
    }

    /// Reports an empty descriptor: it lost its range if the other table has a range for it and no
    /// other descriptor of this table covers the address.
    fn lost(&mut self, function: &FunctionRange) {
        let start = function.start;
        let Some(range) = self.cfi.function_at(start).filter(|range| range.start == start) else { return };
        if self.sframe.function_at(start).is_none() && empty_at(self.cfi, start).is_none() {
            self.range_differs(function, range);
        }
    }

    /// Compares the rows for a range. `hidden`: the function, if look-ups find another one.
    fn rows(&mut self, function: &FunctionRange, hidden: Option<sframe::Function<'_>>, span: Range<Pc>) {
        let pc = span.start;
        let slots = self.tables.slots(CodePoint::Exact(pc));
        let Slot::Row(row) = slots.eh_frame else { return };
        let directed = self.cfi.rules(row, pc);
        let executed = self.memo.executed(pc, span.end);
        let encoded = match (hidden, slots.sframe) {
            (Some(hidden), _) => hidden.unwind_row(pc.0),
            (None, Slot::Row(row)) => Some(self.sframe.rules(row, pc)),
            (None, Slot::NoRow) => return self.no_row(function, span, slots, &directed),
            (None, _) => None,
        };
        let Some(encoded) = encoded else { return };
        self.statics.compared += 1;
        if self.charged.contains(&slots) {
            return;
        }
        let facts = self.image.abi.facts();
        // If the ABI has no return-address register, CFI without a rule for RA leaves it
        // unspecified (DWARF 5, 6.4.1).
        let is_unspecified = !facts.link_register && directed.ra == ValueRule::SameValue;
        for id in differences(facts, &encoded, &directed) {
            if is_unspecified && id == RuleId::CfiRaDiffers {
                continue;
            }
            let Some(left) = self.different.checked_sub(1) else {
                self.statics.gave_up = true;
                return;
            };
            self.different = left;
            let what = match executed {
                true => "the execution does not show which is wrong",
                false => "this code was not executed",
            };
            let message = format!("the tables differ at {}; {what}", self.image.place(pc.0));
            self.add(id, function, span.clone(), slots, message);
        }
    }

    /// Reports a function without a row where `.eh_frame` has one.
    fn no_row(&mut self, function: &FunctionRange, span: Range<Pc>, slots: PerTable<Slot>, directed: &UnwindRow) {
        // Nothing had to be described: CFI without a CFA, an outermost frame if the version has no
        // row for it, a signal frame without rows (SFrame V3).
        let can_be_outermost = self.tables.version.is_some_and(SframeVersion::can_say_outermost);
        let silent = match directed.ra {
            ValueRule::Undefined => !can_be_outermost,
            _ => directed.cfa == CfaRule::Unspecified,
        };
        if silent || self.tables.is_rowless_signal_frame(span.start) {
            return;
        }
        let id = RuleId::RowMissing;
        let place = self.image.place(span.start.0);
        let message = format!(".sframe has an FDE but no row at {place}, where .eh_frame has one");
        self.add(id, function, span, slots, message);
    }

    /// Compares properties of whole functions: the signal bit (SFrame V3, "The SFrame FDE Info
    /// Word").
    fn flags(&mut self, function: &FunctionRange) {
        if !self.tables.version.is_some_and(SframeVersion::has_signal_bit) {
            return;
        }
        let at = CodePoint::Exact(function.start);
        let slots = self.tables.slots(at);
        let Slot::Row(row) = slots.eh_frame else { return };
        let marked = self.sframe.table().find(function.start.0).is_some_and(|function| function.signal);
        let expected = self.cfi.rules(row, function.start).signal;
        if marked != expected {
            let has = |signal: bool| if signal { "marks a signal frame" } else { "marks none" };
            let id = RuleId::CfiSignalDiffers;
            let message =
                format!("{}: .sframe {}, .eh_frame {}", self.image.place(function.start.0), has(marked), has(expected));
            self.add(id, function, function.start..function.end, slots, message);
        }
    }

    fn range_differs(&mut self, function: &FunctionRange, range: FunctionRange) {
        let id = RuleId::CfiRangeDiffers;
        let message = format!(
            ".sframe covers {:#x}..{:#x}, .eh_frame {:#x}..{:#x}",
            function.start.0, function.end.0, range.start.0, range.end.0
        );
        let slots = PerTable { sframe: Slot::NoRow, eh_frame: Slot::NoRow };
        self.add(id, function, function.start..function.end, slots, message);
    }

    fn no_cfi(&mut self, function: &FunctionRange) {
        let id = RuleId::CfiNoEhFrame;
        let message = format!("{} has .sframe and no .eh_frame", self.image.place(function.start.0));
        let slots = PerTable { sframe: Slot::NoRow, eh_frame: Slot::NoFunction };
        self.add(id, function, function.start..function.end, slots, message);
    }

    fn add(&mut self, id: RuleId, function: &FunctionRange, span: Range<Pc>, slots: PerTable<Slot>, message: String) {
        let (image, tables, pc) = (self.image, self.tables, span.start);
        let blame = blame(id, image, pc);
        let identity = Identity { rule: id, blame, function: function.start.0 };
        let name = image.place(function.start.0);
        let row = || {
            let place = WrongAt { pc, slots, wrong: Source::Sframe, right: Some(Source::EhFrame), truth: None };
            is_about_rows(id).then(|| place.describe(tables, image))
        };
        self.statics.fold.add(identity, Evidence::Rows(pc.0, span.end.0), row, || {
            let values = slots.map(|table, slot| Values::from_row(tables.claim(table, slot, pc, image)));
            let mut found = Finding::new(id, blame, name, Shape::Rule);
            found.evidence.field = aspect(id);
            found.shown.message = message;
            found.evidence.sframe = Some(values.sframe);
            found.evidence.eh_frame = Some(values.eh_frame);
            found.shown.section = tables.sframe_name(image);
            found.shown.offset = tables.sframe_row_offset(pc).or(Some(function.offset));
            found
        });
    }
}

/// End of a function's range, limited to the code in the file: no table is read for bytes that do
/// not exist.
pub(crate) fn end_of_code(image: &Image, start: Pc, end: Pc) -> Pc {
    let there = image.bytes_at(start.0).map_or(0, |bytes| bytes.len() as u64);
    Pc(end.0.min(start.0.saturating_add(there)))
}

/// Returns true if a table has several adjacent descriptors, `part` among them, for the range of a
/// single descriptor of the other table.
fn is_split<T: Unwinder, U: Unwinder>(other: &T, whole: &FunctionRange, table: &U, part: &FunctionRange) -> bool {
    let next = other.first_from(Pc(whole.start.0.saturating_add(1)));
    if next.is_some_and(|next| next.start < whole.end && next.start < next.end) {
        return false;
    }
    let (mut pc, mut has_part) = (whole.start, false);
    for _ in 0..MOST_PARTS {
        let found = table.function_at(pc).filter(|found| found.start == pc && pc < found.end && found.end <= whole.end);
        let Some(found) = found else { return false };
        has_part |= (found.start, found.end) == (part.start, part.end);
        pc = found.end;
        if pc == whole.end {
            return has_part;
        }
    }
    false
}

/// The empty descriptor of `.eh_frame` at an address.
fn empty_at(cfi: &CfiUnwinder, start: Pc) -> Option<FunctionRange> {
    cfi.starting_at(start).find(|other| other.end == start)
}

/// The first function of `.eh_frame` that begins inside a function: the function's start is wrong,
/// it is not unknown to `.eh_frame`.
fn beginning_within(cfi: &CfiUnwinder, function: &FunctionRange) -> Option<FunctionRange> {
    cfi.first_from(function.start).filter(|other| other.start < function.end && other.start < other.end)
}

/// The function itself if a look-up of its start finds another function with the same start. A
/// reader may find either.
fn hidden<'t>(sframe: &'t SframeUnwinder, function: &FunctionRange) -> Option<sframe::Function<'t>> {
    let table = sframe.table();
    let found = table.find(function.start.0)?;
    if found.start != function.start.0 || found.offset() == function.offset {
        return None;
    }
    let mut same_start = table.functions_from(function.start.0).take_while(|other| other.start == function.start.0);
    same_start.find(|other| other.offset() == function.offset)
}

/// The tool that made the tables differ: in an object the assembler, which wrote both tables, or
/// else `ld -r`. A linked file does not show which table is wrong; a function without a row is a
/// bug of `.sframe` in any case.
fn blame(id: RuleId, image: &Image, pc: Pc) -> Blame {
    match origin(image, pc.0) {
        Origin::Linked if id != RuleId::RowMissing && image.kind != ImageKind::Relocatable => Blame::Undetermined,
        origin => origin.blame(),
    }
}

/// Returns true if the rule is about rows, not about whole functions.
fn is_about_rows(id: RuleId) -> bool {
    !matches!(id, RuleId::CfiRangeDiffers | RuleId::CfiNoEhFrame)
}

fn aspect(id: RuleId) -> Aspect {
    match id {
        RuleId::CfiCfaDiffers | RuleId::CfiSpDiffers => Aspect::Cfa,
        RuleId::CfiRaDiffers | RuleId::CfiSignedDiffers | RuleId::CfiKeyDiffers => Aspect::Ra,
        RuleId::CfiFpDiffers => Aspect::Fp,
        RuleId::CfiNoEhFrame | RuleId::RowMissing => Aspect::Coverage,
        _ => Aspect::Structure,
    }
}
