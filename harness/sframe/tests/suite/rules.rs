//! Each structural rule is broken by a section or file that breaks it and what it implies, and nothing else.

use std::collections::BTreeSet;

use model::{Abi, Image, ImageKind, Severity};

use crate::examples::{EXAMPLES, FUNCTION, example, unhex};
use crate::file::{Func, Spec, broken, findings, linked, object, section};

/// Rules that the worked examples break as they are, as linked files.
const BASELINE: &[(&str, &[&str])] = &[
    ("v2-amd64-section-relative", &["header/pcrel-clear-v2"]),
    ("v1-amd64", &["header/obsolete-version"]),
    // RA in f0: only the topmost frame can be unwound so. The same for a CFA counted from r10.
    ("v3-s390x-flex", &["flex/topmost-only"]),
    ("v3-amd64-flex-realigned", &["flex/topmost-only"]),
    ("v2e2-amd64-outermost", &["row/outermost-before-errata-2"]),
];

fn abi_of(bytes: &[u8]) -> Abi {
    let id = bytes[4];
    Abi::ALL.into_iter().find(|abi| abi.facts().sframe_id == id).expect("a known ABI")
}

fn example_image(name: &str) -> Image {
    let bytes = unhex(example(name).hex);
    linked(abi_of(&bytes), bytes)
}

#[test]
fn the_worked_examples_break_only_what_they_must() {
    for example in EXAMPLES {
        let want = BASELINE.iter().find(|(name, _)| *name == example.name).map_or(&[][..], |(_, rules)| *rules);
        assert_eq!(broken(&example_image(example.name)), want, "{}", example.name);
    }
}

/// Bytes to put at an offset.
type Patch = (usize, &'static [u8]);

/// A worked example with bytes changed, the rule that this breaks, and the offset that the finding has to name.
struct Patched(&'static str, &'static str, &'static [Patch], u64);

// Offsets: V2 descriptor at 28 (start 28, size 32, row offset 36, count 40, info 44, block 45, padding 46), rows at 48.
// V3 index at 28 (start 28, size 36, row offset 40), attributes at 44 (count 44, info 46, info2 47, block 48), rows at 49.
const PATCHED: &[Patched] = &[
    Patched("header/magic", "v2e1-amd64-pcrel", &[(0, &[0xad])], 0),
    Patched("header/version", "v2e1-amd64-pcrel", &[(2, &[4])], 2),
    Patched("header/reserved-flags", "v2e1-amd64-pcrel", &[(3, &[0x0d])], 3),
    Patched("header/removed-flag", "v3-amd64", &[(3, &[0x07])], 3),
    Patched("header/frame-pointer-flag", "v2e1-amd64-pcrel", &[(3, &[0x07])], 3),
    Patched("header/frame-pointer-flag", "v1-amd64", &[(3, &[0x03])], 3),
    Patched("header/reserved-flags", "v1-amd64", &[(3, &[0x05])], 3),
    Patched("header/abi-byte-order", "v2e1-aarch64-b-key-signed", &[(4, &[1])], 4),
    Patched("header/fixed-ra-amd64", "v2e1-amd64-pcmask", &[(6, &[0xf0])], 6),
    Patched("header/fixed-ra", "v2e1-aarch64-be", &[(6, &[0xf8])], 6),
    Patched("header/fixed-fp", "v2e1-amd64-pcmask", &[(5, &[0xf0])], 5),
    Patched("header/auxiliary-fits", "v2e1-amd64-pcrel", &[(7, &[0xff])], 7),
    Patched("header/fde-table-fits", "v2e1-amd64-pcrel", &[(8, &[0xff; 4])], 8),
    Patched("header/fde-table-fits", "v2e1-amd64-pcrel", &[(0x14, &[0xff; 4])], 0x14),
    Patched("header/fre-area-fits", "v2e1-amd64-pcrel", &[(0x10, &[0xff, 0xff, 0xff, 0x7f])], 0x10),
    Patched("header/fre-area-fits", "v2e1-amd64-pcrel", &[(0x18, &[0xff, 0xff, 0xff, 0x7f])], 0x18),
    Patched("header/row-count", "v2e1-amd64-pcrel", &[(0x0c, &[4])], 0x0c),
    Patched("header/sorted-in-linked", "v2e1-amd64-pcrel", &[(3, &[0x04])], 3),
    Patched("header/pcrel-clear", "v3-amd64", &[(3, &[0x01]), (28, &[0, 0x10])], 3),
    Patched("header/rows-without-functions", "v2e1-amd64-pcrel", &[(8, &[0]), (0x10, &[0x1f]), (0x18, &[0])], 0x0c),
    Patched("fde/padding", "v2e1-amd64-pcrel", &[(46, &[1])], 46),
    Patched("fde/padding", "v2e1-aarch64-be", &[(47, &[1])], 46),
    Patched("fde/row-offset", "v2e1-amd64-pcrel", &[(36, &[0, 1])], 36),
    Patched("fde/row-offset", "v2e1-amd64-pcrel", &[(36, &[0x0b])], 36),
    Patched("fde/row-offset", "v3-amd64", &[(40, &[0x10])], 40),
    Patched("fde/attributes-fit", "v3-amd64", &[(40, &[0x0c])], 40),
    Patched("fde/rows-fit", "v2e1-amd64-pcrel", &[(0x0c, &[4]), (40, &[4])], 59),
    Patched("fde/row-type", "v2e1-amd64-pcrel", &[(44, &[0x03])], 44),
    Patched("fde/reserved-info-bits", "v2e1-amd64-pcrel", &[(44, &[0x80])], 44),
    Patched("fde/reserved-info-bits", "v3-amd64", &[(46, &[0x40])], 46),
    Patched("fde/key-bit", "v2e1-amd64-pcrel", &[(44, &[0x20])], 44),
    Patched("fde/reserved-info2-bits", "v3-amd64", &[(47, &[0x20])], 47),
    Patched("fde/type", "v3-amd64", &[(47, &[0x02])], 47),
    Patched("fde/block-size", "v2e1-amd64-pcmask", &[(45, &[0])], 45),
    Patched("fde/unused-block-size", "v2e1-amd64-pcrel", &[(45, &[16])], 45),
    Patched("fde/block-multiple", "v2e1-amd64-pcmask", &[(32, &[40])], 45),
    Patched("fde/row-in-block", "v2e1-amd64-pcmask", &[(51, &[16])], 51),
    Patched("fde/implied-block", "v1-amd64", &[(44, &[0x10])], 44),
    Patched("fde/address-wrap", "v2e1-amd64-pcrel", &[(28, &[0, 0, 0, 0x80])], 28),
    Patched("fde/address-base", "v2e1-amd64-pcrel", &[(3, &[0x01])], 3),
    Patched("row/first-start", "v2e1-aarch64-be", &[(48, &[2])], 48),
    Patched("row/starts-ascend", "v2e1-amd64-pcrel", &[(55, &[1])], 55),
    Patched("row/starts-ascend", "v2e1-amd64-pcrel", &[(55, &[0])], 55),
    Patched("row/start-in-function", "v2e1-amd64-pcrel", &[(55, &[0x31])], 55),
    Patched("row/unreachable", "v2e1-amd64-pcrel", &[(55, &[0x30])], 55),
    Patched("row/word-size", "v2e1-amd64-pcrel", &[(49, &[0x63])], 49),
    Patched("row/outermost-info", "v2e2-amd64-outermost", &[(49, &[0x21])], 49),
    Patched("row/signed-bit", "v2e1-amd64-pcrel", &[(49, &[0x83])], 49),
    Patched("row/word-size-minimal", "v2e1-amd64-wide", &[(55, &[0x10, 0])], 54),
    Patched("row/repeats", "v2e1-amd64-pcrel", &[(56, &[0x05])], 55),
    Patched("row/entry-cfa", "v2e1-amd64-pcrel", &[(50, &[0x10])], 48),
    Patched("row/cfa-plausible", "v2e1-amd64-pcrel", &[(53, &[0xf8])], 51),
    Patched("row/cfa-plausible", "v2e1-amd64-pcrel", &[(53, &[0x00])], 51),
    Patched("row/slot-alignment", "v2e1-amd64-pcrel", &[(54, &[0xf4])], 51),
    Patched("row/slot-alignment", "v2e1-amd64-pcrel", &[(53, &[0x14])], 51),
    Patched("row/same-slot", "v2e1-aarch64-be", &[(55, &[0xf0])], 51),
    Patched("row/fp-on-ra-slot", "v2e1-amd64-pcrel", &[(54, &[0xf8])], 51),
    Patched("row/slot-above-cfa", "v2e1-aarch64-be", &[(55, &[0x08])], 51),
    Patched("row/register-word", "v2e1-s390x", &[(64, &[0x41])], 64),
    Patched("row/even-word-alignment", "v2e1-s390x", &[(54, &[0xd4])], 54),
    // RA control word of row 1 at 54, FP control word at 56; s390x rows: 49 and 53.
    Patched("flex/cfa-register", "v3-amd64-flex-realigned", &[(59, &[0x32])], 59),
    Patched("flex/control-bit-2", "v3-amd64-flex-realigned", &[(59, &[0x37])], 59),
    Patched("flex/register-without-base", "v3-amd64-flex-realigned", &[(62, &[0x32, 0xf0])], 62),
    Patched("flex/register", "v3-amd64-flex-realigned", &[(59, &[0x8b])], 59),
    Patched("flex/pairs", "v3-amd64-flex-realigned", &[(58, &[0x08]), (0x10, &[0x13])], 58),
    Patched("flex/base-bit", "v3-amd64-flex-realigned", &[(50, &[0x05])], 50),
    Patched("flex/value-without-load", "v3-amd64-flex-realigned", &[(62, &[0x00, 0xf0])], 62),
];

fn patched(name: &str, patches: &[Patch]) -> Image {
    let bytes = unhex(example(name).hex);
    let abi = abi_of(&bytes);
    let mut bytes = bytes;
    for (at, new) in patches {
        bytes[*at..at + new.len()].copy_from_slice(new);
    }
    linked(abi, bytes)
}

fn closure(rule: &str) -> BTreeSet<&'static str> {
    let rule = model::rule_named(rule).expect("in the catalogue");
    let mut all = BTreeSet::from([rule.id]);
    let mut next = vec![rule];
    while let Some(rule) = next.pop() {
        let implied = rule.implies.iter().filter_map(|id| model::rule_named(id));
        next.extend(implied.filter(|rule| all.insert(rule.id)));
    }
    all
}

/// What is wrong with a file that should break the rule, and besides only what the rule implies and what is broken anyway.
fn breaks_only(image: &Image, rule: &str, anyway: &[&str], what: &str) -> Option<String> {
    let all = findings(image);
    if all.iter().all(|finding| finding.rule.id != rule) {
        return Some(format!("{what} does not break {rule}, but {:?}", broken(image)));
    }
    let allowed = closure(rule);
    let others = all.iter().filter(|finding| !allowed.contains(finding.rule.id) && !anyway.contains(&finding.rule.id));
    let others: Vec<_> = others.map(|finding| format!("{}: {}", finding.rule.id, finding.message)).collect();
    (!others.is_empty()).then(|| format!("{what} breaks {rule} and {others:#?}"))
}

fn baseline(name: &str) -> &'static [&'static str] {
    BASELINE.iter().find(|(example, _)| *example == name).map_or(&[], |(_, rules)| rules)
}

#[test]
fn patched_examples_break_only_the_rule_and_name_the_byte() {
    let mut wrong = Vec::new();
    for Patched(rule, name, patches, offset) in PATCHED {
        let image = patched(name, patches);
        // A section that says it is section-relative is that, too.
        let anyway = match *rule {
            "fde/address-base" => vec!["header/pcrel-clear-v2"],
            _ => baseline(name).to_vec(),
        };
        let what = format!("{name} with {patches:x?}");
        wrong.extend(breaks_only(&image, rule, &anyway, &what));
        let offsets: Vec<_> = findings(&image).iter().filter(|f| f.rule.id == *rule).map(|f| f.offset).collect();
        if offsets != [Some(*offset)] {
            wrong.push(format!("{what}: {rule} is found at {offsets:x?}, not at {offset:#x}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A file made by hand, and the rule it breaks.
struct Made {
    rule: &'static str,
    anyway: &'static [&'static str],
    image: Image,
}

fn made(rule: &'static str, image: Image) -> Made {
    Made { rule, anyway: &[], image }
}

fn bytes_of(name: &str) -> Vec<u8> {
    unhex(example(name).hex)
}

fn amd64(functions: Vec<Func>) -> Image {
    linked(Abi::Amd64, Spec::new(2, 3, functions).bytes(0))
}

fn s390x(version: u8, functions: Vec<Func>) -> Image {
    linked(Abi::S390x, Spec::new(version, 4, functions).bytes(0))
}

const LEAF: &[u8] = &[0, 0x03, 0x08];

fn flex(abi: u8, rows: &[u8], count: u32) -> Image {
    let function = Func { info2: 1, ..Func::new(FUNCTION, 0x40, count, rows) };
    let model = Abi::ALL.into_iter().find(|known| known.facts().sframe_id == abi).expect("known");
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
    unknown_abi.sections[1].bytes[4] = 9;
    let mut s390x_v1 = linked(Abi::S390x, Spec::new(1, 4, vec![Func::new(FUNCTION, 8, 1, &[0, 0x03, 0])]).bytes(0));
    s390x_v1.sections[1].flags = 2;
    let mut machine = example_image("v2e1-aarch64-b-key-signed");
    machine.abi = Abi::Amd64;
    let mut empty = linked(Abi::Amd64, Vec::new());
    empty.segments.clear();
    // Rows first, descriptors behind them.
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
        blocks.sections[0].bytes[block * 16] = push;
        blocks.sections[0].bytes[block * 16 + 1] = 0x35;
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
    // The same two functions are fine without the claim, but for the missing claim.
    unsorted.flags = 4;
    assert_eq!(broken(&linked(Abi::Amd64, unsorted.bytes(0))), ["header/sorted-in-linked"]);
    cases
}

fn row_cases() -> Vec<Made> {
    let aarch64 =
        |rows: &[u8], count| linked(Abi::Aarch64, Spec::new(2, 2, vec![Func::new(0x1000, 0x20, count, rows)]).bytes(0));
    let mut call = aarch64(&[0, 0x03, 0], 1);
    // bl .+8 at 0x1004
    call.sections[0].bytes[4..8].copy_from_slice(&0x9400_0002_u32.to_le_bytes());
    let mut call_s390x = s390x(2, vec![Func::new(0x1000, 0x20, 1, &[0, 0x03, 0])]);
    // brasl %r14 at 0x1002, after a two-byte instruction
    call_s390x.sections[0].bytes[..8].copy_from_slice(&[0x18, 0x12, 0xc0, 0xe5, 0, 0, 0, 2]);
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
    // CFA=[rbp-8] needs a flex row and is no register that only the topmost frame knows.
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
        made("elf/segment", change(&|image| image.segments.clear())),
        made("elf/segment", change(&|image| image.segments[0].address = 8)),
        made("elf/segment-size", change(&|image| image.segments[0].file_size += 8)),
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
                let stray = model::Relocation { offset: 30, ..image.sframe_relocations[0].clone() };
                image.sframe_relocations.push(stray);
            }),
        ),
        made(
            "elf/stray-relocation",
            object_with(&|image| {
                let none = model::Relocation { kind: 0, ..image.sframe_relocations[0].clone() };
                image.sframe_relocations.push(none);
            }),
        ),
        made("elf/relocation-target", object_with(&|image| image.sections[0].flags = 2)),
        made("elf/relocation-target", object_with(&|image| image.sframe_relocations[0].symbol_address = None)),
        made("elf/relocation-target", object_with(&|image| image.sframe_relocations[0].addend = 0xff9)),
        made(
            "elf/start-field-not-zero",
            object_with(&|image| image.sections[1].original.as_mut().expect("an original")[28] = 1),
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

/// Rows that GNU ld gives the lazy PLT of x86-64: the first entry begins with two words pushed, and slots push at 6..11.
const PLT0_ROWS: &[u8] = &[0, 0x03, 0x10, 6, 0x03, 0x18];
const SLOT_ROWS: &[u8] = &[0, 0x03, 0x08, 11, 0x03, 0x10];

fn plt_image(described: &[usize]) -> Image {
    plt_image_with(described, PLT0_ROWS, SLOT_ROWS)
}

/// An executable with a lazy PLT at 0x800: the first entry and two slots of 16 bytes. `described` are the parts with rows.
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

#[test]
fn made_files_break_only_the_rule() {
    let cases = [header_cases(), fde_cases(), row_cases(), flex_cases(), elf_cases()].into_iter().flatten();
    let wrong: Vec<_> =
        cases.filter_map(|Made { rule, anyway, image }| breaks_only(&image, rule, anyway, "a made file")).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// No rule that can be reported goes without a test that breaks it.
#[test]
fn every_rule_that_can_be_reported_is_broken_by_a_test() {
    let mut tested: BTreeSet<&str> = PATCHED.iter().map(|Patched(rule, ..)| *rule).collect();
    let cases = [header_cases(), fde_cases(), row_cases(), flex_cases(), elf_cases()].into_iter().flatten();
    tested.extend(cases.map(|case| case.rule));
    let emitted: BTreeSet<&str> = sframe::EMITTED.iter().copied().collect();
    assert_eq!(tested, emitted);
}

#[test]
fn rules_that_can_be_reported_are_the_structural_part_of_the_catalogue() {
    let judged = ["chain/", "cfi/", "eh-frame/"];
    let judged_rows = [
        "row/cfa-matches-truth",
        "row/ra-matches-truth",
        "row/fp-matches-truth",
        "row/signed-matches-truth",
        "row/missing",
        "row/outermost",
        "row/reads-dead-stack",
    ];
    let structural: BTreeSet<&str> = model::CATALOGUE
        .iter()
        .map(|rule| rule.id)
        .filter(|id| !judged.iter().any(|group| id.starts_with(group)) && !judged_rows.contains(id))
        .collect();
    assert_eq!(sframe::EMITTED.iter().copied().collect::<BTreeSet<_>>(), structural);
    assert_eq!(sframe::EMITTED.len(), structural.len());
}

#[test]
fn good_files_break_nothing() {
    for (version, abi) in [(2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2), (3, 3), (3, 4)] {
        let model = Abi::ALL.into_iter().find(|known| known.facts().sframe_id == abi).expect("known");
        let word = if abi == 3 { 8 } else { 0 };
        let rows = [0, 0x03, word];
        let functions = vec![Func::new(0x1000, 0x10, 1, &rows), Func::new(0x1010, 0x20, 1, &rows)];
        assert_eq!(broken(&linked(model, Spec::new(version, abi, functions.clone()).bytes(0))), [""; 0]);
        let spec = Spec { flags: 4, ..Spec::new(version, abi, functions) };
        assert_eq!(broken(&object(model, &spec)), [""; 0], "{version} {abi}");
    }
    assert_eq!(broken(&plt_image(&[0, 1])), [""; 0]);
}

#[test]
fn severities_follow_the_kind_of_file_and_the_version() {
    let severity = |image: &Image, rule: &str| {
        findings(image).iter().find(|finding| finding.rule.id == rule).map(|finding| finding.severity)
    };
    // PROGBITS is what tools before errata 1 wrote.
    for (name, want) in [
        ("v1-amd64", Severity::Warning),
        ("v2-amd64-section-relative", Severity::Warning),
        ("v2e1-amd64-pcrel", Severity::Error),
        ("v3-amd64", Severity::Error),
    ] {
        let mut image = example_image(name);
        image.sections[1].kind = 1;
        assert_eq!(severity(&image, "elf/section-type"), Some(want), "{name}");
        image.sections[1].kind = 7;
        assert_eq!(severity(&image, "elf/section-type"), Some(Severity::Error), "{name}");
    }
    // Two elements: an error once linked.
    let spec = Spec { flags: 4, ..Spec::new(2, 3, vec![Func::new(FUNCTION, 8, 1, LEAF)]) };
    let mut twice = object(Abi::Amd64, &spec);
    twice.sections[1].bytes.extend(bytes_of("v2e1-amd64-pcrel"));
    assert_eq!(severity(&twice, "header/second-element"), Some(Severity::Warning));
    twice.kind = ImageKind::Shared;
    assert_eq!(severity(&twice, "header/second-element"), Some(Severity::Error));
    // A CFA below SP cannot be; one nearer than at entry can.
    let cfa = |byte| patched("v2e1-amd64-pcrel", &[(53, byte)]);
    assert_eq!(severity(&cfa(&[0xf8]), "row/cfa-plausible"), Some(Severity::Error));
    assert_eq!(severity(&cfa(&[0x00]), "row/cfa-plausible"), Some(Severity::Warning));
}

#[test]
fn functions_of_an_object_file_are_compared_within_their_section() {
    // .text.b is laid out before .text here; a sorted claim says nothing about two sections of an object.
    let functions = vec![Func::new(0x1000, 8, 1, LEAF), Func::new(0x800, 8, 1, LEAF)];
    let spec = Spec::new(2, 3, functions);
    let mut image = object(Abi::Amd64, &spec);
    image.sections.push(section(3, ".text.b", 1, 6, 0x800, vec![0; 16]));
    image.sframe_relocations[1].symbol_address = Some(0x800);
    image.sframe_relocations[1].symbol_section = Some(3);
    image.sframe_relocations[1].addend = 0;
    assert_eq!(broken(&image), ["header/sorted-in-object"]);
}

#[test]
fn cold_parts_and_signal_frames_may_begin_with_any_frame() {
    let deep = [0, 0x03, 0x20];
    let spec = Spec::new(3, 3, vec![Func::new(FUNCTION, 8, 1, &deep)]);
    let mut image = linked(Abi::Amd64, spec.bytes(0));
    assert_eq!(broken(&image), ["row/entry-cfa"]);
    image.symbols.push(model::Symbol {
        name: "f.cold".to_owned(),
        address: FUNCTION,
        size: 8,
        function: true,
        local: true,
        section: Some(1),
    });
    assert_eq!(broken(&image), [""; 0]);
    let signal = Func { info: 0x80, ..Func::new(FUNCTION, 8, 1, &deep) };
    assert_eq!(broken(&linked(Abi::Amd64, Spec::new(3, 3, vec![signal]).bytes(0))), [""; 0]);
}

#[test]
fn findings_of_one_rule_are_bounded_and_the_rest_is_counted() {
    let rows: Vec<u8> = (0..200).flat_map(|start| [start, 0x05, 0x10, 0xf4]).collect();
    let image = amd64(vec![Func::new(FUNCTION, 0xff, 200, &rows)]);
    let all = findings(&image);
    let unaligned: Vec<_> = all.iter().filter(|finding| finding.rule.id == "row/slot-alignment").collect();
    assert_eq!(unaligned.len(), sframe::FINDINGS_PER_RULE + 1);
    assert_eq!(
        unaligned.last().map(|finding| finding.message.as_str()),
        Some("136 more findings of this rule are not listed")
    );
    assert_eq!(unaligned[3].offset, Some(48 + 3 * 4));
    assert_eq!(unaligned[3].code, Some((FUNCTION + 3, FUNCTION + 4)));
}
