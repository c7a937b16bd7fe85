//! One entry of a producers' file: how to find a tool, how it prints its version, what it writes,
//! and its commands.

use std::collections::BTreeMap;

use results::ToolVersion;
use results::bundle::Bugzilla;
use types::{Abi, SframeVersion};

pub use crate::by_abi::{ByAbi, has_abi};

/// What a tool does in a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// C to assembly, or to an object.
    Compiler,
    /// Assembly to an object.
    Assembler,
    /// Objects to an executable, a shared object, or one object.
    Linker,
    /// One file to another: strip, objcopy.
    PostProcessor,
}

impl Kind {
    /// The word in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Compiler => "compiler",
            Kind::Assembler => "assembler",
            Kind::Linker => "linker",
            Kind::PostProcessor => "post-processor",
        }
    }
}

/// One tool of a producers' file. Unknown keys are refused.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The name in trial names: `gas`, `lld`.
    pub name: String,
    /// What it does, which decides the steps it needs.
    pub kind: Kind,
    /// One line for `producers`.
    pub about: String,
    /// As its makers call it, where that is not its name: `GNU as`.
    #[serde(default)]
    pub called: Option<String>,
    /// Where its project takes reports in a Bugzilla.
    #[serde(default)]
    pub bugzilla: Option<Bugzilla>,
    /// Folders to look in, in this order; relative ones are below the project's, a `*` matches
    /// any one folder, and `PATH` means the folders of that variable.
    #[serde(default = "path_only")]
    pub search: Vec<String>,
    /// File names by ABI, the first that is found in a folder counts. Entries with a `/` are files
    /// by themselves.
    pub program: ByAbi<Vec<String>>,
    /// How to get its version.
    pub version: VersionProbe,
    /// Versions that ought to be there, each with how to get it; one that is not found is listed as
    /// absent.
    #[serde(default)]
    pub wanted: Vec<Wanted>,
    /// Assemblers and compilers: what SFrame version they write; linkers: what they merge. The
    /// first that matches counts.
    #[serde(default)]
    pub sframe: Vec<Writes>,
    /// Linkers: which options it takes, for cases of linking.
    #[serde(default)]
    pub flavour: Option<Flavour>,
    /// Words for `{abi}`, by ABI.
    #[serde(default)]
    pub abi_words: ByAbi<String>,
    /// Words for `{sframe}` where the tool writes SFrame for the ABI.
    #[serde(default)]
    pub sframe_words: String,
    /// Files and folders that it consists of besides its program, the shared libraries of that,
    /// and, where the program is `X/bin/NAME` with an X of its own, all of X; a `*` matches any
    /// text within a name. If the list exists, even if empty, the output of the tool is cached
    /// ([`crate::cache`]); if not, the tool's dependencies are unknown, and each
    /// command is run.
    #[serde(default)]
    pub parts: Option<Vec<String>>,
    /// Command templates by step.
    pub steps: BTreeMap<Step, String>,
    /// Sets of options to vary (compilers).
    #[serde(default)]
    pub options: Vec<OptionSet>,
    /// Compilers: assemblers that know what a version writes under any options.
    #[serde(default)]
    pub needs: Vec<Need>,
    /// Tools it is put together with, the best first.
    #[serde(default)]
    pub with: Vec<Partner>,
    /// For each of its commands.
    #[serde(default)]
    pub limits: Limits,
}

impl Entry {
    /// As its makers call it.
    pub fn called(&self) -> &str {
        self.called.as_deref().unwrap_or(&self.name)
    }
}

/// A family of linkers, by the options they take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flavour {
    /// GNU ld.
    Bfd,
    Gold,
    Lld,
    Mold,
    Wild,
}

impl Flavour {
    /// The name in recipes.
    pub const fn name(self) -> &'static str {
        match self {
            Flavour::Bfd => "bfd",
            Flavour::Gold => "gold",
            Flavour::Lld => "lld",
            Flavour::Mold => "mold",
            Flavour::Wild => "wild",
        }
    }
}

/// What a command makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// C to assembly.
    Compile,
    /// C to an object, with the compiler's own assembler.
    CompileObject,
    /// Assembly to an object.
    Assemble,
    /// Objects to an executable.
    Link,
    /// Objects to a shared object.
    Shared,
    /// Objects to one object, `-r`.
    Relocatable,
    /// A file without its symbols.
    Strip,
    /// A copy of a file.
    Copy,
}

impl Step {
    /// The word in files and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Step::Compile => "compile",
            Step::CompileObject => "compile-object",
            Step::Assemble => "assemble",
            Step::Link => "link",
            Step::Shared => "shared",
            Step::Relocatable => "relocatable",
            Step::Strip => "strip",
            Step::Copy => "copy",
        }
    }
}

/// How a tool is made to print its version.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionProbe {
    /// Arguments, with blanks between.
    #[serde(default = "version_argument")]
    pub arguments: String,
    /// Regular expression on what it prints, standard output first; group 1 is the version.
    pub pattern: String,
    /// Regular expression that must match too, for tools whose name does not say their target.
    #[serde(default)]
    pub target: ByAbi<String>,
}

/// A version that ought to be there.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// The beginning of the version, in whole parts: any 2.44 is a wanted `2.44`.
    pub version: ToolVersion,
    /// How to get it.
    pub from: String,
}

/// What is written from some version on.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Writes {
    /// First version of the tool; the entries stand newest first.
    #[serde(default)]
    pub from: ToolVersion,
    /// ABIs; none for all.
    #[serde(default)]
    pub abis: Vec<String>,
    /// SFrame versions: what an assembler writes is one, what a linker takes may be several. `none`
    /// for none.
    pub versions: Vec<String>,
}

/// Options to compile a case with.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionSet {
    /// The name in trial names: `O2-fp`.
    pub name: String,
    /// Words of the command line, with blanks between.
    pub words: String,
    /// ABIs; none for all.
    #[serde(default)]
    pub abis: Vec<String>,
    /// Also without `--full`.
    #[serde(default)]
    pub often: bool,
    /// Versions of assemblers that know what the compiler writes under these options; none for all.
    #[serde(default)]
    pub needs: Vec<Need>,
}

/// From a version of the compiler on, an assembler of some version or newer is needed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Need {
    /// First version of the compiler.
    #[serde(default)]
    pub compiler: ToolVersion,
    /// First version of the assembler.
    pub assembler: ToolVersion,
}

impl OptionSet {
    /// Returns true if an assembler of this version knows what a compiler of that version writes.
    pub fn suits(&self, compiler: &ToolVersion, assembler: &ToolVersion) -> bool {
        suits(&self.needs, compiler, assembler)
    }
}

/// Returns true if an assembler of this version meets every need of a compiler of that version.
pub fn suits(needs: &[Need], compiler: &ToolVersion, assembler: &ToolVersion) -> bool {
    let mut due = needs.iter().filter(|need| compiler.at_least(&need.compiler));
    due.all(|need| assembler.at_least(&need.assembler))
}

/// The versions that a tool writes, or merges, for an ABI: those of the first item that matches.
pub fn writes(entries: &[Writes], version: &ToolVersion, abi: Abi) -> Vec<SframeVersion> {
    let entry = entries.iter().find(|entry| version.at_least(&entry.from) && has_abi(&entry.abis, abi));
    entry.map_or_else(Vec::new, |entry| entry.versions.iter().filter_map(|name| SframeVersion::named(name)).collect())
}

/// A tool to be put together with.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Partner {
    /// The name of its entry.
    pub name: String,
    /// Its first version that will do.
    #[serde(default)]
    pub from: ToolVersion,
    /// ABIs; none for all.
    #[serde(default)]
    pub abis: Vec<String>,
    /// Also without `--full`.
    #[serde(default = "yes")]
    pub often: bool,
}

/// Bounds of one command.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Seconds until it is killed, with all that it started.
    pub seconds: u64,
    /// Most bytes of a file it makes, in MiB.
    pub file_mib: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { seconds: 60, file_mib: 256 }
    }
}

fn path_only() -> Vec<String> {
    vec!["PATH".to_owned()]
}

fn version_argument() -> String {
    "--version".to_owned()
}

fn yes() -> bool {
    true
}
