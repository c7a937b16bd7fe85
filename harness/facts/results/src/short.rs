//! Texts of bounded length.

/// The first `most` characters, and an ellipsis if there are more.
pub fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
