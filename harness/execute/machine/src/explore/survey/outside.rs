//! Calls from code outside all known functions: a compiler may emit no tables where the linker
//! emits some for its own code.

use std::ops::Range;

use types::{Image, ImageSection};

use super::Survey;

impl Survey {
    /// Targets of calls, and of jumps that are tail calls, from outside all functions into
    /// linker-made code. Calls of other targets are not counted, since data may look like a call.
    pub(super) fn called_from_outside(&self, image: &Image) -> Vec<u64> {
        let described = |plt: &&Range<u64>| self.functions.extents.iter().any(|extent| plt.contains(&extent.start));
        let plts: Vec<&Range<u64>> = self.functions.plts.iter().filter(described).collect();
        if plts.is_empty() {
            return Vec::new();
        }
        let mut targets = Vec::new();
        for gap in
            code(image).filter(|section| !section.is_plt()).flat_map(|section| self.functions.gaps(addresses(section)))
        {
            self.functions.calls_within(gap, |target| {
                if plts.iter().any(|plt| plt.contains(&target)) && self.places.begins.has(target) {
                    targets.push(target);
                }
            });
        }
        targets
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
