//! Limits on row bytes that are read more than once.
//!
//! In a valid section each row belongs to one function, or a few functions share rows. In a hostile
//! section every function can claim the whole FRE sub-section, so that n functions cost n times its
//! length. A function beyond these limits is reported as broken ([`ErrorKind::Overlap`]). With L
//! the length of the FRE sub-section:
//!
//! - decoded and kept: at most 2 L + 64 KiB row bytes (functions with identical rows share one
//!   decoded copy);
//! - printed: at most 8 L + 64 KiB row bytes over all functions;
//! - walked: at most 64 L + 64 KiB row bytes over all functions.
//!
//! A row takes 12 bytes in memory, and at least two in the section. A distinct meaning takes about
//! 200 more bytes; a row with a new meaning has at least five bytes in the section, except for the
//! at most few hundred thousand shorter ones. A table therefore needs at most 85 L + 16 MiB for its
//! rows.

use crate::{ErrorKind, FuncDesc, ParseError, Section};

const SLACK: u64 = 64 << 10;
const DECODED_AREAS: u64 = 2;
const PRINTED_AREAS: u64 = 8;
const WALKED_AREAS: u64 = 64;

/// Remaining allowances, in row bytes.
#[derive(Clone, Debug)]
pub struct Budget {
    decode: u64,
    print: u64,
    walk: u64,
}

impl Budget {
    /// The allowances for a section.
    pub fn new(section: &Section<'_>) -> Self {
        let area = u64::from(section.header.fre_len);
        let allow = |areas: u64| areas.saturating_mul(area).saturating_add(SLACK);
        Budget { decode: allow(DECODED_AREAS), print: allow(PRINTED_AREAS), walk: allow(WALKED_AREAS) }
    }

    /// Subtracts row bytes that are decoded.
    pub(crate) fn decode(&mut self, function: &FuncDesc, bytes: u64) -> Result<(), ParseError> {
        take(&mut self.decode, function, bytes)
    }

    /// Subtracts row bytes that are printed.
    pub fn print(&mut self, function: &FuncDesc, bytes: u64) -> Result<(), ParseError> {
        take(&mut self.print, function, bytes)
    }

    /// Subtracts a function's row bytes from the allowance of a walk over all functions.
    pub(crate) fn walk(&mut self, function: &FuncDesc, bytes: u64) -> Result<(), ParseError> {
        take(&mut self.walk, function, bytes)
    }
}

fn take(left: &mut u64, function: &FuncDesc, bytes: u64) -> Result<(), ParseError> {
    *left = left.checked_sub(bytes).ok_or(ParseError::new(ErrorKind::Overlap, function.entry.offset))?;
    Ok(())
}
