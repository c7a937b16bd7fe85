//! A finding: one bug, whatever the number of PCs and steps that show it.

use std::collections::BTreeSet;

use crate::{Blame, Shape, Stage, Values, WrongRow, schema, shape};
use spec::{RuleId, Severity};
use types::{Aspect, SourceLine};

/// A bug of a file or a tool, in four parts: its identity, its state in the ledger, its
/// presentation, and its evidence. Made by [`Finding::new`] only, which gives it its fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Finding {
    #[serde(flatten)]
    identity: Identity,
    /// The rule's own severity, or a lower one.
    #[schemars(extend("const" = "error"))]
    pub severity: Severity,
    /// The first stage of the build that shows it.
    pub stage: Stage,
    #[serde(flatten)]
    /// Its state in the ledger.
    pub standing: Standing,
    #[serde(flatten)]
    /// Where it is and what it is about, for people.
    pub shown: Shown,
    #[serde(flatten)]
    /// What shows it.
    pub evidence: Evidence,
}

/// The identity of a finding: the parts of its fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Identity {
    /// 16 hex digits over rule, blame, function and shape: stable across addresses, runs and
    /// inputs, whichever rows show it.
    #[schemars(regex(pattern = schema::FINGERPRINT))]
    fingerprint: String,
    /// The rule that is broken.
    rule: RuleId,
    /// The tool that has the bug.
    blame: Blame,
    /// The function, or the section for findings about no code.
    function: String,
    /// What is wrong, without addresses, if it is not about rows.
    shape: String,
    /// Where it is wrong of several functions, their names, with which the shape ends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    functions: Vec<String>,
}

/// The state of a finding in the ledger.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Standing {
    /// File of the ledger entry that covers it, without folders; `None` if it is new, or no ledger
    /// was asked.
    #[schemars(regex(pattern = r"^[^/]+$"))]
    pub known: Option<String>,
    /// If it is new: the ledger entry that covers the same in other trials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Resembles")]
    pub resembles: Option<Resembles>,
    /// If it is new although entries cover a part of it: the rows that none covers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub unlisted: Option<usize>,
}

/// Where a finding is and what it is about, as printed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Shown {
    /// The file that shows it, by its name in the trial's folder; of a frozen object its name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// One sentence with the numbers.
    pub message: String,
    /// The first range as text: in ET_REL by section and offset.
    pub place: String,
    /// The address of the first occurrence as people name it: `function+0x12`. Empty where it is
    /// not about code.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub shown_at: String,
    /// The source line, if the file has debug information.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SourceLine")]
    pub source: Option<SourceLine>,
    /// Section the finding is about.
    pub section: String,
    /// Byte offset in that section, where one byte can be named.
    pub offset: Option<u64>,
    /// Disassembly around the first PC, with the rows at every instruction.
    pub window: Vec<WindowLine>,
}

/// The evidence of a finding: addresses, values and rows.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Evidence {
    /// The field that is wrong.
    pub field: Aspect,
    /// PCs that show it: first address and first address after it, ascending, merged.
    pub ranges: Vec<(u64, u64)>,
    /// Executed steps that showed it.
    pub steps: u64,
    /// Shown by execution.
    pub executed: bool,
    /// Number of frames below the innermost, for findings of a chain walk.
    pub depth: usize,
    /// What execution showed, at the first occurrence.
    pub truth: Option<Values>,
    /// What `.sframe` has there.
    pub sframe: Option<Values>,
    /// What `.eh_frame` has there.
    pub eh_frame: Option<Values>,
    /// Every way in which a row is wrong, in order of first occurrence. Empty where it is not about
    /// rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub rows: Vec<WrongRow>,
    /// There are more than [`crate::MOST_WRONG_ROWS`]: no ledger entry covers it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("const" = true))]
    pub rows_cut: bool,
    /// The PC of the first occurrence, whose values are given.
    #[serde(skip)]
    pub at: Option<u64>,
}

/// An entry of the ledger that covers what a finding shows, but not in this trial: the tool has
/// another name or version, or the case is another.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Resembles {
    /// Its file in `reports/known`, without folders.
    pub file: String,
    /// The tool that has the bug, with its versions: `gas 2.44`.
    pub of: String,
    /// Recorded of this very case: by another name or version of the tool alone.
    pub same_case: bool,
}

/// One instruction near a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct WindowLine {
    /// Its address.
    pub pc: u64,
    /// Its address as `function+0x12`.
    pub place: String,
    /// Its disassembly.
    pub text: String,
    /// The row `.sframe` gives.
    pub sframe: String,
    /// The row `.eh_frame` gives.
    pub eh_frame: String,
    /// The truth, if it was executed.
    pub truth: String,
    /// The finding is shown at this PC.
    pub wrong: bool,
}

impl Finding {
    /// A finding about the bytes of `.sframe`, of the rule's own severity, in an object; the caller
    /// fills in the rest.
    pub fn new(rule: RuleId, blame: Blame, function: impl Into<String>, shape: impl Into<Shape>) -> Finding {
        let (function, shape) = (function.into(), shape.into());
        let (shape, functions) = (shape.to_string(), shape.into_functions());
        let fingerprint = fingerprint(rule, blame, &function, &shape);
        Finding {
            identity: Identity { fingerprint, rule, blame, function, shape, functions },
            severity: rule.facts().severity,
            stage: Stage::Object,
            standing: Standing::default(),
            shown: Shown {
                file: String::new(),
                message: String::new(),
                place: String::new(),
                shown_at: String::new(),
                source: None,
                section: ".sframe".to_owned(),
                offset: None,
                window: Vec::new(),
            },
            evidence: Evidence {
                field: Aspect::Structure,
                ranges: Vec::new(),
                steps: 0,
                executed: false,
                depth: 0,
                truth: None,
                sframe: None,
                eh_frame: None,
                rows: Vec::new(),
                rows_cut: false,
                at: None,
            },
        }
    }

    /// 16 hex digits over rule, blame, function and shape: stable across addresses, runs and
    /// inputs, whichever rows show it.
    pub fn fingerprint(&self) -> &str {
        &self.identity.fingerprint
    }

    /// The rule that is broken.
    pub fn rule(&self) -> RuleId {
        self.identity.rule
    }

    /// The tool that has the bug.
    pub fn blame(&self) -> Blame {
        self.identity.blame
    }

    /// The function, or the section for findings about no code.
    pub fn function(&self) -> &str {
        &self.identity.function
    }

    /// What is wrong, without addresses; empty if the rule describes it fully.
    pub fn shape(&self) -> &str {
        &self.identity.shape
    }

    /// The same without names of functions.
    pub fn shape_of_any(&self) -> &str {
        let named =
            self.identity.shape.strip_suffix(&shape::listed(&self.identity.functions)).unwrap_or(&self.identity.shape);
        if self.identity.functions.is_empty() {
            &self.identity.shape
        } else {
            named.strip_suffix(": ").unwrap_or(named)
        }
    }

    /// The same, with this tool at fault.
    #[must_use]
    pub fn blamed(mut self, blame: Blame) -> Finding {
        self.identity.blame = blame;
        self.fingerprinted()
    }

    /// The same, about this function or section.
    #[must_use]
    pub fn about(mut self, function: impl Into<String>) -> Finding {
        self.identity.function = function.into();
        self.fingerprinted()
    }

    fn fingerprinted(mut self) -> Finding {
        let Identity { rule, blame, function, shape, .. } = &self.identity;
        self.identity.fingerprint = fingerprint(*rule, *blame, function, shape);
        self
    }

    /// The same with a function that is printed and is no part of the identity: the bug is the same
    /// in whatever function.
    #[must_use]
    pub fn shown_in(mut self, function: impl Into<String>) -> Finding {
        self.identity.function = function.into();
        self
    }

    /// What is wrong in text: the shape, or what both tables say of the first wrong row.
    pub fn what(&self) -> String {
        match self.evidence.rows.first() {
            Some(row) if self.identity.shape.is_empty() => format!("{} | {}", row.sframe, row.eh_frame),
            _ => self.identity.shape.clone(),
        }
    }

    /// Takes over the wrong rows of another file that shows the same.
    pub fn add_rows_of(&mut self, other: &Finding) {
        for row in &other.evidence.rows {
            self.evidence.rows_cut |= row.clone().add_to(&mut self.evidence.rows).is_none();
        }
        self.evidence.rows_cut |= other.evidence.rows_cut;
    }

    /// [`rows_fingerprint`] of its rows.
    pub fn rows_fingerprint(&self) -> Option<String> {
        rows_fingerprint(&self.evidence.rows, self.evidence.rows_cut)
    }

    /// A finding of severity error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// The parts of the identity.
fn fingerprint(rule: RuleId, blame: Blame, function: &str, shape: &str) -> String {
    hash(&[rule.name(), blame.name(), function, shape].join("\0"))
}

/// 16 hex digits over a set of wrong rows as they print, in whatever order and however often: it
/// changes when a row is wrong in a new way. `None` if there is no row. `cut`: there are more.
pub fn rows_fingerprint<'a>(rows: impl IntoIterator<Item = &'a WrongRow>, cut: bool) -> Option<String> {
    // Fingerprints of rows that are published have the plural.
    let hashed = |row: &WrongRow| row.to_string().replace("1 frame up", "1 frames up");
    let rows: BTreeSet<String> = rows.into_iter().map(hashed).collect();
    let more = if cut { "\0more" } else { "" };
    (!rows.is_empty()).then(|| hash(&format!("{}{more}", Vec::from_iter(rows).join("\0"))))
}

/// FNV-1a, 64 bits.
pub(crate) fn hash(text: &str) -> String {
    // http://www.isthe.com/chongo/tech/comp/fnv/: 64-bit offset basis and prime.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    format!("{hash:016x}")
}

/// Sorts ranges and joins those that touch.
pub fn merge_ranges(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    ranges.sort_unstable();
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for (start, end) in ranges {
        match merged.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    merged
}
