//! Random vectors: sections of random programs whose frames at each instruction are known.

use spec::RuleId;
use types::{Abi, CfaRule, SframeVersion, TableFormat, ValueRule};

use super::bench::Bench;
use super::eh_frame::needs_others;
use super::expected::{self, KnownFunction, Lookup};
use super::{Class, Has, Vector};
use crate::code::FrameState;
use crate::elf::FileKind;
use crate::program::{ProgramFile, numbered};
use crate::sample::{PlacedFunction, Sample};
use crate::sframe::{FLAG_SORTED, SectionAddress, encode};

/// Number of vectors for each target and version.
const DRAWN: usize = 3;
/// Number of programs among which the first suitable ones are chosen.
const TRIED: u64 = 60;

/// The first programs of a seed that leave nothing open and whose IDs contain a text.
pub(super) fn drawn(bench: Bench, seed: u64, text: &str) -> Vec<Vector> {
    let id = |number| format!("{}/{}-{}/program-{number}", Class::Valid.name(), bench.version, bench.abi);
    if !(1..=DRAWN).any(|number| super::has(&id(number), text)) {
        return Vec::new();
    }
    let drawn = |number| {
        let built = numbered(bench.abi, bench.version, seed, number).build().ok()?;
        vector(&built, bench, seed, number)
    };
    let fit = (0..TRIED).filter_map(drawn).take(DRAWN);
    let named = fit.zip(1..).map(|(vector, number)| Vector { id: id(number), ..vector });
    named.filter(|vector| super::has(&vector.id, text)).collect()
}

pub fn program(abi: Abi, format: TableFormat, seed: u64, number: u64) -> Option<Vector> {
    let version = format.sframe().unwrap_or(SframeVersion::LATEST);
    let built = numbered(abi, version, seed, number).build().ok()?;
    from_program(&built, (abi, format), seed, number)
}

/// The vector of a program that is already built.
pub fn from_program(built: &ProgramFile, (abi, format): (Abi, TableFormat), seed: u64, number: u64) -> Option<Vector> {
    let mut vector = match format {
        TableFormat::Sframe(version) => vector(built, Bench { abi, version }, seed, number),
        TableFormat::EhFrame => eh_frame(built, seed, number),
    }?;
    vector.id = format!("{}/random-{number}", vector.id);
    Some(vector)
}

/// A program's section. `None` for an object, whose starts only a linker knows, and if the text
/// leaves something open.
fn vector(built: &ProgramFile, bench: Bench, seed: u64, number: u64) -> Option<Vector> {
    let Bench { abi, version } = bench;
    let sample = &built.sample;
    if sample.kind == FileKind::Relocatable || is_open(bench, &built.warnings, sample) {
        return None;
    }
    let file = sample.elf().ok()?;
    let address = file.sections.iter().find(|section| section.name == ".sframe")?.address;
    let bytes = encode(&sample.section, SectionAddress::Linked { section: address }).ok()?.bytes;
    let text = sample.text_address();
    let known: Vec<KnownFunction> = sample
        .functions
        .iter()
        .map(|placed| (text + placed.offset, &placed.function))
        .filter(|(start, _)| sample.section.functions.iter().any(|spec| spec.start == *start))
        .map(|(start, function)| KnownFunction {
            start,
            size: function.code.len() as u32,
            block: None,
            key: function.key,
            signal: function.signal && sample.section.layout.has_signal(),
            frames: function.frames.clone(),
        })
        .collect();
    let pcs = expected::probes(&known).into_iter();
    let answers = pcs.map(|pc| Lookup { pc, expected: expected::at(&known, pc) }).collect();
    Some(Vector {
        id: format!("{}/{version}-{abi}", Class::Valid.name()),
        about: format!("The table of a random program: number {number} of seed {seed}."),
        class: Class::Valid,
        abi,
        register: None,
        format: version.into(),
        bytes,
        address,
        index: None,
        text: (text, text + sample.text.len() as u64),
        answers,
        chains: Vec::new(),
        sorted: sample.section.flags & FLAG_SORTED != 0,
        has: Has::new(&sample.section),
    })
}

/// A program's `.eh_frame`. `None` for an object, and if a function has rules that frames cannot
/// express.
fn eh_frame(built: &ProgramFile, seed: u64, number: u64) -> Option<Vector> {
    let sample = &built.sample;
    if sample.kind == FileKind::Relocatable || sample.functions.iter().any(|placed| placed.function.cfi.is_some()) {
        return None;
    }
    let file = sample.elf_with_search_table().ok()?;
    let section = |name: &str| file.sections.iter().find(|section| section.name == name);
    let (table, index) = (section(".eh_frame")?, section(".eh_frame_hdr")?);
    let text = sample.text_address();
    let function = |placed: &PlacedFunction| KnownFunction {
        start: text + placed.offset,
        size: placed.function.code.len() as u32,
        block: None,
        key: placed.function.key,
        signal: placed.function.signal,
        frames: placed.function.frames.clone(),
    };
    let known: Vec<KnownFunction> = sample.functions.iter().map(function).collect();
    let pcs = expected::probes(&known).into_iter();
    let frames = || known.iter().flat_map(|known| &known.frames).map(|at| &at.frame);
    let (abi, format) = (sample.abi, TableFormat::EhFrame);
    Some(Vector {
        id: format!("{}/{format}-{abi}", Class::Valid.name()),
        about: format!("The .eh_frame of a random program: number {number} of seed {seed}."),
        class: Class::Valid,
        abi,
        register: None,
        format,
        bytes: table.bytes.clone(),
        address: table.address,
        index: Some((index.bytes.clone(), index.address)),
        text: (text, text + sample.text.len() as u64),
        answers: pcs.map(|pc| Lookup { pc, expected: expected::at(&known, pc) }).collect(),
        chains: Vec::new(),
        sorted: true,
        has: Has {
            expressions: frames().any(needs_expression),
            outermost: frames().any(|frame| frame.ra == ValueRule::Undefined),
            registers: frames().any(|frame| needs_others(abi, frame)),
            ..Has::default()
        },
    })
}

/// Returns true if only an expression gives a frame's rules.
fn needs_expression(frame: &FrameState) -> bool {
    let of = |rule| match rule {
        ValueRule::Register { offset, .. } => offset != 0,
        ValueRule::Memory { .. } => true,
        _ => false,
    };
    matches!(frame.cfa, CfaRule::Memory { .. }) || of(frame.ra) || of(frame.fp)
}

/// Returns true for signal frames without rows, rows before errata 2 that end the stack, rows of
/// two words on AArch64, and start fields with another anchor than in the text of V1 and V2: see
/// [`super::QUESTIONS`].
fn is_open(bench: Bench, warnings: &[RuleId], sample: &Sample) -> bool {
    let frames = || sample.functions.iter().flat_map(|placed| &placed.function.frames).map(|at| at.frame);
    let facts = bench.abi.facts();
    let ra_alone = |ra, fp| matches!(ra, ValueRule::AtCfa(_)) && fp == ValueRule::SameValue;
    !sample.section.fre_gap.is_empty()
        || sample.section.functions.iter().any(|spec| spec.rows.is_empty())
        || warnings.contains(&RuleId::RowOutermostBeforeErrata2)
        || facts.fixed_ra.is_none() && facts.pointer_authentication && frames().any(|one| ra_alone(one.ra, one.fp))
}
