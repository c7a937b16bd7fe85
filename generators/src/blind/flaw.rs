//! Structural errors of a file, whatever its tables mean: the unambiguous clauses of the format,
//! checked on bytes only.

use std::collections::BTreeSet;

use types::{Abi, elf};

use super::elf::{ElfFile, Relocation};
use crate::arch::arch;
use crate::reader::Form;
use crate::reader::anatomy::{Anatomy, Descriptor, HEADER, Header, Row};

/// A broken clause. Section names are those of SFrame V2 errata 1 and V3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BrokenClause {
    /// "SFrame Header": no header, wrong magic or byte order, or an unknown version.
    Header,
    /// "SFrame Flags": bits that the version does not define.
    Flags,
    /// "SFrame ABI/arch Identifier": differs from the file's machine.
    Abi,
    /// "CFA fixed RA offset": must be -8 on AMD64, 0 elsewhere.
    FixedRa,
    /// Header, FDE table and FRE sub-section are not in this order inside the section.
    Areas,
    /// "sfh_num_fres": differs from the sum of the functions' rows.
    RowCount,
    /// "sfh_fre_len": differs from the size of all rows.
    RowBytes,
    /// Functions are not sorted although SFRAME_F_FDE_SORTED is set. In objects this applies within
    /// one code section.
    Sorted,
    /// SFRAME_F_FDE_SORTED is unset in a linked file.
    SortedUnsaid,
    /// A function's rows or attributes are outside the FRE sub-section.
    RowsOutside,
    /// Reserved bits of an info byte are set, padding is not zero, or a type does not exist.
    Reserved,
    /// "Pointer authentication": an AArch64 bit on another target.
    NotSigned,
    /// A block size of 0, or rows beyond a block.
    Block,
    /// A linked function is not inside one code section, or an object's function extends beyond its
    /// section.
    Code,
    /// Linked functions overlap.
    Overlap,
    /// Row starts do not ascend, or one is beyond the function.
    RowStart,
    /// A number of words that is not defined for the ABI.
    WordCount,
    /// A CFA below SP, or one that does not fit 32 bits.
    CfaRange,
    /// Return address and FP in the same slot.
    SameSlot,
    /// A register that the ABI does not have, or a word that names a register where none is
    /// allowed.
    Register,
    /// "Flexible FDE": invalid bits of a control word.
    Control,
    /// An object's start fields do not have exactly one relocation of their width each, or other
    /// fields are relocated.
    Relocation,
    /// `sh_type`, `sh_flags`: differ from those of `.sframe`.
    SectionHeader,
    /// PT_GNU_SFRAME is missing from a linked file, or covers another range.
    Segment,
    /// There are several PT_GNU_SFRAME.
    OneSegment,
    /// LSB 5.0 core, 10.6.2: the version of `.eh_frame_hdr` is not 1.
    HdrVersion,
    /// An encoding of `.eh_frame_hdr` that no reader evaluates.
    HdrEncoding,
    /// The headers of `.eh_frame` and `.eh_frame_hdr`: not loaded as they are in the file, no
    /// PT_GNU_EH_FRAME over the search table, or several.
    EhFrameHeaders,
    /// `eh_frame_ptr` of `.eh_frame_hdr` does not point to `.eh_frame`.
    HdrPointer,
    /// `fde_count` of `.eh_frame_hdr` exceeds the room for entries.
    HdrCount,
    /// Entries of `.eh_frame_hdr` do not ascend.
    HdrSorted,
    /// An entry of `.eh_frame_hdr` points to no FDE, or to that of another address.
    HdrEntry,
    /// An FDE of code has no entry in `.eh_frame_hdr`.
    HdrCovers,
    /// A search finds the entry of an empty FDE in place of a function's.
    HdrEmpty,
    /// A clause about what linkers add, which a bug of [`linker`](crate::linker) breaks.
    Linked,
}

/// The data that the clauses are checked on.
pub(super) struct Subject<'a> {
    pub(super) file: &'a ElfFile,
    /// Address of the section, and its size.
    pub(super) address: u64,
    pub(super) size: u64,
    pub(super) anatomy: &'a Anatomy,
    /// Relocations of an object's section.
    pub(super) relocations: &'a [Relocation],
}

/// The clauses that a section breaks, each with the offset of the first violation.
pub(super) fn flaws(subject: &Subject<'_>) -> Vec<(BrokenClause, u64)> {
    let mut found = Vec::new();
    header(subject, &mut found);
    let Anatomy { header, descriptors } = subject.anatomy;
    for descriptor in descriptors {
        function(subject, header, descriptor, &mut found);
    }
    order(subject, &mut found);
    if subject.file.relocatable {
        relocations(subject, &mut found);
    }
    found.sort_unstable();
    found.dedup_by_key(|(flaw, _)| *flaw);
    found
}

type Found = Vec<(BrokenClause, u64)>;

fn header(subject: &Subject<'_>, found: &mut Found) {
    let Anatomy { header, descriptors } = subject.anatomy;
    let abi = subject.file.abi;
    let target = arch(abi).reader();
    let mut must = |holds: bool, flaw, at| {
        if !holds {
            found.push((flaw, at));
        }
    };
    must(header.flags & !header.version.flags == 0, BrokenClause::Flags, 3);
    must(header.abi == target.id && header.version.number >= target.since, BrokenClause::Abi, 4);
    must(header.fixed_ra == target.fixed_ra, BrokenClause::FixedRa, 6);
    let table_end = header.functions.saturating_mul(header.version.entry).saturating_add(header.table_at);
    let rows_end = header.rows_at.saturating_add(header.row_bytes);
    must(HEADER.saturating_add(header.auxiliary) <= subject.size, BrokenClause::Areas, 7);
    must(table_end <= subject.size, BrokenClause::Areas, 20);
    must(rows_end <= subject.size, BrokenClause::Areas, 24);
    must(header.functions == 0 || table_end <= header.rows_at, BrokenClause::Areas, 24);
    must(descriptors.len() as u64 == header.functions, BrokenClause::Areas, 8);
    if descriptors.iter().all(Descriptor::has_all_rows) {
        let rows: u64 = descriptors.iter().map(|descriptor| descriptor.row_count).sum();
        must(rows == header.rows, BrokenClause::RowCount, 12);
        // No clause forbids that functions share rows: unused bytes then do not show a wrong size.
        let areas = descriptors.iter().map(|found| (header.rows_at + found.rows_offset, found.end));
        let areas: Vec<(u64, u64)> = areas.filter(|(start, end)| start < end).collect();
        let distinct: BTreeSet<&(u64, u64)> = areas.iter().collect();
        let sizes = distinct.iter().map(|(start, end)| end - start);
        let shared = distinct.len() < areas.len();
        must(shared || sizes.sum::<u64>() == header.row_bytes, BrokenClause::RowBytes, 16);
    }
}

fn function(subject: &Subject<'_>, header: &Header, function: &Descriptor, found: &mut Found) {
    let at = function.at;
    let mut must = |holds: bool, flaw, at| {
        if !holds {
            found.push((flaw, at));
        }
    };
    let signs = subject.file.abi.facts().pointer_authentication;
    let attributes = header.version.attributes;
    must(function.padding == 0, BrokenClause::Reserved, at);
    must(function.complete, BrokenClause::RowsOutside, at);
    let outside = if function.row_count == 0 && !attributes {
        function.rows_offset > header.row_bytes
    } else {
        function.rows_offset.saturating_add(if attributes { 5 } else { 1 }) > header.row_bytes
    };
    must(!outside, BrokenClause::RowsOutside, at);
    must(function.start_size().is_some(), BrokenClause::Reserved, at);
    must(function.info & header.version.reserved_info == 0, BrokenClause::Reserved, at);
    must(function.info2 < 2, BrokenClause::Reserved, at);
    must(signs || function.info & 0x20 == 0, BrokenClause::NotSigned, at);
    if function.start_size().is_some() && function.complete {
        must(function.has_all_rows(), BrokenClause::RowsOutside, at);
    }
    let block = function.block.filter(|_| function.in_blocks());
    must(block != Some(0), BrokenClause::Block, at);
    for row in function.sized_rows() {
        must(block.is_none_or(|block| row.start < block), BrokenClause::Block, row.at);
        must(row.start <= function.size, BrokenClause::RowStart, row.at);
        must(signs || row.info & 0x80 == 0, BrokenClause::NotSigned, row.at);
        for flaw in words(subject.file.abi, header, function, row) {
            must(false, flaw, row.at);
        }
    }
    let ascending = function.sized_rows().windows(2).all(|pair| pair[0].start < pair[1].start);
    must(ascending, BrokenClause::RowStart, at);
}

/// Checks clauses about the words of a row.
fn words(abi: Abi, header: &Header, function: &Descriptor, row: &Row) -> Vec<BrokenClause> {
    if row.words.is_empty() {
        return Vec::new();
    }
    if function.info2 & 0x1f == 1 { flexible(abi, row) } else { plain(abi, header, row) }
}

fn plain(abi: Abi, header: &Header, row: &Row) -> Vec<BrokenClause> {
    let mut found = Vec::new();
    let word = |index: usize| row.words.get(index).map(|(_, signed)| *signed);
    let target = arch(abi).reader();
    if row.words.len() > target.most_words {
        found.push(BrokenClause::WordCount);
    }
    let cfa = target.cfa(word(0).unwrap_or(0));
    if (row.info & 1 != 0 && cfa < 0) || i32::try_from(cfa).is_err() {
        found.push(BrokenClause::CfaRange);
    }
    if target.scaled {
        let odd = |word: &i64| word & 1 != 0;
        let registers: Vec<i64> = [word(1), word(2)].into_iter().flatten().filter(odd).collect();
        let exist = registers.iter().all(|word| (0..32).contains(&(word >> 1)));
        if !registers.is_empty() && (!header.version.odd_words || !exist) {
            found.push(BrokenClause::Register);
        }
    }
    let same_slot = match target.fixed_ra {
        0 => word(1).is_some_and(|ra| ra != 0 || !target.scaled) && word(1) == word(2),
        fixed => word(1) == Some(fixed),
    };
    if same_slot {
        found.push(BrokenClause::SameSlot);
    }
    found
}

/// Checks V3, "Flexible FDE": pairs of control and offset for CFA, return address and FP; a control
/// word 0 means a return address that is not saved.
fn flexible(abi: Abi, row: &Row) -> Vec<BrokenClause> {
    let target = arch(abi).reader();
    let mut found = Vec::new();
    let control = |index: usize| row.words.get(index).map(|(unsigned, _)| *unsigned);
    let filler = control(2) == Some(0);
    let shape = match row.words.len() {
        2 | 6 => true,
        // Consumers disagree about a padding word alone: not an unambiguous case.
        3 => filler,
        4 => true,
        5 => filler,
        _ => false,
    };
    let whole = row.words.len() != 4 && row.words.len() != 6 || !filler;
    if !shape || !whole {
        found.push(BrokenClause::WordCount);
        return found;
    }
    let fp = if filler { 3 } else { 4 };
    let controls = [Some(0), Some(2).filter(|_| !filler), Some(fp)].into_iter().flatten().filter_map(control);
    for word in controls {
        let register = word >> 3;
        let exists = target.registers.iter().any(|numbers| numbers.contains(&register));
        if word & 4 != 0 {
            found.push(BrokenClause::Control);
        }
        if word & 1 != 0 && !exists {
            found.push(BrokenClause::Register);
        }
    }
    if control(0).is_some_and(|word| word & 1 == 0) {
        found.push(BrokenClause::Control);
    }
    let offset = |index: usize| row.words.get(index).map(|(_, signed)| *signed);
    let slots = (control(2).zip(offset(3)), control(fp).zip(offset(fp + 1)));
    if let (false, (Some(ra), Some(fp))) = (filler, slots)
        && ra == fp
        && ra.0 & 2 != 0
    {
        found.push(BrokenClause::SameSlot);
    }
    let based_on_sp = control(0).is_some_and(|word| word & 3 == 1 && word >> 3 == u64::from(abi.facts().sp.0));
    let cfa = target.cfa(offset(1).unwrap_or(0));
    if (based_on_sp && cfa < 0) || i32::try_from(cfa).is_err() {
        found.push(BrokenClause::CfaRange);
    }
    found
}

/// Checks the positions of functions: sorted, disjoint, in code.
fn order(subject: &Subject<'_>, found: &mut Found) {
    let Anatomy { header, descriptors } = subject.anatomy;
    let (file, pcrel) = (subject.file, header.version.counts_from_field(header.flags));
    let start = |function: &Descriptor| {
        let base = if pcrel || file.relocatable { subject.address.wrapping_add(function.at) } else { subject.address };
        base.wrapping_add_signed(function.start)
    };
    let ranges: Vec<(u64, u64)> = descriptors.iter().map(|function| (start(function), function.size)).collect();
    let code = file.code();
    for ((start, size), function) in ranges.iter().zip(descriptors) {
        let end = start.checked_add(*size);
        let inside = |(from, to): &(u64, u64)| from <= start && end.is_some_and(|end| end <= *to);
        // An invalid relocation is another clause's.
        if !code.iter().any(inside) {
            found.push((BrokenClause::Code, function.at));
        }
    }
    let claimed = header.flags & 1 != 0;
    // In objects functions of one section must be in order.
    let home = |start: u64| code.iter().position(|(from, to)| *from <= start && start < *to);
    let ordered = |pair: &[(u64, u64)]| !file.relocatable || home(pair[0].0) == home(pair[1].0);
    let sorted = ranges.windows(2).all(|pair| pair[0].0 <= pair[1].0 || !ordered(pair));
    if claimed && !sorted {
        found.push((BrokenClause::Sorted, 3));
    }
    if !claimed && !file.relocatable {
        found.push((BrokenClause::SortedUnsaid, 3));
    }
    if !file.relocatable {
        let mut ranges: Vec<(u64, u64)> = ranges.into_iter().filter(|(_, size)| *size > 0).collect();
        ranges.sort_unstable();
        if ranges.windows(2).any(|pair| pair[0].0.saturating_add(pair[0].1) > pair[1].0) {
            found.push((BrokenClause::Overlap, header.table_at));
        }
    }
}

/// Checks that each start field of an object has one relocation of its width, and no other field
/// has one.
fn relocations(subject: &Subject<'_>, found: &mut Found) {
    let Anatomy { header, descriptors } = subject.anatomy;
    let mut fields: Vec<u64> = descriptors.iter().map(|function| function.at).collect();
    let mut places: Vec<u64> = subject.relocations.iter().map(|relocation| relocation.offset).collect();
    fields.sort_unstable();
    places.sort_unstable();
    let fits = |relocation: &Relocation| {
        arch(subject.file.abi).reader().form(relocation.kind)
            == usize::try_from(header.version.start).ok().map(Form::Relative)
            && relocation.target.is_some()
    };
    if fields != places || !subject.relocations.iter().all(fits) {
        found.push((BrokenClause::Relocation, header.table_at));
    }
}

/// Checks clauses about the headers around a section: V2 errata 1, "Overview", and the gABI.
pub(super) fn container(file: &ElfFile, index: usize, precedes_type: bool) -> Vec<(BrokenClause, u64)> {
    let mut found = Vec::new();
    let Some(section) = file.sections.get(index) else { return found };
    // Tools before errata 1 wrote SHT_PROGBITS.
    let typed = section.kind == elf::SHT_GNU_SFRAME || (precedes_type && section.kind == elf::SHT_PROGBITS);
    let access = elf::SHF_WRITE | elf::SHF_ALLOC | elf::SHF_EXECINSTR;
    if !typed || section.flags & access != elf::SHF_ALLOC {
        found.push((BrokenClause::SectionHeader, section.header_at));
    }
    if !file.relocatable && section.size > 0 {
        let segment = file.segments.iter().find(|segment| segment.kind == elf::PT_GNU_SFRAME);
        let there =
            segment.is_some_and(|segment| (segment.address, segment.offset) == (section.address, section.offset));
        let loaded = segment
            .is_none_or(|segment| loads(file, segment.address, section.offset, segment.file_size.min(section.size)));
        if !there || !loaded {
            found.push((BrokenClause::Segment, section.header_at));
        }
        if file.segments.iter().filter(|segment| segment.kind == elf::PT_GNU_SFRAME).count() > 1 {
            found.push((BrokenClause::OneSegment, section.header_at));
        }
    }
    found
}

/// Returns true if a PT_LOAD maps these bytes of the file at an address, readable: those that a
/// reader in the running program finds.
fn loads(file: &ElfFile, address: u64, offset: u64, size: u64) -> bool {
    file.segments.iter().filter(|segment| segment.kind == elf::PT_LOAD).any(|load| {
        let within = address.checked_sub(load.address);
        load.flags & elf::PF_R != 0
            && within.is_some_and(|within| within.saturating_add(size) <= load.file_size)
            && within.and_then(|within| load.offset.checked_add(within)) == Some(offset)
    })
}

/// Checks clauses about the headers by which readers find `.eh_frame` in a linked file: the gABI,
/// and LSB 5.0 core, 10.6.2.
pub(super) fn eh_frame_headers(file: &ElfFile) -> Vec<(BrokenClause, u64)> {
    let mut found = Vec::new();
    let mut must = |holds: bool, at| {
        if !holds {
            found.push((BrokenClause::EhFrameHeaders, at));
        }
    };
    if file.relocatable {
        return found;
    }
    for name in [&b".eh_frame"[..], b".eh_frame_hdr"] {
        let Some(section) = file.named(name).and_then(|index| file.sections.get(index)) else { continue };
        must(section.flags & elf::SHF_ALLOC != 0, section.header_at);
        must(loads(file, section.address, section.offset, section.size), section.header_at);
    }
    let table = file.named(b".eh_frame_hdr").and_then(|index| file.sections.get(index));
    let mut segments = file.segments.iter().filter(|segment| segment.kind == elf::PT_GNU_EH_FRAME);
    match (table, segments.next()) {
        (Some(table), Some(segment)) => {
            let place = (segment.address, segment.offset);
            must(place == (table.address, table.offset), segment.header_at);
            must(segment.file_size.min(segment.memory_size) >= table.size, segment.header_at);
        }
        (Some(table), None) => must(false, table.header_at),
        // Unwinders need no section header.
        (None, _) => return found,
    }
    segments.for_each(|second| must(false, second.header_at));
    found
}
