//! A cache of decoded functions: many functions jump into others, and linker-made code has
//! thousands of entries in one function.

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::survey::{Located, Survey};

/// Maximum number of cached instructions; a larger function is cached alone.
const MOST: usize = 1 << 16;

/// A function, or a separate part of one.
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
        let extent = survey.functions.extent_of(pc)?;
        if let Some(part) = self.parts.get(&extent.start) {
            return Some(part.clone());
        }
        let part = Part { instructions: Rc::new(survey.functions.instructions(&extent)), extent };
        self.instructions += part.instructions.len();
        if self.instructions > MOST {
            self.parts.clear();
            self.instructions = part.instructions.len();
        }
        self.parts.insert(part.extent.start, part.clone());
        Some(part)
    }
}
