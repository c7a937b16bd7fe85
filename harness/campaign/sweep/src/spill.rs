//! Stores any number of files with lines, sorted by name: only the last ones are in memory, all
//! others are in an unnamed file, as sorted runs that are merged when they are read.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use types::FileError;

use super::source::SweptFile;

/// Number of entries in a run.
const RUN: usize = 512;
/// Number of bytes of a run that are read at once.
const READ: usize = 4 << 10;

/// An entry for a file that will have a line. Ordered by name.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Line {
    pub(super) seen: SweptFile,
    /// Why the file could not be read; `None` if it was judged.
    pub(super) error: Option<FileError>,
}

impl Line {
    fn key(&self) -> (&str, Option<super::digest::Digest>) {
        (&self.seen.name, self.seen.digest)
    }
}

/// The files that were seen.
#[derive(Debug)]
pub(super) struct Spill {
    last: Vec<Line>,
    file: File,
    written: u64,
    /// Offset and number of entries of each run.
    runs: Vec<(u64, usize)>,
}

impl Spill {
    /// Creates the file in a folder on a disk.
    pub(super) fn new(folder: &Path) -> io::Result<Spill> {
        Ok(Spill { last: Vec::new(), file: tempfile::tempfile_in(folder)?, written: 0, runs: Vec::new() })
    }

    pub(super) fn push(&mut self, line: Line) -> io::Result<()> {
        self.last.push(line);
        if self.last.len() < RUN { Ok(()) } else { self.end_run() }
    }

    fn end_run(&mut self) -> io::Result<()> {
        self.last.sort_by(|a, b| a.key().cmp(&b.key()));
        let mut bytes = Vec::new();
        for line in &self.last {
            serde_json::to_writer(&mut bytes, line)?;
            bytes.push(b'\n');
        }
        self.file.write_all(&bytes)?;
        self.runs.push((self.written, self.last.len()));
        self.written += bytes.len() as u64;
        self.last.clear();
        Ok(())
    }

    /// All entries sorted by name, each once.
    pub(super) fn sorted(&mut self) -> io::Result<impl Iterator<Item = io::Result<Line>>> {
        if !self.last.is_empty() {
            self.end_run()?;
        }
        let mut runs = Vec::new();
        for (at, left) in &self.runs {
            let from = BufReader::with_capacity(READ, From { file: &self.file, at: *at });
            runs.push(Run { from, left: *left });
        }
        let mut heads = BinaryHeap::new();
        for (run, from) in runs.iter_mut().enumerate() {
            heads.extend(from.next()?.map(|line| Reverse(Head { line, run })));
        }
        let mut merged = Merged { runs, heads };
        let mut before: Option<Line> = None;
        let mut new = move || {
            loop {
                let line = merged.next()?;
                let again = line.as_ref().zip(before.as_ref()).is_some_and(|(line, before)| line.key() == before.key());
                if !again {
                    before.clone_from(&line);
                    return Ok(line);
                }
            }
        };
        Ok(std::iter::from_fn(move || new().transpose()))
    }
}

/// The bytes of a file from an offset on.
struct From<'f> {
    file: &'f File,
    at: u64,
}

impl Read for From<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(bytes, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// A run that is being read.
struct Run<'f> {
    from: BufReader<From<'f>>,
    left: usize,
}

impl Run<'_> {
    fn next(&mut self) -> io::Result<Option<Line>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let mut line = Vec::new();
        self.from.read_until(b'\n', &mut line)?;
        Ok(Some(serde_json::from_slice(&line)?))
    }
}

/// The next entry of a run; of equal ones that of the first run is used.
struct Head {
    line: Line,
    run: usize,
}

impl Ord for Head {
    fn cmp(&self, other: &Head) -> std::cmp::Ordering {
        (self.line.key(), self.run).cmp(&(other.line.key(), other.run))
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Head) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Head) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Head {}

/// All runs merged.
struct Merged<'f> {
    runs: Vec<Run<'f>>,
    heads: BinaryHeap<Reverse<Head>>,
}

impl Merged<'_> {
    fn next(&mut self) -> io::Result<Option<Line>> {
        let Some(Reverse(Head { line, run })) = self.heads.pop() else { return Ok(None) };
        let next = self.runs.get_mut(run).map_or(Ok(None), Run::next)?;
        self.heads.extend(next.map(|line| Reverse(Head { line, run })));
        Ok(Some(line))
    }
}

#[cfg(test)]
mod tests {
    use types::{FileError, FileErrorKind};

    use super::{Line, RUN, Spill, SweptFile};
    use crate::digest::Digest;

    /// Every second one was read, the others failed.
    fn line(name: String) -> Line {
        let digest = name.ends_with(['0', '2', '4', '6', '8']).then(|| Digest::new(name.as_bytes()));
        let error =
            digest.is_none().then(|| FileError { kind: FileErrorKind::Io, offset: Some(7), message: name.clone() });
        Line { seen: SweptFile { bytes: name.len() as u64, named: digest.is_some(), digest, name }, error }
    }

    #[test]
    fn all_come_in_order_each_once() {
        for count in [0, 1, RUN - 1, RUN, RUN + 1, 5 * RUN + 7] {
            let mut spill = Spill::new(&std::env::temp_dir()).expect("a file");
            // Every name, in a permuted order, and every third one twice.
            let mut names: Vec<String> = (0..count).map(|index| format!("{:05}", index * 7919 % count)).collect();
            let twice: Vec<String> = names.iter().step_by(3).cloned().collect();
            for name in names.iter().cloned().chain(twice) {
                spill.push(line(name)).expect("a disk");
            }
            names.sort();
            for _ in 0..2 {
                let sorted: Vec<Line> = spill.sorted().expect("a file").map(|line| line.expect("a line")).collect();
                assert!(sorted.iter().map(|line| &line.seen.name).eq(&names), "{count}");
                // The data of each entry was kept.
                assert!(sorted.iter().all(|read| format!("{read:?}") == format!("{:?}", line(read.seen.name.clone()))));
            }
        }
    }
}
