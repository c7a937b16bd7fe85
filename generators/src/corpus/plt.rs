//! Files with a PLT: `.plt` with its first entry and slots, described as by GNU ld, and files with
//! errors in it.

use spec::RuleId;

use super::BrokenFile;
use super::bench::{AMD64_V2, AMD64_V3, Bench, EXTRA, S390X_V2, S390X_V3, repeat_blocks};
use crate::arch::{arch, target};
use crate::elf::{ElfSpec, FileKind, SHF_ALLOC, SHF_EXECINSTR, SHT_PROGBITS, Section};
use crate::facts;
use crate::sample::Sample;
use crate::sframe::{RowSpec, SectionSpec};

/// Indices of the PLT's FDEs in a sample of [`sample`].
const FIRST: usize = EXTRA;
const SLOTS: usize = EXTRA + 1;

pub(super) fn broken() -> Vec<BrokenFile> {
    let wrong = |bench: Bench, note, edit: fn(&mut Vec<RowSpec>)| {
        let edit = |section: &mut SectionSpec| edit(&mut section.functions[SLOTS].rows);
        finish(bench, RuleId::PltRowsMatchCode, note, edit)
    };
    vec![
        finish(AMD64_V3, RuleId::PltCovered, "not described", |section| drop_functions(section, FIRST, SLOTS)),
        finish(AMD64_V2, RuleId::PltCovered, "slots not described", |section| drop_functions(section, SLOTS, SLOTS)),
        finish(S390X_V2, RuleId::PltCovered, "not described", |section| drop_functions(section, FIRST, SLOTS)),
        finish(Bench { kind: FileKind::Shared, ..S390X_V3 }, RuleId::PltCovered, "first not described", |section| {
            drop_functions(section, FIRST, FIRST);
        }),
        wrong(AMD64_V3, "row before the push", |rows| rows[1].start = 6),
        finish(AMD64_V3, RuleId::PltRowsMatchCode, "no row after the push", |section| {
            section.functions[SLOTS].rows.truncate(1);
        }),
        finish(
            AMD64_V2,
            RuleId::PltRowsMatchCode,
            "the first entry without the words that the slot pushed",
            |section| {
                let first = &mut section.functions[FIRST];
                let second = RowSpec { start: 6, ..first.rows[0].clone() };
                let slots = &section.functions[SLOTS].rows;
                section.functions[FIRST].rows = vec![slots[0].clone(), second];
            },
        ),
        wrong(S390X_V3, "a CFA of a frame at an entry without one", |rows| {
            rows.push(RowSpec::offsets(6, rows[0].base, &[20]));
        }),
    ]
}

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

fn finish(bench: Bench, rule: RuleId, note: &'static str, edit: impl FnOnce(&mut SectionSpec)) -> BrokenFile {
    let sample = sample(bench).expect("a target and version with tables");
    bench.finish(rule, note, sample, edit, split)
}

fn drop_functions(section: &mut SectionSpec, first: usize, last: usize) {
    section.functions.drain(first..=last);
}
