//! Puts the project's data into the program, so that an installed one needs no checkout: cases, producers' and readers' files, ledger. Only in
//! release builds: others are called in a checkout, and would be built again at each change of a case.

use std::fs::{self, File};
use std::hash::{Hash as _, Hasher as _};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use flate2::{Compression, write::GzEncoder};

/// Below the project's folder.
const DATA: [&str; 3] = ["cases", "ci", "reports/known"];

fn main() -> io::Result<()> {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("data.tar.gz");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    println!("cargo::rerun-if-changed=build.rs");
    let mut archive = Vec::new();
    if std::env::var_os("PROFILE").is_some_and(|profile| profile == "release") {
        let mut files = Vec::new();
        for folder in DATA {
            println!("cargo::rerun-if-changed={}", root.join(folder).display());
            list(&root.join(folder), &mut files)?;
        }
        files.sort();
        archive = packed(&root, &files)?;
    }
    let mut digest = std::hash::DefaultHasher::new();
    archive.hash(&mut digest);
    println!("cargo::rustc-env=DATA_DIGEST={:016x}", digest.finish());
    File::create(out)?.write_all(&archive)
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => list(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}

/// The same bytes for the same files: no times, owners or orders of folders.
fn packed(root: &Path, files: &[PathBuf]) -> io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
    archive.mode(tar::HeaderMode::Deterministic);
    for path in files {
        let name = path.strip_prefix(root).unwrap_or(path);
        archive.append_path_with_name(path, name)?;
    }
    archive.into_inner()?.finish()
}
