//! A finding as reported to people, without the counts of a run.

use crate::{Blame, Finding, Values};
use spec::RuleId;
use types::{Abi, Aspect, Claim};

use super::hex;

/// A finding in a reproducer.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReducedFinding {
    /// The rule that is broken.
    pub rule: RuleId,
    /// The tool that has the bug.
    pub blame: Blame,
    /// Identity of the finding in results.
    #[serde(flatten)]
    pub named: Named,
    /// The function, or the section.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub function: String,
    /// The field that is wrong.
    pub field: Aspect,
    /// Addresses as text: in ET_REL section and offset.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// One sentence with the numbers; empty if the values suffice.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Values shown by execution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truth: Option<Reading>,
    /// Values of `.sframe` at that PC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sframe: Option<Reading>,
    /// Values of `.eh_frame` at that PC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eh_frame: Option<Reading>,
    /// Instructions around the position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub window: Vec<Line>,
}

/// Identity of a finding in results.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Named {
    /// Fingerprint, 16 hexadecimal digits.
    Fingerprint(String),
    /// Class of the random CFI text (`cases/found`) that shows it.
    Class(String),
}

/// A row, and its values at the first instruction that shows the finding.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// The row, as [`Claim`] prints it.
    pub row: String,
    /// CFA: an address.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "hex")]
    pub cfa: Option<u64>,
    /// Return address, without pointer authentication.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "hex")]
    pub ra: Option<u64>,
    /// The caller's FP.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "hex")]
    pub fp: Option<u64>,
}

/// An instruction with the rows for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Its address as `function+0x12`.
    pub place: String,
    /// Disassembly of the instruction.
    pub text: String,
    /// True frame, if the instruction was executed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub truth: String,
    /// Row of `.sframe`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sframe: String,
    /// Row of `.eh_frame`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub eh_frame: String,
    /// True if the finding is shown at this instruction.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wrong: bool,
}

impl Reading {
    /// Converts to values with the row in parts.
    pub fn values(&self, abi: Abi) -> Values {
        Values { cfa: self.cfa, ra: self.ra, fp: self.fp, row: Claim::read(abi, &self.row) }
    }
}

impl From<&Values> for Reading {
    fn from(values: &Values) -> Reading {
        Reading { row: values.row.to_string(), cfa: values.cfa, ra: values.ra, fp: values.fp }
    }
}

impl From<&Finding> for ReducedFinding {
    fn from(found: &Finding) -> ReducedFinding {
        let values = [&found.evidence.truth, &found.evidence.sframe, &found.evidence.eh_frame]
            .map(|values| values.as_ref().map(Reading::from));
        let has_values = values.iter().any(Option::is_some);
        let [truth, sframe, eh_frame] = values;
        let window = found.shown.window.iter().map(|line| Line {
            place: line.place.clone(),
            text: line.text.clone(),
            truth: line.truth.clone(),
            sframe: line.sframe.clone(),
            eh_frame: line.eh_frame.clone(),
            wrong: line.wrong,
        });
        ReducedFinding {
            rule: found.rule(),
            blame: found.blame(),
            named: Named::Fingerprint(found.fingerprint().to_owned()),
            function: found.function().to_owned(),
            field: found.evidence.field,
            place: found.shown.place.clone(),
            message: if has_values { String::new() } else { found.shown.message.clone() },
            truth,
            sframe,
            eh_frame,
            window: window.collect(),
        }
    }
}
