//! One entry of a producers' file: how to find a tool, how it tells its version, what it writes, and its commands.

use std::collections::BTreeMap;

use model::Abi;

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
    /// What it does.
    pub kind: Kind,
    /// One line for `producers`.
    pub about: String,
    /// Folders to look in, in this order; relative ones lie below the project's, a `*` stands for any one folder, and `PATH`
    /// for the folders of that variable.
    #[serde(default = "path_only")]
    pub search: Vec<String>,
    /// File names by ABI, the first that is found in a folder counts. Entries with a `/` are files by themselves.
    pub program: ByAbi<Vec<String>>,
    /// How it tells its version.
    pub version: VersionProbe,
    /// Versions that ought to be there, each with how to get it; one that is not found is listed as absent.
    #[serde(default)]
    pub wanted: Vec<Wanted>,
    /// Assemblers and compilers: what SFrame version they write; linkers: what they merge. The first that matches counts.
    #[serde(default)]
    pub sframe: Vec<Writes>,
    /// Linkers: the family of its words, for cases of linking.
    #[serde(default)]
    pub flavour: Option<Flavour>,
    /// Words for `{abi}`, by ABI.
    #[serde(default)]
    pub abi_words: ByAbi<String>,
    /// Words for `{sframe}` where the tool writes SFrame for the ABI.
    #[serde(default)]
    pub sframe_words: String,
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
    /// Its bounds.
    #[serde(default)]
    pub limits: Limits,
}

/// A family of linkers, by the words they take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flavour {
    /// GNU ld.
    Bfd,
    /// GNU gold.
    Gold,
    /// LLVM's ld.lld.
    Lld,
    /// mold.
    Mold,
    /// Wild.
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

/// How a tool tells its version.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionProbe {
    /// Arguments of the call.
    #[serde(default = "version_argument")]
    pub arguments: String,
    /// Regular expression on what it prints, standard output first; group 1 is the version.
    pub pattern: String,
    /// Regular expression that must match too, for tools whose name does not tell their target.
    #[serde(default)]
    pub target: ByAbi<String>,
}

/// A version that ought to be there.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// The beginning of the version.
    pub version: String,
    /// How to get it.
    pub from: String,
}

/// What is written from some version on.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Writes {
    /// First version; the entries stand newest first.
    #[serde(default)]
    pub from: String,
    /// ABIs; none for all.
    #[serde(default)]
    pub abis: Vec<String>,
    /// SFrame versions: what an assembler writes is one, what a linker takes may be several. `none` for none.
    pub versions: Vec<String>,
}

/// Options to compile a case with.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionSet {
    /// The name in trial names.
    pub name: String,
    /// The words.
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
    pub compiler: String,
    /// First version of the assembler.
    pub assembler: String,
}

impl OptionSet {
    /// True when an assembler of this version knows what a compiler of that version writes.
    pub fn suits(&self, compiler: &str, assembler: &str) -> bool {
        suits(&self.needs, compiler, assembler)
    }
}

/// True when an assembler of this version meets every need of a compiler of that version.
pub fn suits(needs: &[Need], compiler: &str, assembler: &str) -> bool {
    needs.iter().filter(|need| at_least(compiler, &need.compiler)).all(|need| at_least(assembler, &need.assembler))
}

/// A tool to be put together with.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Partner {
    /// Its name.
    pub name: String,
    /// Its least version.
    #[serde(default)]
    pub from: String,
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

/// Values by ABI: `amd64`, `aarch64-le`, `aarch64-be`, `s390x`; `aarch64` for both byte orders, `all` for what is left.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(transparent)]
pub struct ByAbi<T>(BTreeMap<String, T>);

impl<T> Default for ByAbi<T> {
    fn default() -> Self {
        ByAbi(BTreeMap::new())
    }
}

impl<T> ByAbi<T> {
    /// The value for an ABI.
    pub fn get(&self, abi: Abi) -> Option<&T> {
        let family = if abi.is_aarch64() { "aarch64" } else { abi.name() };
        [abi.name(), family, "all"].iter().find_map(|name| self.0.get(*name))
    }

    /// A name that is no ABI's.
    pub fn unknown(&self) -> Option<&str> {
        self.0.keys().map(String::as_str).find(|name| !is_abi(name))
    }
}

/// True for a name by which [`ByAbi`] and lists of ABIs know one or more.
pub fn is_abi(name: &str) -> bool {
    matches!(name, "all" | "aarch64") || Abi::ALL.iter().any(|abi| abi.name() == name)
}

/// True when a list of ABIs has this one; an empty list has all.
pub fn has_abi(list: &[String], abi: Abi) -> bool {
    let family = abi.is_aarch64().then_some("aarch64");
    list.is_empty() || list.iter().any(|name| name == "all" || name == abi.name() || Some(name.as_str()) == family)
}

/// Compares dotted versions number by number: 2.9 comes before 2.40; what is no number counts as 0.
pub fn at_least(version: &str, least: &str) -> bool {
    let numbers = |text: &str| text.split('.').map(|part| part.parse::<u64>().unwrap_or(0)).collect::<Vec<_>>();
    numbers(version) >= numbers(least)
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

#[cfg(test)]
mod tests {
    use model::Abi;

    use super::{at_least, has_abi};

    #[test]
    fn versions_compare_by_number() {
        for (version, least, expected) in [
            ("2.40", "2.40", true),
            ("2.9", "2.40", false),
            ("2.47.50.20261021", "2.46", true),
            ("2.45", "2.45.1", false),
            ("22.1.8", "", true),
        ] {
            assert_eq!(at_least(version, least), expected, "{version} from {least}");
        }
    }

    #[test]
    fn a_list_without_names_has_every_abi() {
        assert!(has_abi(&[], Abi::S390x));
        assert!(has_abi(&["aarch64".to_owned()], Abi::Aarch64Be));
        assert!(!has_abi(&["aarch64-le".to_owned()], Abi::Aarch64Be));
    }
}
