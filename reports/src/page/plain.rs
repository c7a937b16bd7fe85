//! A page without scripts: its frame, and its sections.

use maud::{DOCTYPE, Markup, html};

use super::head;

/// A page whose navigation links lead to its sections.
pub(super) fn page(title: &str, note: &str, links: &Markup, view: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head(title, None))
            body {
                a.skip href="#view" { "Skip to content" }
                header {
                    div.name {
                        h1 { (title) }
                        p.note { (note) }
                    }
                    nav aria-label="Views" { (links) }
                }
                main #view tabindex="-1" { (view) }
            }
        }
    };
    page.into_string()
}

pub(super) fn section(id: &str, title: &str, body: &Markup) -> Markup {
    html! { section id=(id) { h2 tabindex="-1" { (title) } (body) } }
}

/// The program's version without its name, which is shown next to it.
pub(super) fn version(tool: &str) -> &str {
    tool.strip_prefix("sframe-conformance ").unwrap_or(tool)
}
