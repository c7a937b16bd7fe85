//! Fuzzes the target that the variable `TARGET` names.
#![no_main]

use std::sync::OnceLock;

use fuzzing::Target;

static TARGET: OnceLock<Target> = OnceLock::new();

/// Serves and exits if the program was called as a worker of itself.
fn begin() {
    match fuzzing::serve_if_worker() {
        None => {}
        Some(Ok(())) => std::process::exit(0),
        Some(Err(error)) => panic!("a worker: {error}"),
    }
    let name = std::env::var("TARGET").expect("TARGET names a target");
    let found = Target::ALL.into_iter().find(|target| target.name() == name);
    let _ = TARGET
        .set(found.unwrap_or_else(|| panic!("no target {name}: one of {}", Target::ALL.map(Target::name).join(", "))));
}

libfuzzer_sys::fuzz_target!(init: begin(), |input: &[u8]| {
    TARGET.get().expect("begin() sets it").run(input);
});
