//! Files of the table of breaches: their sections break a rule.

use spec::RuleId;
use types::{Abi, SframeVersion};

use super::bench::{Bench, EXTRA, long_leaf, repeat_blocks};
use super::{BrokenFile, plt};
use crate::arch::{arch, target};
use crate::breaches::{BREACHES, Line, lines};
use crate::code::{Function, nops};
use crate::elf::{self, FileKind, PT_GNU_SFRAME};
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
    let mut cut = None;
    for statement in &line.edits {
        match statement.strip_prefix("cut = ") {
            Some(size) => cut = Some(integer(size)? as usize),
            None => edit(&mut sample.section, place, statement)?,
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
    file.section_mut(".sframe")?.bytes.truncate(cut.unwrap_or(usize::MAX));
    if cut == Some(0) {
        file.segments.retain(|segment| segment.kind != PT_GNU_SFRAME);
    }
    let bytes = elf::write(&file).unwrap_or_else(|error| panic!("{line:?}: {error}"));
    let Bench { abi, version, kind } = bench;
    Some(BrokenFile { rule, note: line.about, offset, abi, version, kind, bytes })
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
