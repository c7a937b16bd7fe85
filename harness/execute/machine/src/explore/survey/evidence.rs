//! Evidence that functions are entered: global names, and addresses in data.

use std::collections::BTreeSet;

use types::Image;

use super::Survey;
use crate::layout::Access;

impl Survey {
    /// Takes functions with global names as entries.
    pub(super) fn take_names(&mut self, image: &Image) {
        for symbol in image.symbols.iter().filter(|symbol| !symbol.local) {
            self.taken.set(symbol.address);
            self.global.set(symbol.address);
            if symbol.function {
                self.named.set(symbol.address);
            }
        }
        self.taken.set(image.entry.0);
    }

    /// Takes addresses of functions in words of data: tables of pointers, relocated.
    pub(super) fn take_words(&mut self, image: &Image) {
        let starts: BTreeSet<u64> = self.extents.iter().map(|extent| extent.start).collect();
        let order = image.abi.facts().order;
        let words = |bytes: &[u8], take: &mut dyn FnMut(u64)| {
            bytes.as_chunks::<8>().0.iter().map(|word| order.u64(*word)).filter(|word| *word != 0).for_each(take);
        };
        // Addresses are as in the file and, if the image is loaded, as relocated.
        for section in image.sections.iter().filter(|section| section.is_alloc() && !section.is_code()) {
            words(&section.bytes, &mut |word| self.pointed_at.set(word));
        }
        let segments = image.segments.iter().filter(|segment| segment.flags & Access::EXECUTE.0 == 0);
        for segment in segments {
            words(&segment.bytes, &mut |word| {
                if starts.contains(&word) {
                    self.taken.set(word);
                }
            });
        }
        for start in starts {
            if self.pointed_at.has(start) {
                self.taken.set(start);
            }
        }
    }
}
