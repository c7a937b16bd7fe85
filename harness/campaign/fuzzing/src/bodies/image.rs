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
    let aligned = |section| ImageSection { align: 8, ..section };
    let code = |index, address| {
        aligned(ImageSection { size: CODE, ..ImageSection::new(index, ".text", 6, address, Bytes::new()) })
    };
    let table = aligned(ImageSection::new(2, name, 2, ADDRESS, bytes.to_vec()));
    let sections = vec![code(1, ADDRESS - CODE), table, code(3, ADDRESS + CODE)];
    Some(Image { sections, ..Image::new("fuzzed", abi, kind, Pc(ADDRESS - CODE)) })
}
