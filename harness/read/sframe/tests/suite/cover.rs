//! Look-up of functions by [`Cover`], compared with a search of all functions.

use sframe::Cover;
use types::Rng;

/// First address, and first address after it.
type Range = (u64, u64);

/// Look-up by the rule: of the covering functions the last to start, of several with the same start
/// the first.
fn by_hand(functions: &[Range], pc: u64) -> Option<usize> {
    let covering = functions.iter().enumerate().filter(|(_, (start, end))| *start <= pc && pc < *end);
    covering.max_by_key(|(index, (start, _))| (*start, std::cmp::Reverse(*index))).map(|(index, _)| index)
}

fn compare(functions: &[Range]) {
    let cover = Cover::new(functions.iter().copied());
    let range = |index: usize| functions.get(index).copied();
    let edges = functions.iter().flat_map(|(start, end)| [*start, *end]);
    let mut pcs: Vec<u64> = edges.flat_map(|at| [at.saturating_sub(1), at, at.saturating_add(1)]).collect();
    pcs.extend([0, u64::MAX]);
    for pc in pcs {
        assert_eq!(cover.find(pc, range), by_hand(functions, pc), "{pc:#x} of {functions:x?}");
    }
    // Each piece belongs to one function, and gaps between pieces to none.
    let mut before = 0;
    for piece in cover.pieces(0, u64::MAX, range) {
        assert!(piece.start < piece.end && before <= piece.start, "{functions:x?}");
        for pc in [piece.start, piece.end - 1] {
            assert_eq!(by_hand(functions, pc), Some(piece.function), "{pc:#x} of {functions:x?}");
        }
        assert!(before == piece.start || by_hand(functions, piece.start - 1).is_none());
        before = piece.end;
        // A search that begins in the middle of a piece finds it first.
        let middle = piece.start.midpoint(piece.end);
        assert_eq!(cover.pieces(middle, middle + 1, range).collect::<Vec<_>>(), [piece]);
    }
}

#[test]
fn the_function_that_answers_is_the_one_of_the_rule() {
    let mut rng = Rng::new(1);
    for round in 0..2_000 {
        // Close together and far apart, empty ones, several with the same start, ends at the end of
        // the address space.
        let (span, longest) = ([64, 4096, 1 << 40, u64::MAX / 2][round % 4], [1, 8, 200, u64::MAX / 4][round / 4 % 4]);
        let mut functions: Vec<Range> =
            (0..rng.below(40)).map(|_| (rng.below(span), rng.below(longest.max(2)))).collect();
        functions.iter_mut().for_each(|(start, end)| *end = start.saturating_add(*end));
        functions.sort_by_key(|(start, _)| *start);
        compare(&functions);
        // Constructed so that none overlaps and none is empty.
        let mut from = 0;
        functions.retain(|(start, end)| {
            start < end && from <= *start && {
                from = *end;
                true
            }
        });
        compare(&functions);
    }
    compare(&[(0, u64::MAX)]);
    compare(&[]);
}
