//! Readers of `.sframe` and `.eh_frame` under test: the entries of a consumers' file, finding
//! installed readers, and asking them questions.
//!
//! A reader is any program that implements the protocol of `ci/readers.md`: it receives sections
//! and PCs, and prints one line for each.

mod reply;
mod session;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use regex::Regex;
use types::{Abi, SframeVersion, TableFormat, Unknown};

use crate::by_abi::{has_abi, is_abi, unknown_abi, unknown_version};
use crate::process::{Bounds, run_bounded};
use crate::yaml::{self, YamlError};

pub use reply::{Question, Reply};

/// Path of the shipped consumers' file, relative to the project's folder.
pub const SHIPPED: &str = "ci/consumers.yaml";

/// Name of the protocol: the only argument of every adapter.
pub const PROTOCOL: &str = "sframe-answers-2";

/// Time limit for printing the version; a reader that takes longer hangs.
const VERSION_LIMIT: Duration = Duration::from_secs(5);

/// An entry of a consumers' file. Unknown keys are refused.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consumer {
    /// Name in tables and for `--consumer`.
    pub name: String,
    /// Project of the reader: known bugs of one version are looked up for other versions of the
    /// project. `None`: a project of its own.
    #[serde(default)]
    pub project: Option<String>,
    /// Description, one line.
    pub about: String,
    /// Command of the adapter: words separated by blanks. The first is a program on `PATH` or a
    /// file below the project's folder; others that are files there are replaced by their paths;
    /// `{self}` is this program.
    pub command: String,
    /// Command for people that shows its answers for a file `repro.elf` that contains the section,
    /// or for `repro.sframe`.
    #[serde(default)]
    pub shown_by: Option<String>,
    /// Command that prints its version; `None`: the adapter with `--version`.
    #[serde(default)]
    pub version_command: Option<String>,
    /// Regular expression for the output of the version command; group 1 is the version.
    pub version_pattern: String,
    /// How to install it.
    pub from: String,
    /// Tables that it claims to read: those that match any of these.
    pub reads: Vec<Reads>,
    /// Features that it does not claim to support.
    #[serde(default)]
    pub except: Vec<Exception>,
    /// Ids of the only vectors that it is tested with; empty: all that it claims to read.
    #[serde(default)]
    pub only: Vec<String>,
    /// Parts of its answers besides CFA, RA and FP; other parts are not compared.
    #[serde(default)]
    pub tells: Vec<Tells>,
    /// Limits for each question.
    #[serde(default)]
    pub limits: ConsumerLimits,
}

impl Consumer {
    /// Returns true if the reader is a linker, by `{self} answer --linker`.
    pub fn is_linker(&self) -> bool {
        self.command.split_ascii_whitespace().any(|word| word == "--linker")
    }
}

/// Versions and ABIs of tables.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reads {
    /// SFrame versions: `v1`, `v2`, `v2e1`, `v3`.
    #[serde(default)]
    pub versions: Vec<String>,
    /// Other tables: `eh-frame`.
    #[serde(default)]
    pub tables: Vec<String>,
    /// ABIs; empty for all.
    #[serde(default)]
    pub abis: Vec<String>,
}

/// A feature that a reader may not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exception {
    /// Sections whose flag SORTED is clear.
    Unsorted,
    /// Starts relative to the section, in versions that also have starts relative to their field.
    SectionStarts,
    /// Flexible rows.
    Flex,
    /// Auxiliary headers, and gaps between the parts of a section.
    Gaps,
    /// Rows that repeat in blocks.
    Blocks,
    /// Sections without functions, or with one that has no bytes.
    Empty,
    /// Rules of `.eh_frame` that are DWARF expressions.
    Expressions,
    /// Undefined return addresses in `.eh_frame`.
    Outermost,
    /// Rules of `.eh_frame` by other registers than SP, FP and that of the return address.
    Registers,
    /// Single rows: it walks stacks only.
    Rows,
    /// `.eh_frame` without a search table in `.eh_frame_hdr`.
    NoIndex,
    /// Invalid sections: the reader trusts its input.
    Malformed,
    /// Answers about code that nothing readable describes: the reader has other means.
    Guesses,
}

/// Parts of an answer besides CFA, RA and FP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tells {
    /// Whether a return address is signed.
    Signed,
    /// Key with which the return address is signed.
    Key,
    /// Whether a frame is a signal frame.
    Signal,
    /// Other registers that a call preserves, in place of FP.
    Registers,
    /// All callers of a stack.
    Chain,
    /// The time that its answers take.
    Time,
}

/// Limits for one section.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ConsumerLimits {
    /// Seconds after which the reader is killed.
    pub seconds: u64,
    /// Address space in MiB; 0 for no limit, which an address sanitizer needs.
    pub memory_mib: u64,
}

impl Default for ConsumerLimits {
    fn default() -> Self {
        ConsumerLimits { seconds: 10, memory_mib: 1024 }
    }
}

/// Errors of a consumers' file.
#[derive(Debug, thiserror::Error)]
pub enum ConsumersError {
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// An unknown name, or a duplicate.
    #[error("{}: {name}: {what}", path.display())]
    Entry { path: PathBuf, name: String, what: String },
}

/// Reads a consumers' file.
pub fn read(path: &Path) -> Result<Vec<Consumer>, ConsumersError> {
    let text = yaml::text(path)?;
    missing(path, &text)?;
    let consumers: Vec<Consumer> = yaml::parse(path, &text)?;
    for (index, consumer) in consumers.iter().enumerate() {
        let failed = |what: String| ConsumersError::Entry { path: path.to_owned(), name: consumer.name.clone(), what };
        if consumers[..index].iter().any(|other| other.name == consumer.name) {
            return Err(failed("duplicate entry name".to_owned()));
        }
        let reads = || consumer.reads.iter();
        if let Some(name) = reads().flat_map(|one| &one.versions).find(|name| SframeVersion::named(name).is_none()) {
            return Err(failed(unknown_version(name).to_string()));
        }
        let other = TableFormat::EhFrame.name();
        if let Some(name) = reads().flat_map(|one| &one.tables).find(|name| **name != other) {
            return Err(failed(Unknown::new("table", name, [other]).to_string()));
        }
        if reads().any(|one| one.versions.is_empty() && one.tables.is_empty()) {
            return Err(failed("reads neither versions nor tables".to_owned()));
        }
        if let Some(name) = reads().flat_map(|one| &one.abis).find(|name| !is_abi(name)) {
            return Err(failed(unknown_abi(name).to_string()));
        }
        let pattern = Regex::new(&consumer.version_pattern).map_err(|error| failed(error.to_string()))?;
        if pattern.captures_len() < 2 || consumer.command.trim().is_empty() || consumer.limits.seconds == 0 {
            return Err(failed("needs a command, a version pattern with a group, and seconds from 1".to_owned()));
        }
    }
    Ok(consumers)
}

/// Keys that every entry has.
const REQUIRED: [&str; 6] = ["name", "about", "command", "version_pattern", "from", "reads"];

/// Reports every required key that an entry lacks, at once.
fn missing(path: &Path, text: &str) -> Result<(), ConsumersError> {
    // Other forms than a list of keys are reported with their line when the file is read whole.
    let Ok(entries) = yaml::parse::<Vec<BTreeMap<String, serde_json::Value>>>(path, text) else { return Ok(()) };
    for (number, entry) in entries.iter().enumerate() {
        let lacks: Vec<&str> = REQUIRED.into_iter().filter(|key| !entry.contains_key(*key)).collect();
        if !lacks.is_empty() {
            let name = entry.get("name").and_then(serde_json::Value::as_str).map(str::to_owned);
            let name = name.unwrap_or_else(|| format!("entry {}", number + 1));
            let keys = if lacks.len() == 1 { "key" } else { "keys" };
            let what = format!("lacks the {keys} {} (ci/readers.md has an example)", lacks.join(", "));
            return Err(ConsumersError::Entry { path: path.to_owned(), name, what });
        }
    }
    Ok(())
}

impl Consumer {
    /// Project of the reader.
    pub fn project(&self) -> &str {
        self.project.as_deref().unwrap_or(&self.name)
    }

    /// Returns true if the reader claims to read tables of this format for this ABI.
    pub fn reads(&self, format: TableFormat, abi: Abi) -> bool {
        let has = |reads: &Reads| {
            let mut names = reads.versions.iter().chain(&reads.tables);
            has_abi(&reads.abis, abi) && names.any(|name| name == format.name())
        };
        self.reads.iter().any(has)
    }

    /// The reader, if it is installed and its version matches the pattern.
    pub fn find(&self, root: &Path, this_program: &Path) -> Option<Reader> {
        let asked = self.version_command.clone().unwrap_or_else(|| format!("{} --version", self.command));
        let asked = words(&asked, root, this_program);
        let (program, arguments) = asked.split_first()?;
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let bounds = Bounds { time: VERSION_LIMIT, most_file: None, most_memory: None };
        let ran = run_bounded(program, &arguments, root, bounds, &[]);
        let printed = ran.ok().filter(|ran| ran.success)?.stdout;
        let pattern = Regex::new(&self.version_pattern).ok()?;
        let version = pattern.captures(&printed)?.get(1)?.as_str().to_owned();
        Some(Reader { consumer: self.clone(), version, words: words(&self.command, root, this_program) })
    }
}

fn words(command: &str, root: &Path, this_program: &Path) -> Vec<String> {
    let word = |word: &str| match root.join(word) {
        _ if word == "{self}" => this_program.display().to_string(),
        file if word.contains('/') && file.is_file() => file.display().to_string(),
        _ => word.to_owned(),
    };
    command.split_whitespace().map(word).collect()
}

/// An installed reader.
#[derive(Clone, Debug)]
pub struct Reader {
    /// Its entry.
    pub consumer: Consumer,
    /// Version that it prints.
    pub version: String,
    words: Vec<String>,
}
