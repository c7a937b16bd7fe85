//! Embeds the project's data and its commit in the program, so that an installed program needs no
//! checkout: cases, producers' and readers' files, ledger. Only in release builds: others are run
//! in a checkout, and would be rebuilt after each change of a case.

#[path = "build/data.rs"]
mod data;

use std::fs::{self, File};
use std::hash::{Hash as _, Hasher as _};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;

fn main() -> io::Result<()> {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("data.tar.gz");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // For a path that does not exist, each call of cargo would build the program anew.
    ["build.rs", "build/data.rs"].iter().for_each(|name| {
        println!("cargo::rerun-if-changed={}", root.join("harness/runner").join(name).display());
    });
    let mut archive = Vec::new();
    let mut commit = String::new();
    if std::env::var_os("PROFILE").is_none_or(|profile| profile != "debug") {
        data::FOLDERS.iter().for_each(|name| println!("cargo::rerun-if-changed={}", root.join(name).display()));
        archive = data::packed(root, &data::files(root)?, Compression::best())?;
        commit = commit_of(root);
    }
    let mut digest = std::hash::DefaultHasher::new();
    archive.hash(&mut digest);
    println!("cargo::rustc-env=DATA_DIGEST={:016x}", digest.finish());
    fs::write(out.with_file_name("commit"), commit)?;
    File::create(out)?.write_all(&archive)
}

/// The commit that is built, marked if files are modified; the packager's text if there is no
/// repository. Empty if unknown.
fn commit_of(root: &Path) -> String {
    const VARIABLE: &str = "SFRAME_CONFORMANCE_COMMIT";
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    if let Ok(commit) = std::env::var(VARIABLE) {
        return commit.chars().filter(char::is_ascii_graphic).collect();
    }
    let git = |words: &[&str]| {
        let ran =
            Command::new("git").arg("-C").arg(root).args(words).output().ok().filter(|ran| ran.status.success())?;
        Some(String::from_utf8(ran.stdout).ok()?.trim().to_owned())
    };
    // These files change with the next commit: the target of HEAD, and the commit.
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", name]) {
            println!("cargo::rerun-if-changed={}", root.join(path).display());
        }
    }
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else { return String::new() };
    let clean = git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|changes| changes.is_empty());
    if clean { commit } else { format!("{commit}, changed") }
}
