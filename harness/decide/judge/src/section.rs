//! Checks the sections of `.eh_frame` as wholes: that they are loaded, and not terminated early.

use results::{Blame, Finding, Shape};
use spec::RuleId;
use types::{Aspect, Image, ImageKind, ImageSection};
use unwind::CfiUnwinder;

use crate::blame::Table;
use crate::tables::Tables;

/// The findings about an image.
pub(crate) fn findings(image: &Image, tables: &Tables) -> Vec<Finding> {
    let early = tables.cfi.as_ref().and_then(terminated_early);
    early.into_iter().chain(not_loaded(image)).collect()
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

/// Reports allocated sections that no readable segment loads.
fn not_loaded(image: &Image) -> Vec<Finding> {
    if image.kind == ImageKind::Relocatable || image.is_debug_only() {
        return Vec::new();
    }
    let is_lost = |section: &&ImageSection| section.is_alloc() && section.size > 0 && !image.is_loaded(section);
    let finding = |section: &ImageSection| {
        let mut found = Finding::new(RuleId::EhFrameLoaded, Blame::Linker, section.name.as_str(), Shape::Rule);
        found.shown.message = format!(
            "no readable PT_LOAD segment holds all of {}: {:#x}..{:#x} (file offset {:#x})",
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
