//! Reads the library folders from `/etc/ld.so.cache` (glibc `sysdeps/generic/dl-cache.h`, `struct
//! cache_file_new`).

use std::collections::BTreeSet;

const MAGIC: &[u8] = b"glibc-ld.so.cache1.1";
/// Sizes of the header and of an entry in bytes, and offset of the path field in an entry.
const HEADER: usize = 48;
const ENTRY: usize = 24;
const PATH: usize = 8;
/// Maximum length of a path.
const LONGEST: usize = 4096;

/// Returns true if a file is such a cache. The layout before glibc 2.32, which begins with an older
/// table, is not supported.
pub fn is_cache(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Folders of the libraries in the cache. Numbers are in the host's byte order, offsets relative to
/// the start of the file.
pub fn folders(bytes: &[u8]) -> BTreeSet<Vec<u8>> {
    let count = word(bytes, MAGIC.len()).unwrap_or_default();
    let entries = bytes.get(HEADER..).unwrap_or_default().chunks_exact(ENTRY).take(count);
    let path = |entry: &[u8]| {
        let rest = bytes.get(word(entry, PATH)?..)?;
        let end = rest.iter().take(LONGEST).position(|byte| *byte == 0)?;
        let slash = rest.get(..end)?.iter().rposition(|byte| *byte == b'/')?;
        rest.get(..slash).filter(|folder| folder.starts_with(b"/")).map(<[u8]>::to_vec)
    };
    entries.filter_map(path).collect()
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let word = bytes.get(at..)?.first_chunk::<4>()?;
    usize::try_from(u32::from_ne_bytes(*word)).ok()
}
