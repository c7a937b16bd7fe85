//! Effects of an instruction on registers and stack slots that unwinding needs, as small
//! operations: enough to follow SP, FP and the return address through a function, and to find where
//! it saves the registers that a call preserves. Registers have their DWARF numbers.

mod aarch64;
mod amd64;
pub(crate) mod s390x;

use types::{Abi, Reg, SavedAt};

use crate::Code;
use crate::flow::{Insn, Marks};
use crate::simple::Executable;

/// One operation. An instruction consists of several, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// `to` = `base` + `offset`.
    Sets {
        /// The register that is written.
        to: Reg,
        /// The register that is read.
        base: Reg,
        /// Added to `base`, in bytes.
        offset: i64,
    },
    Constant {
        /// The register that is written.
        to: Reg,
        /// The constant.
        value: i64,
    },
    /// The 16 bits of `to` that begin at bit `at` become `bits`.
    Inserts {
        /// The register that is changed.
        to: Reg,
        bits: u16,
        /// Number of the first bit, counted from the least significant.
        at: u32,
    },
    /// `to` = `base` + `by`, or `base` - `by`.
    Adds {
        /// The register that is written.
        to: Reg,
        /// The first operand.
        base: Reg,
        /// The second operand.
        by: Reg,
        /// 1, or -1 for a subtraction.
        sign: i64,
    },
    /// Stores 8 bytes: [`base` + `offset`] = `from`.
    Stores {
        /// The register that is read.
        from: Reg,
        /// The register that the address is relative to.
        base: Reg,
        /// Offset of the slot from `base`, in bytes.
        offset: i64,
    },
    /// Loads 8 bytes: `to` = [`base` + `offset`].
    Loads {
        /// The register that is written.
        to: Reg,
        /// The register that the address is relative to.
        base: Reg,
        /// Offset of the slot from `base`, in bytes.
        offset: i64,
    },
    /// [`base` + `offset`], 8 bytes, gets a value that is not tracked.
    Overwrites {
        /// The register that the address is relative to.
        base: Reg,
        /// Offset of the slot from `base`, in bytes.
        offset: i64,
    },
    /// The register gets a value that is not tracked.
    Loses(Reg),
    /// General registers other than SP, FP and the link register may get untracked values.
    LosesOthers,
}

/// The instruction at `offset` in a piece of code, and its effects; `None` if it cannot be decoded.
pub fn decode(abi: Abi, code: &mut Code<'_>, offset: usize) -> Option<(Insn, Vec<Effect>)> {
    let (insn, simple) = code.simple(offset)?;
    let bytes = code.from(offset);
    let known = match abi {
        Abi::Amd64 => match simple {
            Some(Executable::Amd64(simple)) => amd64::effects(&simple),
            _ => None,
        },
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::effects(bytes, abi.facts().order),
        Abi::S390x => s390x::effects(bytes),
    };
    Some((insn, known.unwrap_or_else(|| unknown(abi, insn.marks))))
}

/// The place to which the instruction at the start of the bytes copies a register.
pub fn saves(abi: Abi, bytes: &[u8], pc: u64, register: Reg) -> Option<SavedAt> {
    all_saves(abi, bytes, pc).into_iter().find(|(from, _)| *from == register).map(|(_, place)| place)
}

/// The registers that the instruction at the start of the bytes copies, with their places.
pub fn all_saves(abi: Abi, bytes: &[u8], pc: u64) -> Vec<(Reg, SavedAt)> {
    let Some((_, effects)) = decode(abi, &mut Code::new(abi, bytes, pc), 0) else { return Vec::new() };
    // A push lowers SP first.
    let mut moved: Option<(Reg, i64)> = None;
    let mut saves = Vec::new();
    for effect in effects {
        match effect {
            Effect::Stores { from, base, offset } => {
                let by = moved.filter(|(reg, _)| *reg == base).map_or(0, |(_, by)| by);
                saves.push((from, SavedAt::Slot { base, offset: offset.wrapping_add(by) }));
            }
            Effect::Sets { to, base, offset } if to == base => moved = Some((to, offset)),
            Effect::Sets { to, base, offset: 0 } => saves.push((base, SavedAt::Register(to))),
            Effect::Sets { .. }
            | Effect::Constant { .. }
            | Effect::Inserts { .. }
            | Effect::Adds { .. }
            | Effect::Loads { .. }
            | Effect::Overwrites { .. }
            | Effect::Loses(_)
            | Effect::LosesOthers => {}
        }
    }
    saves
}

/// The base register and offset of the 8 bytes that a simple instruction stores, unless it is a
/// push. Only on AMD64.
pub fn stored(simple: &Executable) -> Option<(Reg, i64)> {
    match simple {
        Executable::Amd64(simple) => amd64::stored(simple),
        Executable::Aarch64(_) | Executable::S390x(_) => None,
    }
}

/// The effects of an instruction of which only the marks are known.
fn unknown(abi: Abi, marks: Marks) -> Vec<Effect> {
    let facts = abi.facts();
    let written = [(Marks::WRITES_SP, facts.sp), (Marks::WRITES_FP, facts.fp), (Marks::WRITES_LINK, facts.ra)];
    let lost = written.into_iter().filter(|(mark, _)| marks.any(*mark)).map(|(_, reg)| Effect::Loses(reg));
    lost.chain([Effect::LosesOthers]).collect()
}
