//! Vectors for readers of `.eh_frame`. What is expected follows from the frames that a section was
//! written from; the clauses are those of DWARF 5, 6.4 and 7.24, LSB Core 5.0, 10.6, and the
//! processor supplements.

mod draft;
mod special;
mod table;

use types::Abi;

use super::Vector;
use draft::Bench;
pub(super) use draft::needs_others;

/// All vectors of `.eh_frame` whose IDs contain a text, sorted by ID.
pub fn eh_frame(text: &str) -> Vec<Vector> {
    let of = |abi| {
        let bench = Bench { abi };
        let mut drafts = table::drafts(bench);
        drafts.extend(special::drafts(bench));
        drafts
    };
    let named = Abi::ALL.into_iter().flat_map(of).filter(|draft| super::has(&draft.id(), text));
    let mut all: Vec<Vector> = named.map(draft::Draft::finish).collect();
    all.sort_by(|a, b| a.id.cmp(&b.id));
    all
}
