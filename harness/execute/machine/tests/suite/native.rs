//! Vector instructions that the emulator lacks and the host executes, compared with the processor:
//! a program of these instructions with random operands is executed here and as a process of its
//! own, and both must print the same.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use crate::common::trace::trace;
use crate::common::{CODE, DATA, RW, RX, hex, image, load};
use isa::native::native;
use machine::{End, Plan, Reason, refuses};
use types::{Abi, Image, Pc, Reg, RegFile as _, Rng, Step};

/// Addresses of the memory operand, of an instruction's results, and of the printed text.
const OPERAND: u64 = DATA + 0x8000;
const LEFT: u64 = DATA + 0x1_0000;
const PRINTED: u64 = DATA + 0x2_0000;
const SIZE: u64 = 0x10_0000;

/// Registers that the instructions use: vectors, opmasks, general ones.
const VECTORS: [u8; 8] = [1, 2, 3, 9, 11, 17, 18, 19];
const MASKS: [u8; 3] = [1, 2, 3];
const GENERAL: [u8; 6] = [0, 1, 2, 3, 9, 11];

pub(crate) fn has(features: &[&str]) -> bool {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = info.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
    features.iter().all(|feature| flags.split_whitespace().any(|flag| flag == *feature))
}

fn has_512() -> bool {
    has(&["avx512f", "avx512bw"])
}

/// Eight bytes: any value, a small number, or floating-point numbers of both widths near 1.
fn word(rng: &mut Rng) -> u64 {
    let any = rng.bits();
    match any >> 61 {
        0 | 1 => rng.bits(),
        2 => any & 0xff_00ff_00ff,
        3 | 4 => ((any % 2000) as f64 / 64.0 - 15.0).to_bits(),
        _ => {
            let half = |value: u64| u64::from(((value % 2000) as f32 / 64.0 - 15.0).to_bits());
            half(any & 0xffff) << 32 | half(any >> 16 & 0xffff)
        }
    }
}

/// ANDN followed by code that clears PF and AF, which ANDN leaves undefined (Intel SDM volume 2,
/// ANDN): the emulator sets them differently from the processor.
fn defined(mut code: Vec<u8>) -> Vec<u8> {
    if let [0xc4, map, _, 0xf2, ..] = code[..]
        && map & 0x1f == 2
    {
        // pushfq; andq $~0x14,(%rsp); popfq
        code.extend(hex("9c 48832424eb 9d"));
    }
    code
}

/// Instructions to try: encodings with extended registers where these exist.
fn candidates() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let mut rng = Rng::new(1);
    let mut keep = |encodings: &[Vec<u8>]| {
        // The first encoding that is valid and executed here.
        let good = |code: &&Vec<u8>| {
            native(code).is_some_and(|one| usize::from(one.length) == code.len()) && !refuses(Abi::Amd64, code)
        };
        all.extend(encodings.iter().find(good).cloned().map(defined));
    };
    for map in 1..=3u8 {
        for at in 0..256 * 4 * 2 * 2u32 {
            let (opcode, pp, wide, long) = (at as u8, (at >> 8 & 3) as u8, (at >> 10 & 1) as u8, (at >> 11) as u8);
            let immediate = rng.byte();
            // reg 9 or 1, vvvv 2 or none, rm 11 or 3; memory at r13 + 2 * r14 + 64.
            for memory in [false, true] {
                let mut encodings = Vec::new();
                for (extends, second) in [(true, 2), (false, 2), (true, 0), (false, 0)] {
                    let second = !second & 15u8;
                    let flip = if extends { 0 } else { 0x80 } | if memory || extends { 0 } else { 0x20 };
                    let inverted = flip | if memory { 0 } else { 0x40 };
                    let mut code = vec![0xc4, inverted | map, wide << 7 | second << 3 | long << 2 | pp, opcode];
                    code.extend(if memory { vec![0x4c, 0x75, 0x40] } else { vec![0xcb] });
                    encodings.push(code.clone());
                    code.push(immediate);
                    encodings.push(code);
                }
                keep(&encodings);
            }
        }
        keep(&[vec![0xc5, 0xf8, 0x77]]);
        keep(&[vec![0xc5, 0xfc, 0x77]]);
        for at in 0..256 * 4 * 2 * 3u32 {
            let (opcode, pp, wide, long) = (at as u8, (at >> 8 & 3) as u8, (at >> 10 & 1) as u8, (at >> 11) as u8);
            let immediate = rng.byte();
            // Without a mask, with a mask, with zeroing; with rounding or broadcast.
            for (mask, zeroes, bit) in [(0, 0, 0), (1, 0, 0), (2, 1, 0), (3, 0, 1)] {
                for memory in [false, true] {
                    let mut encodings = Vec::new();
                    for (extends, second) in [(true, 18), (false, 18), (false, 2), (true, 0), (false, 0)] {
                        let second = !second & 31u8;
                        // reg 17 (R') or 1; rm 19 (X) or 3; with memory B and X of the base and
                        // index.
                        let first = match (extends, memory) {
                            (true, false) => 0xa0,
                            (true, true) => 0x80,
                            (false, false) => 0xf0,
                            (false, true) => 0x90,
                        };
                        let mut code = vec![
                            0x62,
                            first | map,
                            wide << 7 | (second & 15) << 3 | 4 | pp,
                            zeroes << 7 | long << 5 | bit << 4 | (second >> 4) << 3 | mask,
                            opcode,
                        ];
                        code.extend(if memory { vec![0x4c, 0x75, 0x01] } else { vec![0xcb] });
                        encodings.push(code.clone());
                        code.push(immediate);
                        encodings.push(code);
                    }
                    keep(&encodings);
                }
            }
        }
    }
    // Legacy encodings: SHA and GFNI; ADCX and ADOX.
    for text in ["660f38f6cb", "f3480f38f6cb", "66430f38f64c7540"] {
        keep(&[hex(text)]);
    }
    let sha = ["0f38c8cb", "0f38c9cb", "0f38cacb", "0f38cbcb", "0f38cccb", "0f38cdcb", "0f3acccb02", "430f38c84c7540"];
    let gfni = ["660f38cfcb", "66430f38cf4c7540", "66450f3acecb55", "66470f3acf4c754033"];
    for (feature, texts) in [("sha_ni", &sha[..]), ("sha_ni", &["450f3acccb01"]), ("gfni", &gfni)] {
        texts.iter().filter(|_| has(&[feature])).for_each(|text| keep(&[hex(text)]));
    }
    all
}

/// A move of a vector register from memory at r15 + 64 * place, or to memory at rdi + 64 * place.
fn vector_move(number: u8, place: u32, stores: bool) -> Vec<u8> {
    let opcode = if stores { 0x11 } else { 0x10 };
    // Base r15 for loads, rdi for stores.
    let (base, inverted) = if stores { (7, 0x20) } else { (7, 0) };
    let modrm = 0x80 | (number & 7) << 3 | base;
    let mut code = if has_512() {
        let r = if number & 8 == 0 { 0x80 } else { 0 } | if number & 16 == 0 { 0x10 } else { 0 };
        vec![0x62, r | 0x40 | inverted | 1, 0x7c, 0x48, opcode, modrm]
    } else {
        let r = if number & 8 == 0 { 0x80 } else { 0 };
        vec![0xc4, r | 0x40 | inverted | 1, 0x7c, opcode, modrm]
    };
    code.extend((64 * place).to_le_bytes());
    code
}

/// The program that tries the instructions.
fn program(tried: &[Vec<u8>]) -> Image {
    let mut rng = Rng::new(7);
    let vectors: Vec<u8> = VECTORS.into_iter().filter(|number| has_512() || *number < 16).collect();
    let mut code = Vec::new();
    let mut calls = Vec::new();
    // mov $PRINTED,%r12; mov $OPERAND-64,%r13; mov $8,%r14 makes 2 * r14 a sixteen, so the base is
    // less by that.
    code.extend([0x49, 0xc7, 0xc4]);
    code.extend((PRINTED as u32).to_le_bytes());
    for (at, one) in tried.iter().enumerate() {
        code.extend([0x49, 0xc7, 0xc5]);
        code.extend((OPERAND as u32 - 64 - 16).to_le_bytes());
        code.extend([0x49, 0xc7, 0xc6, 8, 0, 0, 0]);
        code.extend([0x49, 0xc7, 0xc7]);
        code.extend((DATA as u32 + 8 * (at as u32 % 1000)).to_le_bytes());
        for (place, number) in (0..).zip(&vectors) {
            code.extend(vector_move(*number, place, false));
        }
        if has_512() {
            for number in MASKS {
                // kmovq disp32(%r15),%kN
                code.extend([0xc4, 0xc1, 0xf8, 0x90, 0x87 | number << 3]);
                code.extend((600 + 8 * u32::from(number)).to_le_bytes());
            }
        }
        for number in GENERAL {
            // mov disp32(%r15),%reg
            code.extend([0x49 | (number & 8) >> 1, 0x8b, 0x87 | (number & 7) << 3]);
            code.extend((700 + 8 * u32::from(number)).to_le_bytes());
        }
        // push $flags; popfq
        code.push(0x68);
        code.extend((0x202 | rng.bits() as u32 & 0x8d5).to_le_bytes());
        code.push(0x9d);
        code.extend(one);
        // push %rax; pushfq; call after
        code.extend([0x50, 0x9c, 0xe8]);
        calls.push(code.len());
        code.extend([0; 4]);
    }
    // mov $1,%edi; mov $PRINTED,%esi; mov %r12,%rdx; sub %rsi,%rdx; mov $1,%eax; syscall; xor
    // %edi,%edi; mov $60,%eax; syscall
    code.extend(hex("bf01000000 be"));
    code.extend((PRINTED as u32).to_le_bytes());
    code.extend(hex("4c89e2 4829f2 b801000000 0f05 31ff b83c000000 0f05"));
    let after = code.len();
    // mov $LEFT,%edi
    code.push(0xbf);
    code.extend((LEFT as u32).to_le_bytes());
    for (place, number) in (0..).zip(&vectors) {
        code.extend(vector_move(*number, place, true));
    }
    if has_512() {
        for number in MASKS {
            code.extend([0xc4, 0xe1, 0xf8, 0x91, 0x87 | number << 3]);
            code.extend((600 + 8 * u32::from(number)).to_le_bytes());
        }
    }
    for number in GENERAL {
        if number != 0 {
            code.extend([0x48 | (number & 8) >> 1, 0x89, 0x87 | (number & 7) << 3]);
            code.extend((700 + 8 * u32::from(number)).to_le_bytes());
        }
    }
    // pop %rdx (return); pop %rax (flags); and $0x8d5,%eax; mov %rax,800(%rdi); pop %rax; mov
    // %rax,700(%rdi); stmxcsr 808(%rdi); push %rdx
    code.extend(hex("5a 58 25d5080000 48898720030000 58 488987bc020000 0fae9f28030000 52"));
    // mov $LEFT,%esi; mov $102,%ecx; xor %eax,%eax
    code.push(0xbe);
    code.extend((LEFT as u32).to_le_bytes());
    code.extend(hex("b966000000 31c0"));
    // 1: xor (%rsi),%rax; imul $0x5bd1e995,%rax,%rax; rol $23,%rax; add $8,%rsi; dec %ecx; jnz 1b
    let step = hex("483306 4869c095e9d15b 48c1c017 4883c608 ffc9 75ea");
    code.extend(&step);
    // The operand too: mov $OPERAND-64,%esi; mov $24,%ecx
    code.push(0xbe);
    code.extend((OPERAND as u32 - 64).to_le_bytes());
    code.extend(hex("b918000000"));
    code.extend(&step);
    // mov %rax,(%r12); add $8,%r12; ret
    code.extend(hex("49890424 4983c408 c3"));
    for call in calls {
        let distance = (after as i32) - (call as i32 + 4);
        code[call..call + 4].copy_from_slice(&distance.to_le_bytes());
    }
    let mut data: Vec<u8> = (0..LEFT - DATA).step_by(8).flat_map(|_| word(&mut rng).to_le_bytes()).collect();
    data.truncate((LEFT - DATA) as usize);
    image(Abi::Amd64, CODE, vec![load(CODE, RX, &code, code.len() as u64), load(DATA, RW, &data, SIZE)])
}

/// The image as an ELF executable (ELF gABI, "ELF Header", "Program Header").
fn elf(image: &Image) -> Vec<u8> {
    let mut file = hex("7f454c46 02010100 0000000000000000 0200 3e00 01000000");
    file.extend(image.entry.0.to_le_bytes());
    file.extend([64u64, 0].into_iter().flat_map(u64::to_le_bytes));
    file.extend(hex("00000000 4000 3800"));
    file.extend((image.segments.len() as u16).to_le_bytes());
    file.extend([0; 6]);
    let mut offset = 0x1000u64;
    for segment in &image.segments {
        file.extend([segment.kind, segment.flags].into_iter().flat_map(u32::to_le_bytes));
        let (address, size) = (segment.address, segment.file_size);
        file.extend(
            [offset, address, address, size, segment.memory_size, 0x1000].into_iter().flat_map(u64::to_le_bytes),
        );
        offset += size.next_multiple_of(0x1000);
    }
    for segment in &image.segments {
        file.resize(file.len().next_multiple_of(0x1000), 0);
        file.extend(&segment.bytes[..]);
    }
    file
}

/// The output of the program on the processor, without this crate.
fn natively(image: &Image) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program");
    fs::write(&path, elf(image)).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("made executable");
    let output = Command::new(&path).output().expect("executed");
    assert!(output.status.success(), "{:?}", output.status);
    output.stdout
}

/// Tries every `stride`-th instruction.
fn try_each(stride: usize) {
    if !has(&["avx2"]) {
        eprintln!("this host has no AVX2");
        return;
    }
    let tried: Vec<Vec<u8>> = candidates().into_iter().step_by(stride).collect();
    try_all(&tried);
    assert!(tried.len() * stride > 1000, "{}", tried.len());
    eprintln!("{} instructions", tried.len());
}

pub(crate) fn try_all(tried: &[Vec<u8>]) {
    for some in tried.chunks(4000) {
        let image = program(some);
        let run = machine::run(&Plan::new(&image), &mut |_: &Step<'_>| {}).expect("the image loads");
        if let End::Undecided { pc, .. } = &run.end {
            let code = image.segments[0].bytes.get((pc.0 - CODE) as usize..).unwrap_or_default();
            panic!("{:?}: {:02x?}", run.end, &code[..code.len().min(16)]);
        }
        let native = natively(&image);
        assert_eq!((run.output.len(), native.len()), (8 * some.len(), 8 * some.len()));
        let pairs = run.output.chunks(8).zip(native.chunks(8)).zip(some);
        let wrong: Vec<String> = pairs.filter(|((a, b), _)| a != b).map(|(_, code)| format!("{code:02x?}")).collect();
        assert!(
            wrong.is_empty(),
            "{} of {} have another result: {:#?}",
            wrong.len(),
            some.len(),
            &wrong[..wrong.len().min(20)]
        );
    }
}

#[test]
fn instructions_do_here_what_they_do_on_the_processor() {
    try_each(23);
}

#[test]
#[ignore = "all of them take a minute: every night"]
fn all_instructions_do_here_what_they_do_on_the_processor() {
    try_each(1);
}

#[test]
fn gathers_do_here_what_they_do_on_the_processor() {
    if !has(&["avx2"]) {
        return;
    }
    let mut all = Vec::new();
    for at in 0..16_u8 {
        let (opcode, wide, long) = (0x90 | at & 3, at >> 2 & 1, at >> 3);
        // vpsrld $29,%ymm2,%ymm2 or vpsrlq $61: indices from 0 to 7.
        let mut code = hex(if opcode & 1 == 0 { "c5ed72d21d" } else { "c5ed73d23d" });
        // The gather: result 9, mask 3, at r13 + 80 + 8 * index.
        code.extend([0xc4, 0x42, wide << 7 | 0x61 | long << 2, opcode, 0x4c, 0xd5, 0x50]);
        all.push(code);
    }
    try_all(&all);
    // mov $0x600ffc,%edi; vpcmpeqd %xmm3,%xmm3,%xmm3; vpsrldq $12,%xmm3,%xmm2: indices -1, 0, 0, 0;
    // vpgatherdd %xmm3,(%rdi,%xmm2,4),%xmm1; the same at 0x601000
    let code = "bffc0f6000 c5e176db c5e973db0c c4e261900c97 c5e176db 83c704 c4e261900c97";
    let message = undecided(code, Reason::Fault, 0x1b);
    assert!(message.contains("cannot read 4 bytes at 0x601000 (not mapped)"), "{message}");
}

#[test]
fn the_number_of_the_processor_is_none() {
    // mov $0x600000,%eax; clwb (%rax); rdpid %rax; hlt
    let run = trace(Abi::Amd64, &hex("b800006000 660fae30 f30fc7f8 f4"));
    assert_eq!(run.run.end, End::Halt(Pc(CODE + 13)));
    assert_eq!(run.steps.last().and_then(|step| step.registers.read(Reg(0))), Some(0));
    assert!(undecided("31c0 660fae30", Reason::Fault, 2).contains("cannot read 1 bytes at 0x0"));
}

/// Asserts an undecided end at an offset of the code; returns its message.
pub(crate) fn undecided(code: &str, reason: Reason, offset: u64) -> String {
    let End::Undecided { reason: found, pc, message } = trace(Abi::Amd64, &hex(code)).run.end else { panic!("{code}") };
    assert_eq!((found, pc), (reason, Pc(CODE + offset)), "{message}");
    message
}
