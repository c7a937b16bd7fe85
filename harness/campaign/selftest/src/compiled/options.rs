//! Compiler options for random C programs: `ci/options.yaml`, and random selection of option sets.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use generators::c::Compiler;
use results::ToolVersion;
use toolchain::entry::{has_abi, unknown_abi};
use toolchain::yaml::{self, YamlError};
use types::Rng;
use types::{Abi, Unknown};

/// Path of the shipped file, relative to the project's folder.
pub const SHIPPED: &str = "ci/options.yaml";

/// Group of which each set contains exactly one option.
const LEVEL: &str = "level";

/// Maximum number of options in a set besides the level.
const MOST: u64 = 4;

/// Options that are used together.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// Name in messages: `stack-clash`.
    pub name: String,
    /// Arguments.
    pub words: String,
    /// Compiler that has them; `None` for both.
    #[serde(default)]
    pub compiler: Option<Family>,
    /// ABIs; empty for all.
    #[serde(default)]
    pub abis: Vec<String>,
    /// First version of the compiler that has them.
    #[serde(default)]
    pub since: ToolVersion,
    /// Group, of which at most one choice is selected.
    #[serde(default)]
    pub group: Option<String>,
    /// Relative frequency of selection.
    #[serde(default = "usual")]
    pub weight: u32,
}

types::named! {
    /// A family of compilers, by its name in the producers' file.
    pub enum Family {
        Gcc = "gcc",
        Clang = "clang",
    }
}

impl Family {
    /// The language features that its programs may use.
    pub const fn compiler(self) -> Compiler {
        match self {
            Family::Gcc => Compiler::Gcc,
            Family::Clang => Compiler::Clang,
        }
    }
}

/// Errors of a file of options.
#[derive(Debug, thiserror::Error)]
pub enum OptionsError {
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// A choice contradicts itself or another.
    #[error("{}: {name}: {error}", path.display())]
    Choice { path: PathBuf, name: String, error: ChoiceError },
    #[error("{}: no option of the group {LEVEL} for {family} on {abi}", path.display())]
    NoLevel { path: PathBuf, family: &'static str, abi: Abi },
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    #[error("a name consists of letters, digits and '-'")]
    Name,
    #[error("duplicate name of a choice for {0}")]
    Twice(Abi),
    /// It names an ABI that does not exist.
    #[error("{0}")]
    NoAbi(Box<Unknown>),
    #[error("words: each begins with '-', or follows one that takes an argument")]
    Words,
    /// The weight is out of range.
    #[error("weight: 1 to 1000")]
    Weight,
}

/// All choices of a file.
#[derive(Clone, Debug)]
pub struct Choices(Vec<Choice>);

impl Choices {
    /// Reads a file of options.
    pub fn read(path: &Path) -> Result<Choices, OptionsError> {
        Choices::parse(path, &yaml::text(path)?)
    }

    /// Parses the contents of a file of options.
    pub fn parse(path: &Path, text: &str) -> Result<Choices, OptionsError> {
        let choices: Vec<Choice> = yaml::parse(path, text)?;
        for (at, choice) in choices.iter().enumerate() {
            let failed = |error| OptionsError::Choice { path: path.to_owned(), name: choice.name.clone(), error };
            complaint(choice, choices.get(..at).unwrap_or_default()).map_or(Ok(()), |error| Err(failed(error)))?;
        }
        let choices = Choices(choices);
        for (family, abi) in [Family::Gcc, Family::Clang].into_iter().flat_map(|of| Abi::ALL.map(|abi| (of, abi))) {
            if choices.levels(family, abi).next().is_none() {
                return Err(OptionsError::NoLevel { path: path.to_owned(), family: family.name(), abi });
            }
        }
        Ok(choices)
    }

    fn levels(&self, family: Family, abi: Abi) -> impl Iterator<Item = &Choice> {
        let is = move |choice: &&Choice| choice.is_level() && choice.is_for(family, abi);
        self.0.iter().filter(is)
    }

    /// The option set of a seed for a compiler: a level, and up to 4 others.
    pub fn draw(&self, family: Family, version: &ToolVersion, abi: Abi, seed: u64) -> Vec<&Choice> {
        let mut rng = Rng::new(seed ^ 0x6f70_7469_6f6e_7300);
        let fits = |choice: &&Choice| choice.is_for(family, abi) && version.at_least(&choice.since);
        let (levels, mut others): (Vec<&Choice>, Vec<&Choice>) =
            self.0.iter().filter(fits).partition(|choice| choice.is_level());
        let mut set: Vec<&Choice> = weighted(&levels, &mut rng).into_iter().collect();
        // A third of the programs have only the level: bugs at plain levels affect most users.
        let count = rng.below(MOST + 2).saturating_sub(1);
        for _ in 0..count {
            let Some(one) = weighted(&others, &mut rng) else { break };
            set.push(one);
            let clashes = |other: &&Choice| other.name == one.name || one.group.is_some() && other.group == one.group;
            others.retain(|other| !clashes(other));
        }
        set
    }
}

/// A random choice, by weight.
fn weighted<'a>(choices: &[&'a Choice], rng: &mut Rng) -> Option<&'a Choice> {
    let mut at = rng.below(choices.iter().map(|choice| u64::from(choice.weight)).sum());
    choices.iter().copied().find(|choice| {
        let here = at < u64::from(choice.weight);
        at = at.saturating_sub(u64::from(choice.weight));
        here
    })
}

impl Choice {
    fn is_level(&self) -> bool {
        self.group.as_deref() == Some(LEVEL)
    }

    fn is_for(&self, family: Family, abi: Abi) -> bool {
        self.compiler.is_none_or(|own| own == family) && has_abi(&self.abis, abi)
    }
}

fn complaint(choice: &Choice, before: &[Choice]) -> Option<ChoiceError> {
    let abis: BTreeSet<&str> = Abi::ALL.into_iter().map(Abi::name).collect();
    if choice.name.is_empty() || !choice.name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
        return Some(ChoiceError::Name);
    }
    if let Some(abi) = choice.abis.iter().find(|abi| !abis.contains(abi.as_str()) && *abi != "aarch64") {
        return Some(ChoiceError::NoAbi(unknown_abi(abi).into()));
    }
    if !choice.words.starts_with('-') {
        return Some(ChoiceError::Words);
    }
    if !(1..=1000).contains(&choice.weight) {
        return Some(ChoiceError::Weight);
    }
    let clash = |abi: &Abi| {
        let of = |family| choice.is_for(family, *abi);
        let both = |other: &&Choice| {
            [Family::Gcc, Family::Clang].into_iter().any(|family| of(family) && other.is_for(family, *abi))
        };
        before.iter().any(|other| other.name == choice.name && both(&other))
    };
    Abi::ALL.into_iter().find(clash).map(ChoiceError::Twice)
}

fn usual() -> u32 {
    10
}
