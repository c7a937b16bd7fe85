//! Which words of a frame are what they were at each step of a block, by what its instructions
//! store: a word that no store can have hit since the block began is what it was then, and one that
//! no store can hit any more is what it is at the block's end. Where a row reads a word that one
//! store may have hit and another one may still restore, the state of the step in between is
//! unknown.

use types::memo::{Base, Block, Store, Stored};

use crate::quick::Held;

/// Bytes of a word.
const WORD: u64 = 8;

/// A word of the frame that rows of a block's instructions read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    /// Where it is, from the CFA.
    pub(super) at: i64,
    pub(super) held: Held,
    /// The instructions whose rows read it, in order.
    pub(super) readers: &'a [usize],
}

/// What is known at the beginning of a block, as its state is compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begins {
    /// How far FP is from the CFA.
    pub(super) fp_place: bool,
    /// FP and link register hold the caller's values.
    pub(super) own_fp: bool,
    pub(super) own_link: bool,
    /// The caller's SP, from the CFA.
    pub(super) caller_sp: i64,
}

/// When a word has to be looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Looks {
    pub(super) at_begin: bool,
    pub(super) at_end: bool,
}

impl Word<'_> {
    /// When it has to be looked at to know what it was at each step of a block; none if that is
    /// not enough.
    pub(super) fn looks(&self, block: &Block<'_>, begins: Begins) -> Option<Looks> {
        let mut looks = Looks::default();
        let mut readers = self.readers.iter().peekable();
        // It is what the block itself stored there last.
        let mut is_saved = false;
        let mut hits: Vec<Target> = Vec::new();
        let mut look = |is_saved: bool, is_hit: bool| match (is_hit, is_saved) {
            (true, _) => looks.at_end = true,
            (false, true) => {}
            (false, false) => looks.at_begin = true,
        };
        let mut waits = false;
        for store in block.stores {
            // An instruction's row is read before it executes.
            while readers.next_if(|reader| **reader <= store.number).is_some() {
                look(is_saved, !hits.is_empty());
                waits |= !hits.is_empty();
            }
            let target = Target::new(store, block, begins);
            if target.is_apart(Target { at: At::Frame(self.at), size: WORD }) {
                continue;
            }
            if waits && !hits.iter().all(|hit| hit.is_apart(target)) {
                return None;
            }
            if target.at == At::Frame(self.at) && self.is_saved_by(store, block, begins) {
                (is_saved, waits) = (true, false);
                hits.clear();
            } else {
                hits.push(target);
            }
        }
        readers.for_each(|_| look(is_saved, !hits.is_empty()));
        Some(looks)
    }

    /// The store has the caller's value, whatever else the block did.
    fn is_saved_by(&self, store: &Store, block: &Block<'_>, begins: Begins) -> bool {
        let is_same = match (self.held, store.value) {
            (Held::Fp, Some(Stored::Fp)) => begins.own_fp && block.fp.is_old(store.number),
            (Held::Ra, Some(Stored::Link)) => begins.own_link && block.link.is_old(store.number),
            (Held::Sp, Some(Stored::Sp(more))) => block.begins.sp.wrapping_add(more) == begins.caller_sp,
            (Held::Fp | Held::Ra | Held::Sp, _) => false,
        };
        is_same && store.size == WORD
    }
}

/// Bytes that a store hits.
#[derive(Clone, Copy, Debug)]
struct Target {
    at: At,
    size: u64,
}

/// Where they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// From the CFA.
    Frame(i64),
    /// From a value that is not known.
    From(Base, i64),
    Anywhere,
}

impl Target {
    fn new(store: &Store, block: &Block<'_>, begins: Begins) -> Target {
        let at = match store.base {
            Base::Sp => At::Frame(block.begins.sp.wrapping_add(store.offset)),
            Base::Fp if begins.fp_place => At::Frame(block.begins.fp.wrapping_add(store.offset)),
            Base::Fp | Base::Other(_) => At::From(store.base, store.offset),
            Base::Unknown => At::Anywhere,
        };
        Target { at, size: store.size }
    }

    /// Returns true if the two have no byte in common for certain.
    fn is_apart(self, other: Target) -> bool {
        let (one, another) = match (self.at, other.at) {
            (At::Frame(one), At::Frame(another)) => (one, another),
            (At::From(base, one), At::From(same, another)) if base == same => (one, another),
            (At::Frame(_) | At::From(..) | At::Anywhere, _) => return false,
        };
        let (first, size, last) = if one <= another { (one, self.size, another) } else { (another, other.size, one) };
        last.checked_sub(first).is_none_or(|distance| distance as u64 >= size)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use types::memo::{FromCfa, Written};

    use super::*;

    const OTHER: Base = Base::Other(0);
    const ANOTHER: Base = Base::Other(1);

    /// When the saved FP 16 bytes below the CFA has to be looked at, in a block of five
    /// instructions whose rows read it from the second on.
    fn looks(stores: &[(usize, Base, i64, Option<Stored>)]) -> Option<(bool, bool)> {
        let store = |(number, base, offset, value)| Store { number, base, offset, size: 8, value };
        let stores: Vec<Store> = stores.iter().copied().map(store).collect();
        let block = Block {
            notes: &[NonZeroU32::MIN; 5],
            fp: Written::default(),
            link: Written::default(),
            stores: &stores,
            begins: FromCfa { sp: -8, fp: 32 },
            calls: false,
        };
        let begins = Begins { fp_place: false, own_fp: true, own_link: false, caller_sp: 0 };
        let looks = Word { at: -16, held: Held::Fp, readers: &[1, 2, 3, 4] }.looks(&block, begins);
        looks.map(|looks| (looks.at_begin, looks.at_end))
    }

    #[test]
    fn a_word_that_two_stores_could_change_is_not_known_in_between() {
        let push = (0, Base::Sp, -8, Some(Stored::Fp));
        let begin = Some((true, false));
        let both = Some((true, true));
        assert_eq!(looks(&[]), begin);
        // To another word of the frame, by SP.
        assert_eq!(looks(&[(1, Base::Sp, 0, None), (3, Base::Sp, 0, None)]), begin);
        // Anywhere, once: what was read before was so at the beginning, and what is read after it
        // is so at the end.
        assert_eq!(looks(&[(2, OTHER, 0, None)]), both);
        assert_eq!(looks(&[(2, OTHER, 0, None), (3, ANOTHER, 0, None)]), None);
        assert_eq!(looks(&[(2, OTHER, 0, None), (3, OTHER, 0, None)]), None);
        assert_eq!(looks(&[(2, OTHER, 0, None), (3, OTHER, 7, None)]), None);
        // To two places that are known to be apart.
        assert_eq!(looks(&[(2, OTHER, 0, None), (3, OTHER, 8, None), (4, OTHER, -8, None)]), both);
        assert_eq!(looks(&[(2, OTHER, 0, None), (4, Base::Unknown, 0, None)]), None);
        // FP is not known to be anywhere, and may be there.
        assert_eq!(looks(&[(2, Base::Fp, 0, None), (3, Base::Sp, -8, None)]), None);
        // The block saves FP itself, and may write over it.
        assert_eq!(looks(&[push]), Some((false, false)));
        assert_eq!(looks(&[push, (3, OTHER, 0, None)]), Some((false, true)));
        assert_eq!(looks(&[(0, OTHER, 0, None), push, (3, OTHER, 0, None)]), Some((false, true)));
        assert_eq!(looks(&[(0, Base::Sp, -8, None), (3, OTHER, 0, None)]), None);
        // It may restore it.
        assert_eq!(looks(&[(2, OTHER, 0, None), (3, Base::Sp, -8, Some(Stored::Fp))]), None);
        // No row reads it between these.
        assert_eq!(looks(&[(0, OTHER, 0, None), (0, ANOTHER, 0, None)]), Some((false, true)));
    }
}
