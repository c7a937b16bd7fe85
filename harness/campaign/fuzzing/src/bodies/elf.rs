//! Fuzzes ELF files: loads them, and makes a copy with half of each table.

use elf::SmallerSection;
use types::{Bytes, Pc};

pub(crate) fn run(input: &[u8]) -> bool {
    let Ok(image) = elf::load("fuzzed", &Bytes::copy_from_slice(input)) else { return false };
    for symbol in image.symbols.iter().take(8) {
        let _ = (image.place(symbol.address), image.function_at(Pc(symbol.address.wrapping_add(symbol.size))));
    }
    for section in image.sections.iter().take(8) {
        let end = section.address.wrapping_add(section.size);
        let _ = (image.span(section.address, end), image.bytes_at(end.wrapping_sub(1)));
    }
    let half = |section: &types::ImageSection| {
        let keep = section.bytes.len() / 2;
        let bytes = section.bytes.get(..keep).unwrap_or_default().to_vec();
        let rest = keep as u64..section.bytes.len() as u64;
        SmallerSection { section: section.index, bytes, gone: vec![rest] }
    };
    let smaller: Vec<SmallerSection> = image.sframe_sections().take(4).map(half).collect();
    let _ = elf::shrink(input, &smaller);
    true
}
