//! Instructions as text, also of bytes that are not one.

use isa::Disassembler;
use types::{Abi, Image, ImageKind, ImageSection, Pc};

fn image(abi: Abi, bytes: &[u8]) -> Image {
    let alloc_and_execinstr = 6;
    Image {
        sections: vec![ImageSection::new(1, ".text", alloc_and_execinstr, 0x1000, bytes.to_vec())],
        ..Image::new("written", abi, ImageKind::Executable, Pc(0x1000))
    }
}

/// push %rbp followed by a zero byte of another instruction; and `br %r14` of s390x, which is
/// invalid on AMD64.
#[test]
fn what_is_remembered_of_one_length_and_target_says_nothing_of_another() {
    let (push, branch) = ([0x55, 0x00], [0x07, 0xfe]);
    let on = |abi, bytes: &[u8], length| Disassembler::new(&image(abi, bytes)).misread(0x1000, length);
    for _ in 0..2 {
        assert_eq!(on(Abi::Amd64, &push, 1), None);
        assert_eq!(on(Abi::Amd64, &push, 2).map(|read| read.length), Some(1));
        assert_eq!(on(Abi::S390x, &branch, 2), None);
        assert_eq!(on(Abi::Amd64, &branch, 2).map(|read| read.mnemonic), Some(None));
    }
}

/// `vst` with the alignment hint of z14, `sqxbr` of an invalid register pair, an unused opcode.
/// The byte `push %es` means nothing in 64-bit code.
#[test]
fn an_instruction_without_a_name_has_its_bytes() {
    let text = |abi, bytes: &[u8]| Disassembler::new(&image(abi, bytes)).at(0x1000).map(|one| (one.length, one.text));
    let is = |length, text: &str| Some((length, text.to_owned()));
    assert_eq!(text(Abi::S390x, &[0xe7, 0, 0x20, 0, 0x30, 0x0e, 7, 0xfe]), is(6, "vst"));
    assert_eq!(text(Abi::S390x, &[0xb3, 0x16, 0x10, 0, 7, 0xfe]), is(4, "(undecoded b3161000)"));
    assert_eq!(text(Abi::S390x, &[0xe7, 0, 0, 0, 0, 0x10, 7, 0xfe]), is(6, "(undecoded e70000000010)"));
    assert_eq!(text(Abi::Amd64, &[0x06, 0xc3]), is(1, "(undecoded 06)"));
}
