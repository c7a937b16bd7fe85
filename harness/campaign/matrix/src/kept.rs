//! Stores the files of trials that need attention: each stage of the build, and its commands.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use ledger::run_files::named;
use results::{KEPT, TrialLine, kept_folder};
use types::Bytes;

/// File with the commands, beside the files they made.
const COMMANDS: &str = "commands";

/// Stores the files of a trial in the results folder.
pub(crate) fn keep(made: &BTreeMap<String, Bytes>, results: &Path, line: &TrialLine) -> io::Result<()> {
    let folder = results.join(kept_folder(&line.key));
    let commands = Bytes::from(line.commands.join("\n") + "\n");
    for (name, bytes) in made.iter().chain([(&COMMANDS.to_owned(), &commands)]) {
        let path = folder.join(name);
        let written = fs::create_dir_all(path.parent().unwrap_or(&folder)).and_then(|()| fs::write(&path, bytes));
        written.map_err(|error| named(&path, &error))?;
    }
    Ok(())
}

/// Removes the files that an earlier run stored.
pub(crate) fn clear(results: &Path) -> io::Result<()> {
    let folder = results.join(KEPT);
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(named(&folder, &error)),
        _ => Ok(()),
    }
}
