//! Returned calls of live functions: the addresses where a `longjmp` may land. Keyed by (return
//! address, SP after the return). A level is the number of frames outside of the function that made
//! the call.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Number of entries at which those of ended functions are removed.
const SWEEP_AT: usize = 1 << 18;

/// Which live function made which call.
#[derive(Clone, Debug)]
pub(super) struct Calls {
    made: HashMap<(u64, u64), Maker, BuildHasherDefault<Mix>>,
    /// The identity of the activation at each level; level 0 is the outermost function.
    levels: Vec<u64>,
    identities: u64,
    sweep_at: usize,
}

#[derive(Clone, Copy, Debug)]
struct Maker {
    level: usize,
    identity: u64,
}

impl Default for Calls {
    fn default() -> Self {
        Calls { made: HashMap::default(), levels: vec![0], identities: 0, sweep_at: SWEEP_AT }
    }
}

impl Calls {
    /// Adds a level for a called function.
    pub(super) fn push_level(&mut self) {
        self.identities += 1;
        self.levels.push(self.identities);
    }

    /// Removes the levels above `innermost`.
    pub(super) fn truncate_levels(&mut self, innermost: usize) {
        self.levels.truncate(innermost + 1);
    }

    /// Records that a call by the innermost level has returned.
    pub(super) fn record(&mut self, ra: u64, sp: u64) {
        let level = self.levels.len() - 1;
        let maker = Maker { level, identity: self.levels[level] };
        self.made.insert((ra, sp), maker);
        if self.made.len() > self.sweep_at {
            let levels = &self.levels;
            self.made.retain(|_, maker| levels.get(maker.level) == Some(&maker.identity));
            self.sweep_at = SWEEP_AT.max(2 * self.made.len());
        }
    }

    /// Replaces the levels by those of another stack, and returns the old ones. Without levels, one
    /// function without caller is live.
    pub(super) fn exchange(&mut self, levels: Option<Vec<u64>>) -> Vec<u64> {
        let levels = levels.unwrap_or_else(|| {
            self.identities += 1;
            vec![self.identities]
        });
        std::mem::replace(&mut self.levels, levels)
    }

    /// The level of a call, as [`Self::level_of`], among the levels of another stack.
    pub(super) fn level_among(&self, levels: &[u64], ra: u64, sp: u64) -> Option<usize> {
        let maker = self.made.get(&(ra, sp))?;
        (levels.get(maker.level) == Some(&maker.identity)).then_some(maker.level)
    }

    /// Number of remembered calls.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.made.len()
    }

    /// The level of the call with this return address and SP, if its function is still live.
    pub(super) fn level_of(&self, ra: u64, sp: u64) -> Option<usize> {
        let maker = self.made.get(&(ra, sp))?;
        (self.levels.get(maker.level) == Some(&maker.identity)).then_some(maker.level)
    }
}

/// A hash for addresses that the program does not choose to collide: multiply and fold (the golden
/// ratio's 64 bits).
#[derive(Clone, Default)]
pub(super) struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0.rotate_left(23) ^ word) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (product as u64) ^ (product >> 64) as u64;
    }
}
