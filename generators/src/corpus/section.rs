//! Files of the table of breaches: their sections, or the headers and relocations of these, break a
//! rule.

use spec::RuleId;
use types::{Abi, SframeVersion};

use super::bench::{Bench, EXTRA, long_leaf, repeat_blocks};
use super::{BrokenFile, plt};
use crate::arch::{arch, target};
use crate::breaches::{BREACHES, Line, lines};
use crate::code::{Function, nops};
use crate::elf::{self, ElfSpec, FileKind, PT_GNU_SFRAME, Relocation};
use crate::sample::Sample;
use crate::sframe::{Field, SectionAddress, edit, encode, integer};

pub(super) fn broken() -> Vec<BrokenFile> {
    let files = lines(BREACHES).filter(|line| line.words.first() == Some(&"file"));
    files.map(|line| file(&line).unwrap_or_else(|| panic!("{line:?}"))).collect()
}

/// The file of a line; `None` if the line means nothing.
fn file(line: &Line<'static>) -> Option<BrokenFile> {
    let rule: RuleId = line.heading.parse().ok()?;
    let [_, abi, version, options @ ..] = &line.words[..] else { return None };
    let kind = match options.first() {
        Some(&"object") => FileKind::Relocatable,
        Some(&"shared") => FileKind::Shared,
        _ => FileKind::Executable,
    };
    let bench = Bench { abi: abi.parse().ok()?, version: SframeVersion::named(version)?, kind };
    let extra = options.iter().find_map(|option| option.strip_prefix('+'));
    let mut sample = sample(bench, extra)?;
    let place = match kind {
        FileKind::Relocatable => SectionAddress::Relocatable,
        FileKind::Executable | FileKind::Shared => SectionAddress::Linked { section: sample.text_address() + 0x1000 },
    };
    let (mut cut, mut of_file) = (None, Vec::new());
    for statement in &line.edits {
        match (statement.strip_prefix("cut = "), statement.strip_prefix("file ")) {
            (Some(size), _) => cut = Some(integer(size)? as usize),
            (_, Some(statement)) => of_file.push(statement),
            _ => edit(&mut sample.section, place, statement)?,
        }
    }
    let encoded = encode(&sample.section, place).unwrap_or_else(|error| panic!("{line:?}: {error}"));
    // The word before `=`, or after the verb.
    let first = || {
        let mut words = line.edits.first().into_iter().flat_map(|edit| edit.split(' '));
        words.find(|word| !["set", "clear"].contains(word)).unwrap_or_default()
    };
    let offset = match (line.expected.first().map(|at| at.strip_prefix("at ").unwrap_or_default()), cut) {
        (Some("none"), _) => None,
        (None, Some(cut)) => Some(cut as u64),
        (at, _) => {
            let (field, more) = at.unwrap_or_else(first).split_once(" + ").unwrap_or((at.unwrap_or_else(first), "0"));
            Some(encoded.offset(&sample.section, Field::parse(field))? + integer(more)? as u64)
        }
    };
    let mut file = sample.elf().unwrap_or_else(|error| panic!("{line:?}: {error}"));
    if extra == Some("plt") {
        plt::split(&mut file);
    }
    of_file.iter().try_for_each(|statement| edit_file(&mut file, statement))?;
    file.section_mut(".sframe")?.bytes.truncate(cut.unwrap_or(usize::MAX));
    if cut == Some(0) {
        file.segments.retain(|segment| segment.kind != PT_GNU_SFRAME);
    }
    let bytes = elf::write(&file).unwrap_or_else(|error| panic!("{line:?}: {error}"));
    let Bench { abi, version, kind } = bench;
    Some(BrokenFile { rule, note: line.about, offset, abi, version, kind, bytes })
}

/// Applies a statement to the headers of `.sframe`, its segment and its relocations.
fn edit_file(file: &mut ElfSpec, statement: &str) -> Option<()> {
    let words: Vec<&str> = statement.split_whitespace().collect();
    if let ["segment", rest @ ..] = &words[..] {
        let address = file.section_mut(".sframe")?.address;
        let overrides = &mut file.segment_mut(PT_GNU_SFRAME)?.overrides;
        match rest {
            ["p_filesz", size] => overrides.file_size = Some(integer(size)? as u64),
            ["p_memsz", size] => overrides.memory_size = Some(integer(size)? as u64),
            ["moved", bytes] => overrides.address = Some(address + integer(bytes)? as u64),
            ["absent"] => file.segments.retain(|segment| segment.kind != PT_GNU_SFRAME),
            _ => return None,
        }
        return Some(());
    }
    let section = file.section_mut(".sframe")?;
    match words[..] {
        ["sh_type", value] => section.kind = integer(value)? as u32,
        ["sh_flags", value] => section.flags = integer(value)? as u64,
        ["sh_addralign", value] => section.align = integer(value)? as u64,
        ["relocation", "none", "at", offset] => {
            let offset = integer(offset)? as u64;
            section.relocations.push(Relocation { offset, kind: 0, symbol: None, addend: 0 });
        }
        ["relocation", index, ref rest @ ..] => {
            let index: usize = index.parse().ok()?;
            let relocation = section.relocations.get_mut(index)?;
            match rest {
                ["type", kind] => relocation.kind = integer(kind)? as u32,
                ["addend", addend] => relocation.addend = integer(addend)?,
                ["absent"] => drop(section.relocations.remove(index)),
                ["twice"] => section.relocations.push(section.relocations[index]),
                ["again", "at", offset, "type", kind] => {
                    let (offset, kind) = (integer(offset)? as u64, integer(kind)? as u32);
                    let again = Relocation { offset, kind, ..*relocation };
                    section.relocations.push(again);
                }
                _ => return None,
            }
        }
        _ => return None,
    }
    Some(())
}

/// A sample with a further function by its name in the table.
fn sample(bench: Bench, extra: Option<&str>) -> Option<Sample> {
    let (abi, arch) = (bench.abi, arch(bench.abi));
    let Some(extra) = extra else { return Some(bench.sample()) };
    let function = match extra.split_once(':').unwrap_or((extra, "")) {
        ("plt", _) => return plt::sample(bench),
        ("signal-frame-alone", _) => {
            let signal = Function { signal: true, ..Function::leaf(abi, "signal") };
            let mut sample = Sample::new(abi, bench.version, bench.kind, vec![signal]).ok()?;
            sample.section.functions[0].rows.clear();
            return Some(sample);
        }
        ("stubs" | "unlike-stubs", _) => arch.stubs("stubs", 3)?,
        ("long", size) => long_leaf(abi, "long", size.parse().ok()?),
        ("twin", _) => Function::framed(abi, "twin", "leaf"),
        ("ra-only", _) => arch.ra_only("ra_only", "leaf")?,
        ("saved-cfa", _) => Function::saved_cfa(abi, "saved_cfa")?,
        // With rows for registers that calls do not preserve.
        ("foreign", _) => arch.foreign_registers("foreign")?,
        _ => return None,
    };
    let mut sample = bench.sample_with(vec![function]);
    if extra.ends_with("stubs") {
        repeat_blocks(&mut sample.section.functions[EXTRA], target(abi).plt_slot?);
    }
    if extra == "unlike-stubs" {
        // The second stub's jump and push are nops.
        let second = sample.functions[EXTRA].offset as usize + 16;
        sample.text[second..second + 11].copy_from_slice(&nops(Abi::Amd64, 11));
    }
    Some(sample)
}
