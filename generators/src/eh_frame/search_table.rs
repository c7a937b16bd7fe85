//! `.eh_frame_hdr` (LSB 5.0 core, 10.6.2), as linkers write it.

use types::ByteOrder;

use crate::bytes::Bytes;

/// Size in bytes of the part before the entries.
pub const HEAD: usize = 12;
/// Size in bytes of an entry.
pub const ENTRY: usize = 8;
/// Version 1; `eh_frame_ptr` pcrel sdata4, `fde_count` udata4, entries datarel sdata4.
const ENCODINGS: [u8; 4] = [1, 0x1b, 0x03, 0x3b];

/// The bytes of a search table at `address`, for an `.eh_frame` at another address with these FDEs:
/// function start and offset of the FDE.
pub fn search_table(order: ByteOrder, address: u64, eh_frame: u64, fdes: &[(u64, u64)]) -> Vec<u8> {
    let mut out = Bytes::new(order);
    out.raw(&ENCODINGS);
    out.low_bytes(eh_frame.wrapping_sub(address + 4), 4);
    out.u32(fdes.len() as u32);
    let mut sorted = fdes.to_vec();
    sorted.sort_by_key(|(start, _)| *start);
    for (start, fde) in sorted {
        out.low_bytes(start.wrapping_sub(address), 4);
        out.low_bytes(eh_frame.wrapping_add(fde).wrapping_sub(address), 4);
    }
    out.finish()
}
