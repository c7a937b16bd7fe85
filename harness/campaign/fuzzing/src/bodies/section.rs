//! Fuzzes `.sframe`: syntax, meaning, rules, dump, removal of functions and rows.

use sframe::cut::Cut;
use sframe::{Placement, Section, Table};

use super::{Nowhere, image};

pub(crate) fn run(input: &[u8]) -> bool {
    let Some(image) = image::from_input(input, ".sframe") else { return false };
    let Some(section) = image.section(".sframe") else { return false };
    let place = Placement::in_file(image.kind, section.address);
    let _ = sframe::validate(&image, section);
    let _ = sframe::dump(&section.bytes, place, &mut Nowhere);
    let Ok(parsed) = Section::parse(&section.bytes) else { return false };
    if let Ok(table) = Table::new(&parsed, place) {
        for function in table.functions() {
            for pc in function.boundaries().take(64) {
                let _ = (function.unwind_row(pc), table.find(pc));
            }
        }
    }
    cut(&parsed);
    true
}

/// Removes the first few functions, first whole, then row by row.
fn cut(section: &Section<'_>) {
    for piece in section.pieces().into_iter().take(3) {
        let whole = Cut { functions: [piece.function].into(), ..Cut::default() };
        let row = piece.rows.first().map(|row| Cut { rows: [*row].into(), ..Cut::default() });
        for cut in std::iter::once(whole).chain(row) {
            let _ = section.without(&cut, &|_| true);
        }
    }
}
