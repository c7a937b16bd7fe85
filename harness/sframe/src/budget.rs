//! Limits on row bytes that are read more than once.
//!
//! In an honest section each row belongs to one function, or a few functions share rows. A hostile
//! section lets every function claim the whole FRE sub-section, so that n functions cost n times
//! the area. Beyond the limits here a function is reported as broken ([`ErrorKind::Overlap`]). With
//! L the length of the FRE sub-section:
//!
//! - decoded and kept: at most 2 L + 64 KiB row bytes (functions with identical rows share one
//!   decoded copy);
//! - printed: at most 8 L + 64 KiB row bytes over all functions;
//! - walked: at most 64 L + 64 KiB row bytes over all functions.
//!
//! A row takes 12 bytes in memory, and has at least two. Its meaning takes some 200 more the first
//! time that it occurs, and those have five bytes or more, but for the few hundred thousand of
//! shorter ones that there can be: a table needs at most 85 L + 16 MiB for its rows.

use crate::{ErrorKind, FuncDesc, ParseError, Section};

const SLACK: u64 = 64 << 10;
const DECODED_AREAS: u64 = 2;
const PRINTED_AREAS: u64 = 8;
const WALKED_AREAS: u64 = 64;

/// The rest of each allowance, in row bytes.
#[derive(Clone, Debug)]
pub struct Budget {
    decode: u64,
    print: u64,
    walk: u64,
}

impl Budget {
    /// The allowances of a section.
    pub fn new(section: &Section<'_>) -> Self {
        let area = u64::from(section.header.fre_len);
        let allow = |areas: u64| areas.saturating_mul(area).saturating_add(SLACK);
        Budget { decode: allow(DECODED_AREAS), print: allow(PRINTED_AREAS), walk: allow(WALKED_AREAS) }
    }

    /// Takes row bytes that are decoded.
    pub(crate) fn decode(&mut self, function: &FuncDesc, bytes: u64) -> Result<(), ParseError> {
        take(&mut self.decode, function, bytes)
    }

    /// Takes row bytes that are printed.
    pub fn print(&mut self, function: &FuncDesc, bytes: u64) -> Result<(), ParseError> {
        take(&mut self.print, function, bytes)
    }

    /// Takes row bytes that a function adds to what a walk over all functions passes.
    pub(crate) fn walk(&mut self, function: &FuncDesc, bytes: u64) -> Result<(), ParseError> {
        take(&mut self.walk, function, bytes)
    }
}

fn take(left: &mut u64, function: &FuncDesc, bytes: u64) -> Result<(), ParseError> {
    *left = left.checked_sub(bytes).ok_or(ParseError::new(ErrorKind::Overlap, function.entry.offset))?;
    Ok(())
}
