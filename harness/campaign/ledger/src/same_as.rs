//! Entries that show the bug of another entry: a library's bug, in the programs that use it. Each
//! cause is counted once.

use std::path::Path;

use results::{EntryClass, entry_name};
use toolchain::input;

use crate::error::LedgerError;

/// Data that determines how an entry counts.
#[derive(Clone, Copy, Debug)]
pub struct Counts<'a> {
    /// File of the entry.
    pub path: &'a Path,
    /// Class of the cause.
    pub class: EntryClass,
    /// Why it is not a bug.
    pub because: Option<&'a str>,
    /// The entry whose bug it shows.
    pub same_as: Option<&'a str>,
}

/// Checks that each entry that is not a bug has a reason, and that each `same_as` refers to an
/// entry without `same_as`: so there are no cycles, and the target is the entry that counts.
pub fn check(entries: &[Counts<'_>]) -> Result<(), LedgerError> {
    for entry in entries {
        if entry.class.is_bug() == entry.because.is_some() {
            return Err(unsound(
                entry.path,
                "because",
                "`because` gives the reason why an entry of another class than bug is not a bug",
            ));
        }
        let Some(named) = entry.same_as else { continue };
        if !entry.class.is_bug() {
            return Err(unsound(entry.path, "same_as", "what is `same_as` another entry has that entry's class"));
        }
        match entries.iter().find(|other| stem(other.path) == named) {
            None => {
                let names: Vec<String> = entries.iter().map(|other| stem(other.path)).collect();
                let unknown = results::unknown("entry", named, names.iter().map(String::as_str));
                return Err(unsound(entry.path, "same_as", &unknown.to_string()));
            }
            Some(Counts { same_as: Some(further), .. }) => {
                let complaint = format!("{named} is itself the same as {further}: name the entry that counts");
                return Err(unsound(entry.path, "same_as", &complaint));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

fn stem(path: &Path) -> String {
    entry_name(&path.file_name().unwrap_or_default().to_string_lossy()).to_owned()
}

fn unsound(path: &Path, key: &str, complaint: &str) -> LedgerError {
    let text = input::read_text(path).unwrap_or_default();
    let starts = |line: &str| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':'));
    let line = text.lines().position(starts).map_or(1, |before| before + 1);
    LedgerError::Unsound { path: path.to_owned(), complaint: format!("line {line}: {complaint}") }
}
