//! A bundle about a reader, as data: the section, the question, the actual and the expected answer.
//! All texts are made from it (`reports::bundle::reader`).

use super::{Clause, Provenance};
use crate::{ReaderVerdict, ToolVersion};
use types::{Abi, Reg, SframeVersion, TableFormat};

/// A bug of one reader, shown by one section.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReaderBundle {
    /// Title: the bug in a few words, without the reader's name.
    pub title: String,
    /// Project of the reader, as in the consumers' file.
    pub reader: String,
    /// Version of the reader.
    pub version: ToolVersion,
    /// Name and version in its makers' notation, if it differs from the fields above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub called: Option<String>,
    /// Commands that show the bug, with `repro.elf` and `repro.sframe` or `repro.eh_frame`.
    pub command: String,
    /// Verdict on the answer.
    pub verdict: ReaderVerdict,
    /// Fingerprint of the finding.
    pub fingerprint: String,
    /// Actual and expected behaviour.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Clause of the specification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<Clause>,
    /// The target.
    pub abi: Abi,
    /// The register that was asked for in place of FP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub register: Option<Reg>,
    /// Version of the `.sframe`; `None` if the section is `.eh_frame`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sframe: Option<SframeVersion>,
    /// Address of the section's first byte.
    pub address: u64,
    /// For a linker: start and end of the code of the section. Its inputs are an object with both,
    /// and another object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linked: Option<(u64, u64)>,
    /// For a debugger: start and end of the code of the section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<(u64, u64)>,
    /// Bytes of the section in hexadecimal, 16 per line.
    pub section: Vec<String>,
    /// The `.eh_frame_hdr`, if it is not as linkers write it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<BundledIndex>,
    /// The PC asked for; `None` if the whole section is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pc: Option<u64>,
    /// Stack of the question, if it is about callers: registers by DWARF number, then words of
    /// memory, `r7=0x7ff0` and `@0x7ff8=0x401555`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<String>,
    /// Actual answer, or how the reader ended, with a stack trace if there is one.
    pub got: String,
    /// The expected answer.
    pub want: String,
    /// What the reader prints, by which a script decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prints: Option<ReaderOutput>,
    /// For a memory safety bug: the private contact to report it to first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tell: Option<String>,
    /// Origin of the section.
    #[serde(default)]
    pub found: Provenance,
}

/// The output of a reader's own command, or of a program that calls a library.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReaderOutput {
    /// An extended regular expression of a line that it has with the bug.
    pub bug: String,
    /// One of a line that it has without.
    pub right: String,
    /// The output with the bug.
    pub output: String,
}

/// An `.eh_frame_hdr`.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BundledIndex {
    /// Address of its first byte.
    pub address: u64,
    /// Its bytes in hexadecimal, 16 per line.
    pub bytes: Vec<String>,
}

impl BundledIndex {
    /// Its bytes; `None` if the lines are not hexadecimal.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        of_lines(&self.bytes)
    }
}

impl ReaderBundle {
    /// Format of the table.
    pub fn format(&self) -> TableFormat {
        self.sframe.map_or(TableFormat::EhFrame, TableFormat::Sframe)
    }

    /// Bytes of the section; `None` if the lines are not hexadecimal.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        of_lines(&self.section)
    }

    /// Hexadecimal lines for bytes.
    pub fn lines(bytes: &[u8]) -> Vec<String> {
        let line = |row: &[u8]| row.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
        bytes.chunks(16).map(line).collect()
    }
}

/// The bytes of hexadecimal lines; `None` if they are not.
fn of_lines(lines: &[String]) -> Option<Vec<u8>> {
    let digits: Vec<u8> = lines.iter().flat_map(|line| line.bytes()).filter(|byte| *byte != b' ').collect();
    let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.chunks(2).map(|two| pair(two).filter(|_| two.len() == 2)).collect()
}
