//! A relocatable object as assembly for GNU as, which people can read, change and send; every
//! version of gas assembles it to the same bytes.

use std::fmt::Write as _;

use super::{ElfSpec, Relocation, SHF_ALLOC, SHF_EXECINSTR, SHF_WRITE, SHT_PROGBITS, Section, SymbolKind};

/// Number of bytes per line.
const WIDTH: usize = 12;

/// The assembly text; `None` if there are relocations other than place-relative ones against
/// sections.
pub fn listing(spec: &ElfSpec) -> Option<String> {
    let mut text = String::new();
    for (index, section) in spec.sections.iter().enumerate() {
        head(section, &mut text);
        let mut symbols: Vec<_> = spec.symbols.iter().filter(|symbol| symbol.section == Some(index)).collect();
        symbols.retain(|symbol| symbol.kind != SymbolKind::Section);
        symbols.sort_by_key(|symbol| symbol.value);
        let mut from = 0;
        for symbol in symbols {
            let at = usize::try_from(symbol.value).ok()?;
            bytes(section.bytes.get(from..at)?, &mut text);
            let (name, size) = (&symbol.name, symbol.size);
            let global = if symbol.local { String::new() } else { format!("\t.globl {name}\n") };
            let of_function = match symbol.kind {
                SymbolKind::Function => format!("\t.type {name}, %function\n\t.size {name}, {size:#x}\n"),
                _ => String::new(),
            };
            let _ = writeln!(text, "{global}{of_function}{name}:");
            from = at;
        }
        bytes(section.bytes.get(from..)?, &mut text);
        for relocation in &section.relocations {
            let Relocation { offset, addend, .. } = relocation;
            let against = spec.symbols.get(relocation.symbol?)?;
            let against = &spec.sections.get(against.section.filter(|_| against.kind == SymbolKind::Section)?)?.name;
            let _ = writeln!(text, "\t.reloc {offset:#x}, {}, {against}+{addend:#x}", name(spec, relocation)?);
        }
    }
    Some(text)
}

fn head(section: &Section, text: &mut String) {
    let flags = [(SHF_ALLOC, 'a'), (SHF_WRITE, 'w'), (SHF_EXECINSTR, 'x')];
    let flags: String =
        flags.into_iter().filter(|(bit, _)| section.flags & bit != 0).map(|(_, letter)| letter).collect();
    let kind = match section.kind {
        SHT_PROGBITS => "%progbits".to_owned(),
        other => format!("%{other:#x}"),
    };
    let _ = writeln!(text, "\t.section {}, \"{flags}\", {kind}", section.name);
    // On some targets gas pads a section to its alignment, and every byte matters.
    if section.align > 1 && (section.bytes.len() as u64).is_multiple_of(section.align) {
        let _ = writeln!(text, "\t.balign {}", section.align);
    }
}

fn bytes(bytes: &[u8], text: &mut String) {
    if bytes.len() > WIDTH && bytes.iter().all(|byte| *byte == 0) {
        let _ = writeln!(text, "\t.zero {}", bytes.len());
        return;
    }
    for line in bytes.chunks(WIDTH) {
        let line: Vec<String> = line.iter().map(|byte| format!("{byte:#04x}")).collect();
        let _ = writeln!(text, "\t.byte {}", line.join(", "));
    }
}

fn name(spec: &ElfSpec, relocation: &Relocation) -> Option<&'static str> {
    let names = crate::arch::target(spec.abi).pc_relative;
    names.into_iter().find(|(kind, _)| *kind == relocation.kind).map(|(_, name)| name)
}
