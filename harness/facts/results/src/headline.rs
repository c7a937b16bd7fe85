//! A finding as one sentence: actual and expected value, and position.

use crate::{Finding, Repair, Source, WrongRow};
use types::{Aspect, Claim, Equations, ValueRule, counted};

impl Finding {
    /// Returns what is wrong and where: ``missing `.cfi_restore %rbp` after `pop %rbp`, at
    /// hot+0x14`` if a repair of the directives is known, else `CFA is rsp+40, expected rsp+48, at
    /// hot+0x14`, or the message if the finding is not about a row.
    pub fn headline(&self) -> String {
        if let Some(Repair::Edits { edits, .. }) = &self.evidence.repair
            && let Some((first, more)) = edits.split_first()
        {
            let more = match more.len() {
                0 => String::new(),
                more => format!(", and {}", counted(more, "more edit")),
            };
            return format!("{}, at {}{more}", first.title(), first.place);
        }
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
        let Terms { field, actual, expected } = self.terms(row)?;
        let who = match row.wrong {
            Source::EhFrame => ".eh_frame: ",
            Source::Sframe | Source::Truth => "",
        };
        // Without the depth a reader would look for the bug in the function of the inner frame.
        let up = match self.evidence.depth {
            0 => String::new(),
            1 => " one frame up".to_owned(),
            depth => format!(" {depth} frames up"),
        };
        Some(match (expected, row.right) {
            (Some(expected), Some(Source::EhFrame)) if self.truth_differs(field, &expected) => {
                format!("{field}{up} is {actual}, .eh_frame has {expected}")
            }
            (Some(expected), Some(_)) => format!("{who}{field}{up} is {actual}, expected {expected}"),
            // Which of them is right is unknown.
            (Some(expected), None) if row.sframe == row.eh_frame => format!("{field}{up} is {expected} in both tables"),
            (Some(expected), None) => format!("{field}{up} is {actual} in .sframe, {expected} in .eh_frame"),
            (None, _) => format!("{who}{field}{up} is {actual}"),
        })
    }

    /// Returns true if the code around the finding shows another true value than this one.
    fn truth_differs(&self, field: &str, expected: &str) -> bool {
        let name = format!("{}=", field.to_ascii_lowercase());
        // A value that is still in its register may be saved as well, and where the field is not
        // known nothing contradicts.
        let has_it = |truth: &str| {
            let shown = truth.split(' ').find_map(|term| term.strip_prefix(name.as_str()));
            let agrees = shown.is_none_or(|shown| shown == expected || shown == "same");
            truth == expected || (agrees && truth.contains('='))
        };
        self.shown.window.iter().any(|line| line.wrong && !line.truth.is_empty() && !has_it(&line.truth))
    }

    /// Returns what differs in a row: the finding's field, or the only other field that does.
    fn terms(&self, row: &WrongRow) -> Option<Terms> {
        let field = match self.evidence.field {
            Aspect::Cfa => "CFA",
            Aspect::Ra => "RA",
            Aspect::Fp => "FP",
            Aspect::Registers | Aspect::Structure | Aspect::Coverage => return None,
        };
        let (wrong, right) = match row.right {
            Some(_) => (row.wrong()?, row.right()),
            None => (&row.sframe, Some(&row.eh_frame)),
        };
        let term = |claim: &Claim| match claim.equations().and_then(|row| row.term(self.evidence.field)) {
            Some(term) => term,
            None if matches!(claim, Claim::NoRow | Claim::Nothing) => "missing".to_owned(),
            None => claim.to_string(),
        };
        let (actual, expected) = (term(wrong), right.map(term));
        match right {
            Some(right) if expected.as_ref() == Some(&actual) && row.sframe != row.eh_frame => {
                let only = || Terms::only(wrong.equations()?, right.equations()?);
                Some(only().unwrap_or_else(|| Terms::new("row", wrong.to_string(), right.to_string())))
            }
            // The rules are alike, their values are not: the message has those.
            Some(right) if expected.as_ref() == Some(&actual) && row.right.is_some() => {
                Terms::only(wrong.equations()?, right.equations()?)
            }
            _ => Some(Terms { field, actual, expected }),
        }
    }
}

/// A field of a row with its actual and its expected value.
struct Terms {
    field: &'static str,
    actual: String,
    expected: Option<String>,
}

impl Terms {
    fn new(field: &'static str, actual: String, expected: String) -> Terms {
        Terms { field, actual, expected: Some(expected) }
    }

    /// The field in which two rows differ; `None` if it is not a single one.
    fn only(wrong: &Equations, right: &Equations) -> Option<Terms> {
        let fields = |row: &Equations| {
            let value = |field| row.term(field).unwrap_or_default();
            let sp = match row.sp.unwrap_or(ValueRule::CfaPlus(row.abi.facts().caller_sp_minus_cfa)) {
                ValueRule::CfaPlus(0) => "cfa".to_owned(),
                rule => rule.describe(row.abi),
            };
            let signed = match (row.signed_by, row.signed_with_pc) {
                (None, _) => "unsigned".to_owned(),
                (Some(key), false) => format!("signed with key {key:?}"),
                (Some(key), true) => format!("signed with key {key:?} and the PC"),
            };
            let signal = if row.signal { "that of a signal frame" } else { "not that of a signal frame" };
            [
                ("CFA", value(Aspect::Cfa)),
                ("RA", value(Aspect::Ra)),
                ("FP", value(Aspect::Fp)),
                ("SP", sp),
                ("RA", signed),
                ("row", signal.to_owned()),
            ]
        };
        let pairs = fields(wrong).into_iter().zip(fields(right));
        let mut differing = pairs.filter(|((_, wrong), (_, right))| wrong != right);
        let ((field, wrong), (_, right)) = differing.next()?;
        differing.next().is_none().then(|| Terms::new(field, wrong, right))
    }
}
