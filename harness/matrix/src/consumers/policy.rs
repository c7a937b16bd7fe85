//! What each reader does where the text leaves something open.

use std::collections::{BTreeMap, BTreeSet};

use generators::vectors::{Class, Expected};
use toolchain::consumer::Reply;

use super::{Outcome, answers, judge};
use crate::corpus::AnswerLine;

/// What a reader does with the vectors of a question: one word where it does the same with all.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Choice {
    /// The question's name.
    pub question: &'static str,
    /// By reader.
    pub by_reader: BTreeMap<String, String>,
}

/// The choices of all readers, by question.
pub fn choices(outcomes: &[Outcome<'_>]) -> Vec<Choice> {
    let mut all: BTreeMap<&'static str, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for outcome in outcomes {
        let Class::Open(question) = outcome.vector.class else { continue };
        let readers = all.entry(question.name).or_default();
        readers.entry(outcome.reader.consumer.name.clone()).or_default().extend(chosen(outcome));
    }
    let joined = |words: BTreeSet<String>| words.into_iter().collect::<Vec<_>>().join("; ");
    all.into_iter()
        .map(|(question, readers)| Choice {
            question,
            by_reader: readers.into_iter().map(|(reader, words)| (reader, joined(words))).collect(),
        })
        .collect()
}

/// `refused`; where the readings differ, that which it takes; else `read` or `read otherwise`.
fn chosen(outcome: &Outcome<'_>) -> BTreeSet<String> {
    let one = |word: &str| BTreeSet::from([word.to_owned()]);
    if outcome.reply == Reply::Refused {
        return one("refused");
    }
    let vector = outcome.vector;
    let Ok(answers) = answers(&outcome.reply, vector.answers.len()) else {
        return one(outcome.judged.first().map_or("no answer", |judged| judged.verdict.name()));
    };
    let mut words = BTreeSet::new();
    let mut reads = true;
    for (asked, got) in vector.answers.iter().zip(answers) {
        let got = got.named(vector.abi);
        match &asked.expected {
            Expected::OneOf(readings) => {
                let anything = readings.contains(&Expected::Anything);
                words.insert(if anything { "read".to_owned() } else { plain(got) });
            }
            expected => reads &= judge::want(vector.abi, expected) == plain(got),
        }
    }
    match words.is_empty() {
        true if reads => one("read"),
        true => one("read otherwise"),
        false => words,
    }
}

/// Without what not every reader tells.
fn plain(line: AnswerLine) -> String {
    match line {
        AnswerLine::Row { cfa, ra, fp, .. } => AnswerLine::Row { cfa, ra, fp, signed: None, signal: false }.to_string(),
        AnswerLine::Outer { .. } => AnswerLine::Outer { signal: false }.to_string(),
        line => line.to_string(),
    }
}
