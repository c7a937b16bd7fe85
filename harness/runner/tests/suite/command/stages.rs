//! One build judged at each of its stages, with a tool that corrupts the table at one of them: that
//! tool is blamed.
//!
//! Only the row of `leaf` is corrupted; other findings of the machine's real assembler are ignored.

use crate::command::workshop::{ASSEMBLE, Fake, LINK, STRIP, Workshop, about_leaf, line_of};

/// Stage and blame of the findings about the corrupted row when these tools build the case.
fn printed(assemble: &str, link: &str, strip: &str) -> Vec<(String, String)> {
    let workshop = Workshop::new();
    workshop.producers(&[
        workshop.assembler(&Fake { name: "fake", body: assemble, more: "" }),
        workshop.linker(&Fake { name: "link", body: link, more: "with: [{name: cut}]" }),
        workshop.strip(&Fake { name: "cut", body: strip, more: "" }),
    ]);
    let (ran, lines) = workshop.run();
    let line = line_of(&lines, "fake");
    let commands = line["commands"].as_array().expect("commands").len();
    assert_eq!(commands, 4, "an object, ld -r, the link and strip: {line}");
    let printed: Vec<_> = about_leaf(line).into_iter().map(|(stage, blame, _)| (stage, blame)).collect();
    if !printed.is_empty() {
        assert_eq!(line["status"], "FAIL");
        assert_eq!(ran.code, Some(1), "{}", ran.stdout);
        assert!(ran.stdout.contains("\nFAIL CFA is rsp+24, expected rsp+8, at "), "{}", ran.stdout);
    }
    printed
}

fn one(stage: &str, blame: &str) -> Vec<(String, String)> {
    vec![(stage.to_owned(), blame.to_owned())]
}

fn spoilt(body: &str) -> String {
    format!("{body} && wrong \"$out\"")
}

#[test]
fn right_tools_are_not_blamed() {
    assert_eq!(printed(ASSEMBLE, LINK, STRIP), []);
}

#[test]
fn an_assembler_is_blamed_at_the_object_and_nobody_after_it() {
    assert_eq!(printed(&spoilt(ASSEMBLE), LINK, STRIP), one("object", "assembler"));
}

#[test]
fn a_linker_is_blamed_at_the_linked_file() {
    let link = format!("{LINK} && case $1 in -r) ;; *) wrong \"$out\" ;; esac");
    assert_eq!(printed(ASSEMBLE, &link, STRIP), one("linked", "linker"));
}

#[test]
fn a_linker_is_blamed_at_the_relocatable_file() {
    let link = format!("{LINK} && case $1 in -r) wrong \"$out\" ;; esac");
    assert_eq!(printed(ASSEMBLE, &link, STRIP), one("relocatable", "linker"));
}

#[test]
fn a_post_processor_is_blamed_at_the_stripped_file() {
    assert_eq!(printed(ASSEMBLE, LINK, &spoilt(STRIP)), one("stripped", "post-processor"));
}
