//! Tests of sections byte by byte, as GNU as 2.47.50 reads them back, and of rules that no row can
//! express.

use types::{Abi, SframeVersion};

use crate::cfi::{self, Rules, Value};
use crate::encode::{Piece, PieceRow, encode};
use crate::expression::Terms;
use crate::reason::Reason;
use crate::words::{default_row, flexible_row};

const V2: SframeVersion = SframeVersion::V2Errata1;
const V3: SframeVersion = SframeVersion::V3;

fn rules(cfa: (u16, i64), ra: Value, fp: Value) -> Rules {
    let cfa = Terms::Register(cfa.0, cfa.1);
    Rules { cfa, ra, fp, sp_is_plain: true, signed: false, signed_with_pc: false }
}

fn signed(rules: Rules) -> Rules {
    Rules { signed: true, ..rules }
}

/// A function at 0x1000, the only one of a section at 0.
fn piece(size: u32, rows: Vec<PieceRow>) -> Piece {
    Piece { start: 0x1000, size, rows, block: 0, flexible: false, signal: false, b_key: false }
}

fn default_piece(abi: Abi, version: SframeVersion, size: u32, rows: &[(u32, Rules)]) -> Piece {
    let row = |(start, rules): &(u32, Rules)| PieceRow {
        start: *start,
        words: default_row(abi, version, rules).expect("a default row"),
    };
    piece(size, rows.iter().map(row).collect())
}

fn hex(abi: Abi, version: SframeVersion, piece: Piece) -> String {
    let (bytes, too_far) = encode(abi, version, 0, &[piece]);
    assert!(too_far.is_empty());
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn plain(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn amd64_in_both_versions() {
    let at = |offset| rules((7, offset), Value::AtCfa(-8), Value::AtCfa(-16));
    let rows = [
        (0, rules((7, 8), Value::AtCfa(-8), Value::Same)),
        (1, at(16)),
        (4, rules((6, 16), Value::AtCfa(-8), Value::AtCfa(-16))),
    ];
    assert_eq!(
        hex(Abi::Amd64, V2, default_piece(Abi::Amd64, V2, 0x30, &rows)),
        plain(
            "e2de0205 0300f800 01000000 03000000 0b000000 00000000 14000000
             e40f0000 30000000 00000000 03000000 00 00 0000  000308 010510f0 040410f0"
        )
    );
    assert_eq!(
        hex(Abi::Amd64, V3, default_piece(Abi::Amd64, V3, 0x30, &rows)),
        plain(
            "e2de0305 0300f800 01000000 03000000 10000000 00000000 10000000
             e40f000000000000 30000000 00000000  0300 00 00 00  000308 010510f0 040410f0"
        )
    );
}

#[test]
fn aarch64_signs_with_the_b_key() {
    let abi = Abi::Aarch64;
    let rows = [
        (0, rules((31, 0), Value::Same, Value::Same)),
        (4, signed(rules((31, 0), Value::Same, Value::Same))),
        (8, signed(rules((31, 32), Value::AtCfa(-24), Value::AtCfa(-32)))),
    ];
    let piece = Piece { b_key: true, ..default_piece(abi, V2, 0x20, &rows) };
    assert_eq!(
        hex(abi, V2, piece),
        plain(
            "e2de0205 02000000 01000000 03000000 0b000000 00000000 14000000
             e40f0000 20000000 00000000 03000000 20 00 0000  000300 048300 088720e8e0"
        )
    );
}

#[test]
fn big_endian_aarch64() {
    let abi = Abi::Aarch64Be;
    let rows =
        [(0, rules((31, 0), Value::Same, Value::Same)), (4, rules((31, 16), Value::AtCfa(-16), Value::AtCfa(-8)))];
    assert_eq!(
        hex(abi, V2, default_piece(abi, V2, 0x10, &rows)),
        plain(
            "dee20205 01000000 00000001 00000002 00000008 00000000 00000014
             00000fe4 00000010 00000000 00000002 00 00 0000  000300 040710f0f8"
        )
    );
}

#[test]
fn s390x_registers_are_odd_words_before_v3_and_flexible_rows_in_it() {
    let abi = Abi::S390x;
    let in_register = |register| Value::Terms(Terms::Register(register, 0));
    let rows = [
        (0, rules((15, 160), Value::Same, Value::Same)),
        (6, rules((15, 160), Value::AtCfa(-48), Value::AtCfa(-72))),
        (12, rules((15, 320), Value::AtCfa(-48), Value::AtCfa(-72))),
        (18, rules((15, 160), in_register(16), in_register(17))),
    ];
    assert_eq!(
        hex(abi, V2, default_piece(abi, V2, 0x40, &rows)),
        plain(
            "dee20205 04000000 00000001 00000004 00000012 00000000 00000014
             00000fe4 00000040 00000000 00000004 00 00 0000
             000300 060700d0b8 0c0714d0b8 1207002123"
        )
    );
    assert_eq!(default_row(abi, V3, &rows[3].1), Err(Reason::ReturnAddress));
    let flexible = |start, rules: &Rules| PieceRow { start, words: flexible_row(abi, rules).expect("a row") };
    let rows = vec![flexible(0, &rows[0].1), flexible(4, &rows[3].1)];
    assert_eq!(
        hex(abi, V3, Piece { flexible: true, ..piece(0x10, rows) }),
        plain(
            "dee20305 04000000 00000001 00000002 00000011 00000000 00000010
             0000000000000fe4 00000010 00000000  0002 00 01 00  00047900 040c790081008900"
        )
    );
    // CFA offsets are multiples of 8 from 160.
    let odd = rules((15, 164), Value::Same, Value::Same);
    assert_eq!(default_row(abi, V2, &odd), Err(Reason::Offset));
}

#[test]
fn wide_numbers_and_repeating_blocks() {
    let abi = Abi::Amd64;
    let rows = [
        (0, rules((7, 8), Value::AtCfa(-8), Value::Same)),
        (0x10a, rules((7, 528), Value::AtCfa(-8), Value::AtCfa(-16))),
    ];
    let bytes = hex(abi, V2, default_piece(abi, V2, 0x200, &rows));
    assert!(bytes.ends_with(&plain("0000 03 08  0a01 25 1002 f0ff")), "{bytes}");
    let rows = [(0, rules((7, 8), Value::AtCfa(-8), Value::Same)), (11, rules((7, 16), Value::AtCfa(-8), Value::Same))];
    let piece = Piece { block: 16, ..default_piece(abi, V2, 0x30, &rows) };
    let bytes = hex(abi, V2, piece);
    assert!(bytes.ends_with(&plain("02000000 10 10 0000  000308 0b0310")), "{bytes}");
}

#[test]
fn a_realigned_frame_is_flexible() {
    let abi = Abi::Amd64;
    let saved = Value::Terms(Terms::Memory(6, 0));
    let loaded = Rules { cfa: Terms::Memory(6, -8), ..rules((0, 0), Value::AtCfa(-8), saved) };
    let all = [
        (0, rules((7, 8), Value::AtCfa(-8), Value::Same)),
        (5, rules((10, 0), Value::AtCfa(-8), Value::Same)),
        (0x11, loaded),
    ];
    let row =
        |(start, rules): &(u32, Rules)| PieceRow { start: *start, words: flexible_row(abi, rules).expect("a row") };
    assert_eq!(
        hex(abi, V3, Piece { flexible: true, ..piece(0x40, all.iter().map(row).collect()) }),
        plain(
            "e2de0305 0300f800 01000000 03000000 14000000 00000000 10000000
             e40f000000000000 40000000 00000000  0300 00 01 00
             00043908 05045100 110a33f8003300"
        )
    );
    assert_eq!(default_row(abi, V3, &all[1].1), Err(Reason::CfaRegister));
    assert_eq!(default_row(abi, V3, &all[2].1), Err(Reason::CfaExpression));
}

#[test]
fn what_no_row_expresses() {
    let plain = rules((31, 16), Value::AtCfa(-8), Value::AtCfa(-16));
    let alone = Rules { ra: Value::Same, ..plain.clone() };
    let table = [
        (Abi::Aarch64, alone, Reason::FramePointerAlone),
        (Abi::Aarch64, Rules { sp_is_plain: false, ..plain.clone() }, Reason::StackPointer),
        (Abi::Aarch64, Rules { signed_with_pc: true, ..plain.clone() }, Reason::SignedWithPc),
        (Abi::Aarch64, Rules { fp: Value::Undefined, ..plain.clone() }, Reason::FramePointer),
        // A word 0 is not an offset.
        (Abi::Aarch64, Rules { ra: Value::AtCfa(0), ..plain }, Reason::ReturnAddress),
        (Abi::Amd64, rules((7, 8), Value::AtCfa(-24), Value::Same), Reason::ReturnAddress),
    ];
    for (abi, rules, reason) in table {
        assert_eq!(default_row(abi, V3, &rules), Err(reason), "{rules:?}");
    }
    let outermost = rules((7, 8), Value::Undefined, Value::Undefined);
    assert_eq!(default_row(Abi::Amd64, V2, &outermost).map(|row| row.words.len()), Ok(0));
}

/// A function without calls saves SP in a floating-point register, as gcc 16 does on s390x.
#[test]
fn the_caller_s_sp_is_in_a_register() {
    let bytes = [
        &[0, 0, 0, 0x14, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 14, 1, 0x1b, 0x0c, 15, 0xa0, 1, 0, 0, 0][..],
        // DW_CFA_advance_loc 12, DW_CFA_register %r15 %f0.
        &[0, 0, 0, 0x14, 0, 0, 0, 0x1c, 0, 0, 0x0f, 0xe0, 0, 0, 0, 0x40, 0, 0x4c, 0x09, 15, 16, 0, 0, 0][..],
    ];
    let plain = rules((15, 160), Value::Same, Value::Same);
    let functions = cfi::functions(Abi::S390x, 0, &bytes.concat());
    let found = functions.into_iter().map(|function| (function.start, function.rows)).collect::<Vec<_>>();
    assert_eq!(found, [(0x1000, Ok(vec![cfi::Row { start: 0x1000, rules: plain }]))]);
}
