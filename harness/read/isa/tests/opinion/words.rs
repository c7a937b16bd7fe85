//! Opcode patterns with random operands.

use types::Abi;
use types::Rng;

/// The `index`-th instruction pattern of a seed, sixteen bytes.
pub(crate) fn word(abi: Abi, index: u64, seed: u64) -> Vec<u8> {
    let mut random = Rng::new(seed << 40 ^ index);
    let mut bytes = [random.bits().to_le_bytes(), random.bits().to_le_bytes()].concat();
    match abi {
        Abi::Amd64 => amd64(&mut bytes, &mut random),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64(&mut bytes, &mut random),
        Abi::S390x => s390x(&mut bytes, &mut random),
    }
    bytes
}

/// Fills in prefixes, REX, escape and opcode; rSP and rBP are more frequent in ModRM than other
/// registers.
fn amd64(bytes: &mut [u8], random: &mut Rng) {
    let prefix: &[u8] = random.pick(&[&[], &[], &[], &[0x66], &[0xf2], &[0xf3]]);
    let rex: &[u8] = random.pick(&[&[], &[0x48], &[0x40], &[0x4c], &[0x41]]);
    let escape: &[u8] = random.pick(&[&[], &[], &[], &[0x0f], &[0x0f], &[0x0f, 0x38], &[0x0f, 0x3a]]);
    let opcode = random.bits().to_le_bytes()[0];
    let any = random.bits().to_le_bytes()[1];
    let modrm = random.pick(&[0xc4, 0xc5, 0xe0, 0xe8, 0xe4, 0x24, 0x45, any]);
    let start = [prefix, rex, escape, &[opcode, modrm]].concat();
    bytes[..start.len()].copy_from_slice(&start);
}

/// Fills in register fields; SP, FP and link register are more frequent than others.
fn aarch64(bytes: &mut [u8], random: &mut Rng) {
    let mut word = random.bits() as u32;
    for field in [0, 5, 10, 16] {
        if random.bits().is_multiple_of(3) {
            word = word & !(31 << field) | random.pick(&[29, 30, 31]) << field;
        }
    }
    bytes[..4].copy_from_slice(&word.to_le_bytes());
}

/// Fills in opcodes and registers; two-byte opcodes and %r11, %r14, %r15 are more frequent.
fn s390x(bytes: &mut [u8], random: &mut Rng) {
    const LONG: [u8; 18] =
        [0xb2, 0xb3, 0xb9, 0xb9, 0xa5, 0xa7, 0xc0, 0xc2, 0xc4, 0xc6, 0xc8, 0xcc, 0xe3, 0xe3, 0xe7, 0xeb, 0xec, 0xed];
    if !random.bits().is_multiple_of(4) {
        bytes[0] = random.pick(&LONG);
    }
    if random.bits().is_multiple_of(2) {
        bytes[1] = random.pick(&[0xb0, 0xe0, 0xf0, 0xa0]) | bytes[1] & 15;
    }
    if matches!(bytes[0], 0xb2 | 0xb3 | 0xb9) {
        bytes[1] = random.bits() as u8;
        bytes[3] = random.pick(&[0xb0, 0xe0, 0xf0, 0xa0]) | bytes[3] & 15;
    }
}
