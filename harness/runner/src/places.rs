//! Locations of files, for readers of results.

use std::path::Path;

use ledger::Home;
use reports::places::Places;
use results::{TrialLine, kept_folder};

/// Locations of files, for readers of these results.
pub(crate) fn places(program: &str, home: &Home, results: &Path, trials: &[TrialLine]) -> Places {
    let here = std::env::current_dir().unwrap_or_default();
    let root = home.root.strip_prefix(&here).unwrap_or(&home.root).display().to_string();
    let is_kept = |trial: &&TrialLine| results.join(kept_folder(&trial.key)).is_dir();
    Places {
        program: program.to_owned(),
        root: if root == "." { String::new() } else { root },
        results: results.display().to_string(),
        kept: trials.iter().filter(is_kept).map(|trial| trial.key.clone()).collect(),
    }
}
