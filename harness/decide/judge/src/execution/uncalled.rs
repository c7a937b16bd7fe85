//! Functions that nothing called: where a program, a thread or another stack begins.

use types::Answer;

use super::{Answers, Judge};
use crate::blame::Table;
use crate::tables::ra_of_call;

impl Judge<'_> {
    /// Returns true if a table's answer claims a caller, readable or not, and another row of the
    /// function denies one. Where a call leaves the return address, 0 claims none, by convention,
    /// and a function may deny its caller late, but not claim one again after that.
    pub(super) fn contradicts_itself(&self, answers: &Answers<'_>, table: Table) -> bool {
        let pc = answers.at.lookup();
        let Some(denial) = self.tables.first_denial(table, pc) else { return false };
        let is_of_call = self.tables.rules(table, pc).is_some_and(|row| row.ra == ra_of_call(self.facts));
        match answers.of(table) {
            Some(Ok(Answer::Caller(caller))) if is_of_call => caller.ra != 0 && denial < pc,
            Some(Ok(Answer::Caller(_)) | Err(_)) => true,
            Some(Ok(Answer::Outermost)) | None => false,
        }
    }
}
