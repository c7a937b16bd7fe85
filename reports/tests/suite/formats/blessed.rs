//! Files that are made of something else, and committed to be read.

use std::fs;
use std::path::Path;

/// Holds a file against the text that it is to have; with `BLESS=1` in the environment it is written instead.
#[track_caller]
pub(crate) fn blessed(path: &Path, text: &str) {
    if std::env::var_os("BLESS").is_some() {
        fs::write(path, text).expect("a file");
    }
    let is = fs::read_to_string(path).expect("a file");
    if is != text {
        let line = is.lines().zip(text.lines()).position(|(is, wanted)| is != wanted);
        let line = line.unwrap_or_else(|| is.lines().count().min(text.lines().count()));
        let [is, wanted] = [is.as_str(), text].map(|text| text.lines().nth(line).unwrap_or("(the end)"));
        panic!("{}:{}: {is}\nis to be: {wanted}\nBLESS=1 writes it", path.display(), line + 1);
    }
}

/// The same for what is printed: why the text is right stands in the first line of its file, below `tests/suite/printed` of a crate, and a person
/// writes it.
#[track_caller]
pub(crate) fn printed(crate_folder: &str, name: &str, text: &str) {
    let path = Path::new(crate_folder).join("tests/suite/printed").join(name);
    let is = fs::read_to_string(&path).unwrap_or_default();
    let why = is.lines().next().filter(|line| line.starts_with("Right, because ")).unwrap_or_default();
    assert!(why.len() > 40, "{}: its first line says why it is right: 'Right, because ...'", path.display());
    blessed(&path, &format!("{why}\n\n{text}"));
}
