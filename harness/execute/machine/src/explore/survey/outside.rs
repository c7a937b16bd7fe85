//! Calls from code outside all known functions: a compiler may emit no tables where the linker
//! emits some for its own code.

use std::ops::Range;

use isa::flow::{self, Flow};
use types::{Image, ImageSection};

use super::Survey;

impl Survey {
    /// Targets of calls, and of jumps that are tail calls, from outside all functions into
    /// linker-made code. Calls of other targets are not counted, since data may look like a call.
    pub(super) fn called_from_outside(&self, image: &Image) -> Vec<u64> {
        let described = |plt: &&Range<u64>| self.extents.iter().any(|extent| plt.contains(&extent.start));
        let plts: Vec<&Range<u64>> = self.plts.iter().filter(described).collect();
        if plts.is_empty() {
            return Vec::new();
        }
        let mut targets = Vec::new();
        for gap in code(image).filter(|section| !section.is_plt()).flat_map(|section| self.gaps(addresses(section))) {
            self.calls_within(gap, |target| {
                if plts.iter().any(|plt| plt.contains(&target)) && self.begins.has(target) {
                    targets.push(target);
                }
            });
        }
        targets
    }

    /// The parts of a range outside all functions.
    fn gaps(&self, range: Range<u64>) -> impl Iterator<Item = Range<u64>> {
        let first = self.extents.partition_point(|extent| extent.end <= range.start);
        let inside = self.extents.iter().skip(first).take_while(move |extent| extent.start < range.end);
        let mut at = range.start;
        inside.cloned().chain(std::iter::once(range.end..range.end)).filter_map(move |extent| {
            let gap = at..extent.start;
            at = at.max(extent.end);
            (!gap.is_empty()).then_some(gap)
        })
    }

    /// Passes the targets of calls and jumps in a range to `take`.
    fn calls_within(&self, range: Range<u64>, mut take: impl FnMut(u64)) {
        let unit = self.abi.facts().instruction_alignment.max(1);
        let mut pc = range.start;
        while pc < range.end {
            let insn = self.bytes(pc).and_then(|bytes| flow::decode(self.abi, bytes, pc));
            if let Some(Flow::Call(target) | Flow::Jump(target)) = insn.map(|insn| insn.flow) {
                take(target);
            }
            pc = pc.saturating_add(insn.map_or(unit, |insn| u64::from(insn.length.max(1))));
        }
    }
}

/// Ranges of linker-made code that leads to functions of other files.
pub(super) fn plts(image: &Image) -> Vec<Range<u64>> {
    code(image).filter(|section| section.is_plt()).map(addresses).collect()
}

fn code(image: &Image) -> impl Iterator<Item = &ImageSection> {
    image.sections.iter().filter(|section| section.is_alloc() && section.is_code())
}

fn addresses(section: &ImageSection) -> Range<u64> {
    section.address..section.address.saturating_add(section.bytes.len() as u64)
}
