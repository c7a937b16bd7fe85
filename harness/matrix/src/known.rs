//! The ledger of known discrepancies: each is still run and must recur as recorded.
//!
//! Data only; reading the files under `reports/known/` is the runner's work.

use model::{Blame, Finding, Key, KeyPattern, RuleId};

/// One entry, one file: one mistake of one producer, with every finding by which it shows.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// What is wrong, in one line.
    pub title: String,
    /// Who is at fault.
    pub blame: Blame,
    /// Producer versions that show it, for readers.
    pub versions: Vec<String>,
    /// Why it is believed genuine: bytes, clause.
    pub reason: String,
    /// Link to the report, or `unfiled`.
    pub link: String,
    /// Day it was added, `2026-11-21`.
    pub added: String,
    /// First day on which it no longer counts.
    pub expires: String,
    /// The findings by which it shows.
    pub findings: Vec<RecordedFinding>,
}

/// A finding of an entry, and where it must recur. Trial names, in which `*` stands for any text.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedFinding {
    /// The finding's fingerprint; [`EVERY`] for every finding of the rule that has the entry's blame, where one mistake shows in
    /// every function of a compiled program.
    pub fingerprint: String,
    /// The rule.
    pub rule: RuleId,
    /// Trials in which it must recur.
    pub keys: Vec<String>,
    /// Trials that `keys` would match and in which it does not occur.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub except: Vec<String>,
    /// Trials of producer versions that nobody could run yet: it may occur there, and need not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unverified: Vec<String>,
}

/// Stands for every fingerprint.
pub const EVERY: &str = "*";

/// A finding as the ledger sees it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// Its fingerprint.
    pub fingerprint: String,
    /// Its rule.
    pub rule: RuleId,
    /// Who is blamed.
    pub blame: Blame,
}

impl Found {
    /// What the ledger needs of a finding.
    pub fn of(found: &Finding) -> Found {
        Found { fingerprint: found.fingerprint_v1(), rule: found.rule(), blame: found.blame() }
    }
}

/// How a trial's findings stand against the ledger. Entries are given by their index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Fingerprints found that no entry covers.
    pub new: Vec<String>,
    /// Fingerprints found and recorded, each with its entry.
    pub known: Vec<(String, usize)>,
    /// Fingerprints recorded for this trial and not found, each with its entry.
    pub vanished: Vec<(String, usize)>,
    /// Fingerprints found whose entry has expired.
    pub expired: Vec<(String, usize)>,
}

impl RecordedFinding {
    /// True when the finding must occur in the trial.
    pub fn is_due(&self, key: &str) -> bool {
        any(&self.keys, key) && !any(&self.except, key)
    }

    /// True when the finding may occur in the trial.
    pub fn covers(&self, key: &str) -> bool {
        self.is_due(key) || any(&self.unverified, key)
    }
}

/// Matches the fingerprints of a trial's error findings with the ledger on a day (`YYYY-MM-DD`, which sorts as text).
pub fn standing(ledger: &[Known], key: &str, found: &[Found], today: &str) -> Standing {
    let shown = || {
        ledger
            .iter()
            .enumerate()
            .flat_map(|(index, entry)| entry.findings.iter().map(move |shown| (index, entry, shown)))
    };
    let is = |entry: &Known, shown: &RecordedFinding, found: &Found| match shown.fingerprint.as_str() {
        EVERY => shown.rule == found.rule && entry.blame == found.blame,
        fingerprint => fingerprint == found.fingerprint,
    };
    let mut standing = Standing::default();
    for finding in found {
        let fingerprint = finding.fingerprint.clone();
        // What is recorded by itself comes before what is recorded of all.
        let mut entries: Vec<_> =
            shown().filter(|(_, entry, shown)| is(entry, shown, finding) && shown.covers(key)).collect();
        entries.sort_by_key(|(_, _, shown)| shown.fingerprint == EVERY);
        match entries.first() {
            None => standing.new.push(fingerprint),
            Some((index, entry, _)) if entry.expires.as_str() <= today => standing.expired.push((fingerprint, *index)),
            Some((index, _, _)) => standing.known.push((fingerprint, *index)),
        }
    }
    let due =
        shown().filter(|(_, entry, shown)| shown.is_due(key) && !found.iter().any(|found| is(entry, shown, found)));
    standing.vanished = due.map(|(index, _, shown)| (shown.fingerprint.clone(), index)).collect();
    standing
}

/// Patterns of an entry that match none of these trials: a case was renamed or removed, or its producer's version is no longer
/// there. `ran` says whether the producer of a pattern took part at all.
pub fn idle<'a>(entry: &'a Known, trials: &[String], ran: impl Fn(&str) -> bool) -> Vec<&'a str> {
    let patterns = entry.findings.iter().flat_map(|shown| &shown.keys).map(String::as_str);
    patterns.filter(|pattern| ran(pattern) && !trials.iter().any(|key| KeyPattern(pattern).matches(key))).collect()
}

/// The shortest list of patterns that match these trials and no other: as wide as can be, never wider than what was seen.
///
/// `shown` are the names of the trials that show a finding, `all` those of every trial that ran. A version that ends in a day
/// (`2.47.50.20261021`) is given without it.
pub fn patterns(shown: &[String], all: &[String]) -> Vec<String> {
    let mut left: Vec<&String> = shown.iter().collect();
    let mut patterns: Vec<String> = Vec::new();
    while let Some(first) = left.first() {
        let widths = first.parse::<Key>().map_or_else(|_| Vec::new(), |key| key.patterns());
        let pattern = widths
            .into_iter()
            .find(|pattern| {
                KeyPattern(pattern).matches(first)
                    && all.iter().filter(|key| KeyPattern(pattern).matches(key)).all(|key| shown.contains(key))
            })
            .unwrap_or_else(|| (*first).clone());
        left.retain(|key| !KeyPattern(&pattern).matches(key) && *key != &pattern);
        patterns.push(pattern);
    }
    patterns.sort();
    patterns
}

fn any(patterns: &[String], key: &str) -> bool {
    patterns.iter().any(|pattern| KeyPattern(pattern).matches(key))
}

#[cfg(test)]
mod tests {
    use model::{Blame, RuleId};

    use super::{EVERY, Found, Known, RecordedFinding, idle, patterns, standing};

    fn entry(keys: &str, unverified: &str, fingerprint: &str, expires: &str) -> Known {
        let list = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let shown = RecordedFinding {
            fingerprint: fingerprint.to_owned(),
            rule: RuleId::RowOutermost,
            keys: list(keys),
            except: Vec::new(),
            unverified: list(unverified),
        };
        Known {
            title: "test".to_owned(),
            blame: Blame::Assembler,
            versions: Vec::new(),
            reason: "test".to_owned(),
            link: "unfiled".to_owned(),
            added: "2026-01-01".to_owned(),
            expires: expires.to_owned(),
            findings: vec![shown],
        }
    }

    fn names(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn found(fingerprints: &str) -> Vec<Found> {
        let of = |fingerprint| Found { fingerprint, rule: RuleId::RowOutermost, blame: Blame::Assembler };
        names(fingerprints).into_iter().map(of).collect()
    }

    #[test]
    fn an_entry_of_every_fingerprint_is_for_its_rule_and_blame() {
        let ledger = [entry("gas@1::*", "", EVERY, "2027-01-01")];
        assert_eq!(standing(&ledger, "gas@1::x", &found("aa bb"), "2026-06-01").known.len(), 2);
        assert_eq!(standing(&ledger, "gas@1::x", &[], "2026-06-01").vanished.len(), 1);
        let other = |rule: RuleId, blame: Blame| {
            let found = Found { fingerprint: "cc".to_owned(), rule, blame };
            standing(&ledger, "gas@1::x", &[found], "2026-06-01").new.len()
        };
        assert_eq!(other(RuleId::RowMissing, Blame::Assembler), 1);
        assert_eq!(other(RuleId::RowOutermost, Blame::Linker), 1);
    }

    #[test]
    fn findings_stand_as_known_new_vanished_or_expired() {
        let ledger = [
            entry("gas@1::*", "", "aa", "2027-01-01"),
            entry("gas@1::*", "", "bb", "2027-01-01"),
            entry("gas@1::*", "", "cc", "2026-06-01"),
            entry("gas@2::*", "", "dd", "2027-01-01"),
        ];
        let standing = standing(&ledger, "gas@1::x", &found("aa cc dd"), "2026-06-01");
        assert_eq!(standing.known, [("aa".to_owned(), 0)]);
        assert_eq!(standing.new, ["dd"], "an entry for other trials covers nothing here");
        assert_eq!(standing.vanished, [("bb".to_owned(), 1)]);
        assert_eq!(
            standing.expired,
            [("cc".to_owned(), 2)],
            "the day of expiry is the first on which it no longer counts"
        );
    }

    #[test]
    fn an_unverified_version_may_show_it_and_need_not() {
        let ledger = [entry("gas@1::*", "gas@3::*", "aa", "2027-01-01")];
        let with = standing(&ledger, "gas@3::x", &found("aa"), "2026-06-01");
        assert_eq!((with.known.len(), with.new.len(), with.vanished.len()), (1, 0, 0));
        let without = standing(&ledger, "gas@3::x", &[], "2026-06-01");
        assert!(without.vanished.is_empty());
    }

    #[test]
    fn an_exception_neither_shows_it_nor_may() {
        let mut known = entry("gas@1::*", "", "aa", "2027-01-01");
        known.findings[0].except = names("gas@1::y");
        let ledger = [known];
        assert!(standing(&ledger, "gas@1::y", &[], "2026-06-01").vanished.is_empty());
        assert_eq!(standing(&ledger, "gas@1::y", &found("aa"), "2026-06-01").new, ["aa"]);
    }

    #[test]
    fn a_pattern_without_a_trial_is_idle_where_its_producer_ran() {
        let known = entry("gas@1::a gas@1::b gas@2::a", "", "aa", "2027-01-01");
        let ran = |pattern: &str| pattern.starts_with("gas@1");
        assert_eq!(idle(&known, &names("gas@1::a"), ran), ["gas@1::b"]);
    }

    #[test]
    fn patterns_are_as_wide_as_what_was_seen() {
        let all = names(
            "gas@1::amd64::v1::c::x+gcc@12+O0 gas@1::amd64::v1::c::x+gcc@12+O2 gas@1::amd64::v1::c::y+gcc@12+O0 \
             gas@1::s390x::v1::c::x+gcc@12+O0 gas@2.20261021::amd64::v1::f::x gas@2.20261021::amd64::v1::f::y",
        );
        let of = |shown: &str| patterns(&names(shown), &all);
        assert_eq!(
            of("gas@1::amd64::v1::c::x+gcc@12+O0 gas@1::amd64::v1::c::x+gcc@12+O2"),
            ["gas@1::amd64::v1::c::x+*"]
        );
        assert_eq!(of("gas@1::amd64::v1::c::x+gcc@12+O0"), ["gas@1::amd64::v1::c::x+gcc@12+O0"]);
        assert_eq!(of("gas@1::s390x::v1::c::x+gcc@12+O0"), ["gas@1::s390x::*"]);
        assert_eq!(of("gas@2.20261021::amd64::v1::f::y"), ["gas@2*::*::f::y"]);
    }
}
