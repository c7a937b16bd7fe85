//! An image that contains the bytes of one section.

use types::{Abi, Bytes, Image, ImageKind, ImageSection, Pc};

/// Address of the section. Code precedes and follows it, so that most values of a start field refer
/// to code.
pub(crate) const ADDRESS: u64 = 0x100_0000;

const CODE: u64 = 0x10_0000;

/// Makes an image from an input, whose first byte selects the kind of file; the rest is the
/// section.
pub(crate) fn from_input(input: &[u8], name: &str) -> Option<Image> {
    let (how, bytes) = input.split_first()?;
    let abi = Abi::ALL.into_iter().nth(usize::from(how & 3))?;
    let kind = if how & 4 == 0 { ImageKind::Executable } else { ImageKind::Relocatable };
    let section = |index, name: &str, flags, address, bytes: Bytes| ImageSection {
        index,
        name: name.to_owned(),
        kind: types::elf::SHT_PROGBITS,
        flags,
        address,
        file_offset: 0,
        align: 8,
        size: bytes.len() as u64,
        bytes,
        original: None,
        comdat: false,
    };
    let code = |index, address| ImageSection { size: CODE, ..section(index, ".text", 6, address, Bytes::new()) };
    let sections = vec![
        code(1, ADDRESS - CODE),
        section(2, name, 2, ADDRESS, Bytes::copy_from_slice(bytes)),
        code(3, ADDRESS + CODE),
    ];
    Some(Image {
        name: "fuzzed".to_owned(),
        abi,
        kind,
        entry: Pc(ADDRESS - CODE),
        sections,
        segments: Vec::new(),
        symbols: Vec::new(),
        sframe_relocations: Vec::new(),
        unresolved: Vec::new(),
        source_files: 0,
        bias: 0,
    })
}
