//! Opcodes of s390x (z/Architecture Principles of Operation SA22-7832-13, appendix B).

use types::{Abi, ByteOrder};

use super::{Arch, BUFFER, BUFFER_SIZE, CODE, DATA, Numbers, Program};

pub(crate) const ARCH: Arch = Arch {
    abi: Abi::S390x,
    machine: 22,
    qemu: ("qemu-s390x", &["-cpu", "max"]),
    program,
    instructions,
    normalise,
    expected,
};

/// Offsets in the printed record: general registers, vectors, FPC and the condition code, the
/// signal with its code, address and PC, and memory.
const OUT: u64 = DATA + 0x1000;
const VECTORS: u16 = 128;
const CONTROL: u16 = 640;
const SIGNAL: u16 = 648;
const MEMORY: u16 = 680;
const RECORD: u64 = 680 + BUFFER_SIZE;
/// Addresses after the record: a saved register, the next instruction's address, the initial
/// memory.
const KEPT: u64 = OUT + 0xf00;
const NEXT: u64 = OUT + 0xf08;
const PATTERN: u64 = DATA + 0x2000;
const ALTERNATE: u64 = DATA + 0x4000;
const ACTION: u64 = DATA + 0x3000;
const STATES: u64 = DATA + 0x1_0000;
/// Size of an initial state: vectors, FPC and the condition code, general registers.
const STATE: u64 = 0x300;
const COUNT: u64 = 48;

struct Code(Vec<u8>);

impl Code {
    fn now(&self) -> u64 {
        CODE + self.0.len() as u64
    }

    fn put(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
    }

    /// Emits a RIL instruction with a relative address.
    fn relative(&mut self, opcode: [u8; 2], to: u64) {
        let distance = (to.wrapping_sub(self.now()) as i64 / 2) as i32;
        self.put(&[opcode.as_slice(), &distance.to_be_bytes()].concat());
    }

    /// Emits a VRS instruction: 16 vectors from number `from` on, at a displacement from %r1.
    fn vectors(&mut self, opcode: u8, from: u8, displacement: u16) {
        let [high, low] = (0x1000 | displacement).to_be_bytes();
        self.put(&[0xe7, 0x0f, high, low, if from == 16 { 0x0c } else { 0 }, opcode]);
    }

    /// Emits MVC between %r1 and another register.
    fn moved(&mut self, length: u64, to: u16, from: u16) {
        self.put(&[0xd2, (length - 1) as u8]);
        self.put(&to.to_be_bytes());
        self.put(&from.to_be_bytes());
    }
}

fn program(tried: &[Vec<u8>], numbers: &mut Numbers, _: ByteOrder) -> Program {
    let mut code = Code(Vec::new());
    // larl %r2,stack_t; lghi %r3,0; svc sigaltstack
    code.relative([0xc0, 0x20], ACTION + 64);
    code.put(&[0xa7, 0x39, 0, 0, 0x0a, 186]);
    for signal in [4, 5, 7, 8, 11] {
        // lghi %r2,signal; larl %r3,action; lghi %r4,0; lghi %r5,8; svc rt_sigaction
        code.put(&[0xa7, 0x29, 0, signal]);
        code.relative([0xc0, 0x30], ACTION);
        code.put(&[0xa7, 0x49, 0, 0, 0xa7, 0x59, 0, 8, 0x0a, 174]);
    }
    // Space for the first instruction's memory setup.
    let start = code.now();
    let common = start + 0x40;
    let handler = common + 0x100;
    let first = handler + 0x60;
    code.relative([0xc0, 0xf4], first);
    code.0.resize((common - CODE) as usize, 7);
    // stgrl %r1,KEPT; larl %r1,OUT; stmg %r0,%r15,0(%r1); mvc 8(8,%r1),KEPT
    code.relative([0xc4, 0x1b], KEPT);
    code.relative([0xc0, 0x10], OUT);
    code.put(&[0xeb, 0x0f, 0x10, 0, 0, 0x24]);
    code.moved(8, 0x1008, 0x1f00);
    code.vectors(0x3e, 0, VECTORS);
    code.vectors(0x3e, 16, VECTORS + 256);
    // stfpc; lghi %r0,0; ipm %r0; st %r0
    code.put(&[0xb2, 0x9c]);
    code.put(&(0x1000 | CONTROL).to_be_bytes());
    code.put(&[0xa7, 0x09, 0, 0, 0xb2, 0x22, 0, 0, 0x50, 0]);
    code.put(&(0x1000 | (CONTROL + 4)).to_be_bytes());
    // larl %r2,BUFFER; mvc
    code.relative([0xc0, 0x20], BUFFER);
    code.moved(256, 0x1000 | MEMORY, 0x2000);
    code.moved(256, 0x1000 | (MEMORY + 256), 0x2100);
    // larl %r3,PATTERN; mvc
    code.relative([0xc0, 0x30], PATTERN);
    code.moved(256, 0x2000, 0x3000);
    code.moved(256, 0x2100, 0x3100);
    // lghi %r2,1; lgr %r3,%r1; lghi %r4,RECORD; svc write
    code.put(&[0xa7, 0x29, 0, 1, 0xb9, 0x04, 0, 0x31, 0xa7, 0x49]);
    code.put(&(RECORD as u16).to_be_bytes());
    code.put(&[0x0a, 4]);
    // xc SIGNAL(32,%r1),SIGNAL(%r1); lgrl %r1,NEXT; br %r1
    let signal = (0x1000 | SIGNAL).to_be_bytes();
    code.put(&[0xd7, 31, signal[0], signal[1], signal[0], signal[1]]);
    code.relative([0xc4, 0x18], NEXT);
    code.put(&[0x07, 0xf1]);
    assert!(code.now() <= handler);
    code.0.resize((handler - CODE) as usize, 7);
    // larl %r1,OUT; stg %r2,SIGNAL(%r1); mvc of si_code, si_addr and the PSW's address
    code.relative([0xc0, 0x10], OUT);
    code.put(&[0xe3, 0x20, signal[0], signal[1], 0, 0x24]);
    code.moved(8, 0x1000 | (SIGNAL + 8), 0x3008);
    code.moved(8, 0x1000 | (SIGNAL + 16), 0x3010);
    code.moved(8, 0x1000 | (SIGNAL + 24), 0x4030);
    // larl %r5,common; stg %r5,48(%r4); br %r14
    code.relative([0xc0, 0x50], common);
    code.put(&[0xe3, 0x50, 0x40, 0x30, 0, 0x24, 0x07, 0xfe]);
    assert!(code.now() <= first);
    code.0.resize((first - CODE) as usize, 7);
    for one in tried {
        let begin = code.now();
        let state = STATES + STATE * numbers.below(COUNT);
        // larl %r1,next; stgrl %r1,NEXT
        const HEAD: u64 = 6 + 6 + 6 + 6 + 6 + 4 + 4 + 2 + 6;
        let next = begin + HEAD + one.len() as u64 + 6;
        code.relative([0xc0, 0x10], next);
        code.relative([0xc4, 0x1b], NEXT);
        // larl %r1,state; vlm; lfpc; l %r0; spm %r0; lmg
        code.relative([0xc0, 0x10], state);
        code.vectors(0x36, 0, 0);
        code.vectors(0x36, 16, 256);
        code.put(&[0xb2, 0x9d, 0x12, 0x00, 0x58, 0x00, 0x12, 0x04, 0x04, 0x00]);
        code.put(&[0xeb, 0x0f, 0x12, 0x08, 0, 0x04]);
        assert_eq!(code.now(), begin + HEAD);
        let mut one = one.clone();
        // Relative operands point to the buffer.
        if let [0xc4 | 0xc6, _, rest @ ..] = one.as_mut_slice() {
            let distance = ((BUFFER + 64 - code.now()) / 2) as i32;
            rest.copy_from_slice(&distance.to_be_bytes());
        }
        code.put(&one);
        code.relative([0xc0, 0xf4], common);
        assert_eq!(code.now(), next);
    }
    // lghi %r2,0; svc exit
    code.put(&[0xa7, 0x29, 0, 0, 0x0a, 1]);

    let mut data = vec![0; (STATES + COUNT * STATE - DATA) as usize];
    let mut set = |at: u64, bytes: &[u8]| {
        let at = (at - DATA) as usize;
        data[at..at + bytes.len()].copy_from_slice(bytes);
    };
    // SA_SIGINFO | SA_ONSTACK | SA_NODEFER
    set(ACTION, &[handler.to_be_bytes(), 0x4800_0004_u64.to_be_bytes(), [0; 8], [0; 8]].concat());
    set(ACTION + 64, &[ALTERNATE.to_be_bytes(), [0; 8], 0x8000_u64.to_be_bytes()].concat());
    for at in (0..BUFFER_SIZE).step_by(8) {
        set(PATTERN + at, &numbers.element().to_be_bytes());
    }
    for number in 0..COUNT {
        let state = STATES + STATE * number;
        for at in (0..512).step_by(8) {
            set(state + at, &numbers.element().to_be_bytes());
        }
        // Rounding mode; condition code.
        set(state + 512, &[0, 0, 0, numbers.of(&[0, 0, 1, 2, 3, 7]), (numbers.below(4) as u8) << 4]);
        for register in 0..16 {
            let value = match register {
                0 => numbers.of(&[0, 1, 7, 0x40, 0xff, 3]),
                4..=7 => BUFFER + 128 + numbers.below(64),
                8 | 9 => numbers.below(40),
                // Below the alternate stack.
                15 => DATA + 0xf000,
                _ => numbers.integer(),
            };
            set(state + 520 + 8 * register, &value.to_be_bytes());
        }
    }
    Program { code: code.0, data, record: RECORD as usize }
}

/// Returns true for opcodes to test: no branches or system calls, nor instructions that read
/// clocks, change the addressing mode, are interruptible or list facilities.
fn is_tried(first: u8, second: u8) -> bool {
    match first {
        0x00..=0x03 | 0x05..=0x07 | 0x0a..=0x0f => false,
        0x44..=0x47 | 0x4d | 0x80 | 0x82..=0x87 | 0x93 | 0xa8 | 0xa9 | 0xac..=0xb1 | 0xb6 | 0xb7 => false,
        0xa7 => !matches!(second & 15, 4..=7),
        0xb2 => {
            !matches!(second, 0x00..=0x18 | 0x1a..=0x21 | 0x23..=0x3f | 0x40 | 0x42..=0x4a | 0x50 | 0x54 | 0x58..=0x5c | 0x5f..=0x7f | 0xb0 | 0xb1 | 0xb2 | 0xb9 | 0xbd | 0xe0..=0xff)
        }
        // SQXBR, on which the emulator crashes if a reserved bit is set.
        0xb3 => second != 0x16,
        0xb9 => {
            !matches!(second, 0x1e | 0x46 | 0x28..=0x2f | 0x38..=0x3f | 0x8a | 0x8d..=0x8f | 0x98..=0x9b | 0x9d..=0xad | 0xae..=0xaf | 0xbe | 0xbf)
        }
        0xc0 => !matches!(second & 15, 4 | 5),
        0xc6 => second & 15 != 0,
        0xc5 | 0xc7 | 0xc8 => false,
        0xcc => second & 15 != 6,
        0xd0 | 0xd9..=0xdb | 0xee => false,
        0xe3 => !matches!(second, 0x46 | 0x47),
        0xe5 => !matches!(second, 0x00..=0x0f | 0x60 | 0x61),
        0xeb => !matches!(second, 0x17 | 0x25 | 0x2f | 0x44 | 0x45 | 0x60..=0x62 | 0x71 | 0x8a),
        0xec => {
            !matches!(second, 0x44 | 0x45 | 0x64 | 0x65 | 0x76 | 0x77 | 0x7c..=0x7f | 0xe4 | 0xe5 | 0xf6 | 0xf7 | 0xfc..=0xff)
        }
        _ => true,
    }
}

fn instructions(numbers: &mut Numbers) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for first in 0..=255_u8 {
        let seconds: Vec<u8> = match first {
            0xa5 | 0xa7 | 0xc0 | 0xc2 | 0xc4 | 0xc6 | 0xcc => (0..16).collect(),
            0xb2 | 0xb3 | 0xb9 | 0xe3 | 0xe5..=0xe7 | 0xeb..=0xed => (0..=255).collect(),
            _ => vec![0],
        };
        for second in seconds.into_iter().filter(|second| is_tried(first, *second)) {
            let length = [2, 4, 4, 6][usize::from(first >> 6)];
            let mut code: Vec<u8> = numbers.next().to_be_bytes()[..length].to_vec();
            code[0] = first;
            // The first register must not be the stack pointer.
            if length == 6 || first != 0xb2 && first != 0xb3 && first != 0xb9 {
                code[1] = (numbers.below(15) as u8) << 4 | if numbers.below(2) == 0 { 8 } else { code[1] & 15 };
                if first < 0x40 || matches!(first, 0xec) {
                    code[1] = code[1] & 0xf0 | numbers.below(16) as u8;
                }
            } else {
                code[3] = (numbers.below(15) as u8) << 4 | code[3] & 15;
            }
            match first {
                0xa5 | 0xa7 | 0xc0 | 0xc2 | 0xc4 | 0xc6 | 0xcc => code[1] = code[1] & 0xf0 | second,
                0xb2 | 0xb3 | 0xb9 | 0xe5 => code[1] = second,
                0xe3 | 0xe6 | 0xe7 | 0xeb..=0xed => code[5] = second,
                _ => {}
            }
            if length >= 4
                && numbers.below(8) != 0
                && !matches!(first, 0xb3 | 0xb9 | 0xa5 | 0xa7 | 0xc0 | 0xc2 | 0xcc | 0xec)
            {
                code[2] = (4 + numbers.below(4) as u8) << 4;
            }
            if matches!(first, 0xe3 | 0xeb) && numbers.below(8) != 0 {
                code[4] = 0;
            }
            if matches!(first, 0xe6 | 0xe7) && numbers.below(2) == 0 {
                // Valid element sizes, registers below 16.
                code[4] = (numbers.below(5) as u8) << 4;
                if numbers.below(2) == 0 {
                    code[3] = 0;
                }
            }
            if matches!(first, 0xd0..=0xdf | 0xe1 | 0xe2 | 0xe8..=0xea | 0xf0..=0xff) {
                code[4] = (4 + numbers.below(4) as u8) << 4;
            }
            all.push(code);
        }
    }
    all
}

/// Clears parts of a record: SIGSEGV depends on mappings that only qemu-user has, or has no address
/// if the host cannot access it either.
fn normalise(record: &mut [u8]) {
    let Some(signal) = record.get_mut(usize::from(SIGNAL)..usize::from(SIGNAL) + 24) else { return };
    if matches!(signal[7], 7 | 11) {
        signal[7] = 11;
        signal[8..12].fill(0);
    }
    // Linux has ILL_PRVOPC and ILL_ILLOPN (`arch/s390/kernel/traps.c`), qemu-user not always.
    if signal[7] == 4 {
        signal[8..12].fill(0);
    }
    // The other half of the word is not used.
    signal[12..16].fill(0);
}

fn expected(code: &[u8], one: &[u8], other: &[u8]) -> Option<&'static str> {
    let word = |record: &[u8], at: u16| record.get(usize::from(at)..usize::from(at) + 8).map(<[u8]>::to_vec);
    let signal = |record: &[u8]| word(record, SIGNAL).map(|word| word[7]);
    match (signal(one), signal(other)) {
        // Instructions that the first engine lacks.
        (Some(4), Some(other)) if other != 4 => Some("lacking"),
        (None, _) => Some("lacking"),
        // An odd register, which is checked at execution; operands that no assembler emits.
        (Some(11), Some(4)) if matches!(code, [0xb2, 0x41, ..]) => Some("order"),
        // An opcode that the manual does not define.
        (Some(0 | 11), Some(4)) if matches!(code, [0xe3, .., 0xeb]) => Some("unallocated"),
        // Which NaN of three is chosen; results that are unpredictable after the first element.
        (Some(0), Some(0))
            if matches!(code, [0xb3, 0x0e | 0x0f | 0x1e | 0x1f, ..] | [0xed, .., 0x0e | 0x0f | 0x1e | 0x1f]) =>
        {
            Some("NaN")
        }
        (Some(0), Some(0)) if matches!(code, [0xe7, .., 0xc5]) => Some("rest"),
        (Some(11), Some(11)) if word(other, SIGNAL + 16) == Some(vec![0; 8]) => Some("no address"),
        _ => None,
    }
}
