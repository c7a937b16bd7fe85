//! Files with a PLT: `.plt` with its first entry and slots, described as by GNU ld.

use super::bench::{Bench, EXTRA, repeat_blocks};
use crate::arch::{arch, target};
use crate::elf::{ElfSpec, SHF_ALLOC, SHF_EXECINSTR, SHT_PROGBITS, Section};
use crate::facts;
use crate::sample::Sample;

/// Index of the slots' FDE in a sample of [`sample`], after that of the first entry.
const SLOTS: usize = EXTRA + 1;

/// A bench with a PLT in its text, to be split off by [`split`]. `None` for AArch64, whose PLTs
/// linkers do not describe.
pub(super) fn sample(bench: Bench) -> Option<Sample> {
    let first = arch(bench.abi).plt_first("plt_first")?;
    let slots = arch(bench.abi).stubs("plt_slots", 3)?;
    let block = target(bench.abi).plt_slot?;
    if !facts::version(bench.version).layout.has_rep_size() {
        return None;
    }
    let mut sample = bench.sample_with(vec![first, slots]);
    repeat_blocks(&mut sample.section.functions[SLOTS], block);
    Some(sample)
}

/// Moves the PLT to a section `.plt`, and the following text to `.text.end`.
pub(super) fn split(file: &mut ElfSpec) {
    let symbol = |name| file.symbols.iter().find(|symbol| symbol.name == name).expect("the table is in the text");
    let (first, slots) = (symbol("plt_first"), symbol("plt_slots"));
    let (start, end) = (first.value, slots.value + slots.size);
    let text = file.section_index(".text").expect(".text is there");
    let address = file.sections[text].address;
    let mut table = file.sections[text].bytes.split_off((start - address) as usize);
    let rest = table.split_off((end - start) as usize);
    let code = SHF_ALLOC | SHF_EXECINSTR;
    file.insert_section(".text", Section::new(".text.end", SHT_PROGBITS, code, rest).at(end, 1));
    file.insert_section(".text", Section::new(".plt", SHT_PROGBITS, code, table).at(start, 16));
    for symbol in file.symbols.iter_mut().filter(|symbol| symbol.section == Some(text)) {
        symbol.section = Some(match symbol.value {
            value if value < start => text,
            value if value < end => text + 1,
            _ => text + 2,
        });
    }
}
