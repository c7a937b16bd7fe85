//! A cache of producers' outputs: a command with the same inputs and the same tool is answered from
//! a folder instead of being run.
//!
//! There is one file for each answer, named after the digest of everything that the command depends
//! on (`cache/key.rs`, `cache/makeup.rs`). Files are written atomically (beside, then renamed) and
//! contain their own digest, so neither concurrent processes nor killed ones leave a file that is
//! mistaken for an answer. A file that cannot be read is a cache miss, one that cannot be written
//! is not stored: nothing depends on the cache.

mod answer;
mod key;
mod makeup;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use self::answer::{CachedResult, HALF};
use self::key::Key;
use self::makeup::Makeups;
use crate::entry::ProducerEntry;
use crate::files::Files;
use crate::process::{Finished, ProcessError};

/// A cache in a folder.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    makeups: Makeups,
    recheck: Option<Sample>,
    /// Locks by key: the holder is alone with the keys of the lock, so that a command requested by
    /// two threads at once runs once.
    turns: Vec<Mutex<()>>,
    tally: Counters,
}

/// A command, as far as the cache needs it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Command<'a> {
    /// Program and arguments.
    pub(crate) words: &'a [String],
    /// Input files, by name.
    pub(crate) inputs: &'a [&'a str],
    /// Output file; empty if there is none.
    pub(crate) output: &'a str,
}

/// Numbers of commands, by how they were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Answered from the cache.
    pub recalled: u64,
    /// Run, and stored.
    pub kept: u64,
    /// Run and not stored, because the dependencies of the tool or the command are unknown, or
    /// because the tool did not exit by itself.
    pub apart: u64,
    /// Run again although the answer was in the cache, with the same result.
    pub rechecked: u64,
}

/// A deterministic sample of the answers: those whose digest modulo `of` is `part`.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Number of the part, from 0, less than `of`.
    pub part: u64,
    pub of: u64,
}

#[derive(Debug, Default)]
struct Counters {
    recalled: AtomicU64,
    kept: AtomicU64,
    apart: AtomicU64,
    rechecked: AtomicU64,
}

/// Folder of the cache, relative to the project's folder.
pub const FOLDER: &str = "target/made";

/// Size in bytes above which [`Cache::trim`] removes the least recently used answers. A full matrix
/// on one machine needs a fifth.
const MOST_BYTES: u64 = 4 << 30;

const TURNS: usize = 1024;

/// Minimum interval between updates of an answer's time of use.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Cache {
    /// The cache in a folder, which is created when the first answer is stored.
    pub fn at(folder: &Path) -> Cache {
        Cache {
            folder: folder.to_owned(),
            makeups: Makeups::at(&folder.join("tools")),
            recheck: None,
            turns: (0..TURNS).map(|_| Mutex::new(())).collect(),
            tally: Counters::default(),
        }
    }

    /// The cache with a sample of commands that are run even if their answers are stored, and
    /// compared: this tests whether tools are deterministic, and the digest complete.
    #[must_use]
    pub fn rechecking(self, sample: Sample) -> Cache {
        Cache { recheck: Some(sample), ..self }
    }

    /// The numbers so far.
    pub fn tally(&self) -> Tally {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let counted = &self.tally;
        Tally {
            recalled: read(&counted.recalled),
            kept: read(&counted.kept),
            apart: read(&counted.apart),
            rechecked: read(&counted.rechecked),
        }
    }

    /// Returns the answer to a command: the stored one, else the result of `run`, which is stored
    /// if the tool exited by itself.
    pub(crate) fn answer(
        &self,
        entry: &ProducerEntry,
        program: &Path,
        asked: Command<'_>,
        files: &mut Files,
        run: impl FnOnce(&mut Files) -> Result<Finished, ProcessError>,
    ) -> Result<Finished, ProcessError> {
        let makeup = entry.parts.as_deref().and_then(|parts| self.makeups.find(program, parts));
        let Some(key) = makeup.and_then(|makeup| Key::new(&makeup, asked, files)) else {
            count(&self.tally.apart);
            return run(files);
        };
        let _turn = self
            .turns
            .get(key.share(TURNS as u64) as usize)
            .map(|turn| turn.lock().unwrap_or_else(PoisonError::into_inner));
        let path = self.folder.join(key.file());
        let before = CachedResult::read(&path, &key);
        let is_rechecked = self.recheck.is_some_and(|sample| key.share(sample.of) == sample.part);
        let before = match before {
            Some(before) if !is_rechecked => {
                count(&self.tally.recalled);
                mark(&path);
                return Ok(before.give(files, asked.output));
            }
            before => before,
        };
        let finished = run(files)?;
        let now = finished.code.is_some().then(|| CachedResult::new(&finished, files.get(asked.output)));
        match (before, now) {
            (Some(before), Some(now)) if before != now => Err(ProcessError::NotDeterministic {
                program: program.display().to_string(),
                what: before.difference(&now).to_owned(),
            }),
            (Some(_), Some(_)) => {
                count(&self.tally.rechecked);
                Ok(finished)
            }
            (_, Some(now)) if now.keep(&path, &key).is_ok() => {
                count(&self.tally.kept);
                Ok(finished)
            }
            _ => {
                count(&self.tally.apart);
                Ok(finished)
            }
        }
    }

    /// Removes the least recently used answers if the folder has exceeded its limit, down to three
    /// quarters of it, and incomplete files of killed processes.
    pub fn trim(&self) -> io::Result<()> {
        self.trim_to(MOST_BYTES)
    }

    fn trim_to(&self, most: u64) -> io::Result<()> {
        let mut answers: BTreeMap<(SystemTime, PathBuf), u64> = BTreeMap::new();
        for entry in entries(&self.folder)? {
            if !entry.file_type()?.is_dir() || entry.file_name() == "tools" {
                continue;
            }
            for entry in entries(&entry.path())? {
                // Another process has removed the file meanwhile.
                let Ok(facts) = entry.metadata() else { continue };
                answers.insert((facts.modified()?, entry.path()), facts.len());
            }
        }
        let is_left = |path: &Path, age: SystemTime| {
            path.to_string_lossy().ends_with(HALF) && age.elapsed().is_ok_and(|age| age > DAY)
        };
        let mut bytes: u64 = answers.values().sum();
        let full = bytes > most;
        for ((age, path), length) in answers {
            if (full && bytes > most / 4 * 3) || is_left(&path, age) {
                // An error means that another process has removed it.
                let _ = fs::remove_file(&path);
                bytes -= length;
            }
        }
        Ok(())
    }
}

fn entries(folder: &Path) -> io::Result<Vec<fs::DirEntry>> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        listed => listed?.collect(),
    }
}

fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// Updates an answer's time of use. On failure it is only removed earlier.
fn mark(path: &Path) {
    let Ok(file) = fs::File::open(path) else { return };
    let is_old =
        file.metadata().and_then(|facts| facts.modified()).is_ok_and(|age| age.elapsed().is_ok_and(|age| age > DAY));
    if is_old {
        let _ = file.set_modified(SystemTime::now());
    }
}
