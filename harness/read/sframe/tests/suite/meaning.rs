//! The meaning of bytes: rows of the worked examples, look-ups, scaling on s390x, placement.

use crate::examples::{EXAMPLES, FUNCTION, at_zero, example, unhex};
use crate::file::encoded;
use generators::sframe::SectionSpec;
use sframe::{ErrorKind, Placement, Rules, Section, StartBase, Table};
use types::{Abi, CfaRule, PacKey, Pc, SframeVersion, ValueRule};

#[test]
fn every_example_has_the_rows_written_beside_it() {
    for example in EXAMPLES.iter() {
        let table = at_zero(&example.bytes);
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
    let version = |name| at_zero(&example(name)).version();
    assert_eq!(version("v1-amd64"), SframeVersion::V1);
    assert_eq!(version("v2-amd64-section-relative"), SframeVersion::V2);
    assert_eq!(version("v2e1-amd64-pcrel"), SframeVersion::V2Errata1);
    assert_eq!(version("v3-amd64"), SframeVersion::V3);
    let mut s390x_without_pcrel = example("v2e1-s390x");
    s390x_without_pcrel[3] = 1;
    assert_eq!(at_zero(&s390x_without_pcrel).version(), SframeVersion::V2Errata1);
}

#[test]
fn pcmask_counts_from_the_function_start() {
    let bytes = example("v2e1-amd64-pcmask");
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
    let table = at_zero(&example("v2e1-amd64-pcmask"));
    let function = table.function(0).expect("a function");
    assert_eq!(function.boundaries().collect::<Vec<_>>(), [0x1000, 0x100b, 0x1010, 0x101b, 0x1020, 0x102b]);
    let row = function.unwind_row(0x101c).expect("a row");
    assert_eq!((row.start, row.end), (Pc(0x101b), Pc(0x1020)));
    let row = function.unwind_row(0x1021).expect("a row");
    assert_eq!((row.start, row.end), (Pc(0x1020), Pc(0x102b)));
}

#[test]
fn a_v1_block_is_sixteen_bytes() {
    let mut bytes = example("v1-amd64");
    bytes[28 + 16] = 0x10;
    let table = at_zero(&bytes);
    assert_eq!(table.function(0).expect("a function").mask.map(u8::from), Some(16));
    let row = table.function(0).expect("a function").unwind_row(0x1011).expect("a row");
    assert_eq!(row.describe(Abi::Amd64), "cfa=rsp+16 ra=[cfa-8] fp=[cfa-16]");
}

#[test]
fn rows_hold_up_to_the_next_row_and_the_last_to_the_end() {
    let table = at_zero(&example("v2e1-amd64-pcrel"));
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
    let mut bytes = example("v2-amd64-section-relative");
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
    let key = |name| at_zero(&example(name)).function(0).expect("a function").key;
    assert_eq!(key("v2e1-aarch64-b-key-signed"), PacKey::B);
    assert_eq!(key("v2e1-aarch64-be"), PacKey::A);
    let signal = |name| at_zero(&example(name)).function(0).expect("a function").signal;
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
        let cfa = one_row(Abi::S390x, 0, &format!("00 {words}")).expect("rules").cfa;
        assert_eq!(cfa, CfaRule::Register { reg: Abi::S390x.facts().sp, offset: *offset }, "{words}");
    }
}

/// A table of one function whose only row has these bytes.
fn with_row(abi: Abi, version: SframeVersion, edits: &str, row: &str) -> Table {
    let row = unhex(row);
    let mut section = SectionSpec::new(abi, version).edited("add 0x1000 0x40; f0.num_fres = 1; num_fres = 1");
    let empty = if version.has_attribute_block() { 5 } else { 0 };
    section.header.fre_len = Some(empty + row.len() as u32);
    section.trailing = row;
    at_zero(&encoded(&section.edited(edits), 0))
}

/// The rules of one row in a default V2 function; the header's fixed offset of FP is given.
fn one_row(abi: Abi, fixed_fp: i8, row: &str) -> Result<Rules, ErrorKind> {
    only_row(&with_row(abi, SframeVersion::V2Errata1, &format!("fixed_fp = {fixed_fp}"), row))
}

fn only_row(table: &Table) -> Result<Rules, ErrorKind> {
    match table.broken() {
        [] => Ok(table.function(0).expect("a function").row(0).expect("a row").rules),
        [(0, error)] => Err(error.kind),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_fixed_return_address_offset_is_the_headers() {
    let fixed =
        |ra: i8, row| only_row(&with_row(Abi::Amd64, SframeVersion::V2Errata1, &format!("fixed_ra = {ra}"), row));
    assert_eq!(fixed(-16, "00 03 08").expect("rules").ra, ValueRule::AtCfa(-16));
    // Fixed offset 0: the second word is the return address, the third FP.
    let rules = fixed(0, "00 07 10 f8 f0").expect("rules");
    assert_eq!((rules.ra, rules.fp), (ValueRule::AtCfa(-8), ValueRule::AtCfa(-16)));
    let rules = fixed(0, "00 05 10 f8").expect("rules");
    assert_eq!((rules.ra, rules.fp), (ValueRule::AtCfa(-8), ValueRule::SameValue));
    assert_eq!(fixed(0, "00 03 08"), Err(ErrorKind::NoReturnAddress));
}

#[test]
fn a_rows_own_fp_word_wins_over_the_headers_fixed_offset() {
    assert_eq!(one_row(Abi::Amd64, -16, "00 05 10 e8").expect("rules").fp, ValueRule::AtCfa(-24));
    assert_eq!(one_row(Abi::Amd64, -16, "00 03 10").expect("rules").fp, ValueRule::AtCfa(-16));
}

#[test]
fn aarch64_tracks_the_return_address_with_the_second_word() {
    let rules = one_row(Abi::Aarch64, 0, "00 05 10 f0").expect("rules");
    assert_eq!((rules.ra, rules.fp), (ValueRule::AtCfa(-16), ValueRule::SameValue));
    // No value is invalid: 0 is the slot at the CFA.
    assert_eq!(one_row(Abi::Aarch64, 0, "00 05 10 00").expect("rules").ra, ValueRule::AtCfa(0));
    assert_eq!(one_row(Abi::Aarch64, 0, "00 09 10 f0 f8 00"), Err(ErrorKind::WordCount(4)));
}

#[test]
fn s390x_odd_words_are_registers_in_v2_and_offsets_in_v3() {
    let rules = one_row(Abi::S390x, 0, "00 07 00 00 b8").expect("rules");
    assert_eq!((rules.ra, rules.fp), (ValueRule::SameValue, ValueRule::AtCfa(-72)));
    let rules = one_row(Abi::S390x, 0, "00 07 00 21 17").expect("rules");
    let register = |number| ValueRule::Register { reg: types::Reg(number), offset: 0 };
    assert_eq!((rules.ra, rules.fp), (register(16), register(11)));
    assert_eq!(one_row(Abi::S390x, 0, "00 05 00 41"), Err(ErrorKind::Register(32)));
    assert_eq!(one_row(Abi::S390x, 0, "00 05 00 ff"), Err(ErrorKind::Register(-1)));
    let rules = only_row(&with_row(Abi::S390x, SframeVersion::V3, "", "00 07 00 21 17")).expect("rules");
    assert_eq!((rules.ra, rules.fp), (ValueRule::AtCfa(33), ValueRule::AtCfa(23)));
}

#[test]
fn the_signed_bit_means_something_on_aarch64_only() {
    assert!(one_row(Abi::Aarch64, 0, "00 83 00").expect("rules").signed);
    assert!(!one_row(Abi::Amd64, 0, "00 83 08").expect("rules").signed);
}

#[test]
fn a_row_without_words_is_outermost_whatever_its_other_bits() {
    let rules = one_row(Abi::Amd64, 0, "00 21").expect("rules");
    assert_eq!((rules.cfa, rules.ra, rules.fp), (CfaRule::Unspecified, ValueRule::Undefined, ValueRule::SameValue));
}

/// The meaning of one flexible row.
fn flex(abi: Abi, row: &str) -> Result<String, ErrorKind> {
    let table = with_row(abi, SframeVersion::V3, "f0.flex = 1", row);
    only_row(&table)?;
    let function = table.function(0).expect("a function");
    Ok(function.unwind_row(function.start).expect("a row").describe(abi))
}

#[test]
fn flex_words_are_control_and_offset_pairs() {
    use sframe::ErrorKind::{CfaControl, FlexWords, Register, WordCount};
    let ok = |text: &str| Ok(text.to_owned());
    assert_eq!(flex(Abi::Amd64, "00 04 3908"), ok("cfa=rsp+8 ra=[cfa-8] fp=same"));
    assert_eq!(flex(Abi::Amd64, "00 08 3910 02f0"), ok("cfa=rsp+16 ra=[cfa-16] fp=same"));
    assert_eq!(flex(Abi::Amd64, "00 08 3910 5900"), ok("cfa=rsp+16 ra=r11 fp=same"));
    assert_eq!(flex(Abi::Amd64, "00 0a 3910 00 02f0"), ok("cfa=rsp+16 ra=[cfa-8] fp=[cfa-16]"));
    assert_eq!(flex(Abi::Amd64, "00 0c 3910 02f8 02f0"), ok("cfa=rsp+16 ra=[cfa-8] fp=[cfa-16]"));
    assert_eq!(flex(Abi::Amd64, "00 0c 3910 02f8 00f0"), ok("cfa=rsp+16 ra=[cfa-8] fp=cfa-16"));
    assert_eq!(flex(Abi::Amd64, "00 06 3910 00"), ok("cfa=rsp+16 ra=[cfa-8] fp=same"));
    assert_eq!(flex(Abi::Amd64, "00 06 3910 02"), Err(FlexWords));
    assert_eq!(flex(Abi::Amd64, "00 08 3910 0002"), Err(FlexWords));
    assert_eq!(flex(Abi::Amd64, "00 0a 3910 02f0 00"), Err(FlexWords));
    assert_eq!(flex(Abi::Amd64, "00 0c 3910 00 02f0 00"), Err(FlexWords));
    assert_eq!(flex(Abi::Amd64, "00 02 39"), Err(WordCount(1)));
    assert_eq!(flex(Abi::Amd64, "00 0e 3910 02f8 02f0 00"), Err(WordCount(7)));
    assert_eq!(flex(Abi::Amd64, "00 04 0208"), Err(CfaControl(2)));
    assert_eq!(flex(Abi::Amd64, "00 04 8908"), Err(Register(17)));
    // Control words are unsigned: 0xf9 is register 31. Register 32 needs two bytes, and s390x does
    // not have it.
    assert_eq!(flex(Abi::S390x, "00 08 7914 f900"), ok("cfa=r15+320 ra=f15 fp=same"));
    assert_eq!(flex(Abi::S390x, "00 28 00790014 01010000"), Err(Register(32)));
    // The CFA offset is scaled on s390x: CFA = r1 + 8 * 0x14 + 160.
    assert_eq!(flex(Abi::S390x, "00 04 0914"), ok("cfa=r1+320 ra=same fp=same"));
}
