//! External strings and their effect in each format, from the rules of that format.

use proptest::prelude::*;
use reports::escape::{
    annotation, annotation_property, code, code_cell, line, lines, short, uri_path, xml_attribute, xml_text,
};

use super::sample::{HOSTILE, assert_tame};

#[test]
fn characters_that_act_are_spelt_out() {
    assert_eq!(line("a\u{1b}[31mb\u{0}"), "a\\u{1b}[31mb\\u{0}");
    assert_eq!(line("a\nb\tc\rd"), "a\\nb\\tc\\rd");
    assert_eq!(lines("a\nb\tc\rd"), "a\nb\tc\\rd");
    assert_eq!(line("x\u{202e}y\u{2066}\u{200b}\u{feff}\u{85}"), "x\\u{202e}y\\u{2066}\\u{200b}\\u{feff}\\u{85}");
    assert_eq!(line("operator<=>(é, 🦀)"), "operator<=>(é, 🦀)", "what only is seen stays");
}

#[test]
fn cut_by_characters() {
    assert_eq!(short("🦀🦀🦀", 2), "🦀🦀…");
    assert_eq!(short("🦀🦀", 2), "🦀🦀");
    assert_eq!(short("", 0), "");
}

/// XML 1.0, 3.3.3: a reader replaces a literal line break or tab in an attribute by a space.
#[test]
fn line_breaks_in_attributes_are_references() {
    let document = format!("<a b=\"{}\"/>", xml_attribute("x\ny\tz"));
    let read = roxmltree::Document::parse(&document).expect("XML");
    assert_eq!(read.root_element().attribute("b"), Some("x\ny\tz"));
}

/// CommonMark, code spans: the fence is longer than any run inside, and one space on each side is
/// removed.
#[test]
fn code_spans_cannot_be_left() {
    assert_eq!(code("a b"), "`a b`");
    assert_eq!(code("a`b"), "``a`b``");
    assert_eq!(code("```"), "```` ``` ````");
    assert_eq!(code(""), "–");
    assert_eq!(code("\n"), "`\\n`");
    assert!(!code_cell("a|b").contains('|'));
}

/// GitHub, workflow commands: `%`, `\r`, `\n` in messages; `:` and `,` too in properties.
#[test]
fn annotations_stay_on_one_line() {
    assert_eq!(annotation("100%\na::b,c"), "100%25%0Aa::b,c");
    assert_eq!(annotation_property("100% a::b,c\n"), "100%25 a%3A%3Ab%2Cc\\n");
}

/// RFC 3986: unreserved characters stay, others are bytes in hexadecimal.
#[test]
fn paths_are_uris() {
    assert_eq!(uri_path("cases/a b/é#?%.yaml"), "cases/a%20b/%C3%A9%23%3F%25.yaml");
    assert_eq!(uri_path("cases/frames/no-fp_1.yaml"), "cases/frames/no-fp_1.yaml");
    assert_eq!(uri_path("javascript:x"), "javascript%3Ax");
}

#[test]
fn hostile_text_is_tame_in_every_format() {
    for made in [line(HOSTILE), code(HOSTILE), code_cell(HOSTILE), annotation(HOSTILE), annotation_property(HOSTILE)] {
        assert!(!made.contains('\n'), "{made}");
        assert_tame(&made.replace('\t', ""));
    }
}

proptest! {
    /// An XML reader returns the output of [`lines`], for any text.
    #[test]
    fn xml_reads_back(text in any::<String>()) {
        let document = format!("<a b=\"{}\">{}</a>", xml_attribute(&text), xml_text(&text));
        let expected = lines(&text);
        let read = roxmltree::Document::parse(&document).expect(&document);
        prop_assert_eq!(read.root_element().attribute("b"), Some(expected.as_str()));
        prop_assert_eq!(read.root_element().text().unwrap_or_default(), expected);
    }

    #[test]
    fn nothing_hidden_is_left(text in any::<String>()) {
        let made = line(&text);
        prop_assert!(!made.chars().any(char::is_control));
        prop_assert_eq!(line(&made), made, "a second time changes nothing");
    }
}
