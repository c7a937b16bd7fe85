//! Tests of bundle files: unknown keys are refused, and output is parsed back to the same value.

use results::bundle::{Bundle, Check, Command, Named, Others, Reading, ReducedFinding};
use results::{Blame, ToolVersion, yaml};
use spec::RuleId;
use types::Aspect;

fn refused<T: serde::de::DeserializeOwned + std::fmt::Debug>(text: &str, named: &str) {
    let error = yaml::parse::<T>(text).expect_err(text).to_string();
    assert!(error.contains(named), "{error}");
}

#[test]
fn unknown_keys_are_refused() {
    refused::<Bundle>("title: x\nzzz: 1\n", "zzz");
    refused::<Check>("by: row\npc: 1\ncolumn: cfa\nwrong: a\nright: b\nzzz: 1\n", "zzz");
    refused::<ReducedFinding>("rule: row/missing\nblame: linker\nfingerprint: a\nfield: cfa\nzzz: 1\n", "zzz");
    refused::<Reading>("row: no row\nzzz: 1\n", "zzz");
    refused::<Others>("zzz: []\n", "zzz");
}

#[test]
fn a_finding_is_named_in_one_way() {
    let shown =
        |named: &str| yaml::parse::<ReducedFinding>(&format!("rule: row/missing\nblame: linker\nfield: cfa\n{named}"));
    assert_eq!(shown("class: old-start\n").expect("a finding").named, Named::Class("old-start".to_owned()));
    assert!(shown("").is_err());
    assert!(shown("class: a\nfingerprint: b\n").is_err());
}

#[test]
fn arguments_are_a_line_unless_one_has_a_blank() {
    for (words, written) in
        [(vec!["-o", "repro.o"], "words: -o repro.o\n"), (vec!["-o", "a b", ""], "words:\n- -o\n- a b\n- ''\n")]
    {
        let words = words.into_iter().map(str::to_owned).collect();
        let command = Command { variable: "AS".to_owned(), program: "as".to_owned(), words };
        let text = yaml::print(&command).expect("YAML");
        assert!(text.ends_with(written), "{text}");
        assert_eq!(yaml::parse::<Command>(&text).expect("a command"), command);
    }
}

#[test]
fn addresses_are_hex() {
    let reading = Reading { row: "no row".to_owned(), cfa: Some(0x7ffe), ra: Some(0), fp: None };
    let text = yaml::print(&reading).expect("YAML");
    assert_eq!(text, "row: no row\ncfa: '0x7ffe'\nra: '0x0'\n");
    assert_eq!(yaml::parse::<Reading>(&text).expect("a reading"), reading);
    refused::<Reading>("row: x\ncfa: 7ffe\n", "7ffe");
    refused::<Reading>("row: x\ncfa: 0x+1\n", "0x+1");
}

#[test]
fn versions_are_sorted_into_three_lists() {
    let mut others = Others::default();
    for (version, shows) in [("2.44", Some(true)), ("2.40", Some(true)), ("2.41", None), ("2.47", Some(false))] {
        others.add(&ToolVersion::new(version), shows);
    }
    let list = |names: &[&str]| names.iter().map(|name| ToolVersion::new(*name)).collect::<Vec<_>>();
    assert_eq!(others, Others { show: list(&["2.40", "2.44"]), are_right: list(&["2.47"]), refuse: list(&["2.41"]) });
}

#[test]
fn what_is_filed_of_a_finding_has_its_words_or_its_values() {
    let mut found = results::Finding::new(RuleId::RowMissing, Blame::Linker, "f", results::Shape::Rule);
    found.evidence.field = Aspect::Cfa;
    found.shown.message = "f has no row".to_owned();
    assert_eq!(ReducedFinding::from(&found).message, "f has no row");
    found.evidence.truth = Some(results::Values::from_row(types::Claim::NoCaller));
    let shown = ReducedFinding::from(&found);
    assert_eq!((shown.message.as_str(), shown.truth.map(|truth| truth.row)), ("", Some("no caller".to_owned())));
}
