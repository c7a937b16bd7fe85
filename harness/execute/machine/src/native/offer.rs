//! What a processor offers: the answers of CPUID (Intel SDM volume 2, CPUID), by which C libraries
//! choose their functions. Instructions of level x86-64-v3 are offered where the host executes
//! them. Those of AVX-512 are executed and not offered: signal frames do not have their registers.

use std::sync::OnceLock;

/// Leaf 1 and leaf 7 of the emulator's processor, without vectors of 256 bits: EAX, EBX, ECX, EDX.
const LEAF_1: [u32; 4] = [0x0003_06c4, 0x0000_0800, 0xced8_2203, 0x078b_fbfd];
const LEAF_7: [u32; 4] = [0, 0x0000_0389, 0, 0];
/// Leaf 1, ECX: FMA, AVX and F16C.
const WIDE_1: u32 = 1 << 12 | 1 << 28 | 1 << 29;
/// Leaf 7, EBX: AVX2.
const WIDE_7: u32 = 1 << 5;
/// Leaf 13, 1, EAX: XSAVEOPT and XGETBV with ECX 1. XSAVEC is executed and not offered: the second
/// engine (QEMU 10) lacks it.
const SAVES: u32 = 0b101;

/// The components of the extended state that are enabled (Intel SDM volume 1, 13.1): x87, SSE, AVX.
pub(super) const ENABLED: u64 = 7;
/// Offset and size of the AVX component, and size of all three with the header.
pub(super) const AVX: (usize, usize) = (576, 256);
pub(super) const AREA: usize = 832;

/// Returns true if the processor offers vectors of 256 bits.
pub(crate) fn wide() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(super::executes_v3)
}

/// The answer of CPUID if it differs from that of the emulator: EAX, EBX, ECX, EDX.
pub(crate) fn answer(leaf: u32, part: u32) -> Option<[u32; 4]> {
    wide().then(|| wide_answer(leaf, part)).flatten()
}

fn wide_answer(leaf: u32, part: u32) -> Option<[u32; 4]> {
    Some(match (leaf, part) {
        (1, _) => [LEAF_1[0], LEAF_1[1], LEAF_1[2] | WIDE_1, LEAF_1[3]],
        (7, 0) => [LEAF_7[0], LEAF_7[1] | WIDE_7, LEAF_7[2], LEAF_7[3]],
        (13, 0) => [ENABLED as u32, AREA as u32, AREA as u32, 0],
        (13, 1) => [SAVES, AREA as u32, 0, 0],
        (13, 2) => [AVX.1 as u32, AVX.0 as u32, 0, 0],
        _ => return None,
    })
}

/// AT_HWCAP (Linux `arch/x86/include/asm/elf.h`): EDX of leaf 1. AT_HWCAP2: FSGSBASE.
pub(crate) const CAPABILITIES: [u64; 2] = [LEAF_1[3] as u64, 1 << 1];

#[cfg(test)]
mod tests {
    use unicorn_engine::RegisterX86 as R;

    use super::*;
    use crate::amd64::TARGET;
    use crate::engine::Engine;
    use crate::layout::{Access, PAGE, Span};
    use crate::memory::Memory;

    /// The emulator's own answers, to which the offers are added.
    #[test]
    fn the_rest_of_a_leaf_is_as_the_emulator_has_it() {
        const AT: u64 = 0x1000;
        let mut engine = Engine::new(&TARGET).expect("a processor");
        let mut memory = Memory::new(PAGE);
        let access = Access(Access::READ.0 | Access::EXECUTE.0);
        memory.map(&engine, Span::uniform(AT, PAGE, access)).expect("a page");
        // cpuid
        assert!(memory.write(AT, &[0x0f, 0xa2]));
        for (leaf, kept) in [(1, LEAF_1), (7, LEAF_7)] {
            engine.write(R::RAX as i32, leaf).expect("a register");
            engine.write(R::RCX as i32, 0).expect("a register");
            engine.start(AT, AT + 2, 0).expect("executes");
            assert_eq!([R::RAX, R::RBX, R::RCX, R::RDX].map(|id| engine.read(id as i32) as u32), kept, "{leaf}");
            let offered = wide_answer(leaf as u32, 0).expect("an answer");
            assert!(kept.iter().zip(offered).all(|(kept, offered)| kept & offered == *kept), "{leaf}");
        }
    }
}
