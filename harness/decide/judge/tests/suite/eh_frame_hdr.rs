//! The search table of `.eh_frame`: a valid one breaks no rule, and each kind of error breaks its
//! own rule.

use judge::eh_frame_hdr::findings;
use judge::tables::Tables;
use types::elf::PT_GNU_EH_FRAME;
use types::{Abi, Image, ImageKind, ImageSection, Pc, Segment};

pub(crate) const TEXT: u64 = 0x1000;
const EH_FRAME: u64 = 0x2000;
const HDR: u64 = 0x3000;

fn section(name: &str, address: u64, flags: u64, bytes: Vec<u8>) -> ImageSection {
    ImageSection { file_offset: address, align: 8, ..ImageSection::new(1, name, flags, address, bytes) }
}

/// FDEs of functions, each given by start and size; one CIE, whose rows are those at a call.
fn eh_frame(functions: &[(u64, u32)]) -> (Vec<u8>, Vec<u64>) {
    // zR, code 1, data -8, RA 16, pcrel sdata4; CFA rsp+8, RA at CFA-8; padded.
    let mut bytes =
        vec![0x14, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 0x10, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0];
    let mut fdes = Vec::new();
    for (start, size) in functions {
        let at = bytes.len() as u64;
        fdes.push(EH_FRAME + at);
        let begin = *start as i64 - (EH_FRAME + at + 8) as i64;
        for word in [0x10, at as u32 + 4, begin as u32, *size, 0] {
            bytes.extend(word.to_le_bytes());
        }
    }
    bytes.extend([0; 4]);
    (bytes, fdes)
}

/// A header with these entries.
pub(crate) fn hdr(entries: &[(u64, u64)]) -> Vec<u8> {
    let mut bytes = vec![1, 0x1b, 0x03, 0x3b];
    let pointer = EH_FRAME as i64 - (HDR + 4) as i64;
    bytes.extend((pointer as u32).to_le_bytes());
    bytes.extend((entries.len() as u32).to_le_bytes());
    for address in entries.iter().flat_map(|(start, fde)| [start, fde]) {
        bytes.extend(((*address as i64 - HDR as i64) as u32).to_le_bytes());
    }
    bytes
}

pub(crate) fn image(functions: &[(u64, u32)], hdr: Vec<u8>) -> Image {
    let segment = Segment { file_offset: HDR, ..Segment::new(PT_GNU_EH_FRAME, 4, HDR, hdr.clone()) };
    Image {
        sections: vec![
            section(".text", TEXT, 6, vec![0x90; 0x100]),
            section(".eh_frame", EH_FRAME, 2, eh_frame(functions).0),
            section(".eh_frame_hdr", HDR, 2, hdr),
        ],
        segments: vec![segment],
        ..Image::new("sample", Abi::Amd64, ImageKind::Executable, Pc(TEXT))
    }
}

const FUNCTIONS: [(u64, u32); 3] = [(TEXT, 0x10), (TEXT + 0x10, 0x10), (TEXT + 0x20, 0x10)];

/// Entries for functions, in their order.
fn entries(functions: &[(u64, u32)]) -> Vec<(u64, u64)> {
    functions.iter().map(|(start, _)| *start).zip(eh_frame(functions).1).collect()
}

fn broken(image: &Image) -> Vec<&'static str> {
    findings(image, &Tables::new(image)).iter().map(|found| found.rule().name()).collect()
}

#[test]
fn each_way_to_be_wrong_has_its_rule() {
    let right = entries(&FUNCTIONS);
    let changed = |change: fn(&mut Vec<u8>)| {
        let mut bytes = hdr(&right);
        change(&mut bytes);
        broken(&image(&FUNCTIONS, bytes))
    };
    assert_eq!(changed(|_| ()), [""; 0]);
    assert_eq!(changed(|bytes| bytes[0] = 2), ["eh-frame/hdr-encoding"]);
    assert_eq!(changed(|bytes| bytes[3] = 0x3f), ["eh-frame/hdr-encoding"]);
    // Encodings without a base or of no fixed size: relative to the text or to a function, aligned,
    // indirect, ULEB128.
    for (at, format) in [(1, 0x0b), (2, 0x03), (3, 0x0b)] {
        for encoding in [0x20 | format, 0x40 | format, 0x50 | format, 0xb0 | format, 0x01] {
            let mut bytes = hdr(&right);
            bytes[at] = encoding;
            assert_eq!(broken(&image(&FUNCTIONS, bytes)), ["eh-frame/hdr-encoding"], "{at}: {encoding:#x}");
        }
        // A table that is there and omitted.
        let mut bytes = hdr(&right);
        bytes[at] = 0xff;
        assert_eq!(broken(&image(&FUNCTIONS, bytes)), ["eh-frame/hdr-encoding"], "{at} omitted");
    }
    assert_eq!(changed(|bytes| bytes[4] = bytes[4].wrapping_add(8)), ["eh-frame/hdr-pointer"]);
    assert_eq!(changed(|bytes| bytes[8] = bytes[8].wrapping_sub(1)), ["eh-frame/hdr-count"]);
    assert_eq!(changed(|bytes| bytes[8] = bytes[8].wrapping_add(1)), ["eh-frame/hdr-count"]);
    assert_eq!(changed(|bytes| bytes[12..28].rotate_left(8)), ["eh-frame/hdr-sorted"]);
    assert_eq!(changed(|bytes| bytes[16] = bytes[16].wrapping_add(4)), ["eh-frame/hdr-entry"]);
    // A wrong start leaves its function without an entry.
    assert_eq!(changed(|bytes| bytes[20] = bytes[20].wrapping_add(1)), ["eh-frame/hdr-covers", "eh-frame/hdr-entry"]);
    assert_eq!(broken(&image(&FUNCTIONS, hdr(&right[1..]))), ["eh-frame/hdr-covers"]);
    // Entries filled as by mold refer to no FDE, and no PC reaches them.
    let filled = [right, vec![(HDR + 0x7fff_ffff, HDR)]].concat();
    assert_eq!(broken(&image(&FUNCTIONS, hdr(&filled))), [""; 0]);
}

#[test]
fn an_entry_of_no_bytes_is_wrong_where_it_hides_another() {
    let with = |empty: u64, place: usize| {
        let mut functions = FUNCTIONS.to_vec();
        functions.push((empty, 0));
        let mut all = entries(&functions);
        let last = all.pop().expect("the empty one");
        all.insert(place, last);
        broken(&image(&functions, hdr(&all)))
    };
    assert_eq!(with(TEXT + 0x10, 2), ["eh-frame/hdr-empty"], "after the function's own");
    assert_eq!(with(TEXT + 0x18, 2), ["eh-frame/hdr-empty"], "within a function");
    assert_eq!(with(TEXT + 0x10, 1), [""; 0], "before the function's own, which is found");
    assert_eq!(with(TEXT + 0x40, 3), [""; 0], "where nothing else is");
}

#[test]
fn what_linkers_do_is_no_breach() {
    // Two FDEs with one address and one entry, as lld writes them, with space for the second; no
    // table; a header alone.
    let functions = [FUNCTIONS[0], FUNCTIONS[0], FUNCTIONS[1]];
    let all = entries(&functions);
    let mut bytes = hdr(&[all[0], all[2]]);
    bytes.extend([0; 8]);
    assert_eq!(broken(&image(&functions, bytes)), [""; 0]);
    let mut bytes = hdr(&[]);
    bytes[2..4].fill(0xff);
    bytes.truncate(8);
    assert_eq!(broken(&image(&FUNCTIONS, bytes)), [""; 0]);
}

#[test]
fn the_segment_is_the_section() {
    let change = |change: fn(&mut Vec<Segment>)| {
        let mut image = image(&FUNCTIONS, hdr(&entries(&FUNCTIONS)));
        change(&mut image.segments);
        broken(&image)
    };
    let wrong = ["eh-frame/hdr-segment"];
    assert_eq!(change(|segments| segments[0].address += 8), wrong);
    assert_eq!(change(|segments| segments[0].file_size -= 8), wrong);
    assert_eq!(change(|segments| segments.push(segments[0].clone())), wrong);
    // Without the segment the table is not found.
    let mut none = Image { segments: Vec::new(), ..image(&FUNCTIONS, hdr(&entries(&FUNCTIONS))) };
    for kind in [ImageKind::Executable, ImageKind::Dynamic, ImageKind::Shared] {
        none.kind = kind;
        assert_eq!(broken(&none), wrong, "{kind:?}");
    }
}
