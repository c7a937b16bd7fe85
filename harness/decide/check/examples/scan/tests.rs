//! The emulator's limitations are known and unchanged: each line of `harness/execute/machine/data`
//! ends as recorded, and a fixed sample of other instructions kills no worker.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use check::client::{Limits, WordEnd, execute_words};
use libtest_mimic::{Arguments, Trial};
use types::{Abi, StopReason};

use super::tally::Outcome;
use super::words::{Word, words};

/// Far more processor time than an instruction needs.
const LIMITS: Limits = Limits { executing: Duration::from_secs(10), judging: Duration::from_secs(60) };
/// Big-endian AArch64 has the same instructions.
const TARGETS: [Abi; 3] = [Abi::Amd64, Abi::Aarch64, Abi::S390x];

/// Runs the tests selected by the arguments.
pub(super) fn run() -> ! {
    let trial = |name: &str, abi: Abi, test: fn(Abi)| {
        Trial::test(format!("{name}::{abi}"), move || {
            test(abi);
            Ok(())
        })
    };
    let of = |abi| {
        let listed = trial("each_listed_instruction_ends_as_recorded", abi, each_listed_instruction_ends_as_recorded);
        [listed, trial("what_is_not_listed_ends_no_worker", abi, what_is_not_listed_ends_no_worker)]
    };
    libtest_mimic::run(&Arguments::from_args(), TARGETS.into_iter().flat_map(of).collect()).exit()
}

/// A line of a list.
struct Recorded {
    outcome: String,
    mnemonic: String,
    word: Word,
}

impl Recorded {
    fn is_deadly(&self) -> bool {
        self.outcome != Outcome::Raises.to_string()
    }
}

fn recorded(abi: Abi) -> Vec<Recorded> {
    let path = format!("{}/../../execute/machine/data/{abi}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let read = |line: &str| {
        let [outcome, mnemonic, word, _] = line.split_whitespace().collect::<Vec<_>>().try_into().ok()?;
        Some(Recorded { outcome: outcome.to_owned(), mnemonic: mnemonic.to_owned(), word: Word::parse(word)? })
    };
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| read(line).unwrap_or_else(|| panic!("{path}: {line}"))).collect()
}

/// Family of an opcode without a mnemonic: which of AArch64's unallocated opcodes of a family crash
/// the emulator depends on the operands.
fn family(name: &str) -> String {
    name.split('.').next().unwrap_or_default().to_owned()
}

fn each_listed_instruction_ends_as_recorded(abi: Abi) {
    let lines = recorded(abi);
    assert!(lines.iter().any(Recorded::is_deadly) && lines.len() > 20, "{} lines", lines.len());
    let bytes: Vec<Vec<u8>> = lines.iter().map(|line| line.word.bytes.clone()).collect();
    let ends = execute_words(abi, &bytes, LIMITS).expect("workers");
    let outcome = |end| Outcome::new(abi, end, true).map(|outcome| outcome.to_string());
    let is_right = |line: &Recorded, end| match abi {
        // The lists are about the emulator; undefined instructions that crash it do not reach it.
        Abi::Amd64 | Abi::Aarch64 | Abi::Aarch64Be if line.is_deadly() => {
            matches!(end, &Ok(WordEnd::Ends(StopReason::IllegalInstruction)))
        }
        _ => outcome(end).as_ref() == Some(&line.outcome),
    };
    let wrong: Vec<String> = lines
        .iter()
        .zip(&ends)
        .filter(|(line, end)| !is_right(line, end))
        .map(|(line, end)| format!("{} {} {}: {end:?}", line.outcome, line.mnemonic, line.word.hex()))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn what_is_not_listed_ends_no_worker(abi: Abi) {
    // The first hundreds of s390x are mostly privileged.
    const STEP: usize = 7;
    const SAMPLE: usize = 400;
    let lines = recorded(abi);
    let deadly: BTreeSet<String> =
        lines.iter().filter(|line| line.is_deadly()).map(|line| family(&line.mnemonic)).collect();
    let mut words = words(abi, (0_u64..).step_by(STEP).take(SAMPLE), 2);
    words.retain(|word| !deadly.contains(&family(&word.name(abi))));
    let bytes: Vec<Vec<u8>> = words.iter().map(|word| word.bytes.clone()).collect();
    let ends = execute_words(abi, &bytes, LIMITS).expect("workers");
    for (word, end) in words.iter().zip(&ends) {
        assert!(end.is_ok(), "{} {}: {end:?}", word.hex(), word.name(abi));
    }
    let continued = ends.iter().filter(|end| matches!(end, Ok(WordEnd::Continues))).count();
    assert!(words.len() > 340 && continued > 30, "{continued} of {} instructions go on", words.len());
}
