//! The sites where operators plant bugs: the section, each function, each row.

use super::base::Base;
use super::subject::Subject;
use super::{Edit, Expectation};
use crate::sframe::{FunctionSpec, RowSpec, SectionSpec, Width, Word};

/// A broken clause, and the required report.
pub(super) type BrokenClause = Option<(&'static str, Expectation)>;

/// One edit of the section.
pub(super) fn section(base: &Base, note: &str, breaks: BrokenClause, edit: impl FnOnce(&mut SectionSpec)) -> Edit {
    let mut sample = base.sample.clone();
    edit(&mut sample.section);
    Edit {
        note: note.to_owned(),
        breaks: breaks.map(|(clause, _)| clause),
        expected: breaks.map_or(Expectation::Error, |(_, expected)| expected),
        sample,
        linked: None,
    }
}

/// One edit for each function that `edit` changes; `edit` returns a note.
pub(super) fn functions(
    base: &Base,
    breaks: BrokenClause,
    edit: impl Fn(&mut FunctionSpec, &Subject) -> Option<String>,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (index, function) in base.sample.section.functions.iter().enumerate() {
        let Some(subject) = base.subject(function) else { continue };
        let mut changed = function.clone();
        if let Some(how) = edit(&mut changed, subject) {
            let note = format!("{}: {how}", subject.function.name);
            edits.push(section(base, &note, breaks, |section| section.functions[index] = changed));
        }
    }
    edits
}

/// One edit for each row that `edit` changes: it gets the function and the row's index, and returns
/// whether it changed the row. Words are widened if necessary.
pub(super) fn rows(
    base: &Base,
    breaks: BrokenClause,
    edit: impl Fn(&mut FunctionSpec, usize, &Subject) -> bool,
) -> Vec<Edit> {
    let most = base.sample.section.functions.iter().map(|function| function.rows.len()).max().unwrap_or(0);
    let at = |row: usize| {
        let edit = &edit;
        functions(base, breaks, move |function, subject| {
            let start = function.rows.get(row)?.start;
            let done = edit(function, row, subject);
            function.rows.iter_mut().for_each(widen);
            done.then(|| format!("row at +{start:#x}"))
        })
    };
    (0..most).flat_map(at).collect()
}

/// One edit for each row that has the word, as an offset.
pub(super) fn offsets(
    base: &Base,
    breaks: BrokenClause,
    word: impl Fn(&FunctionSpec, &RowSpec) -> Option<usize>,
    edit: impl Fn(i32) -> i32,
) -> Vec<Edit> {
    rows(base, breaks, |function, row, _| {
        let Some(index) = word(function, &function.rows[row]) else { return false };
        let Some(Word::Offset(value)) = function.rows[row].words.get_mut(index) else { return false };
        let before = *value;
        *value = edit(before);
        *value != before
    })
}

fn widen(row: &mut RowSpec) {
    let needed = row.words.iter().map(|word| word.narrowest()).max().unwrap_or(Width::One);
    row.width = row.width.max(needed);
}
