//! The YAML format of link cases, with checks of its values. Unknown keys are refused.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use toolchain::entry::{Flavour, unknown_abi, unknown_version};
use toolchain::yaml::{self, YamlError};
use types::{Abi, SframeVersion};

use crate::case::Least;

/// A link case, read from `cases/link/<name>.yaml`.
#[derive(Clone, Debug)]
pub struct LinkCase {
    /// File name without `.yaml`.
    pub name: String,
    /// Folder of the case file; source paths are relative to it.
    pub folder: PathBuf,
    /// Contents of the file.
    pub recipe: Recipe,
}

/// The contents of a case file.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Recipe {
    /// One sentence.
    pub purpose: String,
    /// Ids of the rules and clauses that it covers.
    pub covers: Vec<String>,
    /// ABIs of the case: `amd64`, `aarch64` (both byte orders), `aarch64-le`, `aarch64-be`,
    /// `s390x`. Absent: all for which every object has a source.
    pub abis: Option<Vec<String>>,
    /// SFrame versions of the case. Absent: all.
    pub versions: Option<Vec<String>>,
    /// True for a case that takes long: it is run with `run --full` alone.
    #[serde(default)]
    pub full: bool,
    pub objects: BTreeMap<String, Object>,
    /// Other files by name, for options: `{name}` in an option is replaced by the path.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Steps that make further files, in order.
    pub steps: Vec<Step>,
    /// Expected relations between the files.
    pub expect: Expectations,
}

/// An object file.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Object {
    /// Source path without its suffix: `src/one` is `src/one.amd64.s`, `src/one.aarch64.s` (both
    /// byte orders), `src/one.s390x.s`.
    pub source: String,
    /// Arguments for the assembler.
    #[serde(default)]
    pub flags: String,
    /// True if the assembler is to write `.sframe`. Otherwise the object has only a table that its
    /// source contains.
    #[serde(default = "yes")]
    pub sframe: bool,
    /// Assembler that makes it.
    #[serde(default)]
    pub by: Maker,
    /// SFrame version of a table that the source contains. Absent: the assembler's.
    pub version: Option<String>,
}

fn yes() -> bool {
    true
}

impl Object {
    /// SFrame version passed to the source; `own` is the assembler's.
    pub fn version(&self, own: SframeVersion) -> SframeVersion {
        self.version.as_deref().and_then(SframeVersion::named).unwrap_or(own)
    }
}

/// A step that makes one file from others.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Step {
    /// Name of its output.
    pub make: String,
    /// Kind of tool.
    pub by: StepKind,
    /// Linker, if the step is a link.
    #[serde(default)]
    pub linker: Linker,
    /// Entry of the post-processor, if the step is one and not for the linker's own strip or
    /// objcopy.
    pub tool: Option<String>,
    /// Names of objects and earlier files, in order.
    pub from: Vec<String>,
    /// Arguments for every linker that can do it.
    #[serde(default)]
    pub options: String,
    /// Arguments for linker families, after `options`.
    #[serde(default)]
    pub options_for: BTreeMap<Flavour, String>,
    /// Linker families that can do it. Absent: all.
    pub only: Option<BTreeSet<Flavour>>,
    /// Why a family cannot do it.
    #[serde(default)]
    pub lacking: BTreeMap<Flavour, String>,
}

/// Assembler of an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Maker {
    /// The assembler of the trial.
    #[default]
    Own,
    /// One that writes another SFrame version for the same target.
    OtherVersion,
}

/// Linker of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Linker {
    /// The one under test.
    #[default]
    Own,
    /// A linker of another family, whose output is an input of the one under test.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepKind {
    /// Links an executable.
    Link,
    /// Links a shared object.
    Shared,
    /// Links a relocatable object (`-r`).
    Relocatable,
    /// Runs strip, or another post-processor that strips.
    Strip,
    /// Runs objcopy, or another post-processor that copies.
    Objcopy,
}

/// Expected relations between the files, given by names of objects and steps.
///
/// In addition every link is judged by itself: functions that inputs describe and the output keeps
/// are described once and unchanged, no others are, and the header agrees.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Expectations {
    /// Files that are executed, and the minimum that each run must reach.
    pub runs: Vec<Run>,
    /// Functions that a file must describe.
    pub describes: BTreeMap<String, Vec<String>>,
    /// Functions that the link drops.
    pub gone: BTreeMap<String, Vec<String>>,
    /// A file, and the same link of objects without `.sframe`: sections of `gone` that only the
    /// file has are kept alive by its table.
    pub controls: Vec<(String, String)>,
    /// Linked at once, and by way of `-r`: the same tables.
    pub relinked: Vec<(String, String)>,
    /// Pairs with inputs in different order: equal tables.
    pub any_order: Vec<(String, String)>,
    /// Pairs without and with garbage collection: kept functions stay described.
    pub collected: Vec<(String, String)>,
    /// Pairs of identical links: equal bytes.
    pub same_bytes: Vec<(String, String)>,
    /// Pairs before and after a post-processor: equal sections.
    pub keeps_bytes: Vec<(String, String)>,
    /// Files whose `.sframe` is discarded on purpose: neither section nor segment.
    pub discarded: Vec<String>,
    /// Files with inputs of several SFrame versions, or with one that cannot be read: the link
    /// fails, or covers the functions in `describes`.
    pub mixes: Vec<String>,
    /// Files with code out of range of 32-bit start fields: the link fails up to V2, or covers the
    /// functions in `describes`.
    pub overflows: Vec<String>,
    /// Files of links that have no reason to print anything about `.sframe`.
    pub silent: Vec<String>,
    /// Files for which the sizes of `.sframe`, `.eh_frame` and `.eh_frame_hdr` are reported.
    pub sizes: Vec<String>,
}

/// An execution.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Run {
    pub file: String,
    /// Functions to run instead of the ELF entry.
    #[serde(default)]
    pub entries: Vec<String>,
    /// Expected exit status; not for `entries`.
    pub exit: Option<i32>,
    /// Minimum that the run must reach.
    pub least: Least,
}

/// Errors of a case file.
#[derive(Debug, thiserror::Error)]
pub enum RecipeError {
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// The file contradicts itself.
    #[error("{}: {what}", path.display())]
    Senseless { path: PathBuf, what: String },
}

impl LinkCase {
    /// Reads a case file.
    pub fn read(path: &Path) -> Result<LinkCase, RecipeError> {
        LinkCase::parse(path, &yaml::text(path)?)
    }

    /// Parses the contents of a case file.
    pub fn parse(path: &Path, text: &str) -> Result<LinkCase, RecipeError> {
        let recipe: Recipe = yaml::parse(path, text)?;
        let case = LinkCase {
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            folder: path.parent().unwrap_or(Path::new("")).to_owned(),
            recipe,
        };
        match case.recipe.contradiction() {
            Some(what) => Err(RecipeError::Senseless { path: path.to_owned(), what }),
            None => Ok(case),
        }
    }

    /// Returns true if the case is for a target and version: it lists them, and every object has a
    /// source.
    pub fn is_for(&self, abi: Abi, version: SframeVersion) -> bool {
        let named = |names: &Option<Vec<String>>, is: &dyn Fn(&str) -> bool| {
            names.as_ref().is_none_or(|names| names.iter().any(|name| is(name)))
        };
        named(&self.recipe.abis, &|name| abi.is_called(name))
            && named(&self.recipe.versions, &|name| name == version.name())
            && self.recipe.objects.values().all(|object| self.source(object, abi).is_file())
    }

    /// Path of an object's source for a target.
    pub fn source(&self, object: &Object, abi: Abi) -> PathBuf {
        self.folder.join(format!("{}.{}.s", object.source, abi.facts().family))
    }
}

impl Recipe {
    /// Returns true if another linker takes part.
    pub fn has_other_linker(&self) -> bool {
        self.steps.iter().any(|step| step.linker == Linker::Other)
    }

    /// Returns true if a linker of this family can make any of its files, or a pair with another
    /// linker may.
    pub fn is_for(&self, family: Flavour) -> bool {
        self.has_other_linker() || !self.possible(family, family).is_empty()
    }

    /// Returns true if linkers of these families can make a file that involves the one under test.
    pub fn suits(&self, own: Flavour, other: Flavour) -> bool {
        let mixes = |step: &&Step| step.from.iter().any(|input| self.is_foreign(input));
        self.possible(own, other).iter().any(|step| step.linker == Linker::Own && mixes(step))
    }

    /// Steps that linkers of these families can do.
    fn possible(&self, own: Flavour, other: Flavour) -> Vec<&Step> {
        let mut impossible: BTreeSet<&str> = BTreeSet::new();
        let mut possible = Vec::new();
        for step in &self.steps {
            let flavour = match step.linker {
                Linker::Own => own,
                Linker::Other => other,
            };
            let able = !step.lacking.contains_key(&flavour)
                && step.only.as_ref().is_none_or(|only| only.contains(&flavour))
                && !step.from.iter().any(|input| impossible.contains(input.as_str()));
            if able {
                possible.push(step);
            } else {
                impossible.insert(&step.make);
            }
        }
        possible
    }

    /// Returns true if another linker took part in making a file.
    fn is_foreign(&self, name: &str) -> bool {
        let made = self.steps.iter().find(|step| step.make == name);
        made.is_some_and(|step| step.linker == Linker::Other || step.from.iter().any(|input| self.is_foreign(input)))
    }

    /// The first contradiction.
    fn contradiction(&self) -> Option<String> {
        let mut known: BTreeSet<&str> = self.objects.keys().map(String::as_str).collect();
        for abi in self.abis.iter().flatten() {
            if !Abi::ALL.into_iter().any(|known| known.is_called(abi)) {
                return Some(format!("abis: {}", unknown_abi(abi)));
            }
        }
        for version in self.versions.iter().flatten() {
            if SframeVersion::named(version).is_none() {
                return Some(format!("versions: {}", unknown_version(version)));
            }
        }
        for (name, object) in &self.objects {
            let unknown = object.version.iter().find(|version| SframeVersion::named(version).is_none());
            if let Some(version) = unknown {
                return Some(format!("object '{name}': {}", unknown_version(version)));
            }
            if object.version.is_some() && object.sframe {
                return Some(format!("object '{name}': the version is the assembler's, unless `sframe: false`"));
            }
        }
        for name in self.objects.keys().chain(self.steps.iter().map(|step| &step.make)) {
            if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_') {
                return Some(format!("'{name}' names a file: letters, digits, '-' and '_' only"));
            }
        }
        for step in &self.steps {
            if let Some(input) = step.from.iter().find(|input| !known.contains(input.as_str())) {
                return Some(format!(
                    "step '{}' is made from '{input}', which is neither an object nor made before",
                    step.make
                ));
            }
            if step.linker == Linker::Other && step.by != StepKind::Relocatable {
                return Some(format!(
                    "step '{}': another linker makes relocatable objects only, as input of the linker under test",
                    step.make
                ));
            }
            if step.tool.is_some() && !matches!(step.by, StepKind::Strip | StepKind::Objcopy) {
                return Some(format!("step '{}' names a tool, which only strip and objcopy do", step.make));
            }
            if step.from.is_empty() {
                return Some(format!("step '{}' is made from nothing", step.make));
            }
            if !known.insert(&step.make) {
                return Some(format!("'{}' is made twice", step.make));
            }
            let unknown =
                placeholders(&step.options).chain(step.options_for.values().flat_map(|words| placeholders(words)));
            if let Some(name) = unknown.into_iter().find(|name| !self.files.contains_key(*name)) {
                return Some(format!("step '{}' names a file {{{name}}} that `files` does not have", step.make));
            }
        }
        let made: BTreeSet<&str> = self.steps.iter().map(|step| step.make.as_str()).collect();
        if let Some(name) = self.expect.names().find(|name| !known.contains(name)) {
            return Some(format!("expect: '{name}' is neither an object nor made by a step"));
        }
        if let Some(run) = self.expect.runs.iter().find(|run| !run.least.run) {
            return Some(format!("expect: '{}' is executed, but its `least` has `run: false`", run.file));
        }
        if let Some(name) = self
            .expect
            .mixes
            .iter()
            .chain(&self.expect.overflows)
            .find(|name| !made.contains(name.as_str()) || !self.expect.describes.contains_key(name.as_str()))
        {
            return Some(format!("expect: '{name}' needs `describes`, and a step that makes it"));
        }
        None
    }
}

/// The names in braces.
fn placeholders(words: &str) -> impl Iterator<Item = &str> {
    words.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name)
}

impl Expectations {
    /// All file names in the recipe.
    fn names(&self) -> impl Iterator<Item = &str> {
        let pairs =
            [&self.controls, &self.relinked, &self.any_order, &self.collected, &self.same_bytes, &self.keeps_bytes];
        let single = [&self.discarded, &self.mixes, &self.overflows, &self.silent, &self.sizes];
        let of_pairs = pairs.into_iter().flatten().flat_map(|(one, other)| [one, other]);
        let keyed = self.describes.keys().chain(self.gone.keys());
        let all =
            self.runs.iter().map(|run| &run.file).chain(keyed).chain(of_pairs).chain(single.into_iter().flatten());
        all.map(String::as_str)
    }
}
