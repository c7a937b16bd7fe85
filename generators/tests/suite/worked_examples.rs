//! The encoder's output for known sections, byte for byte. The bytes are derived by hand from the
//! format's field tables (section at address 0, function at 0x1000); readelf 2.47.50 decodes all
//! except the V1 one to the described rows.

use generators::sframe::{
    Base, Control, FunctionSpec, PcType, RowSpec, SectionAddress, SectionSpec, Width, Word, control, encode,
};
use types::{Abi, PacKey, Reg, SframeVersion};

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let digit = |byte: u8| char::from(byte).to_digit(16).expect("a hex digit") as u8;
    digits.chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

#[track_caller]
fn assert_encodes(abi: Abi, version: SframeVersion, function: FunctionSpec, hex: &str) {
    let section = SectionSpec { functions: vec![function], ..SectionSpec::new(abi, version) };
    let encoded = encode(&section, SectionAddress::Linked { section: 0 }).expect("an encodable section");
    assert_eq!(encoded.bytes, bytes(hex), "\n got {:02x?}\nwant {:02x?}", encoded.bytes, bytes(hex));
}

fn function(size: u32, rows: Vec<RowSpec>) -> FunctionSpec {
    FunctionSpec::new(0x1000, size, rows)
}

/// sp+8; at 1 sp+16, FP at CFA-16; at 4 fp+16.
fn push_mov() -> FunctionSpec {
    let rows = vec![
        RowSpec::offsets(0, Base::Sp, &[8]),
        RowSpec::offsets(1, Base::Sp, &[16, -16]),
        RowSpec::offsets(4, Base::Fp, &[16, -16]),
    ];
    function(0x30, rows)
}

#[test]
fn v2_amd64_start_relative_to_field() {
    assert_encodes(
        Abi::Amd64,
        SframeVersion::V2Errata1,
        push_mov(),
        "e2de0205 0300f800 01000000 03000000 0b000000 00000000 14000000 e40f0000 30000000 00000000 03000000 00 00 0000
         000308 010510f0 040410f0",
    );
}

#[test]
fn v2_amd64_start_relative_to_section() {
    assert_encodes(
        Abi::Amd64,
        SframeVersion::V2,
        push_mov(),
        "e2de0201 0300f800 01000000 03000000 0b000000 00000000 14000000 00100000 30000000 00000000 03000000 00 00 0000
         000308 010510f0 040410f0",
    );
}

#[test]
fn v1_amd64() {
    assert_encodes(
        Abi::Amd64,
        SframeVersion::V1,
        push_mov(),
        "e2de0101 0300f800 01000000 03000000 0b000000 00000000 11000000 00100000 30000000 00000000 03000000 00
         000308 010510f0 040410f0",
    );
}

#[test]
fn v3_amd64() {
    assert_encodes(
        Abi::Amd64,
        SframeVersion::V3,
        push_mov(),
        "e2de0305 0300f800 01000000 03000000 10000000 00000000 10000000 e40f000000000000 30000000 00000000
         0300 00 00 00 000308 010510f0 040410f0",
    );
}

/// sp+0; at 4 the return address is signed; at 8 sp+32, RA at CFA-24 signed, FP at CFA-32.
#[test]
fn v2_aarch64_b_key_signed() {
    let rows = vec![
        RowSpec::offsets(0, Base::Sp, &[0]),
        RowSpec { signed: true, ..RowSpec::offsets(4, Base::Sp, &[0]) },
        RowSpec { signed: true, ..RowSpec::offsets(8, Base::Sp, &[32, -24, -32]) },
    ];
    assert_encodes(
        Abi::Aarch64,
        SframeVersion::V2Errata1,
        FunctionSpec { key: PacKey::B, ..function(0x20, rows) },
        "e2de0205 02000000 01000000 03000000 0b000000 00000000 14000000 e40f0000 20000000 00000000 03000000 20 00 0000
         000300 048300 088720e8e0",
    );
}

/// sp+160; at 6 RA at CFA-48, FP at CFA-72; at 12 sp+320; at 18 RA in register 16, FP in register
/// 17. The CFA is stored as (offset - 160) / 8, a register as 2n + 1.
#[test]
fn v2_s390x() {
    let rows = vec![
        RowSpec::offsets(0, Base::Sp, &[0]),
        RowSpec::offsets(6, Base::Sp, &[0, -48, -72]),
        RowSpec::offsets(12, Base::Sp, &[20, -48, -72]),
        RowSpec::offsets(18, Base::Sp, &[0, 33, 35]),
    ];
    assert_encodes(
        Abi::S390x,
        SframeVersion::V2Errata1,
        function(0x40, rows),
        "dee20205 04000000 00000001 00000004 00000012 00000000 00000014 00000fe4 00000040 00000000 00000004 00 00 0000
         000300 060700d0b8 0c0714d0b8 1207002123",
    );
}

/// sp+160; at 4 RA in register 16, FP in register 17.
#[test]
fn v3_s390x_flexible() {
    let sp = control(Control::Register(Reg(15)));
    let (f0, f2) = (control(Control::Register(Reg(16))), control(Control::Register(Reg(17))));
    let none = Word::Offset(0);
    let rows = vec![RowSpec::flex(0, vec![sp, none]), RowSpec::flex(4, vec![sp, none, f0, none, f2, none])];
    assert_encodes(
        Abi::S390x,
        SframeVersion::V3,
        FunctionSpec { flex: true, ..function(0x10, rows) },
        "dee20305 04000000 00000001 00000002 00000011 00000000 00000010 0000000000000fe4 00000010 00000000
         0002 00 01 00 00047900 040c790081008900",
    );
}

/// Three stubs of 16 bytes; in each sp+8, from 11 on sp+16.
#[test]
fn v2_amd64_repeated_blocks() {
    let rows = vec![RowSpec::offsets(0, Base::Sp, &[8]), RowSpec::offsets(11, Base::Sp, &[16])];
    assert_encodes(
        Abi::Amd64,
        SframeVersion::V2Errata1,
        FunctionSpec { pc_type: PcType::Mask(16), ..function(0x30, rows) },
        "e2de0205 0300f800 01000000 02000000 06000000 00000000 14000000 e40f0000 30000000 00000000 02000000 10 10 0000
         000308 0b0310",
    );
}

/// Two-byte row starts, and a row of two-byte words: sp+8; at 0x10a sp+528, FP at CFA-16.
#[test]
fn v2_amd64_two_byte_fields() {
    let rows = vec![RowSpec::offsets(0, Base::Sp, &[8]), RowSpec::offsets(0x10a, Base::Sp, &[528, -16])];
    assert_encodes(
        Abi::Amd64,
        SframeVersion::V2Errata1,
        FunctionSpec { starts: Width::Two, ..function(0x200, rows) },
        "e2de0205 0300f800 01000000 02000000 0b000000 00000000 14000000 e40f0000 00020000 00000000 02000000 01 00 0000
         0000 03 08 0a01 25 1002 f0ff",
    );
}

/// A row without words: the return address is undefined.
#[test]
fn v2_outermost() {
    assert_encodes(
        Abi::Amd64,
        SframeVersion::V2Errata1,
        function(0x30, vec![RowSpec::outermost(0)]),
        "e2de0205 0300f800 01000000 01000000 02000000 00000000 14000000 e40f0000 30000000 00000000 01000000 00 00 0000
         0000",
    );
}

/// rsp+8; at 5 r10+0; at 17 CFA=[rbp-8], FP=[rbp+0], with a padding word for the return address.
#[test]
fn v3_amd64_realigned_stack() {
    let rows = vec![
        RowSpec::flex(0, vec![control(Control::Register(Reg(7))), Word::Offset(8)]),
        RowSpec::flex(5, vec![control(Control::Register(Reg(10))), Word::Offset(0)]),
        RowSpec::flex(
            17,
            vec![
                control(Control::Load(Reg(6))),
                Word::Offset(-8),
                Word::Control(0),
                control(Control::Load(Reg(6))),
                Word::Offset(0),
            ],
        ),
    ];
    assert_encodes(
        Abi::Amd64,
        SframeVersion::V3,
        FunctionSpec { flex: true, ..function(0x40, rows) },
        "e2de0305 0300f800 01000000 03000000 14000000 00000000 10000000 e40f000000000000 40000000 00000000
         0300 00 01 00 00043908 05045100 110a33f8003300",
    );
}

/// A signal frame without rows: attributes only.
#[test]
fn v3_signal_frame_without_rows() {
    assert_encodes(
        Abi::Amd64,
        SframeVersion::V3,
        FunctionSpec { signal: true, ..function(9, Vec::new()) },
        "e2de0305 0300f800 01000000 00000000 05000000 00000000 10000000 e40f000000000000 09000000 00000000
         0000 80 00 00",
    );
}

/// At 4 sp+16, RA at CFA-16, FP at CFA-8.
#[test]
fn v2_aarch64_big_endian() {
    let rows = vec![RowSpec::offsets(0, Base::Sp, &[0]), RowSpec::offsets(4, Base::Sp, &[16, -16, -8])];
    assert_encodes(
        Abi::Aarch64Be,
        SframeVersion::V2Errata1,
        function(0x10, rows),
        "dee20205 01000000 00000001 00000002 00000008 00000000 00000014 00000fe4 00000010 00000000 00000002 00 00 0000
         000300 040710f0f8",
    );
}
