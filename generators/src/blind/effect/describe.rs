//! Rows in words.

use types::{Abi, PacKey};

use super::super::cfi::RulesAt;
use super::super::view::View;
use crate::reader::{Meaning, RowAt};

/// Answers in words.
pub(super) fn describe(view: &View, answers: &[RowAt]) -> String {
    let one = |answer: &RowAt| {
        let row = answer.row.map_or_else(|| "no row".to_owned(), |row| rules(view.abi(), &row));
        let key = match answer.key {
            PacKey::A => "",
            PacKey::B => " key B",
        };
        let signal = if answer.signal { " signal" } else { "" };
        format!("{row}{key}{signal}")
    };
    list(answers.iter().map(one).collect())
}

/// An answer of `.eh_frame` in words.
pub(super) fn describe_cfi(view: &View, answer: Option<RulesAt<'_>>) -> String {
    match answer.map(|answer| answer.meaning(view.abi())) {
        Some(Some(meaning)) => rules(view.abi(), &meaning),
        Some(None) => "a rule without simpler form".to_owned(),
        None => "nothing".to_owned(),
    }
}

fn list(answers: Vec<String>) -> String {
    if answers.is_empty() { "nothing".to_owned() } else { answers.join(" or ") }
}

/// Rules in words.
fn rules(abi: Abi, row: &Meaning) -> String {
    let signed = if row.signed.is_some() { " signed" } else { "" };
    format!("cfa={} ra={} fp={}{signed}", row.cfa.describe(abi), row.ra.describe(abi), row.fp.describe(abi))
}
