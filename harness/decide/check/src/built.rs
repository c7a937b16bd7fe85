//! What built an image, as far as it names it: compilers with their options, the linker.

use results::{LinkedBy, Report, ToolName, ToolVersion};
use types::{Image, ImageKind};

/// Section of strings that end with a zero byte, one for each tool; linkers merge those of all
/// objects.
const COMMENT: &str = ".comment";

/// Section with the command lines of compilers (`-frecord-gcc-switches`, `-frecord-command-line`).
const COMMAND_LINE: &str = ".GCC.command.line";

/// Section of a note that only gold writes.
const GOLD: &str = ".note.gnu.gold-version";

/// Maximum number of strings that are read of a section.
const MOST: usize = 64;

pub(crate) fn add(image: &Image, report: &mut Report) {
    let comments: Vec<&str> = strings(image, COMMENT).collect();
    let units = unwind::unit_producers(&elf::plain_lines(image));
    for name in comments.iter().copied().chain(units.iter().map(String::as_str)).filter_map(compiler) {
        if !report.compilers.contains(&name) {
            report.compilers.push(name);
        }
    }
    let words = units.iter().map(String::as_str).chain(strings(image, COMMAND_LINE));
    for word in words.flat_map(str::split_whitespace).filter(|word| word.starts_with('-')) {
        if !report.options.iter().any(|option| option == word) {
            report.options.push(word.to_owned());
        }
    }
    if image.kind != ImageKind::Relocatable {
        report.linker = Some(linker(image, &comments));
    }
}

/// The strings of a section.
fn strings<'a>(image: &'a Image, name: &'a str) -> impl Iterator<Item = &'a str> {
    let sections = image.sections.iter().filter(move |section| section.name == name);
    let strings = sections.flat_map(|section| section.bytes.split(|byte| *byte == 0)).take(MOST);
    strings.filter_map(|bytes| std::str::from_utf8(bytes).ok())
}

/// The compiler of a string: `GCC: (Debian 12.2.0-14) 12.2.0`, `GNU C17 12.2.0 -O2`,
/// `Debian clang version 23.1.4 (2)`.
pub fn compiler(text: &str) -> Option<ToolName> {
    let of_unit = || {
        let (_, rest) = text.strip_prefix("GNU C")?.split_once(' ')?;
        Some(("gcc", rest))
    };
    let (name, version) = match text.strip_prefix("GCC: ") {
        Some(rest) => ("gcc", rest.rsplit(") ").next()?),
        None => of_unit().or_else(|| Some(("clang", text.split_once("clang version ")?.1)))?,
    };
    Some(ToolName { name: name.to_owned(), version: version_of(version)? })
}

/// The linker: others than GNU ld leave their name.
fn linker(image: &Image, comments: &[&str]) -> LinkedBy {
    let named = |text: &&str| {
        let (name, version) = match text.strip_prefix("mold ") {
            Some(rest) => ("mold", rest),
            None => {
                let rest = text.strip_prefix("Linker: ")?;
                rest.split_once("LLD ")
                    .map(|(_, version)| ("lld", version))
                    .or_else(|| Some(("wild", rest.split_once("Wild version ")?.1)))?
            }
        };
        Some(LinkedBy { name: name.to_owned(), version: version_of(version) })
    };
    let plain = |name: &str| LinkedBy { name: name.to_owned(), version: None };
    comments.iter().find_map(named).unwrap_or_else(|| match image.section(GOLD) {
        Some(_) => plain("gold"),
        None => plain("ld"),
    })
}

/// The version at the beginning of a text.
fn version_of(text: &str) -> Option<ToolVersion> {
    let version = text.split([' ', '-', '+']).next()?;
    version.starts_with(|c: char| c.is_ascii_digit()).then(|| ToolVersion::new(version))
}
