//! Text and numbers for HTML, links and scripts.

use std::fmt::Write as _;

use maud::{Markup, html};

use crate::escape::is_hidden;

/// The text with control characters replaced by their visible pictures, and other characters that
/// act instead of being visible by a replacement sign. The template or serializer does the
/// escaping.
pub(super) fn clean(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\t' => c,
            '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
            '\u{7f}' => '\u{2421}',
            c if is_hidden(c) => '\u{fffd}',
            _ => c,
        })
        .collect()
}

/// The text, with the parts in backticks as code.
pub(super) fn coded(text: &str) -> Markup {
    let text = clean(text);
    let parts: Vec<&str> = text.split('`').collect();
    html! {
        @if parts.len().is_multiple_of(2) { (text) } @else {
            @for (nth, part) in parts.iter().enumerate() {
                @if nth.is_multiple_of(2) { (part) } @else { code { (part) } }
            }
        }
    }
}

/// The text without backticks, for places that cannot show code.
pub(super) fn uncoded(text: &str) -> String {
    clean(text).replace('`', "")
}

/// A value for a link's fragment, cleaned as in the data that the link refers to, and
/// percent-encoded except for letters, digits and characters of names.
pub(super) fn fragment(text: &str) -> String {
    let mut encoded = String::new();
    for byte in clean(text).bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~:@/".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

/// JSON that is safe inside a script element: no `<`, so that neither an end tag nor a comment can
/// begin.
pub(super) fn script_json(value: &impl serde::Serialize) -> String {
    // Serialization of this data cannot fail: all map keys are strings.
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned()).replace('<', "\\u003c")
}

/// A number with thousands separators: `50,000`.
pub(super) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count of things: `1 trial`, `2 trials`.
pub(super) fn plural(number: u64, one: &str) -> String {
    format!("{} {one}{}", count(number), if number == 1 { "" } else { "s" })
}

/// A quotient with one decimal; a dash for a division by zero.
pub(super) fn ratio(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.1}", part as f64 / whole as f64) }
}

#[cfg(test)]
mod tests {
    use super::{clean, coded, count, fragment, plural, ratio, script_json};

    #[test]
    fn control_characters_become_visible() {
        assert_eq!(clean("a\u{0}\u{1b}[31m\n\u{202e}z"), "a\u{2400}\u{241b}[31m\n\u{fffd}z");
    }

    #[test]
    fn backticks_become_code() {
        assert_eq!(coded("gas: `.cfi_x` <2>").into_string(), "gas: <code>.cfi_x</code> &lt;2&gt;");
        assert_eq!(coded("one ` alone").into_string(), "one ` alone");
    }

    #[test]
    fn a_fragment_holds_nothing_that_separates() {
        assert_eq!(fragment("a+b&c=d#e%\"é"), "a%2Bb%26c%3Dd%23e%25%22%C3%A9");
    }

    #[test]
    fn json_in_a_script_has_no_tag() {
        assert_eq!(script_json(&["</script><!--"]), r#"["\u003c/script>\u003c!--"]"#);
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([plural(1, "trial"), plural(0, "trial")], ["1 trial", "0 trials"]);
        assert_eq!([ratio(1, 0), ratio(10, 4)], ["–", "2.5"]);
    }
}
