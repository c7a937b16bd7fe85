//! Bugs of readers, grouped by cause: one bug is one finding, or few, regardless of the number of
//! sections that show it.

use std::collections::BTreeMap;

use generators::vectors::{Class, Vector};
use results::{
    Blame, READERS_SCHEMA, ReaderCause, ReaderExample, ReaderFinding, ReaderVerdict, table_name, without_numbers,
};
use spec::RuleId;

use super::real::origin;
use super::{Judged, VectorResult};

#[derive(Clone, Debug)]
pub struct CauseEvidence<'o, 'a> {
    pub cause: ReaderCause,
    /// The finding as in the results, before the ledger is applied.
    pub finding: ReaderFinding,
    /// Smallest section that shows it, private or not.
    pub smallest: &'o VectorResult<'a>,
    /// First wrong answer for that section.
    pub judged: &'o Judged,
    /// Ids of all sections that show it, private or not.
    pub ids: Vec<String>,
}

/// The findings of a run, by reader and cause.
pub fn findings<'o, 'a>(outcomes: &'o [VectorResult<'a>]) -> Vec<CauseEvidence<'o, 'a>> {
    let mut all: BTreeMap<(&str, ReaderCause), Vec<(&VectorResult<'a>, &Judged)>> = BTreeMap::new();
    for outcome in outcomes {
        for judged in outcome.judged.iter().filter(|judged| judged.verdict.accuses()) {
            let key = (outcome.reader.consumer.name.as_str(), cause(outcome, judged));
            all.entry(key).or_default().push((outcome, judged));
        }
    }
    all.into_iter().filter_map(|((_, cause), shown)| found(cause, &shown)).collect()
}

/// Cause of a wrong answer.
pub fn cause(outcome: &VectorResult<'_>, judged: &Judged) -> ReaderCause {
    // If a reader crashes, the position is the cause, whatever led to it; and an answer from data
    // outside of a section is meaningless.
    let (topic, shape) = match judged.verdict {
        verdict if !is_private(verdict, outcome.vector.class) => (topic(outcome.vector), judged.shape.clone()),
        ReaderVerdict::AnsweredMalformed => (outcome.vector.class.name().to_owned(), OUTSIDE.to_owned()),
        _ => (outcome.vector.class.name().to_owned(), judged.shape.clone()),
    };
    ReaderCause { project: outcome.reader.consumer.project().to_owned(), verdict: judged.verdict, topic, shape }
}

/// Used instead of the difference between answers.
const OUTSIDE: &str = "of bytes that are not there";

/// Topic of a vector: `valid/cfa-word-N`; `valid/program` for random programs.
pub(super) fn topic(vector: &Vector) -> String {
    let name = vector.id.rsplit('/').next().unwrap_or_default();
    let is_drawn =
        vector.class == Class::Valid && ["program-", "random-", "chain-"].iter().any(|drawn| name.starts_with(drawn));
    if let Some(origin) = origin(vector) {
        return format!("{}/{origin}", vector.class.name());
    }
    // Another register is no other cause.
    let of = vector.register.map(|reg| format!("-r{}", reg.0)).unwrap_or_default();
    let name = name.strip_suffix(of.as_str()).unwrap_or(name);
    let name = if is_drawn { "program".to_owned() } else { without_numbers(name) };
    format!("{}/{name}", vector.class.name())
}

/// Returns true for possible memory safety bugs: crashes, and answers that depend on bytes outside
/// of the section.
fn is_private(verdict: ReaderVerdict, class: Class) -> bool {
    let outside = [
        RuleId::HeaderSize,
        RuleId::HeaderFdeTableFits,
        RuleId::HeaderFreAreaFits,
        RuleId::HeaderAuxiliaryFits,
        RuleId::FdeRowsFit,
        RuleId::FdeRowOffset,
        RuleId::FdeAttributesFit,
    ];
    let leads_out = matches!(class, Class::Malformed(rule) if outside.contains(&rule));
    verdict.is_private() || verdict == ReaderVerdict::AnsweredMalformed && leads_out
}

fn found<'o, 'a>(cause: ReaderCause, shown: &[(&'o VectorResult<'a>, &'o Judged)]) -> Option<CauseEvidence<'o, 'a>> {
    let size = |outcome: &VectorResult<'_>| (outcome.vector.bytes.len(), outcome.vector.id.clone());
    let (smallest, judged) = shown.iter().min_by_key(|(outcome, judged)| (size(outcome), judged.pc)).copied()?;
    let mut sections: BTreeMap<&str, &Vector> = BTreeMap::new();
    for (outcome, _) in shown {
        sections.insert(&outcome.vector.id, outcome.vector);
    }
    let mut tables: BTreeMap<String, u64> = BTreeMap::new();
    for vector in sections.values() {
        *tables.entry(table_name(vector.format, vector.abi)).or_default() += 1;
    }
    let finding = ReaderFinding {
        schema: READERS_SCHEMA,
        fingerprint: cause.fingerprint(),
        blame: Blame::Consumer,
        project: cause.project.clone(),
        reader: smallest.reader.consumer.name.clone(),
        version: smallest.reader.version.clone(),
        verdict: cause.verdict,
        cause: String::new(),
        tables,
        answers: shown.len() as u64,
        shown_by: Vec::new(),
        example: None,
        known: None,
    };
    let ids = sections.into_keys().map(str::to_owned).collect();
    let mut found = CauseEvidence { cause: cause.clone(), finding, smallest, judged, ids };
    if !is_private(cause.verdict, smallest.vector.class) {
        found.lay_open();
    }
    Some(found)
}

impl CauseEvidence<'_, '_> {
    /// Adds the sections and examples that show it.
    pub(super) fn lay_open(&mut self) {
        self.finding.cause = self.cause.title();
        self.finding.example = Some(self.example());
        self.finding.shown_by.clone_from(&self.ids);
    }

    /// Smallest section that shows it, private or not.
    pub fn example(&self) -> ReaderExample {
        let (vector, judged) = (self.smallest.vector, self.judged);
        ReaderExample {
            id: vector.id.clone(),
            about: vector.about.clone(),
            address: vector.address,
            section: vector.bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
            pc: judged.pc,
            got: judged.got.clone(),
            want: judged.want.clone(),
        }
    }
}
