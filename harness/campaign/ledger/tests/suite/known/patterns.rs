//! Patterns of trial names in the ledger, against random names.

use ledger::known::patterns;
use proptest::prelude::*;
use results::{Key, KeyPattern};

/// Trial names that vary in every part that patterns generalise, with versions that end in a date.
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
    prop::collection::btree_map(name, any::<bool>(), 0..40).prop_map(|keys| keys.into_iter().collect())
}

proptest! {
    /// For any trials, of which any show a finding: the patterns match exactly those that show it.
    #[test]
    fn patterns_match_what_was_shown_and_nothing_else(keys in keys(), project in prop::sample::select(vec!["gas", "ld", "gcc", "clang"])) {
        // Names that differ only in the project's version count as one: shown if one of them is.
        let name = |key: &Key| key.without_version_of(project);
        let all: Vec<Key> = keys.iter().map(|(key, _)| key.parse().expect("a key")).collect();
        let shown: Vec<Key> = keys.iter().filter(|(_, shown)| *shown).map(|(key, _)| key.parse().expect("a key")).collect();
        let patterns = patterns(project, &shown, &all);
        for key in &all {
            let matched = patterns.iter().any(|pattern| KeyPattern(pattern).matches(&name(key)));
            prop_assert_eq!(matched, shown.iter().any(|shown| name(shown) == name(key)), "{} by {:?}", key, patterns);
        }
        prop_assert!(patterns.len() <= shown.len());
        let idle = |pattern: &String| !shown.iter().any(|key| KeyPattern(pattern).matches(&name(key)));
        prop_assert!(!patterns.iter().any(idle), "an idle pattern: {:?}", patterns);
    }
}
