//! Tables, each in a region that scrolls by itself where the window is too narrow.

use maud::{Markup, html};

/// The heading of a column.
#[derive(Clone, Copy, Debug)]
pub(super) enum Column<'a> {
    Text(&'a str),
    /// A column of numbers, aligned to the right.
    Number(&'a str),
}

/// The classes of a table that fills the width of the page.
pub(super) const PLAIN: &str = "plain";
/// The classes of a table that is as wide as its contents.
pub(super) const FIT: &str = "plain fit";

/// Columns of text, then columns of numbers.
pub(super) fn columns<'a>(texts: &[&'a str], numbers: &[&'a str]) -> Vec<Column<'a>> {
    texts.iter().copied().map(Column::Text).chain(numbers.iter().copied().map(Column::Number)).collect()
}

/// A table with the name `label` for those who do not see it. `rows` are the rows of its body.
pub(super) fn wide_table(label: &str, class: &str, columns: &[Column<'_>], rows: &Markup) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label=(label) {
            table class=(class) {
                (heads(columns))
                tbody { (rows) }
            }
        }
    }
}

pub(super) fn heads(columns: &[Column<'_>]) -> Markup {
    html! {
        thead {
            tr {
                @for column in columns {
                    @match column {
                        Column::Text(name) => { th scope="col" { (name) } }
                        Column::Number(name) => { th.n scope="col" { (name) } }
                    }
                }
            }
        }
    }
}
