#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

use std::ops::Range;

/// The vectors, a line an answer; the first lines describe the format.
pub const TEXT: &str = include_str!("vectors.txt");

/// A section and what is expected of a reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    /// `CLASS/VERSION-ABI/NAME`; it never changes.
    pub id: &'static str,
    /// `v1`, `v2`, `v2e1` (version 2 with its first errata) or `v3`.
    pub version: &'static str,
    /// `amd64`, `aarch64-le`, `aarch64-be` or `s390x`.
    pub abi: &'static str,
    /// Multi-byte fields are big-endian.
    pub big_endian: bool,
    /// The functions are in order of their addresses.
    pub sorted: bool,
    /// The section.
    pub bytes: Vec<u8>,
    /// Address of its first byte.
    pub address: u64,
    /// Addresses of the code that it may describe.
    pub text: Range<u64>,
    /// What is expected for each PC.
    pub answers: Vec<Lookup>,
}

/// A PC and what is expected there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// The address that is looked up.
    pub pc: u64,
    pub expect: Expect,
    /// The row as a line; of [`Expect::OneOf`] several, with ` | ` between.
    pub line: &'static str,
}

/// What is expected for a PC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    Row,
    /// `none`: nothing describes the PC.
    None,
    /// `none`, `err`, or the section refused: no row.
    Refuse,
    /// This row, or no row.
    RowOrRefuse,
    /// One of several: the specification leaves it open.
    OneOf,
    /// Anything, without a crash.
    Anything,
}

impl Lookup {
    /// Returns true if an answer is allowed; `None` if the reader refused the section.
    pub fn allows(&self, got: Option<&str>) -> bool {
        let nothing = matches!(got, None | Some("none" | "err"));
        match self.expect {
            Expect::Row => got == Some(self.line),
            Expect::None => got == Some("none"),
            Expect::Refuse => nothing,
            Expect::RowOrRefuse => nothing || got == Some(self.line),
            Expect::OneOf => nothing || self.line.split(" | ").any(|line| got == Some(line)),
            Expect::Anything => true,
        }
    }
}

/// All vectors, in order of their ids.
pub fn all() -> impl Iterator<Item = Vector> {
    let mut lines = TEXT.lines().filter(|line| !line.starts_with('#')).peekable();
    std::iter::from_fn(move || {
        let mut words = lines.next()?.split(' ').skip(1);
        let mut word = || words.next().unwrap_or_default();
        let (id, version, abi, order, sorted) = (word(), word(), word(), word(), word());
        let (address, start, end) = (number(word()), number(word()), number(word()));
        let hex = lines.next()?.trim_start_matches("bytes ").as_bytes();
        let bytes = hex.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit_of(*digit))).collect();
        let mut answers = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("vector ")) {
            let (pc, rest) = line.split_once(' ').unwrap_or((line, ""));
            let (expect, line) = rest.split_once(' ').unwrap_or((rest, ""));
            let expect = match expect {
                "row" => Expect::Row,
                "none" => Expect::None,
                "refuse" => Expect::Refuse,
                "row-or-refuse" => Expect::RowOrRefuse,
                "one-of" => Expect::OneOf,
                _ => Expect::Anything,
            };
            answers.push(Lookup { pc: number(pc), expect, line });
        }
        let (big_endian, sorted, text) = (order == "big", sorted == "sorted", start..end);
        Some(Vector { id, version, abi, big_endian, sorted, bytes, address, text, answers })
    })
}

fn number(text: &str) -> u64 {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap_or_default()
}

fn digit_of(digit: u8) -> u8 {
    (digit as char).to_digit(16).unwrap_or_default() as u8
}

#[cfg(test)]
mod tests {
    use super::{all, Expect, TEXT};

    #[test]
    fn every_line_is_read() {
        let (mut vectors, mut answers) = (0, 0);
        for vector in all() {
            assert!(vector.id.contains(vector.version) && vector.id.contains(vector.abi), "{}", vector.id);
            assert!(vector.answers.iter().all(|answer| (answer.expect == Expect::Row) <= !answer.line.is_empty()));
            vectors += 1;
            answers += vector.answers.len();
        }
        let lines = TEXT.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(vectors * 2 + answers, lines);
    }

    #[test]
    fn a_wrong_row_is_not_allowed() {
        let vector = all().find(|vector| vector.answers.iter().any(|answer| answer.expect == Expect::Row));
        let answers = vector.map(|vector| vector.answers).unwrap_or_default();
        for answer in answers.iter().filter(|answer| answer.expect == Expect::Row) {
            assert!(answer.allows(Some(answer.line)));
            assert!(!answer.allows(Some("none")) && !answer.allows(Some("sp+1 same same")) && !answer.allows(None));
        }
    }
}
