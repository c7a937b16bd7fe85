//! Text of `--version`: the version, and the commit of the build.

/// Commit of a release build; empty if unknown. A debug build is not rebuilt for each commit, so it
/// has none.
const COMMIT: &str = include_str!(concat!(env!("OUT_DIR"), "/commit"));

/// Version and commit: `0.2.0 (abc1234)`.
pub(crate) fn text() -> &'static str {
    match (COMMIT, cfg!(debug_assertions)) {
        ("", true) => concat!(env!("CARGO_PKG_VERSION"), " (debug build, commit unknown)"),
        ("", false) => concat!(env!("CARGO_PKG_VERSION"), " (commit unknown)"),
        _ => concat!(env!("CARGO_PKG_VERSION"), " (", include_str!(concat!(env!("OUT_DIR"), "/commit")), ")"),
    }
}
