//! The registers that a call preserves, floating-point registers included: which of them an
//! instruction may write, and whether it may save one.

use types::{Abi, Reg, RegisterSet};

use crate::effects::s390x::floating;
use crate::flow::{self, Insn};
use crate::simple::{Does, Executable, Operand, Simple};

/// What an instruction does with the registers that a call preserves, other than SP and FP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// The registers that it may write.
    pub written: RegisterSet,
    /// True if it may store one of them.
    pub stores: bool,
}

/// What an instruction does with the registers that a call preserves. `bytes` begin with it;
/// `simple` is its operation, as from [`crate::simple::decode`].
pub fn uses(abi: Abi, bytes: &[u8], insn: &Insn, simple: Option<&Executable>) -> Uses {
    let preserved: RegisterSet = abi.facts().preserved().collect();
    let (written, stored) = match abi {
        Abi::Amd64 => of_amd64(
            bytes,
            simple.and_then(|simple| match simple {
                Executable::Amd64(simple) => Some(simple),
                Executable::Aarch64(_) | Executable::S390x(_) => None,
            }),
        ),
        Abi::Aarch64 | Abi::Aarch64Be => of_aarch64(bytes),
        Abi::S390x => of_s390x(bytes),
    };
    let general = match abi {
        Abi::Amd64 => RegisterSet::NONE,
        Abi::Aarch64 | Abi::Aarch64Be => insn.marks.registers().iter().collect(),
        Abi::S390x => insn.marks.registers().iter().filter(|reg| reg.0 < 16).collect(),
    };
    let stores = !stored.common(preserved).is_empty();
    Uses { written: written.and(general).common(preserved), stores }
}

/// Returns true if an instruction that neither branches nor calls has no operand in memory. `bytes`
/// begin with it.
pub fn is_in_registers(abi: Abi, bytes: &[u8]) -> bool {
    match abi {
        Abi::Amd64 => !crate::amd64::has_memory_operand(bytes),
        Abi::Aarch64 | Abi::Aarch64Be => {
            let word = bytes.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes));
            word.is_some_and(|word| word >> 25 & 0b0101 != 0b0100)
        }
        // RR, RRE and RRF.
        Abi::S390x => bytes.first().is_some_and(|first| matches!(first, 0x10..=0x3f | 0xb3 | 0xb9)),
    }
}

fn of_amd64(bytes: &[u8], simple: Option<&Simple>) -> (RegisterSet, RegisterSet) {
    let register = |operand: Operand| match operand {
        Operand::Register(reg) | Operand::Second(reg) => RegisterSet::one(reg),
        Operand::Vector(_) | Operand::Memory(_) | Operand::Value(_) => RegisterSet::NONE,
    };
    let Some(Simple { does, to, from, .. }) = simple.copied() else {
        let written = flow::written(Abi::Amd64, bytes, 0).map(|all| all.iter().collect());
        return (written.unwrap_or_default(), RegisterSet::NONE);
    };
    match does {
        Does::Pushes => (RegisterSet::NONE, register(from)),
        Does::PushesTwo => (RegisterSet::NONE, register(from).and(register(to))),
        Does::Nothing | Does::Compares(_) | Does::Jumps | Does::BranchesIf(_) => (RegisterSet::NONE, RegisterSet::NONE),
        Does::PopsTwo | Does::Exchanges | Does::ExchangesAndAdds => {
            (register(to).and(register(from)), RegisterSet::NONE)
        }
        Does::Moves if matches!(to, Operand::Memory(_)) => (RegisterSet::NONE, register(from)),
        _ => (register(to), RegisterSet::NONE),
    }
}

/// The vector registers that an AArch64 instruction may write, and the registers that it stores
/// (Arm Architecture Reference Manual DDI 0487, C4.1).
fn of_aarch64(bytes: &[u8]) -> (RegisterSet, RegisterSet) {
    /// DWARF for the Arm 64-bit Architecture, 4.1: V0.
    const V0: u32 = 64;
    let Some(word) = bytes.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes)) else {
        return (RegisterSet::NONE, RegisterSet::NONE);
    };
    let (rd, second) = (word & 31, word >> 10 & 31);
    let vector = |number: u32| Reg((V0 + number % 32) as u16);
    let set = |all: &[Reg]| all.iter().copied().collect::<RegisterSet>();
    // A list of up to four (LD1 to LD4, and those of SVE).
    let four = || set(&[vector(rd), vector(rd + 1), vector(rd + 2), vector(rd + 3)]);
    let is_pair = word & 0x3800_0000 == 0x2800_0000;
    match (word >> 25 & 0xf, word & 1 << 26 != 0) {
        (group, is_vector) if group & 0b0101 == 0b0100 => {
            let is_store = word & 1 << 22 == 0;
            let data = |number: u32| if is_vector { vector(number) } else { Reg(number as u16) };
            match (is_store, is_vector) {
                (true, _) if is_pair => (RegisterSet::NONE, set(&[data(rd), data(second)])),
                (true, _) => (RegisterSet::NONE, set(&[data(rd)])),
                (false, true) if is_pair => (set(&[vector(rd), vector(second)]), RegisterSet::NONE),
                (false, true) => (four(), RegisterSet::NONE),
                (false, false) => (RegisterSet::NONE, RegisterSet::NONE),
            }
        }
        (0b0111 | 0b1111, _) => (set(&[vector(rd)]), RegisterSet::NONE),
        (0b0010, _) => (four(), RegisterSet::NONE),
        _ => (RegisterSet::NONE, RegisterSet::NONE),
    }
}

/// The floating-point registers that an s390x instruction may write, and the registers that it
/// stores (z/Architecture Principles of Operation SA22-7832, appendix B).
fn of_s390x(bytes: &[u8]) -> (RegisterSet, RegisterSet) {
    let mut padded = [0_u8; 6];
    padded.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
    let [first, second, _, fourth, fifth, last] = padded;
    let (high, low) = (second >> 4, second & 15);
    let float = |number: u8| RegisterSet::one(floating(number));
    let general = |number: u8| RegisterSet::one(Reg(u16::from(number)));
    match (first, last) {
        // STD, STE; STG, STMG; STDY, STEY.
        (0x60 | 0x70, _) => (RegisterSet::NONE, float(high)),
        (0xe3, 0x24) => (RegisterSet::NONE, general(high)),
        (0xeb, 0x24) => {
            let count = low.wrapping_sub(high) & 15;
            let all = (0..=count).map(|at| Reg(u16::from(high.wrapping_add(at) & 15)));
            (RegisterSet::NONE, all.collect())
        }
        (0xed, 0x66 | 0x67) => (RegisterSet::NONE, float(high)),
        (0x20..=0x3f | 0x61..=0x6f | 0x71..=0x7f, _) => (float(high), RegisterSet::NONE),
        // LGDR writes a general register.
        (0xb3, _) if second != 0xcd => (float(fourth >> 4), RegisterSet::NONE),
        // The register of some formats is in the last but one byte.
        (0xed, _) => (float(high).and(float(fifth >> 4)), RegisterSet::NONE),
        (0xe6 | 0xe7, _) => (float(high), RegisterSet::NONE),
        _ => (RegisterSet::NONE, RegisterSet::NONE),
    }
}
