//! Names and versions of tools.

use std::cmp::Ordering;

use results::{ToolName, ToolVersion};

#[test]
fn a_version_begins_with_whole_parts() {
    let snapshot = ToolVersion::new("2.47.50.20261021");
    for (beginning, expected) in [
        ("2.47", true),
        ("2.4", false),
        ("2", true),
        ("2.47.50.20261021", true),
        ("2.47.50.20261021.1", false),
        ("2.47.", false),
        ("", false),
    ] {
        assert_eq!(snapshot.begins_with(beginning), expected, "{beginning}");
    }
    assert!(!ToolVersion::new("2.40").begins_with("2.4"));
}

#[test]
fn versions_compare_by_number() {
    for (version, least, expected) in [
        ("2.40", "2.40", Ordering::Equal),
        ("2.9", "2.40", Ordering::Less),
        ("2.47.50.20261021", "2.46", Ordering::Greater),
        ("2.45", "2.45.1", Ordering::Less),
        ("22.1.8", "", Ordering::Greater),
        ("unreleased", "", Ordering::Equal),
    ] {
        let (version, least) = (ToolVersion::new(version), ToolVersion::new(least));
        assert_eq!(version.cmp_numbers(&least), expected, "{version} and {least}");
        assert_eq!(version.at_least(&least), expected != Ordering::Less, "{version} from {least}");
    }
}

#[test]
fn only_the_day_of_a_snapshot_is_left_out() {
    for (version, without, any) in [
        ("2.47.50.20261021", "2.47.50", "2.47.50*"),
        ("2.44", "2.44", "2.44"),
        // A number of eight digits alone, one of seven digits, and one that is not a year of
        // this century.
        ("20261021", "20261021", "20261021"),
        ("2.2026102", "2.2026102", "2.2026102"),
        ("2.99999999", "2.99999999", "2.99999999"),
        ("2.20261021.1", "2.20261021.1", "2.20261021.1"),
    ] {
        let version = ToolVersion::new(version);
        assert_eq!((version.without_day(), version.any_day().as_str()), (without, any), "{version}");
    }
}

#[test]
fn a_tool_is_one_of_its_recorded_versions() {
    for (name, recorded, expected) in [
        ("gas@2.47.50.20261021", "gas@2.47.50", true),
        ("gas@2.4.1", "gas@2.4", true),
        ("gas@2.40", "gas@2.4", false),
        ("gas@2.40", "gas@", false),
        ("gas@2.40", "gas", false),
        ("ld@2.40", "gas@2.40", false),
    ] {
        assert_eq!(ToolName::is_text_a(name, recorded), expected, "{name} is a {recorded}");
    }
}
