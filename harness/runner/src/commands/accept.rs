//! `accept`: writes the ledger entry of findings that somebody has looked at.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use matrix::Home;
use matrix::known::{Known, RecordedFinding, patterns};
use matrix::ledger::Ledger;
use model::{Finding, KeyPattern, Status, TrialLine};
use toolchain::yaml;

/// Options of `accept`.
#[derive(clap::Args)]
pub(crate) struct Accept {
    /// Fingerprints of findings that have one cause
    #[arg(required = true, value_name = "FINGERPRINT")]
    findings: Vec<String>,
    /// Why it is genuine: the bytes, what the clause says
    #[arg(long)]
    reason: String,
    /// Link to the report, or `unfiled`
    #[arg(long)]
    link: String,
    /// First day on which the entry no longer counts, YYYY-MM-DD
    #[arg(long, value_name = "DAY")]
    expires: String,
    /// What is wrong, in one line (needed for a new entry)
    #[arg(long)]
    title: Option<String>,
    /// Name of the entry: reports/known/NAME.yaml; one that is there gets the findings, the reason and the day added
    #[arg(long, value_name = "NAME")]
    entry: String,
    /// Folder of the run that showed them
    #[arg(long, value_name = "DIR", default_value = "target/conformance")]
    results: PathBuf,
}

/// A reason that says nothing is none.
const LEAST_REASON: usize = 40;

impl Accept {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let home = Home::find();
        let ledger = Ledger::read(&home)?;
        self.sound(&ledger.today)?;
        let path = self.results.join("results.jsonl");
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let mut lines = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line: TrialLine =
                serde_json::from_str(line).with_context(|| format!("{}: line {}", path.display(), index + 1))?;
            lines.push(line);
        }
        let file = home.root.join("reports/known").join(format!("{}.yaml", self.entry));
        let mut entry =
            if file.is_file() { self.renewed(yaml::read(&file)?) } else { self.empty(&lines, &ledger.today)? };
        for fingerprint in &self.findings {
            let shown = shown(fingerprint, &lines)?;
            for version in shown.1 {
                if !entry.versions.contains(&version) {
                    entry.versions.push(version);
                }
            }
            match entry.findings.iter_mut().find(|known| known.fingerprint == *fingerprint) {
                Some(known) => widen(known, shown.0, &lines),
                None => entry.findings.push(shown.0),
            }
        }
        entry.versions.sort();
        entry.findings.sort_by(|a, b| (&a.rule, &a.fingerprint).cmp(&(&b.rule, &b.fingerprint)));
        yaml::write(&file, &entry)?;
        writeln!(out, "{}: {} findings", file.display(), entry.findings.len())?;
        Ok(0)
    }

    /// Refuses an entry that would say nothing, or for ever.
    fn sound(&self, today: &str) -> anyhow::Result<()> {
        if self.reason.trim().len() < LEAST_REASON {
            bail!(
                "--reason: say in at least {LEAST_REASON} characters why the finding is genuine: which bytes, which clause"
            );
        }
        if self.link != "unfiled" && self.link.strip_prefix("https://").is_none_or(str::is_empty) {
            bail!("--link: an https:// address, or 'unfiled'");
        }
        if !is_day(&self.expires) || self.expires.as_str() <= today {
            bail!("--expires: a day after {today}, as YYYY-MM-DD");
        }
        if self.entry.is_empty()
            || !self.entry.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.')
        {
            bail!("--entry: letters, digits, '-' and '.' only");
        }
        Ok(())
    }

    /// An entry that is there, looked at again: what was known stays.
    fn renewed(&self, mut entry: Known) -> Known {
        entry.expires.clone_from(&self.expires);
        if self.link != "unfiled" {
            entry.link.clone_from(&self.link);
        }
        if !entry.reason.contains(self.reason.trim()) {
            entry.reason = format!("{}\n\n{}", entry.reason.trim_end(), self.reason);
        }
        entry
    }

    fn empty(&self, lines: &[TrialLine], today: &str) -> anyhow::Result<Known> {
        let title = self.title.clone().context("a new entry needs --title")?;
        let named = |found: &&Finding| self.findings.iter().any(|wanted| wanted == found.fingerprint());
        let found = lines.iter().flat_map(|line| &line.findings).find(named);
        let found = found.with_context(|| format!("no trial of these results shows {}", self.findings.join(", ")))?;
        Ok(Known {
            title,
            blame: found.blame(),
            versions: Vec::new(),
            reason: self.reason.clone(),
            link: self.link.clone(),
            added: today.to_owned(),
            expires: self.expires.clone(),
            findings: Vec::new(),
        })
    }
}

/// Adds to a finding the trials in which it was shown now. Those of other machines and versions, which this run had not, stay.
fn widen(known: &mut RecordedFinding, shown: RecordedFinding, lines: &[TrialLine]) {
    let showing = |line: &&TrialLine| line.findings.iter().any(|found| found.fingerprint() == known.fingerprint);
    let keys: Vec<&str> = lines.iter().filter(showing).map(|line| line.key.as_str()).collect();
    known.except.retain(|pattern| !keys.iter().any(|key| KeyPattern(pattern).matches(key)));
    let missing: Vec<&str> = keys.into_iter().filter(|key| !known.is_due(key)).collect();
    known
        .keys
        .extend(shown.keys.into_iter().filter(|pattern| missing.iter().any(|key| KeyPattern(pattern).matches(key))));
    known.keys.sort();
}

/// True for a day of the calendar, `YYYY-MM-DD`.
fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |part: &&str, digits| {
        (part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit())).then(|| part.parse::<u32>().ok())?
    };
    let [year, month, day] = parts.as_slice() else { return false };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// Where a finding was shown, as patterns, and by which producers.
fn shown(fingerprint: &str, lines: &[TrialLine]) -> anyhow::Result<(RecordedFinding, Vec<String>)> {
    let ran: Vec<String> =
        lines.iter().filter(|line| line.status != Status::Unsupported).map(|line| line.key.clone()).collect();
    let has = |line: &&TrialLine| line.findings.iter().any(|found| found.fingerprint() == fingerprint);
    let showing: Vec<&TrialLine> = lines.iter().filter(has).collect();
    let rule = showing.first().and_then(|line| line.findings.iter().find(|found| found.fingerprint() == fingerprint));
    let Some(rule) = rule.map(|found| found.rule()) else { bail!("no trial of these results shows {fingerprint}") };
    let keys: Vec<String> = showing.iter().map(|line| line.key.clone()).collect();
    let shown = RecordedFinding {
        fingerprint: fingerprint.to_owned(),
        rule,
        keys: patterns(&keys, &ran),
        except: Vec::new(),
        unverified: Vec::new(),
    };
    let mut producers: Vec<String> = showing.iter().map(|line| line.producer.clone()).collect();
    producers.dedup();
    Ok((shown, producers))
}
