//! Damage to `.sframe`: bytes and words in any position, fields by their meaning, and whole FDEs.

use super::{Change, Edit, Field, Spot};
use crate::reader::anatomy::{Anatomy, Descriptor, HEADER, Row};
use types::Rng;

/// Damages a section. Offsets are relative to its start. `None` if the drawn kind does not apply.
pub(super) fn damage(spot: &Spot<'_>, anatomy: &Anatomy, rng: &mut Rng) -> Option<Change> {
    match rng.below(20) {
        0..2 => Some(spot.byte(rng, 0, spot.bytes.len() as u64)?.of("sframe", "section")),
        2..4 => Some(spot.word(rng, 0, spot.bytes.len() as u64)?.of("sframe", "section")),
        4..6 => Some(field(spot, rng, header())?.of("header", "header")),
        6..9 => {
            let function = pick(rng, &anatomy.descriptors)?;
            let change = field(spot, rng, fields(function, anatomy))?;
            Some(change.of("fde", &format!("descriptor {},", index(anatomy, function))))
        }
        9..16 => {
            let (function, row) = pick_row(rng, anatomy)?;
            let change = field(spot, rng, row_fields(row))?;
            Some(change.of("row", &format!("descriptor {}, row", index(anatomy, function))))
        }
        16..18 => rows(spot, rng, anatomy),
        _ => descriptors(spot, rng, anatomy),
    }
}

fn pick<'a, T>(rng: &mut Rng, items: &'a [T]) -> Option<&'a T> {
    items.get(usize::try_from(rng.below(items.len() as u64)).ok()?)
}

fn pick_row<'a>(rng: &mut Rng, anatomy: &'a Anatomy) -> Option<(&'a Descriptor, &'a Row)> {
    let function = pick(rng, &anatomy.descriptors)?;
    Some((function, pick(rng, &function.rows)?))
}

fn index(anatomy: &Anatomy, function: &Descriptor) -> usize {
    anatomy.descriptors.iter().position(|other| other.at == function.at).unwrap_or(0)
}

fn field(spot: &Spot<'_>, rng: &mut Rng, fields: Vec<Field>) -> Option<Change> {
    let field = pick(rng, &fields)?;
    // The values of the same field in other places, as a mix-up would give.
    let others: Vec<u64> = fields
        .iter()
        .filter(|other| other.size == field.size)
        .filter_map(|other| spot.read(other.at, other.size))
        .collect();
    spot.change(rng, field, &others)
}

fn header() -> Vec<Field> {
    let names = [
        ("magic", 0, 2),
        ("version", 2, 1),
        ("flags", 3, 1),
        ("ABI", 4, 1),
        ("fixed FP", 5, 1),
        ("fixed RA", 6, 1),
        ("auxiliary length", 7, 1),
        ("functions", 8, 4),
        ("rows", 12, 4),
        ("row bytes", 16, 4),
        ("table offset", 20, 4),
        ("rows offset", 24, 4),
    ];
    names.into_iter().map(|(name, at, size)| Field { name, at, size }).collect()
}

fn fields(function: &Descriptor, anatomy: &Anatomy) -> Vec<Field> {
    let start = anatomy.header.version.start;
    let after = function.at + start;
    let mut fields = vec![
        Field { name: "start", at: function.at, size: start },
        Field { name: "size", at: after, size: 4 },
        Field { name: "offset of rows", at: after + 4, size: 4 },
    ];
    match function.attributes_at {
        Some(at) => fields.extend([
            Field { name: "number of rows", at, size: 2 },
            Field { name: "info", at: at + 2, size: 1 },
            Field { name: "second info", at: at + 3, size: 1 },
            Field { name: "block", at: at + 4, size: 1 },
        ]),
        None => {
            fields.extend([
                Field { name: "number of rows", at: after + 8, size: 4 },
                Field { name: "info", at: after + 12, size: 1 },
            ]);
            if function.block.is_some() {
                fields.extend([
                    Field { name: "block", at: after + 13, size: 1 },
                    Field { name: "padding", at: after + 14, size: 2 },
                ]);
            }
        }
    }
    fields
}

fn row_fields(row: &Row) -> Vec<Field> {
    let mut fields = vec![
        Field { name: "start", at: row.at, size: row.start_size },
        Field { name: "info", at: row.info_at(), size: 1 },
    ];
    let words = ["word 0", "word 1", "word 2", "word 3", "word 4", "word 5"];
    for (name, index) in words.into_iter().zip(0..row.words.len() as u64) {
        let word = Field { name, at: row.words_at() + index * row.word_size, size: row.word_size };
        // Words are the main content of rows, so they are drawn more often.
        fields.extend([word, word]);
    }
    fields
}

/// Replaces rows by others of the same size.
fn rows(spot: &Spot<'_>, rng: &mut Rng, anatomy: &Anatomy) -> Option<Change> {
    let (function, row) = pick_row(rng, anatomy)?;
    let alike: Vec<&Row> = anatomy
        .descriptors
        .iter()
        .flat_map(|other| &other.rows)
        .filter(|other| other.at != row.at && other.end() - other.info_at() == row.end() - row.info_at())
        .collect();
    let other = pick(rng, &alike)?;
    let (mine, theirs) = (spot.slice(row.info_at(), row.end())?, spot.slice(other.info_at(), other.end())?);
    let name = format!("descriptor {}, row at {:#x}", index(anatomy, function), row.at);
    Some(match rng.below(2) {
        0 => {
            let what = format!("{name}: a copy of the row at {:#x}", other.at);
            Change::new("row-copied", what, vec![Edit::new(row.info_at(), theirs)])
        }
        _ => {
            let edits = vec![Edit::new(row.info_at(), theirs), Edit::new(other.info_at(), mine)];
            Change::new("row-swapped", format!("{name}: swapped with the row at {:#x}", other.at), edits)
        }
    })
}

/// Damages whole FDEs, or the parts of them that can be exchanged.
fn descriptors(spot: &Spot<'_>, rng: &mut Rng, anatomy: &Anatomy) -> Option<Change> {
    let entry = anatomy.header.version.entry;
    let (one, two) = (pick(rng, &anatomy.descriptors)?, pick(rng, &anatomy.descriptors)?);
    let names = (index(anatomy, one), index(anatomy, two));
    let whole = |function: &Descriptor| spot.slice(function.at, function.at + entry);
    // Size and rows, without the start: the table stays sorted.
    let after = |function: &Descriptor| function.at + anatomy.header.version.start;
    let rest = |function: &Descriptor, size: u64| spot.slice(after(function) + 4 - size, function.at + entry);
    let (operator, what, edits) = match rng.below(7) {
        0 => {
            let edits = vec![Edit::new(one.at, whole(two)?), Edit::new(two.at, whole(one)?)];
            ("fde-swapped", format!("descriptors {} and {} swapped", names.0, names.1), edits)
        }
        1 => {
            let edits = vec![Edit::new(one.at, whole(two)?)];
            ("fde-copied", format!("descriptor {}: a copy of {}", names.0, names.1), edits)
        }
        2 => {
            let zero = vec![0; usize::try_from(entry).ok()?];
            ("fde-zeroed", format!("descriptor {} zeroed", names.0), vec![Edit::new(one.at, zero)])
        }
        3 => {
            let edits = vec![Edit::new(after(one) + 4, rest(two, 0)?), Edit::new(after(two) + 4, rest(one, 0)?)];
            ("fde-rows-swapped", format!("descriptors {} and {}: rows swapped", names.0, names.1), edits)
        }
        4 => {
            let edits = vec![Edit::new(after(one), rest(two, 4)?), Edit::new(after(two), rest(one, 4)?)];
            ("fde-sizes-swapped", format!("descriptors {} and {}: sizes and rows swapped", names.0, names.1), edits)
        }
        5 => {
            let edits = vec![Edit::new(after(one) + 4, rest(two, 0)?)];
            ("fde-rows-copied", format!("descriptor {}: rows of {}", names.0, names.1), edits)
        }
        _ => ("fde-dropped", format!("descriptor {} dropped", names.0), dropped(spot, anatomy, one)?),
    };
    Some(Change::new(operator, what, edits))
}

/// Removes a function and its rows: the header is adjusted, zeros fill the end.
fn dropped(spot: &Spot<'_>, anatomy: &Anatomy, function: &Descriptor) -> Option<Vec<Edit>> {
    let Anatomy { header, descriptors } = anatomy;
    if spot.relocated || descriptors.len() < 2 || header.table_at != HEADER {
        return None;
    }
    let from = header.rows_at.checked_add(function.rows_offset)?;
    let gone = function.end.checked_sub(from)?;
    let mut table = Vec::new();
    for kept in descriptors.iter().filter(|kept| kept.at != function.at) {
        let mut entry = spot.slice(kept.at, kept.at + header.version.entry)?;
        // Starts relative to their own field are farther from the function, and later rows are
        // closer to the first.
        let pcrel = header.version.counts_from_field(header.flags);
        let moved = if pcrel && kept.at > function.at { header.version.entry } else { 0 };
        let start = kept.start.checked_add_unsigned(moved)?;
        let rows = if kept.rows_offset > function.rows_offset { kept.rows_offset - gone } else { kept.rows_offset };
        spot.put(&mut entry, 0, start as u64, header.version.start)?;
        spot.put(&mut entry, header.version.start + 4, rows, 4)?;
        table.extend(entry);
    }
    let end = header.rows_at.checked_add(header.row_bytes)?;
    let mut rest = spot.slice(header.table_at, header.table_at + header.functions * header.version.entry)?;
    let length = rest.len();
    rest.clear();
    rest.extend(table);
    rest.extend(spot.slice(header.rows_at, from)?);
    rest.extend(spot.slice(function.end, end)?);
    rest.resize(length + usize::try_from(header.row_bytes).ok()?, 0);
    let mut head = spot.slice(0, HEADER)?;
    for (at, value) in [
        (8, header.functions - 1),
        (12, header.rows.checked_sub(function.row_count)?),
        (16, header.row_bytes.checked_sub(gone)?),
        (24, (header.functions - 1) * header.version.entry),
    ] {
        spot.put(&mut head, at, value, 4)?;
    }
    head.extend(rest);
    Some(vec![Edit::new(0, head)])
}
