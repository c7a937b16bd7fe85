//! A copy of a file with repaired tables.

use std::collections::BTreeMap;

use anyhow::{Context as _, ensure};
use elf::{Rela, SectionContents, relocations, with_contents, with_sframe};
use generators::eh_frame::{Cfi, CfiEdit, Rewritten, Room, rewritten};
use results::{RepairAction, RepairEdit};
use synthesise::Input;
use types::{Abi, Bytes, Image, ImageKind, ImageSection, Pc, Reg, SframeVersion};
use unwind::{CfiSections, CfiUnwinder, Unwinder as _};

/// The file with edits of its directives in `.eh_frame`, and with the `.sframe` that follows from
/// it, if it has one.
pub(crate) fn corrected(file: &Bytes, edits: &[RepairEdit]) -> anyhow::Result<Vec<u8>> {
    let image = elf::load("copy", file)?;
    let section = image.section(".eh_frame").context("it has no .eh_frame")?;
    let place = (&section.bytes[..], section.address);
    let table = table(&image, section);
    let mut of_functions: BTreeMap<u64, Vec<CfiEdit>> = BTreeMap::new();
    for edit in edits {
        let function = table.function_at(Pc(edit.pc)).context("the table has no such function")?;
        of_functions.entry(function.start.0).or_default().push(instruction(edit, image.abi)?);
    }
    let edits: Vec<(u64, Vec<CfiEdit>)> = of_functions.into_iter().collect();
    let is_object = image.kind == ImageKind::Relocatable;
    let room = if is_object { Room::Any } else { Room::Own };
    let made = rewritten(image.abi, place, &edits, room);
    let made = made.context(if is_object { "the instructions have another form" } else { "no room in .eh_frame" })?;
    match is_object {
        true => object(file, &image, section, made),
        false => linked(file, &image, section, &made.bytes),
    }
}

fn table(image: &Image, section: &ImageSection) -> CfiUnwinder {
    let eh_frame = Some((section.address, &section.bytes[..]));
    CfiUnwinder::new(image.abi, &CfiSections { eh_frame, ..CfiSections::default() })
}

fn object(file: &Bytes, image: &Image, section: &ImageSection, made: Rewritten) -> anyhow::Result<Vec<u8>> {
    let old = relocations(file, section.index)?;
    // The symbols of the addresses that relative fields lead to.
    let order = image.abi.facts().order;
    let mut symbols: BTreeMap<u64, Rela> = BTreeMap::new();
    for rela in &old {
        let field = section.bytes.get(rela.offset as usize..).and_then(|bytes| bytes.first_chunk::<4>());
        let distance = order.u32(*field.context("a relocation outside of .eh_frame")?).cast_signed();
        let from = section.address.wrapping_add(rela.offset);
        symbols.insert(from.wrapping_add_signed(i64::from(distance)), *rela);
    }
    let mut bytes = made.bytes;
    let mut moved = Vec::new();
    for rela in old {
        let entry = made.moved.iter().find(|(before, _)| before.contains(&rela.offset));
        let (before, now) = entry.context("a relocation outside of all entries")?;
        let offset = now + (rela.offset - before.start);
        // The addend is in the relocation.
        if let Some(field) = bytes.get_mut(offset as usize..offset as usize + 4) {
            field.fill(0);
        }
        moved.push(Rela { offset, ..rela });
    }
    let copy = with_contents(file, &[SectionContents { section: section.index, bytes, relocations: moved }])?;
    let Some(sframe) = image.section(".sframe") else { return Ok(copy) };
    let kind = relocations(file, sframe.index)?.first().context(".sframe has no relocations")?.info & 0xffff_ffff;
    let again = elf::load("copy", &copy.clone().into())?;
    let section = again.section(".eh_frame").context("no .eh_frame")?;
    let made = synthesise::relocatable(input(&again, section, sframe))?;
    let rela = |(offset, start): &(u64, u64)| {
        let symbol = symbols.get(start).context("a function without a symbol")?;
        Ok(Rela { offset: *offset, info: symbol.info & !0xffff_ffff | kind, addend: symbol.addend })
    };
    let relocations = made.starts.iter().map(rela).collect::<anyhow::Result<_>>()?;
    Ok(with_contents(&copy, &[SectionContents { section: sframe.index, bytes: made.bytes, relocations }])?)
}

fn linked(file: &Bytes, image: &Image, section: &ImageSection, bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut copy = file.to_vec();
    let from = usize::try_from(section.file_offset)?;
    let place = copy.get_mut(from..from.saturating_add(bytes.len())).context(".eh_frame is outside of the file")?;
    place.copy_from_slice(bytes);
    let Some(sframe) = image.section(".sframe") else { return Ok(copy) };
    let again = elf::load("copy", &copy.clone().into())?;
    let section = again.section(".eh_frame").context("no .eh_frame")?;
    let mut failed = None;
    let copy = with_sframe(&copy, |address| {
        let made = synthesise::section(input(&again, section, sframe), address);
        made.map(|made| made.bytes).map_err(|error| failed = Some(error)).unwrap_or_default()
    })?;
    failed.map_or(Ok(copy), |error| Err(error.into()))
}

fn input<'i>(image: &Image, eh_frame: &'i ImageSection, sframe: &ImageSection) -> Input<'i> {
    let is_v3 = sframe.bytes.get(2) == Some(&3);
    let version = if is_v3 { SframeVersion::V3 } else { SframeVersion::V2Errata1 };
    Input { abi: image.abi, version, eh_frame: (eh_frame.address, &eh_frame.bytes) }
}

/// The edit of a directive as one of instructions.
fn instruction(edit: &RepairEdit, abi: Abi) -> anyhow::Result<CfiEdit> {
    let (removed, added) = match edit.action {
        RepairAction::Insert => (None, Some(edit.pc)),
        RepairAction::Delete => (Some(edit.pc), None),
        RepairAction::Change => (Some(edit.pc), Some(edit.pc)),
        RepairAction::Move => (edit.from, Some(edit.pc)),
    };
    ensure!(edit.action != RepairAction::Move || removed.is_some(), "{} stands nowhere", edit.directive);
    let cfi = cfi(&edit.directive, abi).with_context(|| format!("{} is not written", edit.directive))?;
    Ok(CfiEdit { cfi, removed, added })
}

fn cfi(directive: &str, abi: Abi) -> Option<Cfi> {
    let (word, operands) = directive.split_once(' ').unwrap_or((directive, ""));
    let operand = |nth| operands.split(',').nth(nth).map(str::trim);
    let reg = |nth| -> Option<Reg> { directives::register_number(operand(nth)?, abi) };
    let number = |nth| -> Option<i64> { operand(nth)?.parse().ok() };
    Some(match word {
        ".cfi_def_cfa" => Cfi::DefCfa(reg(0)?, number(1)?),
        ".cfi_def_cfa_offset" => Cfi::DefCfaOffset(number(0)?),
        ".cfi_def_cfa_register" => Cfi::DefCfaRegister(reg(0)?),
        ".cfi_offset" => Cfi::Offset(reg(0)?, number(1)?),
        ".cfi_val_offset" => Cfi::ValOffset(reg(0)?, number(1)?),
        ".cfi_register" => Cfi::Register(reg(0)?, reg(1)?),
        ".cfi_restore" => Cfi::Restore(reg(0)?),
        ".cfi_undefined" => Cfi::Undefined(reg(0)?),
        ".cfi_same_value" => Cfi::SameValue(reg(0)?),
        ".cfi_negate_ra_state" => Cfi::NegateRaState,
        ".cfi_remember_state" => Cfi::RememberState,
        ".cfi_restore_state" => Cfi::RestoreState,
        _ => return None,
    })
}
