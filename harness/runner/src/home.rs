//! Finds cases, producers' file and ledger: in the checkout of the working directory, else in the
//! one that contains the program, else in the embedded copy.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use ledger::Home;

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
