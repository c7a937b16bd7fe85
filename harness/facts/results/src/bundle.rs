//! A bundle: a report about one finding as data, with the measurements, tools and commands, and the
//! remarks of a person. All texts of a report are made from it without running a tool
//! (`reports::bundle`). Stored as YAML, beside the reproducer.

mod check;
mod filing;
mod hex;
mod listed;
mod provenance;
mod reader;
mod shown;
mod tried;
mod words;

pub use check::{Astray, Check, Column, DirectiveBug, Dump, Part};
pub use filing::Filing;
pub use listed::{Counted, CountedBug, ListedBug, ListedBundle, Queued, Standing, Unfiled, Weight};
pub use provenance::{BadSize, Provenance, Size, Unit};
pub use reader::{BundledIndex, ReaderBundle, ReaderOutput};
pub use shown::{Line, Named, Reading, ReducedFinding};
pub use tried::{Expected, TriedScript, unproven};

use crate::ToolVersion;
use types::{Abi, SframeVersion};

/// A bug of one tool, small enough to be reported.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bundle {
    /// Title: the bug in a few words, without the culprit's name.
    pub title: String,
    /// The tool that has the bug.
    pub culprit: Culprit,
    /// Target of the reproducer.
    pub abi: Abi,
    /// All targets on which the bug was seen, in the order of [`Abi::ALL`].
    pub targets: Vec<Abi>,
    /// Version of the table in the reproducer; `None` if the bug is about `.eh_frame` alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sframe: Option<SframeVersion>,
    /// Actual and expected behaviour, in a few sentences. Line breaks are ignored; an empty line
    /// separates paragraphs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The clause that is violated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<Clause>,
    /// Files of the reproducer: one source with the files it is linked with, or the inputs of a
    /// link.
    pub sources: Vec<Source>,
    /// Commands from the sources to the file that shows the bug, in order.
    pub commands: Vec<Command>,
    /// How a script detects the bug.
    pub check: Check,
    /// Output of a tool that shows the bug, verbatim: a diagnostic, or a part of a dump. It
    /// replaces the rows of `finding`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<String>,
    /// Expected output, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// SHA-256 of the file `program` beside the data: the program whose execution shows the
    /// finding, as the commands made it when it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The finding in the reproducer; `None` if there is only a tool's diagnostic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finding: Option<ReducedFinding>,
    /// Tools that were used, each with its version line.
    pub tools: Vec<Banner>,
    /// Other versions of the culprit that were tried.
    #[serde(default, skip_serializing_if = "Others::is_empty")]
    pub others: Others,
    /// Executions of the script before the bundle was written; none for an older bundle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tried: Vec<TriedScript>,
    /// Origin of the reproducer.
    #[serde(default)]
    pub found: Provenance,
    /// Ledger entry of the bug, if its name differs from that of the bundle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// Remark for the list of all bundles, one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

impl Bundle {
    /// Why the executions of the script do not prove it; `None` also if none is recorded.
    pub fn unproven(&self) -> Option<String> {
        if self.tried.is_empty() { None } else { unproven(&self.tried) }
    }

    /// The first address at which execution shows the finding; `None` if it was not executed, or
    /// the place is an offset in a section.
    pub fn first_pc(&self) -> Option<u64> {
        let shown = self.finding.as_ref().filter(|shown| shown.truth.is_some())?;
        let (first, _) = shown.place.split_once("..").unwrap_or((&shown.place, ""));
        u64::from_str_radix(first.strip_prefix("0x")?, 16).ok()
    }
}

/// A tool, under the name that its project uses.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Culprit {
    /// Name: `GNU as`.
    pub name: String,
    /// Version: `2.47.50`.
    pub version: ToolVersion,
    /// Bugzilla of its project, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bugzilla: Option<Bugzilla>,
    /// True for a person's own build, whose version is that of the sources it was built from.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_build: bool,
}

/// State of the bug in the tool's project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upstream {
    /// URL of the report, or of a change that fixes it, or `unfiled`.
    pub link: String,
    /// First fixed version that was seen.
    pub fixed: Option<ToolVersion>,
    /// Date of this state, `YYYY-MM-DD`.
    pub on: String,
}

/// Product and component of a Bugzilla.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bugzilla {
    /// Product: `binutils`.
    pub product: String,
    /// Component: `gas`.
    pub component: String,
}

/// A clause of a specification.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// Its requirement, in this project's words.
    pub demand: String,
    /// Section that contains the clause, with its document.
    pub section: String,
}

/// A file of a reproducer. It is stored beside the data, unless it is the code of another file.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// File name in the bundle's folder.
    pub name: String,
    /// SHA-256 of the file, 64 hex digits.
    pub sha256: String,
    /// The file of the checkout from which it is made by [`code`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_of: Option<String>,
}

/// Returns the lines of an assembly text without those that begin with a comment in the first
/// column.
pub fn code(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// A command of a reproduction.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Command {
    /// Variable of the script for the program: `AS`.
    pub variable: String,
    /// The program as it was executed.
    pub program: String,
    /// Arguments, unquoted. `{sframe-version}` is replaced by the number of the version that the
    /// assembler writes, `{sframe-pcrel}` by 1 if it sets the flag of starts relative to their
    /// fields, else 0.
    #[serde(with = "words")]
    pub words: Vec<String>,
}

/// A tool and its version line.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Banner {
    /// Name: `GNU as`.
    pub name: String,
    /// First line of its `--version` output.
    pub says: String,
}

/// Other versions of the culprit, each list sorted as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Others {
    /// Affected versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub show: Vec<ToolVersion>,
    /// Versions that are not affected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub are_right: Vec<ToolVersion>,
    /// Versions that cannot build the reproducer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refuse: Vec<ToolVersion>,
}

impl Others {
    /// Adds a version: `Some(true)` if it shows the bug, `None` if it cannot build the reproducer.
    pub fn add(&mut self, version: &ToolVersion, shows: Option<bool>) {
        let list = match shows {
            Some(true) => &mut self.show,
            Some(false) => &mut self.are_right,
            None => &mut self.refuse,
        };
        list.push(version.clone());
        list.sort_by(|a, b| a.as_str().cmp(b.as_str()));
    }

    /// Returns true if no other version was tried.
    pub fn is_empty(&self) -> bool {
        *self == Others::default()
    }
}
