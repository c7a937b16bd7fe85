//! The test vectors of `generators`, checked by this project's reader, its rules and its unwinder,
//! which share no code with the generators.
//!
//! The construction of each vector determines its class. A difference is a bug of one of the two.

mod callers;
mod decided;
mod files;
mod recorded;
mod release;

/// The vectors of the released seed, made once.
pub(crate) static VECTORS: std::sync::LazyLock<Vec<generators::vectors::Vector>> =
    std::sync::LazyLock::new(|| generators::vectors::all(readers::corpus::SEED));
