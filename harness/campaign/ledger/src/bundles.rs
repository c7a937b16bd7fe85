//! The bundles of `reports/known`: one folder for each, with its data and the sources that are in
//! no other place.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use results::Blame;
use results::bundle::{Bundle, Counted, CountedBug, Filing, ListedBug, ListedBundle, Source, Upstream, code};
use sha2::{Digest as _, Sha256};
use toolchain::input;
use toolchain::yaml::{self, YamlError};
use types::TableFormat;

use crate::entries::{Ledger, entry};
use crate::error::LedgerError;
use crate::known::{LedgerEntry, RecordedCause, WRONG_RESULT};
use crate::{BUNDLE, Home, KNOWN_READERS, read_faults};

/// The folder of all bundles.
const KNOWN: &str = "reports/known";

/// The folder of known bugs in tables of libraries, which no trial shows: a baseline for `check`
/// and `sweep`.
pub const KNOWN_LIBRARIES: &str = "reports/known/libraries";

/// Name of the program whose execution shows a bug, in the folder of its bundle.
pub const PROGRAM: &str = "program";

/// Folders of sources that bundles refer to instead of copying them.
const SHARED: [&str; 2] = ["cases/c/start", "cases/link/src"];

#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// A source, or the folder, cannot be read or written.
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("{}: its sha256 is {is}, but {BUNDLE} has {wanted}", path.display())]
    Changed { path: PathBuf, is: String, wanted: String },
    #[error("{}: '{name}' is outside the folder", path.display())]
    Outside { path: PathBuf, name: String },
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// SHA-256 of bytes, as 64 hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns true if a text can be the name of an entry and its bundle: letters, digits, `-` and `.`,
/// not beginning with `.`.
pub fn is_name(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.';
    !text.is_empty() && !text.starts_with('.') && text.bytes().all(plain)
}

pub fn folder(home: &Home, name: &str) -> PathBuf {
    home.root.join(KNOWN).join(name)
}

/// Names of all bundles, sorted.
pub fn names(home: &Home) -> Result<Vec<String>, BundleError> {
    let known = home.root.join(KNOWN);
    let failed = |error| BundleError::File { path: known.clone(), error };
    let mut names = Vec::new();
    for entry in fs::read_dir(&known).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.path().join(BUNDLE).is_file() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// Reads a bundle with its sources.
pub fn read(home: &Home, name: &str) -> Result<Filing, BundleError> {
    let folder = folder(home, name);
    let bundle: Bundle = yaml::read(&folder.join(BUNDLE))?;
    let texts = bundle.sources.iter().map(|source| text(home, &folder, source)).collect::<Result<_, _>>()?;
    let program = bundle.program.as_ref().map(|sum| program(&folder, sum)).transpose()?;
    let upstream = upstream(home, bundle.entry.as_deref().unwrap_or(name))?;
    Ok(Filing { bundle, texts, program, upstream })
}

/// State of the upstream report in the ledger entry with this name; `None` if there is no entry
/// yet.
fn upstream(home: &Home, entry: &str) -> Result<Option<Upstream>, BundleError> {
    let path = home.root.join(KNOWN).join(format!("{entry}.yaml"));
    if !is_name(entry) || !path.is_file() {
        return Ok(None);
    }
    let LedgerEntry { link, versions, added, looked, .. } = yaml::read(&path)?;
    Ok(Some(Upstream { link, fixed: versions.fixed, on: looked.unwrap_or(added) }))
}

/// The kept program.
fn program(folder: &Path, sum: &str) -> Result<Vec<u8>, BundleError> {
    let path = folder.join(PROGRAM);
    let bytes = fs::read(&path).map_err(|error| BundleError::File { path: path.clone(), error })?;
    same(path, &bytes, sum)?;
    Ok(bytes)
}

/// Returns an error if a file is not the one with this sum.
fn same(path: PathBuf, bytes: &[u8], wanted: &str) -> Result<(), BundleError> {
    let is = sha256(bytes);
    if is == wanted { Ok(()) } else { Err(BundleError::Changed { path, is, wanted: wanted.to_owned() }) }
}

fn text(home: &Home, folder: &Path, source: &Source) -> Result<String, BundleError> {
    let (base, name) = source.code_of.as_ref().map_or((folder, &source.name), |path| (home.root.as_path(), path));
    if !Path::new(name).components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(BundleError::Outside { path: folder.join(BUNDLE), name: name.clone() });
    }
    let path = base.join(name);
    let text = input::read_text(&path).map_err(|error| BundleError::File { path: path.clone(), error })?;
    let text = if source.code_of.is_some() { code(&text) } else { text };
    same(path, text.as_bytes(), &source.sha256)?;
    Ok(text)
}

/// Writes a bundle: its data, and the sources that are in no other place. Other files of the folder
/// are removed.
pub fn write(home: &Home, name: &str, filing: &Filing) -> Result<(), BundleError> {
    let folder = folder(home, name);
    if !is_name(name) {
        return Err(BundleError::Outside { path: home.root.join(KNOWN), name: name.to_owned() });
    }
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| BundleError::File { path, error }
    };
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(failed(&folder))?;
    }
    fs::create_dir_all(&folder).map_err(failed(&folder))?;
    let mut bundle = filing.bundle.clone();
    for (source, text) in bundle.sources.iter_mut().zip(&filing.texts) {
        source.code_of = source.code_of.take().or_else(|| shared(home, &source.name, text));
        if source.code_of.is_none() {
            let path = folder.join(&source.name);
            fs::write(&path, text).map_err(failed(&path))?;
        }
    }
    if let Some(program) = &filing.program {
        let path = folder.join(PROGRAM);
        fs::write(&path, program).map_err(failed(&path))?;
    }
    Ok(yaml::write(&folder.join(BUNDLE), &bundle)?)
}

/// The file of the checkout with this name and code, if there is one.
fn shared(home: &Home, name: &str, text: &str) -> Option<String> {
    let has_it = |path: &String| input::read_text(&home.root.join(path)).is_ok_and(|whole| code(&whole) == text);
    SHARED.iter().map(|folder| format!("{folder}/{name}")).find(has_it)
}

/// The files with lists of known bugs, below the checkout, and the rows of each.
pub fn lists(home: &Home) -> Result<[(PathBuf, Vec<ListedBug>); 3], BundleError> {
    let readme = |folder: &str| home.root.join(folder).join("README.md");
    Ok([
        (readme(KNOWN), listed(home)?),
        (readme(KNOWN_LIBRARIES), listed_libraries(home)?),
        (readme(KNOWN_READERS), listed_readers(home)?),
    ])
}

/// Counts of all known bugs by project: of producers, and of readers. A bug of one project in
/// another's tool counts once, for the project in its title.
pub fn counted(home: &Home) -> Result<[BTreeMap<String, Counted>; 2], BundleError> {
    let ledger = Ledger::read(home)?;
    let filed = names(home)?;
    let projects: BTreeSet<&str> = ledger.entries.iter().map(|entry| entry.project.as_str()).collect();
    let mut producers: BTreeMap<String, Counted> = BTreeMap::new();
    let own = ledger.entries.iter().enumerate().filter(|(_, known)| known.same_as.is_none() && known.class.is_bug());
    for (index, known) in own {
        let part = known.title.split_once(": ").map_or(known.project.as_str(), |(tool, _)| tool);
        let project = projects.get(part).copied().unwrap_or(&known.project);
        let is_wrong_code = |cause: &RecordedCause| cause.is_of(WRONG_RESULT) || cause.is_of(CRASH);
        producers.entry(project.to_owned()).or_default().add(CountedBug {
            is_fixed: known.versions.fixed.is_some(),
            is_reported: known.link != UNFILED,
            // A linker's or assembler's bug in `.eh_frame` has `.eh_frame` in its title.
            is_of_eh_frame: known.blame == Blame::EhFrame || known.title.contains(".eh_frame"),
            is_wrong_code: known.causes.iter().any(is_wrong_code),
            has_bundle: filed.contains(&ledger.stem(index)),
        });
    }
    let mut readers: BTreeMap<String, Counted> = BTreeMap::new();
    for (path, known) in &read_faults(&home.root.join(KNOWN_READERS))? {
        if known.same_as.is_some() || !known.class.is_bug() {
            continue;
        }
        let mut tables = known.shows.iter().flat_map(|shows| shows.causes.values().flatten());
        readers.entry(known.project.clone()).or_default().add(CountedBug {
            is_fixed: known.versions.fixed.is_some(),
            is_reported: known.link != UNFILED,
            is_of_eh_frame: tables.all(|table| table.starts_with(TableFormat::EhFrame.name())),
            is_wrong_code: false,
            has_bundle: path.with_extension("").is_dir(),
        });
    }
    Ok([producers, readers])
}

/// The link of a bug without a report.
pub(crate) const UNFILED: &str = "unfiled";

/// The rule of a cause for a compiler that crashes.
pub(crate) const CRASH: &str = "crash";

/// All known bugs, with their bundles.
fn listed(home: &Home) -> Result<Vec<ListedBug>, BundleError> {
    let ledger = Ledger::read(home)?;
    let bundles = names(home)?
        .into_iter()
        .map(|name| yaml::read::<Bundle>(&folder(home, &name).join(BUNDLE)).map(|bundle| (name, bundle)))
        .collect::<Result<Vec<_>, _>>()?;
    let mut entries = Vec::new();
    for (index, known) in ledger.entries.iter().enumerate() {
        let stem = ledger.stem(index);
        let own = bundles.iter().find(|(name, _)| *name == stem);
        let entry = ListedBug { bundle: own.map(|(_, bundle)| as_listed(bundle)), ..row(stem.clone(), known) };
        entries.push(entry.clone());
        // Other bundles of the same bug.
        let more = bundles.iter().filter(|(_, bundle)| bundle.entry.as_ref() == Some(&stem));
        entries.extend(more.map(|(name, bundle)| {
            let bundle = ListedBundle { another: Some(bundle.abi), ..as_listed(bundle) };
            ListedBug { name: name.clone(), bundle: Some(bundle), ..entry.clone() }
        }));
    }
    Ok(entries)
}

fn as_listed(bundle: &Bundle) -> ListedBundle {
    ListedBundle { remark: bundle.remark.clone(), another: None }
}

/// The row of an entry without a bundle.
fn row(name: String, known: &LedgerEntry) -> ListedBug {
    ListedBug {
        name,
        title: known.title.clone(),
        tools: format!("{} {}", known.project, known.versions),
        fixed: known.versions.fixed.clone(),
        link: known.link.clone(),
        class: known.class,
        because: known.because.clone(),
        bundle: None,
    }
}

/// All known bugs in tables of libraries.
fn listed_libraries(home: &Home) -> Result<Vec<ListedBug>, BundleError> {
    let files = yaml::files(&home.root.join(KNOWN_LIBRARIES))?;
    files.iter().map(|path| Ok(row(stem(path), &entry(path)?))).collect()
}

/// All known bugs of readers.
fn listed_readers(home: &Home) -> Result<Vec<ListedBug>, BundleError> {
    let known = read_faults(&home.root.join(KNOWN_READERS))?;
    let listed = known.iter().map(|(path, known)| ListedBug {
        name: stem(path),
        title: known.title.clone(),
        tools: format!("{} {}", known.project, known.versions),
        fixed: known.versions.fixed.clone(),
        link: known.link.clone(),
        class: known.class,
        because: known.because.clone(),
        bundle: path.with_extension("").is_dir().then(ListedBundle::default),
    });
    Ok(listed.collect())
}

/// Name of an entry: its file name without `.yaml`.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
