//! Byte sequences written by hand from LSB 5.0 core, 10.6 and DWARF 5, 7.24.

use types::{CfaRule, PacKey, Reg, ValueRule};

use super::*;

const AMD64_CIE: &[u8] = &[
    // Length, id, version 1, "zR", factors 1 and -8, column 16, 1 byte of data: pcrel sdata4.
    0x14, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 16, 1,
    0x1b, // def_cfa r7, 8; offset r16, 1 * -8; padding.
    0x0c, 7, 8, 0x90, 1, 0, 0,
];

/// The FDE of a function at 0x1000 in a section at 0x2000, after [`AMD64_CIE`], with these
/// instructions.
fn amd64(size: u8, program: &[u8]) -> Vec<u8> {
    let mut bytes = AMD64_CIE.to_vec();
    let length = u8::try_from(13 + program.len()).unwrap();
    // Length, distance to the CIE, 0x1000 - 0x2020, size, no augmentation data.
    bytes.extend([length, 0, 0, 0, 0x1c, 0, 0, 0, 0xe0, 0xef, 0xff, 0xff, size, 0, 0, 0, 0]);
    bytes.extend(program);
    bytes.extend([0; 4]);
    bytes
}

fn meaning(cfi: &Cfi, abi: Abi, pc: u64) -> Meaning {
    cfi.at(pc).and_then(|rules| rules.meaning(abi)).unwrap()
}

fn sum(reg: u16, offset: i64) -> CfaRule {
    CfaRule::Register { reg: Reg(reg), offset }
}

#[test]
fn a_frame_on_amd64() {
    // advance 1, def_cfa_offset 16, offset r6, 2 * -8; advance 3, def_cfa_register r6; advance 6,
    // def_cfa r7, 8, restore r6.
    let program = [0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x46, 0x0c, 7, 8, 0xc6];
    let cfi = read(Abi::Amd64, &amd64(11, &program), 0x2000);
    assert_eq!(cfi.flaws, []);
    let at = |pc| meaning(&cfi, Abi::Amd64, pc);
    assert_eq!((at(0x1000).cfa, at(0x1000).ra, at(0x1000).fp), (sum(7, 8), ValueRule::AtCfa(-8), ValueRule::SameValue));
    assert_eq!((at(0x1001).cfa, at(0x1001).fp), (sum(7, 16), ValueRule::AtCfa(-16)));
    assert_eq!((at(0x1004).cfa, at(0x1009).cfa), (sum(6, 16), sum(6, 16)));
    assert_eq!((at(0x100a).cfa, at(0x100a).fp), (sum(7, 8), ValueRule::SameValue));
    assert!(cfi.at(0xfff).is_none() && cfi.at(0x100b).is_none(), "the range is half open");
}

#[test]
fn remembered_states_are_a_stack() {
    // def_cfa_offset 16; remember; advance 1, def_cfa_offset 24; remember; advance 1, def_cfa r6,
    // 32; restore; advance 1; restore.
    let program = [0x0e, 16, 0x0a, 0x41, 0x0e, 24, 0x0a, 0x41, 0x0c, 6, 32, 0x41, 0x0b, 0x41, 0x0b];
    let cfi = read(Abi::Amd64, &amd64(8, &program), 0x2000);
    let cfas: Vec<CfaRule> = (0x1000..0x1005).map(|pc| meaning(&cfi, Abi::Amd64, pc).cfa).collect();
    assert_eq!(cfas, [sum(7, 16), sum(7, 24), sum(6, 32), sum(7, 24), sum(7, 16)]);
}

/// System V AMD64 psABI: the expression of GNU ld for a PLT: rsp + 8 + ((rip & 15) >= 11) * 8.
#[test]
fn the_expression_of_a_plt_depends_on_the_pc() {
    let program = [0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22];
    let cfi = read(Abi::Amd64, &amd64(32, &program), 0x2000);
    let at = |pc| meaning(&cfi, Abi::Amd64, pc).cfa;
    assert_eq!([at(0x100a), at(0x100b), at(0x1010), at(0x101b)], [sum(7, 8), sum(7, 16), sum(7, 8), sum(7, 16)]);
    assert!(cfi.boundaries().any(|pc| pc == 0x101b), "the change is a boundary");
}

#[test]
fn expressions_without_simple_form_are_equal_by_their_bytes() {
    // def_cfa_expression: breg7 8, deref, deref.
    let program = |offset| amd64(4, &[0x0f, 4, 0x77, offset, 0x06, 0x06]);
    let [one, same, other] = [8, 8, 16].map(|offset| read(Abi::Amd64, &program(offset), 0x2000));
    let [one, same, other] = [&one, &same, &other].map(|cfi| cfi.at(0x1000).unwrap());
    assert!(one.meaning(Abi::Amd64).is_none());
    assert!(one.same(&same) && !one.same(&other));
}

/// DWARF for the Arm 64-bit Architecture: augmentation `B`, and the operation that toggles the
/// state.
#[test]
fn signing_on_big_endian_aarch64() {
    let bytes = [
        &[0, 0, 0, 0x14, 0, 0, 0, 0, 1, b'z', b'R', b'B', 0, 4, 0x78, 30, 1, 0x1b, 0x0c, 31, 0, 0, 0, 0][..],
        // 0x1000 - 0x2020, 16 bytes; advance 1 * 4, negate_ra_state; advance 1 * 4,
        // negate_ra_state.
        &[0, 0, 0, 0x14, 0, 0, 0, 0x1c, 0xff, 0xff, 0xef, 0xe0, 0, 0, 0, 16, 0, 0x41, 0x2d, 0x41, 0x2d, 0, 0, 0],
        &[0, 0, 0, 0],
    ];
    let cfi = read(Abi::Aarch64Be, &bytes.concat(), 0x2000);
    assert_eq!(cfi.flaws, []);
    let signed = [0x1000, 0x1004, 0x1008].map(|pc| meaning(&cfi, Abi::Aarch64Be, pc).signed);
    assert_eq!(signed, [None, Some(PacKey::B), None]);
    assert_eq!(cfi.at(0x1000).unwrap().function.whole.key, PacKey::B);
}

#[test]
fn of_functions_that_overlap_the_last_start_answers() {
    let mut bytes = amd64(64, &[0, 0, 0]);
    bytes.truncate(bytes.len() - 4);
    let at = bytes.len();
    // A second function at 0x1008, 8 bytes: def_cfa_offset 16.
    let distance = u8::try_from(at + 4).unwrap();
    let start = 0x1008_i64 - (0x2000 + at as i64 + 8);
    bytes.extend([0x10, 0, 0, 0, distance, 0, 0, 0]);
    bytes.extend((start as i32).to_le_bytes());
    bytes.extend([8, 0, 0, 0, 0, 0x0e, 16, 0, 0, 0, 0, 0]);
    let cfi = read(Abi::Amd64, &bytes, 0x2000);
    assert_eq!(cfi.flaws, []);
    let at = |pc| meaning(&cfi, Abi::Amd64, pc).cfa;
    assert_eq!([at(0x1007), at(0x1008), at(0x1010)], [sum(7, 8), sum(7, 16), sum(7, 8)]);
}

#[test]
fn what_cannot_be_read_says_why() {
    let flaw = |program: &[u8]| read(Abi::Amd64, &amd64(8, program), 0x2000).flaws;
    assert_eq!(flaw(&[0x0b]), [(0x18, CfiFlaw::NothingRemembered)]);
    assert_eq!(flaw(&[0x3f]), [(0x18, CfiFlaw::Operation)]);
    assert_eq!(flaw(&[0x2d]), [(0x18, CfiFlaw::Operation)], "only AArch64 has that operation");
    assert_eq!(flaw(&[0x0e]), [(0x18, CfiFlaw::Truncated)]);
    assert_eq!(flaw(&[0x0f, 1, 0x96, 0x0e, 8]), [(0x18, CfiFlaw::NoCfaRegister)]);
    let with = |at: usize, byte: u8| {
        let mut bytes = amd64(8, &[0, 0, 0]);
        bytes[at] = byte;
        read(Abi::Amd64, &bytes, 0x2000).flaws
    };
    assert_eq!(with(0x1c, 0x1d), [(0x18, CfiFlaw::CiePointer)]);
    assert_eq!(with(8, 2), [(0, CfiFlaw::Version), (0x18, CfiFlaw::Version)]);
    assert_eq!(with(10, b'Q'), [(0, CfiFlaw::Augmentation), (0x18, CfiFlaw::Augmentation)]);
    assert_eq!(with(0x18, 0xff), [(0x18, CfiFlaw::Truncated)]);
}
