//! The results of a matrix run, as stored: one line of JSON a trial, and what the run as
//! a whole knew.
//!
//! `results.jsonl` holds a [`TrialLine`] a line, in order of their keys; the same input gives the
//! same bytes. `run.json` beside it holds the [`RunFacts`]: what varies from run to run (day,
//! duration) and what belongs to no single trial. Everything that is rendered (text, page, JUnit,
//! SARIF, comparison) is made from these two and nothing else.

use std::collections::BTreeMap;

use crate::sums::add_each;
use crate::{Blame, EntryClass, Finding, ReadersRun, Summary, schema};
use spec::RuleId;
use types::{Abi, SframeVersion};

/// The version of both files' shape.
pub const SCHEMA: u32 = 3;

/// The status of a trial, in DejaGnu's words.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "UPPERCASE")]
pub enum Status {
    /// As it should be.
    Pass,
    /// Every error found is a known one, and every known one was found.
    Xfail,
    /// A known discrepancy did not recur.
    Xpass,
    /// Something new, expired, vacuous or broken.
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
    /// How it came out.
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
    /// Case name, with what varies after a `+`.
    pub case: String,
    /// Every tool that took part, `name@version`, by its kind: `compiler`, `assembler`, `linker`,
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
    /// Findings of lower severity: how many of each rule.
    #[schemars(with = "BTreeMap<String, std::num::NonZeroU64>", extend("propertyNames" = { "pattern": RuleId::PATTERN }))]
    pub warnings: BTreeMap<String, u64>,
    /// Functions that `.eh_frame` describes and `.sframe` does not.
    pub gaps: Vec<GapLine>,
    /// Why it is not a plain pass, besides its new findings; one item a line.
    pub problems: Vec<String>,
    /// Ids of the rules and clauses that the case covers.
    pub covers: Vec<String>,
    /// The tables that were judged, of every stage.
    pub tables: Vec<TableLine>,
    /// A requested execution did not finish.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("const" = true))]
    pub stopped_early: bool,
}

impl TrialLine {
    /// Why it is not a plain pass, in sentences: its new findings, then its problems.
    pub fn reasons(&self) -> impl Iterator<Item = String> {
        let new = self.findings.iter().filter(|found| found.standing.known.is_none());
        let told = new.map(|found| format!("new: {}: {} ({})", found.rule(), found.headline(), found.blame()));
        told.chain(self.problems.iter().cloned())
    }
}

/// A `.sframe` section that was judged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct TableLine {
    /// Its version: `v1`, `v2`, `v2e1`, `v3`.
    #[schemars(with = "SframeVersion")]
    pub version: String,
    /// Names of its features, [`spec::Feature`].
    pub features: Vec<String>,
}

/// Bytes and counts of one linked file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Sizes {
    /// Bytes of `.sframe`.
    pub sframe: u64,
    /// Bytes of `.eh_frame`.
    pub eh_frame: u64,
    /// Bytes of `.eh_frame_hdr`.
    pub eh_frame_hdr: u64,
    /// Function descriptors.
    pub functions: u64,
    /// Rows.
    pub rows: u64,
    /// Bytes of executable sections.
    pub text: u64,
}

impl Sizes {
    /// Adds the bytes and counts of another file.
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
    /// Why the version cannot describe it; `None` if it could.
    pub reason: Option<String>,
}

/// The facts of a whole run.
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
    /// Trials are missing: the run was ended before all of them had their turn. Never so in
    /// `run.json`, which is written last.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("const" = true))]
    pub unfinished: bool,
    /// Its options. Runs with other options are not compared.
    #[serde(default, skip_serializing_if = "RunAsked::is_all")]
    #[schemars(with = "RunAsked")]
    pub asked: RunAsked,
    /// Seconds that trials took, by name; of a run that was taken up again those of its last part.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub times: BTreeMap<String, f64>,
    /// Producers of the file that was read, found or not.
    pub producers: Vec<ProducerFacts>,
    /// Clauses of the specification that trials of this run cover, and those that none does.
    pub clauses: Vec<ClauseFacts>,
    /// The entries of the ledger that trials of this run show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ledger: Vec<LedgerFacts>,
    /// The results of readers, if they were tested besides the matrix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub readers: Option<Box<ReadersRun>>,
}

/// The options of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct RunAsked {
    /// Its filters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<String>,
    /// Every option set and partner.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("const" = true))]
    pub full: bool,
    /// The K-th of N parts, K from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "(std::num::NonZeroU64, std::num::NonZeroU64)")]
    pub shard: Option<(usize, usize)>,
    /// The producers' file, where the user named one.
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

    /// As on a command line.
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
    /// Its file in `reports/known/`, without folders, as in `known` of a finding.
    pub file: String,
    /// What is wrong, in a line.
    pub title: String,
    /// Where it was reported, or `unfiled`.
    pub link: String,
    /// The one tool that has the bug, as in names of trials.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub project: String,
    /// The first affected version that was seen.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub first: String,
    /// The last.
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
    /// The name of the entry: its file without `.yaml`.
    pub fn name(&self) -> &str {
        entry_name(&self.file)
    }
}

/// The name of an entry of the ledger by its file.
pub fn entry_name(file: &str) -> &str {
    file.strip_suffix(".yaml").unwrap_or(file)
}

/// One producer on one target.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct ProducerFacts {
    /// Its name in the producers' file.
    pub name: String,
    /// `compiler`, `assembler`, `linker`, `post-processor`.
    #[schemars(extend("enum" = ["compiler", "assembler", "linker", "post-processor"]))]
    pub kind: String,
    /// Target.
    #[schemars(with = "Abi")]
    pub abi: String,
    /// Its version; `None` if it is absent.
    pub version: Option<String>,
    /// The first line that it prints for `--version`, or why it is absent.
    pub told: String,
    /// Where an absent version comes from, as in the producers' file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub from: Option<String>,
    /// SFrame version it writes for the target, or those that it merges, parted by commas; `none`
    /// where it writes none.
    #[schemars(schema_with = "schema::merged")]
    pub sframe: String,
}

/// One clause of the specification.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct ClauseFacts {
    /// Its id.
    pub id: String,
    /// The section that has it.
    pub section: String,
    /// What it demands, in one sentence.
    pub demand: String,
    /// The kind of program that can show it: `producer`, `linker`, `consumer`, or `nobody` (a
    /// definition that nothing can break).
    #[schemars(extend("enum" = ["producer", "linker", "consumer", "nobody"]))]
    pub shown_by: String,
    /// Trials of this run that cover it.
    pub trials: u64,
}
