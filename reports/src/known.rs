//! The ledger of known discrepancies: each is still run and must recur as recorded.
//!
//! Data only; reading the files under `reports/known/` is the runner's work.

use std::collections::BTreeMap;

/// One entry, one file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Trials it applies to: a trial name in which `*` stands for any text.
    pub key: String,
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
    let mut unseen: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, entry) in ledger.iter().enumerate() {
        if matches(&entry.key, key) {
            unseen.insert(&entry.fingerprint, index);
        }
    }
    let mut standing = Standing::default();
    for fingerprint in found {
        match unseen.remove(fingerprint.as_str()) {
            None if standing.known.contains(fingerprint) => {}
            None => standing.new.push(fingerprint.clone()),
            Some(index) if ledger.get(index).is_some_and(|entry| entry.expires.as_str() <= today) => {
                standing.expired.push(index);
            }
            Some(_) => standing.known.push(fingerprint.clone()),
        }
    }
    standing.vanished = unseen.into_values().collect();
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
