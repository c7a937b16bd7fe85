//! Reading `reports/known/`: one YAML file a known discrepancy.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use model::{Abi, KeyPattern, LedgerFacts, TrialLine};
use toolchain::yaml::{self, YamlError};

use super::{Home, frozen};
use crate::known::{Known, idle};

/// The ledger and the day it is held against.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// Entries, by file name.
    pub entries: Vec<Known>,
    /// Their files.
    pub files: Vec<PathBuf>,
    /// Today, `YYYY-MM-DD`.
    pub today: String,
}

impl Ledger {
    /// Reads the ledger.
    ///
    /// # Errors
    /// When a file cannot be read or has keys that are not known.
    pub fn read(home: &Home) -> Result<Ledger, YamlError> {
        let files = yaml::files(&home.root.join("reports/known"))?;
        let entries = files.iter().map(|file| yaml::read(file)).collect::<Result<_, _>>()?;
        Ok(Ledger { entries, files, today: today() })
    }

    /// The file's name of an entry, without folders.
    pub fn name(&self, index: usize) -> String {
        let name = self.files.get(index).and_then(|file| file.file_name());
        name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The entries that trials show, by file.
    pub fn shown_by(&self, trials: &[TrialLine]) -> Vec<LedgerFacts> {
        let shown: BTreeSet<&str> =
            trials.iter().flat_map(|trial| &trial.findings).filter_map(|found| found.known.as_deref()).collect();
        let facts = |(index, entry): (usize, &Known)| LedgerFacts {
            file: self.name(index),
            title: entry.title.clone(),
            link: entry.link.clone(),
        };
        self.entries.iter().enumerate().map(facts).filter(|facts| shown.contains(facts.file.as_str())).collect()
    }

    /// Patterns that match no trial though every tool they name took part on their ABI: `file: pattern`. That a frozen object was
    /// once made by a tool does not mean that the tool is here. A case with `*` in it leaves open whose partners it takes: what it
    /// matches is known only for an ABI for which all of them are here.
    pub fn idle(&self, trials: &[String], equipped: impl Fn(Abi) -> bool) -> Vec<String> {
        let part = |key: KeyPattern<'_>| (key.is_of_topic(frozen::TOPIC), key.abi().to_owned());
        let mut here: BTreeMap<(bool, String), BTreeSet<&str>> = BTreeMap::new();
        for key in trials.iter().map(|key| KeyPattern(key)) {
            here.entry(part(key)).or_default().extend(key.tools());
        }
        let equipped = Abi::ALL.map(|abi| (abi, equipped(abi)));
        let all_here =
            |pattern: KeyPattern<'_>| equipped.iter().all(|(abi, equipped)| !pattern.is_for(*abi) || *equipped);
        let ran = |pattern: &str| {
            let pattern = KeyPattern(pattern);
            if pattern.leaves_case_open() && !all_here(pattern) {
                return false;
            }
            let (frozen, wanted) = part(pattern);
            let of_abi = here.iter().filter(|((other, abi), _)| *other == frozen && KeyPattern(&wanted).matches(abi));
            let is_here = |tool: &str, here: &BTreeSet<&str>| here.iter().any(|name| KeyPattern(tool).matches(name));
            of_abi.into_iter().any(|(_, here)| pattern.tools().all(|tool| is_here(tool, here)))
        };
        let of = |(index, entry)| {
            idle(entry, trials, ran).into_iter().map(move |pattern| format!("{}: {pattern}", self.name(index)))
        };
        self.entries.iter().enumerate().flat_map(of).collect()
    }

    /// The file of an entry, for messages.
    pub fn file(&self, index: usize) -> String {
        self.files.get(index).map(|file| file.display().to_string()).unwrap_or_default()
    }
}

/// The date in UTC.
fn today() -> String {
    let days = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    date(i64::try_from(days).unwrap_or(0))
}

/// The civil date of a day number since 1970-01-01 (proleptic Gregorian; eras of 400 years, years begun in March).
fn date(days: i64) -> String {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_since_the_epoch_are_dates() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(59), "1970-03-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_778), "2026-11-21");
    }
}
