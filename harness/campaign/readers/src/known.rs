//! The ledger of known bugs of readers: `reports/known/readers/`, one entry for each bug of one
//! project, compared with the findings of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use generators::vectors::Vector;
use ledger::BUNDLE;
use ledger::known::Within;
use ledger::{KnownFault, LedgerError, Shows, is_of, read_faults, today};
use results::{ReaderBug, ToolVersion, table_name};
use toolchain::consumer::Reader;

use super::findings::{CauseEvidence, topic};

/// All entries, and the current date.
#[derive(Clone, Debug, Default)]
pub struct ReadersLedger {
    /// Entries by file name, without folders.
    pub entries: BTreeMap<String, KnownFault>,
    /// Current date, `YYYY-MM-DD`.
    pub today: String,
    /// Folder of the entries.
    folder: PathBuf,
}

/// Extent of a run: determines which known bugs should have recurred.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    pub readers: &'a [Reader],
    pub vectors: &'a [Vector],
    /// True if these are all readers and vectors of a complete run.
    pub is_whole: bool,
}

impl ReadersLedger {
    /// Reads the entries.
    pub fn read(folder: &Path) -> Result<ReadersLedger, LedgerError> {
        let files = read_faults(folder)?;
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let entries = files.into_iter().map(|(path, entry)| (name(&path), entry)).collect();
        Ok(ReadersLedger { entries, today: today(), folder: folder.to_owned() })
    }

    /// Marks known findings, adds evidence that may be public, and lists entries that have expired
    /// or did not recur, one item each.
    pub fn hold(&self, found: &mut [CauseEvidence<'_, '_>], scope: Scope<'_>) -> Vec<String> {
        let mut problems = BTreeSet::new();
        let mut recorded: BTreeMap<&str, Vec<ToolVersion>> = BTreeMap::new();
        for entry in self.entries.values() {
            recorded.entry(&entry.project).or_default().extend(entry.named_versions().cloned());
        }
        for one in found.iter_mut() {
            let tables: Vec<&String> = one.finding.tables.keys().collect();
            let recorded = recorded.get(one.finding.project.as_str()).map_or(&[][..], Vec::as_slice);
            let covering = |table: &str| {
                let covers =
                    |(_, entry): &(&String, &KnownFault)| entry.covers(&one.finding, &one.cause, table, recorded);
                let all = self.entries.iter().filter(covers);
                all.min_by_key(|(_, entry)| entry.expires <= self.today)
            };
            let Some(by) = tables.iter().map(|table| covering(table)).collect::<Option<Vec<_>>>() else { continue };
            match by.iter().find(|(_, entry)| entry.expires <= self.today) {
                Some((name, entry)) => drop(problems.insert(format!("{name} has expired on {}", entry.expires))),
                None => one.finding.known = by.first().map(|(name, _)| (*name).clone()),
            }
            if one.finding.cause.is_empty() && by.iter().all(|(_, entry)| self.is_public(entry)) {
                one.lay_open();
            }
        }
        problems.extend(self.vanished(found, scope));
        problems.into_iter().collect()
    }

    /// Returns true for a memory safety bug that must not be published yet.
    pub fn is_private(&self, entry: &KnownFault) -> bool {
        entry.tell.is_some() && !self.is_public(entry)
    }

    /// Returns true if the date from which the entry may be published has been reached.
    fn is_public(&self, entry: &KnownFault) -> bool {
        entry.public.as_ref().is_some_and(|day| *day <= self.today)
    }

    /// The entries that findings refer to, by file. Of a private entry only its existence and title
    /// are published.
    pub fn shown_by(&self, found: &[CauseEvidence<'_, '_>]) -> Vec<ReaderBug> {
        let shown: BTreeSet<&str> = found.iter().filter_map(|one| one.finding.known.as_deref()).collect();
        let entries = self.entries.iter().filter(|(file, _)| shown.contains(file.as_str()));
        let bug = |(file, entry): (&String, &KnownFault)| {
            let private = self.is_private(entry);
            ReaderBug {
                file: file.clone(),
                title: entry.title.clone(),
                project: entry.project.clone(),
                first: entry.versions.first.to_string(),
                last: entry.versions.last.to_string(),
                fixed: entry.versions.fixed.as_ref().map(ToString::to_string),
                reason: if private { String::new() } else { entry.reason.clone() },
                class: entry.class,
                because: entry.because.clone(),
                same_as: entry.same_as.clone(),
                clause: entry.clause.clone(),
                link: entry.link.clone(),
                added: entry.added.clone(),
                expires: entry.expires.clone(),
                bundle: !private && self.folder.join(file).with_extension("").join(BUNDLE).is_file(),
                private,
            }
        };
        entries.map(bug).collect()
    }

    /// Recorded causes of tested versions that did not recur.
    fn vanished(&self, found: &[CauseEvidence<'_, '_>], scope: Scope<'_>) -> Vec<String> {
        let mut vanished = Vec::new();
        for (name, entry) in &self.entries {
            for reader in scope.readers.iter().filter(|reader| reader.consumer.project() == entry.project) {
                let version = ToolVersion::new(&reader.version);
                let of_reader = || found.iter().filter(|one| one.finding.reader == reader.consumer.name);
                let due = |shows: &&Shows| {
                    let versions = shows.versions.as_ref().unwrap_or(&entry.versions);
                    !shows.varies && versions.place(&version) == Within::Due
                };
                for (cause, tables) in entry.shows.iter().filter(due).flat_map(|shows| &shows.causes) {
                    let shown = |table: &&String| {
                        of_reader().any(|one| {
                            is_of(&one.finding, &one.cause, cause) && one.finding.tables.contains_key(*table)
                        })
                    };
                    let missing = tables.iter().filter(|table| scope.was(reader, cause, table) && !shown(table));
                    vanished.extend(missing.map(|table| {
                        format!(
                            "{name}: {} {} no longer shows {cause} in {table}",
                            reader.consumer.name, reader.version
                        )
                    }));
                }
            }
        }
        vanished
    }
}

impl Scope<'_> {
    /// Returns true if this cause could have occurred in a table of this kind.
    fn was(&self, reader: &Reader, cause: &str, table: &str) -> bool {
        let in_table =
            |vector: &&Vector| table_name(vector.format, vector.abi) == table && super::claims(reader, vector);
        let mut vectors = self.vectors.iter().filter(in_table);
        // Neither a position nor a fingerprint shows which vectors have the cause, and random
        // vectors differ from run to run.
        match cause.split(": ").nth(1).filter(|topic| topic.contains('/') && !topic.ends_with("/program")) {
            Some(named) => vectors.any(|vector| topic(vector) == named),
            None => self.is_whole && vectors.next().is_some(),
        }
    }
}
