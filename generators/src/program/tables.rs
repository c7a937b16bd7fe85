//! The tables of a program: what a sample has by default, edited as [`TableStyle`] says. None of the edits changes the meaning.

use model::{Abi, SframeVersion};

use super::Program;
use super::cfi::remember;
use super::code::Emitted;
use crate::code::flex_row;
use crate::elf::FileKind;
use crate::sample::Sample;
use crate::sframe::{FLAG_PCREL, FunctionSpec, PcType, RowSpec, Width, Word};

/// Edits both tables and returns the rules that they break on purpose: each is legal, and worth a warning.
pub(super) fn style(program: &Program, emitted: &[&Emitted], sample: &mut Sample) -> Vec<&'static str> {
    let style = &program.tables;
    let mut broken = by_nature(program.version);
    if style.errata_2 && describe_outermost(program, sample) {
        broken.push("row/outermost-before-errata-2");
    }
    let base = if program.kind == FileKind::Relocatable { 0 } else { sample.text_address() };
    for (emitted, placed) in emitted.iter().zip(&sample.functions) {
        let spec = sample.section.functions.iter_mut().find(|spec| spec.start == base + placed.offset);
        let Some(spec) = spec else { continue };
        if style.flex && program.version == SframeVersion::V3 {
            make_flex(program.abi, emitted, spec);
        }
        if let Some(block) = emitted.block.filter(|_| program.version != SframeVersion::V1) {
            spec.pc_type = PcType::Mask(block);
            spec.rows.retain(|row| row.start < u32::from(block));
            spec.starts = Width::One;
        }
        spec.starts = wider(spec.starts, style.wider_starts);
        for (row, more) in spec.rows.iter_mut().zip(style.wider_words.iter().cycle()) {
            // A row without words has an info byte of zero.
            if !row.words.is_empty() {
                row.width = wider(row.width, *more);
            }
        }
    }
    if style.rows_reversed {
        sample.section.row_order = Some((0..sample.section.functions.len()).rev().collect());
    }
    broken.extend(header(program, sample));
    if style.remember {
        remember_frames(emitted, base, sample);
    }
    if topmost_only(sample) {
        broken.push("flex/topmost-only");
    }
    broken
}

/// What every section of a version breaks.
fn by_nature(version: SframeVersion) -> Vec<&'static str> {
    match version {
        SframeVersion::V1 => vec!["header/obsolete-version"],
        SframeVersion::V2 => vec!["header/pcrel-clear-v2"],
        SframeVersion::V2Errata1 | SframeVersion::V3 => Vec::new(),
    }
}

/// Since errata 2 a row without words says that the return address is undefined. True if there was a function to say it of.
fn describe_outermost(program: &Program, sample: &mut Sample) -> bool {
    let v2 = matches!(program.version, SframeVersion::V2 | SframeVersion::V2Errata1);
    let start = sample.functions.iter().find(|placed| placed.function.name == "_start");
    let Some(start) = start.filter(|_| v2) else { return false };
    let address = sample.text_address() + start.offset;
    let size = start.function.code.len() as u32;
    let spec = FunctionSpec {
        starts: FunctionSpec::narrowest_starts(size),
        ..FunctionSpec::new(address, size, vec![RowSpec::outermost(0)])
    };
    let at = sample.section.functions.partition_point(|other| other.start < address);
    sample.section.functions.insert(at, spec);
    sample.left_out.retain(|left| left.function != "_start");
    true
}

/// The same rows in the flexible form, where the target has it and there is anything to say.
fn make_flex(abi: Abi, emitted: &Emitted, spec: &mut FunctionSpec) {
    if spec.flex || spec.rows.iter().any(|row| row.words.is_empty()) {
        return;
    }
    let rows = emitted.function.frames.iter().map(|at| flex_row(abi, at.offset, &at.frame));
    if let Some(rows) = rows.collect::<Option<Vec<_>>>() {
        (spec.flex, spec.rows) = (true, rows);
    }
}

fn wider(width: Width, steps: u8) -> Width {
    match (width, steps) {
        (width, 0) => width,
        (Width::One, 1) => Width::Two,
        _ => Width::Four,
    }
}

fn header(program: &Program, sample: &mut Sample) -> Vec<&'static str> {
    let style = &program.tables;
    let mut broken = Vec::new();
    let section = &mut sample.section;
    // Objects are relocated by field. Errata 1 without the flag is plain V2, but for s390x, which V2 did not have.
    let choice = match program.version {
        SframeVersion::V1 | SframeVersion::V2 => None,
        SframeVersion::V2Errata1 => (program.abi == Abi::S390x).then_some("header/pcrel-clear-v2"),
        SframeVersion::V3 => Some("header/pcrel-clear"),
    };
    if let Some(rule) = choice.filter(|_| style.section_relative && program.kind != FileKind::Relocatable) {
        section.flags &= !FLAG_PCREL;
        broken.push(rule);
    }
    if style.aux > 0 {
        section.aux = vec![0xa5; usize::from(style.aux)];
        broken.push("header/auxiliary");
    }
    let (fde_gap, fre_gap) = style.gaps;
    section.fde_gap = vec![0; usize::from(fde_gap)];
    section.fre_gap = vec![0; usize::from(fre_gap)];
    if fde_gap > 0 || fre_gap > 0 {
        broken.push("header/canonical-layout");
    }
    broken
}

fn remember_frames(emitted: &[&Emitted], base: u64, sample: &mut Sample) {
    for (emitted, placed) in emitted.iter().zip(&sample.functions) {
        let Some((from, again)) = emitted.comes_back else { continue };
        let mut fdes = sample.eh_frame.cies.iter_mut().flat_map(|cie| &mut cie.fdes);
        if let Some(fde) = fdes.find(|fde| fde.start == base + placed.offset) {
            remember(&mut fde.program, from, again);
        }
    }
}

/// A row counts from a register that only the topmost frame knows.
fn topmost_only(sample: &Sample) -> bool {
    let facts = sample.abi.facts();
    let known = [facts.sp, facts.fp].map(|reg| u32::from(reg.0));
    let flex = sample.section.functions.iter().filter(|function| function.flex);
    flex.flat_map(|function| &function.rows).any(|row| {
        row.words.iter().enumerate().any(|(index, word)| match word {
            // A control word with a register: bit 0. Any value but the CFA that rests in a register is no caller's either.
            Word::Control(bits) => bits & 1 == 1 && (!known.contains(&(bits >> 3)) || (index > 0 && bits & 2 == 0)),
            Word::Offset(_) => false,
        })
    })
}
