//! What is filed about one finding, as data: what was measured, with which tools and commands, and
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
    /// What happens and what should, in a few sentences. Where lines end does not matter; an empty
    /// line parts paragraphs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// What the clause demands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<Clause>,
    /// The files of the reproducer: one source and what it is linked with, or those of a link.
    pub sources: Vec<Source>,
    /// From the sources to the file that shows it, in order.
    pub commands: Vec<Command>,
    /// How a script sees it.
    pub check: Check,
    /// What a tool printed that shows it, word for word: a complaint, or a part of a dump. Stands
    /// in place of the rows of `finding`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<String>,
    /// What should have been there in place of it, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What was judged wrong in the reproducer; `None` if the complaint of a tool is all there is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finding: Option<Shown>,
    /// Each tool that took part, as it names itself.
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
    /// What a reader of the list of all bundles has to know besides, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

/// A tool as its makers call it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Culprit {
    /// `GNU as`.
    pub name: String,
    /// `2.47.50`.
    pub version: ToolVersion,
    /// Where its project takes reports in a Bugzilla.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bugzilla: Option<Bugzilla>,
}

/// What the tool's project knows of the bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upstream {
    /// The report, or a change that mends it: an address, or `unfiled`.
    pub link: String,
    /// The first version that was seen to be right.
    pub fixed: Option<ToolVersion>,
    /// The day on which that was so, `YYYY-MM-DD`.
    pub on: String,
}

/// The part of a Bugzilla that a tool's reports go to.
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
    /// What it demands, in our words.
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
    /// Of the file's bytes, 64 hex digits.
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
    /// The variable by which a script lets its user name another program: `AS`.
    pub variable: String,
    /// The program as it was run.
    pub program: String,
    /// Its arguments, unquoted. `{sframe-version}` in one stands for the number of the version that
    /// the assembler writes, `{sframe-pcrel}` for 1 where it sets the flag of starts relative to
    /// their fields.
    #[serde(with = "words")]
    pub words: Vec<String>,
}

/// A tool, and how it names itself.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Banner {
    /// `GNU as`.
    pub name: String,
    /// The first line that it prints when it is asked for its version.
    pub says: String,
}

/// Other versions of the culprit, each list in ascending order of texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Others {
    /// Those that show it too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub show: Vec<ToolVersion>,
    /// Those that are right.
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
