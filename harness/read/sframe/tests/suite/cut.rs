//! Removing functions and rows: the result equals the output of a writer that never had them.

use std::collections::BTreeSet;

use sframe::cut::{Cut, CutError};
use sframe::{FuncEntry, Section};

use crate::examples::FUNCTION;
use crate::file::{Func, Spec};

/// Rows of one-byte starts and offsets; the middle one with two words, so that lengths differ.
const ROWS: [&[u8]; 3] = [&[0, 0x03, 0x08], &[1, 0x05, 0x10, 0xf0], &[5, 0x03, 0x18]];

/// Version and ABI byte: both byte orders of each version that has them.
const LAYOUTS: [(u8, u8); 6] = [(1, 2), (1, 1), (2, 3), (2, 4), (3, 3), (3, 1)];

/// The function at this position, with the rows at these positions.
fn function(nth: u32, rows: &[usize]) -> Func {
    let bytes: Vec<u8> = rows.iter().flat_map(|row| ROWS[*row]).copied().collect();
    Func::new(FUNCTION + u64::from(nth) * 0x40, 0x20 + nth, rows.len() as u32, &bytes)
}

fn from_flag(section: &Section<'_>) -> impl Fn(&FuncEntry) -> bool + use<> {
    let pcrel = section.header.flags.pcrel();
    move |_| pcrel
}

fn without(bytes: &[u8], cut: &Cut) -> Vec<u8> {
    let section = Section::parse(bytes).expect("a section");
    section.without(cut, &from_flag(&section)).expect("a cut").bytes
}

fn functions(positions: impl IntoIterator<Item = u32>) -> Cut {
    Cut { functions: positions.into_iter().collect(), rows: BTreeSet::new() }
}

/// All subsets of three functions and rows, in every layout, with all offsets, counts and
/// PC-relative starts.
#[test]
fn what_remains_is_as_if_the_rest_had_never_been() {
    for (version, abi) in LAYOUTS {
        let bytes = Spec::new(version, abi, (0..3).map(|nth| function(nth, &[0, 1, 2])).collect()).bytes(0x8000);
        let section = Section::parse(&bytes).expect("a section");
        // For each function the kept rows, as bits; 0: the function is removed with them.
        for choice in 0..8 * 8 * 8_u32 {
            let (mut cut, mut wanted) = (Cut::default(), Vec::new());
            for (nth, piece) in section.pieces().iter().enumerate() {
                assert_eq!((piece.rows.len(), piece.unread), (3, None));
                let stays = |row: &usize| choice >> (3 * nth + row) & 1 == 1;
                let rows: Vec<usize> = (0..3).filter(stays).collect();
                if rows.is_empty() {
                    cut.functions.insert(nth as u32);
                } else {
                    cut.rows.extend((0..3).filter(|row| !stays(row)).map(|row| piece.rows[row]));
                    wanted.push(function(nth as u32, &rows));
                }
            }
            assert_eq!(without(&bytes, &cut), Spec::new(version, abi, wanted).bytes(0x8000), "v{version} {choice:o}");
        }
    }
}

/// Every byte changed in four ways: a result or an error, and exactly the reported bytes are
/// removed.
#[test]
fn hostile_bytes_are_cut_or_refused() {
    let (mut cuts, mut refused) = (0, 0);
    for (version, abi) in LAYOUTS {
        let whole = Spec::new(version, abi, (0..3).map(|nth| function(nth, &[0, 1, 2])).collect()).bytes(0);
        for (at, value) in (4..whole.len()).flat_map(|at| [0, 1, 0x7f, 0xff].map(|value| (at, value))) {
            let mut bytes = whole.clone();
            bytes[at] = value;
            let Ok(section) = Section::parse(&bytes) else { continue };
            let pieces = section.pieces();
            let rows: Vec<u64> = pieces.iter().flat_map(|piece| piece.rows.clone()).collect();
            for (function, row) in (0..3).flat_map(|function| rows.iter().map(move |row| (function, *row))) {
                let cut = Cut { functions: [function].into(), rows: [row].into() };
                match section.without(&cut, &from_flag(&section)) {
                    Ok(rest) => {
                        let gone: u64 = rest.gone.iter().map(|range| range.end - range.start).sum();
                        assert_eq!(rest.bytes.len() as u64 + gone, bytes.len() as u64);
                        cuts += 1;
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(cuts > 1000 && refused > 10, "{cuts} cuts, {refused} refused");
}

#[test]
fn a_field_that_a_relocation_fills_stays_as_it_is() {
    let bytes = Spec::new(2, 3, (0..2).map(|nth| function(nth, &[0])).collect()).bytes(0);
    let section = Section::parse(&bytes).expect("a section");
    let rest = section.without(&functions([0]), &|_| false).expect("a cut");
    assert_eq!(rest.bytes[28..32], bytes[48..52]);
    assert_eq!(rest.gone, [28..48, 68..71]);
}

/// The producer's errors are preserved, and so are the auxiliary header and bytes that belong to no
/// function.
#[test]
fn what_is_wrong_stays_as_wrong() {
    let with = |functions: Vec<Func>, rows: u8| {
        let mut bytes = Spec::new(2, 3, functions).bytes(0);
        bytes[12] = rows;
        bytes.extend([0xaa, 0xbb]);
        bytes
    };
    let cut = without(&with((0..3).map(|nth| function(nth, &[0, 1])).collect(), 7), &functions([1]));
    assert_eq!(cut, with(vec![function(0, &[0, 1]), function(2, &[0, 1])], 5), "one row too many before, and after");
    let mut auxiliary = Spec::new(1, 3, (0..2).map(|nth| function(nth, &[0])).collect()).bytes(0);
    auxiliary[7] = 3;
    auxiliary.splice(28..28, [1, 2, 3]);
    let cut = without(&auxiliary, &functions([1]));
    assert_eq!(cut[28..31], [1, 2, 3]);
    assert_eq!(Section::parse(&cut).expect("a section").functions().count(), 1);
}

#[test]
fn rows_of_two_functions_stay_with_the_other() {
    let mut second = function(1, &[]);
    (second.count, second.fre_off) = (3, Some(0));
    let bytes = Spec::new(2, 3, vec![function(0, &[0, 1, 2]), second]).bytes(0);
    for position in [0, 1] {
        let cut = without(&bytes, &functions([position]));
        let section = Section::parse(&cut).expect("a section");
        let left = section.functions().next().expect("a function").expect("a function");
        assert_eq!(section.rows(&left).filter_map(Result::ok).count(), 3, "without {position}");
    }
    let row = Section::parse(&bytes).expect("a section").pieces()[0].rows[1];
    let both = without(&bytes, &Cut { functions: BTreeSet::new(), rows: [row].into() });
    let section = Section::parse(&both).expect("a section");
    assert!(section.pieces().iter().all(|piece| piece.rows.len() == 2 && piece.unread.is_none()));
    // A function that begins inside a row of the other, once with a readable row: the other's row
    // cannot be removed alone.
    for (offset, row, reads) in [(1, 0, true), (4, 1, false)] {
        let mut inside = function(1, &[]);
        (inside.count, inside.fre_off) = (1, Some(offset));
        let bytes = Spec::new(2, 3, vec![function(0, &[0, 1, 2]), inside]).bytes(0);
        let section = Section::parse(&bytes).expect("a section");
        let pieces = section.pieces();
        assert_eq!(pieces[1].unread.is_none(), reads);
        let row = pieces[0].rows[row];
        let cut = Cut { functions: BTreeSet::new(), rows: [row].into() };
        assert_eq!(section.without(&cut, &|_| true), Err(CutError::Shared(row)));
    }
}

#[test]
fn rows_that_cannot_be_read_are_told() {
    let mut odd = function(0, &[0, 1]);
    odd.rows[4] = 0x65;
    let bytes = Spec::new(2, 3, vec![odd, function(1, &[0])]).bytes(0);
    let section = Section::parse(&bytes).expect("a section");
    let pieces = section.pieces();
    assert_eq!((pieces[0].rows.len(), pieces[1].rows.len()), (1, 1));
    assert!(pieces[0].unread.is_some_and(|error| error.offset == section.header.fres_at() + 4));
    let cut = without(&bytes, &functions([0]));
    assert_eq!(Section::parse(&cut).expect("a section").functions().count(), 1);
}
