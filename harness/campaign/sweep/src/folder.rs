//! The results folder of a sweep: `asked.json`, written first; `results.jsonl` and `times.jsonl`,
//! which grow; `sweep.json`, written last. Without `sweep.json` the sweep was not finished.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};

use ledger::run_files::{RESULTS, named, remove, write_file};
use ledger::swept::ASKED;
use results::{FileLine, SWEEP_SCHEMA, SweepAsked, SweepFold, SweepTotals};
use serde::de::DeserializeOwned;
use toolchain::input;
use types::FileError;

use super::SweepError;
use super::digest::Digest;
use super::lines::{Lines, Missing};
use super::source::SweptFile;
use super::spill::{Line, Spill};

/// File with the totals.
const TOTALS: &str = "sweep.json";
/// File with the HTML page, which the caller writes. Removed when a sweep begins.
pub const PAGE: &str = "index.html";
/// File with the time for each file.
const TIMES: &str = "times.jsonl";

/// Time that the file with these contents took. Data that varies between runs is in a separate file
/// beside the results.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Took {
    pub(super) sha256: String,
    pub(super) file: String,
    pub(super) seconds: f64,
}

/// The results folder of a running sweep.
pub(super) struct Folder {
    path: PathBuf,
    results: File,
    written: u64,
    times: File,
    lines: Lines,
    /// Files that have lines, or will have.
    seen: Spill,
}

impl Folder {
    /// Begins a sweep, or resumes one with the same options.
    pub(super) fn open(path: &Path, asked: &SweepAsked, resume: bool) -> Result<Folder, SweepError> {
        for stale in [TOTALS, PAGE] {
            remove(&path.join(stale))?;
        }
        let before = path.join(ASKED);
        let goes_on = resume && before.is_file();
        if goes_on {
            let was = read::<SweepAsked>(&before)?;
            if was != *asked {
                return Err(SweepError::Other { folder: path.to_owned(), was: words(&was), is: words(asked) });
            }
        } else {
            write_file(&before, |out| Ok(serde_json::to_writer_pretty(out, asked)?))?;
        }
        let open = |name: &str| {
            let path = path.join(name);
            let file = OpenOptions::new().read(true).append(true).create(true).open(&path);
            file.and_then(|file| (if goes_on { Ok(()) } else { file.set_len(0) }).map(|()| file))
                .map_err(|error| named(&path, &error))
        };
        let (results, times) = (open(RESULTS)?, open(TIMES)?);
        let of_results = |error: io::Error| named(&path.join(RESULTS), &error);
        let mut lines = Lines::default();
        let written = results.try_clone().and_then(|file| lines.read(file, |_| Ok(()))).map_err(of_results)?;
        // Removes a truncated line.
        results.set_len(written).map_err(of_results)?;
        whole_lines(&times).map_err(|error| named(&path.join(TIMES), &error))?;
        let seen = Spill::new(path).map_err(|error| named(path, &error))?;
        Ok(Folder { path: path.to_owned(), results, written, times, lines, seen })
    }

    /// Hashes of judged files.
    pub(super) fn hashes(&self) -> impl Iterator<Item = Digest> {
        self.lines.hashes()
    }

    /// Records a file that will have a line.
    pub(super) fn see(&mut self, seen: SweptFile, error: Option<FileError>) -> io::Result<()> {
        self.seen.push(Line { seen, error }).map_err(|error| named(&self.path, &error))
    }

    /// Appends a line with the results for a file, as soon as it is judged.
    pub(super) fn add(&mut self, line: &FileLine, seconds: f64) -> io::Result<()> {
        // Written in one piece, as far as the system allows: a killed process leaves a complete
        // line or nothing.
        let text = serde_json::to_string(line)? + "\n";
        self.results.write_all(text.as_bytes()).map_err(|error| named(&self.path.join(RESULTS), &error))?;
        if let Some(digest) = Digest::read(&line.sha256) {
            self.lines.note(digest, self.written, text.len())?;
        }
        self.written += text.len() as u64;
        let took = Took { sha256: line.sha256.clone(), file: line.file.clone(), seconds };
        let text = serde_json::to_string(&took)? + "\n";
        self.times.write_all(text.as_bytes()).map_err(|error| named(&self.path.join(TIMES), &error))
    }

    /// Sorts the lines and writes their totals. `complete` sets the fields that do not depend on
    /// the lines.
    pub(super) fn finish(
        &mut self,
        mut fold: SweepFold,
        unfinished: bool,
        complete: impl FnOnce(SweepTotals) -> SweepTotals,
    ) -> io::Result<SweepTotals> {
        times(&self.path, |took| fold.took(&took.file, took.seconds))?;
        if unfinished {
            // The results stay unsorted: files judged in an earlier part may not have been found
            // again in this one.
            self.lines.write(&mut self.seen, Missing::Waits, &mut fold, &mut io::sink())?;
            return conclude(&self.path, complete(fold.finish()));
        }
        write(&self.path, &mut self.lines, &mut self.seen, fold, complete)
    }
}

/// Writes sorted lines, through a temporary file so that an interruption loses none; the totals
/// last.
pub(super) fn write(
    folder: &Path,
    lines: &mut Lines,
    seen: &mut Spill,
    mut fold: SweepFold,
    complete: impl FnOnce(SweepTotals) -> SweepTotals,
) -> io::Result<SweepTotals> {
    let results = folder.join(RESULTS);
    let new = folder.join(format!("{RESULTS}.new"));
    write_file(&new, |out| lines.write(seen, Missing::Fault, &mut fold, out))?;
    fs::rename(&new, &results).map_err(|error| named(&results, &error))?;
    conclude(folder, complete(fold.finish()))
}

/// Writes the totals of a finished sweep.
fn conclude(folder: &Path, totals: SweepTotals) -> io::Result<SweepTotals> {
    if !totals.unfinished {
        let new = folder.join(format!("{TOTALS}.new"));
        write_file(&new, |out| {
            serde_json::to_writer_pretty(&mut *out, &totals)?;
            out.write_all(b"\n")
        })?;
        fs::rename(&new, folder.join(TOTALS)).map_err(|error| named(&folder.join(TOTALS), &error))?;
    }
    Ok(totals)
}

/// Begins a folder of merged results.
pub(super) fn begin(folder: &Path, asked: &SweepAsked, took: &[Took]) -> io::Result<()> {
    remove(&folder.join(TOTALS))?;
    write_file(&folder.join(ASKED), |out| Ok(serde_json::to_writer_pretty(out, asked)?))?;
    write_file(&folder.join(TIMES), |out| {
        took.iter().try_for_each(|took| {
            serde_json::to_writer(&mut *out, took)?;
            out.write_all(b"\n")
        })
    })
}

/// Totals of a finished sweep.
pub fn totals(folder: &Path) -> Result<SweepTotals, SweepError> {
    let path = folder.join(TOTALS);
    if !path.is_file() {
        return Err(SweepError::Unfinished(folder.to_owned()));
    }
    let totals = read::<SweepTotals>(&path)?;
    match totals.schema {
        SWEEP_SCHEMA => Ok(totals),
        other => Err(SweepError::Schema { path, schema: other }),
    }
}

/// Calls `each` with the time of each file, as far as it is known.
pub(super) fn times(folder: &Path, mut each: impl FnMut(Took)) -> io::Result<()> {
    let path = folder.join(TIMES);
    let file = match File::open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file.map_err(|error| named(&path, &error))?,
    };
    for line in BufReader::new(file).split(b'\n') {
        if let Ok(took) = serde_json::from_slice(&line?) {
            each(took);
        }
    }
    Ok(())
}

/// Removes a last line that was not written completely.
fn whole_lines(file: &File) -> io::Result<()> {
    let (mut reader, mut whole, mut bytes) = (BufReader::new(file.try_clone()?), 0, Vec::new());
    loop {
        bytes.clear();
        reader.read_until(b'\n', &mut bytes)?;
        if !bytes.ends_with(b"\n") {
            return file.set_len(whole);
        }
        whole += bytes.len() as u64;
    }
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, SweepError> {
    let bytes = input::read(path).map_err(|error| named(path, &error))?;
    serde_json::from_slice(&bytes).map_err(|error| SweepError::Json { path: path.to_owned(), error })
}

/// The options of a sweep as on a command line.
pub(super) fn words(asked: &SweepAsked) -> String {
    let shard = asked.shard.map(|(part, parts)| format!("--shard {part}/{parts}"));
    let words: Vec<&str> = asked.options.iter().chain(&shard).chain(&asked.paths).map(String::as_str).collect();
    format!("{} with {}", words.join(" "), asked.tool_version)
}
