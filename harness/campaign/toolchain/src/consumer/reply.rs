//! Questions to a reader about one section, and replies.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use types::{Abi, ByteOrder, Reg, TableFormat};

/// A section with its address, and the PCs to look up.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// File with the bytes of the section; its path contains no blank.
    pub section: &'a Path,
    pub address: u64,
    /// First address of the code, and first address after it.
    pub text: (u64, u64),
    pub order: ByteOrder,
    pub abi: Abi,
    pub format: TableFormat,
    /// The register that is asked for in place of FP.
    pub register: Option<Reg>,
    /// File and address of the `.eh_frame_hdr`.
    pub index: Option<(PathBuf, u64)>,
    /// One line for each PC: the PC, and the state of a machine there.
    pub lines: &'a str,
}

impl Question<'_> {
    /// Input lines of an adapter: one for the section, and one for each PC.
    pub(super) fn fed(&self) -> String {
        let order = match self.order {
            ByteOrder::Little => "little",
            ByteOrder::Big => "big",
        };
        let (start, end) = self.text;
        let mut fed = String::with_capacity(self.lines.len() + 160);
        // Writing to a String cannot fail.
        let _ = write!(
            fed,
            "section {} {:#x} {start:#x} {end:#x} {order} {}",
            self.section.display(),
            self.address,
            self.abi.name()
        );
        if self.format == TableFormat::EhFrame {
            let _ = write!(fed, " {}", self.format);
            if let Some((file, address)) = &self.index {
                let _ = write!(fed, " {} {address:#x}", file.display());
            }
        }
        if let Some(register) = self.register {
            let _ = write!(fed, " register {}", register.0);
        }
        fed.push('\n');
        fed.push_str(self.lines);
        fed
    }

    /// Number of PCs.
    pub(super) fn count(&self) -> usize {
        self.lines.lines().count()
    }
}

/// Result of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The reader printed these lines, one for each PC.
    Lines(Vec<String>),
    /// The reader refused the section.
    Refused,
    /// A signal killed the reader; the text is its last output.
    Crash(i32, String),
    /// The reader exceeded the time limit.
    Hang,
    /// A sanitizer aborted the reader.
    Sanitiser(String),
    /// The reader ran out of memory, according to its message.
    OutOfMemory,
    /// The adapter cannot pass the section to the reader, for this reason.
    NotAsked(String),
    /// The reader violated the protocol, or could not be started.
    Broken(String),
}

impl Reply {
    /// Parses an adapter's line about a section, which precedes the answers. `None`: the section
    /// was read, and answers follow; otherwise the final reply.
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
                let text = if place.is_empty() { String::new() } else { format!("at {place}") };
                Some(signal.parse().map_or_else(|_| nonsense(line), |signal| Reply::Crash(signal, text)))
            }
            ("sanitiser", trace) => Some(Reply::Sanitiser(trace.to_owned())),
            _ => Some(nonsense(line)),
        }
    }
}

fn nonsense(line: &str) -> Reply {
    Reply::Broken(format!("'{}' where the status of the section is expected", shortened(line)))
}

/// The beginning of a line, for messages.
pub(super) fn shortened(line: &str) -> String {
    line.chars().take(80).collect()
}
