//! A finding in one sentence: what a table says, what holds, and where.

use crate::{Finding, Source, WrongRow};
use types::{Aspect, Claim};

impl Finding {
    /// `CFA rsp+40 where rsp+48 holds, at hot+0x14`; where it is not about a row, its message.
    pub fn headline(&self) -> String {
        let at = if self.shown.shown_at.is_empty() { self.function() } else { &self.shown.shown_at };
        match self.contrast() {
            Some(contrast) if at.is_empty() => contrast,
            Some(contrast) => format!("{contrast}, at {at}"),
            None => self.shown.message.clone(),
        }
    }

    /// `CFA rsp+40 where rsp+48 holds`: of the first wrong row what is wrong, and what is right there. None where it is not about a row.
    pub fn contrast(&self) -> Option<String> {
        let row = self.evidence.rows.first()?;
        let (said, holds) = self.terms(row)?;
        let (who, field) = match row.wrong {
            Source::EhFrame => (".eh_frame: ", self.evidence.field.name().to_ascii_uppercase()),
            Source::Sframe | Source::Truth => ("", self.evidence.field.name().to_ascii_uppercase()),
        };
        // Whoever reads `RA` below another frame's code looks for the mistake in the wrong function.
        let up = match self.evidence.depth {
            0 => String::new(),
            1 => " one frame up".to_owned(),
            depth => format!(" {depth} frames up"),
        };
        Some(match (holds, row.right) {
            (Some(holds), Some(_)) => format!("{who}{field}{up} {said} where {holds} holds"),
            // Nobody knows which of them is right.
            (Some(holds), None) => format!("{field}{up} {said} in .sframe, {holds} in .eh_frame"),
            (None, _) => format!("{who}{field}{up} {said}"),
        })
    }

    /// What the wrong side of a row says of what the finding is about, and what the other side does.
    fn terms(&self, row: &WrongRow) -> Option<(String, Option<String>)> {
        if matches!(self.evidence.field, Aspect::Structure | Aspect::Coverage) {
            return None;
        }
        let (wrong, right) = match row.right {
            Some(_) => (row.wrong()?, row.right()),
            None => (&row.sframe, Some(&row.eh_frame)),
        };
        let term = |claim: &Claim| match claim.equations().and_then(|row| row.term(self.evidence.field)) {
            Some(term) => term,
            None => claim.to_string(),
        };
        let (said, holds) = (term(wrong), right.map(term));
        // What differs is not the term: a key that signed, a mark of a signal, a fault.
        match holds.as_ref() == Some(&said) {
            true => Some((wrong.to_string(), right.map(Claim::to_string))),
            false => Some((said, holds)),
        }
    }
}
