//! The test vectors of `generators`, decided a second time: by this project's reader, its rules and
//! its unwinder, which share nothing with what made them.
//!
//! Each vector has its class from how it was made. A difference is a bug of one of the two.

mod callers;
mod decided;
mod files;

/// Those of the seed that is released, made once.
static VECTORS: std::sync::LazyLock<Vec<generators::vectors::Vector>> =
    std::sync::LazyLock::new(|| generators::vectors::all(readers::corpus::SEED));
