//! The file of a baseline: the findings of files by cause, in one form for `check` and `sweep`.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use results::{CauseCount, FileLine, KeyPattern, Report};
use toolchain::yaml::{self, YamlError};

use crate::swept::each_line;

/// The findings of one file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineItem {
    /// Path; `*` is any text.
    pub file: String,
    /// Build id: a file that has it is this one, whatever its path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_id: Option<String>,
    /// True if code was executed, by a run or by exploration: a static check does not find all
    /// of it.
    #[serde(default)]
    pub executed: bool,
    /// The causes of its findings.
    pub causes: Vec<BaselineCause>,
}

/// A cause of findings in a file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineCause {
    /// Its fingerprint.
    pub cause: String,
    pub rule: String,
    pub functions: u64,
    /// One of the findings, a sentence for people.
    pub example: String,
}

impl BaselineItem {
    /// The findings of a report; `None` if there are none.
    pub fn from_report(report: &Report) -> Option<BaselineItem> {
        let causes = CauseCount::from_report(report, |_| true);
        BaselineItem::new(&report.file, report.build_id.clone(), !report.static_only, &causes)
    }

    fn new(file: &str, build_id: Option<String>, executed: bool, causes: &[CauseCount]) -> Option<BaselineItem> {
        let cause = |count: &CauseCount| BaselineCause {
            cause: count.fingerprint.clone(),
            rule: count.cause.rule.name().to_owned(),
            functions: count.functions,
            example: format!("{}, at {}", count.message, count.place),
        };
        let causes: Vec<BaselineCause> = causes.iter().map(cause).collect();
        (!causes.is_empty()).then(|| BaselineItem { file: file.to_owned(), build_id, executed, causes })
    }

    /// Returns true if the item is about this file.
    pub(crate) fn is_of(&self, report: &Report) -> bool {
        let by_id = self.build_id.is_some() && self.build_id == report.build_id;
        by_id || KeyPattern(&self.file).matches(&report.file)
    }

    /// Causes of the item that a report should show again, and does not.
    pub(crate) fn gone(&self, report: &Report, shown: &BTreeMap<String, u64>) -> Vec<&BaselineCause> {
        // A pattern stands for files that need not all show it.
        let is_one = !self.file.contains('*') || self.build_id.is_some() && self.build_id == report.build_id;
        let as_much = report.error.is_none() && (!self.executed || !report.static_only);
        let absent = |one: &&BaselineCause| is_one && as_much && !shown.contains_key(&one.cause);
        self.causes.iter().filter(absent).collect()
    }
}

pub fn read(path: &Path) -> Result<Vec<BaselineItem>, YamlError> {
    yaml::read(path)
}

pub fn write(path: &Path, items: &[BaselineItem]) -> Result<(), YamlError> {
    yaml::write(path, &items)
}

/// The findings of a sweep, from its folder. Files with the same contents have the same.
pub fn of_sweep(folder: &Path) -> io::Result<Vec<BaselineItem>> {
    let mut lines: Vec<FileLine> = Vec::new();
    each_line(folder, |line| lines.push(line))?;
    let judged: BTreeMap<&str, &FileLine> =
        lines.iter().filter(|line| line.judged.is_some()).map(|line| (line.file.as_str(), line)).collect();
    let item = |line: &FileLine| {
        let of = line.same_as.as_deref().unwrap_or(&line.file);
        let judged = judged.get(of)?.judged.as_ref()?;
        BaselineItem::new(&line.file, judged.build_id.clone(), !judged.static_only, &judged.causes)
    };
    Ok(lines.iter().filter_map(item).collect())
}
