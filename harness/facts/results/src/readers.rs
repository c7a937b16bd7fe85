//! Stored results of testing readers of `.sframe` and `.eh_frame`.
//!
//! `findings.jsonl` contains one [`ReaderFinding`] per line, sorted by reader and cause;
//! `consumers.json` beside it contains the [`ReadersRun`]. Of private findings both contain the
//! existence only; their evidence is in a separate folder.

use std::collections::BTreeMap;

use crate::finding::hash;
use crate::{Blame, EntryClass, ReaderVerdict, schema};
use types::{Abi, TableFormat};

/// Version of the schema of both files.
pub const READERS_SCHEMA: u32 = 1;

/// One wrong behaviour of one reader. One bug has one cause, or few, regardless of the number of
/// sections that show it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReaderCause {
    /// The project that has the bug, regardless of version.
    pub project: String,
    /// The verdict on its answers.
    pub verdict: ReaderVerdict,
    /// Vectors that show it: class and name, with `N` for any number; `valid/program` for all
    /// generated ones. For possible memory safety bugs only the class.
    pub topic: String,
    /// Difference of the actual answer from the expected one, or the position of the crash; `N`
    /// replaces any number.
    pub shape: String,
}

impl ReaderCause {
    /// Fingerprint: 16 hexadecimal digits over all fields.
    pub fn fingerprint(&self) -> String {
        hash(&["reader", &self.project, self.verdict.name(), &self.topic, &self.shape].join("\0"))
    }

    /// Title, one line: `wrong-row: valid/cfa-word-N: ra cfa-N where same`.
    pub fn title(&self) -> String {
        let parts = [self.verdict.name(), &self.topic, &self.shape];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ")
    }
}

/// A cause in one version of a reader.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct ReaderFinding {
    /// [`READERS_SCHEMA`].
    #[schemars(description = "Version of this shape.", extend("const" = READERS_SCHEMA))]
    pub schema: u32,
    /// [`ReaderCause::fingerprint`].
    #[schemars(regex(pattern = schema::FINGERPRINT))]
    pub fingerprint: String,
    /// Always `consumer`.
    pub blame: Blame,
    /// The project that has the bug, regardless of version.
    pub project: String,
    /// Name of the reader in the consumers' file.
    pub reader: String,
    /// Version that the reader prints.
    pub version: String,
    /// The verdict on its answers.
    pub verdict: ReaderVerdict,
    /// Cause in one line; empty if it is private.
    pub cause: String,
    /// Number of sections that show it, by version and ABI: `v2e1-amd64`.
    pub tables: BTreeMap<String, u64>,
    /// Number of answers that are wrong in this way.
    pub answers: u64,
    /// Ids of the vectors that show it, sorted; empty if it is private.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown_by: Vec<String>,
    /// Smallest section that shows it; `None` if it is private.
    pub example: Option<ReaderExample>,
    /// Ledger entry that covers it, without folders; `None` if it is new.
    #[schemars(regex(pattern = r"^[^/]+$"))]
    pub known: Option<String>,
}

/// A section with a wrong answer.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct ReaderExample {
    /// Id of the vector.
    pub id: String,
    /// Description of the vector, one sentence.
    pub about: String,
    /// Address of its first byte.
    pub address: u64,
    /// The section's bytes, in hex.
    #[schemars(regex(pattern = r"^([0-9a-f]{2})*$"))]
    pub section: String,
    /// The PC asked for; `None` if the whole section is meant.
    pub pc: Option<u64>,
    /// The actual answer, or how the reader ended.
    pub got: String,
    /// The expected answer.
    pub want: String,
}

/// Ledger data about a bug that a run showed.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct ReaderBug {
    /// File name of the entry, as in `known` of a finding.
    pub file: String,
    /// Title of the bug, one line.
    pub title: String,
    /// The reader's project.
    pub project: String,
    /// The first affected version that was seen.
    pub first: String,
    /// Last affected version that was seen.
    pub last: String,
    /// The first fixed version that was seen, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub fixed: Option<String>,
    /// Why it is believed genuine; empty where it is private.
    pub reason: String,
    /// Class; a bug if absent.
    #[serde(default, skip_serializing_if = "EntryClass::is_bug")]
    pub class: EntryClass,
    /// Reason why it is not a bug, if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub because: Option<String>,
    /// The entry whose bug it shows, without `.yaml`; `None` if it is counted itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub same_as: Option<String>,
    /// Clause of the catalogue that is violated; `None` if no text defines the behaviour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub clause: Option<String>,
    /// Where it was reported, or `unfiled`.
    pub link: String,
    /// The day on which it was recorded.
    pub added: String,
    /// The first day on which the entry no longer counts.
    pub expires: String,
    /// A report is ready, beside the entry.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("const" = true))]
    pub bundle: bool,
    /// A memory safety bug that is not public yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("const" = true))]
    pub private: bool,
}

/// Data about a complete run.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct ReadersRun {
    /// [`READERS_SCHEMA`].
    #[schemars(description = "Version of this shape.", extend("const" = READERS_SCHEMA))]
    pub schema: u32,
    /// `sframe-conformance` and its version.
    pub tool_version: String,
    /// The day, `YYYY-MM-DD`.
    pub day: String,
    /// Duration in seconds.
    pub seconds: f64,
    /// The seed for generated sections.
    pub seed: u64,
    /// Number of sections, by class.
    pub sections: BTreeMap<String, u64>,
    /// Number of stacks that were used to test readers that walk: of generated programs (`drawn`),
    /// of frozen ones (`real`), of programs built in this run (`built`).
    #[serde(default)]
    pub stacks: BTreeMap<String, u64>,
    /// The readers, in the order of their file.
    pub readers: Vec<ReaderLine>,
    /// Readers that are not installed, and how to install them.
    pub missing: BTreeMap<String, String>,
    /// Behaviour of each reader where the specification leaves something open.
    pub choices: Vec<Choice>,
    /// Ledger entries that findings refer to, by file.
    #[serde(rename = "mistakes", default, skip_serializing_if = "Vec::is_empty")]
    pub bugs: Vec<ReaderBug>,
    /// Entries that this run did not show, and expired entries; one item each.
    pub problems: Vec<String>,
}

/// A reader and its results.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct ReaderLine {
    /// Its name in the consumers' file.
    pub name: String,
    /// Version that the reader prints.
    pub version: String,
    /// Number of sections by their worst verdict, and of answers by verdict.
    pub verdicts: BTreeMap<ReaderVerdict, Counts>,
    /// First vector whose answer cannot be parsed, and why; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub broken: Option<String>,
    /// Number of sections that the reader does not claim to read, and that it was not tested with.
    pub not_claimed: u64,
    /// Results for valid tables that the reader claims to read: tables of this project by version
    /// and ABI, `v2e1-amd64`; tables of real producers by producer and target, `gas@2.44 amd64`.
    pub reads: BTreeMap<String, Reading>,
}

/// Numbers of sections and answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Counts {
    /// Number of sections.
    pub sections: u64,
    /// Number of answers.
    pub answers: u64,
}

/// Results of a reader for the valid tables of a version and an ABI, in answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Reading {
    /// As expected.
    pub right: u64,
    /// Number of answers with another row or caller than expected.
    pub wrong: u64,
    /// Number of answers without a row or caller although there is one.
    pub silent: u64,
    /// Number of refusals, crashes and hangs.
    pub refused: u64,
}

impl Reading {
    /// Summary of the worst result: `right`, `partly` (some answers, none of them wrong),
    /// `silently wrong`, `refused`.
    pub fn word(&self) -> &'static str {
        match self {
            Reading { wrong: 1.., .. } => "silently wrong",
            Reading { right: 0, .. } => "refused",
            Reading { silent: 0, refused: 0, .. } => "right",
            Reading { .. } => "partly",
        }
    }
}

/// Behaviour of readers in a case that the specification leaves open: one word if a reader treats
/// all its vectors the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Choice {
    /// Name of the question.
    pub question: String,
    /// What the specification leaves open, or defines in two ways.
    pub asks: String,
    /// Section of the specification that should define it.
    pub clause: String,
    /// Behaviour by reader.
    pub by_reader: BTreeMap<String, String>,
}

/// Name of a kind of table: `v2e1-amd64`, `eh-frame-s390x`.
pub fn table_name(format: impl Into<TableFormat>, abi: Abi) -> String {
    format!("{}-{abi}", format.into())
}
