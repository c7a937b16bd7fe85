//! Tests that are assembly files: each states its purpose, how it is built, and what is expected of
//! it, in the comment lines at its top. One test walks a folder of them.
//!
//! ```text
//! # A return thunk makes no frame: the word that its call pushed is dropped by the `lea`.
//! # check: explore
//! #
//! # case: right
//! # with row: .cfi_def_cfa_offset 8
//! # expect: clean, 8 of 8 reached
//! #
//! # case: without a row
//! # with row:
//! # expect: error, 8 of 8 reached
//! # expect: error eh-frame/cfa-matches-truth at .text+0x11..0x12
//! f:  .cfi_startproc
//!     ...
//!     {row}
//! ```
//!
//! The file's name ends with its target: `.amd64.s`, `.aarch64.s`, `.aarch64be.s` or `.s390x.s`; or
//! its cases have a directive for it. The assembler finds files of the folder that is walked, and
//! `is_TARGET` is a symbol.
//!
//! | Directive | Meaning |
//! |---|---|
//! | `also: TARGET` | the same holds for another target |
//! | `target: TARGET` | the target, if not that of the file's name |
//! | `as: OPTIONS` | further options of the assembler |
//! | `link: OPTIONS` | the object is linked; without it, the object is the input |
//! | `case: NAME` | begins a case; a file without one has a single case |
//! | `with NAME: TEXT` | `{NAME}` in the code is this text |
//! | `expect: ...` | one line of the outcome, in the words of the test; all lines must be there |
//!
//! Other directives belong to the test that walks the folder. A directive before the first case
//! holds for each case that does not have its own. `BLESS=1` writes the lines `expect:`.

mod directives;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs, io};

use libtest_mimic::{Failed, Trial};

use crate::binutils::Target;
use directives::{Case, Directives};

/// A file that was built from a case of a source.
#[derive(Debug)]
pub struct Built<'a> {
    /// Its name for messages: source and case.
    pub name: String,
    pub target: Target,
    /// The object or program.
    pub bytes: Vec<u8>,
    directives: &'a Directives,
    case: &'a Case,
}

impl Built<'_> {
    /// The text of a directive of the walking test, if the source has it.
    pub fn setting(&self, key: &str) -> Option<&str> {
        self.directives.setting(self.case, key)
    }
}

/// Returns a test for each file in a folder and its subfolders. `keys` are the directives of the
/// calling test; `outcome` returns the lines that `expect:` has to state.
///
/// # Panics
/// The folder cannot be read.
pub fn trials(
    folder: &Path,
    keys: &'static [&'static str],
    outcome: impl Fn(&Built<'_>) -> Vec<String> + Send + Sync + 'static,
) -> Vec<Trial> {
    let mut files = Vec::new();
    gather(folder, &mut files).expect("a folder of sources");
    files.sort();
    let outcome = Arc::new(outcome);
    let trial = |path: PathBuf| {
        let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        let (root, outcome) = (folder.to_owned(), Arc::clone(&outcome));
        let name = name.strip_suffix(".s").unwrap_or(&name).to_owned();
        Trial::test(name, move || tested(&root, &path, keys, &*outcome))
    };
    files.into_iter().map(trial).collect()
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            gather(&path, files)?;
        } else if path.extension().is_none_or(|extension| extension != "md" && extension != "inc") {
            files.push(path);
        }
    }
    Ok(())
}

/// Tests all cases of a file.
fn tested(
    folder: &Path,
    path: &Path,
    keys: &[&str],
    outcome: &dyn Fn(&Built<'_>) -> Vec<String>,
) -> Result<(), Failed> {
    let text = fs::read_to_string(path)?;
    let of_name = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".s")?.rsplit('.').next());
    let of_name = of_name.and_then(Target::parse);
    let directives = Directives::parse(&text, keys)?;
    let mut actual = Vec::new();
    let mut wrong = String::new();
    for case in &directives.cases {
        let named =
            |key| directives.setting(case, key).map(|name| Target::parse(name).ok_or(format!("no target {name}")));
        let target =
            named("target").transpose()?.or(of_name).ok_or("neither its name nor a directive has the target")?;
        let mut first = None;
        for target in [Some(target), named("also").transpose()?].into_iter().flatten() {
            let name = format!("{}: {} on {target:?}", path.display(), case.name);
            let bytes = built(folder, &directives, case, &text, target).map_err(|error| format!("{name}: {error}"))?;
            let lines = outcome(&Built { name: name.clone(), target, bytes, directives: &directives, case });
            if lines != case.expected {
                wrong += &format!("{name}\n{}", difference(&case.expected, &lines));
            }
            first.get_or_insert(lines);
        }
        actual.push(first.unwrap_or_default());
    }
    if wrong.is_empty() {
        Ok(())
    } else if env::var_os("BLESS").is_some() {
        Ok(fs::write(path, directives.with_expected(&text, &actual))?)
    } else {
        Err(format!("{wrong}BLESS=1 writes what is actual").into())
    }
}

fn built(folder: &Path, directives: &Directives, case: &Case, text: &str, target: Target) -> Result<Vec<u8>, String> {
    let words = |key| directives.setting(case, key).map(|options| options.split_whitespace().collect::<Vec<_>>());
    let folder = folder.display().to_string();
    let symbol = format!("is_{}=1", target.name());
    let mut options = vec!["-I", &folder, "--defsym", &symbol];
    options.extend(words("as").unwrap_or_default());
    target.build(&directives.code(case, text)?, &options, words("link").as_deref())
}

/// Lines that are expected and absent, and lines that are not expected; all lines if only their
/// order or number differs.
fn difference(expected: &[String], actual: &[String]) -> String {
    let only = |lines: &[String], others: &[String], mark: &str| -> String {
        lines.iter().filter(|line| !others.contains(line)).map(|line| format!("  {mark} {line}\n")).collect()
    };
    let lines = only(expected, actual, "expected") + &only(actual, expected, "actual  ");
    if lines.is_empty() { only(expected, &[], "expected") + &only(actual, &[], "actual  ") } else { lines }
}
