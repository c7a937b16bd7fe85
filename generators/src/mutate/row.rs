//! Bugs in rows, mostly default ones; bugs of flexible rows are in `flex.rs`.

use super::base::Base;
use super::site::{offsets, rows};
use super::{Edit, Operator, WrongTable};
use crate::arch::target;
use crate::sframe::{Base as CfaBase, FunctionSpec, Layout, RowSpec, Width, Word, row_info};

const fn operator(name: &'static str, what: &'static str, make: fn(&Base) -> Vec<Edit>) -> Operator {
    Operator { name, what, fault: WrongTable::Sframe, make }
}

pub(super) const OPERATORS: &[Operator] = &[
    operator("row-start-later", "a row starts one instruction late", start_later),
    operator("row-start-earlier", "a row starts one instruction early", start_earlier),
    operator("rows-all-later", "all rows of a function but the first start one instruction late", all_later),
    operator("rows-all-earlier", "all rows of a function start one instruction early", all_earlier),
    operator("row-missing", "a row between others is missing", missing),
    operator("row-first-missing", "the first row is missing", first_missing),
    operator("row-stale", "the row after an epilogue is missing", stale),
    operator("rows-swapped", "two rows are in the wrong order", swapped),
    operator("row-base", "the CFA is based on the other register", cfa_base),
    operator("row-cfa-above", "the CFA is 8 bytes higher", cfa_above),
    operator("row-cfa-below", "the CFA is 8 bytes lower", cfa_below),
    operator("row-cfa-sign", "the CFA's offset has the other sign", cfa_sign),
    operator("row-slot-sign", "the offset of a saved register has the other sign", slot_sign),
    operator("row-ra-slot", "the return address is taken from an adjacent slot", ra_slot),
    operator("row-ra-dropped", "the return address is encoded as unsaved", ra_dropped),
    operator("row-fp-slot", "FP is taken from an adjacent slot", fp_slot),
    operator("row-fp-dropped", "FP is encoded as unsaved", fp_dropped),
    operator("row-ra-fp-swapped", "the return address and FP are swapped", ra_fp_swapped),
    operator("row-signed-bit", "the signed bit of a return address is inverted", signed_bit),
    operator("row-width-truncated", "words lose their upper bytes", width_truncated),
    operator("row-width-claimed", "the info byte gives wider or narrower words than the row has", width_claimed),
    operator("row-word-count", "the info byte counts one word more or less", word_count),
    operator("row-words-too-many", "a row has more words than its target defines", words_too_many),
    operator("row-outermost-removed", "a row claims a caller where there is none", outermost_removed),
    operator("row-outermost-planted", "a row claims no caller where there is one", outermost_planted),
    operator("row-unscaled", "s390x: the CFA's offset is not scaled", unscaled),
    operator("row-scaled-twice", "s390x: the CFA offset is encoded without the bias of 160", bias_forgotten),
    operator("row-register-even", "s390x: the register bit of a word is cleared", register_even),
    operator("row-register-other", "s390x: another register is named", register_other),
    operator("row-register-for-slot", "s390x: the register bit of a slot's word is set", register_for_slot),
];

/// Index of the return-address word; `None` on AMD64, where the header's fixed offset gives it,
/// and in flexible rows.
fn ra_word(base: &Base, function: &FunctionSpec, row: &RowSpec) -> Option<usize> {
    target(base.sample.abi).ra_word.filter(|index| !function.flex && row.words.len() > *index)
}

/// Index of the word for FP.
fn fp_word(base: &Base, function: &FunctionSpec, row: &RowSpec) -> Option<usize> {
    let index = target(base.sample.abi).fp_word;
    (!function.flex && row.words.len() > index).then_some(index)
}

fn cfa_word(_: &Base, function: &FunctionSpec, row: &RowSpec) -> Option<usize> {
    // In a flexible row the offset follows the control word.
    let index = usize::from(function.flex);
    (row.words.len() > index).then_some(index)
}

type WordOf = fn(&Base, &FunctionSpec, &RowSpec) -> Option<usize>;

fn words(base: &Base, word: WordOf, edit: impl Fn(i32) -> i32) -> Vec<Edit> {
    offsets(base, None, |function, row| word(base, function, row), edit)
}

fn start_later(base: &Base) -> Vec<Edit> {
    rows(base, None, |function, row, subject| {
        let Some(next) = subject.next(function.rows[row].start) else { return false };
        let free = function.rows.get(row + 1).is_none_or(|after| next < after.start) && next < function.size;
        function.rows[row].start = next;
        row > 0 && free
    })
}

fn start_earlier(base: &Base) -> Vec<Edit> {
    rows(base, None, |function, row, subject| {
        let Some(previous) = subject.previous(function.rows[row].start) else { return false };
        function.rows[row].start = previous;
        row > 0 && previous > function.rows[row - 1].start
    })
}

fn all(base: &Base, shift: impl Fn(&super::Subject, u32) -> Option<u32>) -> Vec<Edit> {
    rows(base, None, |function, row, subject| {
        if row != 1 {
            return false;
        }
        for row in function.rows.iter_mut().skip(1) {
            row.start = shift(subject, row.start).unwrap_or(row.start);
        }
        let ascend = function.rows.windows(2).all(|pair| pair[0].start < pair[1].start);
        ascend && function.rows.iter().all(|row| row.start < function.size)
    })
}

fn all_later(base: &Base) -> Vec<Edit> {
    all(base, |subject, start| subject.next(start))
}

fn all_earlier(base: &Base) -> Vec<Edit> {
    all(base, |subject, start| subject.previous(start).filter(|start| *start > 0))
}

fn missing(base: &Base) -> Vec<Edit> {
    rows(base, None, |function, row, _| {
        let between = row > 0 && row + 1 < function.rows.len();
        function.rows.remove(row);
        between
    })
}

fn first_missing(base: &Base) -> Vec<Edit> {
    rows(base, None, |function, row, _| {
        let more = row == 0 && function.rows.len() > 1;
        function.rows.remove(row);
        more
    })
}

fn stale(base: &Base) -> Vec<Edit> {
    rows(base, None, |function, row, _| {
        let last = row > 0 && row + 1 == function.rows.len();
        function.rows.remove(row);
        last
    })
}

fn swapped(base: &Base) -> Vec<Edit> {
    rows(base, None, |function, row, _| {
        let more = row + 1 < function.rows.len();
        if more {
            function.rows.swap(row, row + 1);
        }
        more
    })
}

fn cfa_base(base: &Base) -> Vec<Edit> {
    rows(base, None, |function, row, _| {
        let row = &mut function.rows[row];
        row.base = if row.base == CfaBase::Fp { CfaBase::Sp } else { CfaBase::Fp };
        !function.flex && !row.words.is_empty()
    })
}

fn cfa_above(base: &Base) -> Vec<Edit> {
    words(base, cfa_word, |word| word + target(base.sample.abi).cfa_step())
}

fn cfa_below(base: &Base) -> Vec<Edit> {
    words(base, cfa_word, |word| word - target(base.sample.abi).cfa_step())
}

fn cfa_sign(base: &Base) -> Vec<Edit> {
    words(base, cfa_word, |word| -word)
}

fn slot_sign(base: &Base) -> Vec<Edit> {
    // Odd words are registers.
    let flipped = |word: i32| if word % 2 == 0 { -word } else { word };
    let mut edits = words(base, ra_word, flipped);
    edits.extend(words(base, fp_word, flipped));
    edits
}

/// An offset changed by one slot; words that name registers are unchanged.
fn beside(word: i32) -> i32 {
    if word % 2 == 0 { word - 8 } else { word }
}

fn ra_slot(base: &Base) -> Vec<Edit> {
    words(base, ra_word, beside)
}

fn fp_slot(base: &Base) -> Vec<Edit> {
    words(base, fp_word, beside)
}

fn ra_dropped(base: &Base) -> Vec<Edit> {
    rows(base, None, |function, row, _| {
        let Some(index) = ra_word(base, function, &function.rows[row]) else { return false };
        let filler = target(base.sample.abi).zero_is_unsaved;
        let words = &mut function.rows[row].words;
        match filler && words.len() > index + 1 {
            // The padding word is the unsaved return address before a saved FP.
            true => words[index] = Word::Offset(0),
            false => words.truncate(index),
        }
        true
    })
}

fn fp_dropped(base: &Base) -> Vec<Edit> {
    rows(base, None, |function, row, _| {
        let Some(index) = fp_word(base, function, &function.rows[row]) else { return false };
        function.rows[row].words.truncate(index);
        true
    })
}

fn ra_fp_swapped(base: &Base) -> Vec<Edit> {
    rows(base, None, |function, row, _| {
        let words = (ra_word(base, function, &function.rows[row]), fp_word(base, function, &function.rows[row]));
        let (Some(ra), Some(fp)) = words else { return false };
        function.rows[row].words.swap(ra, fp);
        true
    })
}

fn signed_bit(base: &Base) -> Vec<Edit> {
    let breaks =
        (!target(base.sample.abi).signs).then_some(("only AArch64 signs return addresses", super::Expectation::Error));
    rows(base, breaks, |function, row, _| {
        let row = &mut function.rows[row];
        row.signed = !row.signed;
        !row.words.is_empty()
    })
}

fn width_truncated(base: &Base) -> Vec<Edit> {
    rows(base, None, |function, row, _| {
        let row = &mut function.rows[row];
        let wide = row.width != Width::One;
        row.width = Width::One;
        for word in &mut row.words {
            *word = match *word {
                Word::Offset(value) => Word::Offset(i32::from(value as i8)),
                Word::Control(value) => Word::Control(value & 0xff),
            };
        }
        wide
    })
}

/// The info byte that the encoder computes.
fn info(layout: Layout, row: &RowSpec) -> u8 {
    row_info(layout, row).expect("a sample's row has no more words than the format can count")
}

fn width_claimed(base: &Base) -> Vec<Edit> {
    let layout = base.sample.section.layout;
    let mut edits = Vec::new();
    for code in 0..4 {
        edits.extend(rows(base, None, |function, row, _| {
            let row = &mut function.rows[row];
            let own = info(layout, row);
            row.info = Some(own & !0x60 | code << 5);
            !row.words.is_empty() && own >> 5 & 3 != code
        }));
    }
    edits
}

fn word_count(base: &Base) -> Vec<Edit> {
    let layout = base.sample.section.layout;
    let mut edits = rows(base, None, |function, row, _| {
        let row = &mut function.rows[row];
        row.info = Some(info(layout, row) + 2);
        true
    });
    edits.extend(rows(base, None, |function, row, _| {
        let row = &mut function.rows[row];
        let any = !row.words.is_empty();
        row.info = Some(info(layout, row).wrapping_sub(2));
        any
    }));
    edits
}

fn words_too_many(base: &Base) -> Vec<Edit> {
    let breaks = Some(("a row has no more words than its target defines", super::Expectation::Error));
    let most = target(base.sample.abi).fp_word + 1;
    rows(base, breaks, |function, row, _| {
        let row = &mut function.rows[row];
        let full = !function.flex && row.words.len() == most;
        row.words.push(Word::Offset(-24));
        full
    })
}

fn outermost_removed(base: &Base) -> Vec<Edit> {
    let abi = base.sample.abi;
    let entry = target(abi).stored_cfa(abi.facts().cfa_minus_sp_at_entry).expect("no target loses its CFA at entry");
    rows(base, None, |function, row, _| {
        let row = &mut function.rows[row];
        let marker = row.words.is_empty();
        *row = RowSpec::offsets(row.start, CfaBase::Sp, &[entry as i32]);
        marker
    })
}

fn outermost_planted(base: &Base) -> Vec<Edit> {
    rows(base, None, |function, row, _| {
        let row = &mut function.rows[row];
        let marker = row.words.is_empty();
        *row = RowSpec::outermost(row.start);
        !marker
    })
}

/// Scale and bias of CFA offsets, if the target has them.
fn scaling(base: &Base) -> Option<(i32, i32)> {
    let target = target(base.sample.abi);
    (target.cfa_scale != 1).then_some((target.cfa_scale as i32, target.cfa_bias as i32))
}

fn unscaled(base: &Base) -> Vec<Edit> {
    let Some((scale, bias)) = scaling(base) else { return Vec::new() };
    words(base, cfa_word, |word| word * scale + bias)
}

fn bias_forgotten(base: &Base) -> Vec<Edit> {
    let Some((scale, bias)) = scaling(base) else { return Vec::new() };
    words(base, cfa_word, |word| word + bias / scale)
}

/// V2 (s390x) marks a register by an odd offset word; V3 has flexible rows for that.
fn odd_words(base: &Base, edit: impl Fn(i32) -> i32) -> Vec<Edit> {
    if !target(base.sample.abi).has_odd_words(base.sample.section.layout) {
        return Vec::new();
    }
    let odd = |word: i32| if word % 2 == 0 { word } else { edit(word) };
    let mut edits = words(base, ra_word, odd);
    edits.extend(words(base, fp_word, odd));
    edits
}

fn register_even(base: &Base) -> Vec<Edit> {
    odd_words(base, |word| word - 1)
}

fn register_other(base: &Base) -> Vec<Edit> {
    odd_words(base, |word| word + 4)
}

fn register_for_slot(base: &Base) -> Vec<Edit> {
    if !target(base.sample.abi).odd_words {
        return Vec::new();
    }
    let mark = |word: i32| if word != 0 && word % 2 == 0 { (word & 0x1e) + 1 } else { word };
    let mut edits = words(base, ra_word, mark);
    edits.extend(words(base, fp_word, mark));
    edits
}
