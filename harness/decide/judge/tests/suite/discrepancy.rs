//! Fingerprints distinguish findings and stay what they are; ranges merge.

use std::collections::BTreeSet;

use results::{Blame, Finding, merge_ranges};
use spec::RuleId;

fn fingerprint(rule: RuleId, blame: Blame, function: &str, shape: &str) -> String {
    Finding::new(rule, blame, function, shape).fingerprint().to_owned()
}

#[test]
fn a_fingerprint_is_sixteen_hex_digits_of_its_four_parts() {
    let base = fingerprint(RuleId::RowOutermost, Blame::Assembler, "_start", "cfa=rsp+8 | undefined");
    assert_eq!(base.len(), 16);
    assert!(base.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)), "{base}");
    let others = [
        fingerprint(RuleId::RowMissing, Blame::Assembler, "_start", "cfa=rsp+8 | undefined"),
        fingerprint(RuleId::RowOutermost, Blame::Linker, "_start", "cfa=rsp+8 | undefined"),
        fingerprint(RuleId::RowOutermost, Blame::Assembler, "main", "cfa=rsp+8 | undefined"),
        fingerprint(RuleId::RowOutermost, Blame::Assembler, "_start", "cfa=rsp+16 | undefined"),
        // Moving the boundary between two parts changes the identity.
        fingerprint(RuleId::RowOutermost, Blame::Assembler, "_startcfa=rsp+8", " | undefined"),
        base.clone(),
    ];
    assert_eq!(others.iter().collect::<BTreeSet<_>>().len(), others.len());
    assert_eq!(base, fingerprint(RuleId::RowOutermost, Blame::Assembler, "_start", "cfa=rsp+8 | undefined"));
}

/// The ledger holds fingerprints for years: the function is FNV-1a, 64 bits, over the parts with a
/// zero byte between them. The number was worked out by a few lines of Python, not by this crate.
#[test]
fn a_fingerprint_never_changes() {
    assert_eq!(fingerprint(RuleId::RowOutermost, Blame::Linker, "_start", ""), "bfb63b0374646d6e");
}

#[test]
fn ranges_are_sorted_and_joined_where_they_touch() {
    let merged = merge_ranges(vec![(0x30, 0x34), (0x10, 0x14), (0x14, 0x18), (0x12, 0x13), (0x20, 0x21), (0x30, 0x34)]);
    assert_eq!(merged, [(0x10, 0x18), (0x20, 0x21), (0x30, 0x34)]);
    assert_eq!(merge_ranges(Vec::new()), []);
}
