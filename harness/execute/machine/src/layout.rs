//! The pages that an image needs, with their permissions: PT_LOAD segments rounded to pages; pages
//! shared by two segments are merged. Invalid headers are refused here, before any allocation.
//! (gABI 4.1, "Program Header")

use types::Segment;
use types::elf::{PF_R, PF_W, PF_X, PT_LOAD};

use crate::error::MachineError;

pub(crate) use linux::{Access, PAGE, USER_END};

/// First address of the upper half of the address space, of 48 bits.
const KERNEL_START: u64 = 0xffff << 48;

/// Maximum number of segments: program headers of a file, and sections of an object, fit.
const SEGMENTS: usize = 1 << 16;

/// Contiguous pages backed by one block of host memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// Address of the first page.
    pub base: u64,
    /// Runs of pages of equal access, contiguous from `base`.
    pub runs: Vec<Pages>,
}

/// A run of pages of equal access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pages {
    /// Size in bytes, a multiple of [`PAGE`].
    pub size: u64,
    pub access: Access,
}

impl Span {
    /// Creates a span of pages with equal access.
    pub(crate) fn uniform(base: u64, size: u64, access: Access) -> Self {
        Span { base, runs: vec![Pages { size, access }] }
    }

    /// The parts of the span with equal access, as spans.
    pub(crate) fn uniform_parts(&self) -> impl Iterator<Item = Span> {
        let mut base = self.base;
        self.runs.iter().map(move |run| {
            let part = Span::uniform(base, run.size, run.access);
            base += run.size;
            part
        })
    }

    /// Returns true if every page allows this access.
    pub(crate) fn allows(&self, access: Access) -> bool {
        self.runs.iter().all(|run| run.access.has(access))
    }

    pub(crate) fn size(&self) -> u64 {
        self.runs.iter().map(|run| run.size).sum()
    }

    pub(crate) fn end(&self) -> u64 {
        self.base + self.size()
    }

    /// The part of the span between two page boundaries.
    pub(crate) fn part(&self, from: u64, to: u64) -> Span {
        let mut part = Span { base: from.max(self.base), runs: Vec::new() };
        let mut at = self.base;
        for run in &self.runs {
            let (start, end) = (at.max(from), (at + run.size).min(to));
            if start < end {
                part.runs.push(Pages { size: end - start, access: run.access });
            }
            at += run.size;
        }
        part
    }

    /// Changes the access to the pages between two page boundaries.
    pub(crate) fn set_access(&mut self, from: u64, to: u64, access: Access) {
        let (before, after) = (self.part(self.base, from), self.part(to, self.end()));
        self.runs = before.runs;
        self.runs.push(Pages { size: to - from, access });
        self.runs.extend(after.runs);
    }
}

/// The PT_LOAD segments that occupy memory, sorted by address.
pub(crate) fn loads(segments: &[Segment]) -> Vec<&Segment> {
    let mut loads: Vec<_> = segments.iter().filter(|s| s.kind == PT_LOAD && s.memory_size > 0).collect();
    loads.sort_by_key(|segment| segment.address);
    loads
}

/// The spans that hold the image, sorted by address; each is at least a page apart from the next or
/// separate.
///
/// # Errors
/// Segments that wrap, overlap, shrink, or together exceed `limit` bytes.
pub(crate) fn spans(segments: &[Segment], limit: u64) -> Result<Vec<Span>, MachineError> {
    let mut spans: Vec<Span> = Vec::new();
    let mut total = 0u64;
    let mut previous_end = 0u64;
    let loads = loads(segments);
    if loads.len() > SEGMENTS {
        return Err(MachineError::TooManySegments { count: loads.len(), limit: SEGMENTS });
    }
    for segment in loads {
        let (address, size) = (segment.address, segment.memory_size);
        let file = segment.bytes.len() as u64;
        if file > size {
            return Err(MachineError::FileLargerThanMemory { address, file, memory: size });
        }
        let end = address.checked_add(size).filter(|end| is_in_a_half(address, *end));
        let end = end.ok_or(MachineError::OutOfRange { address, size })?;
        if address < previous_end {
            return Err(MachineError::Overlap { address, end: previous_end });
        }
        previous_end = end;
        let (first, last) = (address & !(PAGE - 1), end.next_multiple_of(PAGE));
        total += last - first;
        if total > limit {
            return Err(MachineError::TooLarge { needed: total, limit });
        }
        // A segment with any permission can be read: no supported target has execute-only pages by
        // default.
        let access = Access(segment.flags & (PF_R | PF_W | PF_X) | Access::READ.0);
        match spans.last_mut().filter(|span| first <= span.end()) {
            None => spans.push(Span::uniform(first, last - first, access)),
            Some(span) => extend(span, first, last, access),
        }
    }
    Ok(spans)
}

/// Returns true if a range is in user memory, or in the upper half of the address space, where
/// kernels are, each but for a last page.
fn is_in_a_half(address: u64, end: u64) -> bool {
    end <= USER_END - PAGE || (address >= KERNEL_START && end <= u64::MAX - 2 * PAGE)
}

/// Adds pages to a span that they touch. Segments are disjoint, so at most the span's last page is
/// shared.
fn extend(span: &mut Span, first: u64, last: u64, access: Access) {
    let end = span.end();
    if first < end {
        let shared = span.runs.last_mut().map(|run| {
            run.size -= PAGE;
            run.access
        });
        span.runs.retain(|run| run.size > 0);
        append(span, PAGE, Access(shared.map_or(0, |shared| shared.0) | access.0));
    }
    if last > end {
        append(span, last - end, access);
    }
}

fn append(span: &mut Span, size: u64, access: Access) {
    match span.runs.last_mut().filter(|run| run.access == access) {
        Some(run) => run.size += size,
        None => span.runs.push(Pages { size, access }),
    }
}

/// The highest address at which `size` bytes end at or below `top` and are at least `PAGE` bytes
/// away from every span.
pub(crate) fn room_below(top: u64, size: u64, spans: &[Span]) -> Option<u64> {
    let mut end = top & !(PAGE - 1);
    loop {
        let base = end.checked_sub(size)?.checked_sub(PAGE)?;
        let clash = spans.iter().filter(|span| span.base < end + PAGE && base < span.end()).map(|span| span.base).min();
        match clash {
            None => return Some(base + PAGE),
            Some(clash) => end = clash.checked_sub(PAGE)?,
        }
    }
}
