//! Vectors that are lines of `vectors.txt`. Its columns are those of ../../breaches.txt: what the
//! vector is, its description, statements, and frames.
//!
//! Without statements about functions there are two, as of [`Bench::two`]. A statement that begins
//! with an offset is a call frame instruction of the only function, whose frames, every 4 bytes
//! from the 4th on, are in the last column: what differs from the frame at entry.
//!
//! | Statement | Does |
//! |---|---|
//! | `fn OFFSET SIZE COUNT` | adds a function with that many frames of [`Bench::frames`] |
//! | `cie` | adds a CIE, to which further functions belong; `cie signal LETTERS` |
//! | `letters = R:1b P:9b L:ff S` | the augmentation after `z`; `none` for an empty string |
//! | `version`, `wide`, `padding`, `code`, `data`, `base`, `fde_data` `=` | other properties of CIEs |
//! | `ends`, `unterminated` | a zero word after the first CIE's functions; none at the end |
//! | `index = absent`, `bare` | the `.eh_frame_hdr` |
//! | `place TEXT SECTION` | moves the code with its functions, and the section |
//! | `patch cie OFFSET BYTES`, `patch fde1 ...` | damages an entry |
//! | `key-b`, `expressions`, `empty` | properties |
//!
//! Registers, numbers and frames are those of [`Notation`]. Bytes are hexadecimal; `15*80` repeats
//! one, `32/4` is a number of 4 bytes (`twice-size` that of the section), `fp` the register's. In
//! expressions `sum:fp:-8` and `loaded:fp:-8` are values of a register.

use types::{Abi, PacKey, Reg};

use super::draft::{Bench, Draft, Entry, Index, TEXT};
use crate::breaches::{Line, lines};
use crate::bytes::Bytes;
use crate::code::{loaded, sum};
use crate::eh_frame::{Cfi, Cie, Letter};
use crate::sframe::integer;
use crate::vectors::Class;
use crate::vectors::notation::Notation;
use crate::vectors::question::question;

const VECTORS: &str = include_str!("vectors.txt");

/// Address of a personality routine, which is not called.
const ROUTINE: u64 = TEXT + 0x800;

/// The drafts of the lines whose conditions the ABI fulfils.
pub(super) fn drafts(bench: Bench) -> Vec<Draft> {
    let draft = |line: &Line<'static>, register| {
        let parser = Parser { bench, notation: Notation { abi: bench.abi, register } };
        parser.draft(line).unwrap_or_else(|| panic!("{line:?}"))
    };
    let of_line = |line: Line<'static>| {
        let registers = REGISTERS.iter().find(|(abi, _)| *abi == bench.abi).map(|(_, registers)| registers.map(Some));
        let others = registers.filter(|_| has_rules_of_fp(&line)).into_iter().flatten();
        std::iter::once(None).chain(others).filter_map(|register| draft(&line, register)).collect::<Vec<_>>()
    };
    lines(VECTORS).flat_map(of_line).collect()
}

/// Registers other than FP that a call preserves, one for integers and one of the last kind, whose
/// rules readers are asked for too: rbx, r15; x19, d8; r6, f8.
const REGISTERS: [(Abi, [Reg; 2]); 4] = [
    (Abi::Amd64, [Reg(3), Reg(15)]),
    (Abi::Aarch64, [Reg(19), Reg(72)]),
    (Abi::Aarch64Be, [Reg(19), Reg(72)]),
    (Abi::S390x, [Reg(6), Reg(24)]),
];

/// Returns true if a line has rules of FP, which may as well be those of another register: FP is
/// the base of nothing.
fn has_rules_of_fp(line: &Line<'_>) -> bool {
    let has_word = |text: &&str| text.split_whitespace().any(|word| word == "fp");
    let is_base = |text: &&str| {
        text.contains("def_cfa") || text.contains(":fp") || ["raw 0c", "raw 12"].iter().any(|raw| text.contains(raw))
    };
    line.words.first() == Some(&"valid")
        && line.edits.iter().any(has_word)
        && !line.edits.iter().any(|text| has_word(text) && is_base(text) || text.contains(":fp"))
}

/// Makes an ABI's vectors. Functions return `None` for text that means nothing.
#[derive(Clone, Copy)]
struct Parser {
    bench: Bench,
    notation: Notation,
}

impl Parser {
    /// The draft of a line; `Some(None)` if a condition is not fulfilled.
    fn draft(self, line: &Line<'static>) -> Option<Option<Draft>> {
        let [class, name, conditions @ ..] = &line.words[..] else { return None };
        for condition in conditions {
            let fulfilled = match *condition {
                "link" => self.bench.abi.facts().link_register,
                name => self.bench.abi.name().starts_with(name),
            };
            if !fulfilled {
                return Some(None);
            }
        }
        let is_program = |statement: &&&str| statement.starts_with(|first: char| first.is_ascii_digit());
        let program: Vec<&&str> = line.edits.iter().filter(is_program).collect();
        let mut draft = if !program.is_empty() {
            let frames = line.expected.iter().map(|frame| self.notation.frame(frame)).collect::<Option<Vec<_>>>()?;
            let program = program.into_iter().map(|text| self.instruction(text)).collect::<Option<_>>()?;
            self.bench.runs(name, line.about, &self.bench.then(&frames), program)
        } else if line.edits.iter().any(|statement| statement.starts_with("fn ")) && !line.edits.contains(&"two") {
            self.bench.empty(name, line.about)
        } else {
            self.bench.two(name, line.about)
        };
        draft.class = match *class {
            "valid" => Class::Valid,
            "malformed" => Class::Malformed(spec::RuleId::CfiRefused),
            "open" => Class::Open(question(line.heading.strip_prefix('?')?)),
            _ => return None,
        };
        draft.register = self.notation.register;
        for statement in line.edits.iter().filter(|statement| !is_program(statement)) {
            draft = self.change(draft, statement)?;
        }
        Some(Some(draft))
    }

    fn change(self, mut draft: Draft, statement: &str) -> Option<Draft> {
        let words: Vec<&str> = statement.split_whitespace().collect();
        match words[..] {
            ["two"] => {}
            ["fn", offset, size, count] => {
                let frames = self.bench.frames();
                let frames = frames.get(..count.parse().ok()?)?;
                return Some(draft.with(TEXT + integer(offset)? as u64, integer(size)? as u32, frames));
            }
            ["cie"] => return Some(draft.cie(Cie::plain(self.bench.abi))),
            ["cie", "signal", ref letters @ ..] => {
                let mut cie = Cie { signal: true, ..Cie::plain(self.bench.abi) };
                cie.form.letters = Some(self.letters(letters)?);
                return Some(draft.cie(cie));
            }
            ["letters", "=", "none"] => return Some(draft.written(|form| form.letters = None)),
            ["letters", "=", ref letters @ ..] => {
                let letters = self.letters(letters)?;
                return Some(draft.written(|form| form.letters = Some(letters.clone())));
            }
            ["fde_data", "=", ref bytes @ ..] => {
                let bytes = self.bytes(bytes)?;
                return Some(draft.written(|form| form.fde_data.clone_from(&bytes)));
            }
            ["base", "=", "index"] => {
                let base = draft.index_address();
                return Some(draft.written(|form| form.base = base));
            }
            ["index", "=", "absent"] => draft.index = Index::Absent,
            ["index", "=", "bare"] => draft.index = Index::Bare,
            [name, "=", value] => {
                let value = integer(value)?;
                return Some(draft.written(|form| match name {
                    "version" => form.version = value as u8,
                    "wide" => form.wide = value != 0,
                    "padding" => form.padding = value as usize,
                    "code" => form.factors.code = value as u64,
                    "data" => form.factors.data = value,
                    "base" => form.base = value as u64,
                    other => panic!("{other} of a CIE"),
                }));
            }
            ["ends"] => draft.spec.cies.first_mut()?.form.ends = true,
            ["unterminated"] => draft.spec.terminated = false,
            ["place", text, section] => {
                let (text, section) = (integer(text)? as u64, integer(section)? as u64);
                let by = text.wrapping_sub(draft.text.0);
                let fdes = draft.spec.cies.iter_mut().flat_map(|cie| &mut cie.fdes);
                let starts = fdes.map(|fde| &mut fde.start).chain(draft.known.iter_mut().map(|known| &mut known.start));
                starts.for_each(|start| *start = start.wrapping_add(by));
                (draft.text, draft.address) = ((text, text + (draft.text.1 - draft.text.0)), section);
            }
            ["patch", entry, offset, ref bytes @ ..] => {
                let entry = match entry.strip_prefix("fde") {
                    Some(number) => Entry::Fde(number.parse().ok()?),
                    None => Entry::Cie,
                };
                draft.damage.patches.push((entry, offset.parse().ok()?, self.bytes(bytes)?));
            }
            ["key-b"] => {
                draft.spec.cies.iter_mut().for_each(|cie| cie.key = PacKey::B);
                draft.known.iter_mut().for_each(|known| known.key = PacKey::B);
            }
            ["expressions"] => draft.has.expressions = true,
            ["empty"] => draft.has.empty = true,
            _ => return None,
        }
        Some(draft)
    }

    /// Letters with their encodings, of routines also the address: `P:02:1000`.
    fn letters(self, words: &[&str]) -> Option<Vec<Letter>> {
        let letter = |word: &&str| {
            let mut parts = word.split(':');
            let letter = parts.next()?;
            let encoding = parts.next().and_then(|hex| u8::from_str_radix(hex, 16).ok());
            Some(match letter {
                "R" => Letter::Pointers(encoding?),
                "L" => Letter::Lsda(encoding?),
                "P" => {
                    let routine = parts.next().map_or(Some(ROUTINE), |hex| u64::from_str_radix(hex, 16).ok());
                    Letter::Personality(encoding?, routine?)
                }
                "S" => Letter::Signal,
                _ => return None,
            })
        };
        words.iter().filter(|word| **word != "z").map(letter).collect()
    }

    /// An instruction with the offset from which it applies: `4 def_cfa fp 16`.
    fn instruction(self, text: &str) -> Option<(u64, Cfi)> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (offset, words) = words.split_first()?;
        let cfi = match words {
            ["def_cfa", reg, offset] => Cfi::DefCfa(self.notation.reg(reg)?, self.notation.number(offset)?),
            ["def_cfa_register", reg] => Cfi::DefCfaRegister(self.notation.reg(reg)?),
            ["def_cfa_offset", offset] => Cfi::DefCfaOffset(self.notation.number(offset)?),
            ["def_cfa_expression", bytes @ ..] => Cfi::DefCfaExpression(self.bytes(bytes)?),
            ["offset", reg, offset] => Cfi::Offset(self.notation.reg(reg)?, self.notation.number(offset)?),
            ["val_offset", reg, offset] => Cfi::ValOffset(self.notation.reg(reg)?, self.notation.number(offset)?),
            ["register", reg, holder] => Cfi::Register(self.notation.reg(reg)?, self.notation.reg(holder)?),
            ["expression", reg, bytes @ ..] => Cfi::Expression(self.notation.reg(reg)?, self.bytes(bytes)?),
            ["val_expression", reg, bytes @ ..] => Cfi::ValExpression(self.notation.reg(reg)?, self.bytes(bytes)?),
            ["undefined", reg] => Cfi::Undefined(self.notation.reg(reg)?),
            ["same_value", reg] => Cfi::SameValue(self.notation.reg(reg)?),
            ["restore", reg] => Cfi::Restore(self.notation.reg(reg)?),
            ["remember_state"] => Cfi::RememberState,
            ["restore_state"] => Cfi::RestoreState,
            ["negate_ra_state"] => Cfi::NegateRaState,
            ["args_size", size] => Cfi::GnuArgsSize(self.notation.number(size)? as u64),
            ["raw", bytes @ ..] => Cfi::Raw(self.bytes(bytes)?),
            _ => return None,
        };
        Some((offset.parse().ok()?, cfi))
    }

    fn bytes(self, words: &[&str]) -> Option<Vec<u8>> {
        let mut out = Bytes::new(self.bench.abi.facts().order);
        for word in words {
            let parts: Vec<&str> = word.split(':').collect();
            match (&parts[..], word.split_once('/'), word.split_once('*')) {
                (["sum", reg, offset], ..) => out.raw(&sum(self.notation.reg(reg)?, self.notation.number(offset)?)),
                (["loaded", reg, offset], ..) => {
                    out.raw(&loaded(self.notation.reg(reg)?, self.notation.number(offset)?))
                }
                (_, Some(("twice-size", _)), _) => out.u32(2 * self.bench.two("whole", "").size() as u32),
                (_, Some((value, width)), _) => out.low_bytes(self.notation.number(value)? as u64, width.parse().ok()?),
                (_, _, Some((count, hex))) => {
                    out.raw(&[u8::from_str_radix(hex, 16).ok()?].repeat(count.parse().ok()?));
                }
                (["fp"], ..) => out.u8(self.notation.reg("fp")?.0 as u8),
                (["sp"], ..) => out.u8(self.bench.abi.facts().sp.0 as u8),
                _ => out.u8(u8::from_str_radix(word, 16).ok()?),
            }
        }
        Some(out.finish())
    }
}
