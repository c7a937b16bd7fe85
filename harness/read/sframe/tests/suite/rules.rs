//! Each structural rule is broken by a section or file that breaks it and the rules it implies, and
//! no others.

use std::collections::BTreeSet;

use spec::{RuleId, RuleKind, Severity};
use types::{Abi, Image, ImageKind};

use crate::examples::{EXAMPLES, FUNCTION, example, unhex};
use crate::file::{Func, Spec, breaches, broken, linked, object, section};
use crate::made::{self, LEAF, Made, abi_of, amd64, bytes_of, example_image, plt_image};

/// Rules that the worked examples break as they are, as linked files.
const BASELINE: &[(&str, &[&str])] = &[
    ("v2-amd64-section-relative", &["header/pcrel-clear-v2"]),
    ("v1-amd64", &["header/obsolete-version"]),
    // RA in f0: only the topmost frame can be unwound so. The same for a CFA based on r10.
    ("v3-s390x-flex", &["flex/topmost-only"]),
    ("v3-amd64-flex-realigned", &["flex/topmost-only"]),
    ("v2e2-amd64-outermost", &["row/outermost-before-errata-2"]),
];

#[test]
fn the_worked_examples_break_only_what_they_must() {
    for example in EXAMPLES {
        let want = BASELINE.iter().find(|(name, _)| *name == example.name).map_or(&[][..], |(_, rules)| *rules);
        assert_eq!(broken(&example_image(example.name)), want, "{}", example.name);
    }
}

/// Bytes to put at an offset.
type Patch = (usize, &'static [u8]);

/// A worked example with bytes changed, the rule that this breaks, and the expected offset of the
/// breach.
struct PatchedExample(&'static str, &'static str, &'static [Patch], u64);

// Offsets: V2 descriptor at 28 (start 28, size 32, row offset 36, count 40, info 44, block 45,
// padding 46), rows at 48. V3 index at 28 (start 28, size 36, row offset 40), attributes at 44
// (count 44, info 46, info2 47, block 48), rows at 49.
const PATCHED: &[PatchedExample] = &[
    PatchedExample("header/magic", "v2e1-amd64-pcrel", &[(0, &[0xad])], 0),
    PatchedExample("header/version", "v2e1-amd64-pcrel", &[(2, &[4])], 2),
    PatchedExample("header/reserved-flags", "v2e1-amd64-pcrel", &[(3, &[0x0d])], 3),
    PatchedExample("header/removed-flag", "v3-amd64", &[(3, &[0x07])], 3),
    PatchedExample("header/frame-pointer-flag", "v2e1-amd64-pcrel", &[(3, &[0x07])], 3),
    PatchedExample("header/frame-pointer-flag", "v1-amd64", &[(3, &[0x03])], 3),
    PatchedExample("header/reserved-flags", "v1-amd64", &[(3, &[0x05])], 3),
    PatchedExample("header/abi-byte-order", "v2e1-aarch64-b-key-signed", &[(4, &[1])], 4),
    PatchedExample("header/fixed-ra-amd64", "v2e1-amd64-pcmask", &[(6, &[0xf0])], 6),
    PatchedExample("header/fixed-ra", "v2e1-aarch64-be", &[(6, &[0xf8])], 6),
    PatchedExample("header/fixed-fp", "v2e1-amd64-pcmask", &[(5, &[0xf0])], 5),
    PatchedExample("header/auxiliary-fits", "v2e1-amd64-pcrel", &[(7, &[0xff])], 7),
    PatchedExample("header/fde-table-fits", "v2e1-amd64-pcrel", &[(8, &[0xff; 4])], 8),
    PatchedExample("header/fde-table-fits", "v2e1-amd64-pcrel", &[(0x14, &[0xff; 4])], 0x14),
    PatchedExample("header/fre-area-fits", "v2e1-amd64-pcrel", &[(0x10, &[0xff, 0xff, 0xff, 0x7f])], 0x10),
    PatchedExample("header/fre-area-fits", "v2e1-amd64-pcrel", &[(0x18, &[0xff, 0xff, 0xff, 0x7f])], 0x18),
    PatchedExample("header/row-count", "v2e1-amd64-pcrel", &[(0x0c, &[4])], 0x0c),
    PatchedExample("header/sorted-in-linked", "v2e1-amd64-pcrel", &[(3, &[0x04])], 3),
    PatchedExample("header/pcrel-clear", "v3-amd64", &[(3, &[0x01]), (28, &[0, 0x10])], 3),
    PatchedExample(
        "header/rows-without-functions",
        "v2e1-amd64-pcrel",
        &[(8, &[0]), (0x10, &[0x1f]), (0x18, &[0])],
        0x0c,
    ),
    PatchedExample("fde/padding", "v2e1-amd64-pcrel", &[(46, &[1])], 46),
    PatchedExample("fde/padding", "v2e1-aarch64-be", &[(47, &[1])], 46),
    PatchedExample("fde/row-offset", "v2e1-amd64-pcrel", &[(36, &[0, 1])], 36),
    PatchedExample("fde/row-offset", "v2e1-amd64-pcrel", &[(36, &[0x0b])], 36),
    PatchedExample("fde/row-offset", "v3-amd64", &[(40, &[0x10])], 40),
    PatchedExample("fde/attributes-fit", "v3-amd64", &[(40, &[0x0c])], 40),
    PatchedExample("fde/rows-fit", "v2e1-amd64-pcrel", &[(0x0c, &[4]), (40, &[4])], 59),
    PatchedExample("fde/row-type", "v2e1-amd64-pcrel", &[(44, &[0x03])], 44),
    PatchedExample("fde/reserved-info-bits", "v2e1-amd64-pcrel", &[(44, &[0x80])], 44),
    PatchedExample("fde/reserved-info-bits", "v3-amd64", &[(46, &[0x40])], 46),
    PatchedExample("fde/key-bit", "v2e1-amd64-pcrel", &[(44, &[0x20])], 44),
    PatchedExample("fde/reserved-info2-bits", "v3-amd64", &[(47, &[0x20])], 47),
    PatchedExample("fde/type", "v3-amd64", &[(47, &[0x02])], 47),
    PatchedExample("fde/block-size", "v2e1-amd64-pcmask", &[(45, &[0])], 45),
    PatchedExample("fde/unused-block-size", "v2e1-amd64-pcrel", &[(45, &[16])], 45),
    PatchedExample("fde/block-multiple", "v2e1-amd64-pcmask", &[(32, &[40])], 45),
    PatchedExample("fde/row-in-block", "v2e1-amd64-pcmask", &[(51, &[16])], 51),
    PatchedExample("fde/implied-block", "v1-amd64", &[(44, &[0x10])], 44),
    PatchedExample("fde/address-wrap", "v2e1-amd64-pcrel", &[(28, &[0, 0, 0, 0x80])], 28),
    PatchedExample("fde/address-base", "v2e1-amd64-pcrel", &[(3, &[0x01])], 3),
    PatchedExample("row/first-start", "v2e1-aarch64-be", &[(48, &[2])], 48),
    PatchedExample("row/starts-ascend", "v2e1-amd64-pcrel", &[(55, &[1])], 55),
    PatchedExample("row/starts-ascend", "v2e1-amd64-pcrel", &[(55, &[0])], 55),
    PatchedExample("row/start-in-function", "v2e1-amd64-pcrel", &[(55, &[0x31])], 55),
    PatchedExample("row/unreachable", "v2e1-amd64-pcrel", &[(55, &[0x30])], 55),
    PatchedExample("row/word-size", "v2e1-amd64-pcrel", &[(49, &[0x63])], 49),
    PatchedExample("row/outermost-info", "v2e2-amd64-outermost", &[(49, &[0x21])], 49),
    PatchedExample("row/signed-bit", "v2e1-amd64-pcrel", &[(49, &[0x83])], 49),
    PatchedExample("row/word-size-minimal", "v2e1-amd64-wide", &[(55, &[0x10, 0])], 54),
    PatchedExample("row/repeats", "v2e1-amd64-pcrel", &[(56, &[0x05])], 55),
    PatchedExample("row/entry-cfa", "v2e1-amd64-pcrel", &[(50, &[0x10])], 48),
    PatchedExample("row/cfa-plausible", "v2e1-amd64-pcrel", &[(53, &[0xf8])], 51),
    PatchedExample("row/cfa-plausible", "v2e1-amd64-pcrel", &[(53, &[0x00])], 51),
    PatchedExample("row/slot-alignment", "v2e1-amd64-pcrel", &[(54, &[0xf4])], 51),
    PatchedExample("row/slot-alignment", "v2e1-amd64-pcrel", &[(53, &[0x14])], 51),
    PatchedExample("row/same-slot", "v2e1-aarch64-be", &[(55, &[0xf0])], 51),
    PatchedExample("row/fp-on-ra-slot", "v2e1-amd64-pcrel", &[(54, &[0xf8])], 51),
    PatchedExample("row/slot-above-cfa", "v2e1-aarch64-be", &[(55, &[0x08])], 51),
    PatchedExample("row/register-word", "v2e1-s390x", &[(64, &[0x41])], 64),
    PatchedExample("row/even-word-alignment", "v2e1-s390x", &[(54, &[0xd4])], 54),
    // RA control word of row 1 at 54, FP control word at 56; s390x rows: 49 and 53.
    PatchedExample("flex/cfa-register", "v3-amd64-flex-realigned", &[(59, &[0x32])], 59),
    PatchedExample("flex/control-bit-2", "v3-amd64-flex-realigned", &[(59, &[0x37])], 59),
    PatchedExample("flex/register-without-base", "v3-amd64-flex-realigned", &[(62, &[0x32, 0xf0])], 62),
    PatchedExample("flex/register", "v3-amd64-flex-realigned", &[(59, &[0x8b])], 59),
    PatchedExample("flex/pairs", "v3-amd64-flex-realigned", &[(58, &[0x08]), (0x10, &[0x13])], 58),
    PatchedExample("flex/base-bit", "v3-amd64-flex-realigned", &[(50, &[0x05])], 50),
    PatchedExample("flex/value-without-load", "v3-amd64-flex-realigned", &[(62, &[0x00, 0xf0])], 62),
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

fn closure(rule: &str) -> BTreeSet<RuleId> {
    let rule = rule.parse::<RuleId>().expect("in the catalogue").facts();
    let mut all = BTreeSet::from([rule.id]);
    let mut next = vec![rule];
    while let Some(rule) = next.pop() {
        let implied = rule.implies.iter().map(|id| id.facts());
        next.extend(implied.filter(|rule| all.insert(rule.id)));
    }
    all
}

/// The error if a file does not break exactly the rule, the rules it implies, and those broken
/// anyway.
fn breaks_only(image: &Image, rule: &str, anyway: &[&str], what: &str) -> Option<String> {
    let all = breaches(image);
    if all.iter().all(|breach| breach.rule.id != rule) {
        return Some(format!("{what} does not break {rule}, but {:?}", broken(image)));
    }
    let allowed = closure(rule);
    let others =
        all.iter().filter(|breach| !allowed.contains(&breach.rule.id) && !anyway.contains(&breach.rule.id.name()));
    let others: Vec<_> = others.map(|breach| format!("{}: {}", breach.rule.id, breach.message)).collect();
    (!others.is_empty()).then(|| format!("{what} breaks {rule} and {others:#?}"))
}

fn baseline(name: &str) -> &'static [&'static str] {
    BASELINE.iter().find(|(example, _)| *example == name).map_or(&[], |(_, rules)| rules)
}

#[test]
fn patched_examples_break_only_the_rule_and_name_the_byte() {
    let mut wrong = Vec::new();
    for PatchedExample(rule, name, patches, offset) in PATCHED {
        let image = patched(name, patches);
        // A section that is declared section-relative really is.
        let anyway = match *rule {
            "fde/address-base" => vec!["header/pcrel-clear-v2"],
            _ => baseline(name).to_vec(),
        };
        let what = format!("{name} with {patches:x?}");
        wrong.extend(breaks_only(&image, rule, &anyway, &what));
        let offsets: Vec<_> = breaches(&image).iter().filter(|f| f.rule.id == *rule).map(|f| f.offset).collect();
        if offsets != [Some(*offset)] {
            wrong.push(format!("{what}: {rule} is found at {offsets:x?}, not at {offset:#x}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn made_files_break_only_the_rule() {
    let wrong: Vec<_> = made::all()
        .filter_map(|Made { rule, anyway, image }| breaks_only(&image, rule, anyway, "a made file"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `sh_type` values of the gABI, repeated here: the tests share no constants with the tested code.
const SHT_PROGBITS: u32 = 1;
const SHT_NOTE: u32 = 7;

/// Every rule that bytes alone can break has a test that breaks it.
#[test]
fn every_structural_rule_is_broken_by_a_test() {
    let mut tested: BTreeSet<&str> = PATCHED.iter().map(|PatchedExample(rule, ..)| *rule).collect();
    tested.extend(made::all().map(|case| case.rule));
    let structural = spec::CATALOGUE.iter().filter(|rule| rule.kind == RuleKind::Structural);
    assert_eq!(tested, structural.map(|rule| rule.id.name()).collect());
}

#[test]
fn good_files_break_nothing() {
    for (version, abi) in [(2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2), (3, 3), (3, 4)] {
        let model = Abi::from_sframe_id(abi).expect("known");
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
        breaches(image).iter().find(|breach| breach.rule.id == rule).map(|breach| breach.severity)
    };
    // Tools before errata 1 wrote PROGBITS.
    for (name, want) in [
        ("v1-amd64", Severity::Warning),
        ("v2-amd64-section-relative", Severity::Warning),
        ("v2e1-amd64-pcrel", Severity::Error),
        ("v3-amd64", Severity::Error),
    ] {
        let mut image = example_image(name);
        image.sections[1].kind = SHT_PROGBITS;
        assert_eq!(severity(&image, "elf/section-type"), Some(want), "{name}");
        image.sections[1].kind = SHT_NOTE;
        assert_eq!(severity(&image, "elf/section-type"), Some(Severity::Error), "{name}");
    }
    // Two elements are an error in a linked file.
    let spec = Spec { flags: 4, ..Spec::new(2, 3, vec![Func::new(FUNCTION, 8, 1, LEAF)]) };
    let mut twice = object(Abi::Amd64, &spec);
    twice.sections[1].bytes = [&twice.sections[1].bytes[..], &bytes_of("v2e1-amd64-pcrel")].concat().into();
    assert_eq!(severity(&twice, "header/second-element"), Some(Severity::Warning));
    twice.kind = ImageKind::Shared;
    assert_eq!(severity(&twice, "header/second-element"), Some(Severity::Error));
    // A CFA below SP is impossible; one nearer than at entry is possible.
    let cfa = |byte| patched("v2e1-amd64-pcrel", &[(53, byte)]);
    assert_eq!(severity(&cfa(&[0xf8]), "row/cfa-plausible"), Some(Severity::Error));
    assert_eq!(severity(&cfa(&[0x00]), "row/cfa-plausible"), Some(Severity::Warning));
}

#[test]
fn functions_of_an_object_file_are_compared_within_their_section() {
    // .text.b is laid out before .text here; SFRAME_F_FDE_SORTED has no meaning for two sections of
    // an object.
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
    image.symbols.push(types::Symbol {
        name: "f.cold".into(),
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
fn breaches_of_one_rule_are_bounded_and_the_rest_is_counted() {
    let rows: Vec<u8> = (0..200).flat_map(|start| [start, 0x05, 0x10, 0xf4]).collect();
    let image = amd64(vec![Func::new(FUNCTION, 0xff, 200, &rows)]);
    let all = breaches(&image);
    let unaligned: Vec<_> = all.iter().filter(|breach| breach.rule.id == "row/slot-alignment").collect();
    assert_eq!(unaligned.len(), sframe::BREACHES_PER_RULE + 1);
    assert_eq!(
        unaligned.last().map(|breach| breach.message.as_str()),
        Some("136 more findings of this rule are not listed")
    );
    assert_eq!(unaligned[3].offset, Some(48 + 3 * 4));
    assert_eq!(unaligned[3].code, Some((FUNCTION + 3, FUNCTION + 4)));
}
