//! Determinism: the same input gives the same bytes, twice, and with any number of threads.

use crate::command::support::{CLEAN_EXE, SHARED, WRONG_EXE, WRONG_OBJECT, finish, frozen, program, run};

fn arguments(format: &str) -> Vec<String> {
    let files = [WRONG_EXE, CLEAN_EXE, WRONG_OBJECT, SHARED, "s390x/gas-2.47.50--v3--hand--o", "missing"];
    let options = ["check", "--info", "--explore", "--step-limit", "30000", "--format", format].map(str::to_owned);
    options.into_iter().chain(files.map(frozen)).collect()
}

#[test]
fn output_does_not_depend_on_run_or_threads() {
    for format in ["text", "json"] {
        let first = run(&arguments(format));
        assert!(first.stdout.len() > 2000, "too little to compare: {}", first.stdout);
        for threads in ["1", "4"] {
            let mut command = program();
            command.args(arguments(format)).env("RAYON_NUM_THREADS", threads);
            let again = finish(command);
            assert_eq!(again.code, first.code);
            assert!(again.stdout == first.stdout, "{format} with {threads} threads differs");
            assert_eq!(again.stderr, first.stderr);
        }
    }
}
