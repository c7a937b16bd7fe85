//! Finds cases, producers' file and ledger: in the checkout of the working directory, else in the
//! one that contains the program, else in the embedded copy.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use ledger::Home;
use toolchain::yaml::{self, YamlError};

use crate::copy::unpacked;

/// Environment variable with a folder to use outside of any checkout.
const VARIABLE: &str = "SFRAME_CONFORMANCE_HOME";

/// The data at build time, as `.tar.gz`; empty except in release builds.
const COPY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/data.tar.gz"));

/// Digest of [`COPY`], which names its folder.
const DIGEST: &str = env!("DATA_DIGEST");

/// The checkout that contains the working directory, the folder in the environment variable, the
/// checkout that contains this program (as in `target/release`), or the embedded copy, unpacked
/// into the user's cache folder.
pub fn find() -> anyhow::Result<Home> {
    if COPY.is_empty() || std::env::var_os(VARIABLE).is_some() {
        return to_write();
    }
    let near = Home::checkout().ok().or_else(of_program);
    near.map_or_else(|| unpacked(COPY, &kept()?.join(DIGEST)), Ok)
}

/// Folders of the shipped ledger, relative to the project's folder.
const LEDGER: [&str; 2] = ["reports/known", "reports/known/libraries"];

/// The entries of the shipped ledger, path and contents: of the checkout that [`find`] finds, else
/// of the embedded copy.
pub fn ledger() -> Result<Vec<(PathBuf, String)>, Box<dyn std::error::Error + Send + Sync>> {
    let near = if COPY.is_empty() || std::env::var_os(VARIABLE).is_some() {
        Some(to_write()?)
    } else {
        Home::checkout().ok().or_else(of_program)
    };
    match near {
        Some(home) => {
            let folders = LEDGER.iter().map(|folder| yaml::files(&home.root.join(folder)));
            let files = folders.collect::<Result<Vec<_>, _>>()?.into_iter().flatten();
            Ok(files.map(|path| Ok((path.clone(), yaml::text(&path)?))).collect::<Result<_, YamlError>>()?)
        }
        None => Ok(texts(COPY, |path| {
            LEDGER.iter().any(|folder| path.parent() == Some(Path::new(folder)))
                && path.extension().is_some_and(|kind| kind == "yaml")
        })?),
    }
}

/// Like [`find`], but never the embedded copy: for commands that write into the ledger.
pub fn to_write() -> anyhow::Result<Home> {
    match (Home::checkout(), std::env::var_os(VARIABLE)) {
        (Ok(home), _) => Ok(home),
        (Err(_), Some(folder)) => {
            let folder = PathBuf::from(folder);
            Home::at(&folder).with_context(|| format!("{VARIABLE}={}: no cases there", folder.display()))
        }
        (Err(none), None) => of_program()
            .ok_or(none)
            .context(format!("outside of a checkout, {VARIABLE} names the folder with the cases and the ledger")),
    }
}

/// The checkout that contains this program.
fn of_program() -> Option<Home> {
    std::env::current_exe().ok()?.ancestors().find_map(Home::at)
}

/// The checkout that this was built from, for a test of a project that depends on this one.
pub(crate) fn of_source() -> Option<Home> {
    Home::at(Path::new(env!("CARGO_MANIFEST_DIR")))
}

/// Folder of the unpacked copy: `$XDG_CACHE_HOME/sframe-conformance`,
/// `~/.cache/sframe-conformance`.
fn kept() -> anyhow::Result<PathBuf> {
    let named = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")));
    let Some(folder) = folder else {
        bail!("no folder to unpack the cases into: neither XDG_CACHE_HOME nor HOME is set; {VARIABLE} names a checkout")
    };
    Ok(folder.join("sframe-conformance"))
}

/// The texts of the files in a `.tar.gz` that `is_wanted` selects by path.
fn texts(archive: &[u8], is_wanted: impl Fn(&Path) -> bool) -> io::Result<Vec<(PathBuf, String)>> {
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(archive));
    let mut texts = Vec::new();
    for file in archive.entries()? {
        let mut file = file?;
        let path = file.path()?.into_owned();
        if is_wanted(&path) {
            let mut text = String::new();
            file.read_to_string(&mut text)?;
            texts.push((path, text));
        }
    }
    Ok(texts)
}
