//! Checks the sections of `.eh_frame` as wholes: that they are loaded, named, and not terminated
//! early.

use results::{Blame, Finding, Shape};
use spec::RuleId;
use types::elf::{PT_GNU_EH_FRAME, SHF_EXECINSTR, SHT_NOBITS};
use types::{Aspect, Image, ImageKind, ImageSection};
use unwind::CfiUnwinder;

use crate::blame::Table;
use crate::tables::Tables;

/// The findings about an image.
pub(crate) fn findings(image: &Image, tables: &Tables) -> Vec<Finding> {
    let early = tables.cfi.as_ref().and_then(terminated_early);
    early.into_iter().chain(not_loaded(image)).chain(misnamed(image)).collect()
}

/// Reports a terminator that entries follow.
fn terminated_early(cfi: &CfiUnwinder) -> Option<Finding> {
    let terminator = cfi.early_terminator()?;
    let mut found = Finding::new(RuleId::EhFrameTerminator, Blame::EhFrame, Table::EhFrame.section(), Shape::Rule);
    found.shown.message = format!(
        "a zero length at {:#x} ends the section, and an entry at {:#x} follows",
        terminator.offset, terminator.next
    );
    Table::EhFrame.section().clone_into(&mut found.shown.section);
    found.shown.offset = Some(terminator.offset);
    found.evidence.field = Aspect::Structure;
    Some(found)
}

/// Reports a section of entries under another name: where a linked file has no `.eh_frame`, readers
/// in the running program take the one that the search table leads to.
fn misnamed(image: &Image) -> Option<Finding> {
    let name = Table::EhFrame.section();
    let holds = |section: &&ImageSection| {
        let has_bytes = section.is_alloc() && section.size > 0 && section.kind != SHT_NOBITS;
        has_bytes && section.flags & SHF_EXECINSTR == 0 && section.name != name
    };
    let found = match image.kind {
        ImageKind::Relocatable => {
            let is_relocated = image.section(".rela.eh_frame").is_some() && image.section(name).is_none();
            is_relocated.then(|| ".rela.eh_frame relocates a section of another name".to_owned())
        }
        ImageKind::Executable | ImageKind::Dynamic | ImageKind::Shared => {
            // An empty one may be where the next section begins.
            let table = image.section(name).filter(|table| table.size > 0)?;
            let other = image.sections.iter().filter(holds).find(|other| other.address == table.address)?;
            Some(format!(".eh_frame_hdr leads to the section {}", other.name))
        }
    };
    let mut finding = Finding::new(RuleId::EhFrameSectionName, Blame::Linker, name, Shape::Rule);
    finding.shown.message = format!("{}: readers of files look for {name}", found?);
    name.clone_into(&mut finding.shown.section);
    finding.evidence.field = Aspect::Structure;
    Some(finding)
}

/// Reports sections that no readable segment loads, or that are not allocated.
fn not_loaded(image: &Image) -> Vec<Finding> {
    if image.kind == ImageKind::Relocatable || image.is_debug_only() {
        return Vec::new();
    }
    // Some linked files keep `.eh_frame` for debuggers alone, and then have no search table.
    let is_found = image.segments.iter().any(|segment| segment.kind == PT_GNU_EH_FRAME);
    let is_lost = |section: &&ImageSection| match section.is_alloc() {
        true => section.size > 0 && !image.is_loaded(section),
        false => is_found,
    };
    let finding = |section: &ImageSection| {
        let mut found = Finding::new(RuleId::EhFrameLoaded, Blame::Linker, section.name.as_str(), Shape::Rule);
        found.shown.message = format!(
            "{} of {}: {:#x}..{:#x} (file offset {:#x})",
            if section.is_alloc() {
                "no readable PT_LOAD segment holds all"
            } else {
                "SHF_ALLOC is missing in sh_flags"
            },
            section.name,
            section.address,
            section.address.saturating_add(section.size),
            section.file_offset
        );
        section.name.clone_into(&mut found.shown.section);
        found.evidence.field = Aspect::Structure;
        found
    };
    let sections = [".eh_frame", ".eh_frame_hdr"].into_iter().filter_map(|name| image.section(name));
    sections.filter(is_lost).map(finding).collect()
}
