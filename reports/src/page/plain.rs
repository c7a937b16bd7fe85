//! A page of sections, which is whole without its small script: its frame, and the sections of it.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{SCHEME, head};

/// Sets the chosen scheme before anything is drawn.
const EARLY: &str = "try{var s=localStorage.getItem('scheme');if(s==='dark'||s==='light')document.documentElement.dataset.scheme=s}catch(e){}\
document.documentElement.classList.add('alive')";

/// Filters, and a night beside another.
const SCRIPT: &str = include_str!("assets/plain.js");

/// A page whose navigation links lead to its sections.
pub(super) fn page(title: &str, note: &str, links: &Markup, view: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head(title, Some(EARLY)))
            body {
                a.skip href="#view" { "Skip to content" }
                header {
                    div.name {
                        h1 { (title) }
                        p.note { (note) }
                    }
                    nav aria-label="Views" { (links) }
                    button #scheme .alive-only type="button" { "auto" }
                }
                main #view tabindex="-1" { (view) }
                script { (PreEscaped(format!("(()=>{{\"use strict\";\n{SCHEME}{SCRIPT}}})();"))) }
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
