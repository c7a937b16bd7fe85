//! What producers made before: a command on the same inputs by the same tool is answered from a
//! folder, not run.
//!
//! One file an answer, named after the digest of all that the command depends on (`cache/key.rs`,
//! `cache/makeup.rs`). Files come into being whole (written beside, then renamed) and hold their
//! own digest, so neither processes at work in the same folder nor one that is killed leave
//! anything that is taken for an answer. What cannot be read is run, what cannot be written is not
//! kept: the folder is a help, never a condition.

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

use self::answer::{Answer, HALF};
use self::key::Key;
use self::makeup::Makeups;
use crate::entry::Entry;
use crate::files::Files;
use crate::process::{Finished, ProcessError};

/// Answers in a folder.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    makeups: Makeups,
    recheck: Option<Sample>,
    /// The holder of one of these is alone with the keys that fall on it: what two threads ask for
    /// at once is made once.
    turns: Vec<Mutex<()>>,
    tally: Counters,
}

/// A command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Command<'a> {
    /// The program, and its words.
    pub(crate) words: &'a [String],
    /// Files that it takes, by their names.
    pub(crate) inputs: &'a [&'a str],
    /// The file that it makes; empty for none.
    pub(crate) output: &'a str,
}

/// How commands were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// From the folder.
    pub recalled: u64,
    /// By the tool, and kept.
    pub kept: u64,
    /// By the tool, because it is not known what it, or the command, depends on, or because it did
    /// not end by itself.
    pub apart: u64,
    /// Run again although the answer was there, and the same came out.
    pub rechecked: u64,
}

/// Some of the answers, the same ones for the same numbers: those whose digest leaves the rest
/// `part` when divided by `of`.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// From 0, less than `of`.
    pub part: u64,
    /// Number of parts.
    pub of: u64,
}

#[derive(Debug, Default)]
struct Counters {
    recalled: AtomicU64,
    kept: AtomicU64,
    apart: AtomicU64,
    rechecked: AtomicU64,
}

/// Below the project's folder.
pub const FOLDER: &str = "target/made";

/// Bytes beyond which [`Cache::trim`] removes what was not asked for for longest. A full matrix of
/// one machine takes a fifth.
const MOST_BYTES: u64 = 4 << 30;

const TURNS: usize = 1024;

/// An answer that was asked for is marked so at most this often.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Cache {
    /// The answers in a folder, which is made when the first is kept.
    pub fn at(folder: &Path) -> Cache {
        Cache {
            folder: folder.to_owned(),
            makeups: Makeups::at(&folder.join("tools")),
            recheck: None,
            turns: (0..TURNS).map(|_| Mutex::new(())).collect(),
            tally: Counters::default(),
        }
    }

    /// The same, but a sample of the commands is run although their answers are there, and
    /// compared: whether the tool is deterministic, and the digest complete.
    #[must_use]
    pub fn rechecking(self, sample: Sample) -> Cache {
        Cache { recheck: Some(sample), ..self }
    }

    /// So far.
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

    /// The answer to a command: what was kept, else what `run` gives, which is kept if the tool
    /// ended by itself.
    ///
    /// # Errors
    /// Those of `run`; when a tool of the sample made something else this time.
    pub(crate) fn answer(
        &self,
        (entry, program): (&Entry, &Path),
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
        let before = Answer::read(&path, &key);
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
        let now = finished.code.is_some().then(|| Answer::new(&finished, files.get(asked.output)));
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

    /// Removes what was not asked for for longest where the folder has grown beyond its bound,
    /// until it is at three quarters of it, and what killed processes left half written.
    ///
    /// # Errors
    /// When the folder cannot be read.
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
                // What another process removed meanwhile is gone.
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
                // It is gone, whichever process removed it.
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

/// Marks an answer as asked for. Without the mark it only goes earlier.
fn mark(path: &Path) {
    let Ok(file) = fs::File::open(path) else { return };
    let is_old =
        file.metadata().and_then(|facts| facts.modified()).is_ok_and(|age| age.elapsed().is_ok_and(|age| age > DAY));
    if is_old {
        let _ = file.set_modified(SystemTime::now());
    }
}
