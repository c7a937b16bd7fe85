//! The protocol between client and worker. The client starts a worker as
//! `sframe-conformance worker` and writes requests to its standard input; the worker writes answers
//! to its standard output. Both are frames: a length (8 bytes, little-endian) and as many bytes, of
//! JSON or of a file.
//!
//! 1. A request is two frames: a [`Request`], and the bytes of the file or none.
//! 2. To [`Request::Check`] and [`Request::Measure`] there is one answer; to [`Request::Trace`] any number of
//!    [`Answer::Steps`] and then [`Answer::Traced`]; to [`Request::Words`] one for each word.
//!    [`Answer::Panicked`] ends the answers to any of them.
//! 3. The worker keeps its position in memory that both see, its standard error
//!    ([`backend::Position`]). Where it dies, the client asks another one the same again, with one
//!    more [`Stop`]: the run ends there.
//! 4. The worker ends when its standard input does.

mod stop;

use std::io::{self, Read, Write};

use results::Accuracy;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use types::{Abi, Bytes, FileError, StopReason};

use crate::checked::Checked;
use crate::measure;
use crate::options::Options;
use crate::trace::{self, Traced, TracedStep};
pub(crate) use stop::{At, Stop};

/// The subcommand that makes the program a worker.
pub const SUBCOMMAND: &str = "worker";

/// No frame is longer: bytes of a file, or its report.
const LONGEST: u64 = 1 << 32;

/// Bytes of a page: the least that there is, and that of the emulator.
const PAGE: usize = 4096;

/// What a worker is asked. A frame with the bytes of a file, or with none, follows.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    /// Check a file; the answer is one.
    Check { name: String, options: Options, stops: Vec<Stop> },
    /// Execute a file; the answers are its steps, without the first N, and how it ended.
    Trace { name: String, options: trace::Options, stops: Vec<Stop>, from: u64 },
    /// Execute a file, and try ways of unwinding on it; the answer is one.
    Measure { name: String, options: measure::Options, stops: Vec<Stop> },
    /// Execute instructions, each alone; the answers are as many.
    Words { abi: Abi, words: Vec<Vec<u8>> },
}

/// What it answers.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    Checked(Box<Checked>),
    Steps(Vec<TracedStep>),
    /// The end, or why nothing was executed.
    Traced(Result<Traced, FileError>),
    /// What was measured, or why nothing was executed.
    Measured(Result<Box<Accuracy>, FileError>),
    Word(WordEnd),
    /// It panicked, and said this.
    Panicked(String),
}

/// How executing one word ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WordEnd {
    /// The next instruction was reached, here or elsewhere.
    Goes,
    /// The run ended at the word.
    Ends(StopReason),
    /// The machine does not execute it.
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

/// A frame, or `None` at the end. It begins at a page boundary of this process, so that code at
/// a page of a file can be executed in place.
pub(crate) fn read_frame(input: &mut impl Read) -> io::Result<Option<Bytes>> {
    let mut length = [0; 8];
    match input.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let length = u64::from_le_bytes(length);
    let mut bytes: Vec<u8> = Vec::new();
    // At once: a vector that grows is copied, and held twice meanwhile.
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

/// Takes the first frame off what was read so far.
pub(crate) fn take_frame(buffer: &mut Vec<u8>) -> Option<Vec<u8>> {
    let length = usize::try_from(u64::from_le_bytes(*buffer.first_chunk::<8>()?)).ok()?;
    let end = length.checked_add(8).filter(|end| *end <= buffer.len())?;
    let rest = buffer.split_off(end);
    let mut frame = std::mem::replace(buffer, rest);
    frame.drain(..8);
    Some(frame)
}
