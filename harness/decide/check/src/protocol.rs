//! The protocol between client and worker. The client starts a worker as
//! `sframe-conformance worker` and writes requests to its standard input; the worker writes answers
//! to its standard output. Both consist of frames: a length (8 bytes, little-endian) and this many
//! bytes, of JSON or of a file.
//!
//! 1. A request is two frames: a `Request`, and the bytes of the file or an empty frame.
//! 2. `Request::Check`, `Request::Measure` and `Request::Core` have one answer;
//!    `Request::Trace` has any number of `WorkerReply::Steps` and then `WorkerReply::Traced`;
//!    `Request::Words` one for each word.
//!    `WorkerReply::Panicked` ends the answers to any of them.
//! 3. The worker stores its position in shared memory, its standard error
//!    ([`machine::position::Position`]). If it dies, the client repeats the request to another
//!    worker with one more [`Stop`], at which the run ends.
//! 4. The worker exits when its standard input is closed.

mod stop;

use std::io::{self, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use types::{Abi, Bytes, FileError, StopReason};

use crate::checked::Checked;
use crate::corefile;
use crate::measure;
use crate::options::Options;
use crate::trace::{self, Traced, TracedStep};
pub use stop::{At, Stop};

/// The subcommand that makes the program a worker.
pub const SUBCOMMAND: &str = "worker";

/// Maximum length of a frame: the bytes of a file, or its report.
const LONGEST: u64 = 1 << 32;

/// Page size in bytes: the smallest on any host, and that of the emulator.
const PAGE: usize = 4096;

/// A request to a worker. A frame with the bytes of a file, or an empty one, follows.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    /// Check a file; has one answer.
    Check { name: String, options: Options, stops: Vec<Stop> },
    /// Execute a file; the answers are its steps, without the first N, and how it ended.
    Trace { name: String, options: trace::Options, stops: Vec<Stop>, from: u64 },
    /// Execute a file, and apply unwinding methods to it; has one answer.
    Measure { name: String, options: measure::Options, stops: Vec<Stop> },
    /// Execute a file up to a step, and write a core file; has one answer.
    Core { name: String, options: corefile::Options, stops: Vec<Stop> },
    /// Execute instructions, each alone; has one answer for each.
    Words { abi: Abi, words: Vec<Vec<u8>> },
}

/// An answer of a worker.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum WorkerReply {
    Checked(Box<Checked>),
    Steps(Vec<TracedStep>),
    /// The end of the execution, or why nothing was executed.
    Traced(Result<Traced, FileError>),
    /// The measurements, or why nothing was executed.
    Measured(Result<Box<measure::Measured>, FileError>),
    /// The core file that was written, or why none was.
    CoreWritten(Result<corefile::Written, FileError>),
    Word(WordEnd),
    /// The worker panicked with this message.
    Panicked(String),
}

/// How the execution of one word ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WordEnd {
    /// The next instruction was reached, after the word or at a branch target.
    Continues,
    /// The run ended at the word.
    Ends(StopReason),
    /// The machine refuses to execute the word.
    Refused,
}

pub(crate) fn encode<T: Serialize>(value: &T) -> io::Result<Vec<u8>> {
    serde_json::to_vec(value).map_err(io::Error::other)
}

pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> io::Result<T> {
    serde_json::from_slice(bytes).map_err(io::Error::other)
}

pub(crate) fn write_frame(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    out.write_all(&(bytes.len() as u64).to_le_bytes())?;
    out.write_all(bytes)
}

/// Reads a frame, or `None` at the end of the input. The frame begins at a page boundary in memory,
/// so that code at a page boundary of a file can be executed in place.
pub(crate) fn read_frame(input: &mut impl Read) -> io::Result<Option<Bytes>> {
    let mut length = [0; 8];
    match input.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let length = u64::from_le_bytes(length);
    let mut bytes: Vec<u8> = Vec::new();
    // Allocated at once: a growing vector is copied, and temporarily needs twice the memory.
    let room = usize::try_from(length.min(LONGEST)).unwrap_or(usize::MAX).saturating_add(PAGE);
    bytes.try_reserve_exact(room).map_err(io::Error::other)?;
    let begin = bytes.as_ptr().align_offset(PAGE).min(PAGE);
    bytes.resize(begin, 0);
    let read = input.take(length.min(LONGEST)).read_to_end(&mut bytes)?;
    if read as u64 == length {
        Ok(Some(Bytes::from(bytes).slice(begin..)))
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// Removes the first complete frame from the bytes that were read.
pub(crate) fn take_frame(buffer: &mut Vec<u8>) -> Option<Vec<u8>> {
    let length = usize::try_from(u64::from_le_bytes(*buffer.first_chunk::<8>()?)).ok()?;
    let end = length.checked_add(8).filter(|end| *end <= buffer.len())?;
    let rest = buffer.split_off(end);
    let mut frame = std::mem::replace(buffer, rest);
    frame.drain(..8);
    Some(frame)
}
