//! ELF files read back by hand-counted offsets of the gABI ("ELF Header", "Sections", "Program
//! Header"), and the numbers of s390x's scaled CFA.

use generators::code::{FrameState, Function, default_row};
use generators::elf::FileKind;
use generators::sample::Sample;
use generators::sframe::{Width, Word};
use types::{Abi, ByteOrder, CfaRule, Reg, SframeVersion};

struct File {
    order: ByteOrder,
    bytes: Vec<u8>,
}

impl File {
    fn number(&self, offset: usize, size: usize) -> u64 {
        let field = &self.bytes[offset..offset + size];
        let fold = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        match self.order {
            ByteOrder::Big => field.iter().fold(0, fold),
            ByteOrder::Little => field.iter().rev().fold(0, fold),
        }
    }

    /// The offset of the section header with this `sh_type`, found by a scan from `e_shoff`.
    fn section(&self, kind: u64) -> usize {
        let (first, count) = (self.number(0x28, 8) as usize, self.number(0x3c, 2) as usize);
        (0..count).map(|index| first + 64 * index).find(|header| self.number(header + 4, 4) == kind).expect("a section")
    }

    fn segment(&self, kind: u64) -> usize {
        let (first, count) = (self.number(0x20, 8) as usize, self.number(0x38, 2) as usize);
        (0..count).map(|index| first + 56 * index).find(|header| self.number(*header, 4) == kind).expect("a segment")
    }
}

fn file(abi: Abi, kind: FileKind) -> File {
    let functions = vec![
        Function::framed(abi, "framed", "leaf"),
        Function::leaf(abi, "leaf"),
        Function::start(abi, "_start", "framed"),
    ];
    let sample = Sample::new(abi, SframeVersion::V3, kind, functions).unwrap();
    assert_eq!(sample.left_out, []);
    File { order: abi.facts().order, bytes: sample.bytes().unwrap() }
}

#[test]
fn executables() {
    // Functions start at multiples of 16 bytes: `_start` follows `framed` (11, 20, 28 bytes) and
    // `leaf`.
    for (abi, data, machine, start) in [
        (Abi::Amd64, 1, 62, 0x401020),
        (Abi::Aarch64, 1, 183, 0x401030),
        (Abi::Aarch64Be, 2, 183, 0x401030),
        (Abi::S390x, 2, 22, 0x401030),
    ] {
        let file = file(abi, FileKind::Executable);
        assert_eq!(file.bytes[..7], [0x7f, b'E', b'L', b'F', 2, data, 1]);
        assert_eq!((file.number(0x10, 2), file.number(0x12, 2)), (2, machine));
        assert_eq!(file.number(0x18, 8), start);
        let (sframe, segment) = (file.section(0x6fff_fff4), file.segment(0x6474_e554));
        // sh_flags ALLOC, sh_addralign 8; p_offset, p_vaddr, p_filesz, p_memsz as the section's.
        assert_eq!((file.number(sframe + 8, 8), file.number(sframe + 48, 8)), (2, 8));
        let (address, offset, size) =
            (file.number(sframe + 16, 8), file.number(sframe + 24, 8), file.number(sframe + 32, 8));
        assert_eq!((file.number(segment + 8, 8), file.number(segment + 16, 8)), (offset, address));
        assert_eq!((file.number(segment + 32, 8), file.number(segment + 40, 8)), (size, size));
        assert_eq!(file.number(offset as usize, 2), 0xdee2);
        // The first FDE's start, relative to itself, is the first byte of code.
        assert_eq!(file.number(offset as usize + 28, 8).wrapping_add(address + 28), 0x401000);
    }
}

#[test]
fn objects_carry_one_relocation_per_function() {
    for abi in Abi::ALL {
        let kind = match abi {
            Abi::Amd64 => 24,
            Abi::Aarch64 | Abi::Aarch64Be => 260,
            Abi::S390x => 23,
        };
        let file = file(abi, FileKind::Relocatable);
        assert_eq!(file.number(0x10, 2), 1);
        // SHT_RELA; .rela.sframe comes first.
        let rela = file.section(4);
        let (offset, size) = (file.number(rela + 24, 8) as usize, file.number(rela + 32, 8));
        assert_eq!(size, 3 * 24);
        for function in 0..3 {
            let entry = offset + 24 * function;
            assert_eq!(file.number(entry, 8), 28 + 16 * function as u64);
            // r_info: symbol 1 (the section symbol of .text) and the type.
            assert_eq!(file.number(entry + 8, 8), 1 << 32 | kind);
        }
    }
}

#[test]
fn calls_reach_their_callees() {
    let functions = vec![Function::leaf(Abi::Amd64, "leaf"), Function::framed(Abi::Amd64, "framed", "leaf")];
    let sample = Sample::new(Abi::Amd64, SframeVersion::V3, FileKind::Executable, functions).unwrap();
    // framed is at 0x10, its call at 0x14, the next instruction at 0x19.
    assert_eq!(sample.text[0x14..0x19], [0xe8, 0xe7, 0xff, 0xff, 0xff]);
}

/// CFA offset, stored form and its width.
#[test]
fn s390x_cfa_numbers() {
    for (offset, word, width) in [
        (160, 0, Width::One),
        (168, 1, Width::One),
        (320, 0x14, Width::One),
        (1176, 0x7f, Width::One),
        (1184, 0x80, Width::Two),
        (262_296, 0x7fff, Width::Two),
        (262_304, 0x8000, Width::Four),
        (-864, -128, Width::One),
    ] {
        let frame = FrameState { cfa: CfaRule::Register { reg: Reg(15), offset }, ..FrameState::at_entry(Abi::S390x) };
        let row = default_row(Abi::S390x, SframeVersion::V3, 0, &frame).unwrap();
        assert_eq!((row.words, row.width), (vec![Word::Offset(word)], width));
    }
    let frame = FrameState { cfa: CfaRule::Register { reg: Reg(15), offset: 164 }, ..FrameState::at_entry(Abi::S390x) };
    assert_eq!(default_row(Abi::S390x, SframeVersion::V3, 0, &frame), None, "164 would lose 4");
}
