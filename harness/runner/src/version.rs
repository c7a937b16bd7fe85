//! The text of `--version`: the version, and the commit that the program was built of.

/// The commit, of a release build; empty where it is not known. A debug build is not made anew with
/// each commit, so that it knows none.
const COMMIT: &str = include_str!(concat!(env!("OUT_DIR"), "/commit"));

/// `0.2.0 (abc1234)`.
pub(crate) fn text() -> &'static str {
    match (COMMIT, cfg!(debug_assertions)) {
        ("", true) => concat!(env!("CARGO_PKG_VERSION"), " (debug build: of a commit that is not known)"),
        ("", false) => concat!(env!("CARGO_PKG_VERSION"), " (of a commit that is not known)"),
        _ => concat!(env!("CARGO_PKG_VERSION"), " (", include_str!(concat!(env!("OUT_DIR"), "/commit")), ")"),
    }
}
