//! Findings recorded by an entry: their trials, rules, functions and rows.

use results::{Blame, Finding, KeyPattern, WrongRow};
use spec::RuleId;

use super::entry::LedgerEntry;
use super::versions::Versions;

/// Similar findings of an entry, and the trials in which they must recur. It covers a row that
/// matches all of its fields.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedFinding {
    /// The rules that are broken.
    pub rules: Vec<RuleId>,
    /// Blame, if it differs from the entry's: a linked file alone may not show the right one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blame: Option<Blame>,
    /// Versions of the project that show it, if they differ from the entry's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub versions: Option<Versions>,
    /// Trials, by their names without the version of the entry's project; `*` matches any text.
    #[serde(rename = "in")]
    pub trials: Vec<String>,
    /// Exceptions: trials of these in which the findings do not occur.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub except: Vec<String>,
    /// Functions or sections. Empty: whatever the entry's causes cover.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<String>,
    /// Shapes of findings that are not about rows, verbatim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
    /// Wrong rows, each as `WRONG where RIGHT`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<String>,
}

/// A finding, or one of its rows if it has any: the unit that a ledger covers.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    pub finding: &'a Finding,
    pub row: Option<&'a WrongRow>,
}

impl<'a> Part<'a> {
    pub fn all(finding: &'a Finding) -> Vec<Part<'a>> {
        match finding.evidence.rows.is_empty() {
            true => vec![Part { finding, row: None }],
            false => finding.evidence.rows.iter().map(|row| Part { finding, row: Some(row) }).collect(),
        }
    }
}

impl RecordedFinding {
    /// Returns true if the record applies to a trial with this name, which lacks the version of the
    /// entry's project, and is not an exception.
    pub fn is_for(&self, name: &str) -> bool {
        let any = |patterns: &[String]| patterns.iter().any(|pattern| KeyPattern(pattern).matches(name));
        any(&self.trials) && !any(&self.except)
    }

    /// Returns true if the record covers a part of a finding, in any trial. `entry` is its own.
    pub fn covers(&self, part: Part<'_>, entry: &LedgerEntry) -> bool {
        let Part { finding, .. } = part;
        let is_known = match self.functions.is_empty() {
            true => self.rules.contains(&finding.rule()) && entry.repairs(finding),
            false => named(&self.functions, finding.function()) && self.is_like(part),
        };
        is_known && finding.blame() == self.blame.unwrap_or(entry.blame)
    }

    /// Returns true if the record covers a part of a finding in any file of the linker: it is about
    /// a section, or the code that the linker made in it.
    pub fn is_of_section(&self, part: Part<'_>) -> bool {
        let section = |name: &str| name.split('+').next().filter(|name| name.starts_with('.')).map(str::to_owned);
        let own = section(part.finding.function());
        own.is_some()
            && matches!(part.finding.blame(), Blame::Linker | Blame::AssemblerOrLinker)
            && self.functions.iter().any(|name| section(name) == own)
            && self.is_like(part)
    }

    /// Returns true if rule, words and row are those of the record.
    fn is_like(&self, part: Part<'_>) -> bool {
        let Part { finding, row } = part;
        let what = finding.shape();
        !finding.evidence.rows_cut
            && self.rules.contains(&finding.rule())
            && (self.words.is_empty() && what.is_empty() || named(&self.words, what))
            && match row {
                None => self.rows.is_empty(),
                Some(row) => named(&self.rows, &row.to_string()),
            }
    }

    /// A field of the record that the covered parts do not show; `None` if everything has recurred.
    pub fn missing(&self, covered: &[Part<'_>]) -> Option<String> {
        let rule = |rule: &&RuleId| !covered.iter().any(|part| part.finding.rule() == **rule);
        let function = |name: &&String| !covered.iter().any(|part| part.finding.function() == *name);
        let word = |word: &&String| !covered.iter().any(|part| part.finding.shape() == **word);
        let row = |text: &&String| !covered.iter().any(|part| part.row.is_some_and(|row| row.to_string() == **text));
        if let Some(rule) = self.rules.iter().find(rule) {
            return Some(rule.to_string());
        }
        let about = |what: &String| {
            format!("{}: {what}", self.rules.iter().map(|rule| rule.name()).collect::<Vec<_>>().join(", "))
        };
        let functions = self.functions.iter().find(function).map(about);
        functions.or_else(|| self.words.iter().find(word).map(about)).or_else(|| self.rows.iter().find(row).map(about))
    }

    /// The error in the record, in a few words.
    pub fn complaint(&self) -> Option<&'static str> {
        if self.rules.is_empty() || self.trials.is_empty() {
            return Some("it needs a rule and a trial");
        }
        if self.functions.is_empty() && !(self.rows.is_empty() && self.words.is_empty()) {
            return Some("it needs a function");
        }
        if !self.words.is_empty() && !self.rows.is_empty() {
            return Some("`words` is for findings that are not about rows");
        }
        None
    }
}

fn named(names: &[String], name: &str) -> bool {
    names.iter().any(|one| one == name)
}
