//! Compressed sections (gABI, "Section Compression"; SHF_COMPRESSED): Go's linker compresses
//! `.debug_frame`, and distributions the tables of source lines.

use std::borrow::Cow;

use flate2::{Decompress, FlushDecompress, Status};
use object::read::ReadRef as _;
use object::read::elf::{CompressionHeader as _, SectionHeader as _};
use object::{Endianness, elf};
use ruzstd::decoding::FrameDecoder;
use types::elf::SHF_COMPRESSED;
use types::{ByteOrder, Bytes, Image, ImageSection};

use crate::error::{in_file, malformed};
use crate::{Header, LoadError, endianness};

/// Returns the contents of a compressed section; `None` if it is not compressed. `Room` limits all
/// sections of one file together.
///
/// # Errors
/// A format that the gABI does not define, more bytes than the limit, or a size that differs from
/// the header's.
/// header.
pub(crate) fn uncompressed(
    section: &<Header as object::read::elf::FileHeader>::SectionHeader,
    endian: Endianness,
    file: &Bytes,
    room: &mut Room,
) -> Result<Option<Bytes>, LoadError> {
    let at = section.sh_offset(endian);
    let data: &[u8] = file;
    let Some((header, offset, size)) = section.compression(endian, data).map_err(malformed(at))? else {
        return Ok(None);
    };
    let promised = header.ch_size(endian);
    let data = in_file(data, "a compressed section", offset, size)?;
    let wrong = |wrong: Wrong| LoadError::Malformed { what: wrong.to_string(), offset: at };
    room.decoded(header.ch_type(endian), data, promised).map(Some).map_err(wrong)
}

/// An error in a compressed section.
#[derive(Debug, thiserror::Error)]
enum Wrong {
    #[error("a compressed section of {has} bytes claims an uncompressed size of {promised}")]
    Promise { has: usize, promised: u64 },
    #[error("unknown compression of a section: {0:?}")]
    Format(elf::CompressionType),
    #[error("a compressed section does not have the uncompressed size that it claims, {promised} bytes")]
    Size { promised: u64 },
}

/// Maximum expansion: a byte of DEFLATE holds at most 1032 (zlib, "Maximum Compression Factor");
/// tables are far from what zstd can do beyond that. So a small file needs little memory, whatever
/// its header promises.
const MOST_OF_A_BYTE: u64 = 1032;

/// Remaining number of bytes for all sections of one file, so that many small sections cannot fill
/// the memory either.
pub(crate) struct Room(u64);

impl Room {
    /// The limit for a file of which nothing has been decompressed.
    pub(crate) fn new() -> Room {
        Room(256 << 20)
    }

    /// Decompresses to the promised size; neither decoder writes more than the limit allows.
    fn decoded(&mut self, kind: elf::CompressionType, data: &[u8], promised: u64) -> Result<Bytes, Wrong> {
        let left = self.0.checked_sub(promised);
        let Some(left) = left.filter(|_| promised <= (data.len() as u64).saturating_mul(MOST_OF_A_BYTE)) else {
            return Err(Wrong::Promise { has: data.len(), promised });
        };
        let mut bytes = Vec::with_capacity(usize::try_from(promised).unwrap_or_default());
        let done = match kind {
            elf::ELFCOMPRESS_ZLIB => {
                let done = Decompress::new(true).decompress_vec(data, &mut bytes, FlushDecompress::Finish);
                matches!(done, Ok(Status::StreamEnd))
            }
            elf::ELFCOMPRESS_ZSTD => FrameDecoder::new().decode_all_to_vec(data, &mut bytes).is_ok(),
            other => return Err(Wrong::Format(other)),
        };
        if !done || bytes.len() as u64 != promised {
            return Err(Wrong::Size { promised });
        }
        self.0 = left;
        Ok(Bytes::from(bytes))
    }
}

/// Sections that source lines are read from (DWARF 5, 7.1). Locations, types and names for a
/// debugger are not needed.
const LINES: [&str; 9] = [
    ".debug_abbrev",
    ".debug_addr",
    ".debug_info",
    ".debug_line",
    ".debug_line_str",
    ".debug_ranges",
    ".debug_rnglists",
    ".debug_str",
    ".debug_str_offsets",
];

/// The image with its line table sections decompressed and their SHF_COMPRESSED flag cleared;
/// unreadable ones stay compressed.
pub fn plain_lines(image: &Image) -> Cow<'_, Image> {
    if !image.sections.iter().any(is_packed) {
        return Cow::Borrowed(image);
    }
    let mut image = image.clone();
    unpack_lines(&mut image.sections, image.abi.facts().order);
    Cow::Owned(image)
}

pub(crate) fn unpack_lines(sections: &mut [ImageSection], order: ByteOrder) {
    let endian = endianness(order);
    // An unreadable section is left alone: a finding then only lacks its source line.
    let mut room = Room::new();
    for section in sections.iter_mut().filter(|section| is_packed(section)) {
        let (mut at, data) = (0, &*section.bytes);
        let Ok(header) = data.read::<elf::CompressionHeader64<Endianness>>(&mut at) else { continue };
        let promised = header.ch_size(endian);
        let Some(packed) = usize::try_from(at).ok().and_then(|at| data.get(at..)) else { continue };
        let Ok(bytes) = room.decoded(header.ch_type(endian), packed, promised) else { continue };
        section.size = promised;
        section.bytes = bytes;
        section.flags &= !SHF_COMPRESSED;
    }
}

fn is_packed(section: &ImageSection) -> bool {
    section.flags & SHF_COMPRESSED != 0 && LINES.contains(&section.name.as_str())
}

#[cfg(test)]
mod tests {
    use flate2::{Compress, Compression, FlushCompress};

    use super::*;

    /// All sections of a file share one limit.
    #[test]
    fn sections_of_one_file_share_the_room() {
        let mut packed = Vec::with_capacity(4096);
        let done =
            Compress::new(Compression::default(), true).compress_vec(&[7; 600], &mut packed, FlushCompress::Finish);
        assert!(matches!(done, Ok(Status::StreamEnd)));
        let mut room = Room(1000);
        assert!(room.decoded(elf::ELFCOMPRESS_ZLIB, &packed, 600).is_ok_and(|bytes| *bytes == [7; 600]));
        assert!(room.decoded(elf::ELFCOMPRESS_ZLIB, &packed, 600).is_err());
    }
}
