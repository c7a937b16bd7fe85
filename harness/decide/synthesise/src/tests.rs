//! Tests of rows that no form of the format can express, and of whole sections.

use types::{Abi, CfaRule, PacKey, Pc, Reg, SframeVersion, UnwindRow, ValueRule};

use crate::reason::Reason;
use crate::row::{Form, row};
use crate::{Input, Omitted, section};

const V2: SframeVersion = SframeVersion::V2Errata1;
const V3: SframeVersion = SframeVersion::V3;

fn rules((reg, offset): (u16, i64), ra: ValueRule, fp: ValueRule) -> UnwindRow {
    UnwindRow {
        start: Pc(0),
        end: Pc(8),
        cfa: CfaRule::Register { reg: Reg(reg), offset },
        ra,
        fp,
        signed: false,
        key: PacKey::A,
        signed_with_pc: false,
        sp: None,
        signal: false,
    }
}

fn at(offset: i64) -> ValueRule {
    ValueRule::AtCfa(offset)
}

/// Number of words of the row, or why there is none.
fn words(abi: Abi, version: SframeVersion, form: Form, rules: &UnwindRow) -> Result<usize, Reason> {
    row(abi, version, form, 0, rules).map(|row| row.words.len())
}

#[test]
fn what_no_row_expresses() {
    let plain = rules((31, 16), at(-8), at(-16));
    let aarch64 = [
        (UnwindRow { ra: ValueRule::SameValue, ..plain.clone() }, Reason::FramePointerAlone),
        (UnwindRow { sp: Some(at(0)), ..plain.clone() }, Reason::StackPointer),
        (UnwindRow { signed_with_pc: true, ..plain.clone() }, Reason::SignedWithPc),
        (UnwindRow { fp: ValueRule::Undefined, ..plain.clone() }, Reason::FramePointer),
        // A word 0 is not an offset.
        (UnwindRow { ra: at(0), ..plain.clone() }, Reason::ReturnAddress),
        (rules((31, 1 << 40), at(-8), at(-16)), Reason::Offset),
        (rules((9, 16), at(-8), at(-16)), Reason::CfaRegister),
    ];
    for (rules, reason) in aarch64 {
        assert_eq!(words(Abi::Aarch64, V3, Form::Default, &rules), Err(reason), "{rules:?}");
    }
    assert_eq!(words(Abi::Aarch64, V3, Form::Default, &plain), Ok(3));
    let explicit = UnwindRow { sp: Some(ValueRule::CfaPlus(0)), ..plain };
    assert_eq!(words(Abi::Aarch64, V3, Form::Default, &explicit), Ok(3));
    let adjacent = rules((7, 8), at(-24), ValueRule::SameValue);
    assert_eq!(words(Abi::Amd64, V2, Form::Default, &adjacent), Err(Reason::ReturnAddress));
    let outermost = rules((7, 8), ValueRule::Undefined, ValueRule::Undefined);
    assert_eq!(words(Abi::Amd64, V2, Form::Default, &outermost), Ok(0));
    let computed = rules((7, 8), at(-8), ValueRule::CfaPlus(-16));
    assert_eq!(words(Abi::Amd64, V3, Form::Flexible, &computed), Err(Reason::FramePointer));
}

#[test]
fn s390x_registers_are_odd_words_before_v3_and_flexible_rows_in_it() {
    let in_register = |number| ValueRule::Register { reg: Reg(number), offset: 0 };
    let parked = rules((15, 160), in_register(16), in_register(17));
    assert_eq!(words(Abi::S390x, V2, Form::Default, &parked), Ok(3));
    assert_eq!(words(Abi::S390x, V3, Form::Default, &parked), Err(Reason::ReturnAddress));
    assert_eq!(words(Abi::S390x, V3, Form::Flexible, &parked), Ok(6));
    // CFA offsets are multiples of 8 from 160.
    let odd = rules((15, 164), ValueRule::SameValue, ValueRule::SameValue);
    assert_eq!(words(Abi::S390x, V2, Form::Default, &odd), Err(Reason::Offset));
}

#[test]
fn a_realigned_frame_is_flexible() {
    let based = rules((10, 0), at(-8), ValueRule::SameValue);
    let saved = ValueRule::Memory { reg: Reg(6), offset: 0 };
    let loaded = UnwindRow { cfa: CfaRule::Memory { reg: Reg(6), offset: -8 }, ..rules((6, 0), at(-8), saved) };
    for (rules, reason, count) in [(based, Reason::CfaRegister, 2), (loaded, Reason::CfaExpression, 5)] {
        assert_eq!(words(Abi::Amd64, V3, Form::Default, &rules), Err(reason));
        assert_eq!(words(Abi::Amd64, V3, Form::Flexible, &rules), Ok(count));
    }
}

/// `.eh_frame` at 0 of a function at 0x1000: 0x30 bytes of code with these instructions.
fn amd64(program: &[u8]) -> Vec<u8> {
    let cie = [0x14, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 0x10, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0];
    let mut bytes = cie.to_vec();
    bytes.extend([13 + program.len() as u8, 0, 0, 0, 0x1c, 0, 0, 0, 0xe0, 0x0f, 0, 0, 0x30, 0, 0, 0, 0]);
    bytes.extend(program);
    bytes.extend([0; 4]);
    bytes
}

fn hex(version: SframeVersion, eh_frame: &[u8]) -> String {
    let input = Input { abi: Abi::Amd64, version, eh_frame: (0, eh_frame) };
    let made = section(input, 0).expect("a section");
    assert_eq!(made.omitted, []);
    made.bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// As GNU as 2.47.50 reads them back.
#[test]
fn a_section_in_both_versions() {
    let plain = |text: &str| -> String { text.split_whitespace().collect() };
    // advance 1, def_cfa_offset 16, offset r6; advance 3, def_cfa_register r6.
    let eh_frame = amd64(&[0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6]);
    assert_eq!(
        hex(V2, &eh_frame),
        plain(
            "e2de0205 0300f800 01000000 03000000 0b000000 00000000 14000000
             e40f0000 30000000 00000000 03000000 00 00 0000  000308 010510f0 040410f0"
        )
    );
    assert_eq!(
        hex(V3, &eh_frame),
        plain(
            "e2de0305 0300f800 01000000 03000000 10000000 00000000 10000000
             e40f000000000000 30000000 00000000  0300 00 00 00  000308 010510f0 040410f0"
        )
    );
    // The expression of GNU ld for a PLT: rsp + 8 + ((rip & 15) >= 11) * 8 (System V AMD64 psABI).
    let bytes = hex(V2, &amd64(&[0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22]));
    assert!(bytes.ends_with(&plain("02000000 10 10 0000  000308 0b0310")), "{bytes}");
}

#[test]
fn what_is_too_far_for_32_bits_is_omitted_before_v3() {
    let eh_frame = amd64(&[0, 0, 0]);
    let at = 0x1_0000_0000;
    let made = |version| section(Input { abi: Abi::Amd64, version, eh_frame: (0, &eh_frame) }, at).expect("a section");
    assert_eq!(made(V2).omitted, [Omitted { start: 0x1000, size: 0x30, reason: Reason::TooFar }]);
    assert_eq!((made(V2).functions, made(V3).functions), (0, 1));
}

/// A function without calls saves SP in a floating-point register, as gcc 16 does on s390x.
#[test]
fn the_caller_s_sp_is_in_a_register() {
    let bytes = [
        &[0, 0, 0, 0x14, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 14, 1, 0x1b, 0x0c, 15, 0xa0, 1, 0, 0, 0][..],
        // DW_CFA_advance_loc 12, DW_CFA_register %r15 %f0.
        &[0, 0, 0, 0x14, 0, 0, 0, 0x1c, 0, 0, 0x0f, 0xe0, 0, 0, 0, 0x40, 0, 0x4c, 0x09, 15, 16, 0, 0, 0][..],
    ];
    let eh_frame = bytes.concat();
    let made = section(Input { abi: Abi::S390x, version: V2, eh_frame: (0, &eh_frame) }, 0).expect("a section");
    assert_eq!((made.functions, made.rows, made.omitted), (1, 1, Vec::new()));
}
