//! The last stage of all text to a terminal or a log: escapes whatever was not escaped before.
//!
//! A name with a line break must be escaped when it is inserted into a text
//! ([`crate::escape::line`]): here the line break cannot be recognized. But no line has an effect:
//! characters that act instead of being visible are escaped, and so is the start of a GitHub
//! workflow command in both of its forms (`::error::` at the start of a line, `##[error]`
//! anywhere).

use std::io::{self, Write};

use crate::escape::{Spelling, spell_char};
use crate::screen;

/// A writer that neutralizes everything that would have an effect on the terminal or log.
#[derive(Debug)]
pub struct Terminal<W> {
    to: W,
    spelling: Spelling,
    /// Marks are passed on as escape sequences.
    marks: bool,
    /// The first bytes of an incomplete character.
    begun: Vec<u8>,
    /// The preceding text, as far as it matters.
    last: Last,
    /// A write has failed or was incomplete.
    failed: bool,
}

/// The text before the next character, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    /// Only blanks in this line.
    Blank,
    /// A colon at the start of the line.
    Colon,
    /// One or two number signs.
    Signs(u8),
    Other,
}

/// Number of bytes that are checked together.
const PART: usize = 64;

/// Returns true if a byte cannot simply be passed on: it is not plain text, or begins a workflow
/// command together with the next byte, which is equal.
fn matters(byte: u8, next: u8) -> bool {
    !matches!(byte, b'\n' | b' '..=b'~') | (matches!(byte, b':' | b'#') & (byte == next))
}

/// Standard error, for messages.
pub fn stderr() -> Terminal<io::Stderr> {
    Terminal::new(io::stderr())
}

impl<W: Write> Terminal<W> {
    /// Creates a writer for text.
    pub fn new(to: W) -> Terminal<W> {
        Terminal { to, spelling: Spelling::Text, marks: false, begun: Vec::new(), last: Last::Blank, failed: false }
    }

    /// Creates a writer for text on a terminal with colours, which the caller marks
    /// ([`crate::screen`]).
    pub fn marked(to: W) -> Terminal<W> {
        Terminal { marks: true, ..Terminal::new(to) }
    }

    /// Creates a writer for JSON, whose meaning does not change.
    pub fn json(to: W) -> Terminal<W> {
        Terminal { spelling: Spelling::Json, ..Terminal::new(to) }
    }

    fn spell(&mut self, text: &str, spelt: &mut String) {
        let mut rest = text;
        loop {
            let (plain, after) = rest.split_at(self.plain(rest.as_bytes()));
            spelt.push_str(plain);
            self.pass(plain.as_bytes());
            let mut chars = after.chars();
            let Some(c) = chars.next() else { return };
            rest = chars.as_str();
            let acts = matches!((self.last, c), (Last::Colon, ':') | (Last::Signs(2), '['));
            self.last = match (self.last, c) {
                (_, '\n') => Last::Blank,
                (Last::Blank, c) if c.is_whitespace() => Last::Blank,
                (Last::Blank, ':') => Last::Colon,
                (Last::Signs(_), '#') => Last::Signs(2),
                (_, '#') => Last::Signs(1),
                _ => Last::Other,
            };
            if acts {
                self.spelling.spell_out(c, spelt);
            } else if matches!(c, '\n' | '\t') {
                spelt.push(c);
            } else {
                spell_char(c, self.spelling, spelt);
            }
        }
    }

    /// Number of leading bytes that can be passed on unchanged: nearly all of most texts, checked
    /// in blocks.
    fn plain(&self, bytes: &[u8]) -> usize {
        let begun = matches!(self.last, Last::Colon | Last::Signs(_));
        if begun && bytes.first().is_some_and(|byte| matches!(byte, b':' | b'#' | b'[')) {
            return 0;
        }
        let mut at = 0;
        while let Some(part) = bytes.get(at..).and_then(<[u8]>::first_chunk::<{ PART + 1 }>) {
            // All bytes, without a branch: so the processor checks many at once.
            let pairs = part.iter().zip(part.iter().skip(1));
            if pairs.fold(false, |any, (byte, next)| any | matters(*byte, *next)) {
                break;
            }
            at += PART;
        }
        let rest = bytes.get(at..).unwrap_or_default();
        let pairs = rest.iter().zip(rest.iter().skip(1).chain([&0]));
        at + pairs.take_while(|(byte, next)| !matters(**byte, **next)).count()
    }

    /// Updates the state after plain bytes.
    fn pass(&mut self, plain: &[u8]) {
        let (before, line) = match plain.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => (Last::Blank, plain.get(end + 1..).unwrap_or_default()),
            None => (self.last, plain),
        };
        let word = line.iter().position(|byte| *byte != b' ').and_then(|at| line.get(at..)).unwrap_or_default();
        self.last = match (before, word) {
            (last, _) if line.is_empty() => last,
            (Last::Blank, []) => Last::Blank,
            (Last::Blank, b":") => Last::Colon,
            (_, [.., b'#']) => Last::Signs(1),
            _ => Last::Other,
        };
    }
}

impl<W: Write> Terminal<W> {
    /// Writes text with escapes. After an incomplete write it writes nothing more: the caller would
    /// write everything again.
    fn write_on(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.failed {
            return Err(io::Error::other("an earlier write failed"));
        }
        let done = self.to.write_all(bytes);
        self.failed = done.is_err();
        done
    }
}

impl<W: Write> Write for Terminal<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let plain = if self.begun.is_empty() { self.plain(bytes) } else { 0 };
        if let (Some(plain), Some([])) = (bytes.get(..plain), bytes.get(plain..)) {
            self.write_on(plain)?;
            self.pass(plain);
            return Ok(bytes.len());
        }
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(bytes);
        let mut spelt = String::with_capacity(all.len());
        let mut rest = all.as_slice();
        while let Some(chunk) = rest.utf8_chunks().next() {
            self.spell(chunk.valid(), &mut spelt);
            let invalid = chunk.invalid();
            rest = rest.get(chunk.valid().len() + invalid.len()..).unwrap_or_default();
            // Only at the end of all bytes may the rest of a character follow.
            if let Some(command) =
                invalid.first().filter(|_| self.marks && invalid.len() == 1).and_then(|byte| screen::command(*byte))
            {
                // Only a writer for a terminal with colours has marks.
                spelt.push_str(command);
            } else if rest.is_empty() && std::str::from_utf8(invalid).is_err_and(|error| error.error_len().is_none()) {
                self.begun = invalid.to_vec();
            } else if !invalid.is_empty() {
                self.spell("\u{fffd}", &mut spelt);
            }
        }
        self.write_on(spelt.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
