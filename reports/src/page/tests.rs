//! The page of checked files: one self-contained file without scripts.

use maud::{Markup, html};

use super::plain::{self, section};
use super::text::{clean, count};
use crate::testrun::{Issue, Test, TestRun, TestStatus};

/// Renders the page. The same tests give the same bytes.
pub fn render(run: &TestRun) -> String {
    let (known, new): (Vec<_>, Vec<_>) = run.issues.iter().partition(|issue| !issue.is_new);
    let number = |of: usize| count(of as u64);
    let links = html! {
        a href="#new" { "New" span.n { (number(new.len())) } }
        a href="#known" { "Known" span.n { (number(known.len())) } }
        a href="#files" { "Files" span.n { (number(run.tests.len())) } }
    };
    let view = html! {
        p { b { (clean(&run.sentence)) } }
        (section("new", "New findings", &issues(&new)))
        (section("known", "Known findings", &issues(&known)))
        (section("files", "Files", &html! { ul.plain { @for test in &run.tests { (file(test)) } } }))
    };
    plain::page("SFrame conformance: files", &clean(plain::version(&run.tool_version)), &links, &view)
}

fn issues(issues: &[&Issue]) -> Markup {
    html! {
        @if issues.is_empty() { p.note { "None." } }
        ol.ranked {
            @for issue in issues {
                li {
                    span.tag { (issue.severity.to_string()) } " " code { (clean(&issue.title)) }
                    div.note { (clean(&issue.message)) " In " code { (clean(&issue.best.test)) } " at " code { (clean(&issue.best.at)) } "." }
                    @for (name, text) in &issue.facts { div.note { (name) ": " code { (clean(text)) } } }
                }
            }
        }
    }
}

fn file(test: &Test) -> Markup {
    html! {
        li {
            span class={ "status " (test.status) } { (test.status) } " " code { (clean(&test.name)) }
            @if test.status != TestStatus::Pass || test.remark().is_some() { div.note { (clean(&test.message())) } }
            @for part in test.parts.iter().filter(|part| part.status == TestStatus::Unresolved) {
                div.note { (clean(&part.message())) }
            }
        }
    }
}
