//! Big tables and look-ups in them: what a reader's speed is measured with.

use std::fmt::Write as _;

use generators::vectors::big;
use results::table_name;
use types::{Abi, SframeVersion, combinations};

use super::text;

/// Functions of a table.
const SIZES: [u32; 3] = [1_000, 10_000, 100_000];
/// Look-ups in each.
const LOOKUPS: u64 = 10_000;

/// The first line of a list of look-ups.
const HEAD: &str = "\
# Look-ups in the table of the same name, in random order; sort them for the other kind. MIT-0.
# table ADDRESS TEXT_START TEXT_END, then a line each: PC EXPECT ANSWER
";

/// The files of each combination of version and ABI whose ids contain a text: the section, and its
/// look-ups.
pub(super) fn files(seed: u64, text: &str) -> Vec<(String, Vec<u8>)> {
    let of = |(abi, version): (Abi, SframeVersion)| {
        SIZES.into_iter().filter_map(move |size| {
            let name = format!("{}-{size}", table_name(version, abi));
            name.contains(text).then(|| table(&name, abi, version, size, seed))
        })
    };
    combinations(None, None).into_iter().flat_map(of).flatten().collect()
}

fn table(name: &str, abi: Abi, version: SframeVersion, size: u32, seed: u64) -> [(String, Vec<u8>); 2] {
    let vector = big(abi, version, size, LOOKUPS, seed);
    let (address, (start, end)) = (vector.address, vector.text);
    let mut lookups = format!("{HEAD}table {address:#x} {start:#x} {end:#x}\n");
    for answer in &vector.answers {
        let (expect, line) = text::expected(abi, &answer.expected);
        let blank = if line.is_empty() { "" } else { " " };
        let _ = writeln!(lookups, "{:#x} {expect}{blank}{line}", answer.pc);
    }
    [(format!("{name}.sframe"), vector.bytes), (format!("{name}.lookups"), lookups.into_bytes())]
}

#[cfg(test)]
mod tests {
    use generators::vectors::big;
    use types::{Abi, SframeVersion};

    use super::super::text::expected;
    use crate::OwnReader;
    use crate::SectionInput;

    /// The look-ups of a table are what its bytes encode, and some find nothing.
    #[test]
    fn a_big_table_has_what_is_looked_up() {
        let vector = big(Abi::Amd64, SframeVersion::V3, 1000, 500, 1);
        let reader = OwnReader::new(&SectionInput::from(&vector)).expect("a table");
        let mut kinds = std::collections::BTreeSet::new();
        for answer in &vector.answers {
            let (kind, line) = expected(vector.abi, &answer.expected);
            let line = if kind == "none" { kind.to_owned() } else { line };
            assert_eq!(reader.row(answer.pc).to_string(), line, "{:#x}", answer.pc);
            kinds.insert(line);
        }
        assert!(kinds.contains("none") && kinds.len() >= 4, "{kinds:?}");
    }
}
