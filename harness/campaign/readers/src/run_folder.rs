//! The stored results of a readers' run: findings, facts, and the smallest section of each finding;
//! private ones in a separate folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use results::{ReaderFinding, ReadersRun};
use toolchain::input;

use super::CauseEvidence;
use crate::corpus::{WriteError, case, section_file};

/// File with one finding per line.
pub const FINDINGS: &str = "findings.jsonl";
/// File with data about the complete run.
pub const FACTS: &str = "consumers.json";
/// Folder of private findings, which a reader's makers must see first.
pub const PRIVATE: &str = "private";

const PRIVATE_README: &str = "These sections crash readers. Report each to the maintainers of the reader in private, and publish \
                              nothing of this folder before the bug is fixed.\n";

/// Why results cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", path.display())]
pub struct ResultsError {
    pub path: PathBuf,
    pub why: String,
}

/// Writes findings, facts and sections into a folder.
pub fn write(folder: &Path, found: &[CauseEvidence<'_, '_>], run: &ReadersRun) -> Result<(), WriteError> {
    let mut lines = String::new();
    for one in found {
        lines.push_str(&line(&one.finding));
        let id = &one.smallest.vector.id;
        let home = if one.finding.example.is_some() { folder.to_owned() } else { folder.join(PRIVATE) };
        put(&home.join(section_file(one.smallest.vector)), &one.smallest.vector.bytes)?;
        put(&home.join(format!("{id}.json")), format!("{:#}\n", case(one.smallest.vector)).as_bytes())?;
    }
    put(&folder.join(FINDINGS), lines.as_bytes())?;
    let private: String = found
        .iter()
        .filter(|one| one.finding.example.is_none())
        .map(|one| {
            let named = ReaderFinding { cause: one.cause.title(), example: Some(one.example()), ..one.finding.clone() };
            line(&named)
        })
        .collect();
    if !private.is_empty() {
        put(&folder.join(PRIVATE).join("README"), PRIVATE_README.as_bytes())?;
        put(&folder.join(PRIVATE).join(FINDINGS), private.as_bytes())?;
    }
    put(&folder.join(FACTS), format!("{}\n", serde_json::to_string_pretty(run).unwrap_or_default()).as_bytes())
}

fn line(finding: &ReaderFinding) -> String {
    format!("{}\n", serde_json::to_string(finding).unwrap_or_default())
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::write(path, bytes)).map_err(|error| WriteError { path: path.to_owned(), error })
}

pub fn read(folder: &Path) -> Result<(Vec<ReaderFinding>, ReadersRun), ResultsError> {
    let failed = |path: &Path, why: String| ResultsError { path: path.to_owned(), why };
    let load = |name: &str| {
        let path = folder.join(name);
        let bytes = input::read(&path).map_err(|error: io::Error| failed(&path, error.to_string()))?;
        Ok((path, bytes))
    };
    let (path, bytes) = load(FACTS)?;
    let run = serde_json::from_slice(&bytes).map_err(|error| failed(&path, error.to_string()))?;
    let (path, bytes) = load(FINDINGS)?;
    let mut findings = Vec::new();
    for (nth, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let finding = serde_json::from_slice(line);
        findings.push(finding.map_err(|error| failed(&path, format!("line {}: {error}", nth + 1)))?);
    }
    Ok((findings, run))
}
