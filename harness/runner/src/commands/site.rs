//! `report --site`: writes a site of several nights. Of a night's folder only results and public
//! data about readers are copied.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use ledger::run_files::{read, write as write_results, write_file};
use ledger::swept::is_sweep;
use reports::escape::line;
use reports::history::{Changes, CompareOptions, compare};
use reports::page::site::{Corpus, Night, badge, feed, index, seen};
use reports::page::{self, PageExtras};
use reports::places::Places;
use results::RunResults;
use results::day_number;

/// Folders of nights, and of the corpus, in the site.
const NIGHTS: &str = "nights";
const CORPUS: &str = "corpus";
/// Folder of readers in that of a night, in the source and in the site.
const READERS: &str = "readers";

/// Writes the site. Results are read twice, one night at a time, because together they may be
/// large.
pub(super) fn write(
    site: &Path,
    results: &[PathBuf],
    corpus: Option<&Path>,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let mut nights: Vec<(Night, &PathBuf)> = Vec::new();
    for path in results {
        nights.push((Night::new("", &night(path)?), path));
    }
    // Nights already in the site keep their names, in whatever order a shell lists them.
    nights.sort_by_cached_key(|(night, path)| (night.day.clone(), standing(path, &site.join(NIGHTS), &night.day)));
    let mut taken = BTreeSet::new();
    for (night, _) in &mut nights {
        night.folder = folder(&night.day, &mut taken);
    }
    let (nights, paths): (Vec<Night>, Vec<&PathBuf>) = nights.into_iter().unzip();
    for (one, path) in nights.iter().zip(&paths) {
        refuse_to_write_over(path, &site.join(NIGHTS), &one.folder)?;
    }
    let seen = seen(&nights);
    // Last night with the same options: results that a night did not request have not vanished.
    let mut before: Vec<RunResults> = Vec::new();
    for (one, path) in nights.iter().zip(paths) {
        let run = night(path)?;
        let folder = site.join(NIGHTS).join(&one.folder);
        write_results(&folder, &run)?;
        let readers = if run.facts.readers.is_some() { readers(path, &folder)? } else { None };
        let alike = before.iter().position(|before| before.facts.asked == run.facts.asked);
        let changes: Option<Changes> =
            alike.map(|at| compare(&before.swap_remove(at), &run, CompareOptions::default()));
        let places = Places {
            program: "sframe-conformance".to_owned(),
            results: format!("{NIGHTS}/{}", one.folder),
            ..Places::default()
        };
        let beside = PageExtras { changes: changes.as_ref(), places: Some(&places), seen: Some(&seen), readers };
        put(&folder.join("index.html"), &page::render(&run.trials, &run.facts, beside))?;
        before.push(run);
    }
    let corpus = corpus.map(|file| take_along(file, &site.join(CORPUS))).transpose()?;
    if let Some(newest) = nights.last() {
        put(&site.join("badge.svg"), &badge(newest))?;
    }
    put(&site.join("feed.xml"), &feed(&nights))?;
    let first = site.join("index.html");
    put(&first, &index(&nights, corpus.as_ref()))?;
    writeln!(out, "site: {}, {}", line(&first.display().to_string()), types::counted(nights.len(), "night"))?;
    Ok(0)
}

/// Results of a finished run; an unfinished run has no day.
fn night(path: &PathBuf) -> anyhow::Result<RunResults> {
    let name = line(&path.display().to_string());
    if is_sweep(path) || path.join(readers::FACTS).is_file() {
        bail!("{name}: not a run of the matrix");
    }
    let run = read(std::slice::from_ref(path))?;
    if run.facts.unfinished {
        bail!("{name}: the run was not finished, so its date is unknown; `run --resume` continues it");
    }
    // The day becomes the name of a folder.
    if day_number(&run.facts.day).is_none() {
        bail!("{name}: '{}' is not a date", line(&run.facts.day));
    }
    Ok(run)
}

/// The number, among the runs of its day, of a night already in the site; new ones get later
/// numbers.
fn standing(path: &Path, nights: &Path, day: &str) -> u64 {
    let name = || {
        let path = fs::canonicalize(path).ok()?;
        let name = path.strip_prefix(fs::canonicalize(nights).ok()?).ok()?.to_str()?.strip_prefix(day)?;
        if name.is_empty() { Some(1) } else { name.strip_prefix('-')?.parse().ok() }
    };
    name().unwrap_or(u64::MAX)
}

/// Refuses a night of the site that would move to another folder: it could be overwritten before it
/// is read.
fn refuse_to_write_over(path: &Path, nights: &Path, folder: &str) -> anyhow::Result<()> {
    let (Ok(path), Ok(nights)) = (fs::canonicalize(path), fs::canonicalize(nights)) else { return Ok(()) };
    match path.starts_with(&nights) && !path.starts_with(nights.join(folder)) {
        true => bail!(
            "{}: this folder of the site would be renamed to {folder}; name the site's earlier folders of that day before it, or write the site to another folder",
            line(&path.display().to_string())
        ),
        false => Ok(()),
    }
}

/// Name of a night's folder: the day, or `DAY-2` for the second run of a day.
fn folder(day: &str, taken: &mut BTreeSet<String>) -> String {
    let names = std::iter::once(day.to_owned()).chain((2..).map(|nth: u64| format!("{day}-{nth}")));
    let name = names.into_iter().find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(name.clone());
    name
}

/// Copies the public data about the readers tested in a night, and returns the folder of their
/// page, if these results have them. Findings that a reader's makers must see first are in a
/// separate folder, which is not opened here.
fn readers(results: &Path, night: &Path) -> anyhow::Result<Option<&'static str>> {
    let from = results.join(READERS);
    if !from.join(readers::FACTS).is_file() {
        return Ok(None);
    }
    let (findings, run) = readers::read(&from)?;
    let to = night.join(READERS);
    fs::create_dir_all(&to).with_context(|| line(&to.display().to_string()).clone())?;
    write_file(&to.join(readers::FACTS), |out| Ok(serde_json::to_writer_pretty(out, &run)?))?;
    write_file(&to.join(readers::FINDINGS), |out| {
        for finding in &findings {
            serde_json::to_writer(&mut *out, finding)?;
            writeln!(out)?;
        }
        Ok(())
    })?;
    put(&night.join(page::READERS), &page::readers::render(&findings, &run))?;
    Ok(Some(page::READERS))
}

fn take_along(file: &Path, to: &Path) -> anyhow::Result<Corpus> {
    let name = file.file_name().with_context(|| format!("{}: no file", line(&file.display().to_string())))?;
    fs::create_dir_all(to).with_context(|| line(&to.display().to_string()).clone())?;
    let bytes = fs::copy(file, to.join(name)).with_context(|| line(&file.display().to_string()).clone())?;
    Ok(Corpus { file: name.to_string_lossy().into_owned(), bytes })
}

fn put(path: &Path, text: &str) -> anyhow::Result<()> {
    Ok(write_file(path, |out| out.write_all(text.as_bytes()))?)
}
