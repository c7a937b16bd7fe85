//! The badge: the result of the newest night in two words, as an image to embed elsewhere.

use maud::html;
use results::Status;

use super::Night;
use types::counted;

/// Assumed width of a letter; the text is stretched to the computed width, whatever the font.
const LETTER: usize = 7;
/// Margin on each side of a text.
const MARGIN: usize = 6;
const LABEL: &str = "SFrame tables";

/// The image as SVG.
pub fn badge(night: &Night) -> String {
    // White text on each colour has a contrast of at least 4.5 to 1.
    let (words, colour) = match night.status {
        Status::Fail if !night.new.is_empty() => (counted(night.new.len(), "new bug"), "#b01e1e"),
        Status::Fail | Status::Xpass => ("failing".to_owned(), "#b01e1e"),
        Status::Unresolved | Status::Unsupported => ("undecided".to_owned(), "#5c3fa6"),
        Status::Pass | Status::Xfail => ("nothing new".to_owned(), "#1f6a41"),
    };
    let wide = |text: &str| text.chars().count() * LETTER;
    let (left, right) = (wide(LABEL) + 2 * MARGIN, wide(&words) + 2 * MARGIN);
    let all = left + right;
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(all) height="20" viewBox=(format!("0 0 {all} 20")) role="img" aria-label=(format!("{LABEL}: {words}")) {
            title { (LABEL) ": " (words) ", " (super::super::text::clean(&night.day)) }
            rect width=(left) height="20" fill="#33373d" {}
            rect x=(left) width=(right) height="20" fill=(colour) {}
            g fill="#fff" font-family="DejaVu Sans,Verdana,sans-serif" font-size="11" {
                text x=(MARGIN) y="14" textLength=(wide(LABEL)) { (LABEL) }
                text x=(left + MARGIN) y="14" textLength=(wide(&words)) { (words) }
            }
        }
    };
    picture.into_string()
}
