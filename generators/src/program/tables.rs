//! The tables of a program: a sample's default tables, edited by a [`TableStyle`]. No edit changes
//! the meaning.

use spec::RuleId;
use types::{Abi, Reg, SframeVersion};

use super::Program;
use super::cfi::remember;
use super::code::FunctionCode;
use super::lower::RESTORER;
use crate::arch::target;
use crate::code::flex_row;
use crate::eh_frame::Cfi;
use crate::elf::FileKind;
use crate::facts::{self, Outermost, Starts};
use crate::sample::Sample;
use crate::sframe::{FLAG_PCREL, FunctionSpec, PcType, RowSpec, Width, Word};

/// Edits both tables and returns the rules that they break on purpose: each file is legal, but a
/// warning is expected.
pub(super) fn style(program: &Program, emitted: &[&FunctionCode], sample: &mut Sample) -> Vec<RuleId> {
    let style = &program.tables;
    let version = facts::version(program.version);
    let mut broken = version.breaks.to_vec();
    mark_signal_frame(program, sample);
    if style.errata_2 && describe_outermost(program, sample) {
        broken.push(RuleId::RowOutermostBeforeErrata2);
    }
    let base = if program.kind == FileKind::Relocatable { 0 } else { sample.text_address() };
    for (emitted, placed) in emitted.iter().zip(&sample.functions) {
        let spec = sample.section.functions.iter_mut().find(|spec| spec.start == base + placed.offset);
        let Some(spec) = spec else { continue };
        if style.flex && version.layout.has_flex() {
            make_flex(program.abi, emitted, spec);
        }
        if let Some(block) = emitted.block.filter(|_| version.layout.has_rep_size()) {
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
    leave_undefined(sample);
    if topmost_only(sample) {
        broken.push(RuleId::FlexTopmostOnly);
    }
    broken
}

/// Describes outermost functions by a row without words, which means an undefined return address
/// since errata 2. Returns true if there is such a function.
fn describe_outermost(program: &Program, sample: &mut Sample) -> bool {
    let optional = facts::version(program.version).outermost == Outermost::Errata2;
    optional && describe(sample, "_start", |spec| spec.rows.push(RowSpec::outermost(0)))
}

/// V3 may keep an FDE without rows to mark a function as a signal frame (SFrame V3, "The
/// SFrame FDE Info Word").
fn mark_signal_frame(program: &Program, sample: &mut Sample) {
    if facts::version(program.version).layout.has_signal() {
        describe(sample, RESTORER, |spec| spec.signal = true);
    }
}

/// Adds the FDE of a function that has none. Returns false if no function has that name.
fn describe(sample: &mut Sample, name: &str, edit: impl FnOnce(&mut FunctionSpec)) -> bool {
    let Some(placed) = sample.functions.iter().find(|placed| placed.function.name == name) else { return false };
    let address = sample.text_address() + placed.offset;
    let size = placed.function.code.len() as u32;
    let starts = FunctionSpec::narrowest_starts(size);
    let mut spec = FunctionSpec { starts, ..FunctionSpec::new(address, size, Vec::new()) };
    edit(&mut spec);
    let at = sample.section.functions.partition_point(|other| other.start < address);
    sample.section.functions.insert(at, spec);
    sample.left_out.retain(|left| left.function != name);
    true
}

/// Converts the rows to flexible form, if the target has it and every row has words.
fn make_flex(abi: Abi, emitted: &FunctionCode, spec: &mut FunctionSpec) {
    if spec.flex || spec.rows.iter().any(|row| row.words.is_empty()) {
        return;
    }
    let rows = emitted.function.frames.iter().map(|at| flex_row(abi, at.offset, &at.frame));
    if let Some(rows) = rows.collect::<Option<Vec<_>>>() {
        (spec.flex, spec.rows) = (true, rows);
    }
}

/// The anchor of start fields in linked files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StartsFrom {
    Section,
    Field,
    /// The field, or the section, which breaks this rule.
    Choice(RuleId),
}

/// The anchor of start fields. Errata 1 without its flag is plain V2, except where V2 lacks the
/// target.
pub(super) fn starts_from(abi: Abi, version: SframeVersion) -> StartsFrom {
    match facts::version(version).starts {
        Starts::Section => StartsFrom::Section,
        Starts::ChoiceUnless(older, _) if target(abi).is_in(older) => StartsFrom::Field,
        Starts::ChoiceUnless(_, rule) | Starts::Choice(rule) => StartsFrom::Choice(rule),
    }
}

fn wider(width: Width, steps: u8) -> Width {
    match (width, steps) {
        (width, 0) => width,
        (Width::One, 1) => Width::Two,
        _ => Width::Four,
    }
}

fn header(program: &Program, sample: &mut Sample) -> Vec<RuleId> {
    let style = &program.tables;
    let mut broken = Vec::new();
    let section = &mut sample.section;
    // In objects start fields are relocated relative to themselves.
    if style.section_relative
        && program.kind != FileKind::Relocatable
        && let StartsFrom::Choice(rule) = starts_from(program.abi, program.version)
    {
        section.flags &= !FLAG_PCREL;
        broken.push(rule);
    }
    if style.aux > 0 {
        section.aux = vec![0xa5; usize::from(style.aux)];
        broken.push(RuleId::HeaderAuxiliary);
    }
    let (fde_gap, fre_gap) = style.gaps;
    section.fde_gap = vec![0; usize::from(fde_gap)];
    section.fre_gap = vec![0; usize::from(fre_gap)];
    if fde_gap > 0 || fre_gap > 0 {
        broken.push(RuleId::HeaderCanonicalLayout);
    }
    broken
}

/// Leaves registers undefined that functions save without a rule: a frame has rules for the return
/// address and FP alone.
fn leave_undefined(sample: &mut Sample) {
    let facts = sample.abi.facts();
    let saved = facts.callee_saved.iter().map(|number| Reg(*number));
    let general = |reg: &Reg| reg.0 < facts.general_registers && ![facts.sp, facts.fp].contains(reg);
    let undefined: Vec<Cfi> = saved.filter(general).map(Cfi::Undefined).collect();
    for cie in &mut sample.eh_frame.cies {
        cie.initial.extend_from_slice(&undefined);
    }
}

fn remember_frames(emitted: &[&FunctionCode], base: u64, sample: &mut Sample) {
    for (emitted, placed) in emitted.iter().zip(&sample.functions) {
        let Some((from, again)) = emitted.comes_back else { continue };
        let mut fdes = sample.eh_frame.cies.iter_mut().flat_map(|cie| &mut cie.fdes);
        if let Some(fde) = fdes.find(|fde| fde.start == base + placed.offset) {
            remember(&mut fde.program, from, again);
        }
    }
}

/// Returns true if a row's base is a register that is known only in the topmost frame.
fn topmost_only(sample: &Sample) -> bool {
    let facts = sample.abi.facts();
    let known = [facts.sp, facts.fp].map(|reg| u32::from(reg.0));
    let flex = sample.section.functions.iter().filter(|function| function.flex);
    flex.flat_map(|function| &function.rows).any(|row| {
        row.words.iter().enumerate().any(|(index, word)| match word {
            // A control word with a register has bit 0 set. Any value that rests in a register,
            // other than the CFA, is unknown in outer frames too.
            Word::Control(bits) => bits & 1 == 1 && (!known.contains(&(bits >> 3)) || (index > 0 && bits & 2 == 0)),
            Word::Offset(_) => false,
        })
    })
}
