//! Result lines in files, indexed by the hash of the file they are about, and written sorted by
//! name, the final form of a sweep's results.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt as _;

use ledger::swept::whole_lines;
use results::{FileLine, Judged, SWEEP_SCHEMA, SweepFold, SweepVerdict};

use super::digest::Digest;
use super::judged::{failed, verdict};
use super::source::SweptFile;
use super::spill::{Line, Spill};

/// Treatment of a file whose contents have no line yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// The file is still to be judged.
    Waits,
    /// An error: the results are damaged.
    Fault,
}

/// Lines by hash, kept in files because there may be many.
#[derive(Debug, Default)]
pub(super) struct Lines {
    files: Vec<File>,
    /// About 50 bytes for each file. [`Lines::write`] sorts them; for equal hashes the first is
    /// kept.
    places: Vec<(Digest, LineSpan)>,
}

/// Position of a line: its file, first byte and length.
#[derive(Clone, Copy, Debug)]
struct LineSpan {
    file: u32,
    length: u32,
    offset: u64,
}

impl Lines {
    /// Adds a file of results, and returns the number of bytes in complete lines. `each` is called
    /// with every line.
    pub(super) fn read(&mut self, file: File, mut each: impl FnMut(FileLine) -> io::Result<()>) -> io::Result<u64> {
        let reader = file.try_clone()?;
        self.files.push(file);
        whole_lines(reader, |line, at| {
            if let (Some(_), Some(digest)) = (&line.judged, Digest::read(&line.sha256)) {
                self.note(digest, at.offset, at.length)?;
            }
            each(line)
        })
    }

    /// Records a line that was written to the last file.
    pub(super) fn note(&mut self, digest: Digest, offset: u64, length: usize) -> io::Result<()> {
        let number = |number: usize| u32::try_from(number).map_err(io::Error::other);
        let place = LineSpan { file: number(self.files.len().saturating_sub(1))?, length: number(length)?, offset };
        self.places.push((digest, place));
        Ok(())
    }

    /// Hashes of judged files.
    pub(super) fn hashes(&self) -> impl Iterator<Item = Digest> {
        self.places.iter().map(|(digest, _)| *digest)
    }

    /// Index of a hash among the sorted positions.
    fn position(&self, digest: Option<Digest>) -> Option<usize> {
        self.places.binary_search_by_key(&digest?, |(digest, _)| *digest).ok()
    }

    /// The line at this index, for a file with this name.
    fn judged(&self, position: Option<usize>, name: &str) -> io::Result<Judged> {
        let missing = || io::Error::new(io::ErrorKind::NotFound, format!("{name}: no result of its bytes"));
        let (_, place) = position.and_then(|position| self.places.get(position)).ok_or_else(missing)?;
        let file = self.files.get(place.file as usize).ok_or_else(missing)?;
        let mut bytes = vec![0; place.length as usize];
        file.read_exact_at(&mut bytes, place.offset)?;
        serde_json::from_slice::<FileLine>(&bytes)?.judged.ok_or_else(missing)
    }

    /// Writes a line for each file that was seen, sorted by name, and adds it to the totals. Of
    /// files with the same contents the first has the results, whichever was judged.
    pub(super) fn write(
        &mut self,
        seen: &mut Spill,
        missing: Missing,
        fold: &mut SweepFold,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.places.sort_by_key(|(digest, _)| *digest);
        self.places.dedup_by_key(|(digest, _)| *digest);
        let again = self.again(seen)?;
        // Names of the files whose contents several files have.
        let mut first: HashMap<usize, (String, [SweepVerdict; 2])> = HashMap::new();
        for line in seen.sorted()? {
            let Line { seen: SweptFile { name, named, digest, bytes }, error } = line?;
            let position = self.position(digest);
            if missing == Missing::Waits && error.is_none() && position.is_none() {
                continue;
            }
            let sha256 = digest.map_or_else(String::new, |digest| digest.to_string());
            let line = FileLine { schema: SWEEP_SCHEMA, file: name, sha256, bytes, named, ..FileLine::default() };
            let known = position.and_then(|position| first.get(&position));
            let known = known.map(|(name, verdicts)| (name.clone(), verdicts[usize::from(named)]));
            let line = match (error, known) {
                (None, Some((name, verdict))) => FileLine { verdict, same_as: Some(name), ..line },
                (error, _) => {
                    let judged = error.map_or_else(|| self.judged(position, &line.file), |error| Ok(failed(error)))?;
                    let verdicts = [verdict(&judged, false), verdict(&judged, true)];
                    if let Some(position) = position.filter(|position| again.contains(position)) {
                        first.insert(position, (line.file.clone(), verdicts));
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

    /// Indices of hashes that several files have.
    fn again(&self, seen: &mut Spill) -> io::Result<HashSet<usize>> {
        let (mut once, mut again) = (vec![false; self.places.len()], HashSet::new());
        for line in seen.sorted()? {
            let position = self.position(line?.seen.digest);
            let once = position.and_then(|position| once.get_mut(position));
            if once.is_some_and(|once| std::mem::replace(once, true)) {
                again.extend(position);
            }
        }
        Ok(again)
    }
}
