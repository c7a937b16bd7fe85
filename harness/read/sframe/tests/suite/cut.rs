//! Removing functions and rows: the result equals the output of a writer that never had them.

use std::collections::BTreeSet;

use sframe::cut::{Cut, CutError};
use sframe::{FuncEntry, Section};

use generators::sframe::{FunctionSpec, RowSpec, SectionSpec};
use types::{Abi, SframeVersion};

use crate::file::{bytes, encoded};

/// Three functions with rows of one-byte starts and words; the middle one has two words, so that
/// lengths differ.
const THREE: &str = "add 0x1000 0x20; add 0x1040 0x21; add 0x1080 0x22; f*.rows = 0 sp 8, 1 sp 16 -16, 5 sp 24";

/// Both byte orders of each version that has them.
const LAYOUTS: [(Abi, SframeVersion); 6] = [
    (Abi::Aarch64, SframeVersion::V1),
    (Abi::Aarch64Be, SframeVersion::V1),
    (Abi::Amd64, SframeVersion::V2Errata1),
    (Abi::S390x, SframeVersion::V2Errata1),
    (Abi::Amd64, SframeVersion::V3),
    (Abi::Aarch64Be, SframeVersion::V3),
];

/// A section of AMD64 with PC-relative starts.
fn amd64(edits: &str) -> Vec<u8> {
    bytes(Abi::Amd64, SframeVersion::V2Errata1, edits)
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
    for (abi, version) in LAYOUTS {
        let spec = SectionSpec::new(abi, version).edited(THREE);
        let bytes = encoded(&spec, 0x8000);
        let section = Section::parse(&bytes).expect("a section");
        // For each function the kept rows, as bits; 0: the function is removed with them.
        for choice in 0..8 * 8 * 8_u32 {
            let (mut cut, mut expected) = (Cut::default(), SectionSpec { functions: Vec::new(), ..spec.clone() });
            for (nth, (piece, function)) in section.pieces().iter().zip(&spec.functions).enumerate() {
                assert_eq!((piece.rows.len(), piece.unread), (3, None));
                let stays = |row: &usize| choice >> (3 * nth + row) & 1 == 1;
                let rows: Vec<RowSpec> = (0..3).filter(stays).map(|row| function.rows[row].clone()).collect();
                if rows.is_empty() {
                    cut.functions.insert(nth as u32);
                } else {
                    cut.rows.extend((0..3).filter(|row| !stays(row)).map(|row| piece.rows[row]));
                    expected.functions.push(FunctionSpec { rows, ..function.clone() });
                }
            }
            assert_eq!(without(&bytes, &cut), encoded(&expected, 0x8000), "{abi} {version} {choice:o}");
        }
    }
}

/// Every byte changed in four ways: a result or an error, and exactly the reported bytes are
/// removed.
#[test]
fn hostile_bytes_are_cut_or_refused() {
    let (mut cuts, mut refused) = (0, 0);
    for (abi, version) in LAYOUTS {
        let whole = bytes(abi, version, THREE);
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
    let bytes = amd64("add 0x1000 0x20; add 0x1040 0x21; f*.rows = 0 sp 8");
    let section = Section::parse(&bytes).expect("a section");
    let rest = section.without(&functions([0]), &|_| false).expect("a cut");
    assert_eq!(rest.bytes[28..32], bytes[48..52]);
    assert_eq!(rest.gone, [28..48, 68..71]);
}

/// The producer's errors are preserved, and so are the auxiliary header and bytes that belong to no
/// function.
#[test]
fn what_is_wrong_stays_as_wrong() {
    let rows = "f*.rows = 0 sp 8, 1 sp 16 -16; trailing = 0xaa 0xbb";
    let three = amd64(&format!("add 0x1000 0x20; add 0x1040 0x21; add 0x1080 0x22; {rows}; num_fres = 7"));
    let two = amd64(&format!("add 0x1000 0x20; add 0x1080 0x22; {rows}; num_fres = 5"));
    assert_eq!(without(&three, &functions([1])), two, "one row too many before, and after");
    let edits = "add 0x1000 0x20; add 0x1040 0x21; f*.rows = 0 sp 8; aux = 1 2 3";
    let auxiliary = bytes(Abi::Amd64, SframeVersion::V1, edits);
    let cut = without(&auxiliary, &functions([1]));
    assert_eq!(cut[28..31], [1, 2, 3]);
    assert_eq!(Section::parse(&cut).expect("a section").functions().count(), 1);
}

#[test]
fn rows_of_two_functions_stay_with_the_other() {
    let first = "add 0x1000 0x20; f0.rows = 0 sp 8, 1 sp 16 -16, 5 sp 24; add 0x1040 0x21";
    let bytes = amd64(&format!("{first}; f1.num_fres = 3; f1.fre_offset = 0; num_fres = 6"));
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
        let bytes = amd64(&format!("{first}; f1.num_fres = 1; f1.fre_offset = {offset}; num_fres = 4"));
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
    let bytes =
        amd64("add 0x1000 0x20; f0.rows = 0 sp 8, 1 sp 16 -16; f0.r1.info = 0x65; add 0x1040 0x21; f1.rows = 0 sp 8");
    let section = Section::parse(&bytes).expect("a section");
    let pieces = section.pieces();
    assert_eq!((pieces[0].rows.len(), pieces[1].rows.len()), (1, 1));
    assert!(pieces[0].unread.is_some_and(|error| error.offset == section.header.fres_at() + 4));
    let cut = without(&bytes, &functions([0]));
    assert_eq!(Section::parse(&cut).expect("a section").functions().count(), 1);
}
