//! The files of trials that somebody has to look at: each stage of the build, and the commands that made it.

use std::fs;
use std::io;
use std::path::Path;

use model::TrialLine;
use reports::places::{KEPT, kept_folder};

use crate::report_files::named;

/// The file with the commands, beside what they made.
const COMMANDS: &str = "commands";

/// Copies what a trial made into the results.
pub(crate) fn keep(made: &Path, results: &Path, line: &TrialLine) -> io::Result<()> {
    let folder = results.join(kept_folder(&line.key));
    copy(made, &folder)?;
    let path = folder.join(COMMANDS);
    fs::write(&path, line.commands.join("\n") + "\n").map_err(|error| named(&path, &error))
}

/// Removes what an earlier run kept.
pub(crate) fn clear(results: &Path) -> io::Result<()> {
    let folder = results.join(KEPT);
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(named(&folder, &error)),
        _ => Ok(()),
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to).map_err(|error| named(to, &error))?;
    for entry in fs::read_dir(from).map_err(|error| named(from, &error))? {
        let entry = entry.map_err(|error| named(from, &error))?;
        let (path, copied) = (entry.path(), to.join(entry.file_name()));
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => copy(&path, &copied)?,
            // A link may lead anywhere, and what is no file may never end.
            Ok(kind) if kind.is_file() => drop(fs::copy(&path, &copied).map_err(|error| named(&copied, &error))?),
            _ => {}
        }
    }
    Ok(())
}
