//! Sizes of test samples: enough for each claim in every test run, and all samples at night
//! (`ci/nightly`).

/// Returns true if the larger samples are requested by `SAMPLES=all`.
pub fn all() -> bool {
    is_all("SAMPLES")
}

/// Returns true if comparison with every step judged is requested by `EVERY_STEP=all`.
pub fn every_step() -> bool {
    is_all("EVERY_STEP")
}

fn is_all(variable: &str) -> bool {
    std::env::var(variable).is_ok_and(|word| word == "all")
}
