//! Readers of `.sframe` under test: the entries of a consumers' file, which of them are here, and
//! questions to one of them.
//!
//! A reader is any program that speaks the protocol of `ci/readers.md`: it gets sections and PCs,
//! and answers a line each.

mod reply;
mod session;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use regex::Regex;
use types::{Abi, SframeVersion};

use crate::by_abi::{has_abi, is_abi};
use crate::process::{Bounds, run_bounded};
use crate::yaml::{self, YamlError};

pub use reply::{Question, Reply};

/// The consumers' file that is shipped, below the project's folder.
pub const SHIPPED: &str = "ci/consumers.yaml";

/// The protocol; the one argument of every adapter.
pub const PROTOCOL: &str = "sframe-answers-2";

/// A reader takes longer than this to print its version only if it hangs.
const VERSION_LIMIT: Duration = Duration::from_secs(5);

/// A reader of a consumers' file. Unknown keys are refused.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consumer {
    /// In tables and with `--consumer`.
    pub name: String,
    /// The project of the reader: known bugs of one version are looked up for others.
    /// `None`: a project of its own.
    #[serde(default)]
    pub project: Option<String>,
    /// A line for people.
    pub about: String,
    /// The adapter: words with blanks between, of which the first is a program on `PATH` or a file
    /// below the project's folder, and others that are files there are given by their path;
    /// `{self}` is this program.
    pub command: String,
    /// For people: what shows its answers on a file `repro.elf` that has the section, or on
    /// `repro.sframe`.
    #[serde(default)]
    pub shown_by: Option<String>,
    /// The command that prints its version; none for the adapter with `--version`.
    #[serde(default)]
    pub version_command: Option<String>,
    /// Regular expression on what it prints then; group 1 is the version.
    pub version_pattern: String,
    /// How to get it.
    pub from: String,
    /// What it claims to read: anything that one of these has.
    pub reads: Vec<Reads>,
    /// What it does not claim to read.
    #[serde(default)]
    pub except: Vec<Exception>,
    /// The only vectors that it is asked for, by id; none for all that it claims to read.
    #[serde(default)]
    pub only: Vec<String>,
    /// What its answers say beside the three values; of the rest nothing is asked.
    #[serde(default)]
    pub tells: Vec<Tells>,
    /// For each question.
    #[serde(default)]
    pub limits: ConsumerLimits,
}

impl Consumer {
    /// Returns true if a linker answers, by `{self} answer --linker`.
    pub fn is_linker(&self) -> bool {
        self.command.split_ascii_whitespace().any(|word| word == "--linker")
    }
}

/// Versions for ABIs.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reads {
    /// SFrame versions: `v1`, `v2`, `v2e1`, `v3`.
    pub versions: Vec<String>,
    /// ABIs; none for all.
    #[serde(default)]
    pub abis: Vec<String>,
}

/// What a reader may do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exception {
    /// Sections that do not claim to be sorted.
    Unsorted,
    /// Starts that count from the section, in versions in which they can count from their field.
    SectionStarts,
    /// Flexible rows.
    Flex,
    /// Auxiliary headers, and gaps between the parts of a section.
    Gaps,
    /// Rows that repeat in blocks.
    Blocks,
    /// Sections without functions, or with one that has no bytes.
    Empty,
    /// Sections that cannot be read: it trusts who gives them.
    Malformed,
}

/// Parts of an answer besides CFA, RA and FP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tells {
    /// That a return address is signed.
    Signed,
    /// The key with which it is signed.
    Key,
    /// That a frame is a signal's.
    Signal,
    /// All callers of a stack.
    Chain,
}

/// Bounds of one section.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ConsumerLimits {
    /// Seconds until it is killed.
    pub seconds: u64,
    /// Address space in MiB; 0 for no bound, which an address sanitizer needs.
    pub memory_mib: u64,
}

impl Default for ConsumerLimits {
    fn default() -> Self {
        ConsumerLimits { seconds: 10, memory_mib: 1024 }
    }
}

/// Why a consumers' file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConsumersError {
    /// It cannot be read or parsed.
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// A name that there is not, or twice.
    #[error("{}: {name}: {what}", path.display())]
    Entry { path: PathBuf, name: String, what: String },
}

/// Reads a consumers' file.
///
/// # Errors
/// When it cannot be read, has unknown keys, or an entry makes no sense.
pub fn read(path: &Path) -> Result<Vec<Consumer>, ConsumersError> {
    let text = yaml::text(path)?;
    missing(path, &text)?;
    let consumers: Vec<Consumer> = yaml::parse(path, &text)?;
    for (index, consumer) in consumers.iter().enumerate() {
        let failed = |what: String| ConsumersError::Entry { path: path.to_owned(), name: consumer.name.clone(), what };
        if consumers[..index].iter().any(|other| other.name == consumer.name) {
            return Err(failed("a second entry of this name".to_owned()));
        }
        let reads = || consumer.reads.iter();
        if let Some(name) = reads().flat_map(|one| &one.versions).find(|name| SframeVersion::named(name).is_none()) {
            return Err(failed(format!("'{name}' is no SFrame version")));
        }
        if let Some(name) = reads().flat_map(|one| &one.abis).find(|name| !is_abi(name)) {
            return Err(failed(format!("'{name}' is no ABI")));
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
    /// The project of the reader.
    pub fn project(&self) -> &str {
        self.project.as_deref().unwrap_or(&self.name)
    }

    /// It claims to read that version for that ABI.
    pub fn reads(&self, version: SframeVersion, abi: Abi) -> bool {
        let has = |reads: &Reads| {
            has_abi(&reads.abis, abi) && reads.versions.iter().any(|name| SframeVersion::named(name) == Some(version))
        };
        self.reads.iter().any(has)
    }

    /// The reader, if it is here and its version matches the pattern.
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

/// A reader that is here.
#[derive(Clone, Debug)]
pub struct Reader {
    /// Its entry.
    pub consumer: Consumer,
    /// As it prints it.
    pub version: String,
    words: Vec<String>,
}
