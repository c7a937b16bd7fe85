//! Where a function keeps the registers that a call preserves, other than SP, FP and link register.

use std::hash::{Hash, Hasher};

use types::{Reg, RegisterSet};

/// Maximum number of such registers of an ABI.
const MOST: usize = 18;
/// Size of a slot in bytes.
const WORD: u64 = 8;

/// The places of these registers. A register is named by its position in a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Saved {
    /// The registers that hold the caller's values.
    pub(super) intact: RegisterSet,
    in_slots: RegisterSet,
    /// The stack slot of each, as its distance below the CFA in words; 0 if it has none.
    words: [u16; MOST],
}

/// Registers by what became of them on the paths to a state. A rule that is right on one path may
/// be wrong on another that has a register in another of these sets.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fates {
    /// They have another value than at the entry.
    changed: RegisterSet,
    /// They are not in the slot in which another path has them.
    elsewhere: RegisterSet,
    /// They have another value, and a slot.
    restorable: RegisterSet,
}

/// The key of a state has none of these places ([`super::graph::Held::of_frame`]), so that they
/// distinguish no keys.
impl Hash for Saved {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Saved {
    /// The registers at the entry of a function.
    pub(super) fn entered(registers: &[(Reg, u64)]) -> Saved {
        let intact = registers.iter().take(MOST).map(|(reg, _)| *reg).collect();
        Saved { intact, in_slots: RegisterSet::NONE, words: [0; MOST] }
    }

    pub(super) fn in_slots(&self) -> RegisterSet {
        self.in_slots
    }

    /// The slot of a register in a frame with this CFA.
    pub(super) fn slot(&self, position: usize, cfa: u64) -> Option<u64> {
        let words = self.words.get(position).copied().filter(|words| *words > 0)?;
        Some(cfa.wrapping_sub(WORD * u64::from(words)))
    }

    /// Sets the slot of a register. One that is too far from the CFA is not kept.
    pub(super) fn set_slot(&mut self, (position, reg): (usize, Reg), cfa: u64, slot: Option<u64>) {
        let words = slot.and_then(|slot| u16::try_from(cfa.checked_sub(slot)? / WORD).ok()).unwrap_or(0);
        let Some(place) = self.words.get_mut(position) else { return };
        *place = words;
        self.in_slots = match words {
            0 => self.in_slots.without(RegisterSet::one(reg)),
            _ => self.in_slots.and(RegisterSet::one(reg)),
        };
    }

    /// What became of the registers, if another path to the same state left them as in `first`.
    pub(super) fn fates(&self, entered: &[(Reg, u64)], all: RegisterSet, first: &Saved) -> Fates {
        let changed = all.without(self.intact);
        let mut elsewhere = first.in_slots.without(self.in_slots);
        if self.words != first.words {
            let places = entered.iter().zip(self.words.iter().zip(&first.words));
            let moved = places.filter(|(_, (here, there))| **there > 0 && here != there);
            moved.for_each(|((reg, _), _)| elsewhere.insert(*reg));
        }
        Fates { changed, elsewhere, restorable: changed.common(self.in_slots) }
    }
}

impl Fates {
    /// Returns true if each set is a part of that of `other`.
    pub(super) fn are_in(self, other: Fates) -> bool {
        self.changed.without(other.changed).is_empty()
            && self.elsewhere.without(other.elsewhere).is_empty()
            && self.restorable.without(other.restorable).is_empty()
    }

    /// The union of each set with that of `other`.
    pub(super) fn and(self, other: Fates) -> Fates {
        Fates {
            changed: self.changed.and(other.changed),
            elsewhere: self.elsewhere.and(other.elsewhere),
            restorable: self.restorable.and(other.restorable),
        }
    }
}
