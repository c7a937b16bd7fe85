//! Capabilities of standard output: colours and width.

use std::io::{self, IsTerminal as _, Write};
use std::sync::OnceLock;

use crate::escape::short;

/// When standard output has colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colour {
    /// On a terminal that takes them, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Wherever it goes.
    Always,
    /// Nowhere.
    Never,
}

/// The choice for this process, made once where its options are read.
static CHOICE: OnceLock<Colour> = OnceLock::new();

impl Colour {
    /// Makes it the choice of this process; the first one stays.
    pub fn choose(self) {
        let _ = CHOICE.set(self);
    }

    /// Returns true if colours are written where `auto` gives that.
    const fn or(self, auto: bool) -> bool {
        match self {
            Colour::Auto => auto,
            Colour::Always => true,
            Colour::Never => false,
        }
    }
}

/// What a writer can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    /// Colours are supported.
    pub colour: bool,
    /// Characters per line; `None` without a limit: in a file, in a log.
    pub width: Option<usize>,
}

/// The purpose of marked text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Wrong,
    /// Right values.
    Good,
    Head,
}

pub(crate) const END: u8 = 0xff;

/// Returns true if standard error is a terminal.
pub fn messages_are_seen() -> bool {
    io::stderr().is_terminal()
}

impl Mark {
    const ALL: [Mark; 3] = [Mark::Wrong, Mark::Good, Mark::Head];

    /// The mark as a byte that no text contains: UTF-8 has no bytes from 0xf8 on, so external text
    /// cannot contain marks.
    const fn byte(self) -> u8 {
        match self {
            Mark::Wrong => 0xf8,
            Mark::Good => 0xf9,
            Mark::Head => 0xfa,
        }
    }

    /// The terminal's escape sequence for the mark (ECMA-48, SGR): a foreground colour of the
    /// user's palette.
    const fn command(self) -> &'static str {
        match self {
            Mark::Wrong => "\x1b[1;31m",
            Mark::Good => "\x1b[32m",
            Mark::Head => "\x1b[1m",
        }
    }
}

/// The escape sequence of a mark, or of the end; `None` if the byte is neither.
pub(crate) fn command(byte: u8) -> Option<&'static str> {
    let mark = Mark::ALL.into_iter().find(|mark| mark.byte() == byte);
    mark.map(Mark::command).or((byte == END).then_some("\x1b[0m"))
}

impl Screen {
    /// That of standard output. `NO_COLOR` (no-color.org) and a dumb terminal are heeded, unless
    /// colours were chosen ([`Colour::choose`]).
    pub fn of_stdout() -> Screen {
        let is_terminal = io::stdout().is_terminal();
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let width = terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
        Screen {
            colour: CHOICE.get().copied().unwrap_or_default().or(is_terminal && !dumb && !is_set("NO_COLOR")),
            width: width.filter(|width| is_terminal && *width >= LEAST),
        }
    }

    /// A line truncated to the width.
    pub fn cut(self, text: &str) -> String {
        self.width.map_or_else(|| text.to_owned(), |width| short(text, width.saturating_sub(1)))
    }

    pub fn put(self, mark: Mark, text: &str, out: &mut dyn Write) -> io::Result<()> {
        if !self.colour {
            return out.write_all(text.as_bytes());
        }
        out.write_all(&[mark.byte()])?;
        out.write_all(text.as_bytes())?;
        out.write_all(&[END])
    }
}

/// Minimum assumed width of a terminal.
const LEAST: usize = 40;

#[cfg(test)]
mod tests {
    use super::Colour;

    #[test]
    fn a_choice_is_above_what_the_terminal_takes() {
        let chosen = [Colour::Auto, Colour::Always, Colour::Never].map(|colour| (colour.or(false), colour.or(true)));
        assert_eq!(chosen, [(false, true), (true, true), (false, false)]);
    }
}
