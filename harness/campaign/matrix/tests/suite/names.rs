//! Trials by their names.

use std::collections::BTreeSet;

use ledger::Home;
use matrix::{Extent, Matrix};

#[test]
fn every_trial_is_found_by_its_name_alone() {
    let matrix = Matrix::new(Home::checkout().expect("tests run in it"), None, None).expect("the producers");
    let all = matrix.trials(Extent::Often).expect("the trials");
    assert!(all.len() > 100, "{}", all.len());
    let names: Vec<String> = all.iter().map(|trial| trial.key.to_string()).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "two trials share a name");
    // Looking up a case runs its assembler for the version each time: one name for each assembler
    // suffices.
    let mut looked_up = BTreeSet::new();
    for trial in all {
        let key = &trial.key;
        if key.topic != "objects" && !looked_up.insert((key.abi, key.topic.clone())) {
            continue;
        }
        let found = matrix.trial_named(&key.to_string()).expect("its data file");
        assert_eq!(found.map(|found| found.key).as_ref(), Some(key));
    }
    for name in ["", "gas", "gas@2.40::amd64::v1::objects::no-such-object", "gas@0.1::amd64::v1::frames::leaf"] {
        assert!(matrix.trial_named(name).expect("no data file is needed").is_none(), "{name}");
    }
}
