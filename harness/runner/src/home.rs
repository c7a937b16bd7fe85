//! Where the command finds cases, producers' file and ledger: in the checkout that it is called in,
//! else in the one that it was built in, else in the copy that it carries.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use ledger::Home;

use crate::copy::unpacked;

/// The variable that names a folder to use outside of any checkout.
const VARIABLE: &str = "SFRAME_CONFORMANCE_HOME";

/// The data as they were when this was built, as `.tar.gz`; empty but in release builds.
const COPY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/data.tar.gz"));

/// Names what [`COPY`] holds.
const DIGEST: &str = env!("DATA_DIGEST");

/// The checkout around, the folder that the variable names, the checkout that this program lies in
/// (as in `target/release`), or the copy, unpacked where the user's programs keep such things.
pub(crate) fn find() -> anyhow::Result<Home> {
    if COPY.is_empty() || std::env::var_os(VARIABLE).is_some() {
        return to_write();
    }
    let near = Home::checkout().ok().or_else(of_program);
    near.map_or_else(|| unpacked(COPY, &kept()?.join(DIGEST)), Ok)
}

/// The same, but never the copy: for what is written into the ledger.
pub(crate) fn to_write() -> anyhow::Result<Home> {
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

/// The checkout that this program lies in.
fn of_program() -> Option<Home> {
    std::env::current_exe().ok()?.ancestors().find_map(Home::at)
}

/// `$XDG_CACHE_HOME/sframe-conformance`, `~/.cache/sframe-conformance`.
fn kept() -> anyhow::Result<PathBuf> {
    let named = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")));
    let Some(folder) = folder else {
        bail!("no folder to unpack the cases into: neither XDG_CACHE_HOME nor HOME is set")
    };
    Ok(folder.join("sframe-conformance"))
}
