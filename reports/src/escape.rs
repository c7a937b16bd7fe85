//! Escaping of external strings (names of functions, messages of tools) for each output format.
//!
//! A function name may contain anything: control characters that move a terminal's cursor, marks
//! that change the writing direction, markup, line breaks. Each function here leaves ordinary text
//! readable and neutralizes the rest.

mod filed;

pub(crate) use filed::{fence, markdown, prose, wrap};
pub use filed::{one_line, shell};
pub use results::short;

use std::fmt::Write as _;

/// Replaces control characters and marks of writing direction by `\u{1b}` and similar, also line
/// breaks and tabs. The result is one line.
pub fn line(text: &str) -> String {
    spell(text, |_| false)
}

/// Escapes as [`line()`], but keeps line breaks and tabs.
pub fn lines(text: &str) -> String {
    spell(text, |c| matches!(c, '\n' | '\t'))
}

fn spell(text: &str, keep: impl Fn(char) -> bool) -> String {
    let mut spelt = String::with_capacity(text.len());
    for c in text.chars() {
        if keep(c) { spelt.push(c) } else { spell_char(c, Spelling::Text, &mut spelt) }
    }
    spelt
}

/// The notation for an escaped character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// `\n`, `\u{1b}`.
    Text,
    /// As in a JSON string, `\u001b`, so that a reader decodes the same character. For the Basic
    /// Multilingual Plane.
    Json,
}

impl Spelling {
    pub(crate) fn spell_out(self, c: char, spelt: &mut String) {
        // Writing to a String cannot fail.
        let _ = match self {
            Spelling::Text => write!(spelt, "\\u{{{:x}}}", u32::from(c)),
            Spelling::Json => write!(spelt, "\\u{:04x}", u32::from(c)),
        };
    }
}

/// Appends a character, escaped if it is not plain text. The only place that decides this.
pub(crate) fn spell_char(c: char, spelling: Spelling, spelt: &mut String) {
    match c {
        '\n' => spelt.push_str("\\n"),
        '\r' => spelt.push_str("\\r"),
        '\t' => spelt.push_str("\\t"),
        c if is_hidden(c) => spelling.spell_out(c, spelt),
        c => spelt.push(c),
    }
}

/// Returns true for characters that act instead of being visible: C0 and C1 controls, line and
/// paragraph separators, marks of writing direction (Unicode, bidirectional algorithm, 2),
/// zero-width characters, and U+FFFE and U+FFFF, which XML forbids.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
        || matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Text between XML tags. Characters that XML 1.0 does not allow even as references (2.2, `Char`)
/// are escaped.
pub fn xml_text(text: &str) -> String {
    xml(&lines(text))
}

/// The value of an XML attribute, in double quotes. XML readers replace a line break by a space
/// (XML 1.0, 3.3.3), so line breaks are references.
pub fn xml_attribute(text: &str) -> String {
    xml(&lines(text)).replace('\n', "&#10;").replace('\t', "&#9;")
}

fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&apos;")
}

/// A Markdown code span. It contains no markup, and no site turns `@name`, `#1` or an address in it
/// into a link, as they do in plain text after removing backslashes.
pub fn code(text: &str) -> String {
    let text = line(text);
    if text.trim().is_empty() {
        return "–".to_owned();
    }
    // One more backtick than the longest run inside (CommonMark, code spans). A space separates an
    // outer backtick; the reader removes one space on each side.
    let fence = "`".repeat(longest_run(&text) + 1);
    let apart = text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
    let pad = if apart { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A Markdown code span in a table. A bar ends a cell even in code (GitHub Flavored Markdown,
/// tables), and readers differ about a backslash before an escaped one: the bar is escaped as a
/// code point.
pub fn code_cell(text: &str) -> String {
    code(text).replace('|', "\\u{7c}")
}

/// The message of a GitHub workflow command (`%`, line feed and carriage return are encoded).
pub fn annotation(text: &str) -> String {
    encode(&lines(text), |c| matches!(c, '%' | '\n' | '\r'))
}

/// A property of a GitHub workflow command: `:` and `,` end it, so they are encoded too.
pub fn annotation_property(text: &str) -> String {
    encode(&line(text), |c| matches!(c, '%' | '\n' | '\r' | ':' | ','))
}

/// A relative path as a URI reference: all characters except unreserved ones (RFC 3986, 2.3) and
/// `/` are percent-encoded.
pub fn uri_path(path: &str) -> String {
    encode(path, |c| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~' | '/')))
}

fn encode(text: &str, acts: impl Fn(char) -> bool) -> String {
    let mut encoded = String::with_capacity(text.len());
    for c in text.chars() {
        if acts(c) {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                // Writing to a String cannot fail.
                let _ = write!(encoded, "%{byte:02X}");
            }
        } else {
            encoded.push(c);
        }
    }
    encoded
}
