//! The compilers that `.comment` names.

use results::{ToolName, ToolVersion};
use types::Image;

/// Section of strings that end with a zero byte, one for each tool; linkers merge those of all
/// objects.
const COMMENT: &str = ".comment";

/// Maximum number of strings that are read.
const MOST: usize = 64;

/// The compilers that an image names, each once: `gcc@12.2.0`, `clang@23.1.4`.
pub(crate) fn named(image: &Image) -> Vec<ToolName> {
    let comments = image.sections.iter().filter(|section| section.name == COMMENT);
    let strings = comments.flat_map(|section| section.bytes.split(|byte| *byte == 0)).take(MOST);
    let mut found = Vec::new();
    for name in strings.filter_map(|bytes| compiler(std::str::from_utf8(bytes).ok()?)) {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// The compiler of a string: `GCC: (Debian 12.2.0-14) 12.2.0`, `Debian clang version 23.1.4 (2)`.
fn compiler(text: &str) -> Option<ToolName> {
    let (name, version) = match text.strip_prefix("GCC: ") {
        Some(rest) => ("gcc", rest.rsplit(") ").next()?),
        None => ("clang", text.split_once("clang version ")?.1),
    };
    let version = version.split([' ', '-', '+']).next()?;
    let is_number = version.starts_with(|c: char| c.is_ascii_digit());
    is_number.then(|| ToolName { name: name.to_owned(), version: ToolVersion::new(version) })
}

#[cfg(test)]
mod tests {
    use super::compiler;

    #[test]
    fn each_compiler_writes_its_version_in_another_place() {
        for (text, expected) in [
            ("GCC: (Debian 12.2.0-14+deb12u1) 12.2.0", Some("gcc@12.2.0")),
            ("GCC: (GNU) 17.0.0 20261101 (experimental)", Some("gcc@17.0.0")),
            ("GCC: (crosstool-NG 1.26 (a)) 14.1.0", Some("gcc@14.1.0")),
            ("Debian clang version 23.1.4 (2)", Some("clang@23.1.4")),
            ("clang version 24.0.0git-1234", Some("clang@24.0.0git")),
            ("rustc version 1.86.0 (05f9846f8 2025-03-31)", None),
            ("Linker: Debian LLD 23.1.4", None),
            ("GCC: (GNU) ", None),
            ("", None),
        ] {
            assert_eq!(compiler(text).map(|name| name.to_string()).as_deref(), expected, "{text}");
        }
    }
}
