//! A program-header reader for tests, and images made of a few bytes. The project's own ELF reader
//! is in another crate, which the machine must not depend on.

pub(crate) mod samples;
pub(crate) mod trace;

use types::{Abi, Bytes, Image, ImageKind, Pc, Segment};

/// Executable and readable; writable and readable (`PF_X`, `PF_W`, `PF_R`).
pub(crate) const RX: u32 = 5;
pub(crate) const RW: u32 = 6;

pub(crate) fn load(address: u64, flags: u32, bytes: &[u8], memory_size: u64) -> Segment {
    let file_size = bytes.len() as u64;
    Segment { kind: 1, flags, address, memory_size, file_offset: 0, file_size, bytes: Bytes::copy_from_slice(bytes) }
}

/// An executable of these segments that starts at `entry`.
pub(crate) fn image(abi: Abi, entry: u64, segments: Vec<Segment>) -> Image {
    Image {
        name: "test".to_owned(),
        abi,
        kind: ImageKind::Executable,
        entry: Pc(entry),
        sections: Vec::new(),
        segments,
        symbols: Vec::new(),
        sframe_relocations: Vec::new(),
        unresolved: Vec::new(),
        source_files: 0,
        bias: 0,
    }
}

/// Addresses of the code and the data page of [`program`].
pub(crate) const CODE: u64 = 0x40_0000;
pub(crate) const DATA: u64 = 0x60_0000;

/// An executable with only code and a zeroed data page.
pub(crate) fn program(abi: Abi, code: &[u8]) -> Image {
    image(abi, CODE, vec![load(CODE, RX, code, code.len() as u64), load(DATA, RW, &[], 0x1000)])
}

/// Bytes from hex digits; `;` begins a comment that ends with the line.
pub(crate) fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text
        .lines()
        .flat_map(|line| line.split(';').next().unwrap_or("").bytes())
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let nibble = |digit: u8| (digit as char).to_digit(16).expect("a hex digit") as u8;
    assert!(digits.len().is_multiple_of(2), "whole bytes");
    digits.chunks(2).map(|pair| nibble(pair[0]) << 4 | nibble(pair[1])).collect()
}

/// The PT_LOAD segments of an ELF64 executable that needs no relocation (ELF gABI, "ELF Header",
/// "Program Header").
pub(crate) fn read_elf(path: &std::path::Path) -> Image {
    let file = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(&file[..5], b"\x7fELF\x02", "ELF64");
    let little = file[5] == 1;
    let word = |at: usize, len: usize| -> u64 {
        let bytes = file[at..at + len].iter();
        let fold = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        if little { bytes.rev().fold(0, fold) } else { bytes.fold(0, fold) }
    };
    let abi = match (word(18, 2), little) {
        (62, true) => Abi::Amd64,
        (183, true) => Abi::Aarch64,
        (183, false) => Abi::Aarch64Be,
        (22, false) => Abi::S390x,
        other => panic!("machine {other:?}"),
    };
    let (entry, offset, size, count) = (word(24, 8), word(32, 8) as usize, word(54, 2) as usize, word(56, 2) as usize);
    let segments = (0..count).map(|index| {
        let at = offset + index * size;
        let (kind, file_offset, file_size) = (word(at, 4) as u32, word(at + 8, 8), word(at + 32, 8));
        let bytes = if kind == 1 { &file[file_offset as usize..][..file_size as usize] } else { &[] };
        Segment {
            kind,
            flags: word(at + 4, 4) as u32,
            address: word(at + 16, 8),
            memory_size: word(at + 40, 8),
            file_offset,
            file_size,
            bytes: Bytes::copy_from_slice(bytes),
        }
    });
    image(abi, entry, segments.collect())
}
