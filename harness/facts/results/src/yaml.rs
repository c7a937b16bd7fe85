//! Reads and writes YAML. The only user of serde_yaml, so that replacing the parser takes an hour.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A syntax error, an unknown key or a wrong type, with line and column.
pub type SyntaxError = serde_yaml::Error;

/// Parses a value.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T, SyntaxError> {
    match too_deep(text) {
        true => Err(serde::de::Error::custom(format!("lists and maps more than {MOST_NESTING} deep in brackets"))),
        false => serde_yaml::from_str(text),
    }
}

/// Maximum nesting of brackets. The parser's time is quadratic in it, so brackets are counted
/// before parsing.
const MOST_NESTING: usize = 100;

/// Returns true if the nesting of brackets exceeds the maximum. Brackets in quotes and comments do
/// not count.
fn too_deep(text: &str) -> bool {
    let mut open = 0_usize;
    let mut before = ' ';
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let begins = before.is_whitespace() || matches!(before, '[' | '{' | ',' | ':');
        match c {
            '[' | '{' => open = open.saturating_add(1),
            ']' | '}' => open = open.saturating_sub(1),
            '#' if before.is_whitespace() => while chars.next().is_some_and(|c| c != '\n') {},
            '\'' if begins => while chars.next().is_some_and(|c| c != '\'') {},
            '"' if begins => {
                while let Some(c) = chars.next().filter(|c| *c != '"') {
                    if c == '\\' {
                        chars.next();
                    }
                }
            }
            _ => {}
        }
        if open > MOST_NESTING {
            return true;
        }
        before = c;
    }
    false
}

/// Prints a value.
pub fn print<T: Serialize>(value: &T) -> Result<String, SyntaxError> {
    serde_yaml::to_string(value)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::{MOST_NESTING, SyntaxError, parse, too_deep};

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
        let many = "[".repeat(2 * MOST_NESTING);
        let text = format!("a: ['{many}', \"{many}\\\"{many}\"] # {many}\n");
        assert!(!too_deep(&text));
        assert_eq!(parse::<Value>(&text).expect("a map").get("a").map(Vec::len), Some(2));
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
}
