//! Changes of what many functions share: columns of CIEs, entries of the search table.

use super::super::hdr::{ENTRY, HEAD, Hdr};
use super::{ChangedRow, Drawn, has_caller};
use crate::blind::cfi;
use crate::blind::elf::Section;
use crate::blind::view::View;
use types::Rng;

/// Columns that are drawn from, beyond the general registers.
const MORE_COLUMNS: u64 = 4;

/// Each CIE has another column for the return address.
pub(super) fn columns(view: &View, section: &Section, before: &[u8], rng: &mut Rng) -> Option<Drawn> {
    let functions = &view.cfi.as_ref()?.functions;
    let mut contents = before.to_vec();
    let columns = u64::from(view.abi().facts().general_registers) + MORE_COLUMNS;
    let mut places: Vec<u64> = functions.iter().map(|function| function.column_at).collect();
    places.sort_unstable();
    places.dedup();
    for place in places {
        let byte = contents.get_mut(usize::try_from(place).ok()?)?;
        let other = (u64::from(*byte) + 1 + rng.below(columns - 1)) % columns;
        *byte = u8::try_from(other).ok()?;
    }
    let now = cfi::read(view.abi(), &contents, section.address).functions;
    let changed = functions.iter().filter(|function| has_caller(function)).filter_map(|function| {
        let index = now.binary_search_by_key(&function.at, |other| other.at).ok()?;
        let (was, is) = (function.whole.ra, now.get(index)?.whole.ra);
        let column = |number: u64| format!("column {number}");
        let range = (function.start, function.end);
        (was != is).then(|| ChangedRow {
            was: column(was),
            is: column(is),
            pcs: vec![range],
            ..ChangedRow::none(range)
        })
    });
    let rows = changed.collect();
    Some(Drawn { contents, rows, functions: functions.len() })
}

/// The entry of one function leads to the FDE of the next.
pub(super) fn search(view: &View, hdr: &Hdr, before: &[u8], rng: &mut Rng) -> Option<Drawn> {
    let mut contents = before.to_vec();
    let last = (hdr.entries.len() as u64).checked_sub(1).filter(|last| *last > 0)?;
    let index = rng.below(last);
    let fde = |index: u64| usize::try_from(HEAD + index * ENTRY + ENTRY / 2).ok();
    let word: [u8; 4] = *contents.get(fde(index + 1)?..)?.first_chunk()?;
    contents.get_mut(fde(index)?..)?.first_chunk_mut().map(|place| *place = word)?;
    let functions = &view.cfi.as_ref()?.functions;
    let (start, fde) = *hdr.entries.get(usize::try_from(index).ok()?)?;
    let (_, other) = *hdr.entries.get(usize::try_from(index + 1).ok()?)?;
    let function = functions.iter().find(|function| function.start == start)?;
    let range = (function.start, function.end);
    let leads = |fde: u64| format!("to the FDE at {fde:#x}");
    let row = ChangedRow { was: leads(fde), is: leads(other), pcs: vec![range], ..ChangedRow::none(range) };
    Some(Drawn { contents, rows: vec![row], functions: functions.len() })
}
