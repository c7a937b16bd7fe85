//! A reader with a section that it is wrong about, for reduction: tests whether another section
//! shows the same bug.

use std::io;

use generators::eh_frame::search_table;
use generators::vectors::{Chain, Class, Expected, Lookup, Vector};
use results::{ReaderCause, ReaderVerdict};
use toolchain::consumer::Reader;
use toolchain::scratch::Scratch;
use unwind::{CfiSections, CfiUnwinder, Unwinder as _};

use super::{Judged, OwnReader, SectionInput, VectorResult, ask, cause, has_table, written};
use crate::corpus::{AnswerLine, chain_line, row_state};

/// A reader, a vector, and a wrong answer.
#[derive(Debug)]
pub struct WrongAnswer<'a> {
    pub reader: &'a Reader,
    pub vector: &'a Vector,
    pub cause: ReaderCause,
    /// The first wrong answer with this cause.
    pub judged: Judged,
    folder: Scratch,
}

impl<'a> WrongAnswer<'a> {
    /// Finds a wrong answer of a reader for a vector: by fingerprint, else the worst. `None` if no
    /// answer is wrong.
    pub fn new(
        reader: &'a Reader,
        vector: &'a Vector,
        fingerprint: Option<&str>,
    ) -> io::Result<Option<WrongAnswer<'a>>> {
        let folder = Scratch::new()?;
        let outcome = answered(reader, vector, &folder)?;
        let wrong = outcome.judged.iter().filter(|judged| judged.verdict.accuses());
        let named = wrong.filter(|judged| fingerprint.is_none_or(|one| cause(&outcome, judged).fingerprint() == one));
        // Of equal ones the first.
        let worst = named.rev().max_by_key(|judged| judged.verdict).cloned();
        Ok(worst.map(|judged| WrongAnswer { reader, vector, cause: cause(&outcome, &judged), judged, folder }))
    }

    /// The answer for other section bytes that is wrong in the same way, if there is one. The
    /// expected answer must be unchanged, as decided by this project's reader.
    pub fn shown_by(&self, bytes: &[u8]) -> Option<Judged> {
        let mut vector = Vector { bytes: bytes.to_vec(), ..self.vector.clone() };
        vector.chains.clear();
        if bytes != self.vector.bytes && has_table(&vector) {
            index(&mut vector);
        }
        if let Some(stack) = &self.judged.stack {
            vector.answers.clear();
            vector.chains.push(stack.clone());
            if !is_walked(&vector, stack) {
                return None;
            }
        } else if let Some(pc) = self.judged.pc {
            vector.answers.retain(|answer| answer.pc == pc);
            let answer = vector.answers.first()?;
            // The meaning of the vector itself follows from its construction: this project's reader
            // may be the one that is wrong.
            if bytes != self.vector.bytes && !is_expected(&vector, answer) {
                return None;
            }
        }
        let outcome = answered(self.reader, &vector, &self.folder).ok()?;
        // There is more than one reason to end, or to refuse.
        let has_reasons = self.judged.verdict.is_private() || self.judged.verdict == ReaderVerdict::Refused;
        let same = |judged: &&Judged| {
            judged.verdict == self.judged.verdict
                && judged.pc == self.judged.pc
                && (!has_reasons || judged.shape == self.judged.shape)
        };
        outcome.judged.iter().find(same).cloned()
    }

    /// Registers and memory of the question about the wrong row, as words of a query; empty if the
    /// question is about no row.
    pub fn state_of_row(&self) -> Vec<String> {
        let answer = self.vector.answers.iter().find(|answer| Some(answer.pc) == self.judged.pc);
        let row = match answer.map(|answer| &answer.expected) {
            Some(Expected::Row(row) | Expected::RowOrRefuse(row)) => row,
            _ => return Vec::new(),
        };
        let state = row_state(self.vector, row).unwrap_or_default();
        state.split_ascii_whitespace().map(str::to_owned).collect()
    }

    /// The index of an `.eh_frame` and its address, if it is not as linkers write it.
    pub fn own_index(&self) -> Option<&(Vec<u8>, u64)> {
        self.vector.index.as_ref().filter(|_| !has_table(self.vector))
    }

    /// Returns true if bytes may be removed one by one: a section that crashes a reader needs no
    /// expected answer.
    pub fn may_break(&self) -> bool {
        self.vector.class != Class::Valid && self.judged.verdict.is_private()
    }
}

/// Makes the index of an `.eh_frame` anew, from its functions.
fn index(vector: &mut Vector) {
    let Some((_, at)) = vector.index else { return };
    let eh_frame = Some((vector.address, vector.bytes.as_slice()));
    let cfi = CfiUnwinder::new(vector.abi, &CfiSections { eh_frame, ..CfiSections::default() });
    let fdes: Vec<(u64, u64)> = cfi.functions().map(|function| (function.start.0, function.offset)).collect();
    vector.index = Some((search_table(vector.abi.facts().order, at, vector.address, &fdes), at));
}

fn answered<'v>(reader: &'v Reader, vector: &'v Vector, folder: &Scratch) -> io::Result<VectorResult<'v>> {
    let path = written(vector, folder.path(), "asked")?;
    let outcomes = ask(reader, &[(vector, path)]);
    outcomes.into_iter().next().ok_or_else(|| io::Error::other("no answer"))
}

/// Returns true if the section still determines this answer.
fn is_expected(vector: &Vector, answer: &Lookup) -> bool {
    let own = own(vector, answer.pc);
    match (&answer.expected, own) {
        (Expected::Row(row), Own::Row(line)) => AnswerLine::new(vector.abi, row) == line,
        (Expected::NoRow, Own::Nothing) => true,
        (Expected::Refuse | Expected::RowOrRefuse(_), Own::Nothing | Own::Unread) => true,
        _ => false,
    }
}

/// Returns true if the section still gives all callers of a stack.
fn is_walked(vector: &Vector, stack: &Chain) -> bool {
    let own = OwnReader::new(&SectionInput::from(vector));
    own.and_then(|own| own.walk(&chain_line(stack))).is_some_and(|callers| callers == stack.callers)
}

/// Answer of this project's reader for a section.
enum Own {
    /// Part of the section cannot be read.
    Unread,
    /// No descriptor covers the address.
    Nothing,
    Row(AnswerLine),
}

fn own(vector: &Vector, pc: u64) -> Own {
    let reader = OwnReader::new(&SectionInput::from(vector));
    match reader.filter(OwnReader::is_whole).map(|reader| reader.row(pc)) {
        None | Some(AnswerLine::Err) => Own::Unread,
        Some(AnswerLine::None) => Own::Nothing,
        Some(line) => Own::Row(line),
    }
}
