//! Reads and writes YAML. The only user of serde_yaml, so that replacing the parser takes an hour.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A syntax error, an unknown key or a wrong type, with line and column.
pub type SyntaxError = serde_yaml::Error;

/// Parses a value.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T, SyntaxError> {
    match brackets(text) {
        Brackets::TooDeep => {
            Err(serde::de::Error::custom(format!("lists and maps more than {MOST_NESTING} deep in brackets")))
        }
        // The parser ends the list with the text, and reports what is in it.
        Brackets::Open { line } => serde_yaml::from_str(text).map_err(|error| {
            serde::de::Error::custom(format!("{error}; the bracket that line {line} opens is not closed"))
        }),
        Brackets::Closed => serde_yaml::from_str(text),
    }
}

/// Maximum nesting of brackets. The parser's time is quadratic in it, so brackets are counted
/// before parsing.
const MOST_NESTING: usize = 100;

/// How the brackets of a text are nested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Brackets {
    /// Deeper than the maximum.
    TooDeep,
    /// The one that begins in a line, from 1, is not closed.
    Open { line: usize },
    /// Each is closed.
    Closed,
}

/// The nesting of brackets. Those in quotes and comments do not count.
fn brackets(text: &str) -> Brackets {
    // The offsets of the open ones, and whether they can begin a list or map.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut before = ' ';
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        let begins = before.is_whitespace() || matches!(before, '[' | '{' | ',' | ':');
        match c {
            '[' | '{' => open.push((at, begins)),
            ']' | '}' => drop(open.pop()),
            '#' if before.is_whitespace() => while chars.next().is_some_and(|(_, c)| c != '\n') {},
            '\'' if begins => while chars.next().is_some_and(|(_, c)| c != '\'') {},
            '"' if begins => {
                while let Some((_, c)) = chars.next().filter(|(_, c)| *c != '"') {
                    if c == '\\' {
                        chars.next();
                    }
                }
            }
            _ => {}
        }
        if open.len() > MOST_NESTING {
            return Brackets::TooDeep;
        }
        before = c;
    }
    let line = |at: usize| 1 + text.get(..at).unwrap_or_default().matches('\n').count();
    let last = open.iter().rev().find(|(_, begins)| *begins);
    last.map_or(Brackets::Closed, |(at, _)| Brackets::Open { line: line(*at) })
}

/// Prints a value.
pub fn print<T: Serialize>(value: &T) -> Result<String, SyntaxError> {
    serde_yaml::to_string(value)
}
