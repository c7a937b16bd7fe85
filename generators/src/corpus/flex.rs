//! Files that break rules of flexible rows (V3).

use spec::RuleId;
use types::{Abi, Reg, SframeVersion};

use super::BrokenFile;
use super::bench::{AARCH64_V3, AMD64_V3, Bench, FRAMED, S390X_V3, exe, long_leaf};
use crate::arch::{arch, target};
use crate::code::{FrameAt, Function, flex_row};
use crate::sframe::{Control, FunctionSpec, RowSpec, Word, control};

pub(super) fn broken() -> Vec<BrokenFile> {
    let mut files = words();
    files.extend(controls());
    files.extend(use_of_flex());
    files
}

/// Edits the row of `saved_cfa` that has no default form. AMD64: CFA [rbp-8], FP [rbp+0]; s390x:
/// CFA [r11+160], RA and FP on the stack.
fn saved(bench: Bench, rule: RuleId, note: &'static str, edit: impl FnOnce(&mut RowSpec)) -> BrokenFile {
    let function = Function::saved_cfa(bench.abi, "saved_cfa").zip(target(bench.abi).saved_cfa_row);
    let (function, row) = function.expect("a target with flexible rows");
    bench.function(rule, note, function, |function| edit(&mut function.rows[row]))
}

const RBP: Reg = Reg(6);
const R11: Reg = Reg(11);
const FILLER: Word = Word::Control(0);

fn offset(value: i32) -> Word {
    Word::Offset(value)
}

/// Words for CFA [rbp-8].
fn amd64_cfa() -> [Word; 2] {
    [control(Control::Load(RBP)), offset(-8)]
}

/// Words for CFA [r11+160].
fn s390x_cfa() -> [Word; 2] {
    [control(Control::Load(R11)), offset(0)]
}

fn words() -> Vec<BrokenFile> {
    let ra = [control(Control::LoadCfa), offset(-24)];
    vec![
        saved(AMD64_V3, RuleId::FlexWordCount, "1", |row| row.words.truncate(1)),
        saved(AMD64_V3, RuleId::FlexWordCount, "7", |row| {
            row.words = [&amd64_cfa()[..], &ra, &[control(Control::Load(RBP)), offset(0)], &[offset(0)]].concat();
        }),
        saved(S390X_V3, RuleId::FlexWordCount, "15", |row| row.words.resize(15, offset(0))),
        saved(AMD64_V3, RuleId::FlexPairs, "RA pair and half of another", |row| {
            row.words = [&amd64_cfa()[..], &ra, &[control(Control::Load(RBP))]].concat();
        }),
        saved(AMD64_V3, RuleId::FlexPairs, "filler, FP pair, one more word", |row| row.words.push(offset(0))),
        saved(AMD64_V3, RuleId::FlexPairs, "filler and half a pair", |row| row.words.truncate(4)),
        saved(AMD64_V3, RuleId::FlexTrailingFiller, "3 words", |row| row.words.truncate(3)),
        saved(S390X_V3, RuleId::FlexTrailingFiller, "3 words", |row| {
            row.words = [&s390x_cfa()[..], &[FILLER]].concat();
        }),
    ]
}

fn controls() -> Vec<BrokenFile> {
    vec![
        saved(AMD64_V3, RuleId::FlexCfaRegister, "no register", |row| row.words[0] = Word::Control(2)),
        saved(S390X_V3, RuleId::FlexCfaRegister, "no register", |row| row.words[0] = Word::Control(2)),
        saved(AMD64_V3, RuleId::FlexControlBit2, "CFA", |row| row.words[0] = Word::Control(6 << 3 | 7)),
        saved(S390X_V3, RuleId::FlexControlBit2, "RA", |row| row.words[2] = Word::Control(6)),
        saved(AMD64_V3, RuleId::FlexRegisterWithoutBase, "FP", |row| {
            row.words[3] = Word::Control(6 << 3 | 2);
            row.words[4] = offset(-16);
        }),
        saved(S390X_V3, RuleId::FlexRegisterWithoutBase, "RA", |row| row.words[2] = Word::Control(14 << 3 | 2)),
        saved(AMD64_V3, RuleId::FlexValueWithoutLoad, "FP is CFA-16", |row| {
            row.words[3] = control(Control::Cfa);
            row.words[4] = offset(-16);
        }),
        saved(S390X_V3, RuleId::FlexValueWithoutLoad, "FP is CFA-72", |row| row.words[4] = control(Control::Cfa)),
        foreign(AMD64_V3, RuleId::FlexRegister, "17 on AMD64", |function| {
            function.rows[1].words[0] = Word::Control(17 << 3 | 1);
        }),
        foreign(AMD64_V3, RuleId::FlexRegister, "31, unsigned", |function| {
            function.rows[1].words[0] = Word::Control(31 << 3 | 1);
        }),
        saved(S390X_V3, RuleId::FlexRegister, "200 on s390x", |row| {
            let ra = [Word::Control(200 << 3 | 1), offset(0)];
            *row = RowSpec::flex(row.start, [&row.words[..2], &ra, &row.words[4..]].concat());
        }),
        foreign(AMD64_V3, RuleId::FlexTopmostOnly, "CFA from r10", |_| ()),
        foreign(S390X_V3, RuleId::FlexTopmostOnly, "RA and FP in floating point registers", |_| ()),
    ]
}

/// A function with rows for registers that calls do not preserve.
fn foreign(bench: Bench, rule: RuleId, note: &'static str, edit: impl FnOnce(&mut FunctionSpec)) -> BrokenFile {
    let function = arch(bench.abi).foreign_registers("foreign").expect("a target with flexible rows");
    bench.function(rule, note, function, edit)
}

fn use_of_flex() -> Vec<BrokenFile> {
    let needless = |bench: Bench| {
        bench.section(RuleId::FlexNeedless, "a plain frame", |section| {
            let framed = &mut section.functions[FRAMED];
            framed.flex = true;
            framed.rows = flex_rows(bench.abi, &Function::framed(bench.abi, "framed", "leaf"));
        })
    };
    let on_aarch64 = |bench: Bench| {
        let function = long_leaf(bench.abi, "long", 16);
        bench.function(RuleId::FlexAbi, "on AArch64", function, |function| {
            function.flex = true;
            let sp = Reg(31);
            // CFA [sp+8], which has no default form.
            function.rows = vec![
                RowSpec::flex(0, vec![control(Control::Register(sp)), offset(0)]),
                RowSpec::flex(4, vec![control(Control::Load(sp)), offset(8)]),
            ];
        })
    };
    let function = Function::saved_cfa(Abi::S390x, "saved_cfa").expect("s390x has flexible rows");
    vec![
        saved(AMD64_V3, RuleId::FlexBaseBit, "set", |row| {
            // 5 words of one byte.
            row.info = Some(5 << 1 | 1);
        }),
        saved(S390X_V3, RuleId::FlexBaseBit, "set", |row| row.info = Some(6 << 1 | 1)),
        needless(AMD64_V3),
        needless(S390X_V3),
        on_aarch64(AARCH64_V3),
        on_aarch64(exe(Abi::Aarch64Be, SframeVersion::V3)),
        S390X_V3.function(RuleId::FlexCfaScaled, "160 for r15+160", function, |function| {
            let row = &mut function.rows[0];
            *row = RowSpec::flex(0, vec![row.words[0], offset(160)]);
        }),
    ]
}

fn flex_rows(abi: Abi, function: &Function) -> Vec<RowSpec> {
    let row =
        |FrameAt { offset, frame }: &FrameAt| flex_row(abi, *offset, frame).expect("every frame has a flexible row");
    function.frames.iter().map(row).collect()
}
