//! Validation of entries of a producers' file, before any tool is run.

use types::{SframeVersion, Unknown};

use crate::by_abi::{is_abi, unknown_abi, unknown_version};
use crate::entry::{Kind, ProducerEntry, Step};
use crate::find::{PatternError, check_patterns};

#[derive(Debug, thiserror::Error)]
pub enum EntryError {
    #[error("a name consists of letters, digits, '-' and '_'")]
    Name,
    #[error("duplicate entry name")]
    SecondOfName,
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A key or list names an ABI that does not exist.
    #[error("{0}")]
    NoAbi(Box<Unknown>),
    /// A list names an SFrame version that does not exist.
    #[error("{0}")]
    NoSframeVersion(Box<Unknown>),
    #[error("its partner '{0}' has no entry")]
    NoPartner(String),
    #[error("kind {} needs a step '{}'", kind.name(), names(steps).join("' or '"))]
    NoStep { kind: Kind, steps: &'static [Step] },
    #[error("limits: seconds from 1 to {MOST_SECONDS}, file_mib from 1")]
    Limits,
    #[error("'{template}' has an unknown placeholder: one of {}", PLACEHOLDERS.join(" "))]
    Placeholder { template: String },
    #[error("'{word}': {} must each be a separate word: they expand to any number of words", LISTS.join(" "))]
    Joined { word: String },
    /// A command without inputs, or without output.
    #[error("'{0}' lacks {{inputs}} or {{output}}")]
    NoFiles(String),
}

/// Maximum time limit: a command that may run for a day might as well hang.
const MOST_SECONDS: u64 = 86_400;

/// Placeholders of command templates.
const PLACEHOLDERS: [&str; 7] = ["{program}", "{folder}", "{abi}", "{sframe}", "{options}", "{inputs}", "{output}"];

/// Placeholders for any number of words.
const LISTS: [&str; 4] = ["{abi}", "{sframe}", "{options}", "{inputs}"];

/// Checks one entry in the context of all entries of a file.
pub(crate) fn check(entry: &ProducerEntry, all: &[ProducerEntry]) -> Result<(), EntryError> {
    if entry.name.is_empty() || !entry.name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) {
        return Err(EntryError::Name);
    }
    check_patterns(entry)?;
    let named = [entry.program.unknown(), entry.abi_words.unknown(), entry.version.target.unknown()];
    let listed = entry.sframe.iter().flat_map(|writes| &writes.abis);
    let listed = listed
        .chain(entry.options.iter().flat_map(|set| &set.abis))
        .chain(entry.with.iter().flat_map(|with| &with.abis));
    let listed = listed.map(String::as_str).filter(|name| !is_abi(name));
    if let Some(name) = named.into_iter().flatten().chain(listed).next() {
        return Err(EntryError::NoAbi(unknown_abi(name).into()));
    }
    let mut versions = entry.sframe.iter().flat_map(|writes| &writes.versions);
    if let Some(name) = versions.find(|name| *name != "none" && SframeVersion::named(name).is_none()) {
        return Err(EntryError::NoSframeVersion(unknown_version(name).into()));
    }
    if let Some(with) = entry.with.iter().find(|with| all.iter().all(|other| other.name != with.name)) {
        return Err(EntryError::NoPartner(with.name.clone()));
    }
    let (kind, steps) = (entry.kind, needed(entry.kind));
    if !steps.iter().any(|step| entry.steps.contains_key(step)) {
        return Err(EntryError::NoStep { kind, steps });
    }
    if entry.limits.seconds == 0 || entry.limits.seconds > MOST_SECONDS || entry.limits.file_mib == 0 {
        return Err(EntryError::Limits);
    }
    entry.steps.values().try_for_each(|template| check_template(template))
}

/// The steps of which a tool of a kind needs at least one.
const fn needed(kind: Kind) -> &'static [Step] {
    match kind {
        Kind::Compiler => &[Step::Compile, Step::CompileObject],
        Kind::Assembler => &[Step::Assemble],
        Kind::Linker => &[Step::Link, Step::Relocatable, Step::Shared],
        Kind::PostProcessor => &[Step::Strip, Step::Copy],
    }
}

fn check_template(template: &str) -> Result<(), EntryError> {
    let rest = PLACEHOLDERS.iter().fold(template.to_owned(), |rest, name| rest.replace(name, ""));
    if rest.contains(['{', '}']) {
        return Err(EntryError::Placeholder { template: template.to_owned() });
    }
    let is_joined = |word: &&str| LISTS.iter().any(|list| word.contains(list)) && !LISTS.contains(word);
    if let Some(word) = template.split_whitespace().find(is_joined) {
        return Err(EntryError::Joined { word: word.to_owned() });
    }
    if !template.contains("{output}") || !template.contains("{inputs}") {
        return Err(EntryError::NoFiles(template.to_owned()));
    }
    Ok(())
}

fn names(steps: &[Step]) -> Vec<&'static str> {
    steps.iter().map(|step| step.name()).collect()
}
