//! Files that break rules of the functions as a table: addresses, order, and sizes of their rows.

use spec::RuleId;
use types::{Abi, SframeVersion};

use super::BrokenFile;
use super::bench::{AARCH64_V2, AMD64_V2, AMD64_V3, Bench, EXTRA, FRAMED, LEAF, S390X_V3, exe, object};
use crate::code::Function;
use crate::sframe::Anchor;

pub(super) fn broken() -> Vec<BrokenFile> {
    let mut files = addresses();
    files.extend(order());
    files.extend(row_bytes());
    files
}

/// Constants come a page after the code.
const RODATA_AFTER_TEXT: u64 = 0x1000;

fn addresses() -> Vec<BrokenFile> {
    let last = |bench: Bench, rule, note, edit: fn(&mut crate::sframe::FunctionSpec)| {
        bench.section(rule, note, |section| edit(section.functions.last_mut().expect("the bench has functions")))
    };
    vec![
        last(AMD64_V2, RuleId::ElfFunctionInCode, "in .rodata", |function| {
            function.start = (function.start & !0xfff) + RODATA_AFTER_TEXT;
        }),
        last(AMD64_V3, RuleId::ElfFunctionInCode, "nowhere", |function| function.start += 0x7000_0000),
        last(AARCH64_V2, RuleId::ElfFunctionInCode, "passes the end of .text", |function| function.size = 0x200),
        last(AMD64_V3, RuleId::FdeAddressWrap, "end beyond 2^64", |function| {
            function.start = 0_u64.wrapping_sub(8);
            function.size = 16;
        }),
        AMD64_V2.section(RuleId::FdeAddressWrap, "start below 0", |section| {
            section.functions[FRAMED].overrides.start = Some(i64::from(i32::MIN));
        }),
        AMD64_V2.section(RuleId::FdeEmptyFunction, "size 0", |section| section.functions[LEAF].size = 0),
        S390X_V3.section(RuleId::FdeEmptyFunction, "size 0", |section| section.functions[LEAF].size = 0),
        AMD64_V2.section(RuleId::FdeAddressBase, "flag set, starts section-relative", |section| {
            section.anchor = Some(Anchor::Section);
        }),
        AMD64_V3.section(RuleId::FdeAddressBase, "flag set, starts section-relative", |section| {
            section.anchor = Some(Anchor::Section);
        }),
        exe(Abi::Amd64, SframeVersion::V2).section(
            RuleId::FdeAddressBase,
            "flag clear, starts field-relative",
            |section| section.anchor = Some(Anchor::Field),
        ),
    ]
}

fn order() -> Vec<BrokenFile> {
    let swapped = |bench: Bench| {
        bench.section(RuleId::FdeSortedClaim, "first two swapped", |section| section.functions.swap(FRAMED, LEAF))
    };
    vec![
        AMD64_V2.section(RuleId::FdeOverlap, "first reaches into second", |section| {
            section.functions[FRAMED].size =
                (section.functions[LEAF].start - section.functions[FRAMED].start) as u32 + 1;
        }),
        AMD64_V3.section(RuleId::FdeOverlap, "first spans all", |section| {
            let last = section.functions.last().expect("the bench has functions");
            section.functions[FRAMED].size = (last.start - section.functions[FRAMED].start) as u32 + last.size;
        }),
        AMD64_V2.section(RuleId::FdeDuplicateStart, "one of them empty", |section| {
            let mut empty = section.functions[LEAF].clone();
            empty.size = 0;
            section.functions.insert(LEAF, empty);
        }),
        AARCH64_V2.section(RuleId::FdeDuplicateStart, "same range", |section| {
            let again = section.functions[LEAF].clone();
            section.functions.push(again);
        }),
        swapped(AMD64_V2),
        swapped(AMD64_V3),
        swapped(exe(Abi::Aarch64Be, SframeVersion::V1)),
    ]
}

fn row_bytes() -> Vec<BrokenFile> {
    // A second framed function equal to the first, so that the first's rows fit it.
    let twin = |bench: Bench, note, edit: fn(&mut crate::sframe::SectionSpec)| {
        let sample = bench.sample_with(vec![Function::framed(bench.abi, "twin", "leaf")]);
        bench.finish(RuleId::FdeSharedRows, note, sample, edit, |_| ())
    };
    vec![
        twin(object(Abi::Amd64, SframeVersion::V2Errata1), "the same rows", |section| {
            section.functions[EXTRA].overrides.no_blob = true;
            section.functions[EXTRA].overrides.fre_offset = Some(0);
        }),
        twin(object(Abi::Aarch64, SframeVersion::V3), "the same attributes and rows", |section| {
            section.functions[EXTRA].overrides.no_blob = true;
            section.functions[EXTRA].overrides.fre_offset = Some(0);
        }),
        object(Abi::Amd64, SframeVersion::V2Errata1).section(
            RuleId::FdeRowAreaTiled,
            "a row of no function",
            |section| {
                // The last row of the first function is not counted: its bytes are between the
                // functions' rows.
                section.functions[FRAMED].overrides.num_fres = Some(3);
                section.header.num_fres = Some(4);
            },
        ),
        object(Abi::S390x, SframeVersion::V3).section(RuleId::FdeRowAreaTiled, "bytes after the last row", |section| {
            section.trailing = vec![0; 2];
            section.header.fre_len = Some(S390X_V3_ROWS + 2);
        }),
    ]
}

/// Bytes of the FRE sub-section of an s390x object of V3: twice 5 of attributes, rows of 3, 5, 5,
/// 5, 3 and 3 bytes.
const S390X_V3_ROWS: u32 = 2 * 5 + 3 + 5 + 5 + 5 + 3 + 3;
