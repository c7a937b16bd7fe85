//! What a worker is asked and what it answers, as bytes: frames of a length (8 bytes, little-endian) and as many bytes, of JSON or a file.

use std::io::{self, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use types::{Abi, Bytes};

use super::Stop;
use crate::file::{Checked, Options};
use crate::trace::{self, Traced, TracedStep};
use crate::words::WordEnd;

/// No frame is longer: bytes of a file, or its report.
const LONGEST: u64 = 1 << 32;

/// Bytes of a page: the least that there is, and that of the emulator.
const PAGE: usize = 4096;

/// What a worker is asked. A frame with the bytes of a file, or with none, follows.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Request {
    /// Check a file; the answer is one.
    Check { name: String, options: Options, stops: Vec<Stop> },
    /// Execute a file; the answers are its steps, without the first so many, and how it ended.
    Trace { name: String, options: trace::Options, stops: Vec<Stop>, from: u64 },
    /// Execute instructions, each alone; the answers are as many.
    Words { abi: Abi, words: Vec<Vec<u8>> },
}

/// What it answers.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Answer {
    Checked(Box<Checked>),
    Steps(Vec<TracedStep>),
    /// The end, or why nothing was executed.
    Traced(Result<Traced, String>),
    Word(WordEnd),
    /// It panicked, and said this.
    Panicked(String),
}

pub(super) fn encode<T: Serialize>(value: &T) -> io::Result<Vec<u8>> {
    serde_json::to_vec(value).map_err(io::Error::other)
}

pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> io::Result<T> {
    serde_json::from_slice(bytes).map_err(io::Error::other)
}

pub(super) fn write_frame(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    out.write_all(&(bytes.len() as u64).to_le_bytes())?;
    out.write_all(bytes)
}

/// A frame, or none at the end. It begins at a page of this process's, so that code that stands at a page of a file can be executed where it is.
pub(super) fn read_frame(input: &mut impl Read) -> io::Result<Option<Bytes>> {
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
pub(super) fn take_frame(buffer: &mut Vec<u8>) -> Option<Vec<u8>> {
    let length = usize::try_from(u64::from_le_bytes(*buffer.first_chunk::<8>()?)).ok()?;
    let end = length.checked_add(8).filter(|end| *end <= buffer.len())?;
    let rest = buffer.split_off(end);
    let mut frame = std::mem::replace(buffer, rest);
    frame.drain(..8);
    Some(frame)
}
