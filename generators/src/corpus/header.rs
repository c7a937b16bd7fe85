//! Files that break rules of the header and of the section's layout.

use spec::RuleId;
use types::{Abi, ByteOrder, SframeVersion};

use super::BrokenFile;
use super::bench::{AARCH64_V2, AARCH64_V3, AMD64_V2, AMD64_V3, Bench, FRAMED, LEAF, S390X_V3, exe, object};
use crate::code::Function;
use crate::elf::{FileKind, PT_GNU_SFRAME};
use crate::sample::Sample;
use crate::sframe::{FLAG_FRAME_POINTER, FLAG_PCREL, FLAG_SORTED, RowSpec, SectionAddress, encode};

pub(super) fn broken() -> Vec<BrokenFile> {
    let mut files = preamble();
    files.extend(fields());
    files.extend(geometry());
    files.extend(after_the_rows());
    files
}

fn preamble() -> Vec<BrokenFile> {
    let cut = |note, to| {
        AMD64_V2.file(RuleId::HeaderSize, note, move |file| {
            file.section_mut(".sframe").expect(".sframe is there").bytes.truncate(to);
        })
    };
    let v1 = |abi| exe(abi, SframeVersion::V1);
    vec![
        cut("1 byte", 1),
        cut("3 bytes", 3),
        cut("a preamble of 4 bytes", 4),
        cut("27 bytes", 27),
        AMD64_V2.section(RuleId::HeaderMagic, "0xdead", |section| section.header.magic = Some(0xdead)),
        S390X_V3.section(RuleId::HeaderMagic, "second byte wrong", |section| section.header.magic = Some(0xdee3)),
        AMD64_V2.section(RuleId::HeaderByteOrder, "big-endian section", |section| section.order = ByteOrder::Big),
        S390X_V3.section(RuleId::HeaderByteOrder, "little-endian section", |section| section.order = ByteOrder::Little),
        AMD64_V2.section(RuleId::HeaderVersion, "0", |section| section.header.version = Some(0)),
        AMD64_V3.section(RuleId::HeaderVersion, "4", |section| section.header.version = Some(4)),
        v1(Abi::Amd64).section(RuleId::HeaderObsoleteVersion, "version 1", |_| ()),
        v1(Abi::Aarch64Be).section(RuleId::HeaderObsoleteVersion, "version 1", |_| ()),
    ]
}

fn fields() -> Vec<BrokenFile> {
    let outermost = |bench: Bench, note, abi, fixed_ra| {
        bench.section(RuleId::HeaderAbiMachine, note, move |section| {
            section.abi = abi;
            section.fixed_ra = fixed_ra;
            // Rows without words mean the same on every ABI.
            for function in &mut section.functions {
                function.rows = vec![RowSpec::outermost(0)];
            }
        })
    };
    vec![
        AMD64_V2.section(RuleId::HeaderReservedFlags, "bit 3", |section| section.flags |= 0x08),
        AMD64_V3.section(RuleId::HeaderReservedFlags, "bit 7", |section| section.flags |= 0x80),
        AMD64_V3.section(RuleId::HeaderRemovedFlag, "bit 1 in V3", |section| section.flags |= FLAG_FRAME_POINTER),
        AMD64_V2.section(RuleId::HeaderFramePointerFlag, "claimed", |section| section.flags |= FLAG_FRAME_POINTER),
        exe(Abi::S390x, SframeVersion::V1).section(RuleId::HeaderAbi, "s390x in V1", |_| ()),
        AARCH64_V3.section(RuleId::HeaderAbiByteOrder, "1 in a little-endian section", |section| section.abi = 1),
        exe(Abi::Aarch64Be, SframeVersion::V2Errata1).section(
            RuleId::HeaderAbiByteOrder,
            "2 in a big-endian section",
            |section| section.abi = 2,
        ),
        outermost(AARCH64_V3, "AMD64 in an AArch64 file", 3, -8),
        outermost(AMD64_V3, "AArch64 in an AMD64 file", 2, 0),
        outermost(S390X_V3, "AArch64 in an s390x file", 1, 0),
        AMD64_V2.section(RuleId::HeaderFixedRaAmd64, "0", |section| section.fixed_ra = 0),
        AMD64_V3.section(RuleId::HeaderFixedRaAmd64, "-24", |section| section.fixed_ra = -24),
        AARCH64_V2.section(RuleId::HeaderFixedRa, "-8", |section| section.fixed_ra = -8),
        S390X_V3.section(RuleId::HeaderFixedRa, "-48", |section| section.fixed_ra = -48),
        AMD64_V2.section(RuleId::HeaderFixedFp, "-16", |section| section.fixed_fp = -16),
        AARCH64_V3.section(RuleId::HeaderFixedFp, "-16", |section| section.fixed_fp = -16),
        AMD64_V3.section(RuleId::HeaderPcrelClear, "section-relative starts", |section| section.flags &= !FLAG_PCREL),
        exe(Abi::Amd64, SframeVersion::V2).section(RuleId::HeaderPcrelClearV2, "section-relative starts", |_| ()),
        object(Abi::Aarch64, SframeVersion::V2).section(RuleId::HeaderPcrelClearV2, "object of old tools", |_| ()),
        AMD64_V2.section(RuleId::HeaderSortedInLinked, "not claimed", |section| section.flags &= !FLAG_SORTED),
        Bench { kind: FileKind::Shared, ..AARCH64_V3 }.section(
            RuleId::HeaderSortedInLinked,
            "not claimed in a shared object",
            |section| section.flags &= !FLAG_SORTED,
        ),
        object(Abi::Amd64, SframeVersion::V3).section(RuleId::HeaderSortedInObject, "claimed", |section| {
            section.flags |= FLAG_SORTED;
        }),
    ]
}

fn geometry() -> Vec<BrokenFile> {
    let fre_length = |bench: Bench, note| {
        bench.section(RuleId::HeaderFreLength, note, |section| {
            let rows = section.row_bytes();
            section.header.fre_len = Some(rows as u32 + 1);
            section.trailing = vec![0];
        })
    };
    vec![
        AMD64_V2
            .section(RuleId::HeaderAuxiliaryFits, "255 bytes claimed", |section| section.header.aux_len = Some(255)),
        AMD64_V2.section(RuleId::HeaderFdeTableFits, "1000 functions", |section| section.header.num_fdes = Some(1000)),
        AMD64_V3.section(RuleId::HeaderFdeTableFits, "4294967295 functions", |section| {
            section.header.num_fdes = Some(u32::MAX);
        }),
        AMD64_V2.section(RuleId::HeaderFdeTableFits, "table begins beyond the section", |section| {
            section.header.fdeoff = Some(0x7fff_ffff);
        }),
        AMD64_V2.section(RuleId::HeaderFreAreaFits, "0x7fffffff bytes", |section| {
            section.header.fre_len = Some(0x7fff_ffff);
        }),
        AMD64_V3.section(RuleId::HeaderFreAreaFits, "area begins beyond the section", |section| {
            section.header.freoff = Some(u32::MAX);
        }),
        rows_before_functions(),
        attributes_in_index(),
        AMD64_V2.section(RuleId::HeaderAuxiliary, "8 bytes", |section| section.aux = vec![0; 8]),
        S390X_V3.section(RuleId::HeaderAuxiliary, "4 bytes", |section| section.aux = vec![0xa5; 4]),
        AMD64_V2.section(RuleId::HeaderCanonicalLayout, "gap before the functions", |section| {
            section.fde_gap = vec![0; 16];
        }),
        AARCH64_V3
            .section(RuleId::HeaderCanonicalLayout, "gap before the rows", |section| section.fre_gap = vec![0; 8]),
        AMD64_V2.section(RuleId::HeaderRowCount, "one too many", |section| {
            let rows: usize = section.functions.iter().map(|function| function.rows.len()).sum();
            section.header.num_fres = Some(rows as u32 + 1);
        }),
        S390X_V3.section(RuleId::HeaderRowCount, "0", |section| section.header.num_fres = Some(0)),
        fre_length(AMD64_V2, "one byte too long"),
        fre_length(AARCH64_V3, "one byte too long"),
        AMD64_V2.section(RuleId::HeaderNoFunctions, "header alone", |section| section.functions.clear()),
        object(Abi::S390x, SframeVersion::V3).section(RuleId::HeaderNoFunctions, "header alone", |section| {
            section.functions.clear();
        }),
        AMD64_V2.section(RuleId::HeaderRowsWithoutFunctions, "2 rows of no function", |section| {
            section.functions.clear();
            section.header.num_fres = Some(2);
        }),
        AMD64_V3.section(RuleId::HeaderRowsWithoutFunctions, "bytes of no function", |section| {
            section.functions.clear();
            section.header.fre_len = Some(3);
            section.trailing = vec![0, 3, 8];
        }),
        empty_section(),
    ]
}

fn after_the_rows() -> Vec<BrokenFile> {
    let second = |bench: Bench, note, padding: usize| {
        let sample = bench.sample();
        let place = match bench.kind {
            FileKind::Relocatable => SectionAddress::Relocatable,
            FileKind::Executable | FileKind::Shared => {
                SectionAddress::Linked { section: sample.text_address() + 0x1000 }
            }
        };
        let mut another = sample.section.clone();
        another.functions.truncate(1);
        let mut trailing = vec![0; padding];
        trailing.extend(encode(&another, place).expect("a section that is correct elsewhere").bytes);
        bench.section(RuleId::HeaderSecondElement, note, move |section| section.trailing = trailing)
    };
    let rows = AMD64_V2.sample();
    let unpadded = encode(&rows.section, SectionAddress::Relocatable).expect("the bench's section").bytes.len();
    vec![
        AMD64_V2.section(RuleId::HeaderTrailingBytes, "a 1", |section| section.trailing = vec![1]),
        AMD64_V3.section(RuleId::HeaderTrailingBytes, "ff after zeros", |section| section.trailing = vec![0, 0, 0xff]),
        second(AMD64_V2, "at once", 0),
        second(AMD64_V2, "at the next multiple of 8", unpadded.next_multiple_of(8) - unpadded),
        second(object(Abi::Amd64, SframeVersion::V2Errata1), "in an object", 0),
        AMD64_V2.section(RuleId::HeaderExcessPadding, "8 zero bytes", |section| section.trailing = vec![0; 8]),
        S390X_V3.section(RuleId::HeaderExcessPadding, "100 zero bytes", |section| section.trailing = vec![0; 100]),
    ]
}

/// The rows are in the gap before the functions, so that they are first.
fn rows_before_functions() -> BrokenFile {
    let sample = AMD64_V2.sample();
    let encoded = encode(&sample.section, SectionAddress::Relocatable).expect("the bench's section").bytes;
    let rows = encoded[encoded.len() - sample.section.row_bytes()..].to_vec();
    let first = rows.len() - sample.section.functions[LEAF].row_bytes(sample.section.layout);
    AMD64_V2.section(RuleId::HeaderTablesOverlap, "rows before functions", move |section| {
        section.header.fre_len = Some(rows.len() as u32);
        section.header.freoff = Some(0);
        section.fde_gap = rows;
        section.functions[FRAMED].overrides.fre_offset = Some(0);
        section.functions[LEAF].overrides.fre_offset = Some(first as u32);
        for function in &mut section.functions {
            function.overrides.no_blob = true;
        }
    })
}

/// A signal frame without rows: the first 2 of its 5 bytes of attributes, the row count 0, are the
/// upper half of the index entry's row offset 0.
fn attributes_in_index() -> BrokenFile {
    object(Abi::Amd64, SframeVersion::V3).finish(
        RuleId::HeaderTablesOverlap,
        "attributes in the index",
        signal_frame_alone(),
        |section| {
            section.functions[0].overrides.no_blob = true;
            section.header.freoff = Some(16 - 2);
            section.header.fre_len = Some(5);
            section.trailing = vec![0x80, 0, 0];
        },
        |_| (),
    )
}

fn signal_frame_alone() -> Sample {
    let signal = Function { signal: true, ..Function::leaf(Abi::Amd64, "signal") };
    let sample = Sample::new(Abi::Amd64, SframeVersion::V3, FileKind::Relocatable, vec![signal]);
    let mut sample = sample.expect("a leaf has tables");
    sample.section.functions[0].rows.clear();
    sample
}

fn empty_section() -> BrokenFile {
    AMD64_V2.file(RuleId::HeaderEmptySection, "no bytes", |file| {
        file.section_mut(".sframe").expect(".sframe is there").bytes.clear();
        file.segments.retain(|segment| segment.kind != PT_GNU_SFRAME);
    })
}
