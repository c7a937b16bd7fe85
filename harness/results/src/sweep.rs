//! The results of a sweep, as stored: a line a file, and totals.
//!
//! `results.jsonl` holds a [`FileLine`] a line, in order of names; the same files and options give
//! the same bytes, on however many threads and in however many goes or shards. `sweep.json` beside
//! it holds the [`SweepTotals`], in which days and seconds vary from time to time.

use std::collections::BTreeMap;

use crate::{Cause, Sizes, Summary, schema};
use types::named;
use types::{Abi, FileError, SframeVersion, Skip};

/// The version of both files' shape.
pub const SWEEP_SCHEMA: u32 = 1;

/// An ELF file, or what could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct FileLine {
    /// [`SWEEP_SCHEMA`].
    #[schemars(description = "Version of this shape.", extend("const" = SWEEP_SCHEMA))]
    pub schema: u32,
    /// Its path, or `ARCHIVE!MEMBER`.
    pub file: String,
    /// SHA-256 of its bytes, in hex; empty if they could not be read.
    #[schemars(regex(pattern = r"^([0-9a-f]{64})?$"))]
    pub sha256: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Its status; the same for files with the same bytes.
    pub verdict: SweepVerdict,
    /// It was named on the command line, not found in a folder or archive.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("const" = true))]
    pub named: bool,
    /// The first file, in order of names, with the same bytes: its line has the findings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub same_as: Option<String>,
    /// The findings; empty if another line has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Judged")]
    pub judged: Option<Judged>,
}

named! {
    /// How a file came out. A file that cannot be judged is an error if it was named on the command
    /// line, else it is skipped.
    pub enum SweepVerdict {
        /// Something was judged, and nothing is wrong.
        Clean = "clean",
        /// An error-severity finding.
        Discrepancy = "discrepancy",
        /// Something asked for could not be decided, and nothing was wrong.
        Undecided = "undecided",
        /// It could not be read, or not be judged.
        Error = "error",
        /// Found in a folder or archive, and nothing to judge: see [`Skip`].
        Skipped = "skipped",
    }
}

/// The findings of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Judged {
    /// Target.
    pub abi: Option<Abi>,
    /// Version of its `.sframe`; `None` if it has none.
    pub sframe_version: Option<SframeVersion>,
    /// Why it could not be judged.
    pub error: Option<FileError>,
    /// Counts.
    pub summary: Summary,
    /// Sizes of the tables; none without `.sframe`.
    pub sizes: Option<Sizes>,
    /// Findings by cause, errors or not.
    pub causes: Vec<CauseCount>,
    /// Findings of further causes: there are more than are listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(range(min = 1))]
    pub causes_cut: u64,
    /// Functions that `.eh_frame` describes and `.sframe` does not, by why the version cannot
    /// describe them.
    pub gaps: Vec<Counted>,
    /// Numbers of answers that were not decided, by reason.
    pub undecided: Vec<Counted>,
    /// Bytes of code outside every FDE, by section, each with the first function there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<Counted>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A cause in one file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct CauseCount {
    /// What is wrong.
    #[serde(flatten)]
    pub cause: Cause,
    /// [`Cause::fingerprint`].
    #[schemars(regex(pattern = schema::FINGERPRINT))]
    pub fingerprint: String,
    /// Number of functions.
    #[schemars(range(min = 1))]
    pub functions: u64,
    /// One of them, the first by address.
    pub function: String,
    /// The place there.
    pub place: String,
    /// The finding there, in a sentence.
    pub message: String,
}

/// The number of occurrences in a file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Counted {
    /// What.
    pub reason: String,
    /// Number of occurrences.
    #[schemars(range(min = 1))]
    pub count: u64,
    /// The first one.
    pub example: String,
}

/// The options of a sweep, equal in all its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct SweepAsked {
    /// [`SWEEP_SCHEMA`].
    #[schemars(description = "Version of this shape.", extend("const" = SWEEP_SCHEMA))]
    pub schema: u32,
    /// `sframe-conformance` and its version.
    pub tool_version: String,
    /// Options that decide what is found, as on the command line.
    pub options: Vec<String>,
    /// Files and folders.
    pub paths: Vec<String>,
    /// The K-th of N parts, K from 1; none for all of it.
    #[schemars(with = "Option<(std::num::NonZeroU64, std::num::NonZeroU64)>")]
    pub shard: Option<(u64, u64)>,
}

/// The totals of a sweep. Files with the same bytes count once.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct SweepTotals {
    /// [`SWEEP_SCHEMA`].
    #[schemars(description = "Version of this shape.", extend("const" = SWEEP_SCHEMA))]
    pub schema: u32,
    /// The options.
    pub asked: SweepAsked,
    /// Day of the sweep, `YYYY-MM-DD`.
    #[schemars(regex(pattern = schema::DAY))]
    pub day: String,
    /// Wall-clock seconds: of the last go, where it was resumed; of shards put together, their sum.
    pub seconds: f64,
    /// Files are missing: the sweep was ended before all had their turn. Never so in `sweep.json`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("const" = true))]
    pub unfinished: bool,
    /// What the files make the sweep end with: 0 clean, 1 a discrepancy, 2 something undecided, 3
    /// an error.
    #[schemars(range(max = 3))]
    pub exit_code: u8,
    /// The number of files with each status.
    pub verdicts: VerdictTotals,
    /// Files that have the same bytes as another.
    pub duplicates: u64,
    /// Bytes of the files.
    pub bytes: u64,
    /// Skipped files, by kind.
    #[schemars(with = "BTreeMap<String, std::num::NonZeroU64>", extend("propertyNames" = { "enum": Skip::ALL.map(Skip::name) }))]
    pub skipped: BTreeMap<Skip, u64>,
    /// Sums of the counts.
    pub summary: Summary,
    /// What tables cost, by ABI and version.
    pub sizes: Vec<CostTotal>,
    /// Causes, those of most files first.
    pub causes: Vec<CauseTotal>,
    /// Functions without description, by reason.
    pub gaps: Vec<ReasonTotal>,
    /// Numbers of undecided answers, by reason.
    pub undecided: Vec<ReasonTotal>,
    /// Bytes of code outside every FDE, by section.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<ReasonTotal>,
    /// Files that could not be judged, by kind of error.
    pub errors: Vec<ReasonTotal>,
    /// The files that took longest.
    pub slowest: Vec<SlowFile>,
}

/// The number of files with each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct VerdictTotals {
    pub clean: u64,
    pub discrepancy: u64,
    pub undecided: u64,
    pub error: u64,
}

/// A cause in all files.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct CauseTotal {
    /// What is wrong.
    #[serde(flatten)]
    pub cause: Cause,
    /// [`Cause::fingerprint`].
    #[schemars(regex(pattern = schema::FINGERPRINT))]
    pub fingerprint: String,
    /// Number of files.
    #[schemars(range(min = 1))]
    pub files: u64,
    /// Number of functions in all files.
    #[schemars(range(min = 1))]
    pub functions: u64,
    /// Targets of these files.
    #[schemars(extend("uniqueItems" = true))]
    pub abis: Vec<Abi>,
    /// The first file by name that shows it.
    pub example: Example,
}

/// An example.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Example {
    /// The file.
    pub file: String,
    /// The place in it; empty where it is about the file.
    pub place: String,
    /// What is there.
    pub message: String,
}

/// Something that occurs in files, by reason.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct ReasonTotal {
    /// The reason.
    pub reason: String,
    /// Number of files.
    #[schemars(range(min = 1))]
    pub files: u64,
    /// Number of occurrences in all files.
    #[schemars(range(min = 1))]
    pub count: u64,
    /// The first file by name that has it.
    pub example: Example,
}

/// What tables cost.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct CostTotal {
    /// Target.
    pub abi: Abi,
    /// Version of `.sframe`.
    pub version: SframeVersion,
    /// Files that have both tables.
    #[schemars(range(min = 1))]
    pub files: u64,
    /// Their sums.
    pub sizes: Sizes,
}

/// A file and how long it took.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct SlowFile {
    /// The file.
    pub file: String,
    /// Wall-clock seconds.
    pub seconds: f64,
}

impl Default for SweepVerdict {
    /// Totals of no files.
    fn default() -> Self {
        SweepVerdict::Error
    }
}

impl FileLine {
    /// The exit code that this file alone would give. One that is no ELF, and one that could not be
    /// read, gives 3 if it was named; found in a folder or archive, what could not be read is
    /// a thing not decided. A fault of the harness is one wherever it shows.
    pub fn exit_code(&self) -> u8 {
        let harness = self.judged.as_ref().and_then(|judged| judged.error.as_ref());
        let harness = harness.is_some_and(|error| error.kind == types::FileErrorKind::Harness);
        match self.verdict {
            SweepVerdict::Clean | SweepVerdict::Skipped => 0,
            SweepVerdict::Discrepancy => 1,
            SweepVerdict::Error if self.named || harness => 3,
            SweepVerdict::Undecided | SweepVerdict::Error => 2,
        }
    }
}
