//! Merges sweeps: the shards of one, or sweeps of different files. The result is the same as that
//! of one sweep over all files, except for days and seconds.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use ledger::run_files::{RESULTS, named};
use results::{SweepAsked, SweepFold, SweepTotals, is_of_lines};

use super::SweepError;
use super::digest::Digest;
use super::folder::{begin, times, totals, words, write};
use super::lines::Lines;
use super::source::SweptFile;
use super::spill::{Line, Spill};

/// Merges finished sweeps into a folder.
pub fn merge(folders: &[PathBuf], out: &Path) -> Result<SweepTotals, SweepError> {
    let parts: Vec<SweepTotals> = folders.iter().map(|folder| totals(folder)).collect::<Result<_, _>>()?;
    let asked = common(folders, &parts)?;
    // The folder is created only after everything has been read.
    let mut seen = Spill::new(&std::env::temp_dir()).map_err(|error| named(out, &error))?;
    let (mut lines, mut took) = (Lines::default(), Vec::new());
    for folder in folders {
        let path = folder.join(RESULTS);
        let file = File::open(&path).map_err(|error| named(&path, &error))?;
        let mut each = |line: results::FileLine| {
            let error = line.judged.and_then(|judged| judged.error).filter(|_| line.sha256.is_empty());
            let digest = Digest::read(&line.sha256);
            let file = SweptFile { name: line.file, named: line.named, digest, bytes: line.bytes };
            seen.push(Line { seen: file, error })
        };
        lines.read(file, &mut each).map_err(|error| named(&path, &error))?;
        times(folder, |one| took.push(one))?;
    }
    fs::create_dir_all(out).map_err(|error| named(out, &error))?;
    begin(out, &asked, &took)?;
    let mut fold = SweepFold::new(asked);
    for part in &parts {
        // Totals of lines are computed once for all files with the same contents.
        part.skipped.iter().filter(|(skip, _)| !is_of_lines(**skip)).for_each(|(skip, count)| fold.skip(*skip, *count));
    }
    took.iter().for_each(|took| fold.took(&took.file, took.seconds));
    let seconds = parts.iter().map(|part| part.seconds).sum();
    let day = parts.iter().map(|part| part.day.clone()).max().unwrap_or_default();
    Ok(write(out, &mut lines, &mut seen, fold, |totals| SweepTotals { seconds, day, ..totals })?)
}

/// The options of the merged sweep.
fn common(folders: &[PathBuf], parts: &[SweepTotals]) -> Result<SweepAsked, SweepError> {
    let Some(first) = parts.first() else { return Ok(SweepAsked::default()) };
    let mut paths: Vec<String> = Vec::new();
    let mut shards: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for (folder, part) in folders.iter().zip(parts) {
        let alike = |asked: &SweepAsked| (asked.options.clone(), asked.tool_version.clone());
        let other =
            |than: &SweepAsked| SweepError::Other { folder: folder.clone(), was: words(&part.asked), is: words(than) };
        if alike(&part.asked) != alike(&first.asked) {
            return Err(other(&first.asked));
        }
        // Shards are of one sweep: without the others of its own a shard is not complete.
        let of_same = |one: &&SweepTotals| match (one.asked.shard, part.asked.shard) {
            (Some((_, parts)), Some((_, of))) => parts == of,
            _ => false,
        };
        if let Some(shard) = parts.iter().find(of_same).filter(|shard| shard.asked.paths != part.asked.paths) {
            return Err(other(&shard.asked));
        }
        paths.extend(part.asked.paths.iter().filter(|path| !paths.contains(path)).cloned().collect::<Vec<_>>());
        if let Some((part, parts)) = part.asked.shard {
            shards.entry(parts).or_default().insert(part);
        }
    }
    for (parts, there) in shards {
        if let Some(missing) = (1..=parts).find(|part| !there.contains(part)) {
            return Err(SweepError::MissingShard { part: missing, parts });
        }
    }
    Ok(SweepAsked { paths, shard: None, ..first.asked.clone() })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use results::{SweepAsked, SweepTotals};

    use super::common;

    fn part(path: &str, shard: Option<(u64, u64)>) -> SweepTotals {
        SweepTotals {
            asked: SweepAsked { paths: vec![path.to_owned()], shard, ..Default::default() },
            ..Default::default()
        }
    }

    /// Whole sweeps of several folders are one; shards of several are not.
    #[test]
    fn shards_of_another_folder_are_refused() {
        let folders: Vec<PathBuf> = ["one", "two"].map(PathBuf::from).to_vec();
        let merged = |parts: [SweepTotals; 2]| common(&folders, &parts).map(|asked| asked.paths);
        let (one, two) = (Some((1, 2)), Some((2, 2)));
        assert_eq!(merged([part("lib", one), part("lib", two)]).expect("one sweep"), ["lib"]);
        assert_eq!(merged([part("lib", None), part("bin", None)]).expect("two sweeps"), ["lib", "bin"]);
        let refused = merged([part("lib", one), part("bin", two)]).expect_err("half of each");
        assert!(refused.to_string().starts_with("two: of another sweep (--shard 2/2 bin"), "{refused}");
    }
}
