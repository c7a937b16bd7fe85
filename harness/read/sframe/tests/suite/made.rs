//! Files made by hand, each to break one structural rule.

use types::{Abi, Image};

use crate::examples::{FUNCTION, example, unhex};
use crate::file::{Func, Spec, broken, linked, object, section, write};

pub(crate) fn abi_of(bytes: &[u8]) -> Abi {
    let id = bytes[4];
    Abi::from_sframe_id(id).expect("a known ABI")
}

pub(crate) fn example_image(name: &str) -> Image {
    let bytes = unhex(example(name).hex);
    linked(abi_of(&bytes), bytes)
}

/// A file made by hand, with the rule that it breaks.
pub(crate) struct Made {
    pub(crate) rule: &'static str,
    /// Further rules that it breaks.
    pub(crate) anyway: &'static [&'static str],
    pub(crate) image: Image,
}

fn made(rule: &'static str, image: Image) -> Made {
    Made { rule, anyway: &[], image }
}

pub(crate) fn bytes_of(name: &str) -> Vec<u8> {
    unhex(example(name).hex)
}

pub(crate) fn amd64(functions: Vec<Func>) -> Image {
    linked(Abi::Amd64, Spec::new(2, 3, functions).bytes(0))
}

fn s390x(version: u8, functions: Vec<Func>) -> Image {
    linked(Abi::S390x, Spec::new(version, 4, functions).bytes(0))
}

pub(crate) const LEAF: &[u8] = &[0, 0x03, 0x08];

fn flex(abi: u8, rows: &[u8], count: u32) -> Image {
    let function = Func { info2: 1, ..Func::new(FUNCTION, 0x40, count, rows) };
    let model = Abi::from_sframe_id(abi).expect("known");
    linked(model, Spec::new(3, abi, vec![function]).bytes(0))
}

fn header_cases() -> Vec<Made> {
    let e1 = || bytes_of("v2e1-amd64-pcrel");
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = e1();
        change(&mut bytes);
        linked(Abi::Amd64, bytes)
    };
    let mut wrong_order = example_image("v2e1-amd64-pcrel");
    wrong_order.abi = Abi::Aarch64Be;
    let mut unknown_abi = example_image("v2e1-amd64-pcrel");
    write(&mut unknown_abi.sections[1].bytes, 4, &[9]);
    let mut s390x_v1 = linked(Abi::S390x, Spec::new(1, 4, vec![Func::new(FUNCTION, 8, 1, &[0, 0x03, 0])]).bytes(0));
    s390x_v1.sections[1].flags = 2;
    let mut machine = example_image("v2e1-aarch64-b-key-signed");
    machine.abi = Abi::Amd64;
    let mut empty = linked(Abi::Amd64, Vec::new());
    empty.segments.clear();
    // Rows first, then descriptors.
    let mut backwards = e1()[..28].to_vec();
    backwards[0x14] = 11;
    backwards[0x18] = 0;
    backwards.extend(&e1()[48..]);
    backwards.extend(&e1()[28..48]);
    backwards[39] = 0xd9;
    let header_only = |fres: u8| {
        let mut bytes = e1()[..28].to_vec();
        for (at, value) in [(8, 0), (0x0c, fres), (0x10, 0), (0x18, 0)] {
            bytes[at] = value;
        }
        linked(Abi::Amd64, bytes)
    };
    vec![
        made("header/size", with(&|bytes| bytes.truncate(27))),
        made("header/size", with(&|bytes| bytes.truncate(3))),
        made("header/byte-order", wrong_order),
        made("header/abi", unknown_abi),
        Made { rule: "header/abi", anyway: &["header/obsolete-version"], image: s390x_v1 },
        made("header/abi-machine", machine),
        made("header/empty-section", empty),
        made("header/tables-overlap", linked(Abi::Amd64, backwards)),
        made(
            "header/auxiliary",
            with(&|bytes| {
                bytes[7] = 4;
                bytes.splice(28..28, [1, 2, 3, 4]);
                bytes[32] = 0xe0;
            }),
        ),
        made(
            "header/canonical-layout",
            with(&|bytes| {
                bytes[0x18] = 0x1c;
                bytes.splice(48..48, [0; 8]);
            }),
        ),
        made(
            "header/canonical-layout",
            with(&|bytes| {
                (bytes[0x14], bytes[0x18]) = (0x10, 0x24);
                bytes.splice(28..28, [0xff; 16]);
                bytes[44] = 0xd4;
            }),
        ),
        made(
            "header/fre-length",
            with(&|bytes| {
                bytes[0x10] = 12;
                bytes.push(0);
            }),
        ),
        made("header/trailing-bytes", with(&|bytes| bytes.push(1))),
        made(
            "header/second-element",
            with(&|bytes| {
                bytes.resize(64, 0);
                bytes.extend(e1());
            }),
        ),
        made("header/second-element", with(&|bytes| bytes.extend(e1()))),
        made("header/excess-padding", with(&|bytes| bytes.extend([0; 8]))),
        made("header/no-functions", header_only(0)),
        made("header/rows-without-functions", header_only(3)),
        made("header/sorted-in-object", object(Abi::Amd64, &Spec::new(2, 3, vec![Func::new(FUNCTION, 8, 1, LEAF)]))),
        made("header/pcrel-clear-v2", example_image("v2-amd64-section-relative")),
        made("header/obsolete-version", example_image("v1-amd64")),
    ]
}

fn fde_cases() -> Vec<Made> {
    let at = |start, size| Func::new(start, size, 1, LEAF);
    let mut unsorted = Spec::new(2, 3, vec![at(0x1040, 0x10), at(0x1000, 0x10)]);
    let shared = vec![at(0x1000, 0x10), Func { fre_off: Some(0), rows: Vec::new(), ..at(0x1010, 0x10) }];
    let gap = vec![Func { rows: [LEAF, &[0; 4]].concat(), ..at(0x1000, 0x10) }, at(0x1010, 0x10)];
    let three = [0, 0x03, 0x08, 200, 0x03, 0x10, 44, 0x03, 0x18];
    let wide = Func { info: 1, ..Func::new(0x1000, 0x30, 1, &[0, 0, 0x03, 0x08]) };
    let stubs = Func { info: 0x10, rep: 16, ..Func::new(0x1000, 0x30, 1, LEAF) };
    let mut blocks = amd64(vec![stubs]);
    for block in 0..3 {
        let push = if block == 2 { 0xff } else { 0x68 };
        write(&mut blocks.sections[0].bytes, block * 16, &[push, 0x35]);
    }
    let cases = vec![
        made("fde/empty-function", amd64(vec![at(0x1000, 0)])),
        made("fde/overlap", amd64(vec![at(0x1000, 0x20), at(0x1010, 0x20)])),
        made("fde/duplicate-start", amd64(vec![at(0x1000, 0), at(0x1000, 0x10)])),
        made("fde/duplicate-start", amd64(vec![at(0x1000, 0x10), at(0x1000, 0x10)])),
        made("fde/sorted-claim", linked(Abi::Amd64, unsorted.bytes(0))),
        made("fde/shared-rows", amd64(shared)),
        made("fde/row-area-tiled", amd64(gap)),
        made("fde/row-start-wraps", amd64(vec![Func::new(0x1000, 600, 3, &three)])),
        made("fde/row-type-minimal", amd64(vec![wide])),
        made("fde/blocks-alike", blocks),
        made("fde/no-rows", amd64(vec![Func::new(0x1000, 0x10, 0, &[])])),
    ];
    // The same two functions are valid without the flag, except for the missing flag.
    unsorted.flags = 4;
    assert_eq!(broken(&linked(Abi::Amd64, unsorted.bytes(0))), ["header/sorted-in-linked"]);
    cases
}

fn row_cases() -> Vec<Made> {
    let aarch64 =
        |rows: &[u8], count| linked(Abi::Aarch64, Spec::new(2, 2, vec![Func::new(0x1000, 0x20, count, rows)]).bytes(0));
    let mut call = aarch64(&[0, 0x03, 0], 1);
    // bl .+8 at 0x1004
    write(&mut call.sections[0].bytes, 4, &0x9400_0002_u32.to_le_bytes());
    let mut call_s390x = s390x(2, vec![Func::new(0x1000, 0x20, 1, &[0, 0x03, 0])]);
    // brasl %r14 at 0x1002, after a two-byte instruction
    write(&mut call_s390x.sections[0].bytes, 0, &[0x18, 0x12, 0xc0, 0xe5, 0, 0, 0, 2]);
    let s390x_rows = |version, rows: &[u8], count| s390x(version, vec![Func::new(0x1000, 0x20, count, rows)]);
    vec![
        made("row/word-count", aarch64(&[0, 0x03, 0, 4, 0x09, 16, 0xf0, 0xf8, 0xe8], 2)),
        made("row/word-count", amd64(vec![Func::new(0x1000, 0x20, 2, &[0, 3, 8, 4, 7, 16, 0xf0, 0xe8])])),
        made("row/two-words", aarch64(&[0, 0x03, 0, 4, 0x05, 16, 0xf0], 2)),
        made("row/odd-word", s390x_rows(3, &[0, 0x03, 0, 6, 0x07, 0, 0xd1, 0xb8], 2)),
        made("row/odd-word", s390x_rows(3, &[0, 0x03, 0, 6, 0x07, 0, 0x21, 0xb8], 2)),
        made("row/trailing-filler", s390x_rows(2, &[0, 0x03, 0, 6, 0x05, 20, 0], 2)),
        made("row/cfa-offset-range", s390x_rows(2, &[0, 0x03, 0, 6, 0x43, 0x10, 0, 0, 0], 2)),
        made("row/call-without-saved-ra", call),
        made("row/call-without-saved-ra", call_s390x),
        made("row/outermost-before-errata-2", example_image("v2e2-amd64-outermost")),
    ]
}

fn flex_cases() -> Vec<Made> {
    // CFA=[rbp-8] needs a flex row, and rbp is known in every frame.
    let realigned = |rest: &[u8], count| flex(3, &[&[0, 0x04, 0x39, 0x08, 17, 0x04, 0x33, 0xf8], rest].concat(), count);
    vec![
        made("flex/abi", flex(2, &[0, 0x04, 0xf9, 0, 4, 0x04, 0xeb, 0xf8], 2)),
        made("flex/word-count", realigned(&[30, 0x02, 0x33], 3)),
        made("flex/word-count", realigned(&[30, 0x0e, 0x33, 0xf8, 0x02, 0xf0, 0x02, 0xe0, 0], 3)),
        made("flex/pairs", realigned(&[30, 0x06, 0x33, 0xf8, 0x02], 3)),
        made("flex/trailing-filler", realigned(&[30, 0x06, 0x33, 0xf0, 0], 3)),
        made("flex/cfa-scaled", flex(4, &[0, 0x24, 0, 0x79, 0, 160, 4, 0x04, 0x5b, 0], 2)),
        made("flex/needless", flex(3, &[0, 0x04, 0x39, 0x08, 1, 0x0a, 0x39, 0x10, 0, 0x02, 0xf0], 2)),
        made("flex/topmost-only", example_image("v3-s390x-flex")),
        made("flex/topmost-only", realigned(&[30, 0x08, 0x33, 0xf8, 0x59, 0], 3)),
    ]
}

fn elf_cases() -> Vec<Made> {
    let change = |change: &dyn Fn(&mut Image)| {
        let mut image = example_image("v2e1-amd64-pcrel");
        change(&mut image);
        image
    };
    let leaf = || Spec { flags: 4, ..Spec::new(3, 3, vec![Func::new(FUNCTION, 8, 1, LEAF)]) };
    let object_with = |change: &dyn Fn(&mut Image)| {
        let mut image = object(Abi::Amd64, &leaf());
        change(&mut image);
        image
    };
    let second = || section(3, ".sframe2", crate::file::SFRAME_TYPE, 2, 0x8000, bytes_of("v2e1-amd64-pcrel"));
    let outside = Func::new(0x8000, 8, 1, LEAF);
    let mut dropped = leaf();
    dropped.flags = 5;
    dropped.functions[0].start = 28;
    let mut segment_of_empty = linked(Abi::Amd64, Vec::new());
    segment_of_empty.segments[0].file_size = 0;
    vec![
        made("elf/function-in-code", amd64(vec![Func::new(0x1000, 8, 1, LEAF), outside])),
        made("elf/function-in-code", amd64(vec![Func::new(0x1000, 8, 1, LEAF), Func::new(0x1ff0, 0x11, 1, LEAF)])),
        made("elf/discarded-code", linked(Abi::Amd64, dropped.bytes(0))),
        made("elf/section-type", change(&|image| image.sections[1].kind = 1)),
        made("elf/section-flags", change(&|image| image.sections[1].flags = 3)),
        made("elf/section-alignment", change(&|image| image.sections[1].align = 1)),
        made(
            "elf/one-section-linked",
            change(&|image| {
                let mut first = second();
                first.index = 1;
                image.sections.insert(0, first);
            }),
        ),
        made("elf/segment", change(&|image| drop(image.segments.remove(0)))),
        made("elf/segment", change(&|image| image.segments[0].address = 8)),
        made("elf/segment-covers", change(&|image| image.segments[0].memory_size -= 1)),
        made("elf/segment-covers", change(&|image| drop(image.segments.pop()))),
        made("elf/segment-covers", change(&|image| image.segments[1].file_size = image.sections[1].size - 1)),
        made("elf/segment-covers", change(&|image| image.segments[1].file_offset = 8)),
        made("elf/segment-size", change(&|image| image.segments[0].file_size += 8)),
        made(
            "elf/one-segment",
            change(&|image| {
                let again = image.segments[0].clone();
                image.segments.push(again);
            }),
        ),
        made("elf/segment-of-empty", segment_of_empty),
        made("elf/one-section-object", object_with(&|image| image.sections[1].comdat = true)),
        made("elf/relocation-per-function", object_with(&|image| image.sframe_relocations.clear())),
        made(
            "elf/relocation-per-function",
            object_with(&|image| {
                let again = image.sframe_relocations[0].clone();
                image.sframe_relocations.push(again);
            }),
        ),
        made("elf/relocation-type", object_with(&|image| image.sframe_relocations[0].kind = 2)),
        made(
            "elf/stray-relocation",
            object_with(&|image| {
                let stray = types::Relocation { offset: 30, ..image.sframe_relocations[0].clone() };
                image.sframe_relocations.push(stray);
            }),
        ),
        made(
            "elf/stray-relocation",
            object_with(&|image| {
                let none = types::Relocation { kind: 0, ..image.sframe_relocations[0].clone() };
                image.sframe_relocations.push(none);
            }),
        ),
        made("elf/relocation-target", object_with(&|image| image.sections[0].flags = 2)),
        made("elf/relocation-target", object_with(&|image| image.sframe_relocations[0].symbol_address = None)),
        made("elf/relocation-target", object_with(&|image| image.sframe_relocations[0].addend = 0xff9)),
        made(
            "elf/start-field-not-zero",
            object_with(&|image| write(image.sections[1].original.as_mut().expect("an original"), 28, &[1])),
        ),
        made("elf/comdat-reference", object_with(&|image| image.sections[0].comdat = true)),
        made("elf/emitted-relocations", {
            let mut image = linked(Abi::Amd64, Spec::new(3, 3, vec![Func::new(FUNCTION, 8, 1, LEAF)]).bytes(0));
            image.sframe_relocations = object(Abi::Amd64, &leaf()).sframe_relocations;
            assert_eq!(broken(&image), [""; 0]);
            image.sframe_relocations[0].addend = 4;
            image
        }),
        made("plt/covered", plt_image(&[])),
        made("plt/covered", plt_image(&[0])),
        made("plt/rows-match-code", plt_image_with(&[0, 1], PLT0_ROWS, &[0, 0x03, 0x08, 6, 0x03, 0x10])),
        made("plt/rows-match-code", plt_image_with(&[0, 1], &[0, 0x03, 0x10, 8, 0x03, 0x18], SLOT_ROWS)),
        made("plt/rows-match-code", plt_image_with(&[0, 1], PLT0_ROWS, LEAF)),
    ]
}

/// Rows that GNU ld gives the lazy PLT of x86-64: the first entry begins with two words pushed, and
/// slots push at 6..11.
const PLT0_ROWS: &[u8] = &[0, 0x03, 0x10, 6, 0x03, 0x18];
const SLOT_ROWS: &[u8] = &[0, 0x03, 0x08, 11, 0x03, 0x10];

pub(crate) fn plt_image(described: &[usize]) -> Image {
    plt_image_with(described, PLT0_ROWS, SLOT_ROWS)
}

/// An executable with a lazy PLT at 0x800: the first entry and two slots of 16 bytes. `described`
/// are the parts with rows.
fn plt_image_with(described: &[usize], plt0: &[u8], slots: &[u8]) -> Image {
    const PLT: u64 = 0x800;
    let parts = [
        Func::new(PLT, 16, plt0.len() as u32 / 3, plt0),
        Func { info: 0x10, rep: 16, ..Func::new(PLT + 16, 32, slots.len() as u32 / 3, slots) },
    ];
    let mut functions: Vec<_> = described.iter().map(|part| parts[*part].clone()).collect();
    functions.push(Func::new(FUNCTION, 8, 1, LEAF));
    let mut image = amd64(functions);
    let mut code = unhex("ff3500000000 ff2500000000 0f1f4000");
    let slot = unhex("ff2500000000 6800000000 e900000000");
    code.extend([slot.clone(), slot].concat());
    image.sections.push(section(3, ".plt", 1, 6, PLT, code));
    image.sections.push(section(4, ".eh_frame", 1, 2, 0x9000, vec![0; 4]));
    image
}

pub(crate) fn all() -> impl Iterator<Item = Made> {
    [header_cases(), fde_cases(), row_cases(), flex_cases(), elf_cases()].into_iter().flatten()
}
