//! The vectors of `.eh_frame`, which the generators write with an encoder of their own, read by
//! this project's reader.

use std::collections::BTreeSet;

use generators::vectors::{Class, Expected, Vector, eh_frame};
use readers::corpus::{AnswerLine, state_line};
use readers::{GIMLI, OwnReader, SectionInput};
use types::{Abi, TableFormat, ValueRule};

/// What gimli does not read: reports/known/readers/gimli-*.yaml.
const UNREAD: [&str; 2] = ["negative-offset-extended", "augmentation-omitted"];

#[test]
fn rows_and_callers_are_those_that_were_written() {
    let vectors = eh_frame("valid/");
    let mut asked = 0;
    for vector in vectors.iter().filter(|vector| UNREAD.iter().all(|name| !vector.id.contains(name))) {
        let abi = vector.abi;
        let reader = OwnReader::new(&SectionInput::from(vector)).expect("a section");
        assert!(reader.is_whole(), "{}", vector.id);
        for answer in &vector.answers {
            let caller = match &answer.expected {
                Expected::Row(row) => vector.caller(row),
                _ => None,
            };
            let question = format!("{:#x} {}", answer.pc, caller.as_ref().map(state_line).unwrap_or_default());
            let right = match (&answer.expected, reader.answer(&question).expect("a question")) {
                (Expected::Row(_), AnswerLine::Caller { pc, sp, fp }) => {
                    caller.is_some_and(|caller| (caller.pc, caller.sp, caller.fp) == (pc, sp, fp))
                }
                (Expected::Row(row), line) => line == AnswerLine::new(abi, row),
                (expected, line) => *expected == Expected::NoRow && line == AnswerLine::None,
            };
            assert!(right, "{}: {question}: {:?}", vector.id, answer.expected);
            asked += 1;
        }
    }
    assert!(asked > 9_000, "{asked}");
}

/// What the bytes still give is answered as written; something is lost.
#[test]
fn malformed_sections_lose_rows_and_gain_none() {
    let vectors = eh_frame("malformed/");
    assert!(vectors.len() >= 132, "{}", vectors.len());
    for vector in &vectors {
        let abi = vector.abi;
        let reader = OwnReader::new(&SectionInput::from(vector)).expect("a reader");
        let mut lost = false;
        for answer in &vector.answers {
            let line = reader.answer(&format!("{:#x}", answer.pc)).expect("a question");
            let is_refused = matches!(line, AnswerLine::None | AnswerLine::Err);
            let right = match &answer.expected {
                Expected::Row(row) => line == AnswerLine::new(abi, row),
                Expected::RowOrRefuse(row) => is_refused || line == AnswerLine::new(abi, row),
                Expected::NoRow | Expected::Refuse => is_refused,
                Expected::OneOf(_) | Expected::Anything => true,
            };
            assert!(right, "{} at {:#x}: {line}, expected {:?}", vector.id, answer.pc, answer.expected);
            lost |= is_refused;
        }
        assert!(lost, "{}: read as if it were whole", vector.id);
    }
}

#[test]
fn ids_are_unique_and_every_abi_has_expressions_indexes_and_outermost_frames() {
    let vectors = eh_frame("");
    let ids: BTreeSet<&str> = vectors.iter().map(|vector| vector.id.as_str()).collect();
    assert_eq!(ids.len(), vectors.len());
    for abi in Abi::ALL {
        let of: Vec<&Vector> = vectors.iter().filter(|vector| vector.abi == abi).collect();
        assert!(of.iter().all(|vector| vector.format == TableFormat::EhFrame));
        assert!(of.len() > 150, "{abi}: {}", of.len());
        assert!(of.iter().any(|vector| vector.has.expressions) && of.iter().any(|vector| vector.index.is_none()));
        assert!(of.iter().any(|vector| matches!(vector.class, Class::Open(_))));
        let ends = |answer: &generators::vectors::Lookup| match &answer.expected {
            Expected::Row(row) => row.frame.ra == ValueRule::Undefined,
            _ => false,
        };
        assert!(of.iter().any(|vector| vector.has.outermost && vector.answers.iter().any(ends)), "{abi}");
    }
}

#[test]
fn the_version_of_gimli_is_that_of_the_lock_file() {
    let lock = std::fs::read_to_string(testing::root().join("Cargo.lock")).expect("the lock file");
    assert!(lock.contains(&format!("name = \"gimli\"\nversion = \"{GIMLI}\"\n")), "{GIMLI}");
}
