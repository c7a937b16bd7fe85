//! Failures that a project expects: a YAML list, each item with the trials, rules and functions
//! that it is about, a reason, and a date after which it no longer holds.

use std::path::Path;
use std::str::FromStr as _;

use results::{Finding, KeyPattern};
use spec::RuleId;
use toolchain::yaml::{self, YamlError};

#[derive(Clone, Debug, Default)]
pub(crate) struct Expected {
    items: Vec<Item>,
}

#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Item {
    trial: String,
    /// Rules; absent: all.
    #[serde(default)]
    rules: Vec<String>,
    /// Functions, as the report names them; absent: all.
    #[serde(default)]
    functions: Vec<String>,
    /// Why the failure is expected.
    reason: String,
    /// The first day on which it is not, `YYYY-MM-DD`.
    expires: String,
}

/// A file of expected failures that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ExpectedError {
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// An item has a value without meaning.
    #[error("{file}: {trial}: {problem}")]
    Item {
        file: String,
        /// The item's trial.
        trial: String,
        /// What is wrong.
        problem: String,
    },
}

impl Expected {
    pub(crate) fn read(path: &Path) -> Result<Expected, ExpectedError> {
        let items: Vec<Item> = yaml::read(path)?;
        for item in &items {
            if let Some(problem) = item.problem() {
                return Err(ExpectedError::Item {
                    file: path.display().to_string(),
                    trial: item.trial.clone(),
                    problem,
                });
            }
        }
        Ok(Expected { items })
    }

    /// The items of a trial as they meet its findings of severity error.
    pub(crate) fn meet<'e>(&'e self, trial: &str, findings: &[&Finding], today: &str) -> Met<'e> {
        let mine = || self.items.iter().filter(|item| KeyPattern(&item.trial).matches(trial));
        let is_met = |item: &&Item| findings.iter().any(|found| item.covers(found));
        let valid = || mine().filter(|item| item.expires.as_str() > today);
        Met {
            all: findings.iter().all(|found| valid().any(|item| item.covers(found))),
            idle: valid().filter(|item| !is_met(item)).map(|item| item.reason.as_str()).collect(),
            expired: mine().filter(|item| item.expires.as_str() <= today).map(|item| item.reason.as_str()).collect(),
        }
    }
}

/// Expected failures beside what a trial showed.
pub(crate) struct Met<'e> {
    /// Every finding is expected.
    pub(crate) all: bool,
    /// Reasons of items without a finding.
    pub(crate) idle: Vec<&'e str>,
    /// Reasons of items whose day has come.
    pub(crate) expired: Vec<&'e str>,
}

impl Item {
    fn covers(&self, found: &Finding) -> bool {
        (self.rules.is_empty() || self.rules.iter().any(|rule| rule == found.rule().name()))
            && (self.functions.is_empty() || self.functions.iter().any(|name| name == found.function()))
    }

    fn problem(&self) -> Option<String> {
        let unknown = self.rules.iter().find(|rule| RuleId::from_str(rule).is_err());
        let is_date = |text: &str| {
            let parts: Vec<&str> = text.split('-').collect();
            let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
            lengths == [4, 2, 2] && parts.concat().bytes().all(|byte| byte.is_ascii_digit())
        };
        match unknown {
            Some(rule) => Some(format!("no rule {rule}")),
            None if self.reason.trim().is_empty() => Some("without a reason".to_owned()),
            None if !is_date(&self.expires) => Some(format!("expires: {}: not a date, YYYY-MM-DD", self.expires)),
            None => None,
        }
    }
}
