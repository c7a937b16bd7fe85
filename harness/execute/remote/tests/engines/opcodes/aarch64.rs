//! Random encodings of AArch64 in each group (Arm ARM DDI 0487, C4.1), with 256-bit vectors.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use types::{Abi, ByteOrder};

use super::{Arch, BUFFER, BUFFER_SIZE, CODE, DATA, Numbers, Program};

pub(crate) const ARCH: Arch = Arch {
    abi: Abi::Aarch64,
    machine: 183,
    qemu: ("qemu-aarch64", &["-cpu", "max,sve-default-vector-length=32"]),
    program,
    instructions,
    normalise: |record| normalise_with(record, 7),
    expected,
};

pub(crate) const BIG: Arch = Arch {
    abi: Abi::Aarch64Be,
    qemu: ("qemu-aarch64_be", &["-cpu", "max,sve-default-vector-length=32"]),
    normalise: |record| normalise_with(record, 0),
    ..ARCH
};

/// Offsets in the printed record: X0 to X30, SP, NZCV, FPCR, FPSR, the signal with its code,
/// address and PC, vectors and predicates, memory.
const OUT: u64 = DATA + 0x1000;
const SIGNAL: u32 = 280;
const VECTORS: u32 = 0x200;
const PREDICATES: u32 = VECTORS + 32 * 32;
const MEMORY: u32 = PREDICATES + 64;
const RECORD: u32 = MEMORY + BUFFER_SIZE as u32;
const NEXT: u64 = DATA + 0x800;
const PATTERN: u64 = DATA + 0x2000;
const ACTION: u64 = DATA + 0x3000;
const ALTERNATE: u64 = DATA + 0x4000;
const STACK: u64 = DATA + 0xf000;
const STATES: u64 = DATA + 0x1_0000;
/// Size of an initial state: vectors, predicates, FPCR, FPSR, NZCV, X0 to X30.
const STATE: u64 = 0x600;
const COUNT: u64 = 40;

struct Code(Vec<u8>);

impl Code {
    fn now(&self) -> u64 {
        CODE + self.0.len() as u64
    }

    fn put(&mut self, word: u32) {
        self.0.extend(word.to_le_bytes());
    }

    /// Emits MOVZ and MOVK.
    fn set(&mut self, register: u32, value: u64) {
        self.put(0xd280_0000 | (value as u32 & 0xffff) << 5 | register);
        self.put(0xf2a0_0000 | ((value >> 16) as u32) << 5 | register);
    }

    /// Emits LDR or STR of a general register with a displacement.
    fn general(&mut self, stores: bool, register: u32, base: u32, displacement: u32) {
        let opcode = if stores { 0xf900_0000 } else { 0xf940_0000 };
        self.put(opcode | (displacement / 8) << 10 | base << 5 | register);
    }

    /// Emits LDR or STR of all vectors, and of the predicates after them.
    fn vectors(&mut self, stores: bool, base: u32, scratch: u32) {
        let opcode = if stores { 0xe580_0000 } else { 0x8580_0000 };
        for number in 0..32 {
            self.put(opcode | 0x4000 | (number >> 3) << 16 | (number & 7) << 10 | base << 5 | number);
        }
        // add scratch, base, #1024
        self.put(0x9110_0000 | base << 5 | scratch);
        for number in 0..16 {
            self.put(opcode | (number >> 3) << 16 | (number & 7) << 10 | scratch << 5 | number);
        }
    }

    fn branch(&mut self, to: u64) {
        let distance = (to.wrapping_sub(self.now()) as i64 / 4) as u32;
        self.put(0x1400_0000 | distance & 0x3ff_ffff);
    }

    /// Emits a copy of the buffer's bytes from X0 to X1.
    fn copied(&mut self) {
        self.put(0xd280_0202); // mov x2, #16
        for word in [0xacc1_0400, 0xac81_0420, 0xf100_0442, 0x54ff_ffa1] {
            self.put(word); // ldp q0, q1, [x0], #32; stp q0, q1, [x1], #32; subs x2, x2, #1; b.ne
        }
    }
}

fn program(tried: &[Vec<u8>], numbers: &mut Numbers, order: ByteOrder) -> Program {
    let mut code = Code(Vec::new());
    code.set(0, ACTION + 64);
    // mov x1, #0; mov x8, #132; svc
    [0xd280_0001, 0xd280_1088, 0xd400_0001].into_iter().for_each(|word| code.put(word));
    for signal in [4, 5, 7, 8, 11] {
        code.put(0xd280_0000 | signal << 5);
        code.set(1, ACTION);
        // mov x2, #0; mov x3, #8; mov x8, #134; svc
        [0xd280_0002, 0xd280_0103, 0xd280_10c8, 0xd400_0001].into_iter().for_each(|word| code.put(word));
    }
    // fsts: none; b first
    let common = code.now() + 4;
    let handler = common + 0x2c0;
    let first = handler + 0x80;
    code.branch(first);
    // msr tpidr_el0, x30
    code.put(0xd51b_d05e);
    code.set(30, OUT);
    (0..30).for_each(|number| code.general(true, number, 30, 8 * number));
    // mrs x0, tpidr_el0; x1: sp; nzcv; fpcr; fpsr
    for (at, word) in (30..).zip([0xd53b_d040, 0x9100_03e0, 0xd53b_4200, 0xd53b_4400, 0xd53b_4420]) {
        code.put(word);
        code.general(true, 0, 30, 8 * at);
    }
    // add x1, x30, #VECTORS
    code.put(0x9108_03c1);
    code.vectors(true, 1, 2);
    code.set(0, STACK);
    code.put(0x9100_001f); // mov sp, x0
    code.set(0, BUFFER);
    code.set(1, OUT + u64::from(MEMORY));
    code.copied();
    code.set(0, PATTERN);
    code.set(1, BUFFER);
    code.copied();
    code.set(1, OUT);
    // mov x0, #1; mov x2, #RECORD; mov x8, #64; svc
    [0xd280_0020, 0xd280_0002 | RECORD << 5, 0xd280_0808, 0xd400_0001].into_iter().for_each(|word| code.put(word));
    code.set(1, OUT);
    (0..4).for_each(|at| code.general(true, 31, 1, SIGNAL + 8 * at));
    code.set(0, NEXT);
    code.general(false, 0, 0, 0);
    code.put(0xd61f_0000); // br x0
    assert!(code.now() <= handler);
    code.0.resize((handler - CODE) as usize, 0);
    code.set(3, OUT);
    code.general(true, 0, 3, SIGNAL);
    for (at, (base, from)) in (1..).zip([(1, 8), (1, 16), (2, 440)]) {
        match from {
            // A 32-bit field.
            8 => code.put(0xb940_0824),
            _ => code.general(false, 4, base, from),
        }
        code.general(true, 4, 3, SIGNAL + 8 * at);
    }
    code.set(5, common);
    code.general(true, 5, 2, 440);
    code.put(0xd65f_03c0);
    code.0.resize((first - CODE) as usize, 0);
    code.set(0, STACK);
    code.put(0x9100_001f); // mov sp, x0
    for one in tried {
        let begin = code.now();
        let state = STATES + STATE * numbers.below(COUNT);
        const HEAD: u64 = 4 * (6 + 1 + 2 + 49 + 6 + 31);
        let next = begin + HEAD + 8;
        code.set(0, next);
        code.set(1, NEXT);
        code.general(true, 0, 1, 0);
        code.set(30, state);
        code.set(1, state);
        code.vectors(false, 30, 0);
        // FPCR, FPSR, NZCV
        for (at, word) in (0..).zip([0xd51b_4400, 0xd51b_4420, 0xd51b_4200]) {
            code.general(false, 0, 30, 0x440 + 8 * at);
            code.put(word);
        }
        (0..31).for_each(|number| code.general(false, number, 30, 0x460 + 8 * number));
        assert_eq!(code.now(), begin + HEAD);
        code.0.extend(one);
        code.branch(common);
        assert_eq!(code.now(), next);
    }
    // mov x0, #0; mov x8, #93; svc
    [0xd280_0000, 0xd280_0ba8, 0xd400_0001].into_iter().for_each(|word| code.put(word));

    let mut data = vec![0; (STATES + COUNT * STATE - DATA) as usize];
    let mut set = |at: u64, bytes: &[u8]| {
        let at = (at - DATA) as usize;
        data[at..at + bytes.len()].copy_from_slice(bytes);
    };
    let word = |value: u64| order.bytes_of(value);
    // SA_SIGINFO | SA_ONSTACK | SA_NODEFER
    set(ACTION, &[word(handler), word(0x4800_0004), [0; 8], [0; 8]].concat());
    set(ACTION + 64, &[word(ALTERNATE), [0; 8], word(0x8000)].concat());
    for at in (0..BUFFER_SIZE).step_by(8) {
        set(PATTERN + at, &numbers.element().to_le_bytes());
    }
    for number in 0..COUNT {
        let state = STATES + STATE * number;
        for at in (0..0x400).step_by(8) {
            set(state + at, &numbers.element().to_le_bytes());
        }
        for at in (0..64).step_by(8) {
            let predicate = numbers.of(&[0, u64::MAX, 0x0101_0101_0101_0101]) | numbers.next() & numbers.next();
            set(state + 0x400 + at, &predicate.to_le_bytes());
        }
        let control = numbers.of(&[0, 0, 0, 1 << 22, 2 << 22, 3 << 22, 1 << 24, 1 << 25, 1 << 19]);
        set(state + 0x440, &[word(control), word(0), word(numbers.below(16) << 28)].concat());
        for register in 0..31 {
            let value = match register {
                4..=7 => BUFFER + 128 + (numbers.below(4) << 4),
                8 | 9 => numbers.below(40),
                _ => numbers.integer(),
            };
            set(state + 0x460 + 8 * register, &word(value));
        }
    }
    Program { code: code.0, data, record: RECORD as usize }
}

/// Returns true for instructions at which the emulator fails an assertion and ends the process
/// (`harness/execute/machine/data`).
fn is_deadly(word: u32) -> bool {
    static KEYS: OnceLock<BTreeSet<String>> = OnceLock::new();
    let keys = KEYS.get_or_init(|| {
        let lines = include_str!("../../../../machine/data/aarch64-le.txt").lines();
        lines
            .filter(|line| line.starts_with("dies"))
            .filter_map(|line| Some(line.split(' ').nth(1)?.to_owned()))
            .collect()
    });
    // Half precision, one operand: only some opcodes.
    word & 0x8f7e_0c00 == 0x0e78_0800 || keys.contains(&format!("{:03x}.{:02x}", word >> 21, word >> 10 & 0x3f))
}

fn is_tried(word: u32) -> bool {
    let is = |mask: u32, bits: u32| word & mask == bits;
    // Excluded: signatures, whose keys differ; memory tags; interruptible memory copies.
    let signs = is(0x7fff_0000, 0x5ac1_0000) || is(0xffe0_fc00, 0x9ac0_3000) || is(0xff20_0400, 0xf820_0400);
    let tags = is(0xff20_0000, 0xd920_0000) || is(0x3f20_0c00, 0x1920_0400) || is(0xffe0_fc00, 0x9ac0_1000);
    // Excluded: exclusive accesses, whose success depends on earlier instructions.
    let is_exclusive = is(0x3f80_0000, 0x0800_0000);
    !signs && !tags && !is_exclusive && !is_deadly(word)
}

fn instructions(numbers: &mut Numbers) -> Vec<Vec<u8>> {
    const EACH: u64 = 3000;
    let mut all = Vec::new();
    for group in ['i', 'r', 'v', 'l', 's'] {
        let mut count = 0;
        while count < EACH {
            let any = numbers.next() as u32;
            let mut word = match group {
                // Immediate; register; vectors and floating point; memory; SVE.
                'i' => any & !(7 << 26) | 4 << 26,
                'r' => any & !(7 << 25) | 5 << 25,
                'v' => any & !(7 << 25) | 7 << 25,
                'l' => any & !(5 << 25) | 4 << 25,
                _ => any & !(15 << 25) | 2 << 25,
            };
            if group == 'i' || group == 'r' {
                word = if word & 31 == 31 { word & !1 } else { word };
            }
            if group == 'l' {
                word = word & !(31 << 5) | numbers.of(&[4, 5, 6, 7]) << 5;
                if numbers.below(4) != 0 {
                    // A nearby address.
                    word &= !(0xff << 14);
                }
            }
            if !is_tried(word) {
                continue;
            }
            count += 1;
            all.push(word.to_le_bytes().to_vec());
        }
    }
    all
}

/// Under Linux SIGILL has ILL_ILLOPC (`arch/arm64/kernel/traps.c`), and `si_addr` has no top byte
/// (`arch/arm64/mm/fault.c`); qemu-user has ILL_ILLOPN, and the byte.
fn normalise_with(record: &mut [u8], top: usize) {
    let Some([signal, code, address]) = record.get_mut(SIGNAL as usize..SIGNAL as usize + 24).map(|all| {
        let (signal, rest) = all.split_at_mut(8);
        let (code, address) = rest.split_at_mut(8);
        [signal, code, address]
    }) else {
        return;
    };
    if signal.contains(&4) {
        code.fill(0);
    }
    // SIGBUS if the host cannot access an address either.
    if signal.contains(&11) || signal.contains(&7) {
        signal[7 - top] = 11;
        code.fill(0);
        address[top] = 0;
        // qemu-user accesses aligned parts of an operand that crosses pages.
        address[7 - top] &= !7;
    }
}

fn expected(code: &[u8], one: &[u8], other: &[u8]) -> Option<&'static str> {
    let signal = |record: &[u8]| record.get(SIGNAL as usize..SIGNAL as usize + 8).map(|word| word.contains(&4));
    let address =
        |record: &[u8]| record.get(SIGNAL as usize + 16..)?.first_chunk().map(|word| u64::from_le_bytes(*word));
    let head = |record: &[u8]| record.get(..MEMORY as usize).map(<[u8]>::to_vec);
    // Instructions that the first engine lacks.
    match (signal(one), signal(other)) {
        (Some(true), Some(false)) => Some("lacking"),
        // Encodings that are unallocated or have a wrong fixed field: no assembler emits them.
        (Some(false), Some(true)) => Some("unallocated"),
        (None, _) => Some("lacking"),
        // Elements stored before the one that failed.
        (Some(false), Some(false)) if address(one).is_some_and(|address| address != 0) && head(one) == head(other) => {
            Some("partial")
        }
        // A gather or scatter of addresses that the host cannot access.
        (Some(false), Some(false)) if address(one) != address(other) && address(other) == Some(0) => Some("address"),
        _ => code.first_chunk().and_then(|word| known(u32::from_le_bytes(*word), one, other)),
    }
}

/// The reason why the manual allows both results, by the encoding; or a known limit of the first
/// engine.
fn known(word: u32, one: &[u8], other: &[u8]) -> Option<&'static str> {
    let is = |mask: u32, bits: u32| word & mask == bits;
    let is_pair = is(0x3a40_0000, 0x2840_0000);
    // LDFF1 of a vector of addresses, but not LD1R; LDFF1 of one address; LDNF1.
    let gathers = is(0xbe00_2000, 0x8400_2000) && !is(0xfe40_8000, 0x8440_8000);
    let stops = gathers || is(0xfe00_e000, 0xa400_6000) || is(0xfe10_e000, 0xa410_a000);
    let but_status = |record: &[u8]| [record.get(..272), record.get(280..)].map(|part| part.map(<[u8]>::to_vec));
    match () {
        // LDP, LDNP and LDPSW: Arm ARM DDI 0487, K1.2.
        () if is_pair && word & 31 == word >> 10 & 31 => Some("the same register twice"),
        // Elements whose FFR bit is clear: Arm ARM DDI 0487, LDFF1 and LDNF1.
        () if stops => Some("elements after the one that failed"),
        // LDP and LDNP of Q registers with large offsets: stores of an instruction that only one
        // engine executed.
        () if is_pair && is(0xc400_0000, 0x8400_0000) && word >> 15 & 127 != 0 => Some("not printed"),
        // FCMLA by element, of 64 bits: the first engine counts inexact results of the other half
        // in FPSR.
        () if is(0xffc0_9400, 0x2f40_1000) && but_status(one) == but_status(other) => Some("FPSR"),
        () => None,
    }
}
