//! s390x: data of its stub and its system calls.

use types::{FrameRegs, Reg, RegFile as _};

use crate::arch::{Asks, CloneArguments, Convention, Names};

pub(crate) static NAMES: Names = Names {
    // General registers, then floating-point registers in the order of their DWARF numbers
    // (s390x ELF ABI supplement, "DWARF Register Number Mapping").
    registers: &[
        "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "f0",
        "f2", "f4", "f6", "f1", "f3", "f5", "f7", "f8", "f10", "f12", "f14", "f9", "f11", "f13", "f15",
    ],
    halves: &[],
    pc: "pswa",
    taken_wider: None,
    qemu: "qemu-s390x",
    longest: 6,
    breakpoint: 2,
    // sar %a1,%r2; sar %a0,%r2
    set_thread_pointer: &[(0, &[0xb2, 0x4e, 0x00, 0x12]), (32, &[0xb2, 0x4e, 0x00, 0x02])],
    thread_pointer: None,
    convention: Convention {
        step_goes_on: false,
        resumes_at: 0,
        code: &[0x0a, 0x00],
        number: Reg(1),
        arguments: [Reg(2), Reg(3), Reg(4), Reg(5), Reg(6), Reg(7)],
        result: Reg(2),
        mmap_in_memory: true,
        clone: CloneArguments { flags: 1, stack: 0, parent_at: 2, child_at: 3, pointer: 4 },
    },
};

/// The outside dependency of an instruction: `svc` with the number in the instruction, or in %r1 if
/// that is 0; `stck` and similar, `stfle`, `stidp` write memory.
pub(crate) fn asks(registers: &FrameRegs, bytes: &[u8]) -> Asks {
    match bytes {
        [0x0a, 0, ..] => Asks::Kernel(registers.read(NAMES.convention.number).unwrap_or(u64::MAX)),
        [0x0a, number, ..] => Asks::Kernel(u64::from(*number)),
        [0xb2, 0x05 | 0x7c | 0x78 | 0xb0 | 0x02, base, displacement, ..] => {
            let at = u64::from(base & 15) << 8 | u64::from(*displacement);
            let base = Some(Reg(u16::from(base >> 4))).filter(|base| base.0 != 0);
            Asks::Unknown(base.map_or(Some(0), |base| registers.read(base)).map(|base| base.wrapping_add(at)))
        }
        _ => Asks::Nothing,
    }
}

/// Length in bytes of an instruction, from its two highest bits (z/Architecture Principles of
/// Operation, "Instruction Formats").
pub(crate) fn length(bytes: &[u8]) -> Option<u64> {
    Some(match bytes.first()? >> 6 {
        0 => 2,
        1 | 2 => 4,
        _ => 6,
    })
}
