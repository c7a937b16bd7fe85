//! The ledger of known discrepancies: each is still run and must recur as recorded.
//!
//! Data only; reading the files under `reports/known/` is the runner's work.

/// One entry, one file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Trials in which it must recur: trial names in which `*` stands for any text.
    pub keys: Vec<String>,
    /// Trials of producer versions that nobody could run yet: it may occur there, and need not.
    #[serde(default)]
    pub unverified: Vec<String>,
    /// The finding's fingerprint.
    pub fingerprint: String,
    /// The rule, for readers.
    pub rule: String,
    /// Who is at fault.
    pub blame: String,
    /// Producer versions that show it, for readers.
    pub versions: Vec<String>,
    /// Why it is believed genuine.
    pub reason: String,
    /// Link to the report, or `unfiled`.
    pub link: String,
    /// Day it was added, `2026-11-21`.
    pub added: String,
    /// First day on which it no longer counts.
    pub expires: String,
}

impl Known {
    /// True when the entry speaks of the trial.
    pub fn covers(&self, key: &str) -> bool {
        self.keys.iter().chain(&self.unverified).any(|pattern| matches(pattern, key))
    }
}

/// How a trial's findings stand against the ledger.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Fingerprints found that no entry covers.
    pub new: Vec<String>,
    /// Fingerprints found and recorded.
    pub known: Vec<String>,
    /// Entries for this trial whose fingerprint was not found: indices into the ledger.
    pub vanished: Vec<usize>,
    /// Entries that cover a finding here but have expired: indices into the ledger.
    pub expired: Vec<usize>,
}

/// Matches the fingerprints of a trial's error findings with the ledger on a day (`YYYY-MM-DD`, which sorts as text).
pub fn standing(ledger: &[Known], key: &str, found: &[String], today: &str) -> Standing {
    let any = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, key));
    let mut standing = Standing::default();
    for fingerprint in found {
        let mut entries = ledger.iter().enumerate().filter(|(_, entry)| entry.fingerprint == *fingerprint);
        match entries.find(|(_, entry)| any(&entry.keys) || any(&entry.unverified)) {
            None => standing.new.push(fingerprint.clone()),
            Some((index, entry)) if entry.expires.as_str() <= today => standing.expired.push(index),
            Some(_) => standing.known.push(fingerprint.clone()),
        }
    }
    let due = ledger.iter().enumerate().filter(|(_, entry)| any(&entry.keys) && !found.contains(&entry.fingerprint));
    standing.vanished = due.map(|(index, _)| index).collect();
    standing
}

/// True when the pattern, in which `*` stands for any text, matches the whole key.
pub fn matches(pattern: &str, key: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| key.strip_prefix(first)) else { return false };
    let mut tail: Vec<&str> = parts.collect();
    let Some(last) = tail.pop() else { return rest.is_empty() };
    for part in tail {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::{Known, matches, standing};

    fn entry(key: &str, unverified: &str, fingerprint: &str, expires: &str) -> Known {
        let list = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        Known {
            keys: list(key),
            unverified: list(unverified),
            fingerprint: fingerprint.to_owned(),
            rule: "row/outermost".to_owned(),
            blame: "assembler".to_owned(),
            versions: Vec::new(),
            reason: "test".to_owned(),
            link: "unfiled".to_owned(),
            added: "2026-01-01".to_owned(),
            expires: expires.to_owned(),
        }
    }

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, key, expected) in [
            ("a::b", "a::b", true),
            ("a::b", "a::b::c", false),
            ("a::*", "a::b::c", true),
            ("*::c", "a::b::c", true),
            ("a::*::c", "a::b::c", true),
            ("a::*::c", "a::c", false),
            ("a*b*c", "a-c-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("ab*ba", "aba", false),
        ] {
            assert_eq!(matches(pattern, key), expected, "{pattern} on {key}");
        }
    }

    #[test]
    fn findings_stand_as_known_new_vanished_or_expired() {
        let ledger = [
            entry("gas@1::*", "", "aa", "2027-01-01"),
            entry("gas@1::*", "", "bb", "2027-01-01"),
            entry("gas@1::*", "", "cc", "2026-06-01"),
            entry("gas@2::*", "", "dd", "2027-01-01"),
        ];
        let found = ["aa", "cc", "dd"].map(str::to_owned);
        let standing = standing(&ledger, "gas@1::x", &found, "2026-06-01");
        assert_eq!(standing.known, ["aa"]);
        assert_eq!(standing.new, ["dd"], "an entry for other trials covers nothing here");
        assert_eq!(standing.vanished, [1]);
        assert_eq!(standing.expired, [2], "the day of expiry is the first on which it no longer counts");
    }

    #[test]
    fn an_unverified_version_may_show_it_and_need_not() {
        let ledger = [entry("gas@1::*", "gas@3::*", "aa", "2027-01-01")];
        let with = standing(&ledger, "gas@3::x", &["aa".to_owned()], "2026-06-01");
        assert_eq!((with.known.len(), with.new.len(), with.vanished.len()), (1, 0, 0));
        let without = standing(&ledger, "gas@3::x", &[], "2026-06-01");
        assert!(without.vanished.is_empty());
    }
}
