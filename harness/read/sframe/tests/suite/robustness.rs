//! No bytes make the reader panic, hang, or use resources out of proportion to the section; errors
//! have the offset of the byte.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use generators::sframe::{Base, FunctionSpec, RowSpec, SectionSpec};
use sframe::{ErrorKind, Function, ParseError, Placement, Section, StartBase, Table};
use types::{Abi, SframeVersion};

use crate::examples::{EXAMPLES, example};
use crate::file::{abi_of, linked_for};

const PLACE: Placement = Placement { section_address: 0, starts: StartBase::Header };

/// Applies all operations to a section; returns the size of the printed text.
fn use_all(abi: Abi, bytes: &[u8]) -> usize {
    // Byte order and ABI of the file may differ from those of the section.
    let differs = |it: &Abi| it.facts().order != abi.facts().order && it.facts().family != abi.facts().family;
    let other = Abi::ALL.into_iter().find(differs).expect("there is one of each order");
    if let Ok(section) = Section::parse(bytes) {
        let read: usize = section.functions().flatten().map(|function| section.rows(&function).flatten().count()).sum();
        if let Ok(table) = Table::new(&section, PLACE) {
            // One that has an unreadable row is both.
            let broken: BTreeSet<u32> = table.broken().iter().map(|(index, _)| *index).collect();
            let known = broken.iter().copied().chain(table.functions().map(|function| function.fde_index));
            assert_eq!(known.collect::<BTreeSet<_>>().len(), section.entries().count());
            let kept: usize = table.functions().map(|function| function.rows().len()).sum();
            assert!(kept <= read);
            for function in table.functions() {
                for pc in function.boundaries().take(100) {
                    assert!(function.unwind_row(pc).is_some() != function.is_unread(pc));
                    assert!(!function.is_unread(pc) || broken.contains(&function.fde_index));
                    if let Some(row) = function.unwind_row(pc) {
                        assert_eq!(row.start.0, pc);
                        assert!(row.end > row.start);
                    }
                    assert!(table.find(pc).is_some());
                }
            }
        }
    }
    if let Err(error) = Section::parse(bytes) {
        assert!(error.offset <= bytes.len() as u64, "{error}");
    }
    let files = [linked_for(abi, bytes.to_vec()), as_object(abi, bytes), linked_for(other, bytes.to_vec())];
    let files = files.into_iter();
    let broken: usize = files.map(|image| crate::file::breaches(&image).len()).sum();
    let mut text = Vec::new();
    sframe::dump(bytes, PLACE, &mut text).expect("memory");
    text.len() + broken
}

fn as_object(abi: Abi, bytes: &[u8]) -> types::Image {
    let mut image = linked_for(abi, bytes.to_vec());
    image.kind = types::ImageKind::Relocatable;
    image
}

#[test]
fn truncated_anywhere_nothing_panics_and_something_is_said() {
    for example in EXAMPLES.iter() {
        let bytes = &example.bytes;
        for length in 0..bytes.len() {
            assert!(use_all(abi_of(bytes), &bytes[..length]) > 0);
            let error = Section::parse(&bytes[..length]).expect_err("tables reach to the end");
            assert!(error.offset <= length as u64);
        }
        assert!(Section::parse(bytes).is_ok());
    }
}

#[test]
fn changed_anywhere_nothing_panics() {
    for example in EXAMPLES.iter() {
        let bytes = &example.bytes;
        for at in 0..bytes.len() {
            let flips = (0..8).map(|bit| bytes[at] ^ 1 << bit);
            for value in flips.chain([0x00, 0xff, 0x7f, 0x80]) {
                let mut changed = bytes.clone();
                changed[at] = value;
                use_all(abi_of(bytes), &changed);
            }
        }
    }
}

fn parse_error(name: &str, patches: &[(usize, &[u8])]) -> ParseError {
    let mut bytes = example(name);
    for (at, new) in patches {
        bytes[*at..at + new.len()].copy_from_slice(new);
    }
    Section::parse(&bytes).expect_err("broken")
}

fn function_error(name: &str, patches: &[(usize, &[u8])]) -> ParseError {
    let mut bytes = example(name);
    for (at, new) in patches {
        bytes[*at..at + new.len()].copy_from_slice(new);
    }
    let section = Section::parse(&bytes).expect("a readable header");
    let table = Table::new(&section, PLACE).expect("a known ABI");
    let is_unread = |function: Function<'_>| {
        function.row_starts().any(|start| function.is_unread(function.start + u64::from(start)))
    };
    assert!(table.functions().all(is_unread));
    let [(0, error)] = table.broken() else { panic!("one broken function") };
    *error
}

#[test]
fn hostile_headers_are_refused_at_the_field_that_lies() {
    let e1 = "v2e1-amd64-pcrel";
    let have = 59;
    let long = parse_error(e1, &[(0x10, &[0xff, 0xff, 0xff, 0x7f])]);
    assert_eq!(long.kind, ErrorKind::FreArea { length: 0x7fff_ffff, end: 48 + 0x7fff_ffff, have });
    assert_eq!(long.offset, 0x10);
    assert_eq!(
        long.to_string(),
        "the FRE sub-section of 0x7fffffff bytes would end at byte 0x8000002f, the section has 0x3b (at byte 0x10 of the section)"
    );
    let many = parse_error(e1, &[(8, &[0xff; 4])]);
    let end = 28 + 20 * 0xffff_ffff;
    assert_eq!((many.kind, many.offset), (ErrorKind::FdeTable { count: u32::MAX, end, have }, 8));
    let auxiliary = parse_error(e1, &[(7, &[255])]);
    assert_eq!((auxiliary.kind, auxiliary.offset), (ErrorKind::AuxHeader(255), 7));
    let version = parse_error(e1, &[(2, &[4])]);
    assert_eq!((version.kind, version.offset), (ErrorKind::Version(4), 2));
    let magic = parse_error(e1, &[(0, &[0])]);
    assert_eq!((magic.kind, magic.offset), (ErrorKind::Magic([0, 0xde]), 0));
    let short = Section::parse(&[0xe2, 0xde, 2]).expect_err("three bytes");
    assert_eq!((short.kind, short.offset), (ErrorKind::Truncated { need: 4, have: 3 }, 3));
}

/// A later version may have a shorter header: only its first four bytes are read.
#[test]
fn an_unknown_version_is_refused_by_its_preamble() {
    let error = Section::parse(&[0xe2, 0xde, 4, 0]).expect_err("version 4");
    assert_eq!((error.kind, error.offset), (ErrorKind::Version(4), 2));
}

#[test]
fn hostile_functions_are_refused_at_the_byte_that_lies() {
    let e1 = "v2e1-amd64-pcrel";
    let at = |name, patches: &[(usize, &[u8])]| {
        let error = function_error(name, patches);
        (error.kind, error.offset)
    };
    assert_eq!(at("v2e1-amd64-pcmask", &[(45, &[0])]), (ErrorKind::BlockSize, 45));
    assert_eq!(at(e1, &[(40, &[0xff; 4])]), (ErrorKind::RowTruncated { row: 3 }, 59));
    assert_eq!(at(e1, &[(36, &[0xff; 4])]), (ErrorKind::RowOffset { offset: u32::MAX, length: 11 }, 36));
    assert_eq!(at(e1, &[(44, &[0x0f])]), (ErrorKind::FreType(15), 44));
    assert_eq!(at(e1, &[(56, &[0x1e])]), (ErrorKind::RowTruncated { row: 2 }, 55));
    assert_eq!(at(e1, &[(49, &[0x63])]), (ErrorKind::WordSize, 49));
    assert_eq!(at(e1, &[(55, &[0])]), (ErrorKind::RowOrder { row: 2, start: 0 }, 55));
    assert_eq!(at(e1, &[(31, &[0x80])]), (ErrorKind::Address, 28));
    assert_eq!(at("v3-amd64", &[(40, &[12])]), (ErrorKind::RowOffset { offset: 12, length: 16 }, 40));
    assert_eq!(at("v3-amd64", &[(47, &[2])]), (ErrorKind::FdeType(2), 47));
    assert_eq!(at("v3-amd64-flex-realigned", &[(59, &[0x32])]), (ErrorKind::CfaControl(0x32), 59));
    assert_eq!(at("v3-amd64-flex-realigned", &[(55, &[0x89])]), (ErrorKind::Register(17), 55));
}

#[test]
fn an_unknown_abi_leaves_syntax_readable() {
    let mut bytes = example("v2e1-amd64-pcrel");
    bytes[4] = 77;
    let section = Section::parse(&bytes).expect("readable");
    let function = section.functions().next().expect("one function").expect("readable");
    assert_eq!(section.rows(&function).flatten().count(), 3);
    let error = Table::new(&section, PLACE).expect_err("no meaning");
    assert_eq!((error.kind, error.offset), (ErrorKind::Abi(77), 4));
}

/// A section of AMD64.
fn amd64(edits: &str) -> Vec<u8> {
    crate::file::bytes(Abi::Amd64, SframeVersion::V2Errata1, edits)
}

#[test]
fn one_broken_function_does_not_disable_others() {
    let bytes = amd64("add 0x1000 0x10; add 0x1010 0x10; add 0x1020 0x10; f*.rows = 0 sp 8; f1.info = 0x0f");
    let section = Section::parse(&bytes).expect("readable");
    let table = Table::new(&section, PLACE).expect("a known ABI");
    assert_eq!(table.functions().map(|function| function.fde_index).collect::<Vec<_>>(), [0, 2]);
    assert_eq!(table.broken(), [(1, ParseError { kind: ErrorKind::FreType(15), offset: 28 + 20 + 16 })]);
    assert!(table.find(0x1010).is_none());
    assert_eq!(table.find(0x102f).map(|function| function.fde_index), Some(2));
}

#[test]
fn one_unreadable_row_does_not_disable_others() {
    let bytes = amd64("add 0x1000 0x10; f0.rows = 0 sp 8, 4 sp 16 -16 0, 8 sp 24");
    let section = Section::parse(&bytes).expect("readable");
    let table = Table::new(&section, PLACE).expect("a known ABI");
    assert_eq!(table.broken(), [(0, ParseError { kind: ErrorKind::WordCount(3), offset: 28 + 20 + 3 + 1 })]);
    let function = table.find(0x1004).expect("a function");
    let rows = [0x1003, 0x1004, 0x1007, 0x1008].map(|pc| function.row_index_at(pc));
    assert_eq!(rows, [Some(0), None, None, Some(2)]);
    assert_eq!([0x1003, 0x1004, 0x1007, 0x1008].map(|pc| function.is_unread(pc)), [false, true, true, false]);
}

/// Auxiliary header, descriptor offset and gap are respected: the rows are those of the plain form.
#[test]
fn tables_are_found_where_the_header_says() {
    let plain = example("v2e1-amd64-pcrel");
    let mut moved = plain.clone();
    moved.splice(48..48, [0xee; 8]);
    moved.splice(28..28, [0xee; 16]);
    moved.splice(28..28, [0xaa; 4]);
    (moved[7], moved[0x14], moved[0x18]) = (4, 16, 16 + 20 + 8);
    moved[28 + 20] -= 20;
    let rows = |bytes: &[u8]| {
        let section = Section::parse(bytes).expect("readable");
        let table = Table::new(&section, PLACE).expect("a known ABI");
        let function = table.function(0).expect("a function");
        let rules: Vec<_> = function.rows().map(|row| (row.start, row.rules)).collect();
        (function.start, function.end, rules)
    };
    assert_eq!(rows(&moved), rows(&plain));
    assert_eq!(Section::parse(&moved).expect("readable").auxiliary(), [0xaa; 4]);
}

#[test]
fn overlapping_functions_answer_by_the_latest_start() {
    let functions = [(0x1000, 0x100), (0x1010, 0x10), (0x1010, 0x20), (0x1018, 0), (0x1080, 0x100), (0x1300, 4)];
    let added: Vec<String> = functions.iter().map(|(start, size)| format!("add {start} {size};")).collect();
    let bytes = amd64(&format!("{} f*.rows = 0 sp 8", added.concat()));
    let section = Section::parse(&bytes).expect("readable");
    let table = Table::new(&section, PLACE).expect("a known ABI");
    // Look-up by the rule, over all functions.
    let by_hand = |pc: u64| {
        let covering = functions.iter().enumerate().filter(|(_, (start, size))| *start <= pc && pc < start + size);
        covering.max_by_key(|(index, (start, _))| (*start, std::cmp::Reverse(*index))).map(|(index, _)| index as u32)
    };
    for pc in 0xff0..0x1310 {
        assert_eq!(table.find(pc).map(|function| function.fde_index), by_hand(pc), "{pc:#x}");
    }
    assert_eq!(by_hand(0x1028), Some(2));
    assert_eq!(by_hand(0x1030), Some(0));
}

/// Rows that a function claims to have in the FRE sub-section.
struct Claim {
    rows: u32,
    offset: u32,
}

/// A section of one function with rows of 3 bytes, and functions that claim some of them.
fn sharing(rows: Vec<RowSpec>, claims: impl Iterator<Item = Claim>) -> Vec<u8> {
    let mut section = SectionSpec::new(Abi::Amd64, SframeVersion::V2Errata1);
    section.functions.push(FunctionSpec::new(0x1000, 0x40, rows));
    for (index, claim) in (1..).zip(claims) {
        let mut function = FunctionSpec::new(0x1000 + index * 0x40, 0x40, Vec::new());
        (function.overrides.num_fres, function.overrides.fre_offset) = (Some(claim.rows), Some(claim.offset));
        section.functions.push(function);
    }
    crate::file::encoded(&section, 0)
}

/// n functions that all claim the same m rows: time and memory are proportional to the bytes, not
/// to n times m.
#[test]
fn functions_that_share_rows_without_end_are_refused() {
    // Each function begins at another row, so that no two can share a decoded copy.
    let claims = (1..2_000).map(|index: u32| Claim { rows: 5_000 - index, offset: 3 * index });
    let bytes = sharing(vec![RowSpec::offsets(0, Base::Sp, &[8]); 5_000], claims);
    let section = Section::parse(&bytes).expect("readable");
    let table = Table::new(&section, PLACE).expect("a known ABI");
    let kept: usize = table.functions().map(|function| function.rows().len()).sum();
    let size = 3 * 5_000;
    assert!(kept * 3 <= 2 * size + (64 << 10), "{kept}");
    let overlap = table.broken().iter().filter(|(_, error)| error.kind == ErrorKind::Overlap).count();
    assert!(overlap > 1_900);
    let breaches = crate::file::breaches(&linked_for(Abi::Amd64, bytes.clone()));
    assert!(breaches.len() < 10 * sframe::BREACHES_PER_RULE);
    let mut text = Vec::new();
    sframe::dump(&bytes, PLACE, &mut text).expect("memory");
    // A row of 3 bytes is a line of less than 90 bytes, and is printed at most eight times.
    assert!(text.len() < 90 / 3 * (8 * size + (64 << 10)) + 2_000 * 600, "{}", text.len());
}

/// Functions with the very same rows share one decoded copy, and stay readable.
#[test]
fn functions_with_identical_rows_are_all_readable() {
    let rows = (0..50).map(|start| RowSpec::offsets(start, Base::Sp, &[8])).collect();
    let bytes = sharing(rows, (1..500).map(|_| Claim { rows: 50, offset: 0 }));
    let section = Section::parse(&bytes).expect("readable");
    let table = Table::new(&section, PLACE).expect("a known ABI");
    assert_eq!(table.broken(), []);
    assert_eq!(table.functions().len(), 500);
}

/// A function of 4 GiB in blocks of one byte: its boundaries are computed one at a time.
#[test]
fn a_huge_pcmask_function_is_lazy() {
    let bytes = amd64("add 0x1000 0xffffffff; f0.block = 1; f0.rows = 0 sp 8");
    let section = Section::parse(&bytes).expect("readable");
    let table = Table::new(&section, PLACE).expect("a known ABI");
    let function = table.function(0).expect("a function");
    assert_eq!(function.boundaries().take(3).collect::<Vec<_>>(), [0x1000, 0x1001, 0x1002]);
    assert_eq!(function.row_at(0x8000_0000).map(|row| row.start), Some(0));
}

/// The only row lies beyond the block, in each of four billion blocks.
#[test]
fn a_huge_pcmask_function_without_a_row_in_its_blocks_has_no_boundary() {
    let bytes = amd64("add 0x1000 0xffffffff; f0.block = 1; f0.rows = 1 sp 8");
    let section = Section::parse(&bytes).expect("readable");
    let table = Table::new(&section, PLACE).expect("a known ABI");
    let began = std::time::Instant::now();
    assert_eq!(table.function(0).expect("a function").boundaries().count(), 0);
    assert!(began.elapsed().as_secs() < 1, "{:?}", began.elapsed());
}

#[test]
fn a_dump_shows_bytes_offsets_and_meaning_and_goes_on_after_a_broken_function() {
    let mut bytes = example("v2e1-amd64-pcrel");
    let text = |bytes: &[u8]| {
        let mut text = Vec::new();
        sframe::dump(bytes, PLACE, &mut text).expect("memory");
        String::from_utf8(text).expect("UTF-8")
    };
    let whole = text(&bytes);
    for line in [
        "0x0002  02                       version  2 (v2e1)",
        "0x0010  0b 00 00 00              fre_len  0xb",
        "function 0: 0x1000..0x1030",
        "0x001c  e4 0f 00 00              start  +4068",
        "0x0033  01 05 10 f0              row  0x1001  cfa=rsp+16 ra=[cfa-8] fp=[cfa-16]",
    ] {
        assert!(whole.lines().any(|other| other == line), "{line} is not in\n{whole}");
    }
    bytes[56] = 0x65;
    let mut want = String::new();
    write!(want, "error: {}", ParseError { kind: ErrorKind::WordSize, offset: 56 }).expect("memory");
    assert!(text(&bytes).lines().any(|line| line == want));
}
