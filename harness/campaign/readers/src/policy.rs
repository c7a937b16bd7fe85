//! Behaviour of each reader where the specification leaves something open.

use std::collections::{BTreeMap, BTreeSet};

use generators::vectors::{CFI_QUESTIONS, Class, Expected, QUESTIONS, Question, Vector};
use results::Choice;
use toolchain::consumer::Reply;

use super::VectorResult;
use crate::answers::answers;
use crate::corpus::AnswerLine;

/// The choices of all readers, by question.
pub fn choices(outcomes: &[VectorResult<'_>]) -> Vec<Choice> {
    let mut all: BTreeMap<&str, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for outcome in outcomes {
        let Class::Open(question) = outcome.vector.class else { continue };
        if matches!(outcome.reply, Reply::NotAsked(_)) {
            continue;
        }
        let readers = all.entry(question.name).or_default();
        readers.entry(outcome.reader.consumer.name.clone()).or_default().extend(chosen(outcome));
    }
    let joined = |words: BTreeSet<String>| words.into_iter().collect::<Vec<_>>().join("; ");
    let choice = |question: &Question| {
        let readers = all.remove(question.name)?;
        Some(Choice {
            question: question.name.to_owned(),
            asks: question.asks.to_owned(),
            clause: question.clause.to_owned(),
            by_reader: readers.into_iter().map(|(reader, words)| (reader, joined(words))).collect(),
        })
    };
    QUESTIONS.iter().chain(CFI_QUESTIONS.iter()).filter_map(choice).collect()
}

/// `refused`; if interpretations differ, the one that the reader uses, in the order of the case;
/// else `read` or `read otherwise`.
fn chosen(outcome: &VectorResult<'_>) -> BTreeSet<String> {
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
                let taken = readings.iter().position(|reading| is_taken(vector, reading, got));
                words.insert(match taken {
                    Some(_) if readings.contains(&Expected::Anything) => "read".to_owned(),
                    Some(number) => format!("reading {}", number + 1),
                    None => "another reading".to_owned(),
                });
            }
            expected => reads &= is_taken(vector, expected, got),
        }
    }
    match words.is_empty() {
        true if reads => one("read"),
        true => one("read otherwise"),
        false => words,
    }
}

/// Returns true if an answer agrees with an interpretation, in the parts that every reader reports.
fn is_taken(vector: &Vector, reading: &Expected, got: AnswerLine) -> bool {
    match reading {
        Expected::Row(row) if matches!(got, AnswerLine::Caller { .. }) => {
            let caller = vector.caller(row);
            caller.is_some_and(|caller| got == AnswerLine::Caller { pc: caller.pc, sp: caller.sp, fp: caller.fp })
        }
        Expected::Row(row) => plain(AnswerLine::new(vector.abi, row)) == plain(got),
        Expected::NoRow => got == AnswerLine::None,
        Expected::Refuse => got == AnswerLine::Err,
        Expected::Anything | Expected::RowOrRefuse(_) | Expected::OneOf(_) => true,
    }
}

fn plain(line: AnswerLine) -> AnswerLine {
    match line {
        AnswerLine::Row { cfa, ra, fp, .. } => AnswerLine::Row { cfa, ra, fp, signed: None, signal: false },
        AnswerLine::Outer { .. } => AnswerLine::Outer { signal: false },
        line => line,
    }
}
