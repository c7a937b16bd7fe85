//! Counts with nouns.

use alloc::format;
use alloc::string::String;
use core::fmt::Display;

/// A count with its noun in the right number: `1 error`, `2 errors`.
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, what: &str) -> String {
    format!("{count} {what}{}", if count == N::from(1) { "" } else { "s" })
}
