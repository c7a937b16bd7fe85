//! Files that are made of something else, and committed to be read.

use std::fs;
use std::path::{Path, PathBuf};

/// Holds a file against the text that it is to have; with `BLESS=1` in the environment it is written instead.
#[track_caller]
pub(crate) fn blessed(path: &Path, text: &str) {
    let is = fs::read_to_string(path).unwrap_or_default();
    if is != text && std::env::var_os("BLESS").is_some() {
        // Where it is right it is left alone: other tests read it meanwhile.
        fs::write(path, text).expect("a file");
    } else if is != text {
        let line = is.lines().zip(text.lines()).position(|(is, wanted)| is != wanted);
        let line = line.unwrap_or_else(|| is.lines().count().min(text.lines().count()));
        let [is, wanted] = [is.as_str(), text].map(|text| text.lines().nth(line).unwrap_or("(the end)"));
        panic!("{}:{}: {is}\nis to be: {wanted}\nBLESS=1 writes it", path.display(), line + 1);
    }
}

/// Where the texts of the crate at hand stand: this file is a part of two.
fn texts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/printed")
}

/// The same for what is printed: why the text is right stands in the first line of its file, below `tests/suite/printed` of the crate, and a
/// person writes it.
#[track_caller]
pub(crate) fn printed(name: &str, text: &str) {
    let path = texts().join(name);
    let is = fs::read_to_string(&path).unwrap_or_default();
    let why = is.lines().next().filter(|line| line.starts_with("Right, because ")).unwrap_or_default();
    assert!(why.len() > 40, "{}: its first line says why it is right: 'Right, because ...'", path.display());
    blessed(&path, &format!("{why}\n\n{text}"));
}

/// All sources below a folder, one after another.
fn sources(folder: &Path) -> String {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let text = |path: PathBuf| match path.extension() {
        Some(kind) if kind == "rs" => fs::read_to_string(path).expect("a source"),
        _ if path.is_dir() => sources(&path),
        _ => String::new(),
    };
    entries.map(text).collect()
}

/// A text whose test is gone would be read, and believed, for ever.
#[test]
fn each_printed_text_is_asked_for_by_a_test() {
    let tests = sources(texts().parent().expect("the tests"));
    for entry in fs::read_dir(texts()).expect("the texts") {
        let name = entry.expect("a file").file_name().to_string_lossy().into_owned();
        assert!(tests.contains(&format!("\"{name}\"")), "printed/{name}: no test asks for it");
    }
}
