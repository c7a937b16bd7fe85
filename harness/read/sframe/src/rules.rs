//! Checks the format's rules of a section and of the file that contains it.
//!
//! Rules that a single file can show are checked here; each is in the catalogue of `spec`, which
//! cites its source. Breaches have byte offsets from the start of the section, and the address of
//! the code in the image. Arithmetic is done in 64 bits, and time is bounded by the bytes of the
//! section and of the code.

use alloc::vec::Vec;

mod address;
mod arch;
mod area;
mod blocks;
mod calls;
mod container;
mod default_row;
mod flex_row;
mod function;
mod header;
mod plt;
mod relocation;
mod report;
mod row;
mod version;
mod view;

use spec::Breach;
use types::{Image, ImageSection};

use crate::Table;
use report::Report;
use view::View;

/// The result of checking a section.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Checked {
    /// Breaches of rules.
    pub breaches: Vec<Breach>,
    /// The table with which code was examined; `None` if the section cannot be read.
    /// [`Table::place`] has the base of function starts.
    pub table: Option<Table>,
}

/// Checks a `.sframe` section of an image: the section itself, its description of the image's code,
/// and the ELF headers and relocations that belong to it. Breaches are in the order of the rules'
/// groups: at most [`BREACHES_PER_RULE`] for each rule, then one that counts the rest.
pub fn validate(image: &Image, section: &ImageSection) -> Vec<Breach> {
    check(image, section).breaches
}

/// Checks a section like [`validate`], and returns also the table.
pub fn check(image: &Image, section: &ImageSection) -> Checked {
    let mut report = Report::default();
    let mut read = None;
    let readable = header::check(image, section, &mut report);
    container::check(image, section, &mut report);
    if section.bytes.is_empty() {
        relocation::empty(image, section, &mut report);
    }
    if let Some(readable) = readable {
        let view = View::new(image, section, readable, &mut report);
        address::check(&view, &mut report);
        let blobs = function::check(&view, &mut report);
        area::check(&view, &blobs, &mut report);
        relocation::check(&view, &mut report);
        if let Ok(table) = Table::new(&view.section, view.place) {
            let mut scan = arch::Scan::new(image);
            blocks::check(&view, &table, &mut scan, &mut report);
            plt::check(&view, &table, &mut scan, &mut report);
            calls::check(&view, &table, &mut scan, &mut report);
            read = Some(table);
        }
    }
    Checked { breaches: report.finish(), table: read }
}

/// Maximum number of breaches listed for a rule; further ones are only counted, because a hostile
/// section can break a rule in every row.
pub const BREACHES_PER_RULE: usize = 64;
