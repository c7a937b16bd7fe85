//! Fuzzing inputs by number.

use types::Rng;

use crate::mutate::{HEADERS, MAGIC, WORDS, mutate};
use crate::seeds::SeedError;
use crate::target::Target;

/// The inputs of a target for a seed.
#[derive(Debug)]
pub struct Inputs {
    right: Vec<Vec<u8>>,
    words: &'static [&'static [u8]],
    seed: u64,
}

impl Inputs {
    /// Creates the inputs of a target.
    pub fn new(target: Target, seed: u64) -> Result<Inputs, SeedError> {
        let right = target.seeds()?;
        let words: &[&[u8]] = match target {
            Target::Producer | Target::Case | Target::Ledger | Target::Results | Target::Complaint | Target::Tool => {
                &WORDS
            }
            Target::Archive => &HEADERS,
            Target::Section | Target::Unwinder | Target::Cfi | Target::Elf | Target::Check | Target::Run => &MAGIC,
        };
        if right.is_empty() { Err(SeedError::None(target.name())) } else { Ok(Inputs { right, words, seed }) }
    }

    /// Number of valid inputs: the first numbers are these, unchanged.
    pub fn right(&self) -> usize {
        self.right.len()
    }

    /// Replaces the contents of the buffer by the input with this number.
    pub fn write(&self, number: u64, buffer: &mut Vec<u8>) {
        buffer.clear();
        if let Some(right) = usize::try_from(number).ok().and_then(|number| self.right.get(number)) {
            buffer.extend_from_slice(right);
            return;
        }
        // The numbers of one seed are far apart in the generator's sequence of states.
        let mut rng = Rng::new(self.seed ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        let count = self.right.len() as u64;
        let mut any = || self.right.get(usize::try_from(rng.below(count)).unwrap_or(0)).map_or(&[][..], Vec::as_slice);
        let (one, other) = (any(), any());
        buffer.extend_from_slice(one);
        mutate(buffer, other, self.words, &mut rng);
    }
}
