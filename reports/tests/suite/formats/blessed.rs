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
