//! Rules about a function descriptor, and the walk over its rows.

use super::report::{BreachAt, Report};
use super::row::{self, RowView};
use super::version::VersionRules;
use super::view::{FunctionView, View};
use super::{default_row, flex_row};
use crate::budget::Budget;
use crate::meaning;
use crate::{ErrorKind, FrameRow, FuncDesc, ParseError};
use alloc::format;
use alloc::vec::Vec;
use spec::RuleId;

/// Bytes of the FRE sub-section that a function claims: its rows, in V3 with its attributes.
/// Offsets are absolute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blob {
    /// Index of the function in the table.
    pub(crate) function: u32,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) rows: u32,
}

/// Properties of the FRE sub-section after a walk over all functions.
#[derive(Debug, Default)]
pub(crate) struct Blobs {
    /// Claims in the order of the table.
    pub(crate) blobs: Vec<Blob>,
    /// Number of rows according to the descriptors; `None` if one cannot be read.
    pub(crate) rows: Option<u64>,
    /// True if the rows of every function could be read completely.
    pub(crate) complete: bool,
}

/// Checks every function and its rows.
pub(crate) fn check(view: &View<'_>, report: &mut Report) -> Blobs {
    let mut budget = Budget::new(&view.section);
    let mut blobs = Blobs { blobs: Vec::new(), rows: Some(0), complete: true };
    for function in view.functions() {
        let blob = match &view.section.function(function.entry) {
            Ok(desc) => {
                blobs.rows = blobs.rows.map(|sum| sum.saturating_add(u64::from(desc.attributes.num_fres)));
                attributes(view, &function, desc, report);
                rows(view, &function, desc, &mut budget, report)
            }
            Err(error) => {
                blobs.rows = None;
                unreadable(view, &function, *error, report);
                None
            }
        };
        blobs.complete &= blob.is_some();
        blobs.blobs.extend(blob);
    }
    blobs
}

/// Reports a function that cannot be read, or not completely.
fn unreadable(view: &View<'_>, function: &FunctionView, error: ParseError, report: &mut Report) {
    let id = match error.kind {
        ErrorKind::RowOffset { offset, length }
            if view.section.header.version().has_attribute_block() && offset < length =>
        {
            RuleId::FdeAttributesFit
        }
        ErrorKind::RowOffset { .. } => RuleId::FdeRowOffset,
        ErrorKind::FreType(_) => RuleId::FdeRowType,
        ErrorKind::WordSize => RuleId::RowWordSize,
        ErrorKind::Overlap => RuleId::FdeSharedRows,
        // The only other reason for which rows end early.
        _ => RuleId::FdeRowsFit,
    };
    let place = BreachAt::byte(error.offset).about(function.range);
    report.add(id, place, || format!("FDE {}: {}", function.entry.index, error.kind));
}

fn attributes(view: &View<'_>, function: &FunctionView, desc: &FuncDesc, report: &mut Report) {
    let header = &view.section.header;
    let FuncDesc { entry, attributes } = desc;
    let (info, info2) = (attributes.info, attributes.info2);
    let index = entry.index;
    let at_info = BreachAt::byte(attributes.info_at).about(function.range);
    let at_info2 = BreachAt::byte(attributes.info_at.saturating_add(1)).about(function.range);
    let at_block = BreachAt::byte(attributes.rep_size_at).about(function.range);

    if let Some(padding) = attributes.padding.filter(|padding| *padding != 0) {
        // The padding follows the block size, the last meaningful byte.
        let place = BreachAt::byte(attributes.rep_size_at.saturating_add(1)).about(function.range);
        report.add(RuleId::FdePadding, place, || format!("FDE {index}: padding {padding:#06x}"));
    }
    if info.0 & VersionRules::for_format(header.format).reserved_info != 0 {
        report.add(RuleId::FdeReservedInfoBits, at_info, || format!("FDE {index}: info {:#04x}", info.0));
    }
    if info.key_b() && view.abi.is_some_and(|abi| !abi.facts().pointer_authentication) {
        report.add(RuleId::FdeKeyBit, at_info, || format!("FDE {index}: info {:#04x}", info.0));
    }
    if info2.0 & 0xe0 != 0 {
        report.add(RuleId::FdeReservedInfo2Bits, at_info2, || format!("FDE {index}: info2 {:#04x}", info2.0));
    }
    if info2.fde_type() > 1 {
        report.add(RuleId::FdeType, at_info2, || format!("FDE {index}: type {}", info2.fde_type()));
    }
    if info2.flex() && view.abi.is_some_and(|abi| !abi.facts().flex) {
        report.add(RuleId::FlexAbi, at_info2, || format!("FDE {index} is of flex type"));
    }
    match (attributes.block(), attributes.rep_size) {
        (Some(_), None) => report.add(RuleId::FdeImpliedBlock, at_info, || {
            format!("FDE {index} is PCMASK, and this version has no field for its block size")
        }),
        (Some(0), Some(_)) => report.add(RuleId::FdeBlockSize, at_block, || format!("FDE {index}: block of 0 bytes")),
        (Some(block), Some(_)) if entry.size.checked_rem(u32::from(block)) != Some(0) => {
            report.add(RuleId::FdeBlockMultiple, at_block, || {
                format!("FDE {index}: size {:#x} in blocks of {block:#x}", entry.size)
            });
        }
        (None, Some(block)) if block != 0 => {
            report.add(RuleId::FdeUnusedBlockSize, at_block, || format!("FDE {index}: PCINC with block size {block}"));
        }
        _ => (),
    }
    if attributes.num_fres == 0 && !header.is_signal(info) {
        let place = BreachAt::byte(attributes.num_fres_at).about(function.range);
        report.add(RuleId::FdeNoRows, place, || format!("FDE {index} has no FREs"));
    }
}

/// Walks a function's rows; returns their bytes, or `None` if they cannot be read completely.
fn rows(
    view: &View<'_>,
    function: &FunctionView,
    desc: &FuncDesc,
    budget: &mut Budget,
    report: &mut Report,
) -> Option<Blob> {
    let mut end = desc.attributes.rows_at;
    let mut previous: Option<FrameRow<'_>> = None;
    let mut needs_flex = false;
    let mut rows = view.section.rows(desc).peekable();
    let mut index = 0_u32;
    while let Some(row) = rows.next() {
        let row = row.and_then(|row| budget.walk(desc, row.end.saturating_sub(row.offset)).map(|()| row));
        let row = match row {
            Ok(row) => row,
            Err(error) => {
                unreadable(view, function, error, report);
                return None;
            }
        };
        let next = rows.peek().and_then(|next| next.as_ref().ok()).map(|next| next.start);
        // Rows of a reserved type have no known meaning.
        let abi = view.abi.filter(|_| desc.attributes.info2.fde_type() <= 1);
        let rules = abi.map(|abi| meaning::rules(&view.section.header, abi, desc, &row));
        let row_view = RowView { view, function, desc, row, index, rules, code: code(function, desc, row.start, next) };
        row::check(&row_view, previous.as_ref(), report);
        match desc.attributes.info2.fde_type() {
            0 => default_row::check(&row_view, report),
            1 => {
                flex_row::check(&row_view, report);
                needs_flex |= flex_row::needs_flex(&row_view);
            }
            _ => (),
        }
        end = row.end;
        previous = Some(row);
        index = index.saturating_add(1);
    }
    if desc.attributes.info2.flex() && index > 0 && !needs_flex {
        let place = BreachAt::byte(desc.attributes.info_at.saturating_add(1)).about(function.range);
        report.add(RuleId::FlexNeedless, place, || format!("FDE {}: default rows can encode it", desc.entry.index));
    }
    row_type_minimal(view, function, desc, report);
    let start = desc.attributes.rows_at.saturating_sub(view.section.header.format.block_size());
    Some(Blob { function: desc.entry.index, start, end, rows: desc.attributes.num_fres })
}

/// The addresses a row is valid for; the whole function if rows repeat in blocks.
fn code(function: &FunctionView, desc: &FuncDesc, start: u32, next: Option<u32>) -> Option<(u64, u64)> {
    let (first, last) = function.range?;
    if desc.attributes.info.pcmask() {
        return Some((first, last));
    }
    let from = first.saturating_add(u64::from(start)).min(last);
    let upto = next.map_or(last, |next| first.saturating_add(u64::from(next))).clamp(from, last);
    Some((from, upto))
}

/// Reports a needlessly wide row type. GNU as chooses the type by the function's size, LLVM by the
/// start of its last row: only a type wider than both is needless.
fn row_type_minimal(view: &View<'_>, function: &FunctionView, desc: &FuncDesc, report: &mut Report) {
    let info = desc.attributes.info;
    let needed = match desc.entry.size {
        0..=0xff => 0,
        0x100..=0xffff => 1,
        _ => 2,
    };
    if desc.attributes.num_fres == 0 || info.pcmask() || info.fre_type() <= needed || view.is_plt(function.range) {
        return;
    }
    let place = BreachAt::byte(desc.attributes.info_at).about(function.range);
    report.add(RuleId::FdeRowTypeMinimal, place, || {
        let (index, size) = (desc.entry.index, desc.entry.size);
        format!("FDE {index}: row type {} for {size:#x} bytes of code", info.fre_type())
    });
}
