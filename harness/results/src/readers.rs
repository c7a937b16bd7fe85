//! The results of testing readers of `.sframe`, as stored.
//!
//! `findings.jsonl` holds a [`ReaderFinding`] a line, in order of readers and causes;
//! `consumers.json` beside it the [`ReadersRun`]. Of findings that are private, both have their
//! existence only; what shows them is in a folder of its own.

use std::collections::BTreeMap;

use crate::finding::hash;
use crate::{Blame, EntryClass, ReaderVerdict, schema};
use types::{Abi, SframeVersion};

/// The version of both files' shape.
pub const READERS_SCHEMA: u32 = 1;

/// One way in which one reader is wrong. One bug has one cause, or few, in however many sections it
/// shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReaderCause {
    /// The project that has the bug, regardless of version.
    pub project: String,
    /// The verdict on its answers.
    pub verdict: ReaderVerdict,
    /// The vectors that show it: class and name, `N` for any number; `valid/program` for all that
    /// are drawn. Of those that may be faults of memory safety, the class alone.
    pub topic: String,
    /// How the actual answer differs from the expected one, or where the reader crashes; `N`
    /// replaces any number.
    pub shape: String,
}

impl ReaderCause {
    /// 16 hex digits over all of it.
    pub fn fingerprint(&self) -> String {
        hash(&["reader", &self.project, self.verdict.name(), &self.topic, &self.shape].join("\0"))
    }

    /// One line: `wrong-row: valid/cfa-word-N: ra cfa-N where same`.
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
    /// Always the consumer's.
    pub blame: Blame,
    /// The project that has the bug, regardless of version.
    pub project: String,
    /// The reader's name in the consumers' file.
    pub reader: String,
    /// Its version, as it prints it.
    pub version: String,
    /// The verdict on its answers.
    pub verdict: ReaderVerdict,
    /// The cause in a line; empty where it is private.
    pub cause: String,
    /// Sections that show it, by version and ABI: `v2e1-amd64`.
    pub tables: BTreeMap<String, u64>,
    /// Number of answers that are wrong in this way.
    pub answers: u64,
    /// The ids of the vectors that show it, in order; empty where it is private.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown_by: Vec<String>,
    /// The smallest section that shows it; `None` if it is private.
    pub example: Option<ReaderExample>,
    /// The entry of the ledger that covers it, without folders; `None` if it is new.
    #[schemars(regex(pattern = r"^[^/]+$"))]
    pub known: Option<String>,
}

/// A section, and an answer that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct ReaderExample {
    /// The vector's id.
    pub id: String,
    /// Its description, in a sentence.
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

/// What the ledger of readers has for a bug that a run showed.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct ReaderBug {
    /// Name of its entry, as in `known` of a finding.
    pub file: String,
    /// What is wrong, in a line.
    pub title: String,
    /// The reader's project.
    pub project: String,
    /// The first affected version that was seen.
    pub first: String,
    /// The last.
    pub last: String,
    /// The first fixed version that was seen, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub fixed: Option<String>,
    /// Why it is believed genuine; empty where it is private.
    pub reason: String,
    /// Its class; `None`: a bug.
    #[serde(default, skip_serializing_if = "EntryClass::is_bug")]
    pub class: EntryClass,
    /// Why it does not count as a bug, if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub because: Option<String>,
    /// The entry whose bug it shows, without `.yaml`; `None` if it is counted itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub same_as: Option<String>,
    /// The clause of the catalogue that is not met; `None` if no text defines it.
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

/// What a run knew as a whole.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct ReadersRun {
    /// [`READERS_SCHEMA`].
    #[schemars(description = "Version of this shape.", extend("const" = READERS_SCHEMA))]
    pub schema: u32,
    /// `sframe-conformance` and its version.
    pub tool_version: String,
    /// The day, `YYYY-MM-DD`.
    pub day: String,
    /// How long it took.
    pub seconds: f64,
    /// The seed for generated sections.
    pub seed: u64,
    /// Number of sections, by class.
    pub sections: BTreeMap<String, u64>,
    /// Stacks of runs that readers which walk were asked for: of programs that are `drawn`, of
    /// frozen ones (`real`), of ones that were `built` here.
    #[serde(default)]
    pub stacks: BTreeMap<String, u64>,
    /// The readers, in the order of their file.
    pub readers: Vec<ReaderLine>,
    /// Readers that are not here, and how to get them.
    pub missing: BTreeMap<String, String>,
    /// What each does where the text leaves something open.
    pub choices: Vec<Choice>,
    /// The entries of the ledger that findings name, by file.
    #[serde(rename = "mistakes", default, skip_serializing_if = "Vec::is_empty")]
    pub bugs: Vec<ReaderBug>,
    /// Entries that this run did not show, and entries that have expired; an item each.
    pub problems: Vec<String>,
}

/// A reader and its results.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct ReaderLine {
    /// Its name in the consumers' file.
    pub name: String,
    /// As the reader prints it.
    pub version: String,
    /// Sections by their worst verdict, and answers by verdict.
    pub verdicts: BTreeMap<ReaderVerdict, Counts>,
    /// Sections that it does not claim to read, and was not asked for.
    pub not_claimed: u64,
    /// Valid tables that it claims to read: of this project by version and ABI, `v2e1-amd64`; of
    /// real producers by who made them for which target, `gas@2.44 amd64`.
    pub reads: BTreeMap<String, Reading>,
}

/// Numbers of answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Counts {
    /// Sections.
    pub sections: u64,
    /// Answers.
    pub answers: u64,
}

/// How a reader reads the valid tables of a version and an ABI, in answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Reading {
    /// As expected.
    pub right: u64,
    /// Another row or caller than expected.
    pub wrong: u64,
    /// No row or caller although there is one.
    pub silent: u64,
    /// Refused, or the reader crashed or hung.
    pub refused: u64,
}

impl Reading {
    /// `right`, `partly` (some answers, none of them wrong), `silently wrong`, `refused`; what is
    /// asked for first is the worst.
    pub fn word(&self) -> &'static str {
        match self {
            Reading { wrong: 1.., .. } => "silently wrong",
            Reading { right: 0, .. } => "refused",
            Reading { silent: 0, refused: 0, .. } => "right",
            Reading { .. } => "partly",
        }
    }
}

/// What readers do with the vectors of a question: one word where each does the same with all.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Choice {
    /// The question's name.
    pub question: String,
    /// What the text leaves open, or defines in two ways.
    pub asks: String,
    /// The section of the text that should define it.
    pub clause: String,
    /// By reader.
    pub by_reader: BTreeMap<String, String>,
}

/// The name of a kind of table: `v2e1-amd64`.
pub fn table_name(version: SframeVersion, abi: Abi) -> String {
    format!("{version}-{abi}")
}
