//! Sections that a file holds compressed (gABI, "Section Compression"; SHF_COMPRESSED): Go's linker writes `.debug_frame` so.

use flate2::{Decompress, FlushDecompress, Status};
use model::Bytes;
use object::read::elf::{CompressionHeader as _, SectionHeader as _};
use object::{Endianness, elf};
use ruzstd::decoding::FrameDecoder;

use crate::error::{Budget, in_file, malformed};
use crate::{Header, LoadError};

/// What a compressed section holds; none where it is not compressed. The budget pays for what its header says that it will be.
///
/// # Errors
/// A format that the gABI has not, more bytes than the budget has, or other bytes than the header says.
pub(crate) fn uncompressed(
    section: &<Header as object::read::elf::FileHeader>::SectionHeader,
    endian: Endianness,
    file: &Bytes,
    budget: &mut Budget,
) -> Result<Option<Bytes>, LoadError> {
    let at = section.sh_offset(endian);
    let data: &[u8] = file;
    let Some((header, offset, size)) = section.compression(endian, data).map_err(malformed(at))? else {
        return Ok(None);
    };
    let wrong = |what: String| LoadError::Malformed { what, offset: at };
    let promised = header.ch_size(endian);
    budget.take(promised, at)?;
    let data = in_file(data, "a compressed section", offset, size)?;
    // Neither decoder writes more than there is room for.
    let mut bytes = Vec::with_capacity(usize::try_from(promised).unwrap_or_default());
    let done = match header.ch_type(endian) {
        elf::ELFCOMPRESS_ZLIB => {
            let done = Decompress::new(true).decompress_vec(data, &mut bytes, FlushDecompress::Finish);
            matches!(done, Ok(Status::StreamEnd))
        }
        elf::ELFCOMPRESS_ZSTD => FrameDecoder::new().decode_all_to_vec(data, &mut bytes).is_ok(),
        other => return Err(wrong(format!("a section is compressed in a way that is not known: {other:?}"))),
    };
    if !done || bytes.len() as u64 != promised {
        return Err(wrong(format!("a compressed section does not hold the {promised} bytes that it says")));
    }
    Ok(Some(Bytes::from(bytes)))
}
