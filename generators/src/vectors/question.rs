//! Questions that the specifications leave open: the lines of `questions.txt`.

use std::sync::LazyLock;

use spec::RuleId;

use crate::breaches::lines;

/// A question that a specification leaves open.
#[derive(Debug, PartialEq, Eq)]
pub struct Question {
    /// Name in tables.
    pub name: &'static str,
    /// The part of the text that should define it.
    pub clause: &'static str,
    /// The open point, or the contradiction.
    pub asks: &'static str,
    /// The warning that such sections get, if there is one.
    pub rule: Option<RuleId>,
}

/// What the text about `.sframe` leaves open.
pub static QUESTIONS: LazyLock<Vec<Question>> = LazyLock::new(|| parse("sframe"));

/// What the texts about `.eh_frame` leave open.
pub static CFI_QUESTIONS: LazyLock<Vec<Question>> = LazyLock::new(|| parse("eh_frame"));

/// The question of a name.
///
/// # Panics
/// If there is none.
pub(super) fn question(name: &str) -> &'static Question {
    let mut all = QUESTIONS.iter().chain(CFI_QUESTIONS.iter());
    all.find(|question| question.name == name).unwrap_or_else(|| panic!("no question {name}"))
}

fn parse(heading: &str) -> Vec<Question> {
    let of = lines(include_str!("questions.txt")).filter(|line| line.heading == heading);
    of.map(|line| Question {
        name: line.words[0],
        asks: line.about,
        clause: line.edits[0],
        rule: line.expected.first().map(|rule| rule.parse().unwrap_or_else(|_| panic!("{line:?}"))),
    })
    .collect()
}
