//! The meaning of bytes: rows of the worked examples, look-ups, scaling on s390x, placement.

use crate::examples::{EXAMPLES, FUNCTION, at_zero, example, unhex};
use sframe::{Placement, Section, StartBase, Table};
use types::{Abi, CfaRule, PacKey, Pc, SframeVersion, ValueRule};

#[test]
fn every_example_has_the_rows_written_beside_it() {
    for example in EXAMPLES {
        let table = at_zero(&unhex(example.hex));
        assert_eq!(table.broken(), [], "{}", example.name);
        assert_eq!(table.functions().len(), 1, "{}", example.name);
        let function = table.function(0).expect("a function");
        assert_eq!(function.start, FUNCTION, "{}", example.name);
        let rows: Vec<_> = function
            .rows()
            .map(|row| (row.start, function.instantiate(&row, FUNCTION).describe(table.abi())))
            .collect();
        let want: Vec<_> = example.rows.iter().map(|(start, text)| (*start, (*text).to_owned())).collect();
        let signal = example.name.contains("signal");
        assert_eq!(function.signal, signal, "{}", example.name);
        assert_eq!(rows, want, "{}", example.name);
    }
    assert_eq!(EXAMPLES.len(), 13);
}

#[test]
fn versions_are_told_apart() {
    let version = |name| at_zero(&unhex(example(name).hex)).version();
    assert_eq!(version("v1-amd64"), SframeVersion::V1);
    assert_eq!(version("v2-amd64-section-relative"), SframeVersion::V2);
    assert_eq!(version("v2e1-amd64-pcrel"), SframeVersion::V2Errata1);
    assert_eq!(version("v3-amd64"), SframeVersion::V3);
    let mut s390x_without_pcrel = unhex(example("v2e1-s390x").hex);
    s390x_without_pcrel[3] = 1;
    assert_eq!(at_zero(&s390x_without_pcrel).version(), SframeVersion::V2Errata1);
}

#[test]
fn pcmask_counts_from_the_function_start() {
    let bytes = unhex(example("v2e1-amd64-pcmask").hex);
    let table = at_zero(&bytes);
    let text = |table: &Table, pc| table.find(pc).and_then(|f| f.unwind_row(pc)).map(|row| row.describe(Abi::Amd64));
    assert_eq!(text(&table, 0x101c).as_deref(), Some("cfa=rsp+16 ra=[cfa-8] fp=same"));
    assert_eq!(text(&table, 0x102a).as_deref(), Some("cfa=rsp+8 ra=[cfa-8] fp=same"));
    assert_eq!(text(&table, 0x1030), None);

    // A start that is not a multiple of the block: offsets are still relative to the function.
    let section = Section::parse(&bytes).expect("readable");
    let moved = Table::new(&section, Placement { section_address: 4, starts: StartBase::Header }).expect("known ABI");
    assert_eq!(text(&moved, 0x1004 + 0x1c).as_deref(), Some("cfa=rsp+16 ra=[cfa-8] fp=same"));
    assert_eq!(text(&moved, 0x1004 + 0x1a).as_deref(), Some("cfa=rsp+8 ra=[cfa-8] fp=same"));
    assert_eq!(text(&moved, 0x1003), None);
}

#[test]
fn pcmask_rows_repeat_in_every_block() {
    let table = at_zero(&unhex(example("v2e1-amd64-pcmask").hex));
    let function = table.function(0).expect("a function");
    assert_eq!(function.boundaries().collect::<Vec<_>>(), [0x1000, 0x100b, 0x1010, 0x101b, 0x1020, 0x102b]);
    let row = function.unwind_row(0x101c).expect("a row");
    assert_eq!((row.start, row.end), (Pc(0x101b), Pc(0x1020)));
    let row = function.unwind_row(0x1021).expect("a row");
    assert_eq!((row.start, row.end), (Pc(0x1020), Pc(0x102b)));
}

#[test]
fn a_v1_block_is_sixteen_bytes() {
    let mut bytes = unhex(example("v1-amd64").hex);
    bytes[28 + 16] = 0x10;
    let table = at_zero(&bytes);
    assert_eq!(table.function(0).expect("a function").mask.map(u8::from), Some(16));
    let row = table.function(0).expect("a function").unwind_row(0x1011).expect("a row");
    assert_eq!(row.describe(Abi::Amd64), "cfa=rsp+16 ra=[cfa-8] fp=[cfa-16]");
}

#[test]
fn rows_hold_up_to_the_next_row_and_the_last_to_the_end() {
    let table = at_zero(&unhex(example("v2e1-amd64-pcrel").hex));
    let function = table.function(0).expect("a function");
    let range = |pc| function.unwind_row(pc).map(|row| (row.start.0, row.end.0));
    assert_eq!(range(0x0fff), None);
    assert_eq!(range(0x1000), Some((0x1000, 0x1001)));
    assert_eq!(range(0x1003), Some((0x1001, 0x1004)));
    assert_eq!(range(0x102f), Some((0x1004, 0x1030)));
    assert_eq!(range(0x1030), None);
    assert_eq!(function.boundaries().collect::<Vec<_>>(), [0x1000, 0x1001, 0x1004]);
    assert_eq!(function.row_at(0x1003).map(|row| row.offset), Some(0x33));
}

#[test]
fn relocated_object_fields_count_from_the_field_though_the_flag_is_clear() {
    let mut bytes = unhex(example("v2-amd64-section-relative").hex);
    bytes[28..32].copy_from_slice(&0xfe4_u32.to_le_bytes());
    let section = Section::parse(&bytes).expect("readable");
    let start = |starts| {
        let table = Table::new(&section, Placement { section_address: 0, starts }).expect("known ABI");
        table.function(0).expect("a function").start
    };
    assert_eq!(start(StartBase::FieldRelative), 0x1000);
    assert_eq!(start(StartBase::Header), 0xfe4);
}

#[test]
fn keys_and_signal_marks_come_from_the_function() {
    let key = |name| at_zero(&unhex(example(name).hex)).function(0).expect("a function").key;
    assert_eq!(key("v2e1-aarch64-b-key-signed"), PacKey::B);
    assert_eq!(key("v2e1-aarch64-be"), PacKey::A);
    let signal = |name| at_zero(&unhex(example(name).hex)).function(0).expect("a function").signal;
    assert!(signal("v3-amd64-signal-no-rows"));
    assert!(!signal("v3-amd64"));
}

/// s390x: the CFA offset is word * 8 + 160. Encoded words of 1, 2 and 4 bytes, and the offsets that
/// GNU as encodes so.
#[test]
fn s390x_cfa_offsets_are_scaled() {
    let cases: &[(&str, i64)] = &[
        ("03 00", 160),
        ("03 01", 168),
        ("03 14", 320),
        ("03 7f", 1176),
        ("03 80", -864),
        ("23 0080", 1184),
        ("23 7fff", 262_296),
        ("43 00008000", 262_304),
    ];
    for (words, offset) in cases {
        let rows = format!("00 {words}");
        let length = unhex(&rows).len();
        let bytes = unhex(&format!(
            "dee20205 04000000 00000001 00000001 {length:08x} 00000000 00000014
             00000fe4 00000040 00000000 00000001 00 00 0000 {rows}"
        ));
        let table = at_zero(&bytes);
        assert_eq!(table.broken(), []);
        let cfa = table.function(0).expect("a function").row(0).expect("a row").rules.cfa;
        assert_eq!(cfa, CfaRule::Register { reg: Abi::S390x.facts().sp, offset: *offset }, "{words}");
    }
}

/// One row in a default V2 function of an ABI; the header's fixed offsets are given.
fn one_row(abi: u8, fixed_fp: i8, fixed_ra: i8, version: u8, row: &str) -> Result<sframe::Rules, sframe::ErrorKind> {
    let row = unhex(row);
    let big = abi == 1 || abi == 4;
    let word = |value: u32| if big { value.to_be_bytes() } else { value.to_le_bytes() };
    let half = |value: u16| if big { value.to_be_bytes() } else { value.to_le_bytes() };
    let mut bytes = if big { vec![0xde, 0xe2] } else { vec![0xe2, 0xde] };
    bytes.extend([version, 4, abi, fixed_fp as u8, fixed_ra as u8, 0]);
    let (entry, block) = if version == 3 { (16, 5) } else { (20, 0) };
    for value in [1, 1, row.len() as u32 + block, 0, entry] {
        bytes.extend(word(value));
    }
    if version == 3 {
        bytes.extend(if big { 0x1000_i64.to_be_bytes() } else { 0x1000_i64.to_le_bytes() });
        bytes.extend(word(0x40));
        bytes.extend(word(0));
        bytes.extend(half(1));
        bytes.extend([0, 0, 0]);
    } else {
        for value in [0x1000, 0x40, 0, 1, 0] {
            bytes.extend(word(value));
        }
    }
    bytes.extend(row);
    let table = at_zero(&bytes);
    match table.broken() {
        [] => Ok(table.function(0).expect("a function").row(0).expect("a row").rules),
        [(0, error)] => Err(error.kind),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_fixed_return_address_offset_is_the_headers() {
    assert_eq!(one_row(3, 0, -16, 2, "00 03 08").expect("rules").ra, ValueRule::AtCfa(-16));
    // Fixed offset 0: the second word is the return address, the third FP.
    let rules = one_row(3, 0, 0, 2, "00 07 10 f8 f0").expect("rules");
    assert_eq!((rules.ra, rules.fp), (ValueRule::AtCfa(-8), ValueRule::AtCfa(-16)));
    let rules = one_row(3, 0, 0, 2, "00 05 10 f8").expect("rules");
    assert_eq!((rules.ra, rules.fp), (ValueRule::AtCfa(-8), ValueRule::SameValue));
    assert_eq!(one_row(3, 0, 0, 2, "00 03 08"), Err(sframe::ErrorKind::NoReturnAddress));
}

#[test]
fn a_rows_own_fp_word_wins_over_the_headers_fixed_offset() {
    assert_eq!(one_row(3, -16, -8, 2, "00 05 10 e8").expect("rules").fp, ValueRule::AtCfa(-24));
    assert_eq!(one_row(3, -16, -8, 2, "00 03 10").expect("rules").fp, ValueRule::AtCfa(-16));
}

#[test]
fn aarch64_tracks_the_return_address_with_the_second_word() {
    let rules = one_row(2, 0, 0, 2, "00 05 10 f0").expect("rules");
    assert_eq!((rules.ra, rules.fp), (ValueRule::AtCfa(-16), ValueRule::SameValue));
    // No value is invalid: 0 is the slot at the CFA.
    assert_eq!(one_row(2, 0, 0, 2, "00 05 10 00").expect("rules").ra, ValueRule::AtCfa(0));
    assert_eq!(one_row(2, 0, 0, 2, "00 09 10 f0 f8 00"), Err(sframe::ErrorKind::WordCount(4)));
}

#[test]
fn s390x_odd_words_are_registers_in_v2_and_offsets_in_v3() {
    let rules = one_row(4, 0, 0, 2, "00 07 00 00 b8").expect("rules");
    assert_eq!((rules.ra, rules.fp), (ValueRule::SameValue, ValueRule::AtCfa(-72)));
    let rules = one_row(4, 0, 0, 2, "00 07 00 21 17").expect("rules");
    let register = |number| ValueRule::Register { reg: types::Reg(number), offset: 0 };
    assert_eq!((rules.ra, rules.fp), (register(16), register(11)));
    assert_eq!(one_row(4, 0, 0, 2, "00 05 00 41"), Err(sframe::ErrorKind::Register(32)));
    assert_eq!(one_row(4, 0, 0, 2, "00 05 00 ff"), Err(sframe::ErrorKind::Register(-1)));
    let rules = one_row(4, 0, 0, 3, "00 07 00 21 17").expect("rules");
    assert_eq!((rules.ra, rules.fp), (ValueRule::AtCfa(33), ValueRule::AtCfa(23)));
}

#[test]
fn the_signed_bit_means_something_on_aarch64_only() {
    assert!(one_row(2, 0, 0, 2, "00 83 00").expect("rules").signed);
    assert!(!one_row(3, 0, -8, 2, "00 83 08").expect("rules").signed);
}

#[test]
fn a_row_without_words_is_outermost_whatever_its_other_bits() {
    let rules = one_row(3, 0, -8, 2, "00 21").expect("rules");
    assert_eq!((rules.cfa, rules.ra, rules.fp), (CfaRule::Unspecified, ValueRule::Undefined, ValueRule::SameValue));
}

/// One flex row (V3) on AMD64 or s390x.
fn flex(abi: u8, row: &str) -> Result<String, sframe::ErrorKind> {
    let row = unhex(row);
    let big = abi == 4;
    let word = |value: u32| if big { value.to_be_bytes() } else { value.to_le_bytes() };
    let mut bytes = if big { vec![0xde, 0xe2] } else { vec![0xe2, 0xde] };
    bytes.extend([3, 4, abi, 0, if big { 0 } else { 0xf8 }, 0]);
    for value in [1, 1, row.len() as u32 + 5, 0, 16] {
        bytes.extend(word(value));
    }
    bytes.extend(if big { 0x1000_i64.to_be_bytes() } else { 0x1000_i64.to_le_bytes() });
    bytes.extend(word(0x40));
    bytes.extend(word(0));
    bytes.extend(if big { [0, 1, 0, 1, 0] } else { [1, 0, 0, 1, 0] });
    bytes.extend(row);
    let table = at_zero(&bytes);
    match table.broken() {
        [] => Ok(table
            .function(0)
            .expect("a function")
            .unwind_row(table.function(0).expect("a function").start)
            .expect("a row")
            .describe(table.abi())),
        [(0, error)] => Err(error.kind),
        other => panic!("{other:?}"),
    }
}

#[test]
fn flex_words_are_control_and_offset_pairs() {
    use sframe::ErrorKind::{CfaControl, FlexWords, Register, WordCount};
    let ok = |text: &str| Ok(text.to_owned());
    assert_eq!(flex(3, "00 04 3908"), ok("cfa=rsp+8 ra=[cfa-8] fp=same"));
    assert_eq!(flex(3, "00 08 3910 02f0"), ok("cfa=rsp+16 ra=[cfa-16] fp=same"));
    assert_eq!(flex(3, "00 08 3910 5900"), ok("cfa=rsp+16 ra=r11 fp=same"));
    assert_eq!(flex(3, "00 0a 3910 00 02f0"), ok("cfa=rsp+16 ra=[cfa-8] fp=[cfa-16]"));
    assert_eq!(flex(3, "00 0c 3910 02f8 02f0"), ok("cfa=rsp+16 ra=[cfa-8] fp=[cfa-16]"));
    assert_eq!(flex(3, "00 0c 3910 02f8 00f0"), ok("cfa=rsp+16 ra=[cfa-8] fp=cfa-16"));
    assert_eq!(flex(3, "00 06 3910 00"), ok("cfa=rsp+16 ra=[cfa-8] fp=same"));
    assert_eq!(flex(3, "00 06 3910 02"), Err(FlexWords));
    assert_eq!(flex(3, "00 08 3910 0002"), Err(FlexWords));
    assert_eq!(flex(3, "00 0a 3910 02f0 00"), Err(FlexWords));
    assert_eq!(flex(3, "00 0c 3910 00 02f0 00"), Err(FlexWords));
    assert_eq!(flex(3, "00 02 39"), Err(WordCount(1)));
    assert_eq!(flex(3, "00 0e 3910 02f8 02f0 00"), Err(WordCount(7)));
    assert_eq!(flex(3, "00 04 0208"), Err(CfaControl(2)));
    assert_eq!(flex(3, "00 04 8908"), Err(Register(17)));
    // Control words are unsigned: 0xf9 is register 31. Register 32 needs two bytes, and s390x does
    // not have it.
    assert_eq!(flex(4, "00 08 7914 f900"), ok("cfa=r15+320 ra=f15 fp=same"));
    assert_eq!(flex(4, "00 28 00790014 01010000"), Err(Register(32)));
    // The CFA offset is scaled on s390x: CFA = r1 + 8 * 0x14 + 160.
    assert_eq!(flex(4, "00 04 0914"), ok("cfa=r1+320 ra=same fp=same"));
}
