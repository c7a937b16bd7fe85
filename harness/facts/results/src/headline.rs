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

#[cfg(test)]
mod tests {
    use spec::RuleId;
    use types::{Abi, Aspect, CfaRule, Claim, Equations, Location, PacKey, Reg, ValueRule};

    use crate::{Blame, Finding, Shape, Source, WindowLine, WrongRow};

    fn row(ra: ValueRule) -> Claim {
        let cfa = CfaRule::Register { reg: Reg(7), offset: 0 };
        let (ra, fp) = (Location::Rule(ra), Location::Rule(ValueRule::SameValue));
        let (sp, signed_by, signed_with_pc, signal) = (None, None, false, false);
        Claim::Row(Equations { abi: Abi::Amd64, cfa, ra, fp, sp, signed_by, signed_with_pc, signal }, None)
    }

    /// A difference of the tables about the return address.
    fn differing(sframe: Claim, eh_frame: Claim, right: Option<Source>) -> Finding {
        let mut found = Finding::new(RuleId::CfiRaDiffers, Blame::Assembler, "f", Shape::Rule);
        found.evidence.field = Aspect::Ra;
        let ranges = vec![(1, 2)];
        let (wrong, truth, before, after) = (Source::Sframe, None, None, None);
        found.evidence.rows = vec![WrongRow { ranges, wrong, right, sframe, eh_frame, truth, before, after }];
        found
    }

    #[test]
    fn a_title_says_whose_expectation_the_machine_does_not_share() {
        let rax = || row(ValueRule::Register { reg: Reg(0), offset: 0 });
        let mut found = differing(row(ValueRule::AtCfa(-8)), rax(), Some(Source::EhFrame));
        let title = |found: &Finding| found.contrast().expect("a row");
        assert_eq!(title(&found), "RA is [cfa-8], expected rax");
        // As on the page: the true frame is beside the row.
        for (truth, title_then) in [
            ("cfa=rsp ra=[cfa-8] fp=same", "RA is [cfa-8], .eh_frame has rax"),
            ("cfa=rsp ra=rax fp=same", "RA is [cfa-8], expected rax"),
        ] {
            let line = WindowLine { truth: truth.to_owned(), wrong: true, ..WindowLine::default() };
            found.shown.window = vec![WindowLine { wrong: false, truth: "cfa=rsp+8".to_owned(), ..line.clone() }, line];
            assert_eq!(title(&found), title_then);
        }
    }

    #[test]
    fn a_title_has_neither_a_dash_nor_one_row_twice() {
        let slot = || row(ValueRule::AtCfa(-8));
        let title = |sframe, eh_frame| differing(sframe, eh_frame, None).contrast().expect("a row");
        assert_eq!(title(Claim::Nothing, slot()), "RA is missing in .sframe, [cfa-8] in .eh_frame");
        assert_eq!(title(slot(), slot()), "RA is [cfa-8] in both tables");
    }

    #[test]
    fn a_title_names_the_only_field_that_differs_and_else_the_row() {
        let title = |change: fn(&mut Equations)| {
            let Claim::Row(mut expected, None) = row(ValueRule::AtCfa(-8)) else { panic!("a row") };
            change(&mut expected);
            let found = differing(row(ValueRule::AtCfa(-8)), Claim::Row(expected, None), Some(Source::EhFrame));
            found.contrast().expect("a row")
        };
        assert_eq!(title(|row| row.sp = Some(ValueRule::CfaPlus(16))), "SP is cfa, expected cfa+16");
        assert_eq!(title(|row| row.fp = Location::Rule(ValueRule::AtCfa(-16))), "FP is same, expected [cfa-16]");
        assert_eq!(title(|row| row.signed_by = Some(PacKey::B)), "RA is unsigned, expected signed with key B");
        let signal = "row is not that of a signal frame, expected that of a signal frame";
        assert_eq!(title(|row| row.signal = true), signal);
        assert_eq!(
            title(|row| (row.signal, row.sp) = (true, Some(ValueRule::Undefined))),
            "row is cfa=rsp ra=[cfa-8] fp=same, expected cfa=rsp ra=[cfa-8] fp=same sp=undefined signal"
        );
    }
}
