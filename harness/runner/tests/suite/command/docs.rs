//! Tests of the documents: every command in them is run, every key is explained, every link and
//! path exists, and the list of crates is that of the workspace.

mod blocks;
mod commands;
mod first_screen;
mod keys;
mod picture;
mod places;

use crate::command::document::{fences, read, section};

/// Documents whose commands are run.
const DOCUMENTS: [&str; 22] = [
    "README.md",
    "CHANGELOG.md",
    ".github/CONTRIBUTING.md",
    "cases/README.md",
    "cases/c/README.md",
    "cases/found/README.md",
    "cases/link/README.md",
    "ci/README.md",
    "ci/elsewhere.md",
    "ci/producers.md",
    "ci/readers.md",
    "generators/README.md",
    "generators/scoring.md",
    "harness/README.md",
    "harness/changes.md",
    "harness/execute/remote/README.md",
    "reports/README.md",
    "reports/runs.md",
    "reports/glossary.md",
    "reports/ledger.md",
    "reports/known/README.md",
    "reports/schemas/README.md",
];

/// The producers' file in ci/producers.md: its first YAML block.
fn shown_producers() -> String {
    fences(&section(&read("ci/producers.md"), "## Adding a producer")).remove(0)
}
