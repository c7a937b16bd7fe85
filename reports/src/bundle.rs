//! The folder of one discrepancy: a report, a script that shows whether it is still there, and texts ready to be filed.
//!
//! Pure: from a [`Bundle`] and its sources to the texts of its files. Nothing is ever sent.

mod list;
mod rank;
pub mod reader;
mod script;
mod tracker;
mod words;

pub use list::{Entry, TABLE, list};
pub use rank::{Ranked, rank};

use std::fmt::Write as _;

use model::bundle::{Bundle, Check, Named, Shown};
use model::{Finding, Shape};

use crate::escape::{fence, is_hidden, markdown, one_line, wrap};
use crate::page::picture::Picture;

/// A bundle with its sources: everything that the texts are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filing {
    /// What was measured, and what a person says of it.
    pub bundle: Bundle,
    /// The texts of its sources, in their order.
    pub texts: Vec<String>,
}

impl Filing {
    /// The files of the folder that is filed, by name: the sources, and each text that is made.
    pub fn files(&self) -> Vec<(String, String)> {
        let mut files: Vec<(String, String)> =
            self.sources().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
        let mut add = |name: &str, text: String| files.push((name.to_owned(), text));
        add("run.sh", script::script(&self.bundle));
        add("report.md", self.report());
        add("github.md", self.github());
        add("mail.txt", self.mail());
        if let Some(text) = self.bugzilla() {
            add("bugzilla.txt", text);
        }
        files
    }

    fn sources(&self) -> impl Iterator<Item = (&str, &str)> {
        self.bundle.sources.iter().map(|source| source.name.as_str()).zip(self.texts.iter().map(String::as_str))
    }

    /// The sources as blocks of Markdown, each with its name where there are several.
    fn blocks(&self) -> String {
        let mut text = String::new();
        for (name, source) in self.sources() {
            if self.bundle.sources.len() > 1 {
                let _ = writeln!(text, "`{}`:\n", one_line(name).replace('`', ""));
            }
            let _ = writeln!(text, "{}", fence(words::language(name), source));
        }
        text
    }

    /// The whole of it, for readers of this project.
    fn report(&self) -> String {
        let bundle = &self.bundle;
        let mut text = format!("# {}\n\n", markdown(&subject(bundle)));
        if !bundle.note.is_empty() {
            let _ = writeln!(text, "{}\n", wrap(&bundle.note, 120));
        }
        if let Some(clause) = &bundle.clause {
            let said = format!("What holds: {} ({})", one_line(&clause.demand), one_line(&clause.section));
            let _ = writeln!(text, "{}\n", wrap(&said, 120));
        }
        let _ = writeln!(text, "## Reproduce\n\n{}", fence("sh", &script::shown_commands(bundle)));
        text += &self.blocks();
        text += "`run.sh` does it: it ends with 1 while the fault is there, 0 when it is not, 77 without the tools and 2 when it cannot tell.\n\n";
        text += "## Result\n\n";
        let _ = writeln!(text, "{}", fence("", &result(bundle)));
        if let Some(shown) = &bundle.finding {
            if !shown.window.is_empty() {
                let _ = writeln!(
                    text,
                    "The rows at each instruction, `>` where they are wrong:\n\n{}",
                    fence("", &words::window(shown))
                );
            }
            if let Some(picture) = Picture::of(&finding(bundle, shown)) {
                let _ = writeln!(
                    text,
                    "Where each places CFA, RA and FP, `!` where that is wrong:\n\n{}",
                    fence("", &picture.text())
                );
            }
        }
        let _ = writeln!(text, "## Versions\n");
        for line in versions(bundle) {
            let _ = writeln!(text, "- {}", markdown(&line));
        }
        text
    }
}

/// The subject line: culprit, version, fault, target.
pub fn subject(bundle: &Bundle) -> String {
    let culprit = &bundle.culprit;
    one_line(&format!("{} {}: {} ({})", culprit.name, culprit.version, bundle.title, words::machine(bundle.abi)))
}

/// A finding with the values that a picture is drawn of.
fn finding(bundle: &Bundle, shown: &Shown) -> Finding {
    let mut found = Finding::new(shown.rule, shown.blame, &shown.function, Shape::Rule);
    let [truth, sframe, eh_frame] = [&shown.truth, &shown.sframe, &shown.eh_frame]
        .map(|reading| reading.as_ref().map(|reading| reading.values(bundle.abi)));
    (found.truth, found.sframe, found.eh_frame, found.field) = (truth, sframe, eh_frame, shown.field);
    found
}

/// What came out and what ought to have.
fn result(bundle: &Bundle) -> String {
    let mut text = String::new();
    if let Some(printed) = &bundle.printed {
        for line in printed.lines() {
            // What stands at its left end says what belongs to what.
            let plain: String = line.chars().filter(|c| !is_hidden(*c)).collect();
            let _ = writeln!(text, "{}", plain.trim_end());
        }
    }
    match &bundle.check {
        Check::Row { pc, column, wrong, right, .. } if bundle.printed.is_none() => {
            let (wrong, right) = (one_line(wrong), one_line(right));
            let _ = writeln!(text, "readelf --sframe at {pc:#x}: {column} {wrong}; expected: {right}");
        }
        Check::Lacks { line } => {
            let _ = writeln!(text, "readelf --sframe prints no line of: {}", one_line(line));
        }
        Check::Row { .. }
        | Check::Failure { .. }
        | Check::Printed { .. }
        | Check::StartsDescend
        | Check::Silence
        | Check::NoSegment
        | Check::Rule { .. }
        | Check::ByEye => {}
    }
    if let (Some(shown), None) = (&bundle.finding, &bundle.printed) {
        let rows = [("truth", &shown.truth), (".sframe", &shown.sframe), (".eh_frame", &shown.eh_frame)];
        if rows.iter().any(|(_, reading)| reading.is_some()) {
            // An address says nothing without the code that it is in.
            let home = if shown.place.starts_with("0x") { format!(" in {}", shown.function) } else { String::new() };
            let _ = writeln!(text, "{}", one_line(&format!("{}{home}", shown.place)));
        } else {
            let _ = writeln!(text, "{}", one_line(&shown.message));
        }
        for (source, reading) in rows {
            if let Some(reading) = reading {
                let _ = writeln!(text, "  {source:<9} {}", one_line(&reading.row));
            }
        }
    }
    if let Some(expected) = &bundle.expected {
        let _ = writeln!(text, "Expected: {}", one_line(expected));
    }
    text
}

/// Tools, other versions and the reproducer's origin, a line each.
fn versions(bundle: &Bundle) -> Vec<String> {
    let mut lines: Vec<String> = bundle.tools.iter().map(|tool| format!("{}: {}", tool.name, tool.says)).collect();
    lines.extend(other_versions(bundle));
    lines.extend(bundle.sources.iter().map(|source| format!("sha256 of {}: {}", source.name, source.sha256)));
    lines.extend(bundle.sframe.map(|version| format!("SFrame {version}")));
    lines.extend(words::origin(&bundle.found));
    if let Some(shown) = &bundle.finding {
        let named = match &shown.named {
            Named::Fingerprint(fingerprint) => format!("fingerprint {fingerprint}"),
            Named::Class(class) => format!("class {class}"),
        };
        lines.push(format!("rule {}, blame {}, {named}", shown.rule, shown.blame));
    }
    lines
}

fn other_versions(bundle: &Bundle) -> Vec<String> {
    let others = &bundle.others;
    let lists = [("Also in", &others.show), ("Not in", &others.are_right), ("Does not take this file", &others.refuse)];
    let line = |(what, versions): (&str, &Vec<model::ToolVersion>)| {
        let names: Vec<&str> = versions.iter().map(model::ToolVersion::as_str).collect();
        (!names.is_empty()).then(|| format!("{what}: {}", names.join(", ")))
    };
    lists.into_iter().filter_map(line).collect()
}
