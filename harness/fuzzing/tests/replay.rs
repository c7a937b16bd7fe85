//! The first inputs of each target, the same on every machine: right ones and damaged ones. What
//! campaigns found stays found, by tests beside the parsers.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use fuzzing::{Campaign, Inputs, MOST_MEMORY, Target};

/// How long each target may take.
const BUDGET: Duration = Duration::from_millis(15);

/// Executions at a time.
const FEW: u64 = 4;

#[test]
fn nothing_panics_hangs_or_takes_too_much() {
    for target in Target::ALL {
        let inputs = Inputs::new(target, 7).expect("the project's files");
        let run = |first, executions| Campaign { target, seed: 7, first, executions }.run(&inputs, |_| ());
        // Right inputs, then as many damaged ones as there is time for.
        let right = run(0, FEW);
        assert!(right.accepted > 0, "{right}");
        let (mut first, mut took) = (inputs.right() as u64, right.took);
        let mut records = vec![right];
        while took < BUDGET || records.len() < 2 {
            let damaged = run(first, FEW);
            took += damaged.took;
            first += FEW;
            records.push(damaged);
        }
        for record in records {
            assert_eq!(record.failures, [], "{record}");
            assert!(record.memory < MOST_MEMORY, "{record}");
        }
    }
}

/// The number of an input is all that there is to keep of it.
#[test]
fn an_input_is_a_function_of_its_number() {
    let (one, other) = (Inputs::new(Target::Case, 1), Inputs::new(Target::Case, 1));
    let (one, other) = (one.expect("inputs"), other.expect("inputs"));
    let of = |inputs: &Inputs, number| {
        let mut bytes = vec![7; 3];
        inputs.write(number, &mut bytes);
        bytes
    };
    let numbers = one.right() as u64..one.right() as u64 + 200;
    assert!(numbers.clone().all(|number| of(&one, number) == of(&other, number)));
    let different: std::collections::BTreeSet<Vec<u8>> = numbers.map(|number| of(&one, number)).collect();
    assert!(different.len() > 150, "{}", different.len());
}

/// Beside nothing else, as where only this program was built: it executes code in workers, and
/// those are itself.
#[test]
fn the_program_is_its_own_worker() {
    let alone = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let program = alone.path().join("alone");
    fs::hard_link(env!("CARGO_BIN_EXE_fuzzing"), &program).expect("a link");
    let mut command = Command::new(program);
    // Wherever cargo builds: in the checkout, whose data are the seeds.
    command.args(["run", "--engine-executions", "2", "--out"]).arg(alone.path().join("out"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    let ran = command.output().expect("runs");
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success() && said.contains("2 executions") && said.contains("(2 accepted)"), "{ran:?}");
}

/// The wrappers for cargo-fuzz are of another workspace, which nobody builds here: at least each
/// target has one.
#[test]
fn each_target_has_a_wrapper_for_cargo_fuzz() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cargo-fuzz");
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    for target in Target::ALL {
        let name = target.name();
        assert!(manifest.contains(&format!("name = \"{name}\"\npath = \"targets/{name}.rs\"\n")), "{name}");
        let wrapper = fs::read_to_string(folder.join(format!("targets/{name}.rs"))).expect("a wrapper");
        assert!(wrapper.contains(&format!("fuzzing::Target::{target:?}.run(input)")), "{name}");
    }
    assert_eq!(manifest.matches("[[bin]]").count(), Target::ALL.len());
}
