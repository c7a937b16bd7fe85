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

#[cfg(test)]
mod tests {
    use super::*;

    fn of(abi: Abi, bytes: &[u8]) -> Vec<Effect> {
        decode(abi, &mut Code::new(abi, bytes, 0x1000), 0).map(|(_, effects)| effects).unwrap_or_default()
    }

    const fn sets(to: u16, base: u16, offset: i64) -> Effect {
        Effect::Sets { to: Reg(to), base: Reg(base), offset }
    }

    const fn stores(from: u16, base: u16, offset: i64) -> Effect {
        Effect::Stores { from: Reg(from), base: Reg(base), offset }
    }

    const fn loads(to: u16, base: u16, offset: i64) -> Effect {
        Effect::Loads { to: Reg(to), base: Reg(base), offset }
    }

    /// Encodings are those of GNU as.
    #[test]
    fn amd64_frames() {
        let table: [(&[u8], Vec<Effect>); 12] = [
            (&[0x55], vec![sets(7, 7, -8), stores(6, 7, 0)]),          // push %rbp
            (&[0x5d], vec![loads(6, 7, 0), sets(7, 7, 8)]),            // pop %rbp
            (&[0x48, 0x89, 0xe5], vec![sets(6, 7, 0)]),                // mov %rsp,%rbp
            (&[0xc9], vec![sets(7, 6, 8), loads(6, 7, -8)]),           // leave
            (&[0x48, 0x83, 0xec, 0x18], vec![sets(7, 7, -24)]),        // sub $24,%rsp
            (&[0x48, 0x8d, 0x65, 0xd8], vec![sets(7, 6, -40)]),        // lea -40(%rbp),%rsp
            (&[0x48, 0x83, 0xe4, 0xf0], vec![Effect::Loses(Reg(7))]),  // and $-16,%rsp
            (&[0x48, 0x89, 0x6c, 0x24, 0xf8], vec![stores(6, 7, -8)]), // mov %rbp,-8(%rsp)
            (&[0x31, 0xed], vec![Effect::Loses(Reg(6))]),              // xor %ebp,%ebp
            (&[0x48, 0x83, 0x0c, 0x24, 0x00], vec![]),                 // orq $0,(%rsp)
            (&[0x0f, 0xa2], vec![Effect::LosesOthers]),                // cpuid
            (&[0x48, 0x29, 0xc4], vec![Effect::Adds { to: Reg(7), base: Reg(7), by: Reg(0), sign: -1 }]), // sub %rax,%rsp
        ];
        for (bytes, expected) in table {
            assert_eq!(of(Abi::Amd64, bytes), expected, "{bytes:x?}");
        }
    }

    #[test]
    fn the_place_of_a_save() {
        let at = |base: u16, offset| Some(SavedAt::Slot { base: Reg(base), offset });
        let of = |abi, bytes: &[u8], reg: u16| saves(abi, bytes, 0x1000, Reg(reg));
        let word = |word: u32| word.to_le_bytes();
        assert_eq!(of(Abi::Amd64, &[0x55], 6), at(7, -8)); // push %rbp
        assert_eq!(of(Abi::Amd64, &[0x53], 6), None); // push %rbx
        assert_eq!(of(Abi::Amd64, &[0x48, 0x89, 0x6c, 0x24, 0xf8], 6), at(7, -8)); // mov %rbp,-8(%rsp)
        assert_eq!(of(Abi::Amd64, &[0x49, 0x89, 0xec], 6), Some(SavedAt::Register(Reg(12)))); // mov %rbp,%r12
        assert_eq!(of(Abi::Aarch64, &word(0xa9be_7bfd), 30), at(31, -24)); // stp x29,x30,[sp,#-32]!
        assert_eq!(of(Abi::Aarch64, &word(0x9100_03fd), 29), None); // mov x29,sp
        assert_eq!(of(Abi::S390x, &[0xeb, 0xbf, 0xf0, 0x58, 0, 0x24], 14), at(15, 112)); // stmg %r11,%r15,88(%r15)
        assert_eq!(of(Abi::S390x, &[0xb3, 0xc1, 0, 0x2b], 11), Some(SavedAt::Register(Reg(17)))); // ldgr %f2,%r11
    }

    #[test]
    fn aarch64_frames() {
        let table = [
            (0xa9be_7bfd_u32, vec![sets(31, 31, -32), stores(29, 31, 0), stores(30, 31, 8)]), // stp x29,x30,[sp,#-32]!
            (0xa8c2_7bfd, vec![loads(29, 31, 0), loads(30, 31, 8), sets(31, 31, 32)]),        // ldp x29,x30,[sp],#32
            (0xa901_7bfd, vec![stores(29, 31, 16), stores(30, 31, 24)]),                      // stp x29,x30,[sp,#16]
            (0x9100_03fd, vec![sets(29, 31, 0)]),                                             // mov x29,sp
            (0xd140_07ff, vec![sets(31, 31, -4096)]),                                         // sub sp,sp,#1,lsl #12
            (0xf81f_0ffe, vec![sets(31, 31, -16), stores(30, 31, 0)]),                        // str x30,[sp,#-16]!
            (0xf841_07fe, vec![loads(30, 31, 0), sets(31, 31, 16)]),                          // ldr x30,[sp],#16
            (0xf900_0ffe, vec![stores(30, 31, 24)]),                                          // str x30,[sp,#24]
            (0x6dbf_27e8, vec![sets(31, 31, -16), stores(72, 31, 0), stores(73, 31, 8)]),     // stp d8,d9,[sp,#-16]!
            (0xad00_a7e8, vec![stores(72, 31, 16), stores(73, 31, 32)]),                      // stp q8,q9,[sp,#16]
            (0xfd40_13e8, vec![loads(72, 31, 32)]),                                           // ldr d8,[sp,#32]
            (0x3d80_0be8, vec![stores(72, 31, 32)]),                                          // str q8,[sp,#32]
            (0xbd00_23e8, vec![]),                                                            // str s8,[sp,#32]
            (0xcb2c_63ff, vec![Effect::Adds { to: Reg(31), base: Reg(31), by: Reg(12), sign: -1 }]), // sub sp,sp,x12
            (0xd282_000c, vec![Effect::Constant { to: Reg(12), value: 4096 }]),               // mov x12,#4096
            (0xf2a0_262c, vec![Effect::Inserts { to: Reg(12), bits: 0x131, at: 16 }]),        // movk x12,#0x131,lsl #16
            (0xaa1e_03e9, vec![sets(9, 30, 0)]),                                              // mov x9,x30
            (0xd503_233f, vec![]),                                                            // paciasp
            (0xd503_201f, vec![]),                                                            // nop
            (0xf940_03fd, vec![loads(29, 31, 0)]),                                            // ldr x29,[sp]
        ];
        for (word, expected) in table {
            assert_eq!(of(Abi::Aarch64, &word.to_le_bytes()), expected, "{word:#x}");
        }
    }

    #[test]
    fn s390x_frames() {
        let saved: Vec<Effect> = (11..=15).map(|reg| stores(reg, 15, 88 + 8 * (i64::from(reg) - 11))).collect();
        // The base register is loaded last.
        let load = |reg: u16| loads(reg, 11, 248 + 8 * (i64::from(reg) - 11));
        let loaded = [12, 13, 14, 15, 11].map(load).to_vec();
        let table: [(&[u8], Vec<Effect>); 10] = [
            (&[0x60, 0x80, 0xf0, 0x80], vec![stores(24, 15, 128)]), // std %f8,128(%r15)
            (&[0xed, 0x90, 0xff, 0xf0, 0xff, 0x65], vec![loads(28, 15, -16)]), // ldy %f9,-16(%r15)
            (&[0xeb, 0xbf, 0xf0, 0x58, 0x00, 0x24], saved),         // stmg %r11,%r15,88(%r15)
            (&[0xeb, 0xbf, 0xb0, 0xf8, 0x00, 0x04], loaded),        // lmg %r11,%r15,248(%r11)
            (&[0xa7, 0xfb, 0xff, 0x60], vec![sets(15, 15, -160)]),  // aghi %r15,-160
            (&[0xe3, 0xf0, 0xff, 0x60, 0xff, 0x71], vec![sets(15, 15, -160)]), // lay %r15,-160(%r15)
            (&[0xb9, 0x04, 0x00, 0xbf], vec![sets(11, 15, 0)]),     // lgr %r11,%r15
            (&[0xe3, 0x10, 0xf0, 0x00, 0x00, 0x24], vec![stores(1, 15, 0)]), // stg %r1,0(%r15)
            (&[0xb3, 0xc1, 0x00, 0x2b], vec![sets(17, 11, 0)]),     // ldgr %f2,%r11
            (&[0xb3, 0xcd, 0x00, 0xb2], vec![sets(11, 17, 0)]),     // lgdr %r11,%f2
        ];
        for (bytes, expected) in table {
            assert_eq!(of(Abi::S390x, bytes), expected, "{bytes:x?}");
        }
    }
}
