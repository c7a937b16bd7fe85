//! Where the cases come from: the checkout around, or the folder that the variable names.

use std::fs;

use crate::command::document::root;
use crate::command::support::{Folder, finish, program};

/// Outside of a checkout, and with nobody to tell of one, there are none; `check` needs none.
#[cfg_attr(not(debug_assertions), ignore = "a release build carries the cases")]
#[test]
fn without_a_checkout_there_are_no_cases() {
    let folder = Folder::new();
    let call = |words: &[&str], home: Option<&str>| {
        let mut command = program();
        command.env_remove("SFRAME_CONFORMANCE_HOME").args(words).current_dir(folder.path("."));
        command.envs(home.map(|home| ("SFRAME_CONFORMANCE_HOME", home)));
        finish(command)
    };
    let list = ["run", "--filter", "objects::hand-o", "--out", "out"];
    let nowhere = call(&list, None);
    assert_eq!(nowhere.code, Some(3));
    assert!(
        nowhere.stderr.contains("in no checkout") && nowhere.stderr.contains("SFRAME_CONFORMANCE_HOME"),
        "{}",
        nowhere.stderr
    );
    let wrong = call(&list, Some("/dev"));
    assert!(
        wrong.code == Some(3) && wrong.stderr.contains("SFRAME_CONFORMANCE_HOME=/dev: no cases there"),
        "{}",
        wrong.stderr
    );
    assert!(matches!(call(&list, Some(&root().display().to_string())).code, Some(0 | 1)));
    assert_eq!(call(&["explain", "header/magic"], None).code, Some(0));
    assert!(!fs::exists(folder.path("cases")).expect("a folder"));
}
