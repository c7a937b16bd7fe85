//! Vectors for readers of `.eh_frame`. What is expected follows from the frames that a section was
//! written from; the clauses are those of DWARF 5, 6.4 and 7.24, LSB Core 5.0, 10.6, and the
//! processor supplements.

mod draft;
mod entries;
mod expressions;
mod operations;
mod pointers;
mod states;

use types::Abi;

use super::{Question, Vector};
use draft::Bench;
pub(super) use draft::needs_others;

const VERSION_FOUR: Question = Question {
    name: "cie-version-four",
    clause: "LSB Core 5.0, 10.6.1.1",
    asks: "May a CIE of `.eh_frame` have version 4, with the two sizes that it has in `.debug_frame`? The specification has version 1.",
    rule: None,
};
const ALIGNED_POINTER: Question = Question {
    name: "aligned-pointer",
    clause: "LSB Core 5.0, 10.5.1",
    asks: "Where does a pointer of the encoding DW_EH_PE_aligned begin? The specification does not say what is aligned: the vector aligns the address.",
    rule: None,
};

const FURTHER_DATA: Question = Question {
    name: "further-augmentation-data",
    clause: "LSB Core 5.0, 10.6.1.2",
    asks: "May the augmentation data of an FDE be longer than what the letters of its CIE define?",
    rule: None,
};

/// What the texts about `.eh_frame` leave open.
pub const CFI_QUESTIONS: &[Question] = &[VERSION_FOUR, ALIGNED_POINTER, FURTHER_DATA];

/// All vectors of `.eh_frame` whose IDs contain a text, sorted by ID.
pub fn eh_frame(text: &str) -> Vec<Vector> {
    let of = |abi| {
        let bench = Bench { abi };
        let mut drafts = operations::drafts(bench);
        drafts.extend(states::drafts(bench));
        drafts.extend(entries::drafts(bench));
        drafts.extend(pointers::drafts(bench));
        drafts.extend(expressions::drafts(bench));
        drafts
    };
    let named = Abi::ALL.into_iter().flat_map(of).filter(|draft| draft.id().contains(text));
    let mut all: Vec<Vector> = named.map(draft::Draft::finish).collect();
    all.sort_by(|a, b| a.id.cmp(&b.id));
    all
}
