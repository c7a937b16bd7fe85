//! The list of all known bugs: a Markdown table with one row for each ledger entry.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use results::EntryClass;
use results::bundle::{Counted, ListedBug};

use super::words;

use crate::escape::{markdown, one_line, prose};

/// The start of the table, in any file.
pub const TABLE: &str = "| Bug |";

/// One table for each class, and the remarks below it, in the order of the entries.
pub fn list(entries: &[ListedBug]) -> String {
    const COLUMNS: &str = "Affected versions | Fixed in | Report |";
    let mut text = String::new();
    let mut remarks: Vec<&str> = Vec::new();
    for class in EntryClass::ALL {
        let of: Vec<&ListedBug> = entries.iter().filter(|entry| entry.class == class).collect();
        let _ = match (class, of.is_empty()) {
            (EntryClass::Bug, _) => writeln!(text, "{TABLE} {COLUMNS}\n|---|---|---|---|"),
            (_, true) => continue,
            (_, false) => {
                let heading = heading(class);
                writeln!(text, "\n## {heading}\n\n| Cause | {COLUMNS} Why it is not a bug |\n|---|---|---|---|---|")
            }
        };
        for entry in of {
            row(entry, &mut remarks, &mut text);
        }
    }
    for (nth, remark) in remarks.iter().enumerate() {
        let gap = if nth == 0 { "\n" } else { "" };
        let _ = writeln!(text, "{gap}[^{}]: {}", nth + 1, one_line(remark));
    }
    text
}

/// The heading for causes of a class.
fn heading(class: EntryClass) -> &'static str {
    match class {
        EntryClass::Bug => "Bugs",
        EntryClass::NotImplemented => "Not implemented",
        EntryClass::Contested => "Contested",
    }
}

fn row<'a>(entry: &'a ListedBug, remarks: &mut Vec<&'a str>, text: &mut String) {
    let ListedBug { name, title, tools, fixed, link, bundle, because, class: _ } = entry;
    let folder = if bundle.is_some() { format!("{name}/") } else { format!("{name}.yaml") };
    let remark = bundle.as_ref().and_then(|bundle| bundle.remark.as_deref()).map(|remark| {
        let nth = remarks.iter().position(|known| *known == remark).unwrap_or_else(|| {
            remarks.push(remark);
            remarks.len() - 1
        });
        format!(" [^{}]", nth + 1)
    });
    let fixed = fixed.as_ref().map(ToString::to_string).unwrap_or_default();
    let shown = match bundle.as_ref().and_then(|bundle| bundle.another) {
        Some(abi) => format!("{}: another reproducer ({})", prose(title), words::machine(abi)),
        None => prose(title),
    };
    let cells = [
        format!("[{shown}]({folder}){}", remark.unwrap_or_default()),
        markdown(tools),
        markdown(&fixed),
        markdown(link),
    ];
    let because = because.as_ref().map(|because| format!(" {} |", prose(because))).unwrap_or_default();
    let _ = writeln!(text, "| {} |{because}", cells.join(" | "));
}

/// The start of the table of counts, in any file.
pub const COUNTS: &str = "| Tool |";

/// The table of counts of bugs by project: first producers, then readers, each by name; those with
/// one bug share a row.
pub fn counts(producers: &BTreeMap<String, Counted>, readers: &BTreeMap<String, Counted>) -> String {
    const COLUMNS: &str =
        "Tables | Open | Fixed | Reported | Only in `.eh_frame` | Wrong code or crash | With a reproducer |";
    let mut text = format!("{COUNTS} {COLUMNS}\n|---|---|---|---|---|---|---|---|\n");
    let mut all = Counted::default();
    for (kind, counted) in [("makes", producers), ("reads", readers)] {
        let (mut of_one, mut names) = (Counted::default(), Vec::new());
        for (project, of) in counted.iter().filter(|(_, of)| of.bugs() > 0) {
            all.sum(of);
            if of.bugs() > 1 {
                line(&markdown(project), kind, of, &mut text);
            } else {
                of_one.sum(of);
                names.push(markdown(project));
            }
        }
        if !names.is_empty() {
            line(&format!("{}: one each", names.join(", ")), kind, &of_one, &mut text);
        }
    }
    line("all", "", &all, &mut text);
    text
}

fn line(project: &str, kind: &str, of: &Counted, text: &mut String) {
    let Counted { open, fixed, reported, eh_frame, wrong_code, bundles } = of;
    let _ = writeln!(
        text,
        "| {project} | {kind} | {open} | {fixed} | {reported} | {eh_frame} | {wrong_code} | {bundles} |"
    );
}
