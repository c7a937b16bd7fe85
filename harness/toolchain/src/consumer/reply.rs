//! What a reader is asked about one section, and how that ended.

use std::fmt::Write as _;
use std::path::Path;

use types::{Abi, ByteOrder};

/// A section and its address.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Its bytes. No blank in its name.
    pub section: &'a Path,
    pub address: u64,
    /// First address of the code, and first after it.
    pub text: (u64, u64),
    pub order: ByteOrder,
    pub abi: Abi,
    /// A line for each PC: the PC, and the state of a machine there.
    pub lines: &'a str,
}

impl Question<'_> {
    /// The lines that an adapter is fed: the section's, and one for each PC.
    pub(super) fn fed(&self) -> String {
        let order = match self.order {
            ByteOrder::Little => "little",
            ByteOrder::Big => "big",
        };
        let (start, end) = self.text;
        let mut fed = String::with_capacity(self.lines.len() + 160);
        // Writing to a String cannot fail.
        let _ = writeln!(
            fed,
            "section {} {:#x} {start:#x} {end:#x} {order} {}",
            self.section.display(),
            self.address,
            self.abi.name()
        );
        fed.push_str(self.lines);
        fed
    }

    /// PCs that are asked for.
    pub(super) fn count(&self) -> usize {
        self.lines.lines().count()
    }
}

/// How a question ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It printed these lines, one for each PC.
    Lines(Vec<String>),
    /// It refused the section.
    Refused,
    /// A signal ended it, and it left these words.
    Crash(i32, String),
    /// It did not end in time.
    Hang,
    /// A sanitiser ended it.
    Sanitiser(String),
    /// It ran out of memory, according to its message.
    OutOfMemory,
    /// Its adapter cannot pass the section to it, with the reason.
    NotAsked(String),
    /// It did not speak the protocol, or could not be started.
    Broken(String),
}

impl Reply {
    /// An adapter's line about a section before the answers: those that follow count if it is
    /// read (none here); else this is how it ended.
    pub(super) fn to_section(line: &str) -> Option<Reply> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, rest) {
            ("read", "") => None,
            ("refused", "") => Some(Reply::Refused),
            ("out-of-memory", "") => Some(Reply::OutOfMemory),
            ("hang", "") => Some(Reply::Hang),
            ("not-asked", why) => Some(Reply::NotAsked(why.to_owned())),
            ("crash", rest) => {
                let (signal, place) = rest.split_once(' ').unwrap_or((rest, ""));
                let told = if place.is_empty() { String::new() } else { format!("at {place}") };
                Some(signal.parse().map_or_else(|_| nonsense(line), |signal| Reply::Crash(signal, told)))
            }
            ("sanitiser", trace) => Some(Reply::Sanitiser(trace.to_owned())),
            _ => Some(nonsense(line)),
        }
    }
}

fn nonsense(line: &str) -> Reply {
    Reply::Broken(format!("'{}' in place of what became of the section", shortened(line)))
}

/// The beginning of a line, for messages.
pub(super) fn shortened(line: &str) -> String {
    line.chars().take(80).collect()
}
