//! A program-header reader for tests. The project's own ELF reader is in another crate, which the
//! machine must not depend on.

use types::{Abi, Bytes, Image, ImageKind, Pc, Segment};

/// An executable of these segments that starts at `entry`.
pub(crate) fn image(abi: Abi, entry: u64, segments: Vec<Segment>) -> Image {
    Image { segments, ..Image::new("test", abi, ImageKind::Executable, Pc(entry)) }
}

/// The PT_LOAD segments of an ELF64 executable that needs no relocation (ELF gABI, "ELF Header",
/// "Program Header").
pub(crate) fn parse(file: &[u8]) -> Image {
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
