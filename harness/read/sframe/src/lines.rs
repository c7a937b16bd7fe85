//! Formats lines with hexadecimal and decimal numbers and writes them in blocks. General formatting
//! is several times slower, and a dump has millions of numbers.

use alloc::vec::Vec;
use core::fmt;
use std::io::{self, Write};

/// Number of bytes written at once; a line is never split.
const BLOCK: usize = 64 << 10;

/// Buffer of formatted text, written at ends of lines.
pub(crate) struct Lines<'o> {
    block: Vec<u8>,
    out: &'o mut dyn Write,
}

impl<'o> Lines<'o> {
    pub(crate) fn new(out: &'o mut dyn Write) -> Self {
        Lines { block: Vec::new(), out }
    }

    #[inline]
    pub(crate) fn text(&mut self, text: &str) {
        self.block.extend_from_slice(text.as_bytes());
    }

    /// Appends a number in hexadecimal with at least `least` digits, 1 to 8.
    #[inline]
    pub(crate) fn hex(&mut self, value: u64, least: u32) {
        const DIGITS: u32 = 8;
        let (high, low) = ((value >> 32) as u32, value as u32);
        if high > 0 {
            self.hex(high.into(), 1);
            return self.hex(low.into(), DIGITS);
        }
        let spare = low.leading_zeros().wrapping_div(4).min(DIGITS.saturating_sub(least));
        // All eight digits are appended with the first significant one in front, then the surplus
        // is removed.
        let bytes = low.wrapping_shl(spare.wrapping_mul(4)).to_be_bytes();
        let digits = bytes.into_iter().fold(0_u64, |digits, byte| digits << 16 | u64::from(pair(byte)));
        self.block.extend_from_slice(&digits.to_be_bytes());
        self.block.truncate(self.block.len().saturating_sub(spare as usize));
    }

    #[inline]
    pub(crate) fn decimal(&mut self, value: impl itoa::Integer) {
        self.text(itoa::Buffer::new().format(value));
    }

    /// Appends bytes in hexadecimal, in a column of eight; if there are more, only the first ones.
    #[inline]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        const SHOWN: usize = 32;
        const COLUMN: usize = 8;
        if bytes.len() <= COLUMN {
            let begin = self.block.len();
            self.block.extend_from_slice(&[b' '; 3 * COLUMN + 1]);
            let column = self.block.get_mut(begin..).unwrap_or_default();
            for ([high, low, _], byte) in column.as_chunks_mut().0.iter_mut().zip(bytes) {
                [*high, *low] = pair(*byte).to_be_bytes();
            }
            return;
        }
        for byte in bytes.iter().take(SHOWN) {
            let [high, low] = pair(*byte).to_be_bytes();
            self.block.extend_from_slice(&[high, low, b' ']);
        }
        if bytes.len() > SHOWN {
            self.text("… ");
        }
    }

    /// Appends a value through its `Display`.
    pub(crate) fn value(&mut self, value: impl fmt::Display) -> io::Result<()> {
        write!(self.block, "{value}")
    }

    /// Ends a line.
    ///
    /// # Errors
    /// Errors of the writer.
    #[inline]
    pub(crate) fn end(&mut self) -> io::Result<()> {
        self.block.push(b'\n');
        if self.block.len() < BLOCK { Ok(()) } else { self.hand_on() }
    }

    /// Writes the remaining text.
    ///
    /// # Errors
    /// Errors of the writer.
    pub(crate) fn hand_on(&mut self) -> io::Result<()> {
        let done = self.out.write_all(&self.block);
        self.block.clear();
        done
    }
}

/// Text formatted before a panic is also written: it shows how far the dump was right.
impl Drop for Lines<'_> {
    fn drop(&mut self) {
        let _ = self.hand_on();
    }
}

/// A byte as two hexadecimal digits, the first in the high byte.
#[inline]
fn pair(byte: u8) -> u16 {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    #[allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "a fault here ends the build")]
    const PAIRS: [u16; 256] = {
        let (mut pairs, mut byte) = ([0; 256], 0);
        while byte < pairs.len() {
            pairs[byte] = u16::from_be_bytes([DIGITS[byte >> 4], DIGITS[byte & 0xf]]);
            byte += 1;
        }
        pairs
    };
    PAIRS.get(usize::from(byte)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    fn made(make: impl FnOnce(&mut Lines<'_>)) -> String {
        let mut out = Vec::new();
        let mut lines = Lines::new(&mut out);
        make(&mut lines);
        lines.hand_on().expect("memory");
        drop(lines);
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn numbers_are_as_the_standard_library_has_them() {
        let values = (0..64).flat_map(|bit| [(1 << bit) - 1, 1 << bit, 0xfedc_ba98_7654_3210 >> bit]).chain([u64::MAX]);
        for value in values {
            for least in 1..=8 {
                let want = format!("{value:0width$x}", width = least as usize);
                assert_eq!(made(|lines| lines.hex(value, least)), want);
            }
        }
    }

    #[test]
    fn bytes_stand_in_a_column() {
        let all: Vec<u8> = (0x70..0xf0).collect();
        for count in [0, 1, 7, 8, 9, 31, 32, 33, 100] {
            let words: Vec<String> = all.iter().take(count.min(32)).map(|byte| format!("{byte:02x} ")).collect();
            let want = format!("{:25}{}", words.concat(), if count > 32 { "… " } else { "" });
            assert_eq!(made(|lines| lines.bytes(&all[..count])), want, "{count}");
        }
    }
}
