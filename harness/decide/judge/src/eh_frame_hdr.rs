//! Checks `.eh_frame_hdr`, the binary search table for FDEs, against its `.eh_frame`: LSB 5.0 core,
//! 10.6.2.
//!
//! Not checked, because not wrong: a header without a table (encodings "omit", and no bytes of
//! one), which makes unwinders read all of `.eh_frame`; FDEs of discarded code; several FDEs with
//! one address, of which linkers enter one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use results::{Blame, Finding, Shape};
use spec::RuleId;
use types::elf::{PT_GNU_EH_FRAME, PT_LOAD, SHF_ALLOC};
use types::{ByteOrder, Image, ImageKind, ImageSection, PointerEncoding};
use unwind::{FunctionRange, Unwinder as _};

use crate::tables::Tables;

const HDR: &str = ".eh_frame_hdr";
/// Number of bytes before the first encoded value.
const HEAD: usize = 4;

/// The findings about a linked image, at most one for each rule.
pub fn findings(image: &Image, tables: &Tables) -> Vec<Finding> {
    let Some(hdr) = section(image) else { return Vec::new() };
    let eh_frame = image.section(".eh_frame").filter(|section| !section.bytes.is_empty());
    let (Some(eh_frame), Some(cfi)) = (eh_frame, &tables.cfi) else { return Vec::new() };
    if image.kind == ImageKind::Relocatable {
        return Vec::new();
    }
    let mut found = Found { section: &hdr, of: BTreeMap::new() };
    segment(image, &hdr, &mut found);
    let is_there = hdr.bytes.first() == Some(&1) || image.section(HDR).is_some();
    // An unreadable table cannot be compared with the FDEs.
    if is_there
        && let Some(header) = Header::parse(image, &hdr, &mut found)
        && cfi.broken().is_empty()
    {
        let functions: Vec<FunctionRange> = cfi.functions().collect();
        header.check(image, eh_frame, &functions, &mut found);
    }
    found.of.into_values().map(|(finding, _)| finding).collect()
}

/// Returns true if a file has a search table, or its header.
pub(crate) fn is_there(image: &Image) -> bool {
    section(image).is_some()
}

/// The section, or what unwinders use instead: the bytes of the PT_GNU_EH_FRAME segment.
fn section(image: &Image) -> Option<ImageSection> {
    let by_name = image.section(HDR).filter(|section| !section.bytes.is_empty());
    by_name.cloned().or_else(|| {
        let segment = image.segments.iter().find(|one| one.kind == PT_GNU_EH_FRAME && one.file_size > 0)?;
        let bytes = image.segments.iter().find_map(|load| {
            let from = usize::try_from(segment.address.checked_sub(load.address)?).ok()?;
            let rest = load.bytes.len().checked_sub(from).filter(|_| load.kind == PT_LOAD)?;
            Some(load.bytes.slice(from..from + rest.min(usize::try_from(segment.file_size).unwrap_or(usize::MAX))))
        });
        let bytes = bytes.unwrap_or_default();
        let section = ImageSection::new(0, HDR, SHF_ALLOC, segment.address, bytes);
        Some(ImageSection { file_offset: segment.file_offset, align: 4, size: segment.file_size, ..section })
    })
}

/// The findings so far.
struct Found<'a> {
    section: &'a ImageSection,
    of: BTreeMap<&'static str, (Finding, u64)>,
}

impl Found<'_> {
    /// Adds a finding for a rule; only the first is described, further ones are counted.
    fn add(&mut self, rule: RuleId, offset: usize, message: impl FnOnce() -> String) {
        let name = self.section.name.as_str();
        let (finding, more) = self.of.entry(rule.name()).or_insert_with(|| {
            let mut finding = Finding::new(rule, Blame::Linker, name, Shape::Rule);
            finding.shown.message = message();
            name.clone_into(&mut finding.shown.section);
            finding.shown.offset = Some(offset as u64);
            (finding, 0)
        });
        *more += 1;
        if *more == 2 {
            // Writing to a String cannot fail.
            let _ = write!(finding.shown.message, " (and others like it)");
        }
    }
}

/// Checks the segment, by which unwinders find the section.
fn segment(image: &Image, hdr: &ImageSection, found: &mut Found<'_>) {
    let segments: Vec<_> = image.segments.iter().filter(|segment| segment.kind == PT_GNU_EH_FRAME).collect();
    if let Some(segment) = segments.first().filter(|_| image.section(HDR).is_none() && hdr.bytes.first() != Some(&1)) {
        found.add(RuleId::EhFrameHdrSegment, 0, || {
            format!("PT_GNU_EH_FRAME is at {:#x}, where there is no .eh_frame_hdr", segment.address)
        });
        return;
    }
    if segments.is_empty() {
        found.add(RuleId::EhFrameHdrSegment, 0, || "there is no PT_GNU_EH_FRAME segment".to_owned());
    }
    for (index, segment) in segments.iter().enumerate() {
        let is_there = segment.address == hdr.address && segment.file_offset == hdr.file_offset;
        if index > 0 || !is_there || segment.file_size != hdr.size || segment.memory_size != hdr.size {
            let number = if index > 0 { "another " } else { "" };
            found.add(RuleId::EhFrameHdrSegment, 0, || {
                format!(
                    "{number}PT_GNU_EH_FRAME is {:#x} bytes at {:#x} (file offset {:#x}), the section {:#x} bytes at {:#x} (file offset {:#x})",
                    segment.file_size, segment.address, segment.file_offset, hdr.size, hdr.address, hdr.file_offset
                )
            });
        }
    }
}

struct Header<'a> {
    section: &'a ImageSection,
    order: ByteOrder,
    /// Address of `.eh_frame` in the header.
    eh_frame: u64,
    table: Option<SearchTable>,
}

/// The binary search table.
#[derive(Clone, Copy)]
struct SearchTable {
    /// `fde_count`, and its offset.
    count: usize,
    count_at: usize,
    /// Offset of the entries, their encoding, and the size of one in bytes.
    start: usize,
    encoding: PointerEncoding,
    entry: usize,
}

impl<'a> Header<'a> {
    /// Parses the header; `None` if it is wrong.
    fn parse(image: &Image, section: &'a ImageSection, found: &mut Found<'_>) -> Option<Header<'a>> {
        let Some([version, pointer, count, table]) = section.bytes.first_chunk().copied() else {
            found.add(RuleId::EhFrameHdrEncoding, 0, || {
                format!("{} bytes are too few for a header", section.bytes.len())
            });
            return None;
        };
        let encodings = [pointer, count, table].map(PointerEncoding);
        let [_, of_table @ ..] = encodings;
        let can_be_read = |encoding: PointerEncoding| encoding.value((0, &[]), 0, ByteOrder::Little).is_some();
        let is_omitted = of_table.contains(&PointerEncoding::OMIT);
        if version != 1
            || !encodings.into_iter().all(PointerEncoding::exists)
            || !can_be_read(encodings[0])
            || !(is_omitted || of_table.into_iter().all(can_be_read))
        {
            found.add(RuleId::EhFrameHdrEncoding, 0, || {
                format!("version {version}, encodings {pointer:#04x}, {count:#04x} and {table:#04x}")
            });
            return None;
        }
        let [pointer, count, table] = encodings;
        let truncated = |found: &mut Found<'_>, what: &str| {
            found
                .add(RuleId::EhFrameHdrEncoding, section.bytes.len(), || format!("truncated before the end of {what}"));
        };
        let mut header = Header { section, order: image.abi.facts().order, eh_frame: 0, table: None };
        let count_at = HEAD + pointer.size()?;
        let Some(eh_frame) = header.value(HEAD, pointer)? else {
            truncated(found, "eh_frame_ptr");
            return None;
        };
        header.eh_frame = eh_frame;
        if is_omitted {
            let rest = section.bytes.get(count_at..).unwrap_or_default();
            if rest.iter().any(|byte| *byte != 0) {
                found.add(RuleId::EhFrameHdrEncoding, 2, || {
                    format!(
                        "the encodings {:#04x} and {:#04x} omit the table, and {:#x} bytes of one follow",
                        count.0,
                        table.0,
                        rest.len()
                    )
                });
            }
            return Some(header);
        }
        let Some(number) = header.value(count_at, count)? else {
            truncated(found, "fde_count");
            return None;
        };
        let (start, entry) = (count_at + count.size()?, table.size()? * 2);
        let count = usize::try_from(number).unwrap_or(usize::MAX);
        let table = SearchTable { count, count_at, start, encoding: table, entry };
        Some(Header { table: Some(table), ..header })
    }

    fn value(&self, at: usize, encoding: PointerEncoding) -> Option<Option<u64>> {
        encoding.value((self.section.address, &self.section.bytes), at, self.order)
    }

    /// An entry: address of the code, and address of its FDE.
    fn entry(&self, table: SearchTable, index: usize) -> Option<(u64, u64)> {
        let at = index.checked_mul(table.entry)?.checked_add(table.start)?;
        let address = |at| self.value(at, table.encoding)?;
        Some((address(at)?, address(at + table.entry / 2)?))
    }

    fn check(&self, image: &Image, eh_frame: &ImageSection, functions: &[FunctionRange], found: &mut Found<'_>) {
        if self.eh_frame != eh_frame.address {
            found.add(RuleId::EhFrameHdrPointer, 4, || {
                format!("eh_frame_ptr is {:#x}, expected {:#x} (.eh_frame)", self.eh_frame, eh_frame.address)
            });
        }
        let Some(table) = self.table else { return };
        let SearchTable { count, count_at, .. } = table;
        let room = self.section.bytes.len().saturating_sub(table.start) / table.entry;
        if count > room {
            found.add(RuleId::EhFrameHdrCount, count_at, || {
                format!("fde_count is {count}, but the section has room for {room} entries only")
            });
        }
        let entries: Vec<(u64, u64)> = (0..count.min(room)).map_while(|index| self.entry(table, index)).collect();
        let by_address: BTreeMap<u64, &FunctionRange> =
            functions.iter().map(|range| (eh_frame.address.wrapping_add(range.offset), range)).collect();
        // Highest end of the functions that begin at or before an address.
        let reach: Vec<u64> = functions
            .iter()
            .scan(0, |end, range| {
                *end = range.end.0.max(*end);
                Some(*end)
            })
            .collect();
        let is_covered = |pc: u64| {
            let before = functions.partition_point(|range| range.start.0 <= pc);
            before.checked_sub(1).and_then(|last| reach.get(last)).is_some_and(|end| pc < *end)
        };
        let mut known = BTreeSet::new();
        for (index, (start, fde)) in entries.iter().enumerate() {
            let at = table.start + index * table.entry;
            if let Some((before, _)) = index.checked_sub(1).and_then(|before| entries.get(before))
                && before > start
            {
                found.add(RuleId::EhFrameHdrSorted, at, || {
                    format!("the entry for {start:#x} comes after that for {before:#x}")
                });
            }
            // mold fills the space of FDEs that it drops with the greatest address, which no PC
            // reaches.
            if *start == self.section.address.wrapping_add(u64::from(i32::MAX.cast_unsigned())) {
                continue;
            }
            known.insert(*start);
            match by_address.get(fde) {
                None => found.add(RuleId::EhFrameHdrEntry, at + table.entry / 2, || {
                    format!("the entry for {start:#x} points to {fde:#x}, where no FDE begins")
                }),
                Some(range) if range.start.0 != *start => found.add(RuleId::EhFrameHdrEntry, at, || {
                    format!("the entry for {start:#x} points to the FDE of {:#x}, at {fde:#x}", range.start.0)
                }),
                // The entry that the search finds covers no address, and hides another that does.
                Some(range) if range.start == range.end => {
                    // Of entries with the same address the last is found.
                    let is_last = entries.get(index + 1).is_none_or(|(next, _)| next != start);
                    if is_last && is_covered(*start) {
                        found.add(RuleId::EhFrameHdrEmpty, at, || {
                            format!(
                                "the entry for {start:#x} points to an FDE that covers no code, and hides the FDE of {}",
                                image.place(*start)
                            )
                        });
                    }
                }
                Some(_) => {}
            }
        }
        let is_code = |range: &FunctionRange| image.section_at(range.start.0).is_some_and(ImageSection::is_code);
        let missing =
            |range: &&FunctionRange| range.start < range.end && is_code(range) && !known.contains(&range.start.0);
        // Entries after a count that is too small.
        let uncounted: BTreeSet<u64> =
            (entries.len()..room).map_while(|index| self.entry(table, index)).map(|(start, _)| start).collect();
        for range in functions.iter().filter(missing) {
            let counted = uncounted.contains(&range.start.0);
            let (rule, offset) =
                if counted { (RuleId::EhFrameHdrCount, count_at) } else { (RuleId::EhFrameHdrCovers, table.start) };
            found.add(rule, offset, || match counted {
                true => format!("fde_count {count} excludes the entry for {:#x}", range.start.0),
                false => format!("no entry for the FDE of {}", image.place(range.start.0)),
            });
        }
    }
}
