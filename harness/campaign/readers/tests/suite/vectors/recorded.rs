//! The causes in the ledger of readers: each names vectors that exist.

use std::collections::BTreeSet;

use generators::vectors::eh_frame;
use results::without_numbers;

use crate::vectors::VECTORS;

/// Tables that are not vectors: of random programs, of real files and of built ones.
const OTHERS: [&str; 3] = ["program", "real", "built"];

/// A vector that is renamed would be a new bug in each run.
#[test]
fn recorded_causes_name_vectors_that_exist() {
    let name = |id: &str| without_numbers(id.rsplit('/').next().unwrap_or_default());
    let of_eh_frame = eh_frame("");
    let mut names: BTreeSet<String> = VECTORS.iter().chain(&of_eh_frame).map(|vector| name(&vector.id)).collect();
    names.extend(OTHERS.map(str::to_owned));
    let entries = ledger::read_faults(&testing::root().join(ledger::KNOWN_READERS)).expect("the ledger");
    let mut count = 0;
    for (path, entry) in entries {
        for title in entry.shows.iter().flat_map(|shows| shows.causes.keys()) {
            // Private ones are recorded by their fingerprints.
            let Some((_, kind)) = title.split(": ").nth(1).and_then(|of| of.split_once('/')) else { continue };
            assert!(names.contains(kind), "{}: no vector {kind}", path.display());
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}
