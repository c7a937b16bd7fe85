//! A cached answer: exit and output of a command, and the file that it made.
//!
//! Format: a line with the digest of key and contents, a line of JSON, and the bytes of the file. A
//! file for another key, or of another program, counts as damaged.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use sha2::{Digest as _, Sha256};
use types::Bytes;

use super::hex;
use super::key::Key;
use crate::files::Files;
use crate::input;
use crate::process::Finished;

/// The result of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CachedResult {
    head: Head,
    /// Contents of the file; empty if there is none.
    bytes: Bytes,
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
struct Head {
    code: i32,
    stdout: String,
    stderr: String,
    /// True if the command made its output file.
    made: bool,
}

/// Suffix of files that are being written.
pub(super) const HALF: &str = ".half";

impl CachedResult {
    /// The answer of a command that exited by itself.
    pub(super) fn new(finished: &Finished, made: Option<&Bytes>) -> CachedResult {
        let head = Head {
            code: finished.code.unwrap_or_default(),
            stdout: finished.stdout.clone(),
            stderr: finished.stderr.clone(),
            made: made.is_some(),
        };
        CachedResult { head, bytes: made.cloned().unwrap_or_default() }
    }

    /// Reads an answer; `None` if the file is missing or damaged.
    pub(super) fn read(path: &Path, key: &Key) -> Option<CachedResult> {
        let bytes = input::read_made(path, input::MOST_BYTES).ok()?;
        let (stored, rest) = line(&bytes)?;
        let (head, file) = line(rest)?;
        if stored != digest(key, rest).as_bytes() {
            return None;
        }
        let (head, before) = (serde_json::from_slice(head).ok()?, bytes.len() - file.len());
        Some(CachedResult { head, bytes: Bytes::from(bytes).slice(before..) })
    }

    /// Writes the answer atomically.
    pub(super) fn keep(&self, path: &Path, key: &Key) -> io::Result<()> {
        let mut rest = serde_json::to_vec(&self.head)?;
        rest.push(b'\n');
        rest.extend_from_slice(&self.bytes);
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new().suffix(HALF).tempfile_in(folder)?;
        writeln!(file, "{}", digest(key, &rest))?;
        file.write_all(&rest)?;
        file.persist(path)?;
        Ok(())
    }

    /// Reproduces the effect of the command.
    pub(super) fn give(self, files: &mut Files, output: &str) -> Finished {
        if self.head.made {
            files.put(output, self.bytes);
        }
        Finished {
            success: self.head.code == 0,
            code: Some(self.head.code),
            signal: None,
            stdout: self.head.stdout,
            stderr: self.head.stderr,
        }
    }

    /// The first part in which two answers to the same command differ.
    pub(super) fn difference(&self, other: &CachedResult) -> &'static str {
        match (&self.head, &other.head) {
            (a, b) if a.code != b.code => "its exit status",
            (a, b) if a.made != b.made || self.bytes != other.bytes => "the file that it makes",
            _ => "what it prints",
        }
    }
}

/// Splits off the first line, without its end.
fn line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    Some((bytes.get(..end)?, bytes.get(end + 1..)?))
}

fn digest(key: &Key, bytes: &[u8]) -> String {
    hex(&Sha256::new().chain_update(key.bytes()).chain_update(bytes).finalize())
}
