//! Pages of the guest that are mapped from the file: a large library is in memory once, not twice.

use types::{Bytes, Segment};

use crate::layout::{Access, PAGE, Span, loads};
use crate::memory::is_lendable;

/// Minimum size in bytes of a separate region; the emulator is slow with many regions.
const WORTH_IT: u64 = 1 << 20;

/// The pages of a span that equal the file's, by address: read-only pages that one segment fills.
/// Empty if the file's pages are not aligned to the
/// host's, as for bytes that did not pass through a worker.
pub(super) fn lent(span: &Span, segments: &[Segment]) -> Vec<(u64, Bytes)> {
    let mut all = Vec::new();
    if span.allows(Access::WRITE) {
        return all;
    }
    for segment in loads(segments) {
        let end = segment.address.saturating_add(segment.bytes.len() as u64);
        let at = segment.address.next_multiple_of(PAGE).max(span.base);
        let to = (end & !(PAGE - 1)).min(span.end());
        if to >= at.saturating_add(WORTH_IT) {
            let offset = |address: u64| usize::try_from(address - segment.address).unwrap_or(usize::MAX);
            let bytes = segment.bytes.slice(offset(at)..offset(to));
            all.extend(is_lendable(&bytes).then_some((at, bytes)));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use types::elf::{PF_R, PF_W, PF_X, PT_LOAD};

    use super::*;

    const MIB: u64 = 1 << 20;
    const CODE: u64 = 0x40_0000;

    /// A segment whose bytes begin a number of bytes after a page boundary of the host.
    fn segment(size: u64, behind: usize, flags: u32) -> Segment {
        let mut buffer: Vec<u8> = Vec::with_capacity(size as usize + 3 * PAGE as usize);
        let begin = buffer.as_ptr().align_offset(PAGE as usize) + behind;
        buffer.resize(begin + size as usize, 0x90);
        Segment::new(PT_LOAD, flags, CODE, Bytes::from(buffer).slice(begin..))
    }

    fn places(segment: Segment) -> Vec<(u64, u64)> {
        let span = Span::uniform(CODE, segment.memory_size.next_multiple_of(PAGE), Access(segment.flags));
        let lent = lent(&span, &[segment]);
        lent.iter().map(|(at, bytes)| (at - CODE, bytes.len() as u64)).collect()
    }

    #[test]
    fn pages_as_in_the_file_are_the_files() {
        // Half of the last page is from the file, half is zero.
        assert_eq!(places(segment(3 * MIB + PAGE / 2, 0, PF_R | PF_X)), [(0, 3 * MIB)]);
        assert_eq!(places(segment(3 * MIB, 0, PF_R | PF_X | PF_W)), []);
        assert_eq!(places(segment(3 * MIB, 8, PF_R | PF_X)), []);
        assert_eq!(places(segment(MIB - PAGE, 0, PF_R | PF_X)), []);
    }
}
