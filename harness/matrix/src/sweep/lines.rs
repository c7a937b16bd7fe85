//! Lines of results where they stand in files, found by the hash of what they are about; and all of them in order of names, which is the form in
//! which a sweep is kept.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write};
use std::os::unix::fs::FileExt as _;

use model::{FileError, FileLine, Judged, SWEEP_SCHEMA, SweepVerdict};
use reports::sweep::Fold;

use super::judged::{failed, verdict};
use super::source::Seen;

/// What was found, by hash: kept in files, for it may be much.
#[derive(Debug, Default)]
pub(super) struct Lines {
    files: Vec<File>,
    places: HashMap<String, Place>,
}

/// A line of a file: which one, its first byte and its length.
#[derive(Clone, Copy, Debug)]
struct Place {
    file: usize,
    offset: u64,
    length: usize,
}

impl Lines {
    /// Takes a file of results in, and says how many of its bytes are whole lines. `each` is told every line.
    pub(super) fn read(&mut self, file: File, mut each: impl FnMut(FileLine)) -> io::Result<u64> {
        let number = self.files.len();
        let mut reader = BufReader::new(file.try_clone()?);
        self.files.push(file);
        let (mut offset, mut bytes) = (0, Vec::new());
        loop {
            bytes.clear();
            let length = reader.read_until(b'\n', &mut bytes)?;
            // Bytes, not text: what ended the sweep may have cut a character.
            if !bytes.ends_with(b"\n") {
                return Ok(offset);
            }
            match serde_json::from_slice::<FileLine>(&bytes) {
                Ok(line) if line.schema == SWEEP_SCHEMA => {
                    if line.judged.is_some() && !line.sha256.is_empty() {
                        let place = Place { file: number, offset, length };
                        self.places.entry(line.sha256.clone()).or_insert(place);
                    }
                    each(line);
                }
                Ok(_) => {}
                Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
            }
            offset += length as u64;
        }
    }

    /// Notes a line that was written to the last file.
    pub(super) fn note(&mut self, sha256: String, offset: u64, length: usize) {
        let file = self.files.len().saturating_sub(1);
        self.places.insert(sha256, Place { file, offset, length });
    }

    /// Hashes of what was judged.
    pub(super) fn hashes(&self) -> impl Iterator<Item = &String> {
        self.places.keys()
    }

    pub(super) fn has(&self, sha256: &str) -> bool {
        self.places.contains_key(sha256)
    }

    /// What was found in the file with these bytes.
    fn judged(&self, sha256: &str) -> io::Result<Judged> {
        let missing = || io::Error::new(io::ErrorKind::NotFound, format!("no result of the bytes {sha256}"));
        let place = self.places.get(sha256).ok_or_else(missing)?;
        let file = self.files.get(place.file).ok_or_else(missing)?;
        let mut bytes = vec![0; place.length];
        file.read_exact_at(&mut bytes, place.offset)?;
        serde_json::from_slice::<FileLine>(&bytes)?.judged.ok_or_else(missing)
    }

    /// Writes a line for each file that was seen, in order of names, and folds them. Of files with the same bytes the first one has what was
    /// found, whichever was judged.
    pub(super) fn write(&self, mut seen: Vec<Line>, fold: &mut Fold, out: &mut dyn Write) -> io::Result<()> {
        seen.sort_by(|a, b| (&a.seen.name, &a.seen.sha256).cmp(&(&b.seen.name, &b.seen.sha256)));
        seen.dedup_by(|a, b| (&a.seen.name, &a.seen.sha256) == (&b.seen.name, &b.seen.sha256));
        let again = again(&seen);
        let mut first: HashMap<String, (String, [SweepVerdict; 2])> = HashMap::new();
        for Line { seen: Seen { name, named, sha256, bytes }, error } in seen {
            let line = FileLine { schema: SWEEP_SCHEMA, file: name, sha256, bytes, named, ..FileLine::default() };
            let known = first.get(&line.sha256).map(|(name, verdicts)| (name.clone(), verdicts[usize::from(named)]));
            let line = match (error, known) {
                (None, Some((name, verdict))) => FileLine { verdict, same_as: Some(name), ..line },
                (error, _) => {
                    let judged = error.map_or_else(|| self.judged(&line.sha256), |error| Ok(failed(error)))?;
                    let verdicts = [verdict(&judged, false), verdict(&judged, true)];
                    if again.contains(&line.sha256) {
                        first.insert(line.sha256.clone(), (line.file.clone(), verdicts));
                    }
                    FileLine { verdict: verdicts[usize::from(named)], judged: Some(judged), ..line }
                }
            };
            fold.add(&line);
            serde_json::to_writer(&mut *out, &line)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}

/// Hashes that several files have.
fn again(seen: &[Line]) -> HashSet<String> {
    let mut sorted: Vec<&str> =
        seen.iter().map(|line| line.seen.sha256.as_str()).filter(|hash| !hash.is_empty()).collect();
    sorted.sort_unstable();
    let twice = |pair: &[&str]| if let [a, b] = pair { (a == b).then(|| (*a).to_owned()) } else { None };
    sorted.windows(2).filter_map(twice).collect()
}

/// A file of which there is to be a line.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) seen: Seen,
    /// Why it could not be read; none where its bytes were judged.
    pub(super) error: Option<FileError>,
}
