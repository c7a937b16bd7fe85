//! The index of bundles that are to be filed: a table for each project, the weightiest bug first.

use std::fmt::Write as _;

use results::bundle::{Queued, Standing, Unfiled};
use types::counted;

use crate::escape::{markdown, prose};

/// The index of bundles in folders `PROJECT/NAME`, by project.
pub fn queue(bugs: &[Queued]) -> String {
    let mut text = format!("# Unreported bugs: {}\n", bugs.len());
    for of_project in bugs.chunk_by(|one, other| one.bug.project == other.bug.project) {
        let Some(first) = of_project.first() else { continue };
        let count = counted(of_project.len() as u64, "bug");
        let _ = writeln!(text, "\n## {}: {count}\n", markdown(&first.bug.project));
        text +=
            "| Bug | Shown by | Newest version with it | Last search for a report | Bundle |\n|---|---|---|---|---|\n";
        for Queued { bug, standing } in of_project {
            let Unfiled { project, name, title, weight, newest, looked, .. } = bug;
            let title = match standing {
                Standing::Private(_) | Standing::Missing(_) => prose(title),
                Standing::Proven | Standing::Written | Standing::Unproven(_) => {
                    format!("[{}]({project}/{name}/)", prose(title))
                }
            };
            let (newest, standing) = (markdown(newest), markdown(&standing.to_string()));
            let _ = writeln!(text, "| {title} | {weight} | {newest} | {looked} | {standing} |");
        }
    }
    text
}
