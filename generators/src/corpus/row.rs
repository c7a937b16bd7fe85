//! Files that break rules of default rows.

use spec::RuleId;
use types::{Abi, SframeVersion};

use super::BrokenFile;
use super::bench::{
    AARCH64_V2, AARCH64_V3, AMD64_V2, AMD64_V3, Bench, EXTRA, FRAMED, LEAF, S390X_V2, S390X_V3, exe, long_leaf,
};
use crate::arch::arch;
use crate::code::Function;
use crate::sframe::{Base, RowSpec, Width, Word};

pub(super) fn broken() -> Vec<BrokenFile> {
    let mut files = starts();
    files.extend(info_bytes());
    files.extend(cfa());
    files.extend(slots());
    files.extend(s390x_words());
    files
}

/// Edits the rows of the function with a frame. On AMD64: 0 sp+8; 1 sp+16, FP at CFA-16; 4 fp+16;
/// 10 sp+8; 11 bytes.
fn framed(bench: Bench, rule: RuleId, note: &'static str, edit: impl FnOnce(&mut [RowSpec])) -> BrokenFile {
    bench.section(rule, note, |section| edit(&mut section.functions[FRAMED].rows))
}

/// Edits the only row of the function without a frame.
fn leaf(bench: Bench, rule: RuleId, note: &'static str, edit: impl FnOnce(&mut RowSpec)) -> BrokenFile {
    bench.section(rule, note, |section| edit(&mut section.functions[LEAF].rows[0]))
}

fn offsets(offsets: &[i32]) -> Vec<Word> {
    offsets.iter().copied().map(Word::Offset).collect()
}

fn starts() -> Vec<BrokenFile> {
    let late = |bench: Bench| {
        let function = long_leaf(bench.abi, "long", 32);
        bench.function(RuleId::RowFirstStart, "4", function, |function| function.rows[0].start = 4)
    };
    vec![
        late(AMD64_V2),
        late(S390X_V3),
        framed(AMD64_V2, RuleId::RowStartsAscend, "equal starts", |rows| rows[2].start = rows[1].start),
        framed(AARCH64_V3, RuleId::RowStartsAscend, "descending starts", |rows| rows.swap(1, 2)),
        framed(AMD64_V2, RuleId::RowStartInFunction, "12 in a function of 11 bytes", |rows| rows[3].start = 12),
        framed(AMD64_V3, RuleId::RowStartInFunction, "255 in a function of 11 bytes", |rows| rows[3].start = 255),
        framed(AMD64_V2, RuleId::RowUnreachable, "11 in a function of 11 bytes", |rows| rows[3].start = 11),
        framed(S390X_V3, RuleId::RowUnreachable, "28 in a function of 28 bytes", |rows| rows[4].start = 28),
        framed(AMD64_V2, RuleId::RowRepeats, "a row again", |rows| {
            rows[2] = RowSpec { start: rows[2].start, ..rows[1].clone() };
        }),
        framed(AARCH64_V3, RuleId::RowRepeats, "a row again", |rows| {
            rows[2] = RowSpec { start: rows[2].start, ..rows[1].clone() };
        }),
    ]
}

fn info_bytes() -> Vec<BrokenFile> {
    let ra_only = |bench: Bench| {
        let function = arch(bench.abi).ra_only("ra_only", "leaf").expect("AArch64 saves its return address");
        bench.as_is(RuleId::RowTwoWords, "RA saved, FP not", bench.sample_with(vec![function]))
    };
    let one_word_of_size_3 = 1 | 1 << 1 | 3 << 5;
    vec![
        leaf(AMD64_V2, RuleId::RowWordSize, "3", |row| row.info = Some(one_word_of_size_3)),
        leaf(AARCH64_V3, RuleId::RowWordSize, "3", |row| row.info = Some(one_word_of_size_3)),
        framed(AMD64_V2, RuleId::RowWordCount, "3 on AMD64", |rows| rows[1].words = offsets(&[16, -16, -24])),
        framed(AMD64_V3, RuleId::RowWordCount, "3 on AMD64", |rows| rows[1].words = offsets(&[16, -16, -24])),
        framed(AARCH64_V2, RuleId::RowWordCount, "4 on AArch64", |rows| rows[1].words = offsets(&[16, -8, -16, -24])),
        framed(S390X_V3, RuleId::RowWordCount, "4 on s390x", |rows| rows[1].words = offsets(&[0, -48, -72, -80])),
        framed(AMD64_V3, RuleId::RowWordCount, "15 on AMD64", |rows| {
            rows[1].words = offsets(&[16, -16, -24, -32, -40, -48, -56, -64, -72, -80, -88, -96, -104, -112, -120]);
        }),
        leaf(AMD64_V2, RuleId::RowOutermostBeforeErrata2, "no words in V2", |row| *row = RowSpec::outermost(0)),
        leaf(exe(Abi::Aarch64Be, SframeVersion::V1), RuleId::RowOutermostBeforeErrata2, "no words in V1", |row| {
            *row = RowSpec::outermost(0)
        }),
        leaf(AMD64_V3, RuleId::RowOutermostInfo, "base bit", |row| {
            *row = RowSpec { info: Some(0x01), ..RowSpec::outermost(0) };
        }),
        leaf(S390X_V2, RuleId::RowOutermostInfo, "word size", |row| {
            *row = RowSpec { info: Some(0x20), ..RowSpec::outermost(0) };
        }),
        leaf(AMD64_V2, RuleId::RowSignedBit, "on AMD64", |row| row.signed = true),
        leaf(S390X_V3, RuleId::RowSignedBit, "on s390x", |row| row.signed = true),
        ra_only(AARCH64_V2),
        ra_only(exe(Abi::Aarch64Be, SframeVersion::V3)),
        leaf(AMD64_V2, RuleId::RowWordSizeMinimal, "2 bytes for 8", |row| row.width = Width::Two),
        leaf(S390X_V3, RuleId::RowWordSizeMinimal, "4 bytes for 160 scaled", |row| row.width = Width::Four),
    ]
}

fn cfa() -> Vec<BrokenFile> {
    vec![
        leaf(AMD64_V2, RuleId::RowEntryCfa, "sp+16 on AMD64", |row| row.words = offsets(&[16])),
        leaf(AARCH64_V3, RuleId::RowEntryCfa, "sp+16 on AArch64", |row| row.words = offsets(&[16])),
        leaf(S390X_V2, RuleId::RowEntryCfa, "sp+320 on s390x", |row| row.words = offsets(&[20])),
        framed(AMD64_V3, RuleId::RowCfaPlausible, "sp-8", |rows| rows[3].words = offsets(&[-8])),
        framed(AMD64_V2, RuleId::RowCfaPlausible, "sp+0 on AMD64", |rows| rows[3].words = offsets(&[0])),
        framed(AARCH64_V2, RuleId::RowCfaPlausible, "sp-16 on AArch64", |rows| rows[3].words = offsets(&[-16])),
        framed(S390X_V3, RuleId::RowCfaPlausible, "sp+152 on s390x", |rows| rows[4].words = offsets(&[-1])),
        framed(AMD64_V2, RuleId::RowSlotAlignment, "CFA sp+12", |rows| rows[1].words = offsets(&[12, -16])),
        framed(S390X_V2, RuleId::RowCfaOffsetRange, "0x10000000 * 8", |rows| {
            rows[2] = RowSpec::offsets(rows[2].start, Base::Sp, &[0x1000_0000, -48, -72]);
        }),
        framed(S390X_V3, RuleId::RowCfaOffsetRange, "0x7fffffff * 8", |rows| {
            rows[3] = RowSpec::offsets(rows[3].start, Base::Fp, &[i32::MAX, -48, -72]);
        }),
    ]
}

fn slots() -> Vec<BrokenFile> {
    // At the call in the middle, the row describes the return address as still in its register.
    let unsaved = |bench: Bench, note| {
        let mut sample = bench.sample_with(vec![Function::framed(bench.abi, "twin", "leaf")]);
        let rows = &mut sample.section.functions[EXTRA].rows;
        rows.truncate(1);
        bench.as_is(RuleId::RowCallWithoutSavedRa, note, sample)
    };
    vec![
        framed(AMD64_V2, RuleId::RowSlotAlignment, "FP at CFA-20", |rows| rows[1].words = offsets(&[16, -20])),
        framed(AARCH64_V3, RuleId::RowSlotAlignment, "RA at CFA-12", |rows| rows[1].words = offsets(&[16, -12, -24])),
        framed(AARCH64_V2, RuleId::RowSameSlot, "RA and FP at CFA-8", |rows| rows[1].words = offsets(&[16, -8, -8])),
        framed(S390X_V3, RuleId::RowSameSlot, "RA and FP at CFA-48", |rows| rows[1].words = offsets(&[0, -48, -48])),
        framed(AMD64_V2, RuleId::RowFpOnRaSlot, "FP at CFA-8", |rows| rows[1].words = offsets(&[16, -8])),
        framed(AMD64_V3, RuleId::RowFpOnRaSlot, "FP at CFA-8", |rows| rows[1].words = offsets(&[16, -8])),
        framed(AMD64_V2, RuleId::RowSlotAboveCfa, "FP at CFA+8", |rows| rows[1].words = offsets(&[16, 8])),
        framed(AARCH64_V2, RuleId::RowSlotAboveCfa, "RA at CFA+0", |rows| rows[1].words = offsets(&[16, 0, -16])),
        framed(AARCH64_V3, RuleId::RowSlotAboveCfa, "FP at CFA+0", |rows| rows[2].words = offsets(&[16, -8, 0])),
        unsaved(AARCH64_V2, "bl on AArch64"),
        unsaved(S390X_V3, "brasl on s390x"),
    ]
}

fn s390x_words() -> Vec<BrokenFile> {
    let odd = |number: i32| 2 * number + 1;
    vec![
        framed(S390X_V2, RuleId::RowRegisterWord, "FP in register 32", |rows| {
            rows[1].words = offsets(&[0, -48, odd(32)]);
        }),
        framed(S390X_V2, RuleId::RowRegisterWord, "RA in register -1", |rows| {
            rows[1].words = offsets(&[0, odd(-1), -72]);
        }),
        framed(S390X_V2, RuleId::RowEvenWordAlignment, "RA at CFA-44", |rows| rows[1].words = offsets(&[0, -44, -72])),
        framed(S390X_V3, RuleId::RowEvenWordAlignment, "FP at CFA-70", |rows| rows[1].words = offsets(&[0, -48, -70])),
        framed(S390X_V3, RuleId::RowOddWord, "RA 33", |rows| rows[1].words = offsets(&[0, odd(16), -72])),
        framed(S390X_V3, RuleId::RowOddWord, "FP -33", |rows| rows[1].words = offsets(&[0, -48, -33])),
        leaf(S390X_V2, RuleId::RowTrailingFiller, "RA 0, no FP", |row| row.words = offsets(&[0, 0])),
        leaf(S390X_V3, RuleId::RowTrailingFiller, "RA 0, no FP", |row| row.words = offsets(&[0, 0])),
    ]
}
