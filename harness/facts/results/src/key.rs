//! Trial names: `producer@version::abi::vN::topic::case`. They are test names, and keys of the
//! ledger and the history.

mod pattern;

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

pub use pattern::{KeyPattern, Pieces};

use crate::{ToolName, ToolVersion};
use types::Abi;

/// Name of one trial. It prints as `gas@2.40::amd64::v1::frames::push-pop`, and parses back.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// Tool under test, or the maker of a frozen object: `gas`, `clang`, `ld`.
    pub producer: String,
    /// The producer's version, or `absent`.
    pub version: ToolVersion,
    /// The target.
    pub abi: Abi,
    /// Expected SFrame version: `v1`, `v2`, `v2e1`, `v3`, or `none`.
    pub sframe: String,
    /// Folder of the case under `cases/`.
    pub topic: String,
    /// The case and its variant: [`Key::case_name`].
    pub case: String,
}

impl Key {
    /// Tool under test: `gas@2.40`.
    pub fn tool(&self) -> ToolName {
        ToolName { name: self.producer.clone(), version: self.version.clone() }
    }

    /// Version of a project's tool that took part, if the name contains it.
    pub fn version_of(&self, project: &str) -> Option<ToolVersion> {
        if !self.may_name(project) {
            return None;
        }
        let beside = self.case_name().varied().filter_map(|part| part.parse::<ToolName>().ok());
        std::iter::once(self.tool()).chain(beside).find(|tool| tool.name == project).map(|tool| tool.version)
    }

    /// The name without the version of a project: `gas::amd64::v2::c::leaf+gcc@12.2.0+O2` for
    /// `gas`.
    pub fn without_version_of(&self, project: &str) -> String {
        if !self.may_name(project) {
            return self.to_string();
        }
        let plain = |tool: &ToolName| if tool.name == project { tool.name.clone() } else { tool.to_string() };
        let Key { abi, sframe, topic, .. } = self;
        let case = self.case_name().with_tools(plain);
        [&plain(&self.tool()), abi.name(), sframe, topic, &case].join(SEPARATOR)
    }

    /// Returns false if the name surely contains no tool with this name; a quick check.
    fn may_name(&self, project: &str) -> bool {
        self.producer == project || self.case.contains(project)
    }

    /// [`Key::without_version_of`], with the project in place of the producer if the project is not
    /// in the name: as if the tool under test were the project's.
    #[must_use]
    pub fn as_if_of(&self, project: &str) -> String {
        match self.version_of(project) {
            Some(_) => self.without_version_of(project),
            None => Key { producer: project.to_owned(), ..self.clone() }.without_version_of(project),
        }
    }

    /// The name without the version of any tool.
    pub fn without_versions(&self) -> String {
        let case = self.case_name().with_tools(|tool| tool.name.clone());
        let Key { abi, sframe, topic, .. } = self;
        [&self.producer, abi.name(), sframe, topic, &case].join(SEPARATOR)
    }

    /// The parts of the last part.
    pub fn case_name(&self) -> CaseName<'_> {
        CaseName(&self.case)
    }

    /// The key with dates of snapshots removed from every version: the same for a nightly build on
    /// every day.
    #[must_use]
    pub fn without_days(&self) -> Key {
        Key {
            version: ToolVersion::new(self.version.without_day()),
            case: self.case_name().with_tools(|tool| tool.without_day().to_string()),
            ..self.clone()
        }
    }
}

/// Ordered by the texts of the parts, in which `2.40` precedes `2.9`: lists of trials are in this
/// order.
impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        let parts = |key: &Key| (key.abi, [key.sframe.clone(), key.topic.clone(), key.case.clone()]);
        let by_tool = (&self.producer, self.version.as_str()).cmp(&(&other.producer, other.version.as_str()));
        by_tool.then_with(|| parts(self).cmp(&parts(other)))
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Key { producer, version, abi, sframe, topic, case } = self;
        write!(f, "{producer}@{version}::{abi}::{sframe}::{topic}::{case}")
    }
}

/// The error for a text that is not a [`Key`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a trial name of the form producer@version::abi::vN::topic::case")]
pub struct KeyError(pub String);

impl FromStr for Key {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let error = || KeyError(text.to_owned());
        let mut parts = text.split(SEPARATOR);
        let mut next = || parts.next().filter(|part| !part.is_empty()).ok_or_else(error);
        let (tool, abi, sframe, topic, case) = (next()?, next()?, next()?, next()?, next()?);
        let ToolName { name: producer, version } = tool.parse().map_err(|_| error())?;
        if parts.next().is_some() {
            return Err(error());
        }
        Ok(Key {
            producer,
            version,
            abi: abi.parse().map_err(|_| error())?,
            sframe: sframe.to_owned(),
            topic: topic.to_owned(),
            case: case.to_owned(),
        })
    }
}

/// The separator of the parts of a key.
const SEPARATOR: &str = "::";

/// The last part of a key: the case, followed by the tools and options that it was built with in
/// addition to the producer. `leaf+gcc@12.2.0+O2` is the case `leaf` compiled by gcc 12.2.0 with
/// the option set `O2`; `leaf+O2` the same by the producer itself; `two+gas@2.40` a link of objects
/// of gas 2.40.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseName<'a>(pub &'a str);

impl<'a> CaseName<'a> {
    /// File name of the case, without `.yaml`.
    pub fn plain(self) -> &'a str {
        self.0.split(VARIED).next().unwrap_or_default()
    }

    /// The variant parts, in order: `gcc@12.2.0`, `O2`.
    pub fn varied(self) -> impl Iterator<Item = &'a str> {
        self.0.split(VARIED).skip(1)
    }

    /// The second tool: the compiler of an assembler's trial, the assembler of a linker's.
    pub fn tool(self) -> Option<ToolName> {
        self.varied().find_map(|part| part.parse().ok())
    }

    /// Option set of the compiler.
    pub fn options(self) -> Option<&'a str> {
        self.varied().find(|part| !part.contains('@'))
    }

    /// The name with each tool replaced.
    fn with_tools(self, text: impl Fn(&ToolName) -> String) -> String {
        let part = |part: &str| part.parse().map_or_else(|_| part.to_owned(), |tool| text(&tool));
        self.0.split(VARIED).map(part).collect::<Vec<_>>().join("+")
    }
}

/// Prefix of each variant part of a case's name.
const VARIED: char = '+';
