//! Golden files: files that are generated from something else, and committed for people to read.

use std::fs;
use std::path::{Path, PathBuf};

/// Compares a file with its expected text; with `BLESS=1` in the environment the file is written
/// instead.
///
/// # Panics
/// The file differs, or cannot be written.
#[track_caller]
pub fn blessed(path: &Path, text: &str) {
    let is = fs::read_to_string(path).unwrap_or_default();
    if is != text && std::env::var_os("BLESS").is_some() {
        // An equal file is not written, because other tests read it concurrently.
        fs::write(path, text).expect("a file");
    } else if is != text {
        let line = is.lines().zip(text.lines()).position(|(is, expected)| is != expected);
        let line = line.unwrap_or_else(|| is.lines().count().min(text.lines().count()));
        let [is, expected] = [is.as_str(), text].map(|text| text.lines().nth(line).unwrap_or("(the end)"));
        panic!("{}:{}: {is}\nexpected: {expected}\nBLESS=1 writes it", path.display(), line + 1);
    }
}

/// Compares printed text with the file of this name below `tests/suite/printed` of the calling
/// test's crate. A person writes the first line of the file, the reason why the text is right.
#[macro_export]
macro_rules! printed {
    ($name:expr, $text:expr) => {
        $crate::blessed::printed(env!("CARGO_MANIFEST_DIR"), $name, $text)
    };
}

/// Implements [`printed!`](crate::printed!) for the crate in a folder.
///
/// # Panics
/// The text differs, or its first line gives no reason why it is right.
#[track_caller]
pub fn printed(crate_folder: &str, name: &str, text: &str) {
    let path = texts(crate_folder).join(name);
    let is = fs::read_to_string(&path).unwrap_or_default();
    let why = is.lines().next().filter(|line| line.starts_with("Right, because ")).unwrap_or_default();
    assert!(why.len() > 40, "{}: its first line is the reason why it is right: 'Right, because ...'", path.display());
    blessed(&path, &format!("{why}\n\n{text}"));
}

fn texts(crate_folder: &str) -> PathBuf {
    Path::new(crate_folder).join("tests/suite/printed")
}

/// Returns all sources below a folder, concatenated.
fn sources(folder: &Path) -> String {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let text = |path: PathBuf| match path.extension() {
        Some(kind) if kind == "rs" => fs::read_to_string(path).expect("a source"),
        _ if path.is_dir() => sources(&path),
        _ => String::new(),
    };
    entries.map(text).collect()
}

/// Checks that a test uses each printed text of a crate: an unused one would be mistaken for
/// current.
///
/// # Panics
/// No test uses one of them.
pub fn each_printed_text_is_asked_for(crate_folder: &str) {
    let folder = texts(crate_folder);
    let tests = sources(folder.parent().expect("the tests"));
    for entry in fs::read_dir(folder).expect("the texts") {
        let name = entry.expect("a file").file_name().to_string_lossy().into_owned();
        assert!(tests.contains(&format!("\"{name}\"")), "printed/{name}: no test asks for it");
    }
}
