//! Everything that a command depends on, as one digest: the tool, the words, the environment, and
//! the contents of every file that the words name.
//!
//! A command that may read more than its words name has no key: a source that includes others, a
//! folder or a library to search, a thin archive.

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

/// The format of the folder: raise it when the same key must give another answer.
const FORMAT: u8 = 2;

/// Variables that GNU and LLVM tools and mold read, by their beginnings: "Environment Variables" in
/// the manuals of gcc and ld, in the pages of clang and mold. Where shared libraries and programs
/// are looked for (`LD_LIBRARY_PATH`, `PATH`) shows in what the tool consists of.
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

/// What makes a text read other files: of assembly, of C, of linker scripts. One search for all:
/// every text that a tool is given is searched.
static OPENS: LazyLock<Regex> = LazyLock::new(|| {
    let words = [".include", ".incbin", "#include", "# include", "#embed", "__has_", "INCLUDE", "INPUT", "GROUP"];
    Regex::new(&words.map(regex::escape).join("|")).expect("words are a pattern")
});

impl Key {
    /// The key of a command on files; none if it may read more than its words name.
    pub(super) fn new(makeup: &Makeup, asked: Command<'_>, files: &Files) -> Option<Key> {
        static READ_HERE: LazyLock<Vec<(OsString, OsString)>> = LazyLock::new(|| read_by_tools(std::env::vars_os()));
        Key::with(makeup, asked, files, &READ_HERE)
    }

    /// The same with these variables of the environment.
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
                // A folder to search, a device.
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

    /// The file's name below the folder of answers.
    pub(super) fn file(&self) -> String {
        let text = hex(&self.0);
        let (first, rest) = text.split_at(2);
        format!("{first}/{rest}")
    }

    /// The share, of that many equal ones, that it belongs to.
    pub(super) fn share(&self, of: u64) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        u64::from_le_bytes([a, b, c, d, e, f, g, h]) % of.max(1)
    }
}

/// Those variables of an environment that tools read.
pub(super) fn read_by_tools(environment: impl Iterator<Item = (OsString, OsString)>) -> Vec<(OsString, OsString)> {
    let is_read = |name: &OsString| READ.iter().any(|read| name.as_encoded_bytes().starts_with(read.as_bytes()));
    environment.filter(|(name, _)| is_read(name)).collect()
}

/// The texts that a word may contain as file names: itself, the part after an option's letter,
/// after `=`, and between commas.
fn names(word: &str) -> impl Iterator<Item = &str> {
    let after_letter = word.strip_prefix('-').and_then(|rest| rest.get(1..)).filter(|rest| !rest.is_empty());
    std::iter::once(word).chain(after_letter).chain(word.split([',', '=']).skip(1)).filter(|name| !name.is_empty())
}

/// Returns true if a command depends on nothing of a file but its contents.
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
