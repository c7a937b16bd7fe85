//! Causes that many functions of many files share: findings without their addresses, functions and
//! numbers.

use std::collections::BTreeSet;

use crate::finding::hash;
use crate::{Blame, Finding, RepairEdit, WrongRow};
use spec::{RuleId, Severity};
use types::{Claim, Equations, PacKey};

/// A root cause. One bug of one tool has one cause, or few, regardless of the number of affected
/// functions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Cause {
    /// The rule that is broken.
    pub rule: RuleId,
    /// Severity.
    pub severity: Severity,
    /// The tool that has the bug.
    pub blame: Blame,
    /// What a repair of the directives changes, else the equations in which a wrong row differs
    /// from the right one, or what else is wrong; `N` replaces any number. Empty if the rule
    /// describes it fully.
    pub shape: String,
}

impl Cause {
    /// The causes of a finding: one for each edit of its repair, else one for each shape of its
    /// wrong rows, so that none hides another.
    pub fn from_finding(found: &Finding) -> BTreeSet<Cause> {
        let (severity, blame) = (found.severity, found.blame());
        let edits = found.evidence.repair.as_ref().map(|repair| repair.edits()).unwrap_or_default();
        if !edits.is_empty() {
            // Whichever field showed the function wrong.
            let rule = |edit: &RepairEdit| edit.rule(found.rule());
            let causes =
                edits.iter().map(|edit| Cause { rule: rule(edit), severity, blame, shape: edit.title_of_any() });
            return causes.collect();
        }
        Cause::from_rows(found)
    }

    /// The causes of a finding by the shapes of its wrong rows.
    pub fn from_rows(found: &Finding) -> BTreeSet<Cause> {
        let (severity, blame) = (found.severity, found.blame());
        let cause = |shape| Cause { rule: found.rule(), severity, blame, shape };
        if found.evidence.rows.is_empty() {
            return BTreeSet::from([cause(without_numbers(found.shape_of_any()))]);
        }
        found.evidence.rows.iter().map(|row| cause(Cause::shape_of(row))).collect()
    }

    /// Fingerprint: 16 hexadecimal digits over all fields except the severity, which options may
    /// change.
    pub fn fingerprint(&self) -> String {
        hash(&[self.rule.name(), self.blame.name(), &self.shape].join("\0"))
    }

    /// Title, one line: `assembler: row/cfa-matches-truth: cfa=rsp+N, expected rbp+N`.
    pub fn title(&self) -> String {
        let colon = if self.shape.is_empty() { "" } else { ": " };
        format!("{}: {}{colon}{}", self.blame, self.rule, self.difference())
    }

    /// The shape as actual and expected values: `cfa=rsp+N, expected rbp+N; fp=same, expected
    /// [cfa-N]`.
    pub fn difference(&self) -> String {
        match self.shape.contains(" where ") {
            true => self.shape.replace(", ", "; ").replace(" where ", ", expected "),
            false => self.shape.clone(),
        }
    }

    /// Differences of a wrong row from the right one:
    /// `cfa=rsp+N where rbp+N, fp=same where [cfa-N]`.
    pub fn shape_of(row: &WrongRow) -> String {
        let (wrong, right) = (row.wrong(), row.right());
        if let Some((wrong, right)) = wrong.and_then(Claim::equations).zip(right.and_then(Claim::equations)) {
            let terms = terms(wrong).into_iter().zip(terms(right));
            let differing: Vec<String> = terms
                .filter(|((_, wrong), (_, right))| wrong != right)
                .map(|((name, wrong), (_, right))| {
                    let (wrong, right) = (without_numbers(&wrong), without_numbers(&right));
                    format!("{name}={wrong} where {right}")
                })
                .collect();
            if !differing.is_empty() {
                return differing.join(", ");
            }
        }
        without_numbers(&row.to_string())
    }
}

impl Finding {
    /// Returns true if a fingerprint is the finding's, or that of one of its causes.
    pub fn is_named(&self, fingerprint: &str) -> bool {
        let mut causes = Cause::from_finding(self).into_iter();
        self.fingerprint() == fingerprint || causes.any(|cause| cause.fingerprint() == fingerprint)
    }
}

/// Equations of a row, each with its name.
fn terms(row: &Equations) -> [(&'static str, String); 6] {
    let of = |field| row.term(field).unwrap_or_default();
    let signed = match (row.signed_by, row.signed_with_pc) {
        (None, _) => "none",
        (Some(PacKey::A), false) => "A",
        (Some(PacKey::A), true) => "A+pc",
        (Some(PacKey::B), false) => "B",
        (Some(PacKey::B), true) => "B+pc",
    };
    [
        ("cfa", of(types::Aspect::Cfa)),
        ("ra", of(types::Aspect::Ra)),
        ("fp", of(types::Aspect::Fp)),
        ("sp", row.sp.map_or_else(|| "none".to_owned(), |sp| sp.describe(row.abi))),
        ("signed", signed.to_owned()),
        ("signal", row.signal.to_string()),
    ]
}

/// Replaces numbers in a sentence by `N`, except those in names: `r15` stays.
pub fn without_numbers(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        if c.is_ascii_digit() && !before.is_alphanumeric() {
            plain.push('N');
            while chars.next_if(char::is_ascii_alphanumeric).is_some() {}
            before = 'N';
        } else {
            plain.push(c);
            before = c;
        }
    }
    plain
}
