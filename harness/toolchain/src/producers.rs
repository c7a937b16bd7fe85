//! The producers of a machine: what the producers' file names, what of it was found, and why the rest is missing.
//!
//! The file is `ci/producers.yaml`, or one of the user's own (`--producers`, `SFRAME_CONFORMANCE_PRODUCERS`). Commands come from there
//! and from nowhere else.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use model::{Abi, ProducerFacts, SframeVersion};

use crate::entry::{Entry, Kind, Step, at_least, has_abi, is_abi};
use crate::tool::Tool;
use crate::yaml::{self, YamlError};

/// The variable that names a producers' file.
pub const VARIABLE: &str = "SFRAME_CONFORMANCE_PRODUCERS";

/// The producers' file that is shipped, below the project's folder.
pub const SHIPPED: &str = "ci/producers.yaml";

/// What a producers' file names. Tools are looked for when they are asked for, each once.
#[derive(Debug)]
pub struct Producers {
    entries: Vec<Arc<Entry>>,
    found: BTreeMap<(String, Abi), OnceLock<Found>>,
    root: PathBuf,
    /// The file is the one that is shipped, to which the ledger belongs.
    shipped: bool,
}

/// The versions of a tool for an ABI, or why there is none.
type Found = Result<Vec<Tool>, String>;

/// Why a producers' file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProducersError {
    /// It cannot be read or parsed.
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// An entry contradicts itself.
    #[error("{}: {name}: {message}", path.display())]
    Entry {
        /// The file.
        path: PathBuf,
        /// The entry.
        name: String,
        /// What is wrong with it.
        message: String,
    },
}

impl Producers {
    /// Reads the file that the option or the variable names, else the shipped one.
    ///
    /// # Errors
    /// When it cannot be read, has unknown keys, or an entry contradicts itself.
    pub fn of(option: Option<&Path>, root: &Path) -> Result<Producers, ProducersError> {
        let variable = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
        let path = option.map(Path::to_owned).or(variable).unwrap_or_else(|| root.join(SHIPPED));
        Producers::read(&path, root)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, has unknown keys, or an entry contradicts itself.
    pub fn read(path: &Path, root: &Path) -> Result<Producers, ProducersError> {
        let entries: Vec<Entry> = yaml::read(path)?;
        let mut found = BTreeMap::new();
        for entry in &entries {
            let failed =
                |message: String| ProducersError::Entry { path: path.to_owned(), name: entry.name.clone(), message };
            contradiction(entry, &entries).map_or(Ok(()), |message| Err(failed(message)))?;
            for abi in Abi::ALL {
                if found.insert((entry.name.clone(), abi), OnceLock::new()).is_some() {
                    return Err(failed("a second entry of this name".to_owned()));
                }
            }
        }
        let root = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
        let shipped =
            path == root.join(SHIPPED) || std::path::absolute(path).is_ok_and(|path| path == root.join(SHIPPED));
        Ok(Producers { entries: entries.into_iter().map(Arc::new).collect(), found, root, shipped })
    }

    /// The entries, in order of the file.
    pub fn entries(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.entries.iter()
    }

    /// The entries of a kind.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Arc<Entry>> {
        self.entries.iter().filter(move |entry| entry.kind == kind)
    }

    /// Every version of a tool for an ABI, or why there is none.
    pub fn tools(&self, name: &str, abi: Abi) -> Result<&[Tool], &str> {
        let Some(entry) = self.entries.iter().find(|entry| entry.name == name) else {
            return Err("the producers' file has no such entry");
        };
        let Some(cell) = self.found.get(&(name.to_owned(), abi)) else { return Err("no such ABI") };
        cell.get_or_init(|| crate::find::find(entry, abi, &self.root)).as_deref().map_err(String::as_str)
    }

    /// What is here and what is not, in order of the file.
    pub fn facts(&self) -> Vec<ProducerFacts> {
        let mut facts = Vec::new();
        for entry in &self.entries {
            for abi in Abi::ALL.into_iter().filter(|abi| entry.program.get(*abi).is_some()) {
                let fact = |version: Option<&str>, sframe: &[SframeVersion], told: &str| ProducerFacts {
                    name: entry.name.clone(),
                    kind: entry.kind.name().to_owned(),
                    abi: abi.name().to_owned(),
                    version: version.map(str::to_owned),
                    told: told.to_owned(),
                    sframe: names(sframe),
                };
                let tools = self.tools(&entry.name, abi).unwrap_or_default();
                facts.extend(tools.iter().map(|tool| fact(Some(&tool.version), &tool.sframe(), &tool.told)));
                facts.extend(self.absent(entry, abi).iter().map(|(_, why)| fact(None, &[], why)));
            }
        }
        facts
    }

    /// Wanted versions of an entry that are not there, each with how to get it.
    pub fn absent(&self, entry: &Entry, abi: Abi) -> Vec<(String, String)> {
        if entry.program.get(abi).is_none() {
            return Vec::new();
        }
        let found = self.tools(&entry.name, abi);
        let has = |wanted: &str| found.is_ok_and(|tools| tools.iter().any(|tool| begins(&tool.version, wanted)));
        let why = found.err();
        let mut absent: Vec<(String, String)> = Vec::new();
        for wanted in entry.wanted.iter().filter(|wanted| !has(&wanted.version)) {
            absent.push((
                wanted.version.clone(),
                format!("{} {} is not here: {}", entry.name, wanted.version, wanted.from),
            ));
        }
        if let (Some(why), true) = (why, absent.is_empty()) {
            absent.push(("absent".to_owned(), why.to_owned()));
        }
        absent
    }

    /// Nothing is missing that makes objects for an ABI: the file is the shipped one, and every version it wants is on this machine.
    pub fn are_all_here(&self, abi: Abi) -> bool {
        let makers = self.entries.iter().filter(|entry| matches!(entry.kind, Kind::Assembler | Kind::Compiler));
        self.shipped && makers.into_iter().all(|entry| self.absent(entry, abi).is_empty())
    }

    /// The best partner of a kind that stands beside a tool: of the same version, else the first that suits.
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
            let suits = |found: &&Tool| found.entry.kind == kind && at_least(&found.version, &partner.from);
            partners.extend(tools.iter().filter(suits));
        }
        partners
    }
}

fn names(versions: &[SframeVersion]) -> String {
    let names: Vec<&str> = versions.iter().map(|version| version.name()).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(",") }
}

/// True when a version begins with the numbers of another: 2.44.50 with 2.44, and not 2.4.
pub fn begins(version: &str, wanted: &str) -> bool {
    version.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// A command that may run for a day may as well hang.
const MOST_SECONDS: u64 = 86_400;

/// What is wrong with an entry, if anything.
fn contradiction(entry: &Entry, all: &[Entry]) -> Option<String> {
    if entry.name.is_empty() || !entry.name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) {
        return Some("a name has letters, digits, '-' and '_' only".to_owned());
    }
    if let Err(message) = crate::find::check_patterns(entry) {
        return Some(message);
    }
    let named = [entry.program.unknown(), entry.abi_words.unknown(), entry.version.target.unknown()];
    let listed = entry.sframe.iter().flat_map(|writes| &writes.abis);
    let listed = listed
        .chain(entry.options.iter().flat_map(|set| &set.abis))
        .chain(entry.with.iter().flat_map(|with| &with.abis));
    let listed = listed.map(String::as_str).filter(|name| !is_abi(name));
    if let Some(name) = named.into_iter().flatten().chain(listed).next() {
        return Some(format!("'{name}' is no ABI"));
    }
    let versions = entry.sframe.iter().flat_map(|writes| &writes.versions);
    if let Some(name) = versions.into_iter().find(|name| *name != "none" && crate::tool::sframe_named(name).is_none()) {
        return Some(format!("'{name}' is no SFrame version"));
    }
    if let Some(with) = entry.with.iter().find(|with| all.iter().all(|other| other.name != with.name)) {
        return Some(format!("its partner '{}' has no entry", with.name));
    }
    let needed: &[Step] = match entry.kind {
        Kind::Compiler => &[Step::Compile, Step::CompileObject],
        Kind::Assembler => &[Step::Assemble],
        Kind::Linker => &[Step::Link, Step::Relocatable, Step::Shared],
        Kind::PostProcessor => &[Step::Strip, Step::Copy],
    };
    if !needed.iter().any(|step| entry.steps.contains_key(step)) {
        let names: Vec<&str> = needed.iter().map(|step| step.name()).collect();
        return Some(format!("kind {} needs a step '{}'", entry.kind.name(), names.join("' or '")));
    }
    if entry.limits.seconds == 0 || entry.limits.seconds > MOST_SECONDS || entry.limits.file_mib == 0 {
        return Some(format!("limits: seconds from 1 to {MOST_SECONDS}, file_mib from 1"));
    }
    let known = ["{program}", "{folder}", "{abi}", "{sframe}", "{options}", "{inputs}", "{output}"];
    for template in entry.steps.values() {
        let mut rest = template.clone();
        known.iter().for_each(|name| rest = rest.replace(name, ""));
        if rest.contains('{') || rest.contains('}') {
            return Some(format!("'{template}' has a placeholder that is none of {}", known.join(" ")));
        }
        let lists = ["{abi}", "{sframe}", "{options}", "{inputs}"];
        let joined = |word: &&str| lists.iter().any(|list| word.contains(list)) && !lists.contains(word);
        if let Some(word) = template.split_whitespace().find(joined) {
            return Some(format!("'{word}': {} stand for any number of words, each alone", lists.join(" ")));
        }
        if !template.contains("{output}") || !template.contains("{inputs}") {
            return Some(format!("'{template}' lacks {{inputs}} or {{output}}"));
        }
    }
    None
}
