//! Rules about relocations: each start field of an object file has the right one; relocations kept
//! in a linked file agree with its contents.

use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use spec::{RuleId, Severity};
use types::elf::{SHF_ALLOC, SHF_EXECINSTR};
use types::{Image, ImageKind, ImageSection, Relocation};

use super::arch::{Arch, arch};
use super::report::{BreachAt, Report};
use super::view::{FunctionView, View};

/// Checks the relocations of the section.
pub(crate) fn check(view: &View<'_>, report: &mut Report) {
    let own = view.image.sframe_relocations.iter().filter(|relocation| relocation.section as usize == view.home.index);
    if view.linked() {
        kept(view, own, report);
    } else {
        object(view, own, report);
    }
}

/// Checks that nothing relocates a section without bytes, as of one that was emptied.
pub(crate) fn empty(image: &Image, home: &ImageSection, report: &mut Report) {
    let mut own = image.sframe_relocations.iter().filter(|one| one.section as usize == home.index);
    let Some(first) = own.next().filter(|_| image.kind == ImageKind::Relocatable) else { return };
    report.add(RuleId::ElfStrayRelocation, BreachAt::default(), || {
        format!("a relocation of {:#x}, and {} others, in a section without bytes", first.offset, own.count())
    });
}

/// The function whose start field is at an offset of the section.
fn at_start_field(view: &View<'_>, offset: u64) -> Option<FunctionView> {
    let header = &view.section.header;
    let from_table = offset.checked_sub(header.fdes_at())?;
    if from_table.checked_rem(header.format.entry_size()) != Some(0) {
        return None;
    }
    view.function(u32::try_from(from_table.checked_div(header.format.entry_size())?).ok()?)
}

fn object<'r>(view: &View<'_>, own: impl Iterator<Item = &'r Relocation>, report: &mut Report) {
    let mut sections: Vec<&ImageSection> = view.image.sections.iter().collect();
    sections.sort_by_key(|section| section.index);
    let mut counts = vec![0_u32; view.section.header.num_fdes as usize];
    let mut groups = BTreeSet::new();
    for relocation in own {
        let place = BreachAt::byte(relocation.offset);
        if arch(view.image.abi).none.contains(&relocation.kind) {
            report
                .add(RuleId::ElfStrayRelocation, place, || format!("a relocation of type NONE ({})", relocation.kind));
            continue;
        }
        let Some(function) = at_start_field(view, relocation.offset) else {
            report.add(RuleId::ElfStrayRelocation, place, || {
                format!("a relocation of type {} where no start field is", relocation.kind)
            });
            continue;
        };
        if let Some(count) = counts.get_mut(function.entry.index as usize) {
            *count = count.saturating_add(1);
        }
        let place = place.about(function.range);
        let expected = start_type(arch(view.image.abi), view.section.start_width());
        if relocation.kind != expected {
            report.add(RuleId::ElfRelocationType, place, || {
                format!("relocation type {} on a start field, expected {expected}", relocation.kind)
            });
        }
        let home = relocation.symbol_section.and_then(|index| {
            let at = sections.binary_search_by_key(&(index as usize), |section| section.index).ok()?;
            sections.get(at).copied()
        });
        target(relocation, home, &function, place, report);
        let grouped = home.filter(|home| home.comdat && relocation.symbol_local && !view.home.comdat);
        if let Some(home) = grouped.filter(|home| groups.insert(home.index)) {
            // All current assemblers do this, and linkers handle it.
            report.add_as(RuleId::ElfComdatReference, Severity::Info, place, || {
                format!("refers to {} in a COMDAT group by a local symbol", home.name)
            });
        }
    }
    for (function, count) in view.functions().zip(counts) {
        let place = BreachAt::byte(function.entry.offset).about(function.range);
        if count != 1 {
            report.add(RuleId::ElfRelocationPerFunction, place, || {
                format!("FDE {} has {count} relocations on its start field", function.entry.index)
            });
        }
        start_field(view, &function, place, report);
    }
}

fn target(
    relocation: &Relocation,
    home: Option<&ImageSection>,
    function: &FunctionView,
    place: BreachAt,
    report: &mut Report,
) {
    let start = relocation.symbol_address.and_then(|address| address.checked_add_signed(relocation.addend));
    let end = start.and_then(|start| start.checked_add(u64::from(function.entry.size)));
    let (Some(home), Some(start), Some(end)) = (home, start, end) else {
        report.add(RuleId::ElfRelocationTarget, place, || {
            format!("'{}' is not defined in this object", relocation.symbol)
        });
        return;
    };
    let limit = home.address.saturating_add(home.size);
    if !home.is_code() {
        report.add(RuleId::ElfRelocationTarget, place, || {
            let missing = [(SHF_ALLOC, "SHF_ALLOC"), (SHF_EXECINSTR, "SHF_EXECINSTR")];
            let missing = missing.into_iter().filter(|(flag, _)| home.flags & flag == 0).map(|(_, name)| name);
            format!("{} is not code: it has no {}", home.name, missing.collect::<Vec<_>>().join(" and "))
        });
    } else if start < home.address || end > limit {
        report.add(RuleId::ElfRelocationTarget, place, || {
            let at = |address: u64| i128::from(address).saturating_sub(i128::from(home.address));
            format!("{:#x}..{:#x} of {}, which has {:#x} bytes", at(start), at(end), home.name, home.size)
        });
    }
}

fn start_field(view: &View<'_>, function: &FunctionView, place: BreachAt, report: &mut Report) {
    let width = usize::from(view.section.start_width());
    let field = view.home.original.as_ref().and_then(|bytes| {
        let at = usize::try_from(function.entry.offset).ok()?;
        bytes.get(at..at.checked_add(width)?)
    });
    if let Some(field) = field.filter(|field| field.iter().any(|byte| *byte != 0)) {
        report.add(RuleId::ElfStartFieldNotZero, place, || {
            format!("the start field of FDE {} holds {field:02x?} under its relocation", function.entry.index)
        });
    }
}

fn kept<'r>(view: &View<'_>, own: impl Iterator<Item = &'r Relocation>, report: &mut Report) {
    for relocation in own.filter(|relocation| !arch(view.image.abi).none.contains(&relocation.kind)) {
        let place = BreachAt::byte(relocation.offset);
        let Some(function) = at_start_field(view, relocation.offset) else {
            report.add(RuleId::ElfEmittedRelocations, place, || {
                format!("a kept relocation against '{}' where no start field is", relocation.symbol)
            });
            continue;
        };
        let Some(leads_to) = relocation.symbol_address.and_then(|at| at.checked_add_signed(relocation.addend)) else {
            continue;
        };
        let start = function.range.map(|(start, _)| start);
        if start != Some(leads_to) {
            report.add(RuleId::ElfEmittedRelocations, place.about(function.range), || {
                format!(
                    "a kept relocation refers to {leads_to:#x}, the start field of FDE {} to {}",
                    function.entry.index,
                    start.map_or("nowhere".to_owned(), |start| format!("{start:#x}"))
                )
            });
        }
    }
}

/// Relocation type of a start field of 4 or 8 bytes.
fn start_type(arch: &Arch, width: u8) -> u32 {
    let (four_bytes, eight_bytes) = arch.pc_relative;
    if width == 8 { eight_bytes } else { four_bytes }
}
