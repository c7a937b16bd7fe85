//! Alignment of cells in columns.

/// Rows as lines, with two blanks between columns and none at the end. Widths are in characters,
/// each assumed to be one cell wide; `to_right` selects right-aligned columns.
pub(crate) fn aligned<S: AsRef<str>>(rows: &[Vec<S>], to_right: impl Fn(usize) -> bool) -> Vec<String> {
    padded(rows, to_right).into_iter().map(|cells| cells.join("  ").trim_end().to_owned()).collect()
}

/// The cells padded to the width of their columns.
pub(crate) fn padded<S: AsRef<str>>(rows: &[Vec<S>], to_right: impl Fn(usize) -> bool) -> Vec<Vec<String>> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let widest = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.as_ref().chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(widest).collect();
    let line = |row: &Vec<S>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            let cell = cell.as_ref();
            if to_right(column) { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        cells.collect::<Vec<String>>()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::aligned;

    #[test]
    fn columns_are_as_wide_as_what_is_in_them() {
        let rows = [vec!["", "é", "FAIL", "x"], vec![">", "long", "7"]];
        assert_eq!(aligned(&rows, |column| column == 2), ["   é     FAIL  x", ">  long     7"]);
        assert!(aligned(&[] as &[Vec<String>], |_| false).is_empty());
    }
}
