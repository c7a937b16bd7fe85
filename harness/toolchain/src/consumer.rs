//! Readers of `.sframe` under test: the entries of a consumers' file, which of them are here, and one question to one of them.
//!
//! A reader is any program that speaks the protocol of `ci/README.md`: it gets a section and PCs, and answers a line each.

use std::path::{Path, PathBuf};
use std::time::Duration;

use model::{Abi, ByteOrder, SframeVersion};
use regex::Regex;

use crate::by_abi::{has_abi, is_abi};
use crate::process::{Bounds, Finished, ProcessError, run_bounded};
use crate::yaml::{self, YamlError};

/// The consumers' file that is shipped, below the project's folder.
pub const SHIPPED: &str = "ci/consumers.yaml";

/// The protocol that the arguments and lines below are of; the first argument of every adapter.
pub const PROTOCOL: &str = "sframe-answers-1";

/// A reader takes longer than this to print its version only if it hangs.
const VERSION_LIMIT: Duration = Duration::from_secs(10);

/// A reader of a consumers' file. Unknown keys are refused.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consumer {
    /// In tables and with `--consumer`.
    pub name: String,
    /// A line for people.
    pub about: String,
    /// The adapter: words with blanks between, of which the first is a program on `PATH` or a file below the project's folder, and
    /// others that are files there are given by their path; `{self}` is this program.
    pub command: String,
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
    /// What its answers say beside the three values; of the rest nothing is asked.
    #[serde(default)]
    pub tells: Vec<Tells>,
    /// For each question.
    #[serde(default)]
    pub limits: ConsumerLimits,
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
    /// Flexible rows.
    Flex,
    /// Auxiliary headers, and gaps between the parts of a section.
    Gaps,
    /// Rows that repeat in blocks.
    Blocks,
}

/// What an answer says beside CFA, RA and FP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tells {
    /// That a return address is signed.
    Signed,
    /// With which key.
    Key,
    /// That a frame is a signal's.
    Signal,
}

/// Bounds of one question.
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
#[allow(missing_docs, reason = "the messages say what the fields are")]
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
    let consumers: Vec<Consumer> = yaml::read(path)?;
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

impl Consumer {
    /// It claims to read that version for that ABI.
    pub fn reads(&self, version: SframeVersion, abi: Abi) -> bool {
        let has = |reads: &Reads| {
            has_abi(&reads.abis, abi) && reads.versions.iter().any(|name| SframeVersion::named(name) == Some(version))
        };
        self.reads.iter().any(has)
    }

    /// Looks whether it is here, and in which version.
    ///
    /// # Errors
    /// Why not, in a sentence.
    pub fn find(&self, root: &Path, this_program: &Path) -> Result<Reader, String> {
        let asked = self.version_command.clone().unwrap_or_else(|| format!("{} --version", self.command));
        let asked = words(&asked, root, this_program);
        let (program, arguments) = asked.split_first().ok_or_else(|| self.from.clone())?;
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let bounds = Bounds { time: VERSION_LIMIT, most_file: None, most_memory: None };
        let ran = run_bounded(program, &arguments, root, bounds, &[]);
        let told = ran.ok().filter(|ran| ran.success).map(|ran| ran.stdout);
        let pattern = Regex::new(&self.version_pattern).map_err(|error| error.to_string())?;
        let version = told.as_deref().and_then(|told| pattern.captures(told)).and_then(|groups| groups.get(1));
        let version = version.ok_or_else(|| self.from.clone())?.as_str().to_owned();
        Ok(Reader { consumer: self.clone(), version, words: words(&self.command, root, this_program) })
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

/// A section and where it stands.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "named after what they are")]
pub struct Question<'a> {
    pub section: &'a Path,
    pub address: u64,
    /// First address of the code, and first after it.
    pub text: (u64, u64),
    pub order: ByteOrder,
    pub abi: Abi,
    /// A line for each PC: the PC, and the state of a machine there.
    pub lines: &'a str,
}

/// How a question ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It printed these lines.
    Lines(String),
    /// It refused the section.
    Refused,
    /// A signal ended it.
    Crash(i32),
    /// It did not end in time.
    Hang,
    /// A sanitiser ended it.
    Sanitiser(String),
    /// It ran out of memory, as it says.
    OutOfMemory,
    /// It did not speak the protocol, or could not be started.
    Broken(String),
}

/// Exit statuses of adapters.
mod status {
    pub(super) const REFUSED: i32 = 1;
    pub(super) const OUT_OF_MEMORY: i32 = 4;
    pub(super) const SANITISER: i32 = 99;
}

impl Reader {
    /// Asks for the rows of a section, in a process of its own.
    pub fn ask(&self, question: &Question<'_>) -> Reply {
        let Some((program, first)) = self.words.split_first() else { return Reply::Broken("no command".to_owned()) };
        let order = match question.order {
            ByteOrder::Little => "little",
            ByteOrder::Big => "big",
        };
        let hex = |value: u64| format!("{value:#x}");
        let (address, start, end) = (hex(question.address), hex(question.text.0), hex(question.text.1));
        let section = question.section.display().to_string();
        let mut arguments: Vec<&str> = first.iter().map(String::as_str).collect();
        arguments.extend([PROTOCOL, &section, &address, &start, &end, order, question.abi.name()]);
        let limits = self.consumer.limits;
        let bounds = Bounds {
            time: Duration::from_secs(limits.seconds),
            most_file: Some(16 << 20),
            most_memory: (limits.memory_mib > 0).then(|| limits.memory_mib.saturating_mul(1 << 20)),
        };
        match run_bounded(program, &arguments, Path::new("/"), bounds, question.lines.as_bytes()) {
            Ok(ran) => reply(ran),
            Err(ProcessError::Timeout { .. }) => Reply::Hang,
            Err(error) => Reply::Broken(error.to_string()),
        }
    }
}

fn reply(ran: Finished) -> Reply {
    match (ran.signal, ran.code) {
        (Some(signal), _) => Reply::Crash(signal),
        (None, Some(0)) => Reply::Lines(ran.stdout),
        (None, Some(status::REFUSED)) => Reply::Refused,
        (None, Some(status::OUT_OF_MEMORY)) => Reply::OutOfMemory,
        (None, Some(status::SANITISER)) => Reply::Sanitiser(ran.stderr),
        (None, _) => Reply::Broken(ran.complaint()),
    }
}
