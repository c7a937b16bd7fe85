//! Executable bytes outside every FDE: which are counted, and which are padding.

use std::ops::Range;

use judge::outside::outside;
use judge::tables::Tables;
use results::OutsideShare;
use types::{Bytes, Image, Symbol};

use crate::eh_frame_hdr::{TEXT, hdr, image};

/// A piece of code: its name, and its range from the start of `.text`.
type Piece = (String, u64, u64);

/// The bytes outside every FDE, and each piece of code.
fn found(image: &Image) -> (Option<OutsideShare>, Vec<Piece>) {
    let sections = outside(image, &Tables::new(image));
    let functions = sections.iter().flat_map(|section| &section.functions);
    let pieces = functions.map(|code| (code.function.clone(), code.code.0 - TEXT, code.code.1 - TEXT));
    (OutsideShare::new(&sections), pieces.collect())
}

/// `.text` of 0x100 bytes, `ret` in these ranges and else `nop`, with FDEs of 0..0x10 and
/// 0x20..0x80, of which two overlap.
fn sample(ranges: &[Range<usize>]) -> Image {
    let mut sample = image(&[(TEXT, 0x10), (TEXT + 0x20, 0x60), (TEXT + 0x30, 8)], hdr(&[]));
    let mut text = vec![0x90; 0x100];
    ranges.iter().for_each(|range| text[range.clone()].fill(0xc3));
    sample.sections[0].bytes = Bytes::from(text);
    sample
}

fn symbol(name: &str, address: u64, size: u64) -> Symbol {
    Symbol { name: name.into(), address: TEXT + address, size, function: true, local: false, section: Some(1) }
}

fn label(name: &str, address: u64, local: bool) -> Symbol {
    Symbol { function: false, local, ..symbol(name, address, 0) }
}

fn piece(name: &str, start: u64, end: u64) -> Piece {
    (name.to_owned(), start, end)
}

fn share(bytes: u64) -> Option<OutsideShare> {
    Some(OutsideShare { bytes, of: 0x100 })
}

#[test]
fn code_outside_every_fde_is_counted_by_symbol() {
    let mut sample = sample(&[0x14..0x15, 0x82..0x84, 0x92..0x98, 0xb0..0xc0, 0xd0..0xd1]);
    let expected = vec![piece("", 0x14, 0x15), piece("", 0x82, 0xd1)];
    assert_eq!(found(&sample), (share(1 + 0x4f), expected), "no symbols");
    let named = &mut sample.sections[0].name;
    let name = std::mem::replace(named, ".altinstr_replacement".to_owned());
    assert_eq!(found(&sample), (None, Vec::new()), "copied elsewhere, not executed here");
    sample.sections[0].name = name;
    sample.symbols = vec![symbol("small", 0x14, 4), symbol("asm", 0x90, 0), symbol("last", 0xb0, 0x10)];
    let expected = vec![
        piece("small", 0x14, 0x18),
        piece("", 0x82, 0x84),
        piece("asm", 0x92, 0x98),
        piece("last", 0xb0, 0xc0),
        piece("", 0xd0, 0xd1),
    ];
    assert_eq!(found(&sample), (share(4 + 2 + 6 + 0x10 + 1), expected));
}

#[test]
fn padding_of_any_size_is_not_code() {
    assert_eq!(found(&sample(&[])), (None, vec![]));
}

#[test]
fn labels_name_code_but_local_ones_do_not_part_it() {
    let mut sample = sample(&[0x10..0x11, 0x90..0x93, 0xa0..0xa8]);
    // A function symbol takes precedence over a label of the same address.
    sample.symbols = vec![label("untyped", 0x10, true), label("first", 0x90, true), label("loop", 0x92, true)];
    sample.symbols.extend([label("alias", 0xa0, false), symbol("global", 0xa0, 0), label("inner", 0xa4, true)]);
    let expected = vec![piece("untyped", 0x10, 0x11), piece("first", 0x90, 0x93), piece("global", 0xa0, 0xa8)];
    assert_eq!(found(&sample), (share(1 + 3 + 8), expected));
    sample.symbols.push(label("second", 0xa6, false));
    assert_eq!(found(&sample).1[2..], [piece("global", 0xa0, 0xa6), piece("second", 0xa6, 0xa8)]);
}

#[test]
fn a_section_without_any_fde_counts_and_a_file_without_tables_does_not() {
    let mut sample = sample(&[]);
    let mut init = sample.sections[0].clone();
    (init.name, init.address, init.size) = (".init".to_owned(), TEXT + 0x200, 27);
    init.bytes = Bytes::from(vec![0xc3; 27]);
    sample.sections.push(init);
    let share = Some(OutsideShare { bytes: 27, of: 0x100 + 27 });
    assert_eq!(found(&sample), (share, vec![piece("", 0x200, 0x21b)]));
    assert_eq!(share.map(|share| share.percent()).as_deref(), Some("9.5 %"));
    sample.sections.retain(|section| section.name != ".eh_frame");
    assert_eq!(found(&sample), (None, vec![]));
}
