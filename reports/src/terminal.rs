//! The way of all text to a terminal or a log: whatever was forgotten to be escaped before is escaped here.
//!
//! A name with a line break in it must be escaped where it enters a text ([`crate::escape::line`]): here the break is one like any other.
//! But no line that goes through here acts: characters that act instead of being seen are spelt out, and so is what begins a command of
//! a GitHub workflow, in either of its forms (`::error::` first in a line, `##[error]` anywhere).

use std::io::{self, Write};

use crate::escape::{Spelling, spell_char};
use crate::screen;

/// A writer that lets nothing through that acts.
#[derive(Debug)]
pub struct Terminal<W> {
    to: W,
    spelling: Spelling,
    /// Marks are let through, as the commands that they stand for.
    marks: bool,
    /// The beginning of a character whose other bytes are still to come.
    begun: Vec<u8>,
    /// What stood last.
    last: Last,
}

/// What stood before the next character, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    /// Nothing but blanks in this line.
    Blank,
    /// A colon, first in the line.
    Colon,
    /// So many number signs, one or two.
    Signs(u8),
    Other,
}

/// Standard error, for messages.
pub fn stderr() -> Terminal<io::Stderr> {
    Terminal::new(io::stderr())
}

impl<W: Write> Terminal<W> {
    /// For text.
    pub fn new(to: W) -> Terminal<W> {
        Terminal { to, spelling: Spelling::Text, marks: false, begun: Vec::new(), last: Last::Blank }
    }

    /// For text on a terminal that takes colours, which whoever writes marks ([`crate::screen`]).
    pub fn marked(to: W) -> Terminal<W> {
        Terminal { marks: true, ..Terminal::new(to) }
    }

    /// For JSON, which says the same afterwards.
    pub fn json(to: W) -> Terminal<W> {
        Terminal { spelling: Spelling::Json, ..Terminal::new(to) }
    }

    fn spell(&mut self, text: &str, spelt: &mut String) {
        let mut rest = text;
        loop {
            let (plain, after) = rest.split_at(self.plain(rest));
            spelt.push_str(plain);
            self.pass(plain);
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

    /// How many bytes of a text are as they are, whatever stood before: nearly all of most texts, and not looked at one by one.
    fn plain(&self, text: &str) -> usize {
        let is_plain = |byte: &u8| matches!(byte, b'\n' | b' '..=b'~') && !matches!(byte, b':' | b'#');
        if self.last == Last::Signs(2) && text.starts_with('[') {
            return 0;
        }
        text.bytes().position(|byte| !is_plain(&byte)).unwrap_or(text.len())
    }

    /// What stood last, after text that is plain.
    fn pass(&mut self, plain: &str) {
        let (before, line) = match plain.rsplit_once('\n') {
            Some((_, line)) => (Last::Blank, line),
            None => (self.last, plain),
        };
        self.last = match before {
            last if line.is_empty() => last,
            Last::Blank if line.bytes().all(|byte| byte == b' ') => Last::Blank,
            _ => Last::Other,
        };
    }
}

impl<W: Write> Write for Terminal<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(bytes);
        let mut spelt = String::with_capacity(all.len());
        let mut rest = all.as_slice();
        while let Some(chunk) = rest.utf8_chunks().next() {
            self.spell(chunk.valid(), &mut spelt);
            let invalid = chunk.invalid();
            rest = rest.get(chunk.valid().len() + invalid.len()..).unwrap_or_default();
            // Only at the end of all bytes may more of a character follow.
            if let Some(command) =
                invalid.first().filter(|_| self.marks && invalid.len() == 1).and_then(|byte| screen::command(*byte))
            {
                // Only whoever writes for a terminal that takes it marks anything.
                spelt.push_str(command);
            } else if rest.is_empty() && std::str::from_utf8(invalid).is_err_and(|error| error.error_len().is_none()) {
                self.begun = invalid.to_vec();
            } else if !invalid.is_empty() {
                self.spell("\u{fffd}", &mut spelt);
            }
        }
        self.to.write_all(spelt.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
