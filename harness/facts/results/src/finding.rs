//! A finding: one bug, whatever the number of PCs and steps that show it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::{Blame, ProgramCause, Repair, Shape, Stage, Values, WrongRow, schema, shape};
use spec::{RuleId, Severity};
use types::{Aspect, SourceLine};

/// A bug of a file or a tool, in four parts: its identity, its state in the ledger, its
/// presentation, and its evidence. Made by [`Finding::new`] only, which gives it its fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
pub struct Finding {
    #[serde(flatten)]
    identity: Identity,
    /// The rule's own severity, or a lower one.
    pub severity: Severity,
    /// First stage of the build that shows the finding.
    pub stage: Stage,
    /// Its state in the ledger.
    #[serde(flatten)]
    pub standing: LedgerStatus,
    /// Position and subject, for people.
    #[serde(flatten)]
    pub shown: Presentation,
    /// Evidence for the finding.
    #[serde(flatten)]
    pub evidence: Evidence,
}

/// A finding in JSON: its parts, and values that follow from them.
#[derive(serde::Serialize, schemars::JsonSchema)]
#[schemars(rename = "Finding", description = "A bug of a file or a tool.")]
struct Written<'a> {
    #[serde(flatten)]
    identity: &'a Identity,
    /// The rule's own severity, or a lower one. In results always `error`.
    severity: Severity,
    /// First stage of the build that shows the finding.
    stage: Stage,
    #[serde(flatten)]
    standing: &'a LedgerStatus,
    #[serde(flatten)]
    shown: &'a Presentation,
    #[serde(flatten)]
    evidence: &'a Evidence,
    /// First address of the first range; `None` if the finding is not about code.
    pc_start: Option<u64>,
    /// First address after the last range.
    pc_end: Option<u64>,
    /// Hash of the wrong rows; `None` if the finding is not about rows.
    #[schemars(regex(pattern = schema::FINGERPRINT))]
    rows_fingerprint: Option<String>,
}

impl serde::Serialize for Finding {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Finding { identity, severity, stage, standing, shown, evidence } = self;
        let written = Written {
            identity,
            severity: *severity,
            stage: *stage,
            standing,
            shown,
            evidence,
            pc_start: evidence.ranges.first().map(|(start, _)| *start),
            pc_end: evidence.ranges.last().map(|(_, end)| *end),
            rows_fingerprint: self.rows_fingerprint(),
        };
        written.serialize(serializer)
    }
}

impl schemars::JsonSchema for Finding {
    fn schema_name() -> Cow<'static, str> {
        Written::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Written::json_schema(generator)
    }
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
    /// Description of the error without addresses, if the finding is not about rows.
    shape: String,
    /// Names of the affected functions at the end of the shape, if there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    functions: Vec<String>,
}

/// The state of a finding in the ledger.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct LedgerStatus {
    /// File of the ledger entry that covers the finding, without folders; for `check --known` of
    /// the results of a sweep their folder. `None` if it is new.
    pub known: Option<String>,
    /// For a new finding: the ledger entry that covers the same in other trials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Resembles")]
    pub resembles: Option<Resembles>,
    /// For a new finding of which entries cover a part: the number of rows that none covers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub unlisted: Option<usize>,
}

/// Position and subject of a finding, as printed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Presentation {
    /// File that shows the finding, by its name in the trial's folder; for a frozen object its
    /// name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// One sentence with the numbers.
    pub message: String,
    /// First range as text: in ET_REL by section and offset.
    pub place: String,
    /// Address of the first occurrence as `function+0x12`. Empty if the finding is not about code.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub shown_at: String,
    /// The source line, if the file has debug information.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SourceLine")]
    pub source: Option<SourceLine>,
    /// Section that the finding is about.
    pub section: String,
    /// Byte offset in that section, if the finding has one.
    pub offset: Option<u64>,
    /// Disassembly around the first PC, with the rows for every instruction.
    pub window: Vec<WindowLine>,
}

/// The evidence of a finding: addresses, values and rows.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Evidence {
    /// The field that is wrong.
    pub field: Aspect,
    /// PCs that show it: first address and first address after it, ascending, merged.
    pub ranges: Vec<(u64, u64)>,
    /// Number of executed steps that showed it.
    pub steps: u64,
    /// True if execution showed it.
    pub executed: bool,
    /// Number of frames below the innermost, for findings of a chain walk.
    pub depth: usize,
    /// Values shown by execution at the first occurrence.
    pub truth: Option<Values>,
    /// Values of `.sframe` at that PC.
    pub sframe: Option<Values>,
    /// Values of `.eh_frame` at that PC.
    pub eh_frame: Option<Values>,
    /// Distinct wrong rows, in order of first occurrence. Empty if the finding is not about rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub rows: Vec<WrongRow>,
    /// True if there are more than [`crate::MOST_WRONG_ROWS`]: no ledger entry covers the finding.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("const" = true))]
    pub rows_cut: bool,
    /// Causes by which a ledger lists the finding for any program, if requested: all of them, or
    /// none.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    #[schemars(length(min = 1))]
    pub causes: BTreeSet<ProgramCause>,
    /// The repair of the function, if the finding is about its rows and execution showed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Repair")]
    pub repair: Option<Repair>,
    /// PC of the first occurrence, at which the values were taken.
    #[serde(skip)]
    pub at: Option<u64>,
}

/// A ledger entry that covers the same in other trials: the tool has another name or version, or
/// the case differs.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Resembles {
    /// File of the entry in `reports/known`, without folders.
    pub file: String,
    /// Tool that has the bug, with its versions: `gas 2.44`.
    pub of: String,
    /// True if it was recorded for the same case: only name or version of the tool differ.
    pub same_case: bool,
}

/// One instruction near a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct WindowLine {
    /// Address of the instruction.
    pub pc: u64,
    /// Its address as `function+0x12`.
    pub place: String,
    /// Disassembly of the instruction.
    pub text: String,
    /// Row of `.sframe`.
    pub sframe: String,
    /// Row of `.eh_frame`.
    pub eh_frame: String,
    /// True frame, if the instruction was executed.
    pub truth: String,
    /// True if the finding is shown at this PC.
    pub wrong: bool,
}

impl Finding {
    /// A finding about the bytes of `.sframe` in an object, with the rule's own severity; the
    /// caller sets the other fields.
    pub fn new(rule: RuleId, blame: Blame, function: impl Into<String>, shape: impl Into<Shape>) -> Finding {
        let (function, shape) = (function.into(), shape.into());
        let (shape, functions) = (shape.to_string(), shape.into_functions());
        let fingerprint = fingerprint(rule, blame, &function, &shape);
        Finding {
            identity: Identity { fingerprint, rule, blame, function, shape, functions },
            severity: rule.facts().severity,
            stage: Stage::Object,
            standing: LedgerStatus::default(),
            shown: Presentation {
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
                causes: BTreeSet::new(),
                repair: None,
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

    /// Description of the error without addresses; empty if the rule describes it fully.
    pub fn shape(&self) -> &str {
        &self.identity.shape
    }

    /// Description of the error without addresses and names of functions.
    pub fn shape_of_any(&self) -> &str {
        let named =
            self.identity.shape.strip_suffix(&shape::listed(&self.identity.functions)).unwrap_or(&self.identity.shape);
        if self.identity.functions.is_empty() {
            &self.identity.shape
        } else {
            named.strip_suffix(": ").unwrap_or(named)
        }
    }

    /// The finding with this tool blamed.
    #[must_use]
    pub fn blamed(mut self, blame: Blame) -> Finding {
        self.identity.blame = blame;
        self.fingerprinted()
    }

    /// The finding with this function or section as its subject.
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

    /// The finding with a function that is printed but not part of the identity: the bug does not
    /// depend on the function.
    #[must_use]
    pub fn shown_in(mut self, function: impl Into<String>) -> Finding {
        self.identity.function = function.into();
        self
    }

    /// Description of the error as text: the shape, or both tables' claims in the first wrong row.
    pub fn what(&self) -> String {
        match self.evidence.rows.first() {
            Some(row) if self.identity.shape.is_empty() => format!("{} | {}", row.sframe, row.eh_frame),
            _ => self.identity.shape.clone(),
        }
    }

    /// Adds the wrong rows of another file that shows the same finding.
    pub fn add_rows_of(&mut self, other: &Finding) {
        for row in &other.evidence.rows {
            self.evidence.rows_cut |= row.clone().add_to(&mut self.evidence.rows).is_none();
        }
        self.evidence.rows_cut |= other.evidence.rows_cut;
    }

    /// [`rows_fingerprint`] of the finding's rows.
    pub fn rows_fingerprint(&self) -> Option<String> {
        rows_fingerprint(&self.evidence.rows, self.evidence.rows_cut)
    }

    /// Returns true for severity error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Fingerprint of the parts of the identity.
fn fingerprint(rule: RuleId, blame: Blame, function: &str, shape: &str) -> String {
    hash(&[rule.name(), blame.name(), function, shape].join("\0"))
}

/// Fingerprint of a set of wrong rows as printed, 16 hexadecimal digits, independent of order and
/// repetition: it changes when a row is wrong in a new way. `None` if there is no row. `cut`: the
/// list is incomplete.
pub fn rows_fingerprint<'a>(rows: impl IntoIterator<Item = &'a WrongRow>, cut: bool) -> Option<String> {
    // Published fingerprints were made with the plural.
    let hashed = |row: &WrongRow| row.to_string().replace("1 frame up", "1 frames up");
    let rows: BTreeSet<String> = rows.into_iter().map(hashed).collect();
    let more = if cut { "\0more" } else { "" };
    (!rows.is_empty()).then(|| hash(&format!("{}{more}", Vec::from_iter(rows).join("\0"))))
}

/// FNV-1a hash, 64 bits.
pub(crate) fn hash(text: &str) -> String {
    // http://www.isthe.com/chongo/tech/comp/fnv/: 64-bit offset basis and prime.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    format!("{hash:016x}")
}

/// Sorts ranges and merges those that touch.
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
