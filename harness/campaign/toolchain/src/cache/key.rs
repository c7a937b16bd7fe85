//! The digest of everything that a command depends on: the tool, the arguments, the environment,
//! and the contents of every file in the arguments.
//!
//! A command that may read further files has no key: a source that includes others, a folder or
//! library search path, a thin archive.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::bytes::Regex;
use sha2::{Digest as _, Sha256};

use super::makeup::Makeup;
use super::{Command, hex};
use crate::files::Files;

/// The digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key([u8; 32]);

/// Version of the cache's format: increase it if the same key must give another answer.
const FORMAT: u8 = 2;

/// Prefixes of environment variables that GNU and LLVM tools and mold read: "Environment Variables"
/// in the manuals of gcc and ld, in the pages of clang and mold. The search paths for shared
/// libraries and programs (`LD_LIBRARY_PATH`, `PATH`) are covered by the makeup of the tool.
const READ: [&str; 18] = [
    "AS_",
    "CCC_",
    "CLANG",
    "COLLECT_",
    "COMPILER_PATH",
    "CPATH",
    "CPLUS_INCLUDE_PATH",
    "C_INCLUDE_PATH",
    "DEPENDENCIES_OUTPUT",
    "GCC_",
    "GNUTARGET",
    "LDEMULATION",
    "LD_RUN_PATH",
    "LIBRARY_PATH",
    "LLD_",
    "MOLD_",
    "SOURCE_DATE_EPOCH",
    "SUNPRO_DEPENDENCIES",
];

/// Directives that make a text read other files: in assembly, C and linker scripts. One expression
/// for all, since every text input of a tool is searched.
static OPENS: LazyLock<Regex> = LazyLock::new(|| {
    let words = [".include", ".incbin", "#include", "# include", "#embed", "__has_", "INCLUDE", "INPUT", "GROUP"];
    Regex::new(&words.map(regex::escape).join("|")).expect("words are a pattern")
});

impl Key {
    /// The key of a command on files; `None` if it may read further files.
    pub(super) fn new(makeup: &Makeup, asked: Command<'_>, files: &Files) -> Option<Key> {
        static READ_HERE: LazyLock<Vec<(OsString, OsString)>> = LazyLock::new(|| read_by_tools(std::env::vars_os()));
        Key::with(makeup, asked, files, &READ_HERE)
    }

    /// The key with these environment variables.
    pub(super) fn with(
        makeup: &Makeup,
        asked: Command<'_>,
        files: &Files,
        variables: &[(OsString, OsString)],
    ) -> Option<Key> {
        let Command { words, inputs, output } = asked;
        let mut digest = Sha256::new();
        let mut add = |bytes: &[u8]| {
            digest.update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_le_bytes());
            digest.update(bytes);
        };
        add(&[FORMAT]);
        add(makeup.digest());
        for (name, value) in variables {
            add(name.as_encoded_bytes());
            add(value.as_encoded_bytes());
        }
        for word in words {
            add(word.as_bytes());
        }
        add(b"files");
        let named = words.iter().skip(1).filter(|word| *word != output).flat_map(|word| names(word));
        for name in inputs.iter().copied().chain(named) {
            if let (Some(bytes), Some(digest)) = (files.get(name), files.digest(name)) {
                if !is_closed(bytes) {
                    return None;
                }
                add(name.as_bytes());
                add(digest);
                continue;
            }
            let path = Path::new(name);
            match fs::metadata(path) {
                Ok(facts) if facts.is_file() => {
                    let bytes = fs::read(path).ok().filter(|bytes| is_closed(bytes))?;
                    add(name.as_bytes());
                    add(&Sha256::digest(&bytes));
                }
                Ok(_) if makeup.holds(path) => {}
                // A folder or a device.
                Ok(_) => return None,
                Err(_) => {}
            }
        }
        let searches = |word: &&String| word.starts_with("-l") || word.starts_with('@');
        (!words.iter().any(|word| searches(&word))).then(|| Key(digest.finalize().into()))
    }

    pub(super) fn bytes(&self) -> [u8; 32] {
        self.0
    }

    /// Path of the answer's file relative to the cache's folder.
    pub(super) fn file(&self) -> String {
        let text = hex(&self.0);
        let (first, rest) = text.split_at(2);
        format!("{first}/{rest}")
    }

    /// Number of the share that the key belongs to, of `of` equal ones.
    pub(super) fn share(&self, of: u64) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        u64::from_le_bytes([a, b, c, d, e, f, g, h]) % of.max(1)
    }
}

/// The environment variables that tools read.
pub(super) fn read_by_tools(environment: impl Iterator<Item = (OsString, OsString)>) -> Vec<(OsString, OsString)> {
    let is_read = |name: &OsString| READ.iter().any(|read| name.as_encoded_bytes().starts_with(read.as_bytes()));
    environment.filter(|(name, _)| is_read(name)).collect()
}

/// Possible file names in an argument: the argument itself, the part after an option's letter,
/// after `=`, and between commas.
fn names(word: &str) -> impl Iterator<Item = &str> {
    let after_letter = word.strip_prefix('-').and_then(|rest| rest.get(1..)).filter(|rest| !rest.is_empty());
    std::iter::once(word).chain(after_letter).chain(word.split([',', '=']).skip(1)).filter(|name| !name.is_empty())
}

/// Returns true if a command depends only on the contents of a file, and not on files that it
/// refers to.
fn is_closed(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"\x7fELF") {
        return true;
    }
    !bytes.starts_with(b"!<thin>") && !OPENS.is_match(bytes)
}

#[cfg(test)]
mod tests {
    use super::{is_closed, names};

    #[test]
    fn a_word_names_files_in_every_place_that_options_have() {
        let all = |word| names(word).collect::<Vec<_>>();
        assert_eq!(all("a.o"), ["a.o"]);
        assert_eq!(all("-Ta.ld"), ["-Ta.ld", "a.ld"]);
        assert_eq!(all("--version-script=a.map"), ["--version-script=a.map", "version-script=a.map", "a.map"]);
        assert_eq!(all("-Wl,-T,a.ld"), ["-Wl,-T,a.ld", "l,-T,a.ld", "-T", "a.ld"]);
    }

    #[test]
    fn a_text_that_reads_others_is_not_closed() {
        assert!(is_closed(b"\x7fELF .include") && is_closed(b"ret\n"));
        assert!(!is_closed(b"\t.incbin \"x\"\n") && !is_closed(b"!<thin>\n") && !is_closed(b"INPUT(a.o)"));
        assert!(!is_closed(b"\xff# include <a>") && is_closed(b"xincludex #  include group"));
    }
}
