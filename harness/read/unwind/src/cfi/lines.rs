//! Source lines of addresses, from the file's debug information (DWARF 5, 6.2). Addresses are those
//! of the image.

use addr2line::Context;
use gimli::{Dwarf, EndianSlice, RunTimeEndian};
use types::{ByteOrder, Image, Pc, SourceLine};

/// Line table of an image.
pub struct SourceLines<'a> {
    bias: u64,
    context: Context<EndianSlice<'a, RunTimeEndian>>,
}

impl<'a> SourceLines<'a> {
    /// Reads the debug information; `None` if the image has none or it cannot be read: a finding
    /// does not depend on it.
    pub fn new(image: &'a Image) -> Option<SourceLines<'a>> {
        let order = match image.abi.facts().order {
            ByteOrder::Little => RunTimeEndian::Little,
            ByteOrder::Big => RunTimeEndian::Big,
        };
        // Compressed sections are not read.
        let plain = |name: &str| image.section(name).filter(|section| section.flags & types::elf::SHF_COMPRESSED == 0);
        plain(".debug_line")?;
        let bytes = |id: gimli::SectionId| plain(id.name()).map_or(&[][..], |section| &section.bytes);
        let dwarf = Dwarf::load(|id| Ok::<_, gimli::Error>(EndianSlice::new(bytes(id), order))).ok()?;
        Some(SourceLines { bias: image.bias, context: Context::from_dwarf(dwarf).ok()? })
    }

    /// Source line of the code at an address.
    pub fn at(&self, pc: Pc) -> Option<SourceLine> {
        let location = self.context.find_location(pc.0.wrapping_sub(self.bias)).ok()??;
        Some(SourceLine { file: location.file?.to_owned(), line: location.line.filter(|line| *line > 0)?.into() })
    }
}
