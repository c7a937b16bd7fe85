//! The lists of known bugs in `reports/known`.

use std::fs;

use anyhow::Context as _;
use ledger::{Home, bundles};
use reports::bundle::{TABLE, list};
use toolchain::input;

/// Updates the lists of all known bugs, of those files that exist.
pub(crate) fn relist(home: &Home) -> anyhow::Result<()> {
    for (path, bugs) in bundles::lists(home)? {
        if path.is_file() {
            let text = input::read_text(&path).with_context(|| path.display().to_string())?;
            let (before, _) = text.split_once(TABLE).unwrap_or((&text, ""));
            fs::write(&path, format!("{before}{}", list(&bugs))).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}
