//! Sizes of an object's tables.

use results::TableCost;
use types::elf::SHF_EXECINSTR;
use types::{Image, ImageSection};
use unwind::Unwinder as _;

use crate::Part;

/// Name of the section that is synthesised from `.eh_frame` and in no file.
const SYNTHESISED: &str = ".sframe, synthesised";

/// The tables of an object.
pub(crate) fn tables(part: &Part<'_>, own: bool) -> Vec<TableCost> {
    let image = part.image;
    let code = image.sections.iter().filter(|section| section.is_alloc() && section.flags & SHF_EXECINSTR != 0);
    let text = code.map(|section| section.size).sum();
    let cost = |section: &str, bytes: u64, functions: usize| TableCost {
        file: image.name.clone(),
        own,
        section: section.to_owned(),
        bytes,
        functions: functions as u64,
        text,
    };
    let eh_frame = part.tables.cfi.as_ref().map(|table| {
        let bytes = size(image, ".eh_frame").saturating_add(size(image, ".eh_frame_hdr"));
        cost(".eh_frame", bytes, table.functions().len())
    });
    let sframe = part.tables.sframe.as_ref().map(|table| {
        let bytes = image.sframe_sections().map(|section| section.size).sum();
        cost(".sframe", bytes, table.functions().len())
    });
    let synthesised = part.synthesised.map(|made| cost(SYNTHESISED, made.bytes, made.table.functions().len()));
    eh_frame.into_iter().chain(sframe).chain(synthesised).collect()
}

fn size(image: &Image, name: &str) -> u64 {
    image.section(name).filter(|section: &&ImageSection| section.is_alloc()).map_or(0, |section| section.size)
}
