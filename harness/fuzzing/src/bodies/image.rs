//! An image around the bytes of one section.

use types::{Abi, Bytes, Image, ImageKind, ImageSection, Pc};

/// The address of the section. Code lies before and after it, so that any value of a start field
/// often is code.
pub(crate) const ADDRESS: u64 = 0x100_0000;

const CODE: u64 = 0x10_0000;

/// The first byte of an input is the kind of file, the rest is the section.
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
        source_files: 0,
        bias: 0,
    })
}
