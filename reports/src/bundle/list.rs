//! The list of all known bugs: a table in Markdown, a line an entry of the ledger.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use results::bundle::Bundle;
use results::{EntryClass, ToolVersion};

use super::words;

use crate::escape::{markdown, one_line};

/// The row of an entry in the list.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// The name of its file, without `.yaml`, and of the folder of its bundle.
    pub name: &'a str,
    /// What is wrong, in one line.
    pub title: &'a str,
    /// The tool whose bug it is, with its versions that show it: `gas 2.40 to 2.44`.
    pub tools: String,
    /// The first version that is right.
    pub fixed: Option<&'a ToolVersion>,
    /// Where it was reported, or `unfiled`.
    pub link: &'a str,
    /// What kind of cause it is.
    pub class: EntryClass,
    /// Why it is not a bug; empty for a bug.
    pub because: Option<&'a str>,
    /// What is filed of it.
    pub bundle: Option<&'a Bundle>,
    /// The bundle is a further reproducer of the entry above.
    pub further: bool,
}

/// How the table begins, in whatever file it is.
pub const TABLE: &str = "| Bug |";

/// A table for each class, and the remarks below them, in the order of the entries.
pub fn list(entries: &[Entry<'_>]) -> String {
    const COLUMNS: &str = "Affected versions | Fixed in | Report |";
    let mut text = String::new();
    let mut remarks: Vec<&str> = Vec::new();
    for class in EntryClass::ALL {
        let of: Vec<&Entry<'_>> = entries.iter().filter(|entry| entry.class == class).collect();
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

/// What the causes of a class are called.
fn heading(class: EntryClass) -> &'static str {
    match class {
        EntryClass::Bug => "Bugs",
        EntryClass::NotImplemented => "Not implemented",
        EntryClass::Contested => "Contested",
    }
}

fn row<'a>(entry: &Entry<'a>, remarks: &mut Vec<&'a str>, text: &mut String) {
    let Entry { name, title, tools, fixed, link, bundle, because, further, class: _ } = entry;
    let folder = if bundle.is_some() { format!("{name}/") } else { format!("{name}.yaml") };
    let remark = bundle.and_then(|bundle| bundle.remark.as_deref()).map(|remark| {
        let nth = remarks.iter().position(|known| *known == remark).unwrap_or_else(|| {
            remarks.push(remark);
            remarks.len() - 1
        });
        format!(" [^{}]", nth + 1)
    });
    let fixed = fixed.map(ToString::to_string).unwrap_or_default();
    let shown = match bundle {
        Some(bundle) if *further => format!("the same bug: a further reproducer ({})", words::machine(bundle.abi)),
        _ => markdown(title),
    };
    let cells = [
        format!("[{shown}]({folder}){}", remark.unwrap_or_default()),
        markdown(tools),
        markdown(&fixed),
        markdown(link),
    ];
    let because = because.map(|because| format!(" {} |", markdown(because))).unwrap_or_default();
    let _ = writeln!(text, "| {} |{because}", cells.join(" | "));
}

/// What is known of the tools of one project. One cause is counted once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Bugs.
    pub bugs: usize,
    /// Those of a part that has a name of its own, by that: `llvm-mc` of clang.
    pub parts: BTreeMap<String, usize>,
    /// Those of `.eh_frame` or `.eh_frame_hdr`, not of `.sframe`.
    pub eh_frame: usize,
    /// Those that a later version does not have.
    pub fixed: usize,
    /// Those with a reproducer that can be filed.
    pub bundles: usize,
    /// Bugs of it that other programs show, by program.
    pub also_in: BTreeMap<String, usize>,
    /// What it does not implement.
    pub not_implemented: usize,
    /// What is contested.
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

/// How the table of counts begins, in whatever file it is.
pub const COUNTS: &str = "| Tool |";

/// Counts of causes by project: those of producers, then those of readers, each by name.
pub fn counts(producers: &BTreeMap<String, Counted>, readers: &BTreeMap<String, Counted>) -> String {
    const COLUMNS: &str = "Makes or reads tables | Bugs | Of these | Fixed in a later version | With a reproducer | Also visible in | \
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
    let parts = parts.iter().map(|(part, count)| format!("{count} {}", markdown(part)));
    let table = (*eh_frame > 0).then(|| format!("{eh_frame} not of `.sframe`"));
    let of_these = parts.chain(table).collect::<Vec<_>>().join(", ");
    let _ = writeln!(
        text,
        "| {project} | {kind} | {bugs} | {of_these} | {fixed} | {bundles} | {also} | {not_implemented} | {contested} |"
    );
}
