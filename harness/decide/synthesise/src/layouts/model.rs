//! A model of variants of SFrame V2 that were proposed. None of them is SFrame.
//!
//! All are little-endian. A section is a header, the descriptors of functions, and their rows; in a
//! linking view each function's rows follow its descriptor, so that no field has an index.

mod read;
mod write;

use types::named;

pub(super) use read::read;
pub(super) use write::{repeated, write};

named! {
    /// A change to the layout of V2.
    pub enum Change {
        /// The number of a function's rows has 16 bits; a function with more is split.
        Count16 = "16-bit row counts",
        /// Descriptors have no padding.
        NoPadding = "no padding",
        /// Descriptors have no size of repeated blocks: it is 16, and rows of others are unrolled.
        NoBlock = "no block size",
        /// Words are LEB128 numbers.
        Varint = "offsets as varints",
        /// Row starts are LEB128 differences from the row before.
        Delta = "delta starts",
        /// Equal functions have the same rows.
        Shared = "shared rows",
        /// There are no counts and offsets of an index.
        Linking = "linking view",
    }
}

/// A variant with its changes.
pub(super) struct Model {
    pub(super) name: &'static str,
    changes: &'static [Change],
}

use Change::{Count16, Delta, Linking, NoBlock, NoPadding, Shared, Varint};

/// The variants: each change alone, all for a linked file, and all for an object.
pub(super) const MODELS: [Model; 9] = [
    Model { name: "16-bit row counts", changes: &[Count16] },
    Model { name: "no padding", changes: &[NoPadding] },
    Model { name: "no block size", changes: &[NoBlock] },
    Model { name: "offsets as varints", changes: &[Varint] },
    Model { name: "delta starts", changes: &[Delta] },
    Model { name: "shared rows", changes: &[Shared] },
    Model { name: "linking view", changes: &[Linking] },
    Model { name: "all but linking view", changes: &[Count16, NoPadding, NoBlock, Varint, Delta, Shared] },
    Model { name: "all but shared rows", changes: &[Count16, NoPadding, NoBlock, Varint, Delta, Linking] },
];

impl Model {
    fn has(&self, change: Change) -> bool {
        self.changes.contains(&change)
    }
}
