//! Source lines of addresses, from the file's debug information (DWARF 5, 6.2). Addresses are those
//! of the image.

use addr2line::Context;
use gimli::{Dwarf, EndianSlice, RunTimeEndian};
use types::{ByteOrder, Image, ImageSection, Pc, SourceLine};

/// Line table of an image.
pub struct SourceLines<'a> {
    bias: u64,
    context: Context<EndianSlice<'a, RunTimeEndian>>,
}

impl<'a> SourceLines<'a> {
    /// Reads the debug information; `None` if the image has none or it cannot be read: a finding
    /// does not depend on it.
    pub fn new(image: &'a Image) -> Option<SourceLines<'a>> {
        plain(image, ".debug_line")?;
        Some(SourceLines { bias: image.bias, context: Context::from_dwarf(dwarf(image)?).ok()? })
    }

    /// Source line of the code at an address.
    pub fn at(&self, pc: Pc) -> Option<SourceLine> {
        let location = self.context.find_location(pc.0.wrapping_sub(self.bias)).ok()??;
        Some(SourceLine { file: location.file?.to_owned(), line: location.line.filter(|line| *line > 0)?.into() })
    }
}

/// Maximum number of units of which the producer is read.
const MOST_UNITS: usize = 10_000;

/// What made the units of an image, each once, in order: `DW_AT_producer`, which has the options
/// too if it is a recent gcc. A unit that cannot be read ends the list.
pub fn unit_producers(image: &Image) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let Some(dwarf) = dwarf(image) else { return all };
    let mut units = dwarf.units();
    let mut next = || -> Option<Option<String>> {
        let unit = dwarf.unit(units.next().ok()??).ok()?;
        let mut entries = unit.entries();
        let root = entries.next_dfs().ok()??;
        let text = || dwarf.attr_string(&unit, root.attr_value(gimli::DW_AT_producer)?).ok();
        Some(text().map(|text| text.to_string_lossy().into_owned()))
    };
    for _ in 0..MOST_UNITS {
        match next() {
            Some(Some(text)) if !all.contains(&text) => all.push(text),
            Some(_) => {}
            None => break,
        }
    }
    all
}

fn dwarf(image: &Image) -> Option<Dwarf<EndianSlice<'_, RunTimeEndian>>> {
    let order = match image.abi.facts().order {
        ByteOrder::Little => RunTimeEndian::Little,
        ByteOrder::Big => RunTimeEndian::Big,
    };
    let bytes = |id: gimli::SectionId| plain(image, id.name()).map_or(&[][..], |section| &section.bytes);
    Dwarf::load(|id| Ok::<_, gimli::Error>(EndianSlice::new(bytes(id), order))).ok()
}

/// A section that is not compressed.
fn plain<'a>(image: &'a Image, name: &str) -> Option<&'a ImageSection> {
    image.section(name).filter(|section| section.flags & types::elf::SHF_COMPRESSED == 0)
}
