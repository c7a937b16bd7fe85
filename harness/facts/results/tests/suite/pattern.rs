//! Patterns of keys.

use results::{Key, KeyPattern};
use types::Abi;

#[test]
fn patterns_match_whole_names() {
    for (pattern, key, expected) in [
        ("a::b", "a::b", true),
        ("a::b", "a::b::c", false),
        ("a::*", "a::b::c", true),
        ("*::c", "a::b::c", true),
        ("a::*::c", "a::b::c", true),
        ("a::*::c", "a::c", false),
        ("a*b*c", "a-c-b-c", true),
        ("a*b*c", "a-c-b", false),
        ("ab*ba", "aba", false),
        ("", "", true),
    ] {
        let pattern = KeyPattern(pattern);
        assert_eq!(pattern.matches(key), expected, "{pattern:?} on {key}");
        assert!(!expected || key.starts_with(pattern.beginning()), "{pattern:?} on {key}");
    }
}

#[test]
fn a_pattern_says_which_trials_it_is_for() {
    let open = KeyPattern("gas@2.44*::aarch64*::v2::c::leaf+gcc@12*+*");
    assert_eq!(open.tools().collect::<Vec<_>>(), ["gas@2.44*", "gcc@12*"]);
    assert!(open.is_for(Abi::Aarch64) && open.is_for(Abi::Aarch64Be) && !open.is_for(Abi::Amd64));
    assert!(open.leaves_case_open() && open.is_of_topic("c") && !open.is_of_topic("objects"));
    let wide = KeyPattern("gas@2.44::*");
    assert!(Abi::ALL.into_iter().all(|abi| wide.is_for(abi)) && wide.leaves_case_open());
    let name = KeyPattern("gas@2.44::amd64::v2::objects::leaf");
    assert!(!name.leaves_case_open() && name.is_of_topic("objects"));
    assert_eq!((KeyPattern("gas").abi(), KeyPattern("gas").sframe()), ("*", "*"));
    assert!(open.leaves_target_open() && !name.leaves_target_open());
    assert_eq!((open.sframe(), KeyPattern("gas::aarch64*::c::leaf").sframe()), ("v2", "*"));
}

#[test]
fn the_patterns_of_a_name_match_it() {
    for (name, project, widest, own) in [
        (
            "gas@2.47.50.20261021::amd64::v3::c::leaf+gcc@12.2.0+O2",
            "gas",
            "gas::*::c::*",
            "gas::amd64::v3::c::leaf+gcc@12.2.0+O2",
        ),
        (
            "gas@2.47.50.20261021::amd64::v3::c::leaf+gcc@12.2.0+O2",
            "gcc",
            "*::*::c::*",
            "gas@2.47.50*::amd64::v3::c::leaf+gcc+O2",
        ),
        (
            "ld@2.44::amd64::v2::link::two+gas@2.47.50.20261021",
            "ld",
            "ld::*::link::*",
            "ld::amd64::v2::link::two+gas@2.47.50*",
        ),
    ] {
        let key: Key = name.parse().expect("a key");
        let (patterns, plain) = (key.patterns(project), key.without_version_of(project));
        assert_eq!((patterns[0].as_str(), patterns.last().map(String::as_str)), (widest, Some(own)));
        assert!(
            patterns.iter().all(|pattern| KeyPattern(pattern).matches(&plain)
                != (pattern.ends_with("::leaf") || pattern.ends_with("::two"))),
            "{patterns:?}"
        );
    }
}
