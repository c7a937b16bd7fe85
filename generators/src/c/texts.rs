//! The C text of helpers, fragments and starts: the sections of `texts.txt`.

const TEXTS: &str = include_str!("texts.txt");

/// The section of a name, each line ended. A heading is `//// NAME: COMMENT`.
///
/// # Panics
/// If the file has no section of this name; a test uses every name.
pub(super) fn text(name: &str) -> &'static str {
    let named = |section: &&'static str| {
        let heading = section.lines().next().unwrap_or_default();
        heading.split(':').next() == Some(name)
    };
    let section = TEXTS.split("//// ").find(named).unwrap_or_else(|| panic!("no text of {name}"));
    section.split_once('\n').map_or("", |(_, text)| text)
}
