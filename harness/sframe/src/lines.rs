//! Lines of numbers in hex and decimal, handed on in blocks. What formats anything in general takes several times as long, and a dump is made
//! of millions of them.

use std::fmt;
use std::io::{self, Write};

/// Bytes that are handed on together, but for the end of a line.
const BLOCK: usize = 64 << 10;

/// Text that is being made. What is appended is handed on at the end of a line.
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

    /// A number in hex, of at least so many digits, 1 to 16.
    #[inline]
    pub(crate) fn hex(&mut self, value: u64, least: u32) {
        let spare = value.leading_zeros().wrapping_div(4).min(16_u32.saturating_sub(least));
        // The first digit to the front: all sixteen are appended, and those behind the number taken off again.
        let digits = value.wrapping_shl(spare.wrapping_mul(4)).to_be_bytes().map(pair);
        self.block.extend_from_slice(digits.as_flattened());
        self.block.truncate(self.block.len().saturating_sub(spare as usize));
    }

    #[inline]
    pub(crate) fn decimal(&mut self, value: impl itoa::Integer) {
        self.text(itoa::Buffer::new().format(value));
    }

    /// Bytes in hex, in a column of eight; of many bytes only the first.
    #[inline]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        const SHOWN: usize = 32;
        const COLUMN: usize = 8;
        if bytes.len() <= COLUMN {
            let mut column = [b' '; 3 * COLUMN + 1];
            for ([high, low, _], byte) in column.as_chunks_mut().0.iter_mut().zip(bytes) {
                [*high, *low] = pair(*byte);
            }
            return self.block.extend_from_slice(&column);
        }
        for byte in bytes.iter().take(SHOWN) {
            let [high, low] = pair(*byte);
            self.block.extend_from_slice(&[high, low, b' ']);
        }
        if bytes.len() > SHOWN {
            self.text("… ");
        }
    }

    /// Whatever has a form of its own.
    pub(crate) fn value(&mut self, value: impl fmt::Display) -> io::Result<()> {
        write!(self.block, "{value}")
    }

    /// Ends a line.
    ///
    /// # Errors
    /// Those of the writer.
    #[inline]
    pub(crate) fn end(&mut self) -> io::Result<()> {
        self.block.push(b'\n');
        if self.block.len() < BLOCK { Ok(()) } else { self.hand_on() }
    }

    /// Hands on what is left.
    ///
    /// # Errors
    /// Those of the writer.
    pub(crate) fn hand_on(&mut self) -> io::Result<()> {
        let done = self.out.write_all(&self.block);
        self.block.clear();
        done
    }
}

/// A byte as two digits.
#[inline]
fn pair(byte: u8) -> [u8; 2] {
    [byte >> 4, byte & 0xf].map(|digit| digit.wrapping_add(if digit < 10 { b'0' } else { b'a'.wrapping_sub(10) }))
}

#[cfg(test)]
mod tests {
    use super::Lines;

    fn made(make: impl FnOnce(&mut Lines<'_>)) -> String {
        let mut out = Vec::new();
        let mut lines = Lines::new(&mut out);
        make(&mut lines);
        lines.hand_on().expect("memory");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn numbers_are_as_the_standard_library_has_them() {
        let values = (0..64).flat_map(|bit| [(1 << bit) - 1, 1 << bit, 0xfedc_ba98_7654_3210 >> bit]).chain([u64::MAX]);
        for value in values {
            for least in 1..=16 {
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
