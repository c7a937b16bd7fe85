//! The size of the samples that tests try: enough for each claim in every run of the tests, and all
//! at night (`ci/nightly`).

/// Returns true if the larger samples are asked for, by `SAMPLES=all`.
pub fn all() -> bool {
    is_all("SAMPLES")
}

/// Returns the same of the comparison with every step judged: `EVERY_STEP=all`.
pub fn every_step() -> bool {
    is_all("EVERY_STEP")
}

fn is_all(variable: &str) -> bool {
    std::env::var(variable).is_ok_and(|word| word == "all")
}
