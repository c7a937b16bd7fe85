//! What the emulator cannot do is known and has not changed: each line of `harness/machine/data` ends as recorded, and a fixed sample of
//! other instructions ends no worker. `sframe-conformance scan ABI` makes the lists anew; words and workers: `check::scan`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use check::scan::{Line, Outcome, WordEnd, name, words};
use check::workers::{Limits, execute_words};
use types::Abi;

/// Far more than an instruction needs, on however busy a machine: it is processor time.
const LIMITS: Limits = Limits { executing: Duration::from_secs(10), judging: Duration::from_secs(60) };
/// Big-endian AArch64 has the instructions of the other.
const TARGETS: [Abi; 3] = [Abi::Amd64, Abi::Aarch64, Abi::S390x];

fn list(abi: Abi) -> Vec<Line> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../machine/data/{}.txt", abi.name()));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()))).collect()
}

fn is_deadly(line: &Line) -> bool {
    match line.outcome {
        Outcome::Dies(..) | Outcome::Hangs | Outcome::Exhausts => true,
        Outcome::Raises => false,
    }
}

/// Opcodes that have no mnemonic, less exactly: of unallocated ones of AArch64, which of a family end the emulator depends on operands.
fn family(name: &str) -> String {
    name.split('.').next().unwrap_or_default().to_owned()
}

#[test]
fn each_listed_instruction_ends_as_recorded() {
    for abi in TARGETS {
        let lines = list(abi);
        assert!(lines.iter().any(is_deadly) && lines.len() > 20, "{abi}: {} lines", lines.len());
        let bytes: Vec<Vec<u8>> = lines.iter().map(|line| line.word.clone()).collect();
        let ends = execute_words(abi, &bytes, LIMITS).expect("workers");
        let wrong: Vec<String> = lines
            .iter()
            .zip(&ends)
            .filter(|(line, end)| Outcome::of(abi, end, true) != Some(line.outcome))
            .map(|(line, end)| format!("{line}: {end:?}"))
            .collect();
        assert!(wrong.is_empty(), "{abi}:\n{}", wrong.join("\n"));
    }
}

#[test]
fn a_sample_of_what_is_not_listed_ends_no_worker() {
    const SAMPLE: u64 = 400;
    for abi in TARGETS {
        let deadly: BTreeSet<String> =
            list(abi).iter().filter(|line| is_deadly(line)).map(|line| family(&line.mnemonic)).collect();
        let mut words = words(abi, 0..SAMPLE, 2);
        words.retain(|(word, mnemonic)| !deadly.contains(&family(&name(abi, word, mnemonic.as_deref()))));
        let bytes: Vec<Vec<u8>> = words.iter().map(|(word, _)| word.clone()).collect();
        let ends = execute_words(abi, &bytes, LIMITS).expect("workers");
        for (word, end) in bytes.iter().zip(&ends) {
            assert!(end.is_ok(), "{abi}: {word:02x?} {}: {end:?}", name(abi, word, None));
        }
        let goes = ends.iter().filter(|end| matches!(end, Ok(WordEnd::Goes))).count();
        assert!(bytes.len() > 340 && goes > 30, "{abi}: {goes} of {} instructions go on", bytes.len());
    }
}
