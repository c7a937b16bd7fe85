//! Relocations: applied to the sections of an ET_REL file; in linked files, dynamic relocations are
//! applied to the loaded segments. Relocations that cannot be resolved are skipped; only tables and
//! data have to be right for judging. Relocation types are in the file of each architecture.

use std::collections::BTreeMap;
use std::sync::Arc;

use object::read::elf::{Crel, SectionHeader as _, Sym as _};
use object::{Endianness, SectionIndex, SymbolIndex, elf};
use types::elf::{PF_R, PF_X, PT_LOAD};
use types::{ByteOrder, Bytes, Image, ImageKind, ImageSection, Import, Name, Relocation, Segment};

use super::Table;
use super::arch::{Field, FieldValue, Form, arch};
use super::error::{Budget, LoadError, malformed};
use super::symbols::{name_in, symbol_address};

/// Contents of sections (in ET_REL) or segments that relocations change, by their index in the
/// image.
type Changed = BTreeMap<usize, Vec<u8>>;

/// Applies all relocation sections, and keeps the entries for `.sframe`.
pub(super) fn apply(image: &mut Image, file: &Bytes, table: &Table<'_>, endian: Endianness) -> Result<(), LoadError> {
    let (mut changed, data, shared) = (Changed::new(), file.as_ref(), Arc::new(file.clone()));
    let nameless = Name::in_file(&shared, 0..0);
    let (mut resolver, mut unresolved, mut referenced) = (None, Vec::new(), Vec::new());
    let (mut contents, mut names) = (Budget::new("relocation sections", data), Budget::new("names of symbols", data));
    let sframe: BTreeMap<usize, u64> =
        image.sframe_sections().map(|section| (section.index, section.address)).collect();
    let (mut imports, mut imported) = (Vec::new(), BTreeMap::<usize, Name>::new());
    let mut parsed: Option<(SectionIndex, Option<_>)> = None;
    for header in table.iter() {
        let offset = header.sh_offset(endian);
        let Some(entries) = entries(header, data, endian).map_err(malformed(offset))? else { continue };
        let symbols_at = header.link(endian);
        contents.take(header.sh_size(endian), offset)?;
        // Parsing a symbol table goes through all sections: once for all sections that use it.
        if parsed.as_ref().is_none_or(|(at, _)| *at != symbols_at) {
            let symbols = match symbols_at {
                SectionIndex(0) => None,
                index => Some(table.symbol_table_by_index(endian, data, index).map_err(malformed(offset))?),
            };
            parsed = Some((symbols_at, symbols));
            imported.clear();
        }
        let symbols = parsed.as_ref().and_then(|(_, symbols)| symbols.as_ref());
        let target = header.info_link(endian).0;
        let Ok(section) = u32::try_from(target) else { continue };
        for entry in entries.all {
            let entry = entry.map_err(malformed(offset))?;
            let index = SymbolIndex(entry.r_sym as usize);
            let symbol = symbols.filter(|_| index.0 != 0).and_then(|symbols| {
                let symbol = symbols.symbol(index).ok()?;
                let home = symbols.symbol_section(endian, symbol, index).ok().flatten();
                Some((symbol, home, symbols))
            });
            let home = symbol.and_then(|(_, home, _)| home.map(|index| index.0));
            let mut relocation = Relocation {
                section,
                offset: entry.r_offset,
                kind: entry.r_type.0,
                addend: 0,
                symbol_address: symbol
                    .zip(home)
                    .map(|((symbol, _, _), home)| symbol_address(image, home, symbol.st_value(endian))),
                symbol_section: home.and_then(|home| u32::try_from(home).ok()),
                symbol_local: symbol.is_some_and(|(symbol, _, _)| symbol.st_bind() == elf::STB_LOCAL),
                symbol: nameless.clone(),
            };
            let addend = match entries.addends {
                Addends::InEntry => Some(entry.r_addend),
                Addends::InPlace => addend_in_place(image, &relocation),
            };
            match addend {
                Some(addend) => relocation.addend = addend,
                None => relocation.symbol_address = None,
            }
            if image.kind == ImageKind::Relocatable {
                if apply_to_section(image, &relocation, &mut changed).is_none() {
                    let home = image.sections.get(target.saturating_sub(1)).map_or(0, |section| section.address);
                    unresolved.push(home.wrapping_add(relocation.offset));
                }
                referenced.extend(code_referenced(image, &relocation));
            } else if header.sh_flags(endian).contains(elf::SHF_ALLOC) {
                apply_to_segments(image, &relocation, &mut changed, &mut resolver);
            }
            if let Some((symbol, _, symbols)) = symbol
                && let Some(address) = imported_at(image, &relocation)
            {
                let name = match imported.get(&index.0) {
                    Some(name) => name.clone(),
                    None => {
                        let name = symbols.symbol_name(endian, symbol).unwrap_or_default();
                        names.take(name.len() as u64, offset)?;
                        let name = name_in(&shared, name);
                        imported.insert(index.0, name.clone());
                        name
                    }
                };
                imports.push(Import { address, symbol: name, addend: relocation.addend });
            }
            let Some(base) = sframe.get(&target) else { continue };
            if image.kind != ImageKind::Relocatable {
                relocation.offset = relocation.offset.wrapping_sub(*base);
            }
            if let Some((symbol, _, symbols)) = symbol {
                let name = symbols.symbol_name(endian, symbol).unwrap_or_default();
                names.take(name.len() as u64, offset)?;
                relocation.symbol = name_in(&shared, name);
            }
            image.sframe_relocations.push(relocation);
        }
    }
    for (position, bytes) in changed {
        if let Some(section) = image.sections.get_mut(position).filter(|_| image.kind == ImageKind::Relocatable) {
            section.original = Some(std::mem::replace(&mut section.bytes, bytes.into()));
        } else if let Some(segment) = image.segments.get_mut(position) {
            segment.bytes = bytes.into();
        }
    }
    image.segments.extend(resolver);
    unresolved.sort_unstable();
    image.unresolved = unresolved;
    referenced.sort_unstable();
    referenced.dedup();
    image.referenced = referenced;
    imports.sort_by_key(|import| import.address);
    image.imports = imports;
    Ok(())
}

/// The address of code that a relocation of data refers to. Not of tables of exception handling,
/// which refer to ranges, nor of distances in read-only data: a table of a `switch`, whose entries
/// are relative to its start.
fn code_referenced(image: &Image, relocation: &Relocation) -> Option<u64> {
    let at = |index: u32| image.sections.get((index as usize).checked_sub(1)?).filter(|one| one.is_alloc());
    let (from, to) = (at(relocation.section)?, at(relocation.symbol_section?)?);
    let is_relative = match (arch(image.abi).form)(elf::RelocationType(relocation.kind))? {
        Form::Absolute(_) => false,
        Form::Relative(_) => true,
        _ => return None,
    };
    let is_of = |prefix: &str| from.name.starts_with(prefix);
    let is_table =
        is_of(".eh_frame") || is_of(".gcc_except_table") || is_of(".sframe") || (is_relative && is_of(".rodata"));
    let target = relocation.symbol_address?.wrapping_add_signed(relocation.addend);
    (!from.is_code() && to.is_code() && !is_table).then_some(target)
}

/// The address of the field of a relocation whose symbol is in another file, if the field is data
/// and holds nothing but that symbol's address.
fn imported_at(image: &Image, relocation: &Relocation) -> Option<u64> {
    if relocation.symbol_address.is_some() {
        return None;
    }
    let form = (arch(image.abi).form)(elf::RelocationType(relocation.kind))?;
    if image.kind != ImageKind::Relocatable {
        return matches!(form, Form::Absolute(8) | Form::Slot).then_some(relocation.offset);
    }
    let home = image.sections.get((relocation.section as usize).checked_sub(1)?)?;
    let is_data = home.is_alloc() && !home.is_code() && home.index == relocation.section as usize;
    let is_address = matches!(form, Form::Absolute(4 | 8) | Form::Relative(4 | 8));
    (is_data && is_address).then(|| home.address.wrapping_add(relocation.offset))
}

/// Entries of a relocation section.
struct Entries<'data> {
    all: Box<dyn Iterator<Item = object::read::Result<Crel>> + 'data>,
    addends: Addends,
}

/// Where the addends of relocations are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Addends {
    InEntry,
    /// In the field that the relocation applies to.
    InPlace,
}

/// The entries of a section of any kind that holds relocations (gABI 4.1, "Relocation"; CREL as
/// proposed to the generic ABI in 2024); `None` for other sections.
fn entries<'data>(
    header: &elf::SectionHeader64<Endianness>,
    data: &'data [u8],
    endian: Endianness,
) -> object::read::Result<Option<Entries<'data>>> {
    if let Some((all, _)) = header.rela(endian, data)? {
        let all = Box::new(all.iter().map(move |entry| Ok(Crel::from_rela(entry, endian, false))));
        return Ok(Some(Entries { all, addends: Addends::InEntry }));
    }
    if let Some((all, _)) = header.rel(endian, data)? {
        let all = Box::new(all.iter().map(move |entry| Ok(Crel::from_rel(entry, endian))));
        return Ok(Some(Entries { all, addends: Addends::InPlace }));
    }
    let Some((all, _)) = header.crel(endian, data)? else { return Ok(None) };
    let addends = if all.is_rela() { Addends::InEntry } else { Addends::InPlace };
    Ok(Some(Entries { all: Box::new(all), addends }))
}

/// The number in the field that a relocation applies to; `None` if it is no whole field.
fn addend_in_place(image: &Image, relocation: &Relocation) -> Option<i64> {
    let bits = match (arch(image.abi).form)(elf::RelocationType(relocation.kind))? {
        Form::Absolute(size) | Form::Relative(size) => 8 * size,
        Form::Base | Form::Slot | Form::Resolver => 64,
        Form::RelativeHalved(_) | Form::Instruction(..) => return None,
    };
    let bytes = match image.kind {
        ImageKind::Relocatable => {
            let section = image.sections.iter().find(|section| section.index == relocation.section as usize)?;
            section.bytes.get(usize::try_from(relocation.offset).ok()?..)?
        }
        _ => {
            let mut loaded = image.segments.iter().filter(|segment| segment.kind == PT_LOAD);
            loaded.find_map(|segment| {
                let offset = relocation.offset.checked_sub(segment.address)?;
                segment.bytes.get(usize::try_from(offset).ok()?..)
            })?
        }
    };
    let spare = 64 - bits;
    Some((image.abi.facts().order.number(bytes.get(..bits / 8)?) << spare) as i64 >> spare)
}

/// Applies a relocation; `None` if its value is not known here.
fn apply_to_section(image: &Image, relocation: &Relocation, changed: &mut Changed) -> Option<()> {
    let order = image.abi.facts().order;
    let form = (arch(image.abi).form)(elf::RelocationType(relocation.kind))?;
    let symbol = relocation.symbol_address?;
    let position = (relocation.section as usize).checked_sub(1)?;
    let of_header = |section: &&ImageSection| section.index == relocation.section as usize;
    let section = image.sections.get(position).filter(of_header)?;
    let target = symbol.wrapping_add_signed(relocation.addend);
    let place = section.address.wrapping_add(relocation.offset);
    let distance = target.wrapping_sub(place);
    let bytes = changed.entry(position).or_insert_with(|| section.bytes.to_vec());
    let offset = usize::try_from(relocation.offset).ok()?;
    match form {
        Form::Absolute(size) => store(bytes, offset, target, size, order),
        Form::Relative(size) => store(bytes, offset, distance, size, order),
        Form::RelativeHalved(bits) => {
            let value = distance as i64 >> 1;
            if fits(value, bits) {
                store_bits(bytes, offset, value as u64, bits, order);
            }
        }
        Form::Instruction(value, field) => {
            let value = match value {
                FieldValue::Words => distance as i64 >> 2,
                FieldValue::Distance => distance as i64,
                FieldValue::Pages => (target & !0xfff).wrapping_sub(place & !0xfff) as i64 >> 12,
                FieldValue::InPage(unit) => ((target & 0xfff) >> unit) as i64,
                FieldValue::Part(low) => (target >> low & 0xffff) as i64,
            };
            insert(bytes, offset, value, field);
        }
        Form::Base | Form::Slot | Form::Resolver => {}
    }
    Some(())
}

fn apply_to_segments(image: &Image, relocation: &Relocation, changed: &mut Changed, resolver: &mut Option<Segment>) {
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
        // A static program runs its own resolvers at start-up, and finds them through the addend in
        // the slot.
        Form::Resolver if image.kind == ImageKind::Executable => return,
        Form::Resolver => resolver.get_or_insert_with(|| fake_resolver(image)).address,
        Form::Absolute(_) | Form::Relative(_) | Form::RelativeHalved(_) | Form::Instruction(..) => return,
    };
    for (position, segment) in image.segments.iter().enumerate().filter(|(_, segment)| segment.kind == PT_LOAD) {
        let offset = relocation.offset.checked_sub(segment.address).and_then(|offset| usize::try_from(offset).ok());
        if let Some(offset) = offset.filter(|offset| *offset < segment.bytes.len()) {
            let bytes = changed.entry(position).or_insert_with(|| segment.bytes.to_vec());
            store(bytes, offset, value, 8, order);
        }
    }
}

/// A page of code that returns immediately: target of slots for functions of other libraries.
fn fake_resolver(image: &Image) -> Segment {
    const PAGE: u64 = 0x1000;
    let end =
        image.segments.iter().map(|segment| segment.address.saturating_add(segment.memory_size)).max().unwrap_or(0);
    let address = (end.saturating_add(16 * PAGE)) & !(PAGE - 1);
    let code = Bytes::from_static(arch(image.abi).return_instruction);
    Segment { memory_size: PAGE, file_size: 0, ..Segment::new(PT_LOAD, PF_R | PF_X, address, code) }
}

fn store(bytes: &mut [u8], offset: usize, value: u64, size: usize, order: ByteOrder) {
    let Some(place) = offset.checked_add(size).and_then(|end| bytes.get_mut(offset..end)) else { return };
    order.store(place, value);
}

/// Stores the low `bits` bits of a value; the other bits of a partial byte are unchanged.
fn store_bits(bytes: &mut [u8], offset: usize, value: u64, bits: u32, order: ByteOrder) {
    let size = bits.div_ceil(8) as usize;
    let Some(place) = offset.checked_add(size).and_then(|end| bytes.get(offset..end)) else { return };
    let mask = (1 << bits) - 1;
    let all = order.number(place) & !mask | value & mask;
    store(bytes, offset, all, size, order);
}

/// Returns true if this many bits can hold a signed value. Otherwise a linker reports an overflow,
/// or adds a thunk.
fn fits(value: i64, bits: u32) -> bool {
    let spare = 64 - bits;
    value << spare >> spare == value
}

/// Writes a value into a field of an instruction, if it fits.
fn insert(bytes: &mut [u8], offset: usize, value: i64, field: Field) {
    let Some(place) = bytes.get_mut(offset..).and_then(|rest| rest.first_chunk_mut::<4>()) else { return };
    let word = value as u32;
    let (mask, bits) = match field {
        Field::Signed { count, low } if fits(value, count) => (((1 << count) - 1) << low, word << low),
        Field::Unsigned { count, low } => (((1 << count) - 1) << low, word << low),
        Field::Adr if fits(value, 21) => (0x60ff_ffe0, (word & 3) << 29 | (word >> 2 & 0x7_ffff) << 5),
        Field::Signed { .. } | Field::Adr => return,
    };
    *place = (u32::from_le_bytes(*place) & !mask | bits & mask).to_le_bytes();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TBZ reaches 32 KiB: 14 bits of words, at 5.
    #[test]
    fn what_does_not_fit_stays() {
        let field = Field::Signed { count: 14, low: 5 };
        let inserted = |value| {
            let mut word = 0x3600_0000_u32.to_le_bytes();
            insert(&mut word, 0, value, field);
            u32::from_le_bytes(word)
        };
        assert_eq!(inserted(-0x2000), 0x3604_0000);
        assert_eq!(inserted(0x1fff), 0x3603_ffe0);
        assert_eq!(inserted(0x2000), 0x3600_0000, "too far");
        assert_eq!(inserted(-0x2001), 0x3600_0000, "too far back");
    }
}
