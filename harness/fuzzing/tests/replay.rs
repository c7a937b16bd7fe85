//! The first inputs of each target, the same on every machine: right ones and damaged ones. What campaigns found stays found, by tests beside
//! the parsers.

use std::time::Duration;

use fuzzing::{Campaign, Inputs, MOST_MEMORY, Target};

/// How long each target may take.
const BUDGET: Duration = Duration::from_millis(30);

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
