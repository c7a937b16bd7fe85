//! A case: one purpose, one shape, sources by ABI, and what a run must reach to mean anything.

use std::path::{Path, PathBuf};

use toolchain::entry::{ByAbi, has_abi};
use toolchain::yaml::{self, YamlError};
use types::{Abi, UndecidedCause};

use check::Checked;

/// A case of `cases/<topic>/<name>.yaml`.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name of its folder under `cases/`.
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
    /// Ids of the rules and clauses it covers.
    pub covers: Vec<String>,
    /// Source files by ABI, beside the case file.
    pub sources: ByAbi<Sources>,
    /// ABIs, where not all that have sources.
    #[serde(default)]
    pub abis: Vec<String>,
    /// SFrame versions that the tool must write; none for all.
    #[serde(default)]
    pub versions: Vec<String>,
    /// More words for the compiler of a C case, or for the assembler of another.
    #[serde(default)]
    pub flags: ByAbi<String>,
    /// Names of the compiler's option sets to build it with; none for all.
    #[serde(default)]
    pub options: Vec<String>,
    /// What a run must reach.
    pub least: Least,
    /// The same for single ABIs.
    #[serde(default)]
    pub least_by_abi: ByAbi<Least>,
    /// Exit status of the program.
    #[serde(default)]
    pub expect_exit: i32,
    /// Ids of rules that the case breaks on purpose, by every producer: no findings, and each must
    /// show.
    #[serde(default)]
    pub breaks: Vec<String>,
    /// Reasons for which answers of its run are undecided on purpose: each must occur.
    #[serde(default)]
    pub undecided: OnPurpose,
    /// Functions that an assembler may leave out, with a warning.
    #[serde(default)]
    pub left_out: Vec<LeftOut>,
    /// Where a program in C begins.
    #[serde(skip)]
    pub start: Start,
}

/// Where a program in C begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// In a file of the folder `start` beside the cases in C.
    #[default]
    Shared,
    /// In its own source.
    Own,
}

/// Reasons for which answers are undecided on purpose.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(untagged)]
pub enum OnPurpose {
    /// The same on every ABI.
    Everywhere(Vec<UndecidedCause>),
    /// By ABI.
    ByAbi(ByAbi<Vec<UndecidedCause>>),
}

impl OnPurpose {
    /// Those on an ABI.
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

/// The least a run must reach; below it the trial is vacuous and fails.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Least {
    /// False for a case that is not meant to be executed: its objects are judged statically.
    pub run: bool,
    /// Steps judged.
    pub steps: u64,
    /// Callers on the stack at the deepest step.
    pub depth: u64,
    /// Functions entered: their names, or how many.
    pub functions: Functions,
    /// Most steps of a run, where fewer will do than a check has by itself: a text that is being
    /// reduced may never end.
    #[serde(skip)]
    pub most_steps: Option<u64>,
}

/// Functions that a run must enter.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(untagged)]
pub enum Functions {
    /// At least this many, of any kind.
    Count(u64),
    /// Each of these.
    Named(Vec<String>),
}

/// A function that some SFrame versions have no form for.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// Its symbol.
    pub function: String,
    /// SFrame versions without a form for it; none for all.
    #[serde(default)]
    pub versions: Vec<String>,
    /// ABIs; none for all.
    #[serde(default)]
    pub abis: Vec<String>,
    /// What has no form.
    pub why: String,
}

impl Default for Least {
    fn default() -> Self {
        Least { run: true, steps: 0, depth: 0, functions: Functions::Count(0), most_steps: None }
    }
}

impl Least {
    /// Where a run shows less, a sentence each.
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
    /// A case for every ABI without expectations: the sources, and options for the tool that
    /// reads them.
    pub fn from_sources(purpose: &str, sources: Vec<String>, flags: &str) -> CaseFacts {
        CaseFacts {
            purpose: purpose.to_owned(),
            covers: Vec::new(),
            sources: ByAbi::all(Sources::Several(sources)),
            abis: Vec::new(),
            versions: Vec::new(),
            flags: ByAbi::all(flags.to_owned()),
            options: Vec::new(),
            least: Least::default(),
            least_by_abi: ByAbi::default(),
            expect_exit: 0,
            breaks: Vec::new(),
            undecided: OnPurpose::default(),
            left_out: Vec::new(),
            start: Start::Shared,
        }
    }
}

impl Case {
    /// Reads a case file.
    ///
    /// # Errors
    /// If it cannot be read or has keys that are not known.
    pub fn read(path: &Path) -> Result<Case, YamlError> {
        let facts = yaml::read(path)?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let text = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        Ok(Case { topic: text(folder.file_name()), name: text(path.file_stem()), folder, facts })
    }

    /// The sources for an ABI, none if the case has none.
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
        self.sources(abi).iter().any(|file| file.extension().is_some_and(|extension| extension == "c"))
    }

    /// What a run must reach on an ABI.
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
        self.facts.left_out.iter().any(|item| {
            item.function == function
                && has_abi(&item.abis, abi)
                && (item.versions.is_empty() || item.versions.iter().any(|name| name == version))
        })
    }
}
