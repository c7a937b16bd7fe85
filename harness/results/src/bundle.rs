//! A report about one finding, as data: what was measured, with which tools and commands, and
//! what a person added. All texts of a report are made from it without a tool (`reports::bundle`).
//! In files: YAML, beside the reproducer.

mod check;
mod found;
mod hex;
mod reader;
mod shown;
#[cfg(test)]
mod tests;
mod words;

pub use check::{Astray, Check, Column, Dump, Fault, Part};
pub use found::{BadSize, Found, Size, Unit};
pub use reader::ReaderBundle;
pub use shown::{Line, Named, Reading, Shown};

use crate::ToolVersion;
use types::{Abi, SframeVersion};

/// A bug of one tool, small enough to be reported.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bundle {
    /// What is wrong, in a few words, without the culprit's name.
    pub title: String,
    /// The tool that has the bug.
    pub culprit: Culprit,
    /// The target of the reproducer.
    pub abi: Abi,
    /// All targets on which it was seen, in the order of [`Abi::ALL`].
    pub targets: Vec<Abi>,
    /// The version of the table that the reproducer has; `None` if it is about `.eh_frame` alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sframe: Option<SframeVersion>,
    /// Actual and expected behaviour, in a few sentences. Line breaks do not matter; an empty
    /// line separates paragraphs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The clause that is broken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<Clause>,
    /// The files of the reproducer: one source and what it is linked with, or those of a link.
    pub sources: Vec<Source>,
    /// The commands from the sources to the file that shows it, in order.
    pub commands: Vec<Command>,
    /// How a script detects it.
    pub check: Check,
    /// The output of a tool that shows it, verbatim: a diagnostic, or a part of a dump. It is
    /// used in place of the rows of `finding`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<String>,
    /// The expected output, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The finding in the reproducer; `None` if a tool's diagnostic is all there is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finding: Option<Shown>,
    /// Each tool that took part, with its version line.
    pub tools: Vec<Banner>,
    /// Other versions of the culprit that were tried.
    #[serde(default, skip_serializing_if = "Others::is_empty")]
    pub others: Others,
    /// Where it comes from.
    #[serde(default)]
    pub found: Found,
    /// The ledger entry of the bug, if that is not the one of the bundle's own name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// A remark for the list of all bundles, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

/// A tool by the name that its project uses.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Culprit {
    /// `GNU as`.
    pub name: String,
    /// `2.47.50`.
    pub version: ToolVersion,
    /// The Bugzilla of its project, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bugzilla: Option<Bugzilla>,
}

/// What the tool's project knows of the bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upstream {
    /// URL of the report, or of a change that fixes it, or `unfiled`.
    pub link: String,
    /// The first fixed version that was seen.
    pub fixed: Option<ToolVersion>,
    /// The day of this state, `YYYY-MM-DD`.
    pub on: String,
}

/// Product and component of a Bugzilla.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bugzilla {
    /// `binutils`.
    pub product: String,
    /// `gas`.
    pub component: String,
}

/// A clause of a specification.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// Its requirement, in this project's words.
    pub demand: String,
    /// The section that has it, with its document.
    pub section: String,
}

/// A file of a reproducer. It is stored beside the data, unless it is the code of another file.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Its file name in the bundle's folder.
    pub name: String,
    /// SHA-256 of the file, 64 hex digits.
    pub sha256: String,
    /// The file of the checkout whose code it is, that is [`code`] of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_of: Option<String>,
}

/// The lines of an assembler's text without those that are comments from their first column on.
pub fn code(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// A command of a reproduction.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Command {
    /// The script's variable for the program: `AS`.
    pub variable: String,
    /// The program as it was run.
    pub program: String,
    /// Its arguments, unquoted. `{sframe-version}` is replaced by the number of the version that
    /// the assembler writes, `{sframe-pcrel}` by 1 if it sets the flag of starts relative to
    /// their fields, else 0.
    #[serde(with = "words")]
    pub words: Vec<String>,
}

/// A tool and its version line.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Banner {
    /// `GNU as`.
    pub name: String,
    /// The first line that it prints for `--version`.
    pub says: String,
}

/// Other versions of the culprit, each list in ascending order of texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Others {
    /// Affected versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub show: Vec<ToolVersion>,
    /// Versions that are not affected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub are_right: Vec<ToolVersion>,
    /// Those that cannot build the reproducer.
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

    /// No other version was tried.
    pub fn is_empty(&self) -> bool {
        *self == Others::default()
    }
}
