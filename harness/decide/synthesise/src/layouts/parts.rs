//! Bytes of a table by part.

use generators::sframe::{FunctionSpec, SectionSpec};
use types::{Abi, SframeVersion, named};

use crate::section::Input;

named! {
    /// A part of a table.
    pub enum Part {
        /// Headers, and the CIEs of `.eh_frame`.
        Headers = "headers",
        /// The index for binary search that is not part of the descriptors.
        Index = "index",
        /// Descriptors of functions.
        Functions = "functions",
        /// Padding of descriptors.
        Padding = "padding",
        /// Starts of rows.
        Starts = "starts",
        /// Info bytes of rows.
        Infos = "infos",
        /// Words of rows; instructions of `.eh_frame`, with its padding.
        Words = "words",
    }
}

/// Bytes by part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts([u64; Part::ALL.len()]);

impl Parts {
    /// Adds bytes to a part.
    pub(crate) fn add(&mut self, part: Part, bytes: u64) {
        for (one, sum) in Part::ALL.into_iter().zip(&mut self.0) {
            if one == part {
                *sum = sum.saturating_add(bytes);
            }
        }
    }

    /// The parts with the bytes of each.
    pub fn iter(&self) -> impl Iterator<Item = (Part, u64)> {
        Part::ALL.into_iter().zip(self.0)
    }

    /// Bytes of all parts.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Adds the bytes of a function's rows in their encoded form.
    fn rows(&mut self, function: &FunctionSpec) {
        for row in &function.rows {
            self.add(Part::Starts, function.starts.bytes() as u64);
            self.add(Part::Infos, 1);
            self.add(Part::Words, row.words.len().saturating_mul(row.width.bytes()) as u64);
        }
    }
}

/// Size of a header of SFrame ("SFrame Header").
const HEADER: u64 = 28;

/// The parts of a section of SFrame.
pub(super) fn sframe(abi: Abi, version: SframeVersion, functions: &[FunctionSpec], bytes: u64) -> Parts {
    let mut parts = Parts::default();
    parts.add(Part::Headers, HEADER);
    functions.iter().for_each(|function| parts.rows(function));
    // "SFrame FDE": two bytes of padding in V2.
    if SectionSpec::new(abi, version).layout == generators::sframe::Layout::V2 {
        parts.add(Part::Padding, (functions.len() as u64).saturating_mul(2));
    }
    parts.add(Part::Functions, bytes.saturating_sub(parts.total()));
    parts
}

/// Size of the header of `.eh_frame_hdr` with its usual encodings: LSB 5.0 core, 10.6.2.
const HDR_HEADER: u64 = 12;
/// Size of the fields of an FDE before its instructions in the usual encoding: length, CIE pointer,
/// start and size of 4 bytes, and the length of the augmentation data.
const FDE_HEAD: u64 = 17;

/// The parts of `.eh_frame` and `.eh_frame_hdr`.
pub(super) fn eh_frame(input: Input<'_>, hdr: u64) -> Parts {
    let order = input.abi.facts().order;
    let word = |bytes: &[u8], at: usize| Some(order.number(bytes.get(at..at.checked_add(4)?)?));
    let (mut parts, mut rest) = (Parts::default(), input.eh_frame.1);
    while let (Some(length), Some(id)) = (word(rest, 0).filter(|length| *length > 0), word(rest, 4)) {
        let bytes = length.saturating_add(4);
        match id {
            0 => parts.add(Part::Headers, bytes),
            _ => {
                parts.add(Part::Functions, FDE_HEAD.min(bytes));
                parts.add(Part::Words, bytes.saturating_sub(FDE_HEAD));
            }
        }
        rest = usize::try_from(bytes).ok().and_then(|bytes| rest.get(bytes..)).unwrap_or_default();
    }
    parts.add(Part::Words, rest.len() as u64);
    parts.add(Part::Headers, hdr.min(HDR_HEADER));
    parts.add(Part::Index, hdr.saturating_sub(HDR_HEADER));
    parts
}
