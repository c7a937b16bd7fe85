//! Bugs in flexible rows (V3): control words, and the flexible type of functions.

use super::base::Base;
use super::site::{functions, rows};
use super::{Edit, Expectation, Operator, WrongTable};
use crate::arch::target;
use crate::sframe::{RowSpec, Word};

const fn operator(name: &'static str, what: &'static str, make: fn(&Base) -> Vec<Edit>) -> Operator {
    Operator { name, what, fault: WrongTable::Sframe, make }
}

pub(super) const OPERATORS: &[Operator] = &[
    operator("flex-type", "the function type (default, flex) is inverted", kind),
    operator("flex-register-bit", "a value is based on the CFA in place of a register, or the reverse", register_bit),
    operator("flex-load-bit", "the load bit of a value is inverted", load_bit),
    operator("flex-register", "another register is named", register),
    operator("flex-offset", "a value is 8 bytes higher", offset),
    operator("flex-reserved-bit", "the reserved bit of a control word is set", reserved_bit),
    operator("flex-filler-missing", "the filler for an unsaved return address is missing", filler_missing),
    operator("flex-fp-dropped", "FP is encoded as unsaved", fp_dropped),
    operator("flex-ra-dropped", "the return address is encoded at its usual place", ra_dropped),
    operator("flex-half-pair", "a pair has no offset", half_pair),
    operator("flex-base-bit", "the bit of default rows' base register is set", base_bit),
];

fn kind(base: &Base) -> Vec<Edit> {
    if !base.sample.section.layout.has_flex() {
        return Vec::new();
    }
    functions(base, None, |function, _| {
        function.overrides.info2 = Some(u8::from(!function.flex));
        // A function with only rows without words means the same in both forms.
        function.rows.iter().any(|row| !row.words.is_empty()).then(|| "flipped".to_owned())
    })
}

/// One edit for each word of flexible rows that `edit` changes.
fn words(base: &Base, edit: impl Fn(Word) -> Word) -> Vec<Edit> {
    // Up to three pairs.
    (0..6)
        .flat_map(|index| {
            rows(base, None, |function, row, _| {
                let Some(word) = function.rows[row].words.get_mut(index).filter(|_| function.flex) else {
                    return false;
                };
                let before = *word;
                *word = edit(before);
                *word != before
            })
        })
        .collect()
}

/// Changes control words, not padding words.
fn controls(base: &Base, edit: impl Fn(u32) -> u32) -> Vec<Edit> {
    words(base, |word| match word {
        Word::Control(value) if value != 0 => Word::Control(edit(value)),
        word => word,
    })
}

fn register_bit(base: &Base) -> Vec<Edit> {
    controls(base, |control| control ^ 1)
}

fn load_bit(base: &Base) -> Vec<Edit> {
    controls(base, |control| control ^ 2)
}

fn register(base: &Base) -> Vec<Edit> {
    controls(base, |control| if control & 1 != 0 { control ^ 1 << 3 } else { control })
}

fn offset(base: &Base) -> Vec<Edit> {
    let step = target(base.sample.abi).cfa_step();
    words(base, |word| match word {
        Word::Offset(value) => Word::Offset(value + step),
        word => word,
    })
}

fn reserved_bit(base: &Base) -> Vec<Edit> {
    controls(base, |control| control | 4)
}

/// One edit for each flexible row that `edit` changes.
fn shapes(base: &Base, edit: impl Fn(&mut RowSpec) -> bool) -> Vec<Edit> {
    rows(base, None, |function, row, _| function.flex && edit(&mut function.rows[row]))
}

fn filler_missing(base: &Base) -> Vec<Edit> {
    shapes(base, |row| {
        let filler = row.words.get(2) == Some(&Word::Control(0));
        if filler {
            row.words.remove(2);
        }
        filler
    })
}

fn fp_dropped(base: &Base) -> Vec<Edit> {
    shapes(base, |row| {
        let filler = row.words.get(2) == Some(&Word::Control(0));
        let pairs = row.words.len();
        row.words.truncate(if filler { 2 } else { 4 });
        row.words.len() < pairs
    })
}

fn ra_dropped(base: &Base) -> Vec<Edit> {
    shapes(base, |row| {
        let pair = row.words.len() >= 4 && row.words[2] != Word::Control(0);
        match row.words.len() {
            4 => row.words.truncate(2),
            6 => {
                row.words.splice(2..4, [Word::Control(0)]);
            }
            _ => {}
        }
        pair
    })
}

fn half_pair(base: &Base) -> Vec<Edit> {
    shapes(base, |row| row.words.pop().is_some())
}

fn base_bit(base: &Base) -> Vec<Edit> {
    let breaks = Some(("the bit is not used in flexible rows and written as zero", Expectation::Warning));
    rows(base, breaks, |function, row, _| {
        function.rows[row].base = crate::sframe::Base::Sp;
        function.flex && !function.rows[row].words.is_empty()
    })
}
