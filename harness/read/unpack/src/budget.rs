//! Limit on the output of the decoders of one file.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use crate::Error;

/// Limit on the output of the decoders of one file on disk, however they are nested: [`SLACK`] plus
/// [`RATIO`] times its size. Compilers' output is compressed to a third, rarely to a tenth.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    left: Rc<Cell<u64>>,
    packed: u64,
    most: u64,
}

/// Number of output bytes allowed for any file.
const SLACK: u64 = 64 << 20;
/// Number of output bytes allowed for each byte of the file.
const RATIO: u64 = 200;

impl Budget {
    /// The limit for a file of this size.
    pub(crate) fn new(packed: u64) -> Budget {
        let most = packed.saturating_mul(RATIO).saturating_add(SLACK);
        Budget { left: Rc::new(Cell::new(most)), packed, most }
    }

    /// Returns true if the limit is reached: nothing more is read of the file.
    pub(crate) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    pub(crate) fn error(&self) -> Error {
        Error::Bomb { packed: self.packed, most: self.most }
    }

    /// Counts a decoder's output.
    pub(crate) fn count<R: Read>(&self, from: R) -> Counted<R> {
        Counted { from, budget: self.clone() }
    }
}

/// A decoder's output, counted.
pub(crate) struct Counted<R> {
    from: R,
    budget: Budget,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.budget.is_spent() {
            return Err(self.budget.error().into_io());
        }
        let count = self.from.read(buffer)?;
        self.budget.left.set(self.budget.left.get().saturating_sub(count as u64));
        Ok(count)
    }
}
