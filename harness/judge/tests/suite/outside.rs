//! Executable bytes outside every FDE: which are counted, and which are padding.

use judge::outside::outside;
use judge::tables::Tables;
use results::OutsideShare;
use types::{Image, Symbol};

use crate::eh_frame_hdr::{TEXT, hdr, image};

/// The bytes outside every FDE, and each piece of code from the start of `.text`.
fn found(image: &Image) -> (Option<OutsideShare>, Vec<(String, u64, u64)>) {
    let sections = outside(image, &Tables::new(image));
    let functions = sections.iter().flat_map(|section| &section.functions);
    let pieces = functions.map(|code| (code.function.clone(), code.code.0 - TEXT, code.code.1 - TEXT));
    (OutsideShare::new(&sections), pieces.collect())
}

fn symbol(name: &str, address: u64, size: u64) -> Symbol {
    Symbol { name: name.into(), address, size, function: true, local: false, section: Some(1) }
}

#[test]
fn code_outside_every_fde_is_counted_by_symbol() {
    // `.text` has 0x100 bytes: FDEs of 0..0x10 and 0x20..0x80, of which two overlap.
    let mut sample = image(&[(TEXT, 0x10), (TEXT + 0x20, 0x60), (TEXT + 0x30, 8)], hdr(&[]));
    let share = |bytes| Some(OutsideShare { bytes, of: 0x100 });
    let plain = |start, end| (String::new(), start, end);
    assert_eq!(found(&sample), (share(0x80), vec![plain(0x80, 0x100)]), "0x10..0x20 is filler");
    sample.symbols =
        vec![symbol("small", TEXT + 0x14, 4), symbol("asm", TEXT + 0x90, 0), symbol("last", TEXT + 0xb0, 0x10)];
    let named = |name: &str, start, end| (name.to_owned(), start, end);
    let expected =
        vec![named("small", 0x14, 0x18), named("asm", 0x90, 0xb0), named("last", 0xb0, 0xc0), plain(0xc0, 0x100)];
    // Padding: before `asm`, and around `small`.
    assert_eq!(found(&sample), (share(4 + 0x20 + 0x10 + 0x40), expected));
}

#[test]
fn a_section_without_any_fde_counts_whole_and_a_file_without_tables_not_at_all() {
    let mut sample = image(&[(TEXT, 0x100)], hdr(&[]));
    assert_eq!(found(&sample), (None, vec![]));
    // `.init` is smaller than padding may be.
    let mut init = sample.sections[0].clone();
    (init.name, init.address, init.size) = (".init".to_owned(), TEXT + 0x200, 27);
    sample.sections.push(init);
    let share = Some(OutsideShare { bytes: 27, of: 0x100 + 27 });
    assert_eq!(found(&sample), (share, vec![(String::new(), 0x200, 0x21b)]));
    assert_eq!(share.map(|share| share.percent()).as_deref(), Some("9.5 %"));
    sample.sections.retain(|section| section.name != ".eh_frame");
    assert_eq!(found(&sample), (None, vec![]));
}
