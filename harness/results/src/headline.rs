//! A finding as one sentence: actual and expected value, and position.

use crate::{Finding, Source, WrongRow};
use types::{Aspect, Claim};

impl Finding {
    /// Returns `CFA is rsp+40, expected rsp+48, at hot+0x14`, or the message if the finding is not
    /// about a row.
    pub fn headline(&self) -> String {
        let at = if self.shown.shown_at.is_empty() { self.function() } else { &self.shown.shown_at };
        match self.contrast() {
            Some(contrast) if at.is_empty() => contrast,
            Some(contrast) => format!("{contrast}, at {at}"),
            None => self.shown.message.clone(),
        }
    }

    /// Returns actual and expected value of the first wrong row: `CFA is rsp+40, expected rsp+48`,
    /// or `RA is [cfa-8], .eh_frame has rax` if the machine shows another value than .eh_frame.
    /// `None` if the finding is not about a row.
    pub fn contrast(&self) -> Option<String> {
        let row = self.evidence.rows.first()?;
        let (said, holds) = self.terms(row)?;
        let (who, field) = match row.wrong {
            Source::EhFrame => (".eh_frame: ", self.evidence.field.name().to_ascii_uppercase()),
            Source::Sframe | Source::Truth => ("", self.evidence.field.name().to_ascii_uppercase()),
        };
        // Without the depth a reader would look for the bug in the function of the inner frame.
        let up = match self.evidence.depth {
            0 => String::new(),
            1 => " one frame up".to_owned(),
            depth => format!(" {depth} frames up"),
        };
        Some(match (holds, row.right) {
            (Some(holds), Some(Source::EhFrame)) if self.truth_differs(&holds) => {
                format!("{field}{up} is {said}, .eh_frame has {holds}")
            }
            (Some(holds), Some(_)) => format!("{who}{field}{up} is {said}, expected {holds}"),
            // Which of them is right is unknown.
            (Some(holds), None) => format!("{field}{up} is {said} in .sframe, {holds} in .eh_frame"),
            (None, _) => format!("{who}{field}{up} is {said}"),
        })
    }

    /// Returns true if the code around the finding shows another true value than this one.
    fn truth_differs(&self, holds: &str) -> bool {
        let term = format!("{}={holds}", self.evidence.field.name());
        let has_it = |truth: &str| truth == holds || truth.split(' ').any(|shown| shown == term);
        self.shown.window.iter().any(|line| line.wrong && !line.truth.is_empty() && !has_it(&line.truth))
    }

    /// Actual and expected value of the finding's field in a row.
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
        // The rows differ in something else: a signing key, a signal mark, an error.
        match holds.as_ref() == Some(&said) {
            true => Some((wrong.to_string(), right.map(Claim::to_string))),
            false => Some((said, holds)),
        }
    }
}
