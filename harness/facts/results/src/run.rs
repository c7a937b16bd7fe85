//! Stored results of a matrix run: one line of JSON for each trial, and data about the complete
//! run.
//!
//! `results.jsonl` contains one [`TrialLine`] per line, sorted by key; the same input gives the
//! same bytes. `run.json` beside it contains the [`RunFacts`]: data that varies from run to run
//! (day, duration) and data that belongs to no single trial. All rendered formats (text, page,
//! JUnit, SARIF, comparison) are made from these two files alone.

use std::collections::BTreeMap;

use crate::sums::add_each;
use crate::{Blame, EntryClass, Finding, ReadersRun, Summary, schema};
use spec::RuleId;
use types::{Abi, SframeVersion};

/// Version of the schema of both files.
pub const SCHEMA: u32 = 4;

/// Status of a trial, in DejaGnu's terms.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "UPPERCASE")]
pub enum Status {
    /// The result is as expected.
    Pass,
    /// Every error found is known, and every known error was found.
    Xfail,
    /// A known error did not recur.
    Xpass,
    /// A new error, an expired entry, a vacuous or a broken trial.
    Fail,
    /// The run could not be decided.
    Unresolved,
    /// A producer is not on this machine.
    Unsupported,
}

/// One trial's result.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct TrialLine {
    /// [`SCHEMA`].
    #[schemars(description = "Version of this shape.", extend("const" = SCHEMA))]
    pub schema: u32,
    /// The trial's name, `producer@version::abi::vN::topic::case`.
    #[schemars(regex(pattern = r"^[^@]+@.+::.+::.+::.+::.+$"))]
    pub key: String,
    /// Status of the trial.
    pub status: Status,
    /// `name@version` of the producer under test.
    #[schemars(regex(pattern = r"^[^@]+@.+$"))]
    pub producer: String,
    /// Target.
    #[schemars(with = "Abi")]
    pub abi: String,
    /// SFrame version expected: `v1`, `v2`, `v2e1`, `v3`, `none`.
    #[schemars(schema_with = "schema::written")]
    pub sframe: String,
    /// Folder of the case.
    pub topic: String,
    /// Case name, with its variant after a `+`.
    pub case: String,
    /// Tools that took part, `name@version`, by kind: `compiler`, `assembler`, `linker`,
    /// `post-processor`.
    pub tools: BTreeMap<String, String>,
    /// The commands, in order, with file names relative to one folder.
    pub commands: Vec<String>,
    /// Counts of the final file's check; `None` if there was nothing to check.
    pub summary: Option<Summary>,
    /// Sizes in the final file; `None` if it has no `.sframe`.
    pub sizes: Option<Sizes>,
    /// Findings of severity error.
    pub findings: Vec<Finding>,
    /// Number of findings of lower severity, by rule.
    #[schemars(with = "BTreeMap<String, std::num::NonZeroU64>", extend("propertyNames" = { "pattern": RuleId::PATTERN }))]
    pub warnings: BTreeMap<String, u64>,
    /// Functions that `.eh_frame` describes and `.sframe` does not.
    pub gaps: Vec<GapLine>,
    /// Reasons, other than new findings, why it is not a plain pass; one item per line.
    pub problems: Vec<String>,
    /// The tool with the bug that the first problem shows, if one shows which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Blame")]
    pub blamed: Option<Blame>,
    /// Files of a recipe that were not made or not judged because the tool lacks something.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub not_made: Vec<String>,
    /// Ids of the rules and clauses that the case covers.
    pub covers: Vec<String>,
    /// Tables that were judged, of all stages.
    pub tables: Vec<TableLine>,
    /// True if a requested execution did not finish.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("const" = true))]
    pub stopped_early: bool,
    /// True if a command found no time or room on the host: `run --resume` tries it again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("const" = true))]
    pub host_failure: bool,
}

impl TrialLine {
    /// Why it is not a plain pass, as sentences: its new findings, then its problems.
    pub fn reasons(&self) -> impl Iterator<Item = String> {
        let new = self.findings.iter().filter(|found| found.standing.known.is_none());
        let new = new.map(|found| format!("new: {}: {} ({})", found.rule(), found.headline(), found.blame()));
        new.chain(self.problems.iter().cloned())
    }
}

/// A `.sframe` section that was judged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct TableLine {
    /// Version: `v1`, `v2`, `v2e1`, `v3`.
    #[schemars(with = "SframeVersion")]
    pub version: String,
    /// Names of the table's features, [`spec::Feature`].
    pub features: Vec<String>,
}

/// Sizes and counts of one linked file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Sizes {
    /// Size of `.sframe` in bytes.
    pub sframe: u64,
    /// Size of `.eh_frame` in bytes.
    pub eh_frame: u64,
    /// Size of `.eh_frame_hdr` in bytes.
    pub eh_frame_hdr: u64,
    /// Number of function descriptors.
    pub functions: u64,
    /// Number of rows.
    pub rows: u64,
    /// Size of the executable sections in bytes.
    pub text: u64,
}

impl Sizes {
    /// Adds the sizes and counts of another file.
    pub fn add(&mut self, other: &Sizes) {
        let Sizes { sframe, eh_frame, eh_frame_hdr, functions, rows, text } = *other;
        add_each([
            (&mut self.sframe, sframe),
            (&mut self.eh_frame, eh_frame),
            (&mut self.eh_frame_hdr, eh_frame_hdr),
            (&mut self.functions, functions),
            (&mut self.rows, rows),
            (&mut self.text, text),
        ]);
    }
}

/// A function without an SFrame descriptor.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct GapLine {
    /// Its name.
    pub function: String,
    /// Why the version cannot describe the function; `None` if it could.
    pub reason: Option<String>,
}

/// Data about a complete run.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct RunFacts {
    /// [`SCHEMA`].
    #[schemars(description = "Version of this shape.", extend("const" = SCHEMA))]
    pub schema: u32,
    /// `sframe-conformance` and its version.
    pub tool_version: String,
    /// Day of the run, `YYYY-MM-DD`.
    #[schemars(regex(pattern = schema::DAY))]
    pub day: String,
    /// Wall-clock seconds.
    #[schemars(range(min = 0.0))]
    pub seconds: f64,
    /// True if trials are missing: the run ended before all were done. Never true in `run.json`,
    /// which is written last.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("const" = true))]
    pub unfinished: bool,
    /// Options of the run. Runs with different options are not compared.
    #[serde(default, skip_serializing_if = "RunAsked::is_all")]
    #[schemars(with = "RunAsked")]
    pub asked: RunAsked,
    /// Duration of trials in seconds, by name; for a resumed run only those of its last part.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub times: BTreeMap<String, f64>,
    /// Producers in the producers' file, installed or not.
    pub producers: Vec<ProducerFacts>,
    /// Clauses of the specification, with the number of trials of this run that cover each.
    pub clauses: Vec<ClauseFacts>,
    /// Ledger entries that trials of this run show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ledger: Vec<LedgerFacts>,
    /// Results of readers, if they were tested with the matrix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub readers: Option<Box<ReadersRun>>,
}

/// The options of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct RunAsked {
    /// Filters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<String>,
    /// True for all option sets and partners.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("const" = true))]
    pub full: bool,
    /// Shard K of N, K from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "(std::num::NonZeroU64, std::num::NonZeroU64)")]
    pub shard: Option<(usize, usize)>,
    /// Producers' file, if the user named one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub producers: Option<String>,
    /// The folder of the earlier results that were what is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub against: Option<String>,
    /// Programs that were put in the place of those of the producers' file: `--as`, `--ld`, `--cc`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<String>,
}

impl RunAsked {
    /// Returns true if no option limits the run.
    pub fn is_all(&self) -> bool {
        *self == RunAsked::default()
    }

    /// The options as on a command line.
    pub fn words(&self) -> Vec<String> {
        let RunAsked { filters, full, shard, producers, against, programs } = self;
        let filters = filters.iter().flat_map(|filter| ["--filter".to_owned(), filter.clone()]);
        let mut words: Vec<String> = filters.chain(full.then(|| "--full".to_owned())).collect();
        words.extend(shard.iter().flat_map(|(part, of)| ["--shard".to_owned(), format!("{part}/{of}")]));
        words.extend(producers.iter().flat_map(|file| ["--producers".to_owned(), file.clone()]));
        words.extend(against.iter().flat_map(|folder| ["--against".to_owned(), folder.clone()]));
        words.extend(programs.iter().cloned());
        words
    }
}

/// One entry of the ledger.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct LedgerFacts {
    /// File name in `reports/known/`, without folders, as in `known` of a finding.
    pub file: String,
    /// Title of the bug, one line.
    pub title: String,
    /// Where it was reported, or `unfiled`.
    pub link: String,
    /// Tool that has the bug, by its name in trial names.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub project: String,
    /// The first affected version that was seen.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub first: String,
    /// Last affected version that was seen.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub last: String,
    /// The first fixed version that was seen, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub fixed: Option<String>,
    /// The tool that has the bug.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Blame")]
    pub blame: Option<Blame>,
    /// Why it is believed genuine.
    #[serde(default, skip_serializing_if = "String::is_empty")]
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
    /// The day on which it was recorded.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub added: String,
    /// The first day on which the entry no longer counts.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub expires: String,
    /// A report is ready, beside the entry.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("const" = true))]
    pub bundle: bool,
}

impl LedgerFacts {
    /// Name of the entry: its file name without `.yaml`.
    pub fn name(&self) -> &str {
        entry_name(&self.file)
    }
}

/// A ledger entry that covers findings, in short.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct KnownEntry {
    /// File name in `reports/known/`, without folders.
    pub file: String,
    /// Title of the bug, one line.
    pub title: String,
    /// Tool that has the bug.
    pub project: String,
    /// The first fixed version that was seen, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub fixed: Option<String>,
}

impl KnownEntry {
    /// The entry's name, title and fixed version: `ld-plt-got-rows: ld: ... (AMD64), fixed in
    /// 2.48`.
    pub fn sentence(&self) -> String {
        let fixed = self.fixed.as_ref().map(|fixed| format!(", fixed in {fixed}")).unwrap_or_default();
        format!("{}: {}{fixed}", entry_name(&self.file), self.title)
    }
}

impl From<&LedgerFacts> for KnownEntry {
    fn from(facts: &LedgerFacts) -> KnownEntry {
        let LedgerFacts { file, title, project, fixed, .. } = facts.clone();
        KnownEntry { file, title, project, fixed }
    }
}

/// Name of a ledger entry, from its file name.
pub fn entry_name(file: &str) -> &str {
    file.strip_suffix(".yaml").unwrap_or(file)
}

/// A producer for one target.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct ProducerFacts {
    /// Name in the producers' file.
    pub name: String,
    /// `compiler`, `assembler`, `linker`, `post-processor`.
    #[schemars(extend("enum" = ["compiler", "assembler", "linker", "post-processor"]))]
    pub kind: String,
    /// Target.
    #[schemars(with = "Abi")]
    pub abi: String,
    /// Version; `None` if the producer is not installed.
    pub version: Option<String>,
    /// First line of its `--version` output, or why it is not installed.
    pub told: String,
    /// How to get a version that is not installed, as in the producers' file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub from: Option<String>,
    /// SFrame version that it writes for the target, or the versions that it merges, separated by
    /// commas; `none` if it writes none.
    #[schemars(schema_with = "schema::merged")]
    pub sframe: String,
}

/// One clause of the specification.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct ClauseFacts {
    /// Id of the clause.
    pub id: String,
    /// Section that contains the clause.
    pub section: String,
    /// Requirement of the clause, one sentence.
    pub demand: String,
    /// The kind of program that can show it: `producer`, `linker`, `consumer`, or `nobody` (a
    /// definition that nothing can break).
    #[schemars(extend("enum" = ["producer", "linker", "consumer", "nobody"]))]
    pub shown_by: String,
    /// Number of trials of this run that cover it.
    pub trials: u64,
}
