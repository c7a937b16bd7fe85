//! The worked examples: sections with one function at 0x1000, the section at address 0.

use std::sync::LazyLock;

/// A section with the expected rows.
pub(crate) struct Example {
    pub(crate) name: &'static str,
    pub(crate) bytes: Vec<u8>,
    /// Start of each row in the function (or block) and its meaning.
    pub(crate) rows: Vec<(u32, &'static str)>,
}

/// The function's address in every example.
pub(crate) const FUNCTION: u64 = 0x1000;

pub(crate) static EXAMPLES: LazyLock<Vec<Example>> = LazyLock::new(|| {
    let text: &'static str = include_str!("../../../../../generators/tests/worked_examples.txt");
    text.split("\n[").skip(1).map(parse).collect()
});

fn parse(text: &'static str) -> Example {
    let (name, rest) = text.split_once(']').expect("a name");
    // After the heading and the section as text.
    let (hex, rows): (Vec<&str>, Vec<&str>) = rest.lines().skip(2).partition(|line| !line.contains('='));
    let row = |line: &'static str| {
        let (start, meaning) = line.split_once(' ').expect("a start");
        (start.parse().expect("a number"), meaning)
    };
    Example { name, bytes: unhex(&hex.concat()), rows: rows.into_iter().map(row).collect() }
}

/// The bytes of the example with this name.
pub(crate) fn example(name: &str) -> Vec<u8> {
    EXAMPLES.iter().find(|example| example.name == name).expect("an example of that name").bytes.clone()
}

/// Bytes of a hexadecimal text.
pub(crate) fn unhex(text: &str) -> Vec<u8> {
    let digits: String = text.split_whitespace().collect();
    assert_eq!(digits.len() % 2, 0, "whole bytes");
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hex digits")).collect()
}

/// A function at 0x1000 as the examples place it.
pub(crate) fn at_zero(bytes: &[u8]) -> sframe::Table {
    let section = sframe::Section::parse(bytes).expect("a readable header");
    let place = sframe::Placement { section_address: 0, starts: sframe::StartBase::Header };
    sframe::Table::new(&section, place).expect("a known ABI")
}
