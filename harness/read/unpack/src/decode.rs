//! Decompression of streams, with windows of limited size.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use xz4rust::{XzDecoder, XzError};

use crate::kind::Compression;

/// Maximum window size, which is kept in memory: twice what `xz -9` and `zstd --long` need.
const MOST_WINDOW: usize = 128 << 20;
/// Number of compressed bytes read at once.
const CHUNK: usize = 64 << 10;

/// A decoder for a compressed stream.
pub(crate) fn decoder<'r>(compression: Compression, from: &'r mut dyn Read) -> Box<dyn Read + 'r> {
    match compression {
        Compression::Gzip => Box::new(MultiGzDecoder::new(from)),
        Compression::Xz => Box::new(Xz::new(from)),
        Compression::Zstd => Box::new(Zstd::new(from)),
    }
}

/// Decoder for concatenated streams of the .xz format, with padding between them (file format 1.2,
/// 2.2).
struct Xz<'r> {
    from: &'r mut dyn Read,
    decoder: Box<XzDecoder<'static>>,
    /// Bytes that were read but not yet decoded.
    taken: Vec<u8>,
    between: bool,
}

impl<'r> Xz<'r> {
    fn new(from: &'r mut dyn Read) -> Self {
        let decoder = XzDecoder::in_heap_with_alloc_dict_size(CHUNK, MOST_WINDOW);
        Xz { from, decoder, taken: Vec::new(), between: false }
    }

    /// Reads more input; false at the end.
    fn take(&mut self) -> io::Result<bool> {
        let before = self.taken.len();
        (&mut *self.from).take(CHUNK as u64).read_to_end(&mut self.taken)?;
        Ok(self.taken.len() > before)
    }

    /// Returns true if another stream begins after the padding.
    fn begins_again(&mut self) -> io::Result<bool> {
        loop {
            let padding = self.taken.iter().take_while(|byte| **byte == 0).count();
            self.taken.drain(..padding);
            if !self.taken.is_empty() {
                self.decoder.reset();
                self.between = false;
                return Ok(true);
            }
            if !self.take()? {
                return Ok(false);
            }
        }
    }
}

impl Read for Xz<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if self.between && !self.begins_again()? {
                return Ok(0);
            }
            if self.taken.is_empty() && !self.take()? {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            match self.decoder.decode(&self.taken, buffer) {
                Ok(done) => {
                    self.taken.drain(..done.input_consumed());
                    self.between = done.is_end_of_stream();
                    if done.output_produced() > 0 {
                        return Ok(done.output_produced());
                    }
                    if !done.made_progress() && !self.take()? {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(XzError::NeedsLargerInputBuffer) if self.take()? => {}
                Err(XzError::NeedsLargerInputBuffer) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, format!("xz: {error}"))),
            }
        }
    }
}

/// Decoder for concatenated zstd frames, without skippable ones (RFC 8878, 3).
struct Zstd<'r> {
    from: &'r mut dyn Read,
    decoder: FrameDecoder,
    begun: bool,
}

/// Skippable frames have one of sixteen magic numbers, which share these 28 bits (RFC 8878, 3.1.2).
const SKIPPABLE: u32 = 0x184d_2a50;

impl<'r> Zstd<'r> {
    fn new(from: &'r mut dyn Read) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MOST_WINDOW as u64);
        Zstd { from, decoder, begun: false }
    }

    /// Begins the next frame; false at the end.
    fn begin(&mut self) -> io::Result<bool> {
        let mut magic = [0; 4];
        loop {
            match self.from.read(&mut magic[..1])? {
                0 => return Ok(false),
                _ => self.from.read_exact(&mut magic[1..])?,
            }
            if u32::from_le_bytes(magic) & !0xf != SKIPPABLE {
                break;
            }
            let mut length = [0; 4];
            self.from.read_exact(&mut length)?;
            let length = u64::from(u32::from_le_bytes(length));
            if io::copy(&mut (&mut *self.from).take(length), &mut io::sink())? < length {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        self.decoder.reset((&magic[..]).chain(&mut *self.from)).map_err(invalid)?;
        self.begun = true;
        Ok(true)
    }
}

impl Read for Zstd<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.begun && !self.begin()? {
                return Ok(0);
            }
            if self.decoder.can_collect() > 0 {
                return self.decoder.read(buffer);
            }
            if self.decoder.is_finished() {
                let (stored, computed) =
                    (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum());
                if stored.is_some() && stored != computed {
                    return Err(invalid("the checksum is wrong"));
                }
                self.begun = false;
                continue;
            }
            self.decoder.decode_blocks(&mut *self.from, BlockDecodingStrategy::UptoBlocks(1)).map_err(invalid)?;
        }
    }
}

fn invalid(error: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("zstd: {error}"))
}
