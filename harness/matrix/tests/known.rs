//! Patterns of trial names in the ledger, against random names.

use matrix::known::patterns;
use model::KeyPattern;
use proptest::prelude::*;

/// Trial names with every part that patterns widen over, and versions that end in a day.
fn keys() -> impl Strategy<Value = Vec<(String, bool)>> {
    let key = (
        prop::sample::select(vec!["gas@2.40", "gas@2.47.50.20261021", "gas@2.4", "ld@2.40"]),
        prop::sample::select(vec!["amd64", "aarch64-be", "s390x"]),
        prop::sample::select(vec!["v1", "v3", "none"]),
        prop::sample::select(vec!["c", "cfi", "link"]),
        prop::sample::select(vec!["leaf", "leaf-2", "le"]),
        prop::sample::select(vec![
            "",
            "+gcc@12.2.0+O2",
            "+gcc@12.2.0+O2-fp",
            "+gas@2.47.50.20261021",
            "+O2",
            "+gas@2.4.20261021+x",
        ]),
    );
    let name = key.prop_map(|(producer, abi, version, topic, case, varied)| {
        format!("{producer}::{abi}::{version}::{topic}::{case}{varied}")
    });
    let odd = prop::sample::select(vec![
        "",
        "gas",
        "gas@2.40::amd64",
        "a::b::c::d::e",
        "gas@2.40::a::b::c::d::e",
        "+::+::+::+::+",
    ]);
    let name = prop_oneof![20 => name, 1 => odd.prop_map(str::to_owned)];
    prop::collection::btree_map(name, any::<bool>(), 0..40).prop_map(|keys| keys.into_iter().collect())
}

proptest! {
    /// Whatever ran and whatever of it shows a finding: the patterns match all of the one and none of the other.
    #[test]
    fn patterns_match_what_was_shown_and_nothing_else(keys in keys()) {
        let all: Vec<String> = keys.iter().map(|(key, _)| key.clone()).collect();
        let shown: Vec<String> = keys.iter().filter(|(_, shown)| *shown).map(|(key, _)| key.clone()).collect();
        let patterns = patterns(&shown, &all);
        for (key, shown) in &keys {
            let matched = patterns.iter().any(|pattern| KeyPattern(pattern).matches(key));
            prop_assert_eq!(matched, *shown, "{} by {:?}", key, patterns);
        }
        prop_assert!(patterns.len() <= shown.len());
        prop_assert!(patterns.iter().all(|pattern| shown.iter().any(|key| KeyPattern(pattern).matches(key))), "an idle pattern: {:?}", patterns);
    }
}
