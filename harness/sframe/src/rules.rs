//! What the format demands of a section and of the file around it.
//!
//! Rules that one file can show are checked here; each is an entry of the catalogue in `spec`,
//! which cites where it comes from. Breaches carry byte offsets from the start of the section, and
//! the code they are about at its address in the image. All arithmetic is done in 64 bits, and work
//! is bounded by the bytes of the section and of the code.

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
    /// Broken rules.
    pub breaches: Vec<Breach>,
    /// The table that code was looked at by; `None` if the section cannot be read. Its
    /// [`Table::place`] is where starts lead into code.
    pub table: Option<Table>,
}

/// Checks a `.sframe` section of an image: the section itself, its statements about the image's
/// code, and the ELF headers and relocations that belong to it. Breaches come in the order of the
/// rules' groups, at most [`BREACHES_PER_RULE`] of each rule and then one that counts the rest.
pub fn validate(image: &Image, section: &ImageSection) -> Vec<Breach> {
    check(image, section).breaches
}

/// Checks a section as [`validate`] does, and gives the table that it was read into.
pub fn check(image: &Image, section: &ImageSection) -> Checked {
    let mut report = Report::default();
    let mut read = None;
    let readable = header::check(image, section, &mut report);
    container::check(image, section, &mut report);
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

/// How many breaches of one rule are listed before the rest is only counted: a hostile section can
/// break a rule in every row.
pub const BREACHES_PER_RULE: usize = 64;
