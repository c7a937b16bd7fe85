//! Output for a terminal or a log has no effect there or in a CI service, however it is written: at
//! once, in parts, byte by byte.

use std::io::{self, BufWriter, Write};

use proptest::prelude::*;
use reports::terminal::Terminal;

use super::sample::HOSTILE;

fn text(parts: &[&[u8]]) -> String {
    let mut out = Vec::new();
    let mut terminal = Terminal::new(&mut out);
    for part in parts {
        terminal.write_all(part).expect("memory");
    }
    String::from_utf8(out).expect("UTF-8")
}

#[test]
fn nothing_acts_and_the_rest_stays() {
    assert_eq!(text(&["a é 🦀\tb\n".as_bytes()]), "a é 🦀\tb\n");
    assert_eq!(text(&["\u{1b}[31m\r\u{202e}\u{9b}".as_bytes()]), "\\u{1b}[31m\\r\\u{202e}\\u{9b}");
    assert_eq!(text(&[b"a\xffb\xe2\x80"]), "a\u{fffd}b", "the last two bytes are a beginning without an end");
}

/// GitHub, "Workflow commands": a line that begins with `::` after blanks; the older `##[` counts
/// anywhere.
#[test]
fn no_line_is_a_command() {
    assert_eq!(text(&[b"::error::x\n  ::x\na::b\n:c: :\n"]), ":\\u{3a}error::x\n  :\\u{3a}x\na::b\n:c: :\n");
    assert_eq!(text(&[b"a ##[error]x ###[y # #[z"]), "a ##\\u{5b}error]x ###\\u{5b}y # #[z");
    assert_eq!(text(&[b":", b":error::"]), ":\\u{3a}error::");
}

/// A writer with room for five bytes, and for everything after it has refused some.
struct Full<'w> {
    written: &'w mut Vec<u8>,
    refused: bool,
}

impl Write for Full<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.refused {
            return self.written.write(bytes);
        }
        match bytes.len().min(5_usize.saturating_sub(self.written.len())) {
            0 => {
                self.refused = true;
                Err(io::ErrorKind::StorageFull.into())
            }
            room => self.written.write(&bytes[..room]),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Delayed text is not written twice after a failed write.
#[test]
fn nothing_is_written_twice_where_a_part_could_not_be() {
    for text in ["plain text\n", "not plain: \u{1b}\n"] {
        let mut written = Vec::new();
        let mut out = BufWriter::new(Terminal::new(Full { written: &mut written, refused: false }));
        out.write_all(text.as_bytes()).expect("a buffer");
        assert_eq!(out.flush().expect_err("a full disk").kind(), io::ErrorKind::StorageFull);
        drop(out);
        assert_eq!(written, text.as_bytes()[..5]);
    }
}

#[test]
fn json_says_the_same() {
    let value = format!("{HOSTILE}\u{202e}##[x]\u{9b}");
    let mut out = Vec::new();
    let json = serde_json::to_string(&value).expect("JSON");
    Terminal::json(&mut out).write_all(json.as_bytes()).expect("memory");
    let written = String::from_utf8(out).expect("UTF-8");
    assert_eq!(serde_json::from_str::<String>(&written).expect("JSON"), value);
    assert!(!written.contains(['\u{202e}', '\u{9b}']) && !written.contains("##["), "{written}");
}

proptest! {
    #[test]
    fn parts_come_to_the_same(bytes in proptest::collection::vec(any::<u8>(), 0..60), at in 0_usize..60) {
        let all = [HOSTILE.as_bytes(), &bytes, HOSTILE.as_bytes()].concat();
        let (one, other) = all.split_at(at.min(all.len()));
        let whole = text(&[&all]);
        prop_assert_eq!(&text(&[one, other]), &whole);
        let single: Vec<&[u8]> = all.chunks(1).collect();
        prop_assert_eq!(&text(&single), &whole);
        // A second pass changes nothing.
        prop_assert_eq!(&text(&[whole.as_bytes()]), &whole);
    }
}

proptest! {
    /// The meaning of a character depends on the preceding ones, whether they are read singly or in
    /// blocks.
    #[test]
    fn characters_that_matter_come_to_the_same_one_by_one(
        text_ in "[ a:#\\[\n\t\u{1b}é]{0,24}",
        plain in 0_usize..140,
        more in "[ a:#\\[\n]{0,8}",
    ) {
        let text_ = format!("{text_}{}{more}{}", "a".repeat(plain), "a".repeat(plain / 2));
        let bytes = text_.as_bytes();
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        prop_assert_eq!(text(&[bytes]), text(&single));
        // No workflow command is left, in either form.
        let left = text(&[bytes]);
        prop_assert!(left.lines().all(|line| !line.trim_start().starts_with("::")) && !left.contains("##["), "{:?}", left);
    }
}
