//! Rules with circumstances: severities by the kind of file and the version, frames of cold parts
//! and signal handlers, bounds. `corpus.rs` breaks each rule.

use spec::Severity;
use types::{Abi, Image, ImageKind, SframeVersion};

use crate::examples::{EXAMPLES, FUNCTION, example};
use crate::file::{breaches, broken, bytes, linked};

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
    for example in EXAMPLES.iter() {
        let expected = BASELINE.iter().find(|(name, _)| *name == example.name).map_or(&[][..], |(_, rules)| *rules);
        assert_eq!(broken(&linked(example.bytes.clone())), expected, "{}", example.name);
    }
}

/// `sh_type` values of the gABI, repeated here: the tests share no constants with the tested code.
const SHT_PROGBITS: u32 = 1;
const SHT_NOTE: u32 = 7;

#[test]
fn severities_follow_the_kind_of_file_and_the_version() {
    let severity = |image: &Image, rule: &str| {
        breaches(image).iter().find(|breach| breach.rule.id == rule).map(|breach| breach.severity)
    };
    // Tools before errata 1 wrote PROGBITS.
    for (name, expected) in [
        ("v1-amd64", Severity::Warning),
        ("v2-amd64-section-relative", Severity::Warning),
        ("v2e1-amd64-pcrel", Severity::Error),
        ("v3-amd64", Severity::Error),
    ] {
        let mut image = linked(example(name));
        image.sections[1].kind = SHT_PROGBITS;
        assert_eq!(severity(&image, "elf/section-type"), Some(expected), "{name}");
        image.sections[1].kind = SHT_NOTE;
        assert_eq!(severity(&image, "elf/section-type"), Some(Severity::Error), "{name}");
    }
    // A kernel's image needs no segment.
    let mut kernel = linked(example("v3-amd64"));
    kernel.segments.retain(|segment| segment.kind != 0x6474_e554);
    assert_eq!(severity(&kernel, "elf/segment"), Some(Severity::Error));
    kernel.sections[1].address = 0xffff_ffff_8100_0000;
    assert_eq!(severity(&kernel, "elf/segment"), Some(Severity::Info));
    // Two elements are an error in a linked file.
    let mut twice = linked([example("v2e1-amd64-pcrel"), example("v2e1-amd64-pcrel")].concat());
    assert_eq!(severity(&twice, "header/second-element"), Some(Severity::Error));
    (twice.kind, twice.segments) = (ImageKind::Relocatable, Vec::new());
    assert_eq!(severity(&twice, "header/second-element"), Some(Severity::Warning));
    // A CFA below SP is impossible; one nearer than at entry is possible.
    let cfa = |byte| {
        let mut bytes = example("v2e1-amd64-pcrel");
        bytes[53] = byte;
        linked(bytes)
    };
    assert_eq!(severity(&cfa(0xf8), "row/cfa-plausible"), Some(Severity::Error));
    assert_eq!(severity(&cfa(0x00), "row/cfa-plausible"), Some(Severity::Warning));
}

#[test]
fn cold_parts_and_signal_frames_may_begin_with_any_frame() {
    let deep = "add 0x1000 8; f0.rows = 0 sp 32";
    let mut image = linked(bytes(Abi::Amd64, SframeVersion::V3, deep));
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
    let signal = format!("{deep}; f0.signal = 1");
    assert_eq!(broken(&linked(bytes(Abi::Amd64, SframeVersion::V3, &signal))), [""; 0]);
}

#[test]
fn breaches_of_one_rule_are_bounded_and_the_rest_is_counted() {
    let rows: Vec<String> = (0..200).map(|start| format!("{start} sp 16 -12")).collect();
    let edits = format!("add 0x1000 0xff; f0.rows = {}", rows.join(","));
    let all = breaches(&linked(bytes(Abi::Amd64, SframeVersion::V2Errata1, &edits)));
    let unaligned: Vec<_> = all.iter().filter(|breach| breach.rule.id == "row/slot-alignment").collect();
    assert_eq!(unaligned.len(), sframe::BREACHES_PER_RULE + 1);
    assert_eq!(
        unaligned.last().map(|breach| breach.message.as_str()),
        Some("136 more findings of this rule are not listed")
    );
    assert_eq!(unaligned[3].offset, Some(48 + 3 * 4));
    assert_eq!(unaligned[3].code, Some((FUNCTION + 3, FUNCTION + 4)));
}
