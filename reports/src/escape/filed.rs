//! External text in filed texts: names of functions, rows and messages may contain anything.
//! Characters that act instead of being visible are removed: people read these texts.

use super::{is_hidden, longest_run};

/// The text in one line, without control characters.
pub fn one_line(text: &str) -> String {
    let plain: String = text.chars().map(|c| if is_hidden(c) { ' ' } else { c }).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// One word of a POSIX shell: bare if that is safe, else in single quotes.
pub fn shell(word: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || "_-./=+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(bare) {
        return word.to_owned();
    }
    let plain: String = word.chars().map(|c| if is_hidden(c) { ' ' } else { c }).collect();
    format!("'{}'", plain.replace('\'', r"'\''"))
}

/// One line of Markdown that renders as the given text.
pub(crate) fn markdown(text: &str) -> String {
    marked(&one_line(text))
}

/// A line with references for the characters that act in Markdown.
fn marked(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '\\' | '`' | '*' | '[' | ']' | '|' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

/// Text as [`markdown`], in which code between single backquotes remains code. The text may be in a
/// table or a link.
pub(crate) fn prose(text: &str) -> String {
    let text = one_line(text);
    let parts: Vec<&str> = text.split('`').collect();
    let is_balanced = parts.len() % 2 == 1 && parts.iter().skip(1).step_by(2).all(|code| !code.trim().is_empty());
    if !is_balanced {
        return marked(&text);
    }
    let mut out = String::new();
    for (nth, part) in parts.iter().enumerate() {
        match nth % 2 {
            0 => out += &marked(part),
            _ => out.extend(["`", &part.replace('|', "\\|"), "`"]),
        }
    }
    out
}

/// A code block, with a fence longer than any run of backquotes inside; its last line is
/// terminated.
pub(crate) fn fence(language: &str, text: &str) -> String {
    let ticks = "`".repeat((longest_run(text) + 1).max(3));
    let plain: String = text.chars().filter(|c| !is_hidden(*c) || matches!(c, '\n' | '\t')).collect();
    format!("{ticks}{language}\n{}\n{ticks}\n", plain.trim_end_matches('\n'))
}

/// Wraps text to lines of at most `width` characters, between words; a longer word has its own
/// line. Paragraphs are kept.
pub(crate) fn wrap(text: &str, width: usize) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let mut lines: Vec<String> = Vec::new();
        for word in paragraph.split_whitespace() {
            let word: String = word.chars().filter(|c| !is_hidden(*c)).collect();
            match lines.last_mut() {
                Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                    line.push(' ');
                    line.push_str(&word);
                }
                _ => lines.push(word),
            }
        }
        lines.join("\n")
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::{fence, markdown, one_line, prose, shell, wrap};

    #[test]
    fn nothing_ends_a_quotation() {
        assert_eq!(shell("repro.s"), "repro.s");
        assert_eq!(shell("a'b; rm $x"), r"'a'\''b; rm $x'");
        assert_eq!(shell(""), "''");
        assert_eq!(shell("a\nb"), "'a b'");
        assert_eq!(one_line("a\n# b\u{7}\tc"), "a # b c");
        assert_eq!(markdown("<b>`x`[y]"), r"&lt;b>\`x\`\[y\]");
        assert_eq!(fence("", "a\n```\nb"), "````\na\n```\nb\n````\n");
    }

    #[test]
    fn only_whole_code_spans_remain_code() {
        assert_eq!(prose("gas: `.cfi_undefined` of *RA*"), r"gas: `.cfi_undefined` of \*RA\*");
        assert_eq!(prose("`a|b*` <c>"), r"`a\|b*` &lt;c>");
        assert_eq!(prose("a ` b"), r"a \` b");
        assert_eq!(prose("``a``"), r"\`\`a\`\`");
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrap("one two three\nfour\n\nfive", 9), "one two\nthree\nfour\n\nfive");
        assert_eq!(wrap("longer-than-that x", 5), "longer-than-that\nx");
    }
}
