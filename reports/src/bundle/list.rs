//! The list of all known bugs: a Markdown table with one row for each ledger entry.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use results::{EntryClass, ToolVersion};
use types::Abi;

use super::words;

use crate::escape::{markdown, one_line, prose};

/// One row of the list.
#[derive(Clone, Debug)]
pub struct ListedBug<'a> {
    /// Name of the entry's file without `.yaml`, and of its bundle's directory.
    pub name: &'a str,
    /// The bug in one line.
    pub title: &'a str,
    /// The tool that has the bug, with affected versions: `gas 2.40 to 2.44`.
    pub tools: String,
    /// The first fixed version.
    pub fixed: Option<&'a ToolVersion>,
    /// Address of the report, or `unfiled`.
    pub link: &'a str,
    /// The class of the cause.
    pub class: EntryClass,
    /// The reason why the entry is not a bug; empty for a bug.
    pub because: Option<&'a str>,
    /// The bundle that is filed.
    pub bundle: Option<ListedBundle<'a>>,
}

/// The bundle of a row.
#[derive(Clone, Copy, Debug, Default)]
pub struct ListedBundle<'a> {
    /// A footnote.
    pub remark: Option<&'a str>,
    /// The target, if it is another reproducer of the entry above.
    pub another: Option<Abi>,
}

/// The start of the table, in any file.
pub const TABLE: &str = "| Bug |";

/// One table for each class, and the remarks below it, in the order of the entries.
pub fn list(entries: &[ListedBug<'_>]) -> String {
    const COLUMNS: &str = "Affected versions | Fixed in | Report |";
    let mut text = String::new();
    let mut remarks: Vec<&str> = Vec::new();
    for class in EntryClass::ALL {
        let of: Vec<&ListedBug<'_>> = entries.iter().filter(|entry| entry.class == class).collect();
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

fn row<'a>(entry: &ListedBug<'a>, remarks: &mut Vec<&'a str>, text: &mut String) {
    let ListedBug { name, title, tools, fixed, link, bundle, because, class: _ } = entry;
    let folder = if bundle.is_some() { format!("{name}/") } else { format!("{name}.yaml") };
    let remark = bundle.and_then(|bundle| bundle.remark).map(|remark| {
        let nth = remarks.iter().position(|known| *known == remark).unwrap_or_else(|| {
            remarks.push(remark);
            remarks.len() - 1
        });
        format!(" [^{}]", nth + 1)
    });
    let fixed = fixed.map(ToString::to_string).unwrap_or_default();
    let shown = match bundle.and_then(|bundle| bundle.another) {
        Some(abi) => format!("{}: another reproducer ({})", prose(title), words::machine(abi)),
        None => prose(title),
    };
    let cells = [
        format!("[{shown}]({folder}){}", remark.unwrap_or_default()),
        markdown(tools),
        markdown(&fixed),
        markdown(link),
    ];
    let because = because.map(|because| format!(" {} |", prose(because))).unwrap_or_default();
    let _ = writeln!(text, "| {} |{because}", cells.join(" | "));
}

/// The counts of one project's entries. One cause is counted once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Number of bugs.
    pub bugs: usize,
    /// Bugs of a separately named part, by its name: `llvm-mc` of clang.
    pub parts: BTreeMap<String, usize>,
    /// Bugs of `.eh_frame` or `.eh_frame_hdr`, not of `.sframe`.
    pub eh_frame: usize,
    /// Bugs that are fixed in a later version.
    pub fixed: usize,
    /// Bugs with a reproducer that can be filed.
    pub bundles: usize,
    /// Bugs that are also visible in other programs, by program.
    pub also_in: BTreeMap<String, usize>,
    /// Number of features that are not implemented.
    pub not_implemented: usize,
    /// Number of contested behaviours.
    pub contested: usize,
}

impl Counted {
    /// Counts an entry.
    pub fn add(&mut self, class: EntryClass, is_fixed: bool, has_bundle: bool) {
        match class {
            EntryClass::Bug => {
                self.bugs += 1;
                self.fixed += usize::from(is_fixed);
                self.bundles += usize::from(has_bundle);
            }
            EntryClass::NotImplemented => self.not_implemented += 1,
            EntryClass::Contested => self.contested += 1,
        }
    }
}

/// The start of the table of counts, in any file.
pub const COUNTS: &str = "| Tool |";

/// The table of counts of causes by project: first producers, then readers, each by name.
pub fn counts(producers: &BTreeMap<String, Counted>, readers: &BTreeMap<String, Counted>) -> String {
    const COLUMNS: &str = "Makes or reads tables | Bugs | Breakdown | Fixed in a later version | With a reproducer | Also visible in | \
                           Not implemented | Contested |";
    let mut text = format!("{COUNTS} {COLUMNS}\n|---|---|---|---|---|---|---|---|---|\n");
    let mut all = Counted::default();
    let mut also = 0;
    for (kind, counted) in [("makes", producers), ("reads", readers)] {
        for (project, of) in counted {
            let programs = of.also_in.iter().map(|(program, count)| format!("{program} {count}"));
            line(&markdown(project), kind, of, &programs.collect::<Vec<_>>().join(", "), &mut text);
            all.bugs += of.bugs;
            all.eh_frame += of.eh_frame;
            all.fixed += of.fixed;
            all.bundles += of.bundles;
            all.not_implemented += of.not_implemented;
            all.contested += of.contested;
            also += of.also_in.values().sum::<usize>();
        }
    }
    line("all", "", &all, &also.to_string(), &mut text);
    text
}

fn line(project: &str, kind: &str, of: &Counted, also: &str, text: &mut String) {
    let Counted { bugs, parts, eh_frame, fixed, bundles, not_implemented, contested, also_in: _ } = of;
    let parts = parts.iter().map(|(part, count)| format!("{count} in {}", markdown(part)));
    let table = (*eh_frame > 0).then(|| format!("{eh_frame} only in `.eh_frame`"));
    let breakdown = parts.chain(table).collect::<Vec<_>>().join(", ");
    let _ = writeln!(
        text,
        "| {project} | {kind} | {bugs} | {breakdown} | {fixed} | {bundles} | {also} | {not_implemented} | {contested} |"
    );
}
