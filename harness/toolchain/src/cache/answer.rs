//! One answer: how a command ended, what it printed, and the file that it made.
//!
//! On disk: a line with the digest of its key and all that follows, a line of JSON, and the bytes
//! of the file. A file of another key, or of another program, is damaged.

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
pub(super) struct Answer {
    head: Head,
    /// Empty where it made no file.
    bytes: Bytes,
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
struct Head {
    code: i32,
    stdout: String,
    stderr: String,
    /// True if it made its file.
    made: bool,
}

/// How names of files end that are being written.
pub(super) const HALF: &str = ".half";

impl Answer {
    /// The result of a command that ended by itself.
    pub(super) fn new(finished: &Finished, made: Option<&Bytes>) -> Answer {
        let head = Head {
            code: finished.code.unwrap_or_default(),
            stdout: finished.stdout.clone(),
            stderr: finished.stderr.clone(),
            made: made.is_some(),
        };
        Answer { head, bytes: made.cloned().unwrap_or_default() }
    }

    /// What a file holds; none if it is not there or is damaged.
    pub(super) fn read(path: &Path, key: &Key) -> Option<Answer> {
        let bytes = input::read_made(path, input::MOST_BYTES).ok()?;
        let (said, rest) = line(&bytes)?;
        let (head, file) = line(rest)?;
        if said != digest(key, rest).as_bytes() {
            return None;
        }
        let (head, before) = (serde_json::from_slice(head).ok()?, bytes.len() - file.len());
        Some(Answer { head, bytes: Bytes::from(bytes).slice(before..) })
    }

    /// Writes it to a file, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
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

    /// Does what the command did.
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

    /// In what another answer to the same command differs.
    pub(super) fn difference(&self, other: &Answer) -> &'static str {
        match (&self.head, &other.head) {
            (a, b) if a.code != b.code => "its exit status",
            (a, b) if a.made != b.made || self.bytes != other.bytes => "the file that it makes",
            _ => "what it prints",
        }
    }
}

/// The first line without its end, and what follows.
fn line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    Some((bytes.get(..end)?, bytes.get(end + 1..)?))
}

fn digest(key: &Key, bytes: &[u8]) -> String {
    hex(&Sha256::new().chain_update(key.bytes()).chain_update(bytes).finalize())
}
