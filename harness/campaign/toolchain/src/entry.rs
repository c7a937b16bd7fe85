//! An entry of a producers' file: how to find a tool, its version output, the SFrame versions that
//! it writes, and its commands.

use std::collections::BTreeMap;

use results::ToolVersion;
use results::bundle::Bugzilla;
use types::{Abi, SframeVersion};

pub use crate::by_abi::{ByAbi, has_abi, unknown_abi, unknown_version};

types::named! {
    /// Kind of a tool, by its function in a build.
    pub enum Kind {
        /// Compiles to assembly, or to an object.
        Compiler = "compiler",
        /// Assembles to an object.
        Assembler = "assembler",
        /// Links objects to an executable, a shared object, or one object.
        Linker = "linker",
        /// Converts a file: strip, objcopy.
        PostProcessor = "post-processor",
    }
}

/// Language of a source that a compiler reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    #[default]
    C,
    #[serde(rename = "c++")]
    Cxx,
    Rust,
    Go,
    Fortran,
    Ada,
    D,
    Ocaml,
    Swift,
    Zig,
    #[serde(rename = "llvm-ir")]
    LlvmIr,
    /// Assembly without directives, for an assembler that makes them.
    Scfi,
}

impl Language {
    /// Extension of its source files.
    pub const fn extension(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Cxx => "cc",
            Language::Rust => "rs",
            Language::Go => "go",
            Language::Fortran => "f90",
            Language::Ada => "adb",
            Language::D => "d",
            Language::Ocaml => "ml",
            Language::Swift => "swift",
            Language::Zig => "zig",
            Language::LlvmIr => "ll",
            Language::Scfi => "asm",
        }
    }
}

/// An entry of a producers' file. Unknown keys are refused.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProducerEntry {
    /// Name in trial names: `gas`, `lld`.
    pub name: String,
    /// Kind, which determines the steps that it needs.
    pub kind: Kind,
    /// Compilers: language of the sources.
    #[serde(default)]
    pub language: Language,
    /// Description for `producers`, one line.
    pub about: String,
    /// Name used by its makers, if it differs: `GNU as`.
    #[serde(default)]
    pub called: Option<String>,
    /// Bugzilla of its project, if reports go there.
    #[serde(default)]
    pub bugzilla: Option<Bugzilla>,
    /// Folders to search, in order; relative ones are below the project's folder, a `*` matches any
    /// one folder, and `PATH` means the folders of that variable.
    #[serde(default = "path_only")]
    pub search: Vec<String>,
    /// File names by ABI; the first that is found in a folder is used. Names with a `/` are paths.
    pub program: ByAbi<Vec<String>>,
    /// How to query its version.
    pub version: VersionProbe,
    /// Versions that should be installed, each with instructions; one that is not found is listed
    /// as absent.
    #[serde(default)]
    pub wanted: Vec<Wanted>,
    /// Assemblers and compilers: the SFrame version that they write; linkers: the versions that
    /// they merge. The first match is used.
    #[serde(default)]
    pub sframe: Vec<Writes>,
    /// Linkers: family, by the options that they accept, for link cases.
    #[serde(default)]
    pub flavour: Option<Flavour>,
    /// Arguments for `{abi}`, by ABI.
    #[serde(default)]
    pub abi_words: ByAbi<String>,
    /// Arguments for `{sframe}`, if the tool writes SFrame for the ABI.
    #[serde(default)]
    pub sframe_words: String,
    /// Files and folders of the tool in addition to its program, the program's shared libraries,
    /// and, if the program is `X/bin/NAME` with an X of its own, all of X; a `*` matches any text
    /// within a name. If the list exists, even if empty, the output of the tool is cached
    /// ([`crate::cache`]); if not, the tool's dependencies are unknown, and each command is run.
    #[serde(default)]
    pub parts: Option<Vec<String>>,
    /// Command templates by step.
    pub steps: BTreeMap<Step, String>,
    /// Option sets to vary (compilers).
    #[serde(default)]
    pub options: Vec<OptionSet>,
    /// Compilers: assemblers that accept the output of a version under any options.
    #[serde(default)]
    pub needs: Vec<Need>,
    /// Tools to combine it with, the best first.
    #[serde(default)]
    pub with: Vec<Partner>,
    /// Limits for each of its commands.
    #[serde(default)]
    pub limits: Limits,
    /// For a user's own build: the programs whose place it takes.
    #[serde(skip)]
    pub in_place_of: Option<ByAbi<Vec<String>>>,
}

impl ProducerEntry {
    /// Name used by its makers.
    pub fn called(&self) -> &str {
        self.called.as_deref().unwrap_or(&self.name)
    }
}

types::named! {
    /// A family of linkers, by the options they accept.
    pub enum Flavour {
        /// GNU ld.
        Bfd = "bfd",
        Gold = "gold",
        Lld = "lld",
        Mold = "mold",
        Wild = "wild",
    }
}

types::named! {
    /// Kind of command, by its output.
    pub enum Step {
        /// Compiles to assembly.
        Compile = "compile",
        /// Compiles to an object, with the compiler's own assembler.
        CompileObject = "compile-object",
        /// Assembles to an object.
        Assemble = "assemble",
        /// Links objects to an executable.
        Link = "link",
        /// Links objects to a shared object.
        Shared = "shared",
        /// Links objects to one object, `-r`.
        Relocatable = "relocatable",
        /// Strips the symbols of a file.
        Strip = "strip",
        /// Copies a file.
        Copy = "copy",
    }
}

/// How to query a tool's version.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionProbe {
    /// Arguments, separated by blanks.
    #[serde(default = "version_argument")]
    pub arguments: String,
    /// Regular expression for the output, standard output first; group 1 is the version.
    pub pattern: String,
    /// Regular expression that the output must also match, for tools whose name does not show their
    /// target.
    #[serde(default)]
    pub target: ByAbi<String>,
}

/// A version that should be installed.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// Prefix of the version, in complete parts: any 2.44 is a wanted `2.44`.
    pub version: ToolVersion,
    /// How to install it.
    pub from: String,
}

/// SFrame versions written from some version of the tool on.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Writes {
    /// First version of the tool; entries are sorted newest first.
    #[serde(default)]
    pub from: ToolVersion,
    /// ABIs; empty for all.
    #[serde(default)]
    pub abis: Vec<String>,
    /// SFrame versions: one that an assembler writes, or several that a linker accepts. `none` for
    /// none.
    pub versions: Vec<String>,
}

/// Options to compile a case with.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionSet {
    /// Name in trial names: `O2-fp`.
    pub name: String,
    /// Arguments, separated by blanks.
    pub words: String,
    /// ABIs; empty for all.
    #[serde(default)]
    pub abis: Vec<String>,
    /// True if it is also used without `--full`.
    #[serde(default)]
    pub often: bool,
    /// True if only cases that name it are built with it.
    #[serde(default)]
    pub named: bool,
    /// Versions of assemblers that accept the compiler's output under these options; empty for all.
    #[serde(default)]
    pub needs: Vec<Need>,
}

/// Minimum version of an assembler, from a version of the compiler on.
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
    /// Returns true if an assembler of this version accepts the output of a compiler of that
    /// version.
    pub fn suits(&self, compiler: &ToolVersion, assembler: &ToolVersion) -> bool {
        suits(&self.needs, compiler, assembler)
    }
}

/// Returns true if an assembler of this version meets every need of a compiler of that version.
pub fn suits(needs: &[Need], compiler: &ToolVersion, assembler: &ToolVersion) -> bool {
    let mut due = needs.iter().filter(|need| compiler.at_least(&need.compiler));
    due.all(|need| assembler.at_least(&need.assembler))
}

/// The versions that a tool writes, or merges, for an ABI: those of the first entry that matches.
pub fn writes(entries: &[Writes], version: &ToolVersion, abi: Abi) -> Vec<SframeVersion> {
    let entry = entries.iter().find(|entry| version.at_least(&entry.from) && has_abi(&entry.abis, abi));
    entry.map_or_else(Vec::new, |entry| entry.versions.iter().filter_map(|name| SframeVersion::named(name)).collect())
}

/// A tool to combine with.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Partner {
    pub name: String,
    /// First version that is suitable.
    #[serde(default)]
    pub from: ToolVersion,
    /// ABIs; empty for all.
    #[serde(default)]
    pub abis: Vec<String>,
    /// True if it is also used without `--full`.
    #[serde(default = "yes")]
    pub often: bool,
}

/// Limits of one command.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Seconds after which it is killed, with all processes that it started.
    pub seconds: u64,
    /// Maximum size of its output file in MiB.
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
