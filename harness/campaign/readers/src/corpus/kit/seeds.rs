//! A seed corpus for libFuzzer, AFL and the like: sections alone, each once, and a dictionary of
//! the values that their fields have.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use generators::vectors::Vector;
use types::{Abi, SframeVersion};

/// Words of the header: a reader leaves at once where they are wrong.
const MAGIC: [u8; 2] = [0xde, 0xe2];

pub(super) fn files(vectors: &[Vector]) -> Vec<(String, Vec<u8>)> {
    let mut seeds: BTreeMap<&[u8], String> = BTreeMap::new();
    for vector in vectors {
        seeds.entry(&vector.bytes).or_insert_with(|| format!("seeds/{}", vector.id.replace('/', "-")));
    }
    let seeds = seeds.into_iter().map(|(bytes, name)| (name, bytes.to_vec()));
    seeds.chain([("sframe.dict".to_owned(), dictionary().into_bytes())]).collect()
}

/// Preambles of each version and byte order, with each set of flags; ABI bytes, and the limits of
/// offsets of each size.
fn dictionary() -> String {
    let mut text = "# Values of SFrame fields. MIT-0.\n".to_owned();
    let mut add = |name: &str, bytes: &[u8]| {
        let hex: String = bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect();
        let _ = writeln!(text, "{name}=\"{hex}\"");
    };
    let mut versions: Vec<u8> = SframeVersion::ALL.into_iter().map(SframeVersion::number).collect();
    versions.dedup();
    for version in versions {
        for flags in 0..8 {
            let [high, low] = MAGIC;
            add(&format!("little_v{version}_{flags}"), &[low, high, version, flags]);
            add(&format!("big_v{version}_{flags}"), &[high, low, version, flags]);
        }
    }
    for abi in Abi::ALL {
        let facts = abi.facts();
        let [fixed_ra] = facts.fixed_ra.unwrap_or(0).to_le_bytes();
        // ABI, fixed FP offset, fixed RA offset.
        add(&format!("abi_{}", abi.name().replace('-', "_")), &[facts.sframe_id, 0, fixed_ra]);
    }
    for (name, value) in [("zero", 0), ("one", 1), ("most_31", i32::MAX), ("least_32", i32::MIN), ("minus_one", -1)] {
        add(&format!("little_{name}"), &value.to_le_bytes());
        add(&format!("big_{name}"), &value.to_be_bytes());
    }
    text
}
