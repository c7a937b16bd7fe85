//! The program whose steps are judged: a loop over a chain of calls, whose innermost function loops
//! over loads and stores, and a system call. Both tables describe all of it. Four steps in a
//! hundred are calls or returns, and every fourth or fifth is a jump, as in compiled code.

use generators::code::{FrameAt, FrameState, Function};
use generators::elf::FileKind;
use generators::sample::Sample;
use types::{Abi, CfaRule, Image, SframeVersion};

/// A program that runs this many rounds of its loop and exits.
pub(crate) fn rounds(abi: Abi, rounds: u32) -> Image {
    elf::load("rounds", &file(abi, rounds).into()).expect("an image")
}

pub(crate) fn file(abi: Abi, rounds: u32) -> Vec<u8> {
    let mut functions = vec![start(abi, rounds)];
    let chain = ["outer", "second", "third", "fourth", "work"];
    functions.extend(chain.windows(2).map(|pair| Function::framed(abi, pair[0], pair[1])));
    functions.extend([work(abi), asks(abi)]);
    let sample = Sample::new(abi, SframeVersion::V3, FileKind::Executable, functions).expect("a sample");
    sample.bytes().expect("a file")
}

/// Calls the chain and the system call alternately, and exits. The counter is in a callee-saved
/// register.
fn start(abi: Abi, rounds: u32) -> Function {
    let mut start = Function::start(abi, "_start", "outer");
    let (set, again): (Vec<u8>, &[u8]) = match abi {
        // mov $rounds, %ebx; dec %ebx; jnz
        Abi::Amd64 => ([&[0xbb][..], &rounds.to_le_bytes()].concat(), &[0xff, 0xcb, 0x75, 0xf2]),
        // movz w19, movk w19, lsl 16; subs w19, w19, 1; b.ne
        Abi::Aarch64 | Abi::Aarch64Be => {
            let word = |base: u32, half: u32| (base | (half & 0xffff) << 5 | 19).to_le_bytes();
            let set = [word(0x5280_0000, rounds), word(0x72a0_0000, rounds >> 16)].concat();
            (set, &[0x73, 0x06, 0x00, 0x71, 0xa1, 0xff, 0xff, 0x54])
        }
        // lgfi %r7, rounds; brctg %r7
        Abi::S390x => ([&[0xc0, 0x71][..], &rounds.to_be_bytes()].concat(), &[0xa7, 0x77, 0xff, 0xfa]),
    };
    let Some(first) = start.calls.first_mut() else { unreachable!("start calls") };
    let length = match abi {
        Abi::Amd64 => 5,
        Abi::Aarch64 | Abi::Aarch64Be => 4,
        Abi::S390x => 6,
    };
    let at = first.at;
    let (before, rest) = start.code.split_at(at);
    let (call, after) = rest.split_at(length);
    start.code = [before, &set, call, call, again, after].concat();
    first.at = at + set.len();
    let mut second = first.clone();
    second.at += length;
    second.callee = "asks".to_owned();
    start.calls.push(second);
    start
}

/// Twenty times: a load, arithmetic, a store, a conditional branch.
fn work(abi: Abi) -> Function {
    let (code, size, first, last): (&[u8], i64, u32, u32) = match abi {
        Abi::Amd64 => (
            &[
                0x48, 0x83, 0xec, 0x28, // sub $40, %rsp
                0xb9, 0x14, 0, 0, 0, // mov $20, %ecx
                0x48, 0x8b, 0x44, 0x24, 0x08, // 1: mov 8(%rsp), %rax
                0x48, 0x8d, 0x14, 0x08, // lea (%rax,%rcx), %rdx
                0x31, 0xd0, // xor %edx, %eax
                0x48, 0x89, 0x44, 0x24, 0x08, // mov %rax, 8(%rsp)
                0xa8, 0x01, // test $1, %al
                0x74, 0x02, // jz 2f
                0x01, 0xca, // add %ecx, %edx
                0xff, 0xc9, // 2: dec %ecx
                0x75, 0xe6, // jnz 1b
                0x48, 0x83, 0xc4, 0x28, // add $40, %rsp
                0xc3, // ret
            ],
            40,
            4,
            39,
        ),
        Abi::Aarch64 | Abi::Aarch64Be => (
            &[
                0xff, 0x83, 0x00, 0xd1, // sub sp, sp, 32
                0x83, 0x02, 0x80, 0x52, // mov w3, 20
                0xe0, 0x07, 0x40, 0xf9, // 1: ldr x0, [sp, 8]
                0x01, 0x00, 0x03, 0x8b, // add x1, x0, x3
                0x00, 0x00, 0x01, 0xca, // eor x0, x0, x1
                0xe0, 0x07, 0x00, 0xf9, // str x0, [sp, 8]
                0x40, 0x00, 0x00, 0x36, // tbz w0, 0, 2f
                0x21, 0x00, 0x03, 0x8b, // add x1, x1, x3
                0x63, 0x04, 0x00, 0x71, // 2: subs w3, w3, 1
                0x21, 0xff, 0xff, 0x54, // b.ne 1b
                0xff, 0x83, 0x00, 0x91, // add sp, sp, 32
                0xc0, 0x03, 0x5f, 0xd6, // ret
            ],
            32,
            4,
            44,
        ),
        Abi::S390x => (
            &[
                0xa7, 0xfb, 0xff, 0x40, // aghi %r15, -192
                0xa7, 0x39, 0x00, 0x14, // lghi %r3, 20
                0xe3, 0x10, 0xf0, 0xa0, 0x00, 0x04, // 1: lg %r1, 160(%r15)
                0xb9, 0x04, 0x00, 0x21, // lgr %r2, %r1
                0xb9, 0x08, 0x00, 0x23, // agr %r2, %r3
                0xb9, 0x82, 0x00, 0x12, // xgr %r1, %r2
                0xe3, 0x10, 0xf0, 0xa0, 0x00, 0x24, // stg %r1, 160(%r15)
                0xa7, 0x11, 0x00, 0x01, // tmll %r1, 1
                0xa7, 0x84, 0x00, 0x04, // jz 2f
                0xb9, 0x08, 0x00, 0x23, // agr %r2, %r3
                0xa7, 0x37, 0xff, 0xee, // 2: brctg %r3, 1b
                0xa7, 0xfb, 0x00, 0xc0, // aghi %r15, 192
                0x07, 0xfe, // br %r14
            ],
            192,
            4,
            52,
        ),
    };
    let entry = FrameState::at_entry(abi);
    let facts = abi.facts();
    let cfa = CfaRule::Register { reg: facts.sp, offset: facts.cfa_minus_sp_at_entry + size };
    let frames = [(0, entry), (first, FrameState { cfa, ..entry }), (last, entry)];
    let frames = frames.map(|(offset, frame)| FrameAt { offset, frame }).to_vec();
    Function { code: code.to_vec(), frames, ..Function::leaf(abi, "work") }
}

/// Calls `getpid`.
fn asks(abi: Abi) -> Function {
    let code: &[u8] = match abi {
        Abi::Amd64 => &[0xb8, 0x27, 0, 0, 0, 0x0f, 0x05, 0xc3],
        Abi::Aarch64 | Abi::Aarch64Be => &[0x88, 0x15, 0x80, 0xd2, 0x01, 0, 0, 0xd4, 0xc0, 0x03, 0x5f, 0xd6],
        Abi::S390x => &[0x0a, 0x14, 0x07, 0xfe],
    };
    Function { code: code.to_vec(), ..Function::leaf(abi, "asks") }
}
