//! What the kernel saved for a signal, as call frame information of the code that a handler returns to: SP is as the handler left it.

use types::{Abi, Reg};

use super::OwnCfi;
use super::cfi::{loaded, sum};
use crate::eh_frame::Cfi;

/// Registers of which each is saved 8 bytes behind the one before.
type Run = (i64, &'static [u16]);

/// Linux `arch/x86/include/asm/sigframe.h`, `struct rt_sigframe`, and `uapi/asm/sigcontext.h`: `uc` is at SP, r8 40 bytes into it. DWARF numbers:
/// System V AMD64 psABI 1.0, figure 3.36.
const AMD64: &[Run] = &[(40, &[8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, 7, 16])];

/// Linux `arch/arm64/kernel/signal.c`, `struct rt_sigframe`, and `uapi/asm/sigcontext.h`: x0 is 312 bytes into it, then x1 to x30; SP and PC
/// follow. AADWARF64: the PC has no number, so that the return address gets one that no register has.
const AARCH64: &[Run] = &[(
    312,
    &[
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
        30, 31, 32,
    ],
)];

/// Linux `arch/s390/kernel/signal.c`, `struct rt_sigframe`, and `uapi/asm/sigcontext.h`: the PSW's address, r0 to r15, f0 to f7. DWARF numbers:
/// s390x ELF ABI 1.6, 1.5; 65 is the PSW's address.
const S390X: &[Run] = &[
    (344, &[65]),
    (352, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]),
    (552, &[16, 20, 17, 21, 18, 22, 19, 23]),
];

/// The signal frame of a target.
pub(crate) fn signal_frame(abi: Abi) -> OwnCfi {
    let (runs, return_column) = match abi {
        Abi::Amd64 => (AMD64, Reg(16)),
        Abi::Aarch64 | Abi::Aarch64Be => (AARCH64, Reg(32)),
        Abi::S390x => (S390X, Reg(65)),
    };
    let sp = abi.facts().sp;
    let saved: Vec<(Reg, i64)> = runs
        .iter()
        .flat_map(|(from, registers)| registers.iter().zip((*from..).step_by(8)))
        .map(|(register, at)| (Reg(*register), at))
        .collect();
    let program = saved.iter().map(|(register, at)| match *register == sp {
        true => Cfi::DefCfaExpression(cfa(abi, *at)),
        false => Cfi::Expression(*register, sum(sp, *at)),
    });
    // Where SP is not the CFA, it has a rule of its own.
    let own = saved.iter().filter(|(register, _)| *register == sp && abi.facts().caller_sp_minus_cfa != 0);
    let own = own.map(|(register, at)| Cfi::Expression(*register, sum(sp, *at)));
    OwnCfi { return_column, program: program.chain(own).map(|cfi| (0, cfi)).collect() }
}

/// The interrupted SP, and what the CFA is above it.
fn cfa(abi: Abi, at: i64) -> Vec<u8> {
    let mut expression = loaded(abi.facts().sp, at);
    match -abi.facts().caller_sp_minus_cfa {
        0 => {}
        above => {
            // DW_OP_plus_uconst
            let mut more = crate::bytes::Bytes::new(abi.facts().order);
            more.u8(0x23);
            more.uleb(above as u64);
            expression.extend(more.finish());
        }
    }
    expression
}
