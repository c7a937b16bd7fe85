//! The table of breaches, and its lines; their form is described in `breaches.txt`.

/// Each way of breaking a structural rule, for files and for sections.
pub(crate) const BREACHES: &str = include_str!("breaches.txt");

/// A line of a table.
#[derive(Clone, Debug)]
pub(crate) struct Line<'a> {
    /// The heading above it: a rule, or a question after `?`.
    pub(crate) heading: &'a str,
    /// The words of its first column; the first is the kind of line.
    pub(crate) words: Vec<&'a str>,
    /// Description in its second column.
    pub(crate) about: &'a str,
    /// Statements of its third column.
    pub(crate) edits: Vec<&'a str>,
    /// Statements of its last column.
    pub(crate) expected: Vec<&'a str>,
}

/// The lines of a table, in order.
pub(crate) fn lines(table: &str) -> impl Iterator<Item = Line<'_>> {
    let mut heading = "";
    table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).filter_map(move |line| {
        if let Some(text) = line.strip_prefix('[') {
            heading = text.trim_end_matches(']');
            return None;
        }
        let mut columns = line.split('|');
        let words = columns.next().unwrap_or_default().split_whitespace().collect();
        let about = columns.next().unwrap_or_default().trim();
        let mut statements = || {
            let column = columns.next().unwrap_or_default();
            column.split(';').map(str::trim).filter(|one| !one.is_empty()).collect()
        };
        Some(Line { heading, words, about, edits: statements(), expected: statements() })
    })
}
