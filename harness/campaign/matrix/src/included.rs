//! Inlines `.include` directives of an assembly source, so that it is built from a single file,
//! which can be reduced and passed on.

use std::io;
use std::path::Path;

use toolchain::input;

/// GNU as 2.40, "`.include "file"`". Integrated assemblers support it too.
const INCLUDE: &[u8] = b".include";

/// Reads a source with includes. Paths are relative to its folder, whatever the folder of the
/// build; includes are not nested.
pub fn read(source: &Path) -> io::Result<Vec<u8>> {
    let folder = source.parent().unwrap_or(Path::new(""));
    let mut text = Vec::new();
    for line in input::read(source)?.split_inclusive(|byte| *byte == b'\n') {
        match included(line) {
            Some(name) => text.extend(input::read(&folder.join(name))?),
            None => text.extend_from_slice(line),
        }
    }
    Ok(text)
}

/// The file that a line includes.
fn included(line: &[u8]) -> Option<&str> {
    let quoted = line.trim_ascii().strip_prefix(INCLUDE)?.trim_ascii_start();
    std::str::from_utf8(quoted.strip_prefix(b"\"")?.strip_suffix(b"\"")?).ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use toolchain::scratch::Scratch;

    use super::read;

    #[test]
    fn what_is_included_stands_where_the_line_stood() {
        let folder = Scratch::new().expect("a folder");
        let source = folder.path().join("case.s");
        fs::create_dir(folder.path().join("start")).expect("a folder in it");
        fs::write(folder.path().join("start/start.s"), "_start:\n\tnop\n").expect("written");
        fs::write(&source, "# one\n\t.include \"start/start.s\"\n\t.include_not \"x\"\ntest:").expect("written");
        assert_eq!(read(&source).expect("read"), b"# one\n_start:\n\tnop\n\t.include_not \"x\"\ntest:");
        fs::write(&source, ".include \"gone.s\"\n").expect("written");
        assert!(read(&source).is_err(), "a file that is not there");
    }
}
