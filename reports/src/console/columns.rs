//! A table for a terminal: text columns are left-aligned, numbers right-aligned.

use std::io::{self, Write};

use crate::columns::aligned;
use crate::escape::line;
use crate::screen::Screen;

/// Rows of cells below a row of headings.
#[derive(Debug)]
pub(crate) struct Table {
    /// Number of text columns from the left; the last column is text too.
    names: usize,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table with headings. `names` columns from the left hold text, and the last one if
    /// it has no bound.
    pub(crate) fn new(names: usize, heads: &[&str]) -> Table {
        Table { names, rows: vec![heads.iter().map(|head| (*head).to_owned()).collect()] }
    }

    /// Adds a row, one cell for each column; cells are escaped.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells.iter().map(|cell| line(cell)).collect());
    }

    /// Prints the table after an empty line; nothing without rows. Columns of zeros are omitted,
    /// and the last columns if the table is wider than the screen.
    pub(crate) fn print(&self, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
        if self.rows.len() < 2 {
            return Ok(());
        }
        writeln!(out)?;
        // Columns of zeros are omitted.
        let mut table = self.without(|column| column >= self.names && self.is_nought(column));
        while let (Some(width), true) = (width, table.columns() > table.names + 1) {
            if table.lines().iter().all(|line| line.chars().count() <= width) {
                break;
            }
            let last = table.columns() - 1;
            table = table.without(|column| column == last);
        }
        for line in table.lines() {
            writeln!(out, "{}", Screen { width, colour: false }.cut(&line))?;
        }
        Ok(())
    }

    fn lines(&self) -> Vec<String> {
        aligned(&self.rows, |column| column >= self.names && self.is_number(column))
    }

    fn columns(&self) -> usize {
        self.rows.first().map_or(0, Vec::len)
    }

    /// The table without some columns.
    fn without(&self, gone: impl Fn(usize) -> bool) -> Table {
        let left = |row: &Vec<String>| {
            let cells = row.iter().enumerate().filter(|(column, _)| !gone(*column));
            cells.map(|(_, cell)| cell.clone()).collect()
        };
        Table { names: self.names, rows: self.rows.iter().map(left).collect() }
    }

    /// Returns true if every cell below the heading is 0 or empty.
    fn is_nought(&self, column: usize) -> bool {
        self.rows.iter().skip(1).filter_map(|row| row.get(column)).all(|cell| cell.is_empty() || cell == "0")
    }

    /// Returns true if every cell below the heading begins with a digit.
    fn is_number(&self, column: usize) -> bool {
        let cells = self.rows.iter().skip(1).filter_map(|row| row.get(column));
        cells.into_iter().all(|cell| cell.starts_with(|c: char| c.is_ascii_digit()))
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    fn printed(table: &Table) -> String {
        let mut out = Vec::new();
        table.print(None, &mut out).expect("printed");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn columns_are_as_wide_as_what_is_in_them() {
        let mut table = Table::new(1, &["producer", "FAIL", "blame"]);
        table.row(vec!["gas@2.44".to_owned(), "12345".to_owned(), "linker 1".to_owned()]);
        table.row(vec!["ld\u{1b}".to_owned(), "7".to_owned(), String::new()]);
        assert_eq!(printed(&table), "\nproducer   FAIL  blame\ngas@2.44  12345  linker 1\nld\\u{1b}      7\n");
    }

    #[test]
    fn no_rows_print_nothing() {
        assert_eq!(printed(&Table::new(1, &["producer"])), "");
    }
}
