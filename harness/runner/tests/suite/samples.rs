//! How much of what could be tried is: enough for each claim in every run of the tests, and all where `SAMPLES=all` asks for it, as the nightly
//! run does (`ci/nightly`).

/// True where the larger samples are wanted.
pub(crate) fn all() -> bool {
    std::env::var("SAMPLES").is_ok_and(|word| word == "all")
}
