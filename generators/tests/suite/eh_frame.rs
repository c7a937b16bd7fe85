//! `.eh_frame` bytes worked out by hand from LSB 5.0 ("Exception Frames") and DWARF 5, 7.24.

use generators::eh_frame::{Cfi, Cie, EhFrameSpec, Fde, StartRelocation, encode};
use generators::sframe::SectionAddress;
use types::{Abi, PacKey, Reg};

fn one_function(abi: Abi, cie: Cie, start: u64, size: u32, program: Vec<(u64, Cfi)>) -> EhFrameSpec {
    let cie = Cie { fdes: vec![Fde { start, target: 0, size, program }], ..cie };
    EhFrameSpec { abi, cies: vec![cie], trailing: Vec::new(), terminated: true }
}

/// The common CIE of GCC for AMD64, and a push/mov/pop function.
#[test]
fn amd64_frame() {
    let program = vec![
        (1, Cfi::DefCfaOffset(16)),
        (1, Cfi::Offset(Reg(6), -16)),
        (4, Cfi::DefCfaRegister(Reg(6))),
        (10, Cfi::DefCfa(Reg(7), 8)),
        (10, Cfi::Restore(Reg(6))),
    ];
    let spec = one_function(Abi::Amd64, Cie::plain(Abi::Amd64), 0x1000, 11, program);
    let encoded = encode(&spec, SectionAddress::Linked { section: 0x2000 }).unwrap();
    let want = [
        // Length, CIE id, version 1, "zR", factors 1 and -8, column 16, 1 byte of data: pcrel
        // sdata4.
        &[0x14, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 16, 1, 0x1b][..],
        // def_cfa r7, 8; offset r16, 1 * -8; padding.
        &[0x0c, 7, 8, 0x90, 1, 0, 0],
        // Length, distance to the CIE, 0x1000 - 0x2020, size, no augmentation data.
        &[0x1c, 0, 0, 0, 0x1c, 0, 0, 0, 0xe0, 0xef, 0xff, 0xff, 11, 0, 0, 0, 0],
        // advance 1, def_cfa_offset 16, offset r6, 2 * -8; advance 3, def_cfa_register r6; advance
        // 6, def_cfa r7, 8, restore r6.
        &[0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x46, 0x0c, 7, 8, 0xc6, 0, 0],
        &[0, 0, 0, 0],
    ];
    assert_eq!(encoded.bytes, want.concat());
    assert_eq!(encoded.relocations, []);
}

/// B-key signing on big-endian AArch64, in an object: the start has a relocation, and the code
/// alignment factor is 4.
#[test]
fn aarch64_be_b_key_object() {
    let cie = Cie { key: PacKey::B, ..Cie::plain(Abi::Aarch64Be) };
    let spec = one_function(Abi::Aarch64Be, cie, 0x40, 16, vec![(4, Cfi::NegateRaState)]);
    let encoded = encode(&spec, SectionAddress::Relocatable).unwrap();
    let want = [
        &[0, 0, 0, 0x14, 0, 0, 0, 0, 1, b'z', b'R', b'B', 0, 4, 0x78, 30, 1, 0x1b, 0x0c, 31, 0, 0, 0, 0][..],
        &[0, 0, 0, 0x14, 0, 0, 0, 0x1c, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0x41, 0x2d, 0, 0, 0, 0, 0],
        &[0, 0, 0, 0],
    ];
    assert_eq!(encoded.bytes, want.concat());
    assert_eq!(encoded.relocations, [StartRelocation { offset: 0x20, target: 0, addend: 0x40 }]);
}

/// Operands that need more than one LEB128 byte, registers beyond 63, expressions, and wide
/// advances.
#[test]
fn wide_operands() {
    let program = vec![
        (0x3f, Cfi::DefCfaOffset(-8)),
        (0x7f, Cfi::Offset(Reg(64), -16)),
        (0x17f, Cfi::ValOffset(Reg(7), 0x410)),
        (0x1_017f, Cfi::DefCfaExpression(vec![0x76, 0x78, 0x06])),
    ];
    let cie = Cie { initial: vec![], ..Cie::plain(Abi::Amd64) };
    let spec = one_function(Abi::Amd64, cie, 0, 0x2_0000, program);
    let bytes = encode(&spec, SectionAddress::Relocatable).unwrap().bytes;
    // The CIE takes 24 bytes, the FDE's fixed part 17.
    let want = [
        // advance 0x3f; def_cfa_offset_sf -8 / -8.
        &[0x7f, 0x13, 1][..],
        // advance_loc1 0x40; offset_extended r64, 2.
        &[0x02, 0x40, 0x05, 64, 2],
        // advance_loc2 0x100; val_offset_sf r7, 0x410 / -8 = -130 (two bytes).
        &[0x03, 0x00, 0x01, 0x15, 7, 0xfe, 0x7e],
        // advance_loc4 0x10000; def_cfa_expression of 3 bytes.
        &[0x04, 0x00, 0x00, 0x01, 0x00, 0x0f, 3, 0x76, 0x78, 0x06],
    ]
    .concat();
    assert_eq!(bytes[24 + 17..24 + 17 + want.len()], want);
}

#[test]
fn offsets_must_be_multiples() {
    let spec = one_function(Abi::Amd64, Cie::plain(Abi::Amd64), 0, 4, vec![(0, Cfi::Offset(Reg(6), -12))]);
    assert!(encode(&spec, SectionAddress::Relocatable).is_err());
    let spec = one_function(Abi::Aarch64, Cie::plain(Abi::Aarch64), 0, 8, vec![(2, Cfi::NegateRaState)]);
    assert!(encode(&spec, SectionAddress::Relocatable).is_err());
}
