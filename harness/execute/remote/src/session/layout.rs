//! Loads a program at its image's addresses, if the second engine's kernel would not: a program
//! that is position-independent, has a dynamic linker, or starts at a function. The process is
//! started with a generated executable, a page without code, and maps the image's segments by
//! system calls.

use std::ops::Range;

use types::elf::{PF_W, PF_X, PT_LOAD, PT_PHDR};
use types::{Image, ImageKind, Segment};
use witness::{Plan, Start};

use super::Session;
use crate::error::RemoteError;

/// Page size of all targets.
const PAGE: u64 = 4096;
/// `PROT_READ | PROT_WRITE | PROT_EXEC`.
pub(crate) const ALL: u64 = 7;

/// Returns true if the program of this file must be loaded by this module.
pub(super) fn is_needed(plan: &Plan<'_>, file: &[u8]) -> bool {
    // ET_DYN: one of the two bytes is 0.
    let independent = file.get(16..18).is_some_and(|kind| kind.contains(&3));
    let whole = plan.interpreter.is_none() && plan.image.kind == ImageKind::Executable && !independent;
    plan.start != Start::ElfEntry || !whole
}

/// The file of an executable with one page that no segment of the plan needs.
pub(super) fn empty_executable(plan: &Plan<'_>) -> Vec<u8> {
    let is_free = |page: &u64| segments(plan).all(|segment| *page + PAGE <= first(segment) || last(segment) <= *page);
    let page = (1..1 << 16).map(|number| number << 20).find(is_free).unwrap_or(1 << 20);
    linux::empty_executable(plan.image.abi, page)
}

fn segments<'p>(plan: &Plan<'p>) -> impl Iterator<Item = &'p Segment> {
    let images = std::iter::once(plan.image).chain(plan.interpreter);
    images.flat_map(|image| &image.segments).filter(|segment| segment.kind == PT_LOAD)
}

/// The ranges of code that the program cannot write, unless it changes the access rights of its
/// memory.
pub(super) fn constant(plan: &Plan<'_>) -> Vec<Range<u64>> {
    let code = segments(plan).filter(|segment| segment.flags & (PF_X | PF_W) == PF_X);
    code.map(|segment| first(segment)..last(segment)).collect()
}

fn first(segment: &Segment) -> u64 {
    segment.address & !(PAGE - 1)
}

fn last(segment: &Segment) -> u64 {
    segment.address.saturating_add(segment.memory_size).saturating_add(PAGE - 1) & !(PAGE - 1)
}

impl Session {
    /// Maps the images of a plan at their addresses.
    pub(super) fn lay_out(&mut self, plan: &Plan<'_>) -> Result<(), RemoteError> {
        let mut all: Vec<&Segment> = segments(plan).collect();
        all.sort_by_key(|segment| segment.address);
        let mut end = 0;
        let mut size = 0_u64;
        for segment in all {
            // Two segments may share a page.
            let from = first(segment).max(end);
            if last(segment) > from {
                size = size.saturating_add(last(segment) - from);
                if size > plan.memory_limit {
                    return Err(RemoteError::NoMemory { address: from, size });
                }
                self.map(from, last(segment) - from, ALL)?;
                end = last(segment);
            }
            self.fill(segment.address, &segment.bytes)?;
        }
        Ok(())
    }

    /// Writes bytes to mapped memory.
    pub(crate) fn fill(&mut self, address: u64, bytes: &[u8]) -> Result<(), RemoteError> {
        match self.stub().write(address, bytes)? {
            true => Ok(()),
            false => Err(RemoteError::NoMemory { address, size: bytes.len() as u64 }),
        }
    }

    /// Sets the program counter to the first instruction of a plan, and the auxiliary vector to its
    /// images (Linux include/uapi/linux/auxvec.h).
    pub(crate) fn begin_process(&mut self, plan: &Plan<'_>) -> Result<(), RemoteError> {
        let base = |image: &Image| {
            let first = image.segments.iter().find(|segment| segment.kind == PT_LOAD);
            first.map_or(0, |segment| segment.address.wrapping_sub(segment.file_offset))
        };
        let headers = plan.image.segments.iter().find(|segment| segment.kind == PT_PHDR);
        let headers = headers.map_or(0, |segment| segment.address);
        // AT_PHDR, AT_PHNUM, AT_BASE, AT_ENTRY.
        let values = [
            (3, headers),
            (5, plan.image.segments.len() as u64),
            (7, plan.interpreter.map_or(0, base)),
            (9, plan.image.entry.0),
        ];
        let (sp, order) = (self.sp(), self.facts.order);
        let above = self.stack.above(sp);
        let bytes = self.stub().read(sp, above)?;
        let words: Vec<u64> = bytes.as_chunks::<8>().0.iter().map(|word| order.u64(*word)).collect();
        // Arguments, environment, vector; each ends with a 0.
        let mut at = 1;
        for _ in 0..2 {
            at += words.get(at..).and_then(|rest| rest.iter().position(|word| *word == 0)).unwrap_or(words.len()) + 1;
        }
        while let Some(kind) = words.get(at).filter(|kind| **kind != 0) {
            if let Some((_, value)) = values.iter().find(|(known, _)| known == kind) {
                self.fill(sp + 8 * (at as u64 + 1), &order.bytes_of(*value))?;
            }
            at += 2;
        }
        let Some(entry) = Some(plan.interpreter.unwrap_or(plan.image).entry.0).filter(|entry| *entry != 0) else {
            return Err(RemoteError::Unsupported("a file without an entry"));
        };
        self.go_to(entry)
    }
}
