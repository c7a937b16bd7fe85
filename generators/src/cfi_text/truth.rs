//! Executable files whose CFI is true at every instruction, from ABI and seed.
//!
//! A function is a list of acts, which are operations on its frame. Each act changes the frame and
//! has its directives; the epilogue undoes the acts in reverse order. An act that is impossible in
//! its position is skipped, so that any part of a list is a function. `_start` has no CFI: it calls
//! the first function with 0 and with 1, which covers both ways at every early return.

use std::fmt::Write as _;

use types::{Abi, Rng};

use super::{Register, Text};
use crate::arch::{arch, target};

/// A program whose directives are true of its instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrueProgram {
    /// The target's ABI.
    pub abi: Abi,
    /// The acts of each function; each may call the next one.
    pub functions: Vec<Vec<Act>>,
}

/// An operation of a function on its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Act {
    /// The kind of operation.
    pub kind: ActKind,
    /// Use alternative directives with the same meaning.
    pub other_words: bool,
}

/// The operations of a function on its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActKind {
    /// One no-op.
    Nop,
    /// Allocates bytes of stack.
    Alloc(i64),
    /// Saves FP on the stack.
    SaveFp,
    /// Saves the return address on the stack, if it is not there already.
    SaveRa,
    /// Saves FP and the return address at once.
    SaveBoth,
    /// Saves a callee-saved register other than FP.
    SaveOther,
    /// Makes FP the base of the CFA.
    SetFp,
    /// Overwrites FP.
    ClobberFp,
    /// Keeps the return address in another register.
    ParkRa,
    /// Keeps FP in another register.
    ParkFp,
    /// Aligns the stack, AMD64: the CFA is in r10, then in memory.
    Realign,
    /// Signs the return address with key A, AArch64.
    SignA,
    /// Signs the return address with key B, AArch64.
    SignB,
    /// If the argument is 0, undoes everything and returns.
    EarlyReturn,
    /// Calls the next function.
    Call,
}

/// Draws a program of one to four functions.
pub fn program(abi: Abi, seed: u64) -> TrueProgram {
    let mut rng = Rng::new(seed ^ (u64::from(abi.facts().sframe_id) << 56) ^ 0x7275_7468);
    let count = 1 + rng.below(4);
    let functions = (0..count).map(|_| function(&mut rng)).collect();
    TrueProgram { abi, functions }
}

fn function(rng: &mut Rng) -> Vec<Act> {
    let first = [
        ActKind::ParkRa,
        ActKind::Realign,
        ActKind::SignA,
        ActKind::SignB,
        ActKind::ParkFp,
        ActKind::Nop,
        ActKind::Nop,
        ActKind::Nop,
    ];
    let later = [
        ActKind::Nop,
        ActKind::SaveFp,
        ActKind::SaveRa,
        ActKind::SaveBoth,
        ActKind::SaveBoth,
        ActKind::SaveOther,
        ActKind::SetFp,
        ActKind::SetFp,
        ActKind::ClobberFp,
        ActKind::ParkFp,
        ActKind::EarlyReturn,
        ActKind::EarlyReturn,
        ActKind::Call,
        ActKind::Call,
    ];
    let mut acts = vec![Act { kind: rng.pick(&first), other_words: rng.one_in(2) }];
    for _ in 0..rng.below(12) {
        let kind = if rng.one_in(4) {
            ActKind::Alloc(rng.pick(&[16, 32, 160, 160, 176, 1024, 4080, 32_768, 65_536]))
        } else {
            rng.pick(&later)
        };
        acts.push(Act { kind, other_words: rng.one_in(2) });
    }
    acts
}

impl Text for TrueProgram {
    fn abi(&self) -> Abi {
        self.abi
    }

    fn text(&self) -> String {
        let mut text = "\t.text\n\t.globl _start\n\t.type _start, %function\n".to_owned();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "_start:\n{}\n\t.size _start, .-_start", arch(self.abi).text().start);
        for (index, acts) in self.functions.iter().enumerate() {
            let callee = (index + 1 < self.functions.len()).then(|| index + 1);
            text.push_str(&written(self.abi, index, callee, acts));
        }
        text
    }

    fn kinds(&self) -> Vec<String> {
        let acts = self.functions.iter().flatten();
        acts.map(|act| format!("{:?}{}", act.kind, if act.other_words { "'" } else { "" })).collect()
    }

    /// `None`: the functions call each other.
    fn only(&self, _function: &str) -> Option<TrueProgram> {
        None
    }

    /// Empty: the functions call each other.
    fn apart(&self) -> Vec<TrueProgram> {
        Vec::new()
    }

    fn smaller(&self) -> Vec<TrueProgram> {
        let with = |functions: Vec<Vec<Act>>| TrueProgram { abi: self.abi, functions };
        let mut found = Vec::new();
        if self.functions.len() > 1 {
            found.extend((0..self.functions.len()).map(|gone| {
                with(self.functions.iter().enumerate().filter(|(at, _)| *at != gone).map(|(_, f)| f.clone()).collect())
            }));
        }
        for (at, acts) in self.functions.iter().enumerate() {
            let mut replaced = |acts: Vec<Act>| {
                let mut functions = self.functions.clone();
                functions[at] = acts;
                found.push(with(functions));
            };
            let mut length = acts.len().div_ceil(2);
            while length > 0 {
                for start in (0..acts.len()).step_by(length) {
                    let kept = acts.iter().enumerate().filter(|(at, _)| *at < start || *at >= start + length);
                    replaced(kept.map(|(_, act)| *act).collect());
                }
                length = if length == 1 { 0 } else { length.div_ceil(2) };
            }
            for (at, act) in acts.iter().enumerate() {
                let plainer = match *act {
                    Act { other_words: true, kind } => vec![Act { kind, other_words: false }],
                    Act { kind: ActKind::Alloc(bytes), .. } if bytes > 16 => {
                        let plain = [16, 160, 32_768].into_iter().filter(|plain| *plain < bytes);
                        plain.map(|plain| Act { kind: ActKind::Alloc(plain), other_words: false }).collect()
                    }
                    _ => Vec::new(),
                };
                for plainer in plainer {
                    let mut acts = acts.clone();
                    acts[at] = plainer;
                    replaced(acts);
                }
            }
        }
        found
    }
}

/// The instructions of an ABI as text. Each item ends without a line break; a comma in names is
/// replaced by the register's own syntax.
pub(crate) struct Instructions {
    /// The body of `_start`.
    pub(crate) start: &'static str,
    /// A return.
    pub(crate) ret: &'static str,
    /// A no-op.
    pub(crate) nop: &'static str,
    /// A branch to the label unless the argument is 0.
    pub(crate) branch: fn(label: &str) -> String,
    /// An act and the text that undoes it; `None` if the act is impossible.
    pub(crate) act: fn(&mut Frame, Act) -> Option<(String, String)>,
    /// Registers: SP, FP, RA, then others.
    pub(crate) registers: &'static [Register],
}

/// The state of the frame under construction.
pub(crate) struct Frame {
    /// CFA minus SP in bytes.
    pub(crate) depth: i64,
    /// The CFA's base is FP.
    pub(crate) on_fp: bool,
    /// The CFA is in memory: the stack was aligned.
    pub(crate) realigned: bool,
    /// FP is saved on the stack or in another register.
    pub(crate) fp_kept: bool,
    /// The return address is saved, possibly by the call itself.
    pub(crate) ra_saved: bool,
    /// A value is kept in a register that a callee may overwrite.
    pub(crate) parked: bool,
    /// Number of other saved registers.
    pub(crate) others: usize,
    /// Number of acts done.
    pub(crate) done: usize,
    /// The function to call.
    pub(crate) callee: Option<usize>,
}

impl Frame {
    /// Moves SP by `bytes` (down is positive): the directive, empty if SP is not the CFA's base.
    pub(crate) fn moved(&mut self, bytes: i64, other_words: bool) -> String {
        self.depth += bytes;
        match (self.on_fp || self.realigned, other_words) {
            (true, _) => String::new(),
            (_, false) => format!("\n\t.cfi_def_cfa_offset {}", self.depth),
            (_, true) => format!("\n\t.cfi_adjust_cfa_offset {bytes}"),
        }
    }

    /// The directive that undoes a move of SP: it restores the previous rule.
    pub(crate) fn moved_back(&self, bytes: i64, other_words: bool) -> String {
        match (self.on_fp || self.realigned, other_words) {
            (true, _) => String::new(),
            (_, true) => format!("\n\t.cfi_adjust_cfa_offset -{bytes}"),
            (_, false) => format!("\n\t.cfi_def_cfa_offset {}", self.depth - bytes),
        }
    }

    /// The directive that makes a register the base of the CFA, at the same distance.
    pub(crate) fn based_on(&self, register: &str, other_words: bool) -> String {
        match other_words {
            true => format!(".cfi_def_cfa {register}, {}", self.depth),
            false => format!(".cfi_def_cfa_register {register}"),
        }
    }

    /// The directive for a register that is saved `above` bytes above SP.
    pub(crate) fn saved(&self, register: &str, above: i64, other_words: bool) -> String {
        // Relative to the CFA's register: valid only if that register is SP.
        match other_words && !self.on_fp {
            true => format!(".cfi_rel_offset {register}, {above}"),
            false => format!(".cfi_offset {register}, {}", above - self.depth),
        }
    }
}

fn written(abi: Abi, index: usize, callee: Option<usize>, acts: &[Act]) -> String {
    let instructions = arch(abi).text();
    let facts = abi.facts();
    let mut frame = Frame {
        depth: facts.cfa_minus_sp_at_entry,
        on_fp: false,
        realigned: false,
        fp_kept: false,
        ra_saved: !facts.link_register,
        parked: false,
        others: 0,
        done: 0,
        callee,
    };
    let key_b = acts.iter().find(|act| matches!(act.kind, ActKind::SignA | ActKind::SignB));
    let b_key = target(abi).signs && key_b.is_some_and(|act| act.kind == ActKind::SignB);
    let mut text = format!("\t.type f{index}, %function\nf{index}:\n\t.cfi_startproc\n");
    if b_key {
        text.push_str("\t.cfi_b_key_frame\n");
    }
    let mut undo: Vec<String> = Vec::new();
    let mut labels = 0;
    let line = |text: &mut String, lines: &str| {
        if !lines.is_empty() {
            text.push_str(lines);
            text.push('\n');
        }
    };
    for act in acts {
        match act.kind {
            ActKind::Nop => line(&mut text, instructions.nop),
            ActKind::EarlyReturn => {
                let label = format!(".Lf{index}_{labels}");
                labels += 1;
                line(&mut text, &(instructions.branch)(&label));
                line(&mut text, "\t.cfi_remember_state");
                undo.iter().rev().for_each(|lines| line(&mut text, lines));
                line(&mut text, instructions.ret);
                line(&mut text, &format!("{label}:\n\t.cfi_restore_state"));
            }
            _ => {
                let Some((lines, undone)) = (instructions.act)(&mut frame, *act) else { continue };
                line(&mut text, &lines);
                undo.push(undone);
                frame.done += 1;
            }
        }
    }
    undo.iter().rev().for_each(|lines| line(&mut text, lines));
    line(&mut text, instructions.ret);
    line(&mut text, &format!("\t.cfi_endproc\n\t.size f{index}, .-f{index}"));
    text
}
