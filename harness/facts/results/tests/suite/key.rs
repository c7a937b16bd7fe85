//! Keys of trials.

use results::{CaseName, Key};

#[test]
fn a_case_names_its_tool_and_options() {
    for (name, plain, tool, options) in [
        ("leaf", "leaf", None, None),
        ("leaf+O2-fp", "leaf", None, Some("O2-fp")),
        ("leaf+gcc@12.2.0+O2", "leaf", Some("gcc@12.2.0"), Some("O2")),
        ("two+gas@2.47.50.20261021", "two", Some("gas@2.47.50.20261021"), None),
        ("", "", None, None),
    ] {
        let name = CaseName(name);
        let tool_name = name.tool().map(|tool| tool.to_string());
        assert_eq!((name.plain(), tool_name.as_deref(), name.options()), (plain, tool, options), "{name:?}");
    }
}

#[test]
fn days_go_from_every_version() {
    for (key, expected) in [
        ("gas@2.47.50.20261021::amd64::v3::frames::leaf", "gas@2.47.50::amd64::v3::frames::leaf"),
        ("ld@2.44::amd64::v2::link::two+gas@2.47.50.20261021", "ld@2.44::amd64::v2::link::two+gas@2.47.50"),
        ("gas@2.44::amd64::v2::frames::leaf", "gas@2.44::amd64::v2::frames::leaf"),
        ("wild@20261021::amd64::v2::link::two", "wild@20261021::amd64::v2::link::two"),
        ("gas@2.2026102::amd64::v2::a::b", "gas@2.2026102::amd64::v2::a::b"),
        ("gas@2.99999999::amd64::v2::a::b", "gas@2.99999999::amd64::v2::a::b"),
    ] {
        let key: Key = key.parse().expect("a key");
        assert_eq!(key.without_days().to_string(), expected);
    }
}

#[test]
fn a_name_goes_without_the_version_of_a_project() {
    let key: Key = "gas@2.44::amd64::v2::c::leaf+gcc@12.2.0+O2".parse().expect("a key");
    for (project, version, name) in [
        ("gas", Some("2.44"), "gas::amd64::v2::c::leaf+gcc@12.2.0+O2"),
        ("gcc", Some("12.2.0"), "gas@2.44::amd64::v2::c::leaf+gcc+O2"),
        ("ld", None, "gas@2.44::amd64::v2::c::leaf+gcc@12.2.0+O2"),
    ] {
        let found = key.version_of(project).map(|version| version.to_string());
        assert_eq!((found.as_deref(), key.without_version_of(project).as_str()), (version, name), "{project}");
    }
}

#[test]
fn keys_are_in_order_of_their_texts() {
    let key = |text: &str| text.parse::<Key>().expect("a key");
    let sorted = [
        "gas@2.40::amd64::v1::c::a",
        "gas@2.40::s390x::v1::c::a",
        "gas@2.9::amd64::none::c::a",
        "gas@2.9::amd64::v1::c::a",
        "ld@1::amd64::v1::c::a",
    ];
    assert!(sorted.windows(2).all(|pair| key(pair[0]) < key(pair[1])));
}

#[test]
fn a_key_has_five_parts() {
    let text = "gas@2.40::aarch64-be::v1::frames::leaf+gcc@12+O2";
    assert_eq!(text.parse::<Key>().expect("a key").to_string(), text);
    for text in ["", "gas", "gas@2.40::amd64", "a::amd64::v1::c::d", "gas@1::amd64::v1::c::d::e", "+::+::+::+::+"] {
        assert!(text.parse::<Key>().is_err(), "{text}");
    }
}
