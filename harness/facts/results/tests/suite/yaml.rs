//! YAML from outside.

use std::time::Instant;

use results::yaml::{SyntaxError, parse};

type Value = std::collections::BTreeMap<String, Vec<String>>;

fn refused(text: &str) -> SyntaxError {
    let began = Instant::now();
    let error = parse::<Value>(text).expect_err("refused");
    assert!(began.elapsed().as_secs() < 1, "{:?}", began.elapsed());
    error
}

#[test]
fn brackets_within_brackets_cost_nothing() {
    for text in ["[", "{a: ", "[ \"]\" , ", "{ # }}}\n a: "] {
        let text = text.repeat(100_000);
        assert!(refused(&text).to_string().contains("deep in brackets"), "{}", &text[..10]);
    }
}

#[test]
fn brackets_in_scalars_are_text() {
    let many = "[".repeat(1_000);
    let text = format!("a: ['{many}', \"{many}\\\"{many}\"] # {many}\n");
    assert_eq!(parse::<Value>(&text).expect("a map").get("a").map(Vec::len), Some(2));
}

#[test]
fn a_bracket_that_is_not_closed_is_named() {
    for text in ["a: x\nb: [y\n", "a:\n  {\n", "a: [']']\nb: [']'\n"] {
        assert!(refused(text).to_string().ends_with("line 2 opens is not closed"), "{text}: {}", refused(text));
    }
    assert!(!refused("a: x[1").to_string().contains("opens"));
}

/// Each alias is nine times the one before: nine to the twelfth power of letters.
#[test]
fn aliases_of_aliases_are_not_written_out() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for nth in 1..12 {
        let before = vec![format!("*a{}", nth - 1); 9].join(", ");
        text.push_str(&format!("a{nth}: &a{nth} [{before}]\n"));
    }
    let began = Instant::now();
    let parsed = parse::<serde_yaml::Value>(&text);
    assert!(parsed.is_err(), "written out");
    assert!(began.elapsed().as_secs() < 5, "{:?}", began.elapsed());
}
