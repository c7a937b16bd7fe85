//! Tables from `sources`, hand-made by the macros of `cfi.inc` or byte by byte: which rows they
//! have, which entries are broken, and which callers they give. The directives are those of
//! [`testing::sources`], and of [`KEYS`].
//!
//! A file with both tables expects the same of both. The line of a row is its range and rules. In
//! the line of a caller, `sp` is the SP of the frame, `[sp+8]` the word there and `r3` the value
//! of register 3.

mod frame;

use std::path::Path;

use libtest_mimic::Arguments;
use testing::binutils::Target;
use testing::sources::{Built, trials};
use types::{Abi, ImageKind};
use unwind::{CfiSections, CfiUnwinder, SframeUnwinder};

use frame::Frame;

/// - `bases`: `none` if those of relative pointers are unknown.
/// - `memory`, `registers`: words of the stack and registers with other values: `ADDRESS=VALUE` and
///   `NUMBER=VALUE` in hex, or `NUMBER=none`.
/// - `sframe-at`: address of `.sframe`, if not 0.
/// - `size`: the number of bytes of the section that are read; negative to count from its end.
/// - `show`: what else the outcome states: `callers` at the beginning of each row, the `registers`
///   that they restore, `after-calls`: the same one byte further, for a return address; `functions`
///   with the offset of their FDE; `lookups` around the beginning and the end of each function;
///   `ids` of rows; `counts` of functions and rows alone, or only what is `broken`.
const KEYS: &[&str] = &["bases", "memory", "registers", "sframe-at", "show", "size"];

/// Address of the section, and bases of relative pointers.
const SECTION: u64 = 0x8000;
const TEXT: u64 = 0x2_0000;
const GOT: u64 = 0x3_0000;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables/sources");
    libtest_mimic::run(&Arguments::from_args(), trials(&folder, KEYS, outcome)).exit();
}

fn outcome(built: &Built<'_>) -> Vec<String> {
    let abi = match built.target {
        Target::Amd64 => Abi::Amd64,
        Target::Aarch64 => Abi::Aarch64,
        Target::Aarch64Be => Abi::Aarch64Be,
        Target::S390x => Abi::S390x,
    };
    let image = elf::load("tables.o", &built.bytes.clone().into()).expect("an object");
    let bytes = |name: &str| {
        let section = image.section(name)?;
        let bytes = &built.bytes[section.file_offset as usize..][..section.size as usize];
        let size = built.setting("size").map_or(bytes.len() as i64, |size| size.parse().expect("a size"));
        Some(&bytes[..if size < 0 { bytes.len() as i64 + size } else { size } as usize])
    };
    let frame = Frame::new(abi, built);
    let (eh_frame, debug_frame) = (bytes(".made.eh_frame"), bytes(".made.debug_frame"));
    let of_cfi = (eh_frame.is_some() || debug_frame.is_some()).then(|| {
        let [text, got] = [TEXT, GOT].map(|base| built.setting("bases").is_none().then_some(base));
        let read = |eh_frame: Option<&[u8]>, debug_frame: Option<&[u8]>| {
            let [eh_frame, debug_frame] = [eh_frame, debug_frame].map(|bytes| bytes.map(|bytes| (SECTION, bytes)));
            CfiUnwinder::new(abi, &CfiSections { eh_frame, debug_frame, text, got })
        };
        let table = read(eh_frame, debug_frame);
        let broken = table.broken().iter().map(|entry| match entry.function {
            Some(pc) => format!("broken: {entry}, function {pc}"),
            None => format!("broken: {entry}"),
        });
        [broken.collect(), frame.lines(&table)].concat()
    });
    let of_sframe = bytes(".made.sframe").map(|bytes| {
        let section = sframe::Section::parse(bytes).expect("a header");
        let address = built.setting("sframe-at").map_or(0, number);
        let place = sframe::Placement::in_file(ImageKind::Executable, address);
        let table = sframe::Table::new(&section, place).expect("a table");
        assert_eq!(table.broken(), []);
        frame.lines(&SframeUnwinder::new(table))
    });
    match (of_cfi, of_sframe) {
        (Some(cfi), Some(sframe)) => {
            assert_eq!(cfi, sframe, "{}: the two tables", built.name);
            cfi
        }
        (Some(lines), None) | (None, Some(lines)) => lines,
        (None, None) => panic!("no table"),
    }
}

/// The number that a text in hex gives.
pub(crate) fn number(text: &str) -> u64 {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).expect("a number")
}
