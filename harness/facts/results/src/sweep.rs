//! Stored results of a sweep: one line for each file, and totals.
//!
//! `results.jsonl` contains one [`FileLine`] per line, sorted by name; the same files and options
//! give the same bytes, regardless of the number of threads, resumptions or shards. `sweep.json`
//! beside it contains the [`SweepTotals`], in which days and seconds vary.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::{Cause, Finding, KnownEntry, Report, Sizes, Summary, schema, short};
use types::named;
use types::{Abi, FileError, SframeVersion, Skip};

/// Version of the schema of both files.
pub const SWEEP_SCHEMA: u32 = 1;

/// An ELF file, or a file that could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct FileLine {
    /// [`SWEEP_SCHEMA`].
    #[schemars(description = "Version of this shape.", extend("const" = SWEEP_SCHEMA))]
    pub schema: u32,
    /// Path, or `ARCHIVE!MEMBER`.
    pub file: String,
    /// SHA-256 of the contents, in hexadecimal; empty if they could not be read.
    #[schemars(regex(pattern = r"^([0-9a-f]{64})?$"))]
    pub sha256: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Status; the same for files with the same contents.
    pub verdict: SweepVerdict,
    /// True if the file was named on the command line, false if it was found in a folder or
    /// archive.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("const" = true))]
    pub named: bool,
    /// First file, by name, with the same contents: its line has the findings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub same_as: Option<String>,
    /// Findings; absent if another line has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Judged")]
    pub judged: Option<Judged>,
}

named! {
    /// Status of a file. A file that cannot be judged is an error if it was named on the command
    /// line, else it is skipped.
    pub enum SweepVerdict {
        /// The file was judged, and there is no error.
        Clean = "clean",
        /// There is a finding of severity error.
        Discrepancy = "discrepancy",
        /// A requested check is undecided, and there is no error.
        Undecided = "undecided",
        /// The file could not be read or judged.
        Error = "error",
        /// The file was found in a folder or archive, and cannot be judged: see [`Skip`].
        Skipped = "skipped",
    }
}

/// The findings of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Judged {
    /// Target.
    pub abi: Option<Abi>,
    /// Version of its `.sframe` section; `None` if it has none.
    pub sframe_version: Option<SframeVersion>,
    /// Why the file could not be judged.
    pub error: Option<FileError>,
    /// Numbers of functions, steps and findings.
    pub summary: Summary,
    /// Sizes of the tables; absent without `.sframe`.
    pub sizes: Option<Sizes>,
    /// Findings by cause, of any severity.
    pub causes: Vec<CauseCount>,
    /// Number of findings of causes beyond the maximum listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(range(min = 1))]
    pub causes_cut: u64,
    /// Functions that `.eh_frame` describes and `.sframe` does not, by reason why the version
    /// cannot describe them.
    pub gaps: Vec<Counted>,
    /// Numbers of undecided answers, by reason.
    pub undecided: Vec<Counted>,
    /// Bytes of code outside every FDE, by section, each with its first function.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<Counted>,
    /// Build id of the file, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub build_id: Option<String>,
    /// True if nothing was executed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub static_only: bool,
    /// Findings of the baseline that the file no longer shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<String>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A cause with its occurrences in one file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct CauseCount {
    /// What is wrong.
    #[serde(flatten)]
    pub cause: Cause,
    /// [`Cause::fingerprint`].
    #[schemars(regex(pattern = schema::FINGERPRINT))]
    pub fingerprint: String,
    /// The ledger entry that covers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "KnownEntry")]
    pub known: Option<KnownEntry>,
    /// Number of functions.
    #[schemars(range(min = 1))]
    pub functions: u64,
    /// First of these functions by address.
    pub function: String,
    /// Position in that function.
    pub place: String,
    /// Finding in that function, one sentence.
    pub message: String,
}

/// Maximum number of characters in a name or a sentence.
const MOST_TEXT: usize = 1000;

impl CauseCount {
    /// Findings of a report by cause and ledger entry, the most severe first, of those that are
    /// wanted.
    pub fn from_report(report: &Report, wanted: impl Fn(&Finding) -> bool) -> Vec<CauseCount> {
        let entry = |file: &str| report.ledger.iter().find(|entry| entry.file == file).map(KnownEntry::from);
        struct Shown<'f>(BTreeSet<&'f str>, CauseCount);
        let mut by_cause: BTreeMap<(Option<&str>, Cause), Shown<'_>> = BTreeMap::new();
        for found in report.discrepancies.iter().filter(|found| wanted(found)) {
            let known = found.standing.known.as_deref();
            // A walk fails at a row: if that row is reported by itself, it is one bug.
            let of = found.follows(&report.discrepancies).filter(|of| wanted(of)).unwrap_or(found);
            for cause in Cause::from_finding(of) {
                let first = || {
                    let count = CauseCount {
                        fingerprint: cause.fingerprint(),
                        cause: cause.clone(),
                        known: known.and_then(entry),
                        functions: 0,
                        function: short(of.function(), MOST_TEXT),
                        place: short(&of.shown.place, MOST_TEXT),
                        message: short(&of.shown.message, MOST_TEXT),
                    };
                    Shown(BTreeSet::new(), count)
                };
                by_cause.entry((known, cause.clone())).or_insert_with(first).0.insert(of.function());
            }
        }
        let mut causes: Vec<CauseCount> = by_cause
            .into_values()
            .map(|Shown(functions, count)| CauseCount { functions: functions.len() as u64, ..count })
            .collect();
        causes.sort_by_key(|count| (Reverse(count.cause.severity), Reverse(count.functions)));
        causes
    }
}

/// Number of occurrences in a file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Counted {
    /// Reason, section or kind that is counted.
    pub reason: String,
    /// Number of occurrences.
    #[schemars(range(min = 1))]
    pub count: u64,
    /// First occurrence.
    pub example: String,
}

/// The options of a sweep, equal in all its shards.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct SweepAsked {
    /// [`SWEEP_SCHEMA`].
    #[schemars(description = "Version of this shape.", extend("const" = SWEEP_SCHEMA))]
    pub schema: u32,
    /// `sframe-conformance` and its version.
    pub tool_version: String,
    /// Options that affect the results, as on the command line.
    pub options: Vec<String>,
    /// Files and folders.
    pub paths: Vec<String>,
    /// Shard K of N, K from 1; absent if the sweep is not sharded.
    #[schemars(with = "Option<(std::num::NonZeroU64, std::num::NonZeroU64)>")]
    pub shard: Option<(u64, u64)>,
}

/// The totals of a sweep. Files with the same contents count once.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct SweepTotals {
    /// [`SWEEP_SCHEMA`].
    #[schemars(description = "Version of this shape.", extend("const" = SWEEP_SCHEMA))]
    pub schema: u32,
    /// Options of the sweep.
    pub asked: SweepAsked,
    /// Day of the sweep, `YYYY-MM-DD`.
    #[schemars(regex(pattern = schema::DAY))]
    pub day: String,
    /// Wall-clock seconds: of the last part if it was resumed; of merged shards their sum.
    pub seconds: f64,
    /// True if files are missing: the sweep ended before all were done. Never true in `sweep.json`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("const" = true))]
    pub unfinished: bool,
    /// Exit code of the sweep: 0 clean, 1 a discrepancy, 2 something undecided, 3 an error.
    #[schemars(range(max = 3))]
    pub exit_code: u8,
    /// Number of files with each status.
    pub verdicts: VerdictTotals,
    /// Number of files with the same contents as another.
    pub duplicates: u64,
    /// Sum of the sizes of the files in bytes.
    pub bytes: u64,
    /// Skipped files, by kind.
    #[schemars(with = "BTreeMap<String, std::num::NonZeroU64>", extend("propertyNames" = { "enum": Skip::ALL.map(Skip::name) }))]
    pub skipped: BTreeMap<Skip, u64>,
    /// Sums of the counts.
    pub summary: Summary,
    /// Sizes of tables, by ABI and version.
    pub sizes: Vec<CostTotal>,
    /// Causes, sorted by number of files, descending.
    pub causes: Vec<CauseTotal>,
    /// Functions without description, by reason.
    pub gaps: Vec<ReasonTotal>,
    /// Numbers of undecided answers, by reason.
    pub undecided: Vec<ReasonTotal>,
    /// Bytes of code outside every FDE, by section.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<ReasonTotal>,
    /// Number of files that could not be judged, by kind of error.
    pub errors: Vec<ReasonTotal>,
    /// Files that took longest.
    pub slowest: Vec<SlowFile>,
}

/// Number of files with each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct VerdictTotals {
    pub clean: u64,
    pub discrepancy: u64,
    pub undecided: u64,
    pub error: u64,
}

/// A cause with its occurrences in all files.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct CauseTotal {
    /// What is wrong.
    #[serde(flatten)]
    pub cause: Cause,
    /// [`Cause::fingerprint`].
    #[schemars(regex(pattern = schema::FINGERPRINT))]
    pub fingerprint: String,
    /// The ledger entry that covers it in these files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "KnownEntry")]
    pub known: Option<KnownEntry>,
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

/// An example of an occurrence.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Example {
    /// The file.
    pub file: String,
    /// Position in the file; empty if the occurrence is the file itself.
    pub place: String,
    /// Message about the occurrence.
    pub message: String,
}

/// Occurrences in all files, by reason.
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
    /// First file by name with an occurrence.
    pub example: Example,
}

/// Sizes of tables.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct CostTotal {
    /// Target.
    pub abi: Abi,
    /// Version of `.sframe`.
    pub version: SframeVersion,
    /// Number of files that have both tables.
    #[schemars(range(min = 1))]
    pub files: u64,
    /// Sums of the sizes of these files.
    pub sizes: Sizes,
}

/// A file with its duration.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct SlowFile {
    /// The file.
    pub file: String,
    /// Wall-clock seconds.
    pub seconds: f64,
}

impl Default for SweepVerdict {
    /// Totals of zero files.
    fn default() -> Self {
        SweepVerdict::Error
    }
}

impl FileLine {
    /// Exit code that this file alone would give. A file that is not ELF or cannot be read gives 3
    /// if it was named; if it was found in a folder or archive, an unreadable file is undecided. A
    /// failure of the harness always gives 3.
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
