//! Reads `reports/known/`: one YAML file for each known bug.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use results::{Key, KeyPattern, LedgerFacts, ProgramCause, Resembles, ToolName, TrialLine};
use toolchain::yaml;
use types::Abi;

use crate::class::{Class, Classes, Judgement, TOPIC};
use crate::earlier::EarlierRun;
use crate::error::LedgerError;
use crate::known::{Compiled, LedgerEntry, RecordedFinding, TrialVersion, Within};
use crate::same_as::{self, Counts};
use crate::{BUNDLE, Home, OBJECTS};

/// The ledger, and the current date.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// Entries, sorted by file name.
    pub entries: Vec<LedgerEntry>,
    pub files: Vec<PathBuf>,
    /// Current date, `YYYY-MM-DD`.
    pub today: String,
    /// What is known in place of the entries, where a run is held against an earlier one.
    pub earlier: Option<EarlierRun>,
}

impl Ledger {
    pub fn read(home: &Home) -> Result<Ledger, LedgerError> {
        let files = yaml::files(&home.root.join("reports/known"))?;
        let entries = files.iter().map(|path| entry(path)).collect::<Result<_, _>>()?;
        let ledger = Ledger { entries, files, today: today(), earlier: None };
        let all: Vec<Counts<'_>> =
            ledger.files.iter().zip(&ledger.entries).map(|(path, entry)| entry.counts(path)).collect();
        same_as::check(&all)?;
        let silent: Vec<usize> = (0..)
            .zip(&ledger.entries)
            .filter(|(_, entry)| entry.findings.is_empty() && entry.causes.is_empty())
            .map(|(index, _)| index)
            .collect();
        if !silent.is_empty() {
            let classes = Classes::read(&home.root.join("cases").join(TOPIC))?;
            let is_named = |index: usize| classes.all().any(|class| class.entries.contains(&ledger.stem(index)));
            if let Some(index) = silent.into_iter().find(|index| !is_named(*index)) {
                let complaint = "it has no findings, and no class of cases/found names it".to_owned();
                return Err(LedgerError::Unsound { path: PathBuf::from(ledger.file(index)), complaint });
            }
        }
        Ok(ledger)
    }

    /// Why the ledger does not cover a class, as sentences; empty for a class that is not wrong.
    /// Each assembler of the class must be within the affected versions of the class's only entry
    /// for its project, and that entry must not have expired.
    pub fn complaints(&self, class: &Class) -> Vec<String> {
        if class.verdict != Judgement::Wrong {
            return Vec::new();
        }
        let mut complaints = Vec::new();
        let mut named: Vec<(&String, &LedgerEntry)> = Vec::new();
        for name in &class.entries {
            match (0..).zip(&self.entries).find(|(index, _)| self.stem(*index) == *name) {
                None => complaints.push(format!("there is no entry {name}")),
                Some((_, entry)) if entry.expires <= self.today => {
                    complaints.push(format!("the entry {name} has expired"))
                }
                Some((_, entry)) => named.push((name, entry)),
            }
        }
        let mut tools: Vec<ToolName> = Vec::new();
        for by in &class.by {
            match by.parse() {
                Ok(tool) => tools.push(tool),
                Err(_) => complaints.push(format!("{by} names no version of a tool")),
            }
        }
        for (name, entry) in &named {
            if !tools.iter().any(|tool| tool.name == entry.project) {
                complaints.push(format!(
                    "the entry {name} is of {}, which is not among those who show the class",
                    entry.project
                ));
            }
        }
        for tool in &tools {
            let of: Vec<&LedgerEntry> =
                named.iter().map(|(_, entry)| *entry).filter(|entry| entry.project == tool.name).collect();
            match of.as_slice() {
                [entry] if entry.versions.reaches(&tool.version) => {}
                [entry] => complaints.push(format!("{tool} shows it, and the entry is of {}", entry.versions)),
                several => complaints
                    .push(format!("{tool} shows it, and {} of the entries are of that project", several.len())),
            }
        }
        complaints
    }

    /// File name of an entry, without folders.
    pub fn name(&self, index: usize) -> String {
        let name = self.files.get(index).and_then(|file| file.file_name());
        name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// An entry that covers a finding in other trials, as in results.
    pub fn resembles(&self, index: usize, same_case: bool) -> Resembles {
        let of = self.entries.get(index).map(|entry| format!("{} {}", entry.project, entry.versions));
        Resembles { file: self.name(index), of: of.unwrap_or_default(), same_case }
    }

    /// Facts about the entries that trials show, by file.
    pub fn shown_by(&self, trials: &[TrialLine]) -> Vec<LedgerFacts> {
        let shown: BTreeSet<&str> = trials
            .iter()
            .flat_map(|trial| &trial.findings)
            .filter_map(|found| found.standing.known.as_deref())
            .collect();
        let facts = |(index, entry): (usize, &LedgerEntry)| {
            let bundle = self.files.get(index).is_some_and(|file| file.with_extension("").join(BUNDLE).is_file());
            entry.facts(self.name(index), bundle)
        };
        self.entries.iter().enumerate().map(facts).filter(|facts| shown.contains(facts.file.as_str())).collect()
    }

    /// Patterns that match no trial of a version that must show the bug, although every tool in
    /// them took part for their ABI: `file: pattern`. A frozen object that a tool made does not
    /// mean that the tool is installed. A case with `*` leaves open the partners, a producer `*`
    /// the assembler, and a target with `*` the targets: whether such a pattern matches is known
    /// only if all of them are installed. Patterns for a target without `judged` trials are
    /// skipped.
    pub fn idle(
        &self,
        trials: &[(Key, Vec<ToolName>)],
        judged: impl Fn(Abi) -> bool,
        equipped: impl Fn(Abi) -> bool,
    ) -> Vec<String> {
        let here = Here::new(trials);
        let equipped = Abi::ALL.map(|abi| (abi, equipped(abi)));
        let all_here =
            |pattern: KeyPattern<'_>| equipped.iter().all(|(abi, equipped)| !pattern.is_for(*abi) || *equipped);
        let mut idle = Vec::new();
        // The view of a trial is the same for all entries of a project.
        let mut by_project: BTreeMap<&str, Vec<TrialVersion>> = BTreeMap::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let sees = || {
                let mut seen: Vec<TrialVersion> = trials.iter().map(|(key, tools)| entry.sees(key, tools)).collect();
                seen.sort_by(|one, other| one.name.cmp(&other.name));
                seen
            };
            let seen = by_project.entry(&entry.project).or_insert_with(sees);
            for recorded in &entry.findings {
                let is_due = |seen: &TrialVersion| entry.place(recorded, seen, &[]) == Within::Due;
                for text in &recorded.trials {
                    let pattern = KeyPattern(text);
                    if !Abi::ALL.into_iter().filter(|abi| pattern.is_for(*abi)).all(&judged) {
                        continue;
                    }
                    let open =
                        pattern.leaves_case_open() || pattern.leaves_producer_open() || pattern.leaves_target_open();
                    let ran = || {
                        let all_here = all_here(pattern);
                        here.has(pattern, entry, recorded, all_here) && (!open || all_here)
                    };
                    // Names with the same prefix are adjacent.
                    let begins = pattern.beginning();
                    let first = seen.partition_point(|seen| seen.name.as_str() < begins);
                    let mut alike = seen.iter().skip(first).take_while(|seen| seen.name.starts_with(begins));
                    let pieces = pattern.pieces();
                    if !alike.any(|seen| pieces.fit(&seen.name) && is_due(seen)) && ran() {
                        idle.push(format!("{}: {text}", self.name(index)));
                    }
                }
            }
        }
        idle
    }

    /// The entry that covers a cause in a program, for a version of a tool.
    pub fn of_cause(&self, tool: &ToolName, cause: &ProgramCause, program: Compiled<'_>) -> Option<usize> {
        self.entries.iter().position(|entry| entry.expires > self.today && entry.is_cause(tool, cause, program))
    }

    /// Name of an entry: its file name without `.yaml`.
    pub fn stem(&self, index: usize) -> String {
        let stem = self.files.get(index).and_then(|file| file.file_stem());
        stem.map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Path of an entry, relative to the project's folder, for messages.
    pub fn file(&self, index: usize) -> String {
        format!("reports/known/{}", self.name(index))
    }
}

/// Reads an entry.
pub fn entry(path: &Path) -> Result<LedgerEntry, LedgerError> {
    parse(path, &yaml::text(path)?)
}

/// Parses the contents of an entry's file.
pub fn parse(path: &Path, text: &str) -> Result<LedgerEntry, LedgerError> {
    let entry: LedgerEntry = yaml::parse(path, text)?;
    match entry.complaint() {
        Some(complaint) => Err(LedgerError::Unsound { path: path.to_path_buf(), complaint }),
        None => Ok(entry),
    }
}

/// The tools that took part, by kind of trial: frozen objects or not, the target, and the SFrame
/// version.
struct Here(BTreeMap<TrialKind, BTreeSet<String>>);

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct TrialKind {
    frozen: bool,
    abi: Abi,
    sframe: String,
}

impl Here {
    fn new(trials: &[(Key, Vec<ToolName>)]) -> Here {
        let mut here: BTreeMap<TrialKind, BTreeSet<String>> = BTreeMap::new();
        for (key, beside) in trials {
            let tools = std::iter::once(key.tool().to_string())
                .chain(key.case_name().varied().map(str::to_owned))
                .chain(beside.iter().map(ToString::to_string));
            let place = TrialKind { frozen: key.topic == OBJECTS, abi: key.abi, sframe: key.sframe.clone() };
            here.entry(place).or_default().extend(tools.filter(|tool| tool.contains('@')));
        }
        Here(here)
    }

    /// Returns true if every tool in a pattern of an entry took part for one of its targets and
    /// SFrame versions, the project's in a version that must show the bug. If all tools are
    /// installed, an SFrame version that no such version of the project writes is also an error.
    fn has(&self, pattern: KeyPattern<'_>, entry: &LedgerEntry, recorded: &RecordedFinding, all_here: bool) -> bool {
        let frozen = pattern.is_of_topic(OBJECTS);
        let due = |tool: &String| {
            let tool = tool.parse::<ToolName>().ok().filter(|tool| tool.name == entry.project);
            let versions = recorded.versions.as_ref().unwrap_or(&entry.versions);
            tool.is_some_and(|tool| versions.place(&tool.version) == Within::Due)
        };
        let needed = pattern.names(&entry.project) || pattern.leaves_producer_open();
        let of_pattern = self.0.iter().filter(|(place, _)| {
            let written = all_here || KeyPattern(pattern.sframe()).matches(&place.sframe);
            place.frozen == frozen && pattern.is_for(place.abi) && written
        });
        of_pattern.into_iter().any(|(_, tools)| {
            let named = |tool: &str| tools.iter().any(|name| KeyPattern(tool).matches(name));
            pattern.tools().all(named) && (!needed || tools.iter().any(due))
        })
    }
}

/// Current date in UTC.
pub fn today() -> String {
    let days = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    results::date(i64::try_from(days).unwrap_or(0))
}
