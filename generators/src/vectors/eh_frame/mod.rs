//! Vectors for readers of `.eh_frame`. What is expected follows from the frames that a section was
//! written from; the clauses are those of DWARF 5, 6.4 and 7.24, LSB Core 5.0, 10.6, and the
//! processor supplements.

mod draft;
mod special;
mod table;

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

const TEXT_RELATIVE: Question = Question {
    name: "text-relative-pointer",
    clause: "LSB Core 5.0, 10.5.1",
    asks: "May the start of a function be relative to `.text` (DW_EH_PE_textrel)? The supplements of these processors define no base of text, and unwinders have 0.",
    rule: None,
};
const DATA_RELATIVE: Question = Question {
    name: "data-relative-pointer",
    clause: "LSB Core 5.0, 10.5.1",
    asks: "What is a pointer of DW_EH_PE_datarel relative to, `.got` or `.eh_frame_hdr`? The specification has both: the vector takes the latter.",
    rule: None,
};
const OVERLAPPING: Question = Question {
    name: "overlapping-functions",
    clause: "DWARF 5, 6.4.1",
    asks: "Which of two FDEs describes an address that both cover?",
    rule: None,
};
const MIDDLE_TERMINATOR: Question = Question {
    name: "middle-terminator",
    clause: "LSB Core 5.0, 10.6.1.1",
    asks: "A length of 0 ends the section: does an entry after it count, to which the search table leads?",
    rule: None,
};

/// What the texts about `.eh_frame` leave open.
pub const CFI_QUESTIONS: &[Question] =
    &[VERSION_FOUR, ALIGNED_POINTER, FURTHER_DATA, TEXT_RELATIVE, DATA_RELATIVE, OVERLAPPING, MIDDLE_TERMINATOR];

/// All vectors of `.eh_frame` whose IDs contain a text, sorted by ID.
pub fn eh_frame(text: &str) -> Vec<Vector> {
    let of = |abi| {
        let bench = Bench { abi };
        let mut drafts = table::drafts(bench);
        drafts.extend(special::drafts(bench));
        drafts
    };
    let named = Abi::ALL.into_iter().flat_map(of).filter(|draft| draft.id().contains(text));
    let mut all: Vec<Vector> = named.map(draft::Draft::finish).collect();
    all.sort_by(|a, b| a.id.cmp(&b.id));
    all
}
