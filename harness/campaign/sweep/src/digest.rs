//! Hash of a file's contents, to identify files with the same contents.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// A SHA-256.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub(super) struct Digest([u8; 32]);

impl Digest {
    pub(super) fn new(bytes: &[u8]) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }

    /// Parses 64 hexadecimal digits; `None` for anything else.
    pub(super) fn read(text: &str) -> Option<Digest> {
        let mut digest = [0; 32];
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let digit = |byte: u8| char::from(byte).to_digit(16);
        for (byte, [high, low]) in digest.iter_mut().zip(pairs) {
            *byte = (digit(*high)? << 4 | digit(*low)?) as u8;
        }
        (pairs.len() == digest.len() && rest.is_empty()).then_some(Digest(digest))
    }

    /// The first half: sufficient to distinguish names, which are not stored.
    pub(super) fn half(self) -> u128 {
        self.0.first_chunk().map_or(0, |half| u128::from_be_bytes(*half))
    }
}

/// Prints 64 hexadecimal digits.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::Digest;

    #[test]
    fn what_is_shown_is_read() {
        let digest = Digest::new(b"bytes");
        assert_eq!(Digest::read(&digest.to_string()), Some(digest));
        for text in ["", "0g", &"0".repeat(63), &"0".repeat(65), &"0".repeat(66), &"é".repeat(32)] {
            assert_eq!(Digest::read(text), None, "{text}");
        }
    }
}
