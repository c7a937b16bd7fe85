//! `.eh_frame_hdr`, the table by which unwinders find an FDE by binary search, against the
//! `.eh_frame` that it is of: LSB 5.0 core, 10.6.2.
//!
//! What cannot be wrong is left alone: a header without a table (encodings "omit"), which makes
//! unwinders read all of `.eh_frame`; FDEs of code that is not there; several FDEs of one address,
//! of which linkers enter one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use results::{Blame, Finding, Shape};
use spec::RuleId;
use types::elf::PT_GNU_EH_FRAME;
use types::{ByteOrder, Image, ImageKind, ImageSection};
use unwind::{FunctionRange, Unwinder as _};

use crate::tables::Tables;

/// Bytes before the table, in the encodings that linkers write.
const HEAD: usize = 12;
/// Bytes of an entry: an address, and its FDE's.
const ENTRY: usize = 8;
/// `DW_EH_PE_omit`; `DW_EH_PE_pcrel | DW_EH_PE_sdata4`; `DW_EH_PE_udata4`;
/// `DW_EH_PE_datarel | DW_EH_PE_sdata4`.
const OMIT: u8 = 0xff;
const PCREL_SDATA4: u8 = 0x1b;
const UDATA4: u8 = 0x03;
const DATAREL_SDATA4: u8 = 0x3b;

/// The findings of a linked image, one for each rule.
pub fn findings(image: &Image, tables: &Tables) -> Vec<Finding> {
    let hdr = image.section(".eh_frame_hdr").filter(|section| !section.bytes.is_empty());
    let eh_frame = image.section(".eh_frame").filter(|section| !section.bytes.is_empty());
    let (Some(hdr), Some(eh_frame), Some(cfi)) = (hdr, eh_frame, &tables.cfi) else { return Vec::new() };
    // Of a table that cannot be read nothing can be said by it.
    if image.kind == ImageKind::Relocatable || !cfi.broken().is_empty() {
        return Vec::new();
    }
    let functions: Vec<FunctionRange> = cfi.functions().collect();
    let mut found = Found { section: hdr, of: BTreeMap::new() };
    segment(image, hdr, &mut found);
    if let Some(header) = Header::parse(image, hdr, &mut found) {
        header.check(image, eh_frame, &functions, &mut found);
    }
    found.of.into_values().map(|(finding, _)| finding).collect()
}

/// What is wrong so far.
struct Found<'a> {
    section: &'a ImageSection,
    of: BTreeMap<&'static str, (Finding, u64)>,
}

impl Found<'_> {
    /// The first of a rule is reported, the others are counted.
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
            let _ = write!(finding.shown.message, " (and more of the kind)");
        }
    }
}

/// Unwinders find the section by its segment.
fn segment(image: &Image, hdr: &ImageSection, found: &mut Found<'_>) {
    let segments: Vec<_> = image.segments.iter().filter(|segment| segment.kind == PT_GNU_EH_FRAME).collect();
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

/// The header, in the encodings that linkers write.
struct Header<'a> {
    section: &'a ImageSection,
    order: ByteOrder,
    /// Where `.eh_frame` begins.
    eh_frame: u64,
    /// Entries; none if the header has no table.
    count: Option<usize>,
}

impl<'a> Header<'a> {
    /// `None` if it is wrong, or in encodings that no producer writes.
    fn parse(image: &Image, section: &'a ImageSection, found: &mut Found<'_>) -> Option<Header<'a>> {
        let [version, pointer, count, table] = *section.bytes.first_chunk()?;
        let is_encoding = |byte: u8| byte == OMIT || matches!(byte & 0x0f, 0..=4 | 9..=12) && byte & 0x70 <= 0x50;
        if version != 1 || ![pointer, count, table].into_iter().all(is_encoding) {
            found.add(RuleId::EhFrameHdrEncoding, 0, || {
                format!("version {version}, encodings {pointer:#04x}, {count:#04x} and {table:#04x}")
            });
            return None;
        }
        if pointer != PCREL_SDATA4 {
            return None;
        }
        let order = image.abi.facts().order;
        let eh_frame = section.address.wrapping_add(4).wrapping_add_signed(signed(section, 4, order)?);
        let has_table = count == UDATA4 && table == DATAREL_SDATA4;
        let count = if has_table { Some(signed(section, 8, order)? as u32 as usize) } else { None };
        Some(Header { section, order, eh_frame, count })
    }

    /// An entry: the address, and that of its FDE.
    fn entry(&self, index: usize) -> Option<(u64, u64)> {
        let at = index.checked_mul(ENTRY)?.checked_add(HEAD)?;
        let address = |at| Some(self.section.address.wrapping_add_signed(signed(self.section, at, self.order)?));
        Some((address(at)?, address(at + 4)?))
    }

    fn check(&self, image: &Image, eh_frame: &ImageSection, functions: &[FunctionRange], found: &mut Found<'_>) {
        if self.eh_frame != eh_frame.address {
            found.add(RuleId::EhFrameHdrPointer, 4, || {
                format!("eh_frame_ptr leads to {:#x}, .eh_frame is at {:#x}", self.eh_frame, eh_frame.address)
            });
        }
        let Some(count) = self.count else { return };
        let room = self.section.bytes.len().saturating_sub(HEAD) / ENTRY;
        if count > room {
            found.add(RuleId::EhFrameHdrCount, 8, || format!("fde_count {count}, and room for {room} entries"));
        }
        let entries: Vec<(u64, u64)> = (0..count.min(room)).map_while(|index| self.entry(index)).collect();
        let by_address: BTreeMap<u64, &FunctionRange> =
            functions.iter().map(|range| (eh_frame.address.wrapping_add(range.offset), range)).collect();
        // How far the functions reach that begin at or before an address.
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
            let at = HEAD + index * ENTRY;
            if let Some((before, _)) = index.checked_sub(1).and_then(|before| entries.get(before))
                && before > start
            {
                found.add(RuleId::EhFrameHdrSorted, at, || format!("{start:#x} after {before:#x}"));
            }
            // mold fills the room of FDEs that it drops with the greatest address: no PC is found
            // there.
            if *start == self.section.address.wrapping_add(u64::from(i32::MAX.cast_unsigned())) {
                continue;
            }
            known.insert(*start);
            match by_address.get(fde) {
                None => found.add(RuleId::EhFrameHdrEntry, at + 4, || {
                    format!("the entry of {start:#x} leads to {fde:#x}, where no FDE begins")
                }),
                Some(range) if range.start.0 != *start => found.add(RuleId::EhFrameHdrEntry, at, || {
                    format!("the entry of {start:#x} leads to the FDE of {:#x} at {fde:#x}", range.start.0)
                }),
                // What the search ends at holds no address, and hides what does.
                Some(range) if range.start == range.end => {
                    // Of entries of one address the last is found.
                    let is_last = entries.get(index + 1).is_none_or(|(next, _)| next != start);
                    if is_last && is_covered(*start) {
                        found.add(RuleId::EhFrameHdrEmpty, at, || {
                            format!(
                                "the entry of {start:#x} leads to an FDE of no bytes, and hides that of {}",
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
        // Past a count that is too small.
        let uncounted: BTreeSet<u64> =
            (entries.len()..room).map_while(|index| self.entry(index)).map(|(start, _)| start).collect();
        for range in functions.iter().filter(missing) {
            let counted = uncounted.contains(&range.start.0);
            let (rule, offset) = if counted { (RuleId::EhFrameHdrCount, 8) } else { (RuleId::EhFrameHdrCovers, HEAD) };
            found.add(rule, offset, || match counted {
                true => format!("fde_count {count} leaves out the entry of {:#x}", range.start.0),
                false => format!("no entry for the FDE of {}", image.place(range.start.0)),
            });
        }
    }
}

/// A word of the section, sign-extended.
fn signed(section: &ImageSection, at: usize, order: ByteOrder) -> Option<i64> {
    let word = *section.bytes.get(at..)?.first_chunk::<4>()?;
    Some(i64::from(match order {
        ByteOrder::Little => i32::from_le_bytes(word),
        ByteOrder::Big => i32::from_be_bytes(word),
    }))
}
