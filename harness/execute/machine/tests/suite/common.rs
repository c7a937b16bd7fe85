//! Images made of a few bytes.

pub(crate) mod samples;
pub(crate) mod trace;

use testing::binutils::Target;
use types::{Abi, Image, ImageKind, Pc, Segment};

/// Executable and readable; writable and readable (`PF_X`, `PF_W`, `PF_R`).
pub(crate) const RX: u32 = 5;
pub(crate) const RW: u32 = 6;

pub(crate) fn load(address: u64, flags: u32, bytes: &[u8], memory_size: u64) -> Segment {
    Segment { memory_size, ..Segment::new(1, flags, address, bytes.to_vec()) }
}

/// An executable of these segments that starts at `entry`.
pub(crate) fn image(abi: Abi, entry: u64, segments: Vec<Segment>) -> Image {
    Image { segments, ..Image::new("test", abi, ImageKind::Executable, Pc(entry)) }
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

/// The image of an executable file.
pub(crate) fn read_elf(path: &std::path::Path) -> Image {
    parse(std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// The image of an executable, without symbols.
fn parse(file: Vec<u8>) -> Image {
    Image { symbols: Vec::new(), ..elf::load("test", &file.into()).expect("an executable") }
}

/// The program of a source, with its code at [`CODE`].
pub(crate) fn assembled(target: Target, source: &str) -> Image {
    parse(target.build(source, &[], Some(&["-Ttext=0x400000"])).expect("a program"))
}
