//! AMD64. Only the instructions of PLT entries are decoded (System V AMD64 psABI 1.0, 5.2; IBT
//! entries as GNU ld makes them).

use super::{Arch, Instruction, Kind};

pub(super) const ARCH: Arch = Arch {
    decode,
    // System V AMD64 psABI 1.0, table 4.9: R_X86_64_PC32, R_X86_64_PC64, R_X86_64_NONE.
    pc_relative: (2, 24),
    none: &[0],
    describes_plt: true,
    // System V AMD64 psABI 1.0, figure 5.2: slots push a relocation index, then the first entry
    // pushes the link map.
    plt_resolver: Some((PUSH_FROM_MEMORY, 8)),
    default_row: |_, _| (),
    flex_row: |_, _| (),
};

const PUSH_FROM_MEMORY: u16 = 0xff35;

fn decode(bytes: &[u8]) -> Option<Instruction> {
    let instruction = |length: u8, kind: Kind, opcode: u16| Some(Instruction { length, kind, opcode });
    match *bytes {
        // endbr64
        [0xf3, 0x0f, 0x1e, 0xfa, ..] => instruction(4, Kind::Other, 0x0f1e),
        // bnd jmp *disp(%rip), bnd jmp rel32
        [0xf2, 0xff, 0x25, _, _, _, _, ..] => instruction(7, Kind::IndirectJump, 0xff25),
        [0xf2, 0xe9, _, _, _, _, ..] => instruction(6, Kind::Jump, 0xe9),
        // jmp *disp(%rip), push disp(%rip)
        [0xff, 0x25, _, _, _, _, ..] => instruction(6, Kind::IndirectJump, 0xff25),
        [0xff, 0x35, _, _, _, _, ..] => instruction(6, Kind::Push(8), PUSH_FROM_MEMORY),
        // push imm32, jmp rel32, jmp rel8
        [0x68, _, _, _, _, ..] => instruction(5, Kind::Push(8), 0x68),
        [0xe9, _, _, _, _, ..] => instruction(5, Kind::Jump, 0xe9),
        [0xeb, _, ..] => instruction(2, Kind::Jump, 0xeb),
        _ => instruction(nop(bytes)?, Kind::Other, 0x90),
    }
}

/// Length of a nop: `90`, or `0f 1f` with a memory operand, after any operand size and segment
/// prefixes.
fn nop(bytes: &[u8]) -> Option<u8> {
    const PREFIXES: [u8; 2] = [0x66, 0x2e];
    let prefixes = bytes.iter().take(8).take_while(|byte| PREFIXES.contains(byte)).count();
    let rest = bytes.get(prefixes..)?;
    let length = match *rest {
        [0x90, ..] => 1,
        // ModRM: mod 00, 01, 10 add 0, 1, 4 bytes of displacement; rm 100 adds a SIB byte.
        [0x0f, 0x1f, modrm, ..] => match (modrm >> 6, modrm & 7) {
            (0, 4) => 4,
            (0, 5) => 7,
            (0, _) => 3,
            (1, 4) => 5,
            (1, _) => 4,
            (2, 4) => 8,
            (2, _) => 7,
            _ => return None,
        },
        _ => return None,
    };
    let whole = prefixes.checked_add(length)?;
    if whole > bytes.len() { None } else { u8::try_from(whole).ok() }
}
