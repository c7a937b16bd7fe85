//! The bytes of a file.

use std::ops::Deref;
use std::sync::Arc;

/// The bytes of a file: the user's, until the program changes them.
#[derive(Debug)]
pub(crate) enum Contents {
    Given(Arc<[u8]>),
    Own(Vec<u8>),
}

impl Contents {
    /// Number of bytes that the kernel keeps for the file.
    pub(crate) fn kept(&self) -> usize {
        match self {
            Contents::Given(_) => 0,
            Contents::Own(bytes) => bytes.len(),
        }
    }

    /// Changes the length; new bytes are zero, and bytes of the user are copied.
    pub(crate) fn resize(&mut self, length: usize) {
        match self {
            Contents::Given(bytes) => {
                let mut own = bytes.get(..length).unwrap_or(bytes).to_vec();
                own.resize(length, 0);
                *self = Contents::Own(own);
            }
            Contents::Own(bytes) => bytes.resize(length, 0),
        }
    }
}

impl Deref for Contents {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Contents::Given(bytes) => bytes,
            Contents::Own(bytes) => bytes,
        }
    }
}
