//! Functions as they were decoded, kept while there is room: many jump into another, and what a
//! linker makes has thousands of entries in one.

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::survey::{Located, Survey};

/// Instructions that are kept; where a function is larger, it is the only one.
const MOST: usize = 1 << 16;

/// A function, or a part of one that is apart.
#[derive(Clone)]
pub(super) struct Part {
    pub(super) extent: Range<u64>,
    pub(super) instructions: Rc<Vec<Located>>,
}

/// Decoded instructions, by start.
#[derive(Default)]
pub(super) struct Decoded {
    parts: FxHashMap<u64, Part>,
    instructions: usize,
}

impl Decoded {
    /// The function that an address is in.
    pub(super) fn part(&mut self, survey: &Survey, pc: u64) -> Option<Part> {
        let extent = survey.extent_of(pc)?;
        if let Some(part) = self.parts.get(&extent.start) {
            return Some(part.clone());
        }
        let part = Part { instructions: Rc::new(survey.instructions(&extent)), extent };
        self.instructions += part.instructions.len();
        if self.instructions > MOST {
            self.parts.clear();
            self.instructions = part.instructions.len();
        }
        self.parts.insert(part.extent.start, part.clone());
        Some(part)
    }
}
