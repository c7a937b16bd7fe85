//! Relocations: applied to the contents of an ET_REL file's sections, and, in linked files, the dynamic ones to the segments
//! that will run. What cannot be resolved is left as it is; only tables and data need to be right to be judged.
//! Relocation numbers stand in the file of each architecture.

use std::collections::BTreeMap;

use model::elf::{PF_R, PF_X, PT_LOAD};
use model::{ByteOrder, Image, ImageKind, ImageSection, Relocation, Segment};
use object::read::elf::{Rela as _, SectionHeader as _, Sym as _};
use object::{Endianness, SectionIndex, SymbolIndex, elf};

use super::Table;
use super::arch::{Form, arch};
use super::error::{Budget, LoadError, malformed};
use super::symbols::symbol_address;

/// Applies every relocation section and keeps the entries that are about `.sframe`.
pub(super) fn apply(image: &mut Image, data: &[u8], table: &Table<'_>, endian: Endianness) -> Result<(), LoadError> {
    let mut resolver = None;
    let (mut contents, mut names) = (Budget::new("relocation sections", data), Budget::new("names of symbols", data));
    let sframe: BTreeMap<usize, u64> =
        image.sframe_sections().map(|section| (section.index, section.address)).collect();
    for header in table.iter() {
        let offset = header.sh_offset(endian);
        let Some((entries, symbols_at)) = header.rela(endian, data).map_err(malformed(offset))? else {
            continue;
        };
        contents.take(header.sh_size(endian), offset)?;
        let symbols = match symbols_at {
            SectionIndex(0) => None,
            index => Some(table.symbol_table_by_index(endian, data, index).map_err(malformed(offset))?),
        };
        let target = header.info_link(endian).0;
        for entry in entries {
            let index = SymbolIndex(entry.r_sym(endian, false) as usize);
            let symbol = symbols.as_ref().filter(|_| index.0 != 0).and_then(|symbols| {
                let symbol = symbols.symbol(index).ok()?;
                let home = symbols.symbol_section(endian, symbol, index).ok().flatten();
                let name = symbols.symbol_name(endian, symbol).unwrap_or_default();
                Some((symbol, home, name))
            });
            let home = symbol.and_then(|(_, home, _)| home.map(|index| index.0));
            let mut relocation = Relocation {
                section: target,
                offset: entry.r_offset(endian),
                kind: entry.r_type(endian, false).0,
                addend: entry.r_addend(endian),
                symbol_address: symbol
                    .zip(home)
                    .map(|((symbol, _, _), home)| symbol_address(image, home, symbol.st_value(endian))),
                symbol_section: home,
                symbol_local: symbol.is_some_and(|(symbol, _, _)| symbol.st_bind() == elf::STB_LOCAL),
                symbol: String::new(),
            };
            if image.kind == ImageKind::Relocatable {
                apply_to_section(image, &relocation);
            } else if header.sh_flags(endian).contains(elf::SHF_ALLOC) {
                apply_to_segments(image, &relocation, &mut resolver);
            }
            let Some(base) = sframe.get(&target) else { continue };
            if image.kind != ImageKind::Relocatable {
                relocation.offset = relocation.offset.wrapping_sub(*base);
            }
            if let Some((_, _, name)) = symbol {
                names.take(name.len() as u64, offset)?;
                relocation.symbol = String::from_utf8_lossy(name).into_owned();
            }
            image.sframe_relocations.push(relocation);
        }
    }
    if let Some(stub) = resolver {
        image.segments.push(stub);
    }
    Ok(())
}

fn apply_to_section(image: &mut Image, relocation: &Relocation) {
    let order = image.abi.facts().order;
    let Some(form) = (arch(image.abi).form)(elf::RelocationType(relocation.kind)) else { return };
    let Some(symbol) = relocation.symbol_address else { return };
    let of_header = |section: &&mut ImageSection| section.index == relocation.section;
    let position = relocation.section.checked_sub(1);
    let Some(section) = position.and_then(|at| image.sections.get_mut(at)).filter(of_header) else { return };
    let target = symbol.wrapping_add_signed(relocation.addend);
    let place = section.address.wrapping_add(relocation.offset);
    let (value, size) = match form {
        Form::Absolute(size) => (target, size),
        Form::Relative(size) => (target.wrapping_sub(place), size),
        Form::RelativeHalved => ((target.wrapping_sub(place) as i64 >> 1) as u64, 4),
        Form::Base | Form::Slot | Form::Resolver => return,
    };
    if section.original.is_none() {
        section.original = Some(section.bytes.clone());
    }
    if let Ok(offset) = usize::try_from(relocation.offset) {
        store(&mut section.bytes, offset, value, size, order);
    }
}

fn apply_to_segments(image: &mut Image, relocation: &Relocation, resolver: &mut Option<Segment>) {
    let order = image.abi.facts().order;
    let Some(form) = (arch(image.abi).form)(elf::RelocationType(relocation.kind)) else { return };
    let plus_addend = |base: u64| base.wrapping_add_signed(relocation.addend);
    let value = match form {
        Form::Base => plus_addend(0),
        Form::Absolute(8) => match relocation.symbol_address {
            Some(symbol) => plus_addend(symbol),
            None => return,
        },
        Form::Slot => match relocation.symbol_address {
            Some(symbol) => symbol,
            None => resolver.get_or_insert_with(|| fake_resolver(image)).address,
        },
        // A static program runs its own resolvers at start-up and finds them through the addend left in the slot.
        Form::Resolver if image.kind == ImageKind::Executable => return,
        Form::Resolver => resolver.get_or_insert_with(|| fake_resolver(image)).address,
        Form::Absolute(_) | Form::Relative(_) | Form::RelativeHalved => return,
    };
    for segment in image.segments.iter_mut().filter(|segment| segment.kind == PT_LOAD) {
        let offset = relocation.offset.checked_sub(segment.address).and_then(|offset| usize::try_from(offset).ok());
        if let Some(offset) = offset {
            store(&mut segment.bytes, offset, value, 8, order);
        }
    }
}

/// One page of code that returns at once: what a slot of a function from another library points at.
fn fake_resolver(image: &Image) -> Segment {
    const PAGE: u64 = 0x1000;
    let end =
        image.segments.iter().map(|segment| segment.address.saturating_add(segment.memory_size)).max().unwrap_or(0);
    Segment {
        kind: PT_LOAD,
        flags: PF_R | PF_X,
        address: (end.saturating_add(16 * PAGE)) & !(PAGE - 1),
        memory_size: PAGE,
        file_offset: 0,
        file_size: 0,
        bytes: arch(image.abi).return_instruction.to_vec(),
    }
}

fn store(bytes: &mut [u8], offset: usize, value: u64, size: usize, order: ByteOrder) {
    let Some(place) = offset.checked_add(size).and_then(|end| bytes.get_mut(offset..end)) else { return };
    match order {
        ByteOrder::Little => place.copy_from_slice(&value.to_le_bytes()[..size]),
        ByteOrder::Big => place.copy_from_slice(&value.to_be_bytes()[8 - size..]),
    }
}
