//! Scripts that were tried.

use results::bundle::{Expected, TriedScript, unproven};

fn tried(expected: Expected, status: i32) -> TriedScript {
    TriedScript { tool: "GNU as 2.44".to_owned(), expected, status: Some(status) }
}

#[test]
fn a_script_is_proven_by_one_tool_with_the_bug_and_one_without() {
    let (bug, none) = (tried(Expected::Bug, 1), tried(Expected::NoBug, 0));
    assert_eq!(unproven(&[bug.clone(), none.clone()]), None);
    for (tried, why) in [
        (vec![], "was not executed with a tool that has the bug"),
        (vec![bug.clone()], "without the bug: none is here"),
        (vec![tried(Expected::Bug, 0), none], "exited with status 0 with GNU as 2.44, expected 1"),
        (vec![bug.clone(), tried(Expected::NoBug, 1)], "exited with status 1 with GNU as 2.44, expected 0"),
        (vec![bug, TriedScript { status: None, ..tried(Expected::NoBug, 0) }], "did not end with GNU as 2.44"),
    ] {
        assert!(unproven(&tried).is_some_and(|printed| printed.contains(why)), "{why}");
    }
}
