//! Evidence that functions are entered: calls, global names, and addresses in data.

use std::collections::BTreeSet;

use types::Image;

use super::functions::Functions;
use crate::explore::bits::Bits;
use crate::layout::Access;

/// Addresses at which functions may be entered, by the evidence for that.
pub(in crate::explore) struct Entries {
    /// Targets of calls.
    pub(super) called: Bits,
    /// Functions whose address is taken, or that have a global name.
    pub(super) taken: Bits,
    /// Addresses with a global name.
    global: Bits,
    /// Functions with a global name.
    named: Bits,
    /// Addresses that words of data in the file hold.
    pub(super) pointed_at: Bits,
    /// The same, with those to which relocations of data refer in another form.
    pub(super) hinted: Bits,
    /// The program's entry point.
    pub(super) program: u64,
}

impl Entries {
    pub(super) fn new(functions: &Functions, program: u64) -> Entries {
        let [called, taken, global, named, pointed_at, hinted] = [(); 6].map(|()| functions.nothing());
        Entries { called, taken, global, named, pointed_at, hinted, program }
    }

    /// Returns true if code calls the function, so that it is certainly entered as by a call.
    pub(in crate::explore) fn is_called(&self, start: u64) -> bool {
        self.called.has(start)
    }

    /// Returns true if an address is taken, by an instruction, a word of data or a global name.
    pub(in crate::explore) fn is_taken(&self, start: u64) -> bool {
        self.taken.has(start)
    }

    /// Returns true if a global function symbol is at this address, so that others can call it.
    pub(in crate::explore) fn is_named(&self, start: u64) -> bool {
        self.named.has(start)
    }

    /// Returns true if a global symbol of any type is at this address.
    pub(in crate::explore) fn has_global_name(&self, start: u64) -> bool {
        self.global.has(start)
    }

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
    pub(super) fn take_words(&mut self, image: &Image, functions: &Functions) {
        let starts: BTreeSet<u64> = functions.extents.iter().map(|extent| extent.start).collect();
        let order = image.abi.facts().order;
        let words = |bytes: &[u8], take: &mut dyn FnMut(u64)| {
            bytes.as_chunks::<8>().0.iter().map(|word| order.u64(*word)).filter(|word| *word != 0).for_each(take);
        };
        // Addresses are as in the file and, if the image is loaded, as relocated.
        for section in image.sections.iter().filter(|section| section.is_alloc() && !section.is_code()) {
            words(&section.bytes, &mut |word| {
                self.pointed_at.set(word);
                // The loader adds the bias to the words of a lazy PLT.
                if image.bias != 0 {
                    self.pointed_at.set(word.wrapping_add(image.bias));
                }
            });
        }
        for address in self.pointed_at.iter().chain(image.referenced.iter().copied()) {
            self.hinted.set(address);
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
