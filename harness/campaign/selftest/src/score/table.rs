//! A table of results as text: a name on the left of each line, cells on the right.

use std::fmt;

/// Lines of cells under heads; each column is as wide as its widest cell.
#[derive(Clone, Debug)]
pub(super) struct Table {
    lines: Vec<Line>,
}

#[derive(Clone, Debug)]
struct Line {
    name: String,
    cells: Vec<String>,
}

impl Table {
    /// A table with the head of the names and those of the cells.
    pub(super) fn new<C: ToString>(name: &str, heads: impl IntoIterator<Item = C>) -> Table {
        let mut table = Table { lines: Vec::new() };
        table.line(name, heads);
        table
    }

    /// Adds a line.
    pub(super) fn line<C: ToString>(&mut self, name: &str, cells: impl IntoIterator<Item = C>) {
        let cells = cells.into_iter().map(|cell| cell.to_string()).collect();
        self.lines.push(Line { name: name.to_owned(), cells });
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.lines.iter().map(|line| line.name.len()).max().unwrap_or_default();
        let columns = self.lines.iter().map(|line| line.cells.len()).max().unwrap_or_default();
        let width = |column| self.lines.iter().filter_map(|line| line.cells.get(column)).map(String::len).max();
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or_default()).collect();
        for Line { name, cells } in &self.lines {
            write!(f, "{name:names$}")?;
            cells.iter().zip(&widths).try_for_each(|(cell, width)| write!(f, "  {cell:>width$}"))?;
            writeln!(f)?;
        }
        Ok(())
    }
}

/// The words of a text, in one line: `runner` escapes what it prints, but keeps line breaks.
pub(super) fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
