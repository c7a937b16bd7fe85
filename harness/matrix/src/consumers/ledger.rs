//! What is known of readers: `reports/known/readers/`, an entry for each mistake of one project, held against the findings of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use generators::vectors::Vector;
use results::{ReaderMistake, ToolVersion, table_name};
use toolchain::consumer::Reader;
use toolchain::yaml;

use super::findings::{Found, topic};
use crate::bundles::DATA;
use crate::known::{Versions, Within};
use crate::ledger::{LedgerError, today};

/// The folder of the entries that are shipped, below the project's.
pub const KNOWN_READERS: &str = "reports/known/readers";

/// One mistake of one reader.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFault {
    /// What is wrong, in one line.
    pub title: String,
    /// The reader's project.
    pub project: String,
    /// Its versions that show it.
    pub versions: Versions,
    /// Why it is believed genuine: the bytes, decoded by hand.
    pub reason: String,
    /// The clause of the catalogue that is not held, `v2e1/flags/start-base`; none where no text speaks of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// Link to the report, or `unfiled`.
    pub link: String,
    /// Day it was added, `2026-11-21`.
    pub added: String,
    /// First day on which it no longer counts.
    pub expires: String,
    /// Of faults of memory safety: whom to tell first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tell: Option<String>,
    /// The first day on which what shows a crash may be published; until then, and without one, it is private.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public: Option<String>,
    /// Where it shows.
    pub shows: Vec<Shows>,
}

/// Causes of a mistake, and where each must recur.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shows {
    /// Versions that show it, where they are not the entry's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub versions: Option<Versions>,
    /// It depends on what is beside the section in memory, or on which producers are here: it need not recur, `*` stands for any tables, and at
    /// the end of a cause for any way to differ.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub varies: bool,
    /// The tables that show it, `v2e1-amd64`, by cause: a line as it is printed, or its fingerprint where that must not be told.
    pub causes: BTreeMap<String, BTreeSet<String>>,
}

/// All entries, and the day they are held against.
#[derive(Clone, Debug, Default)]
pub struct ReadersLedger {
    /// By the file's name, without folders.
    pub entries: BTreeMap<String, KnownFault>,
    /// Today, `YYYY-MM-DD`.
    pub today: String,
    /// Where the entries stand.
    folder: PathBuf,
}

/// What was asked: enough to know what should have recurred.
#[derive(Clone, Copy, Debug)]
pub struct AskedOf<'a> {
    /// Who was asked.
    pub readers: &'a [Reader],
    /// For what.
    pub vectors: &'a [Vector],
    /// These are all that a whole run has.
    pub is_whole: bool,
}

impl ReadersLedger {
    /// Reads the entries.
    ///
    /// # Errors
    /// When a file cannot be read, has keys that are not known, or contradicts itself.
    pub fn read(folder: &Path) -> Result<ReadersLedger, LedgerError> {
        let mut entries = BTreeMap::new();
        for path in yaml::files(folder)? {
            let entry: KnownFault = yaml::read(&path)?;
            if let Some(complaint) = entry.complaint() {
                return Err(LedgerError::Unsound { path, complaint });
            }
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            entries.insert(name, entry);
        }
        Ok(ReadersLedger { entries, today: today(), folder: folder.to_owned() })
    }

    /// Marks what is known, lays open what may be public, and says what has expired or did not recur, an item each.
    pub fn hold(&self, found: &mut [Found<'_, '_>], asked: AskedOf<'_>) -> Vec<String> {
        let mut problems = BTreeSet::new();
        for one in found.iter_mut() {
            let tables: Vec<&String> = one.finding.tables.keys().collect();
            let covering = |table: &str| {
                let covers = |(_, entry): &(&String, &KnownFault)| entry.covers(one, table);
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
        problems.extend(self.vanished(found, asked));
        problems.into_iter().collect()
    }

    /// Whether the day has come on which a person lets it be told.
    fn is_public(&self, entry: &KnownFault) -> bool {
        entry.public.as_ref().is_some_and(|day| *day <= self.today)
    }

    /// The entries that findings name, by file. Of what is private it is told that it is there, and no more than its title.
    pub fn shown_by(&self, found: &[Found<'_, '_>]) -> Vec<ReaderMistake> {
        let shown: BTreeSet<&str> = found.iter().filter_map(|one| one.finding.known.as_deref()).collect();
        let entries = self.entries.iter().filter(|(file, _)| shown.contains(file.as_str()));
        let told = |(file, entry): (&String, &KnownFault)| {
            let private = entry.tell.is_some() && !self.is_public(entry);
            ReaderMistake {
                file: file.clone(),
                title: entry.title.clone(),
                project: entry.project.clone(),
                first: entry.versions.first.to_string(),
                last: entry.versions.last.to_string(),
                fixed: entry.versions.fixed.as_ref().map(ToString::to_string),
                reason: if private { String::new() } else { entry.reason.clone() },
                clause: entry.clause.clone(),
                link: entry.link.clone(),
                added: entry.added.clone(),
                expires: entry.expires.clone(),
                bundle: !private && self.folder.join(file).with_extension("").join(DATA).is_file(),
                private,
            }
        };
        entries.map(told).collect()
    }

    /// What entries say of versions that were asked, and did not show it.
    fn vanished(&self, found: &[Found<'_, '_>], asked: AskedOf<'_>) -> Vec<String> {
        let mut vanished = Vec::new();
        for (name, entry) in &self.entries {
            for reader in asked.readers.iter().filter(|reader| reader.consumer.project() == entry.project) {
                let version = ToolVersion::new(&reader.version);
                let of_reader = || found.iter().filter(|one| one.finding.reader == reader.consumer.name);
                let due = |shows: &&Shows| {
                    let versions = shows.versions.as_ref().unwrap_or(&entry.versions);
                    !shows.varies && versions.place(&version) == Within::Due
                };
                for (cause, tables) in entry.shows.iter().filter(due).flat_map(|shows| &shows.causes) {
                    let shown = |table: &&String| {
                        of_reader().any(|one| is_of(one, cause) && one.finding.tables.contains_key(*table))
                    };
                    let missing = tables.iter().filter(|table| asked.was(reader, cause, table) && !shown(table));
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

impl AskedOf<'_> {
    /// Whether that cause could have shown in a table of that kind.
    fn was(&self, reader: &Reader, cause: &str, table: &str) -> bool {
        // Which vectors show it is not told by a place or a fingerprint, and what is drawn is another in another run.
        let named = cause.split(": ").nth(1).filter(|topic| topic.contains('/') && !topic.ends_with("/program"));
        let Some(named) = named else { return self.is_whole };
        self.vectors.iter().any(|vector| {
            topic(vector) == named && table_name(vector.version, vector.abi) == table && super::claims(reader, vector)
        })
    }
}

fn is_of(found: &Found<'_, '_>, cause: &str) -> bool {
    found.cause.title() == cause || found.finding.fingerprint == cause
}

impl KnownFault {
    fn covers(&self, found: &Found<'_, '_>, table: &str) -> bool {
        let version = ToolVersion::new(&found.finding.version);
        self.project == found.finding.project
            && self.shows.iter().any(|shows| {
                let versions = shows.versions.as_ref().unwrap_or(&self.versions);
                let has = |(cause, tables): (&String, &BTreeSet<String>)| {
                    let any = cause.strip_suffix('*').filter(|_| shows.varies);
                    let is_it = is_of(found, cause) || any.is_some_and(|any| found.cause.title().starts_with(any));
                    is_it && (tables.contains(table) || shows.varies && tables.contains("*"))
                };
                versions.place(&version) != Within::Outside && shows.causes.iter().any(has)
            })
    }

    fn complaint(&self) -> Option<String> {
        let days = [Some(&self.added), Some(&self.expires), self.public.as_ref()];
        if let Some(day) = days.into_iter().flatten().find(|day| results::day_number(day).is_none()) {
            return Some(format!("'{day}' is no day"));
        }
        if let Some(clause) = self.clause.as_ref().filter(|clause| spec::clause_named(clause).is_none()) {
            return Some(format!("'{clause}' is no clause"));
        }
        let tables = self.shows.iter().flat_map(|shows| shows.causes.values());
        if self.shows.is_empty() || tables.clone().count() == 0 || tables.clone().any(BTreeSet::is_empty) {
            return Some("it shows nowhere".to_owned());
        }
        let is_open = |(cause, tables): (&String, &BTreeSet<String>)| cause.ends_with('*') || tables.contains("*");
        if self.shows.iter().any(|shows| !shows.varies && shows.causes.iter().any(is_open)) {
            return Some("only what varies may show in any table, or in any way".to_owned());
        }
        let is_private = |cause: &String| cause.len() == 16 && cause.bytes().all(|byte| byte.is_ascii_hexdigit());
        let has_private = self.shows.iter().flat_map(|shows| shows.causes.keys()).any(is_private);
        (has_private && self.tell.is_none()).then(|| "it does not say whom to tell first".to_owned())
    }
}
