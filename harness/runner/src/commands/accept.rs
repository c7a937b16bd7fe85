//! `accept`: writes the ledger entry for findings that a person has reviewed.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::builder::ArgPredicate;
use ledger::known::{LedgerEntry, Part, RecordedFinding, Versions, Within, patterns};
use ledger::{Home, Ledger, bundles, entry};
use matrix::trial::Trial;
use matrix::{Extent, Matrix};
use reports::causes::new_causes;
use reports::escape::line;
use results::RunResults;
use results::{EntryClass, Finding, Key, KeyPattern, Status, ToolName, ToolVersion, TrialLine};
use toolchain::producers::Producers;
use toolchain::yaml;
use types::counted;

use super::look::look;
use super::run_results;
use crate::{home, known_lists};

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance accept 0890ae9509bb182e --entry gas-cfa --project gas \\
      --title 'gas: ... (AMD64)' --reason 'Byte 0x5e is ..., the clause ...' \\
      --link unfiled --expires 2027-06-30
  sframe-conformance accept --look        # the last versions, after a run

Exit codes: 0 the entry was written; 3 it was not.";

/// record findings as a known bug in the ledger
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Accept {
    /// fingerprints of findings with one cause
    #[arg(required_unless_present = "look", value_name = "FINGERPRINT")]
    findings: Vec<String>,
    /// raise the last affected version of each known bug that the run showed in a later one;
    /// nothing else is recorded
    #[arg(long, conflicts_with_all = ["findings", "alike", "entry"], help_heading = "Selection")]
    look: bool,
    /// record also the findings that `run` prints as the same bug
    #[arg(long, help_heading = "Selection")]
    alike: bool,
    /// folder of the run that showed them
    #[arg(long, value_name = "DIR", default_value = "target/conformance", help_heading = "Selection")]
    results: PathBuf,
    /// the tool that has the bug, as in names of trials (gas, gcc, lld) [default: the producer of
    /// the first trial]
    #[arg(long, value_name = "TOOL", help_heading = "Entry")]
    project: Option<String>,
    /// why it is a bug: bytes, clause; at least 40 characters
    #[arg(
        long,
        required = false,
        required_unless_present = "look",
        default_value_if("look", ArgPredicate::IsPresent, ""),
        help_heading = "Entry"
    )]
    reason: String,
    /// address of the report (https://...), or unfiled
    #[arg(
        long,
        required = false,
        required_unless_present = "look",
        default_value_if("look", ArgPredicate::IsPresent, ""),
        help_heading = "Entry"
    )]
    link: String,
    /// first day on which the entry fails, YYYY-MM-DD
    #[arg(
        long,
        value_name = "DAY",
        required = false,
        required_unless_present = "look",
        default_value_if("look", ArgPredicate::IsPresent, ""),
        help_heading = "Entry"
    )]
    expires: String,
    /// TOOL: what goes wrong [on what input] (target); required for a new entry
    #[arg(long, help_heading = "Entry")]
    title: Option<String>,
    /// name of the entry, reports/known/NAME.yaml; findings are added to an existing one
    #[arg(
        long,
        value_name = "NAME",
        required = false,
        required_unless_present = "look",
        default_value_if("look", ArgPredicate::IsPresent, ""),
        help_heading = "Entry"
    )]
    entry: String,
}

/// Minimum length of a reason.
const LEAST_REASON: usize = 40;

/// A trial of the results, with the requested findings that it shows.
struct TrialRun {
    key: Key,
    tools: Vec<ToolName>,
    shown: Vec<Finding>,
}

impl Accept {
    pub(crate) fn run(mut self, out: &mut dyn Write) -> anyhow::Result<u8> {
        if self.look {
            look(&self.results, out)?;
            return Ok(0);
        }
        let home = home::to_write()?;
        let ledger = Ledger::read(&home)?;
        self.sound(&ledger.today)?;
        let results = run_results(&self.results)?;
        if self.alike {
            let causes = new_causes(&results.trials);
            let alike = causes.iter().filter(|cause| cause.fingerprints.iter().any(|one| self.names(one)));
            let alike: Vec<String> = alike.flat_map(|cause| &cause.fingerprints).map(|one| (*one).to_owned()).collect();
            self.findings.extend(alike);
        }
        let file = home.root.join("reports/known").join(format!("{}.yaml", self.entry));
        let mut entry = if file.is_file() {
            self.renewed(entry(&file)?, &ledger.today)?
        } else {
            self.empty(&results.trials, &ledger.today)?
        };
        let mut ran = self.ran(&results.trials, &entry)?;
        ran.extend(not_run(&home, &results)?.into_iter().filter(|one| {
            // Trials of other tools are not those of the entry.
            version_of(&entry.project, &one.key, &one.tools).is_some()
        }));
        for showing in ran.iter().filter(|ran| !ran.shown.is_empty()) {
            if let Some(version) = version_of(&entry.project, &showing.key, &showing.tools) {
                entry.versions.widen(&version);
            }
        }
        record(&mut entry, &ran);
        if let Some(complaint) = entry.complaint() {
            bail!("{}: {complaint}", self.entry);
        }
        yaml::write(&file, &entry)?;
        known_lists::relist(&home)?;
        writeln!(out, "{}: {}", line(&file.display().to_string()), counted(entry.findings.len(), "finding"))?;
        Ok(0)
    }

    /// Refuses an entry without content, or one that never expires.
    fn sound(&self, today: &str) -> anyhow::Result<()> {
        if self.reason.trim().len() < LEAST_REASON {
            bail!(
                "--reason: say in at least {LEAST_REASON} characters why the finding is genuine: which bytes, which clause"
            );
        }
        if self.link != "unfiled" && self.link.strip_prefix("https://").is_none_or(str::is_empty) {
            bail!("--link: an https:// address, or 'unfiled'");
        }
        if results::day_number(&self.expires).is_none() || self.expires.as_str() <= today {
            bail!("--expires: a day after {today}, as YYYY-MM-DD");
        }
        if !bundles::is_name(&self.entry) {
            bail!("--entry: letters, digits, '-' and '.' only");
        }
        Ok(())
    }

    /// An existing entry, updated: recorded findings stay.
    fn renewed(&self, mut entry: LedgerEntry, today: &str) -> anyhow::Result<LedgerEntry> {
        if let Some(project) = self.project.as_ref().filter(|project| **project != entry.project) {
            bail!(
                "--project {project}: the entry is about {}; a bug of another project is another entry",
                entry.project
            );
        }
        entry.expires.clone_from(&self.expires);
        if self.link != "unfiled" {
            entry.link.clone_from(&self.link);
        }
        entry.looked = (entry.added != today).then(|| today.to_owned());
        if !entry.reason.contains(self.reason.trim()) {
            entry.reason = format!("{}\n\n{}", entry.reason.trim_end(), self.reason);
        }
        Ok(entry)
    }

    fn empty(&self, trials: &[TrialLine], today: &str) -> anyhow::Result<LedgerEntry> {
        let title = self.title.clone().context("a new entry needs --title")?;
        let mut showing = None;
        for trial in trials {
            let Some(found) = trial.findings.iter().find(|found| self.names(found.fingerprint())) else { continue };
            let key: Key = trial.key.parse()?;
            let project = self.project.clone().unwrap_or_else(|| key.producer.clone());
            // A tool of another project may show the same finding.
            if let Some(version) = version_of(&project, &key, &tools(trial)) {
                showing = Some((project, ToolVersion::new(version.without_day()), found));
                break;
            }
        }
        let (project, version, found) = showing.with_context(|| self.unknown(&self.findings.join(", ")))?;
        Ok(LedgerEntry {
            title,
            project,
            versions: Versions { first: version.clone(), last: version, fixed: None },
            blame: found.blame(),
            reason: self.reason.clone(),
            class: EntryClass::Bug,
            because: None,
            same_as: None,
            link: self.link.clone(),
            added: today.to_owned(),
            looked: None,
            expires: self.expires.clone(),
            causes: Vec::new(),
            findings: Vec::new(),
        })
    }

    fn names(&self, fingerprint: &str) -> bool {
        self.findings.iter().any(|wanted| wanted == fingerprint)
    }

    fn unknown(&self, fingerprint: &str) -> String {
        let of = self.project.as_ref().map(|project| format!(" of {project}")).unwrap_or_default();
        format!("no trial{of} of these results shows {fingerprint}")
    }

    /// The trials of the entry's project, with the findings that the entry does not cover yet.
    fn ran(&self, trials: &[TrialLine], entry: &LedgerEntry) -> anyhow::Result<Vec<TrialRun>> {
        let mut ran = Vec::new();
        let mut seen = BTreeSet::new();
        for trial in trials.iter().filter(|trial| trial.status != Status::Unsupported) {
            let key: Key = trial.key.parse()?;
            let tools = tools(trial);
            if version_of(&entry.project, &key, &tools).is_none() {
                continue;
            }
            let shown: Vec<Finding> =
                trial.findings.iter().filter(|found| self.names(found.fingerprint())).cloned().collect();
            seen.extend(shown.iter().map(|found| found.fingerprint().to_owned()));
            ran.push(TrialRun { key, tools, shown });
        }
        if let Some(missing) = self.findings.iter().find(|wanted| !seen.contains(*wanted)) {
            bail!(self.unknown(missing));
        }
        Ok(ran)
    }
}

/// The trials of this machine that a run left out, if it was asked for a part or was interrupted:
/// nothing is known of them, so no pattern may match them.
fn not_run(home: &Home, results: &RunResults) -> anyhow::Result<Vec<TrialRun>> {
    let asked = &results.facts.asked;
    let is_part = results.facts.unfinished || asked.shard.is_some() || !asked.filters.is_empty();
    if !is_part {
        return Ok(Vec::new());
    }
    let producers = Producers::new(asked.producers.as_deref().map(Path::new), &home.root)?;
    let ran: BTreeSet<&str> = results.trials.iter().map(|trial| trial.key.as_str()).collect();
    let extent = if asked.full { Extent::Full } else { Extent::Often };
    let trials = Matrix::with(home.clone(), producers).trials(extent)?;
    let left_out = trials.into_iter().filter(|trial| trial.absent().is_none());
    let left_out = left_out.filter(|trial| !ran.contains(trial.key.to_string().as_str()));
    let unseen = |trial: Trial| TrialRun { tools: trial.tools(), key: trial.key, shown: Vec::new() };
    Ok(left_out.map(unseen).collect())
}

/// The tools that took part.
fn tools(trial: &TrialLine) -> Vec<ToolName> {
    trial.tools.values().filter_map(|name| name.parse().ok()).collect()
}

/// Version of a project's tool, from the trial's name or the other tools that took part.
fn version_of(project: &str, key: &Key, tools: &[ToolName]) -> Option<ToolVersion> {
    key.version_of(project).or_else(|| tools.iter().find(|tool| tool.name == project).map(|tool| tool.version.clone()))
}

/// Properties that findings of a trial must share to become one record: rule, blame, function,
/// words, and rows.
type Looks = (spec::RuleId, results::Blame, String, String, Vec<String>);

/// Adds findings of trials that the entry does not cover; one record for all trials in which a
/// finding has the same rows.
fn record(entry: &mut LedgerEntry, ran: &[TrialRun]) {
    let is_due = |ran: &&TrialRun| {
        let version = entry.sees(&ran.key, &ran.tools).version;
        version.is_none_or(|version| entry.versions.place(&version) == Within::Due)
    };
    let due: Vec<Key> = ran.iter().filter(is_due).map(|ran| ran.key.clone()).collect();
    let mut new: BTreeMap<Looks, Vec<Key>> = BTreeMap::new();
    for TrialRun { key, tools, shown } in ran {
        let name = entry.sees(key, tools).name;
        for found in shown {
            // A finding that recurs is no longer an exception.
            for recorded in &mut entry.findings {
                let same = recorded.rules.contains(&found.rule())
                    && recorded.functions.iter().any(|name| name == found.function());
                recorded.except.retain(|pattern| !same || !KeyPattern(pattern).matches(&name));
            }
            let covered = |part: &Part<'_>| {
                entry.findings.iter().any(|recorded| recorded.is_for(&name) && recorded.covers(*part, entry))
            };
            if !Part::all(found).iter().all(covered) {
                let rows: BTreeSet<String> = found.evidence.rows.iter().map(ToString::to_string).collect();
                let (function, words) = (found.function().to_owned(), found.shape().to_owned());
                let looks = (found.rule(), found.blame(), function, words, rows.into_iter().collect());
                new.entry(looks).or_default().push(key.clone());
            }
        }
    }
    for ((rule, blame, function, words, rows), keys) in new {
        let record = RecordedFinding {
            rules: vec![rule],
            blame: (blame != entry.blame).then_some(blame),
            versions: None,
            trials: patterns(&entry.project, &keys, &due),
            except: Vec::new(),
            functions: vec![function],
            words: if words.is_empty() { Vec::new() } else { vec![words] },
            rows,
        };
        // The same finding in the same trials by another rule belongs to the same record.
        let same = |other: &&mut RecordedFinding| {
            RecordedFinding { rules: record.rules.clone(), ..(*other).clone() } == record
        };
        match entry.findings.iter_mut().find(same) {
            Some(other) => other.rules.push(rule),
            None => entry.findings.push(record),
        }
    }
}
