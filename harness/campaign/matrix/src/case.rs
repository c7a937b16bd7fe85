//! Test cases: purpose, sources by ABI, and what a run must reach for the case to be meaningful.

use std::path::{Path, PathBuf};

use results::Summary;
use toolchain::entry::{ByAbi, Language, has_abi};
use toolchain::yaml::{self, YamlError};
use types::{Abi, UndecidedCause};

use check::Checked;

/// A case of `cases/<topic>/<name>.yaml`.
#[derive(Clone, Debug)]
pub struct Case {
    /// Name of its folder under `cases/`.
    pub topic: String,
    /// File name without `.yaml`.
    pub name: String,
    /// Folder of the sources.
    pub folder: PathBuf,
    /// The contents of the file.
    pub facts: CaseFacts,
}

/// The contents of a case file. Unknown keys are refused.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseFacts {
    /// One sentence.
    pub purpose: String,
    /// Ids of the rules and clauses that it covers.
    pub covers: Vec<String>,
    /// Language of the sources that are not assembly.
    #[serde(default)]
    pub language: Language,
    /// Source files by ABI, beside the case file.
    pub sources: ByAbi<Sources>,
    /// ABIs, if not all that have sources.
    #[serde(default)]
    pub abis: Vec<String>,
    /// SFrame versions that the tool must write; none for all.
    #[serde(default)]
    pub versions: Vec<String>,
    /// More words for the compiler, or for the assembler of a case in assembly.
    #[serde(default)]
    pub flags: ByAbi<String>,
    /// Option sets of the compiler to build it with; empty for all.
    #[serde(default)]
    pub options: Vec<String>,
    /// Minimum that a run must reach.
    pub least: Least,
    /// Minimum for single ABIs.
    #[serde(default)]
    pub least_by_abi: ByAbi<Least>,
    /// Exit status of the program.
    #[serde(default)]
    pub expect_exit: i32,
    /// Ids of rules that the case breaks on purpose, with every producer: breaches are not
    /// findings, and each must occur.
    #[serde(default)]
    pub breaks: Vec<String>,
    /// Causes for which answers of its run are expected to be undecided: each must occur.
    #[serde(default)]
    pub undecided: OnPurpose,
    /// Functions that an assembler may omit with a warning.
    #[serde(default)]
    pub left_out: Vec<LeftOut>,
    /// Where a compiled program begins.
    #[serde(skip)]
    pub start: Start,
    /// True if the directives of sources in assembly may be wrong, as in what is left after a cut:
    /// an error that both tables share is then the assembler's only if they mean another row.
    #[serde(skip)]
    pub unproven: bool,
}

/// Where a compiled program begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// In a file of the folder `start` beside the cases in C: it calls `test`.
    #[default]
    Shared,
    /// In its own source.
    Own,
}

/// Causes for which answers are expected to be undecided.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(untagged)]
pub enum OnPurpose {
    /// The same on every ABI.
    Everywhere(Vec<UndecidedCause>),
    ByAbi(ByAbi<Vec<UndecidedCause>>),
}

impl OnPurpose {
    pub(super) fn on(&self, abi: Abi) -> &[UndecidedCause] {
        match self {
            OnPurpose::Everywhere(all) => all,
            OnPurpose::ByAbi(by_abi) => by_abi.get(abi).map_or(&[], Vec::as_slice),
        }
    }
}

impl Default for OnPurpose {
    fn default() -> Self {
        OnPurpose::Everywhere(Vec::new())
    }
}

/// One source file or several.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(untagged)]
pub enum Sources {
    /// `file.s`.
    One(String),
    /// `[one.s, other.s]`, in the order of the link.
    Several(Vec<String>),
}

/// Minimum that a run must reach; otherwise the trial is vacuous and fails.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Least {
    /// False for a case that is not executed: its objects are judged statically.
    pub run: bool,
    /// Minimum number of judged steps.
    pub steps: u64,
    /// Minimum number of callers at the deepest step.
    pub depth: u64,
    /// Functions that must be entered: names, or a number.
    pub functions: Functions,
    /// Functions that the newest SFrame version can describe must have a descriptor, unless
    /// `left_out` has them. False for random text.
    #[serde(skip)]
    pub described: bool,
    /// Maximum number of steps of a run, if lower than the default of `check`: a text that is being
    /// reduced may never end.
    #[serde(skip)]
    pub most_steps: Option<u64>,
}

/// Functions that a run must enter.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(untagged)]
pub enum Functions {
    /// At least this many functions.
    Count(u64),
    Named(Vec<String>),
}

/// A function that some SFrame versions cannot describe.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// Its symbol.
    pub function: String,
    /// SFrame versions that cannot describe it; empty for all.
    #[serde(default)]
    pub versions: Vec<String>,
    /// ABIs; empty for all.
    #[serde(default)]
    pub abis: Vec<String>,
    /// What cannot be described.
    pub why: String,
    /// True if an assembler that describes it is wrong, whatever its rows are.
    #[serde(default)]
    pub always: bool,
}

impl Default for Least {
    fn default() -> Self {
        Least { run: true, steps: 0, depth: 0, functions: Functions::Count(0), described: true, most_steps: None }
    }
}

impl Least {
    /// A sentence if the functions of an object were executed for fewer steps.
    pub(super) fn unexplored(&self, summary: &Summary) -> Option<String> {
        let states = summary.reach.map_or(0, |reach| reach.states);
        (states < self.steps).then(|| format!("vacuous: {states} steps explored, at least {} are needed", self.steps))
    }

    /// A sentence for each minimum that a run does not reach.
    pub(super) fn vacuity(&self, ran: &Checked) -> Vec<String> {
        let summary = &ran.report.summary;
        let entered = match &self.functions {
            Functions::Count(count) => Some(("functions entered", ran.entered.len() as u64, *count)),
            Functions::Named(_) => None,
        };
        let counts = [
            Some(("steps judged", summary.steps_judged, self.steps)),
            Some(("callers at the deepest step", summary.max_depth, self.depth)),
            entered,
        ];
        let short = counts.into_iter().flatten().filter(|(_, got, want)| got < want);
        let mut vacuous: Vec<String> =
            short.map(|(what, got, want)| format!("vacuous: {got} {what}, at least {want} are needed")).collect();
        if let Functions::Named(names) = &self.functions {
            let missing: Vec<&str> =
                names.iter().filter(|name| !ran.entered.contains(*name)).map(String::as_str).collect();
            if !missing.is_empty() {
                vacuous.push(format!("vacuous: never entered: {}", missing.join(", ")));
            }
        }
        vacuous
    }
}

impl Default for Functions {
    fn default() -> Self {
        Functions::Count(0)
    }
}

impl CaseFacts {
    /// A case for every ABI without expectations: sources, and options for the tool that reads
    /// them.
    pub fn from_sources(purpose: &str, sources: Vec<String>, flags: &str) -> CaseFacts {
        CaseFacts {
            purpose: purpose.to_owned(),
            covers: Vec::new(),
            language: Language::C,
            sources: ByAbi::all(Sources::Several(sources)),
            abis: Vec::new(),
            versions: Vec::new(),
            flags: ByAbi::all(flags.to_owned()),
            options: Vec::new(),
            least: Least { described: false, ..Least::default() },
            least_by_abi: ByAbi::default(),
            expect_exit: 0,
            breaks: Vec::new(),
            undecided: OnPurpose::default(),
            left_out: Vec::new(),
            start: Start::Shared,
            unproven: false,
        }
    }
}

impl Case {
    /// Reads a case file.
    pub fn read(path: &Path) -> Result<Case, YamlError> {
        let facts = yaml::read(path)?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let text = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        Ok(Case { topic: text(folder.file_name()), name: text(path.file_stem()), folder, facts })
    }

    /// Sources for an ABI; empty if the case has none.
    pub fn sources(&self, abi: Abi) -> Vec<PathBuf> {
        let files = match self.facts.sources.get(abi).filter(|_| has_abi(&self.facts.abis, abi)) {
            None => Vec::new(),
            Some(Sources::One(file)) => vec![file.clone()],
            Some(Sources::Several(files)) => files.clone(),
        };
        files.into_iter().map(|file| self.folder.join(file)).collect()
    }

    /// Returns true for a program in C.
    pub fn is_c(&self, abi: Abi) -> bool {
        self.facts.language == Language::C && self.is_compiled(abi)
    }

    /// Returns true if a compiler reads a source.
    pub fn is_compiled(&self, abi: Abi) -> bool {
        self.sources(abi).iter().any(|file| self.compiles(file))
    }

    /// Returns true if a source is in the case's language; the others are assembly.
    pub(super) fn compiles(&self, file: &Path) -> bool {
        file.extension().is_some_and(|extension| extension == self.facts.language.extension())
    }

    /// Folder with the shared `_start` of compiled programs.
    pub(super) fn start(&self) -> PathBuf {
        match self.facts.language {
            Language::C => self.folder.join("start"),
            _ => self.folder.join("../c/start"),
        }
    }

    /// Minimum for an ABI.
    pub fn least(&self, abi: Abi) -> &Least {
        self.facts.least_by_abi.get(abi).unwrap_or(&self.facts.least)
    }

    /// Returns true if the case is for a tool that writes this SFrame version, `none` included.
    pub fn is_for(&self, version: &str) -> bool {
        let versions = &self.facts.versions;
        versions.is_empty() || versions.iter().any(|name| name == version)
    }

    /// Returns true if an assembler may leave the function out of a table of this version, `none`
    /// included.
    pub fn may_leave_out(&self, function: &str, abi: Abi, version: &str) -> bool {
        self.left_out(abi, version).any(|item| item.function == function)
    }

    /// Functions that an assembler may leave out of a table of this version, `none` included.
    pub fn left_out(&self, abi: Abi, version: &str) -> impl Iterator<Item = &LeftOut> {
        self.facts.left_out.iter().filter(move |item| {
            has_abi(&item.abis, abi) && (item.versions.is_empty() || item.versions.iter().any(|name| name == version))
        })
    }
}
