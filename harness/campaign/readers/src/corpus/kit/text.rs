//! All vectors in one text file, which any language reads by splitting lines at blanks.

use std::fmt::Write as _;

use generators::vectors::{Expected, Vector};
use types::{Abi, ByteOrder};

use crate::corpus::AnswerLine;

/// What a file begins with: its own format.
const HEAD: &str = "\
# Test vectors for readers of SFrame (MIT-0). Words are separated by one blank.
#   vector ID VERSION ABI ORDER SORTED ADDRESS TEXT_START TEXT_END   begins a vector; `sorted` or `unsorted`
#   bytes HEX                                                      the section, at ADDRESS
#   PC EXPECT ANSWER...                                            what is expected for a PC
# EXPECT: row (ANSWER is the row), none, refuse (no row), row-or-refuse, one-of (answers with ` | ` between), anything.
# An answer is `CFA RA FP [signed-a|signed-b] [signal]`, `outer [signal]`, `none` or `err`. A CFA is `sp+16`, or `[fp-8]` if it is
# loaded from there. RA and FP are `same`; `cfa-8`, loaded from CFA-8; `=cfa-8`, that sum itself; `r17+0`; `[r6+8]`.
";

pub(super) fn file(vectors: &[Vector]) -> String {
    HEAD.to_owned() + &vectors.iter().map(one).collect::<String>()
}

pub(super) fn one(vector: &Vector) -> String {
    let order = if is_big(vector.abi) { "big" } else { "little" };
    let sorted = if vector.sorted { "sorted" } else { "unsorted" };
    let (address, (start, end)) = (vector.address, vector.text);
    let mut text = format!(
        "vector {} {} {} {order} {sorted} {address:#x} {start:#x} {end:#x}\nbytes ",
        vector.id,
        vector.format.name(),
        vector.abi.name()
    );
    for byte in &vector.bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text.push('\n');
    for answer in &vector.answers {
        let (expect, line) = expected(vector.abi, &answer.expected);
        let blank = if line.is_empty() { "" } else { " " };
        let _ = writeln!(text, "{:#x} {expect}{blank}{line}", answer.pc);
    }
    text
}

/// The words for what is expected: the kind, and the answers.
pub(super) fn expected(abi: Abi, expected: &Expected) -> (&'static str, String) {
    let line = |row| AnswerLine::new(abi, row).to_string();
    match expected {
        Expected::Row(row) => ("row", line(row)),
        Expected::NoRow => ("none", String::new()),
        Expected::Refuse => ("refuse", String::new()),
        Expected::RowOrRefuse(row) => ("row-or-refuse", line(row)),
        Expected::OneOf(readings) if readings.contains(&Expected::Anything) => ("anything", String::new()),
        Expected::OneOf(readings) => {
            let all: Vec<String> = readings
                .iter()
                .map(|reading| match self::expected(abi, reading) {
                    (kind, line) if line.is_empty() => kind.to_owned(),
                    (_, line) => line,
                })
                .collect();
            ("one-of", all.join(" | "))
        }
        Expected::Anything => ("anything", String::new()),
    }
}

/// Returns true for a big-endian target.
pub(super) fn is_big(abi: Abi) -> bool {
    abi.facts().order == ByteOrder::Big
}
