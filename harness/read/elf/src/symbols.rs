//! Symbols of code, from the symbol table, or else the dynamic symbol table.

use std::collections::BTreeSet;
use std::sync::Arc;

use object::read::elf::Sym as _;
use object::{Endianness, SectionIndex, elf};
use types::{Bytes, Image, ImageKind, ImageSection, Name, Symbol};

use super::Table;
use super::error::{Budget, LoadError, malformed};

/// Reads symbols, sorted by address, and global before local ones.
pub(crate) fn read(
    image: &Image,
    file: &Bytes,
    sections: &Table<'_>,
    endian: Endianness,
) -> Result<Vec<Symbol>, LoadError> {
    let (mut symbols, data, shared) = (Vec::new(), file.as_ref(), Arc::new(file.clone()));
    let mut names = Budget::new("names of symbols", data);
    for kind in [elf::SHT_SYMTAB, elf::SHT_DYNSYM] {
        let table = sections.symbols(endian, data, kind).map_err(malformed(0))?;
        for (index, symbol) in table.enumerate() {
            let wanted = matches!(symbol.st_type(), elf::STT_FUNC | elf::STT_GNU_IFUNC | elf::STT_NOTYPE);
            let home = table.symbol_section(endian, symbol, index).ok().flatten();
            let Some(SectionIndex(home)) = home.filter(|_| wanted) else { continue };
            let name = table.symbol_name(endian, symbol).unwrap_or_default();
            names.take(name.len() as u64, u64::from(symbol.st_name(endian)))?;
            let name = name_in(&shared, name);
            // AArch64 ELF 5.5.4: `$x` and `$d` are mapping symbols for code and data, not names.
            if name.is_empty() || name.starts_with('$') || name.starts_with(".L") {
                continue;
            }
            symbols.push(Symbol {
                name,
                address: symbol_address(image, home, symbol.st_value(endian)),
                size: symbol.st_size(endian),
                function: symbol.st_type() != elf::STT_NOTYPE,
                local: symbol.st_bind() == elf::STB_LOCAL,
                section: u32::try_from(home).ok(),
            });
        }
        if !symbols.is_empty() {
            break;
        }
    }
    symbols.sort_by(|a, b| (a.address, a.local).cmp(&(b.address, b.local)).then_with(|| a.name.cmp(&b.name)));
    Ok(symbols)
}

/// A name that shares the file's bytes.
pub(crate) fn name_in(file: &Arc<Bytes>, name: &[u8]) -> Name {
    let start = name.as_ptr().addr().wrapping_sub(file.as_ptr().addr());
    Name::in_file(file, start..start.saturating_add(name.len()))
}

/// Number of different source files in the symbol table (gABI, "Symbol Table": STT_FILE).
pub(crate) fn source_files(data: &[u8], sections: &Table<'_>, endian: Endianness) -> Result<usize, LoadError> {
    let table = sections.symbols(endian, data, elf::SHT_SYMTAB).map_err(malformed(0))?;
    let files = table.iter().filter(|symbol| symbol.st_type() == elf::STT_FILE);
    let names: BTreeSet<&[u8]> = files.filter_map(|symbol| table.symbol_name(endian, symbol).ok()).collect();
    Ok(names.iter().filter(|name| !name.is_empty()).count())
}

/// The section with this header index: all sections except the null one are present, in order.
pub(crate) fn section_of(image: &Image, index: usize) -> Option<&ImageSection> {
    image.sections.get(index.checked_sub(1)?).filter(|section| section.index == index)
}

/// Symbol values are section-relative in ET_REL, addresses elsewhere (gABI, "Symbol Values").
pub(crate) fn symbol_address(image: &Image, section: usize, value: u64) -> u64 {
    let base = match image.kind {
        ImageKind::Relocatable => section_of(image, section).map_or(0, |s| s.address),
        _ => 0,
    };
    base.wrapping_add(value)
}
