//! Files that break rules of one function descriptor, except for its address.

use spec::RuleId;
use types::{Abi, PacKey, SframeVersion};

use super::BrokenFile;
use super::bench::{
    AARCH64_V3, AMD64_V2, AMD64_V3, Bench, EXTRA, LEAF, S390X_V2, S390X_V3, exe, long_leaf, object, repeat_blocks,
};
use crate::arch::{arch, target};
use crate::code::nops;
use crate::sframe::{Base, FunctionSpec, RowSpec, Width};

pub(super) fn broken() -> Vec<BrokenFile> {
    let mut files = bits();
    files.extend(blocks());
    files.extend(rows());
    files
}

fn leaf(bench: Bench, rule: RuleId, note: &'static str, edit: impl FnOnce(&mut FunctionSpec)) -> BrokenFile {
    bench.section(rule, note, |section| edit(&mut section.functions[LEAF]))
}

fn bits() -> Vec<BrokenFile> {
    vec![
        leaf(AMD64_V2, RuleId::FdePadding, "low byte", |leaf| leaf.overrides.padding = Some(1)),
        leaf(S390X_V2, RuleId::FdePadding, "high byte", |leaf| leaf.overrides.padding = Some(0x8000)),
        leaf(AMD64_V2, RuleId::FdeRowType, "3", |leaf| leaf.overrides.info = Some(0x03)),
        leaf(AMD64_V3, RuleId::FdeRowType, "15", |leaf| leaf.overrides.info = Some(0x0f)),
        leaf(AMD64_V2, RuleId::FdeReservedInfoBits, "bit 6", |leaf| leaf.overrides.info = Some(0x40)),
        leaf(S390X_V2, RuleId::FdeReservedInfoBits, "bit 7 in V2", |leaf| leaf.overrides.info = Some(0x80)),
        leaf(AARCH64_V3, RuleId::FdeReservedInfoBits, "bit 6 in V3", |leaf| leaf.overrides.info = Some(0x40)),
        leaf(AMD64_V2, RuleId::FdeKeyBit, "B key", |leaf| leaf.key = PacKey::B),
        leaf(S390X_V3, RuleId::FdeKeyBit, "B key", |leaf| leaf.key = PacKey::B),
        leaf(AMD64_V3, RuleId::FdeReservedInfo2Bits, "bit 5", |leaf| leaf.overrides.info2 = Some(0x20)),
        leaf(AARCH64_V3, RuleId::FdeReservedInfo2Bits, "bit 7", |leaf| leaf.overrides.info2 = Some(0x80)),
        leaf(AMD64_V3, RuleId::FdeType, "2", |leaf| leaf.overrides.info2 = Some(0x02)),
        leaf(S390X_V3, RuleId::FdeType, "31", |leaf| leaf.overrides.info2 = Some(0x1f)),
    ]
}

fn blocks() -> Vec<BrokenFile> {
    let stubs = |bench: Bench, rule, note, edit: fn(&mut FunctionSpec)| {
        let stubs = arch(bench.abi).stubs("stubs", 3).expect("AMD64 has stubs");
        bench.function(rule, note, stubs, |function| {
            repeat_blocks(function, 16);
            edit(function);
        })
    };
    let mut unlike = AMD64_V2.sample_with(arch(Abi::Amd64).stubs("stubs", 3).into_iter().collect());
    repeat_blocks(&mut unlike.section.functions[EXTRA], 16);
    let second_stub = unlike.functions[EXTRA].offset as usize + 16;
    unlike.text[second_stub..second_stub + 11].copy_from_slice(&nops(Abi::Amd64, 11));
    vec![
        stubs(AMD64_V2, RuleId::FdeBlockSize, "0", |function| function.overrides.rep_size = Some(0)),
        stubs(AMD64_V3, RuleId::FdeBlockSize, "0", |function| function.overrides.rep_size = Some(0)),
        leaf(AMD64_V2, RuleId::FdeUnusedBlockSize, "16", |leaf| leaf.overrides.rep_size = Some(16)),
        leaf(AARCH64_V3, RuleId::FdeUnusedBlockSize, "4", |leaf| leaf.overrides.rep_size = Some(4)),
        stubs(AMD64_V2, RuleId::FdeBlockMultiple, "44 bytes of blocks of 16", |function| function.size -= 4),
        stubs(AMD64_V3, RuleId::FdeRowInBlock, "a row at 16", |function| {
            function.rows[1].start = 16;
        }),
        stubs(exe(Abi::Amd64, SframeVersion::V1), RuleId::FdeImpliedBlock, "blocks in V1", |_| ()),
        AMD64_V2.as_is(RuleId::FdeBlocksAlike, "the second stub does not push", unlike),
    ]
}

fn rows() -> Vec<BrokenFile> {
    let wrapping = |bench: Bench, size: usize| {
        let function = long_leaf(bench.abi, "long", size);
        bench.function(RuleId::FdeRowStartWraps, "starts cut to one byte", function, |function| {
            function.starts = Width::One;
            // Rows at 0, 200 and 300; the last start lost its upper byte.
            function.rows =
                vec![entry_row(bench.abi, 0), deeper_row(bench.abi, 200, 16), entry_row(bench.abi, 300 - 256)];
        })
    };
    vec![
        leaf(AMD64_V3, RuleId::FdeRowOffset, "beyond the FRE sub-section", |leaf| {
            leaf.rows.clear();
            leaf.overrides.no_blob = true;
            leaf.overrides.fre_offset = Some(0x1000);
        }),
        leaf(
            object(Abi::Amd64, SframeVersion::V2Errata1),
            RuleId::FdeRowOffset,
            "beyond the FRE sub-section",
            |leaf| {
                leaf.overrides.no_blob = true;
                leaf.overrides.fre_offset = Some(0x7fff_ffff);
            },
        ),
        leaf(object(Abi::Aarch64, SframeVersion::V3), RuleId::FdeAttributesFit, "2 bytes of 5", |leaf| {
            // The rows of the previous function end in the five bytes that are searched for.
            leaf.rows.clear();
            leaf.overrides.no_blob = true;
            leaf.overrides.fre_offset = Some(FRAMED_BLOB_AARCH64_V3 - 2);
        }),
        object(Abi::Amd64, SframeVersion::V2Errata1).section(
            RuleId::FdeRowsFit,
            "one row more than there is",
            |section| {
                let last = &mut section.functions[LEAF];
                last.overrides.num_fres = Some(2);
                let rows: usize = section.functions.iter().map(|function| function.rows.len()).sum();
                section.header.num_fres = Some(rows as u32 + 1);
            },
        ),
        object(Abi::S390x, SframeVersion::V3).section(RuleId::FdeRowsFit, "last row cut", |section| {
            // The last row counts one word more than it has.
            section.functions[LEAF].rows[0].info = Some(1 | 2 << 1);
        }),
        leaf(AMD64_V2, RuleId::FdeRowTypeMinimal, "4-byte starts", |leaf| leaf.starts = Width::Four),
        leaf(S390X_V3, RuleId::FdeRowTypeMinimal, "2-byte starts", |leaf| leaf.starts = Width::Two),
        wrapping(AMD64_V2, 400),
        wrapping(AARCH64_V3, 400),
        leaf(AMD64_V2, RuleId::FdeNoRows, "V2", |leaf| leaf.rows.clear()),
        leaf(AARCH64_V3, RuleId::FdeNoRows, "V3, no signal frame", |leaf| leaf.rows.clear()),
    ]
}

/// Bytes of the first function's part in an AArch64 bench of V3: 5 of attributes, rows of 3, 5, 5
/// and 3 bytes.
const FRAMED_BLOB_AARCH64_V3: u32 = 5 + 3 + 5 + 5 + 3;

/// A row with the CFA as at function entry.
fn entry_row(abi: Abi, start: u32) -> RowSpec {
    deeper_row(abi, start, 0)
}

/// A row with the CFA this many bytes farther from SP than at function entry.
fn deeper_row(abi: Abi, start: u32, pushed: i64) -> RowSpec {
    let offset = abi.facts().cfa_minus_sp_at_entry + pushed;
    let stored = target(abi).stored_cfa(offset).expect("a multiple of 8 bytes");
    RowSpec::offsets(start, Base::Sp, &[stored as i32])
}
