//! The list of all known mistakes: a table in Markdown, a line an entry of the ledger.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use results::ToolVersion;
use results::bundle::{Bundle, Size, Unit};

use crate::escape::{markdown, one_line};

/// What the list says of an entry.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// The name of its file, without `.yaml`, and of the folder of its bundle.
    pub name: &'a str,
    /// What is wrong, in one line.
    pub title: &'a str,
    /// The tool whose mistake it is, with its versions that show it: `gas 2.40 to 2.44`.
    pub tools: String,
    /// The first version that is right.
    pub fixed: Option<&'a ToolVersion>,
    /// Where it was reported, or `unfiled`.
    pub link: &'a str,
    /// What is filed of it.
    pub bundle: Option<&'a Bundle>,
}

/// How the table begins, in whatever file it is.
pub const TABLE: &str = "| Mistake |";

/// The table, and the remarks below it, in the order of the entries.
pub fn list(entries: &[Entry<'_>]) -> String {
    let mut text =
        format!("{TABLE} Tool | Right in | Targets | Found by | Lines | Report |\n|---|---|---|---|---|---|---|\n");
    let mut remarks: Vec<&str> = Vec::new();
    for entry in entries {
        let Entry { name, title, tools, fixed, link, bundle } = entry;
        let (mut targets, mut by, mut lines) = (String::new(), String::new(), String::new());
        let mut folder = format!("{name}.yaml");
        if let Some(bundle) = bundle {
            folder = format!("{name}/");
            targets = bundle.targets.iter().map(|abi| abi.name()).collect::<Vec<_>>().join(", ");
            by = markdown(&bundle.found.by);
            lines = counted(bundle);
            if let Some(remark) = &bundle.remark {
                let nth = remarks.iter().position(|known| known == remark).unwrap_or_else(|| {
                    remarks.push(remark);
                    remarks.len() - 1
                });
                let _ = write!(lines, " [^{}]", nth + 1);
            }
        }
        let fixed = fixed.map(ToString::to_string).unwrap_or_default();
        let cells = [
            format!("[{}]({folder})", markdown(title)),
            markdown(tools),
            markdown(&fixed),
            targets,
            by,
            lines.trim().to_owned(),
            markdown(link),
        ];
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    for (nth, remark) in remarks.iter().enumerate() {
        let gap = if nth == 0 { "\n" } else { "" };
        let _ = writeln!(text, "{gap}[^{}]: {}", nth + 1, one_line(remark));
    }
    text
}

/// Lines before and after, as far as they are known; what a person wrote says so.
fn counted(bundle: &Bundle) -> String {
    let lines = |size: &Option<Size>| size.as_ref().and_then(|size| size.of(Unit::Lines));
    let hand = if bundle.found.by_hand { " by hand" } else { "" };
    match (lines(&bundle.found.before), lines(&bundle.found.after)) {
        (Some(before), Some(after)) => format!("{before} to {after}{hand}"),
        (None, Some(after)) => format!("{after}{hand}"),
        (_, None) => String::new(),
    }
}

/// What is known of the tools of one project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Mistakes.
    pub mistakes: usize,
    /// Those that a later version does not make.
    pub mended: usize,
    /// Those with a reproducer that can be filed.
    pub bundles: usize,
}

/// How the table of counts begins, in whatever file it is.
pub const COUNTS: &str = "| Tool |";

/// Counts of mistakes by project: those of producers, then those of readers, each by name.
pub fn counts(producers: &BTreeMap<String, Counted>, readers: &BTreeMap<String, Counted>) -> String {
    let mut text = format!(
        "{COUNTS} Makes or reads tables | Mistakes | Mended in a later version | With a reproducer |\n|---|---|---|---|---|\n"
    );
    let mut all = Counted::default();
    for (kind, counted) in [("makes", producers), ("reads", readers)] {
        for (project, Counted { mistakes, mended, bundles }) in counted {
            let _ = writeln!(text, "| {} | {kind} | {mistakes} | {mended} | {bundles} |", markdown(project));
            all.mistakes += mistakes;
            all.mended += mended;
            all.bundles += bundles;
        }
    }
    let _ = writeln!(text, "| all | | {} | {} | {} |", all.mistakes, all.mended, all.bundles);
    text
}
