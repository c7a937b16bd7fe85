//! The producers of a machine: the tools of the producers' file that are installed, and why the
//! others are not.
//!
//! The file is `ci/producers.yaml`, or one of the user's (`--producers`,
//! `SFRAME_CONFORMANCE_PRODUCERS`). Commands come only from it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use results::{ProducerFacts, ToolVersion};
use types::{Abi, SframeVersion};

use crate::cache::Cache;
use crate::entry::{Kind, ProducerEntry, has_abi};
use crate::entry_error::{self, EntryError};
use crate::find::{self, FindError, VersionCache};
use crate::tool::Tool;
use crate::yaml::{self, YamlError};

/// Environment variable with the path of a producers' file.
pub const VARIABLE: &str = "SFRAME_CONFORMANCE_PRODUCERS";

/// Path of the shipped producers' file, relative to the project's folder.
pub const SHIPPED: &str = "ci/producers.yaml";

/// The tools of a producers' file. A tool is searched when it is first needed.
#[derive(Debug)]
pub struct Producers {
    pub(crate) entries: Vec<Arc<ProducerEntry>>,
    pub(crate) found: BTreeMap<(String, Abi), OnceLock<ToolsFound>>,
    pub(crate) root: PathBuf,
    /// True for the shipped file, to which the ledger belongs.
    pub(crate) shipped: bool,
    /// Names of the tools in whose place are programs of the user's own.
    pub(crate) local: BTreeSet<String>,
    cache: Option<Arc<Cache>>,
    pub(crate) versions: VersionCache,
}

/// The versions of a tool for an ABI, or why there are none.
pub(crate) type ToolsFound = Result<Vec<Tool>, FindError>;

/// A version that is not installed.
#[derive(Clone, Debug)]
pub struct Absent {
    /// Prefix of a wanted version; `absent` if none is wanted and none is installed.
    pub version: ToolVersion,
    /// How to install it, or why none was found.
    pub why: String,
    /// Origin of the version, if the file has it.
    pub from: Option<String>,
}

/// Errors of a producers' file.
#[derive(Debug, thiserror::Error)]
pub enum ProducersError {
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// An entry contradicts itself.
    #[error("{}: {name}: {error}", path.display())]
    Entry { path: PathBuf, name: String, error: EntryError },
}

impl Producers {
    /// Reads the file given by the option or the variable, else the shipped one.
    pub fn new(option: Option<&Path>, root: &Path) -> Result<Producers, ProducersError> {
        let variable = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
        let path = option.map(Path::to_owned).or(variable).unwrap_or_else(|| root.join(SHIPPED));
        Producers::read(&path, root)
    }

    /// Reads a producers' file.
    pub fn read(path: &Path, root: &Path) -> Result<Producers, ProducersError> {
        Producers::parse(path, &yaml::text(path)?, root)
    }

    /// Parses the contents of a producers' file.
    pub fn parse(path: &Path, text: &str, root: &Path) -> Result<Producers, ProducersError> {
        let entries: Vec<ProducerEntry> = yaml::parse(path, text)?;
        let mut found = BTreeMap::new();
        for entry in &entries {
            let failed = |error| ProducersError::Entry { path: path.to_owned(), name: entry.name.clone(), error };
            entry_error::check(entry, &entries).map_err(failed)?;
            for abi in Abi::ALL {
                if found.insert((entry.name.clone(), abi), OnceLock::new()).is_some() {
                    return Err(failed(EntryError::SecondOfName));
                }
            }
        }
        let root = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
        let shipped =
            path == root.join(SHIPPED) || std::path::absolute(path).is_ok_and(|path| path == root.join(SHIPPED));
        let entries = entries.into_iter().map(Arc::new).collect();
        Ok(Producers {
            entries,
            found,
            root,
            shipped,
            local: BTreeSet::new(),
            cache: None,
            versions: VersionCache::default(),
        })
    }

    #[must_use]
    pub fn with_cache(self, cache: Arc<Cache>) -> Producers {
        Producers { cache: Some(cache), ..self }
    }

    /// The cache, if there is one.
    pub fn cache(&self) -> Option<&Cache> {
        self.cache.as_deref()
    }

    /// The entries, in the order of the file.
    pub fn entries(&self) -> impl Iterator<Item = &Arc<ProducerEntry>> {
        self.entries.iter()
    }

    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Arc<ProducerEntry>> {
        self.entries.iter().filter(move |entry| entry.kind == kind)
    }

    /// All installed versions of a tool for an ABI, at least one.
    pub fn tools(&self, name: &str, abi: Abi) -> Result<&[Tool], &FindError> {
        let entry = self.entries.iter().find(|entry| entry.name == name);
        let cell = self.found.get(&(name.to_owned(), abi));
        let Some((entry, cell)) = entry.zip(cell) else { return Err(&FindError::NoEntry) };
        cell.get_or_init(|| find::find(entry, abi, &self.root, self.cache.as_ref(), &self.versions))
            .as_ref()
            .map(Vec::as_slice)
    }

    /// Facts about installed and missing producers, in the order of the file.
    pub fn facts(&self) -> Vec<ProducerFacts> {
        let mut facts = Vec::new();
        for entry in &self.entries {
            for abi in Abi::ALL.into_iter().filter(|abi| entry.program.get(*abi).is_some()) {
                let fact = |version: Option<&ToolVersion>, sframe: &[SframeVersion], told: &str| ProducerFacts {
                    name: entry.name.clone(),
                    kind: entry.kind.name().to_owned(),
                    abi: abi.name().to_owned(),
                    version: version.map(ToolVersion::to_string),
                    told: told.to_owned(),
                    from: None,
                    sframe: names(sframe),
                };
                let tools = self.tools(&entry.name, abi).unwrap_or_default();
                facts.extend(tools.iter().map(|tool| fact(Some(&tool.version), tool.sframe(), &tool.banner)));
                facts.extend(self.absent(entry, abi).into_iter().map(|absent| {
                    let told = fact(None, &[], &absent.why);
                    ProducerFacts { from: absent.from, ..told }
                }));
            }
        }
        facts
    }

    /// Wanted versions of an entry that are not installed; also one item if none is wanted and none
    /// is installed.
    pub fn absent(&self, entry: &ProducerEntry, abi: Abi) -> Vec<Absent> {
        if entry.program.get(abi).is_none() {
            return Vec::new();
        }
        let found = self.tools(&entry.name, abi);
        let is_here = |wanted: &ToolVersion| {
            found.is_ok_and(|tools| tools.iter().any(|tool| tool.version.begins_with(wanted.as_str())))
        };
        let missing = entry.wanted.iter().filter(|wanted| !is_here(&wanted.version));
        let mut absent: Vec<Absent> = missing
            .map(|wanted| {
                let why = format!("{} {} was not found: {}", entry.name, wanted.version, wanted.from);
                Absent { version: wanted.version.clone(), why, from: Some(wanted.from.clone()) }
            })
            .collect();
        if let (Err(why), true) = (found, absent.is_empty()) {
            absent.push(Absent { version: ToolVersion::new("absent"), why: why.to_string(), from: None });
        }
        absent
    }

    /// Returns true if programs of the user's own are in the place of this tool.
    pub fn is_local(&self, name: &str) -> bool {
        self.local.contains(name)
    }

    /// Returns true if the file is the shipped one, and no program replaces one of its tools: the
    /// ledger was written for these.
    pub fn are_as_shipped(&self) -> bool {
        self.shipped
    }

    /// Missing versions with reasons; empty for the shipped file, which lists more than a single
    /// machine needs.
    pub fn missing(&self) -> Vec<Absent> {
        if self.shipped {
            return Vec::new();
        }
        let mut missing = Vec::new();
        for entry in &self.entries {
            for abi in Abi::ALL {
                let named =
                    |absent: Absent| Absent { why: format!("{} for {abi}: {}", entry.name, absent.why), ..absent };
                missing.extend(self.absent(entry, abi).into_iter().map(named));
            }
        }
        missing
    }

    /// Returns true if no producer of objects for an ABI is missing: the file is the shipped one,
    /// and every version that it wants is installed.
    pub fn are_all_here(&self, abi: Abi) -> bool {
        let makers = self.entries.iter().filter(|entry| matches!(entry.kind, Kind::Assembler | Kind::Compiler));
        self.shipped && makers.into_iter().all(|entry| self.absent(entry, abi).is_empty())
    }

    /// The best partner of a kind for a tool: of the same version, else the first that suits.
    pub fn partner(&self, tool: &Tool, kind: Kind, suits: impl Fn(&Tool) -> bool) -> Option<&Tool> {
        let partners = self.partners(tool, kind, true);
        let mut suiting = partners.into_iter().filter(|partner| suits(partner));
        let first = suiting.next()?;
        if first.version == tool.version {
            return Some(first);
        }
        Some(suiting.find(|partner| partner.version == tool.version).unwrap_or(first))
    }

    /// All partners of a kind that a tool's entry names, in its order.
    pub fn partners(&self, tool: &Tool, kind: Kind, full: bool) -> Vec<&Tool> {
        let mut partners = Vec::new();
        for partner in tool.entry.with.iter().filter(|with| has_abi(&with.abis, tool.abi) && (full || with.often)) {
            let tools = self.tools(&partner.name, tool.abi).unwrap_or_default();
            let suits = |found: &&Tool| found.entry.kind == kind && found.version.at_least(&partner.from);
            partners.extend(tools.iter().filter(suits));
        }
        partners
    }
}

fn names(versions: &[SframeVersion]) -> String {
    let names: Vec<&str> = versions.iter().map(|version| version.name()).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(",") }
}
