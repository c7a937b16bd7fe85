//! AMD64 words (Intel SDM volume 2, 2.1 to 2.7): prefixes, REX, VEX or EVEX, the opcode of each
//! map, ModRM forms; what follows is random.

use types::Rng;

/// Escapes to the four opcode maps of legacy encodings.
const MAPS: [&[u8]; 4] = [&[], &[0x0f], &[0x0f, 0x38], &[0x0f, 0x3a]];
/// The prefix that is part of an opcode, or LOCK.
const PREFIXES: [&[u8]; 5] = [&[], &[0x66], &[0xf2], &[0xf3], &[0xf0]];
/// Escape and opcode, prefix, ModRM.reg, register or memory.
const LEGACY: u64 = 1024 * 5 * 8 * 2;
/// Opcode of maps 1 to 3, `pp`, L.
const VEX: u64 = 768 * 4 * 2;
/// Opcode of maps 1 to 3, `pp`, L'L, W.
const EVEX: u64 = 768 * 4 * 4;

pub(super) fn word(index: u64, random: &mut Rng) -> Vec<u8> {
    // Most patterns are legacy ones; each round goes through all.
    let at = index.wrapping_mul(0x9_e375) % (LEGACY + VEX + EVEX);
    let mut word = if at < LEGACY {
        legacy(at, random)
    } else if at < LEGACY + VEX {
        vex(at - LEGACY, random)
    } else {
        evex(at - LEGACY - VEX, random)
    };
    word.extend((word.len()..15).map(|_| random.byte()));
    word
}

fn legacy(at: u64, random: &mut Rng) -> Vec<u8> {
    let (opcode, map, rest) = (at as u8, (at >> 8 & 3) as usize, at >> 10);
    let (reg, memory, prefix) = ((rest & 7) as u8, rest >> 3 & 1 == 1, (rest >> 4) as usize);
    let mut word: Vec<u8> = PREFIXES.get(prefix).copied().unwrap_or_default().to_vec();
    // A third have no REX, a third any, a third REX.W.
    match random.bits() % 3 {
        0 => {}
        1 => word.push(0x40 | random.byte() & 0xf),
        _ => word.push(0x48),
    }
    word.extend_from_slice(MAPS.get(map).copied().unwrap_or_default());
    word.extend([opcode, modrm(reg, memory, random)]);
    word
}

/// Memory through a register, without, or with 8 or 32 bits of displacement; or two registers.
fn modrm(reg: u8, memory: bool, random: &mut Rng) -> u8 {
    let mode = if memory { random.byte() % 3 } else { 3 };
    mode << 6 | reg << 3 | random.byte() & 7
}

fn vex(at: u64, random: &mut Rng) -> Vec<u8> {
    let (opcode, map, pp, long) = (at as u8, (at >> 8) % 3, (at / 768 % 4) as u8, (at / 3072) as u8);
    let memory = random.byte() & 1 == 1;
    let reg = random.byte() & 7;
    let last = random.byte() & 0xf8 | long << 2 | pp;
    vec![0xc4, 0xe1 + map as u8, last, opcode, modrm(reg, memory, random)]
}

fn evex(at: u64, random: &mut Rng) -> Vec<u8> {
    let (opcode, map, pp, long) = (at as u8, (at >> 8) % 3, (at / 768 % 4) as u8, (at / 3072) as u8);
    let memory = random.byte() & 1 == 1;
    let reg = random.byte() & 7;
    let second = random.byte() & 0xf8 | 4 | pp;
    let third = random.byte() & 0x9f | long << 5 | 8;
    vec![0x62, 0xf1 + map as u8, second, third, opcode, modrm(reg, memory, random)]
}

/// Prefixes but REX, escape, opcode, and whether the operand is a register or memory.
pub(super) fn opcode(word: &[u8]) -> String {
    let start = word.iter().take_while(|byte| matches!(byte, 0x66 | 0xf2 | 0xf3 | 0xf0)).count();
    let (prefixes, rest) = word.split_at(start);
    let rest = match rest {
        [0x40..=0x4f, rest @ ..] => rest,
        rest => rest,
    };
    let length = match rest {
        [0x0f, 0x38 | 0x3a, ..] => 3,
        [0x0f, ..] => 2,
        [0xc4, ..] => 4,
        [0x62, ..] => 5,
        _ => 1,
    };
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let form = if rest.get(length).is_some_and(|modrm| *modrm >= 0xc0) { "r" } else { "m" };
    format!("{}{}.{form}", hex(prefixes), hex(rest.get(..length).unwrap_or(rest)))
}
