//! Block hits: what changes between two visits of a block or within one is
//! seen, and the run ends where it would.

use check::{Limits, Options};
use generators::code::{FrameAt, FrameState, Function};
use types::{Abi, Bytes, CfaRule, PacKey, ValueRule};

use super::{Row, both, built, calling, judged, sample};

/// A loop of six rounds in `middle`, so that blocks that were learned in the first two are block
/// hits in the others.
fn in_blocks(code: &[u8], rows: &[Row]) -> (Vec<(String, u64)>, u64) {
    judged(&sample(code, rows, &[0xc3], None))
}

/// nop; dec %ecx; jz 2f; cmp $1,%ecx; jne 1b, and what is changed after the fifth round: FP by mov
/// %rcx,%rbp, SP by push %rax, the saved FP by mov %rcx,(%rsp).
#[test]
fn what_changes_between_two_visits_of_a_known_block_is_seen() {
    let fp = [
        0x49, 0x89, 0xe8, 0xb9, 6, 0, 0, 0, 0x90, 0xff, 0xc9, 0x74, 10, 0x83, 0xf9, 1, 0x75, 0xf6, 0x48, 0x89, 0xcd,
        0xeb, 0xf1, 0x4c, 0x89, 0xc5, 0xc3,
    ];
    // The jump back, nop, dec, jz and what follows the loop.
    assert_eq!(in_blocks(&fp, &[Row::Own(0, 8)]).0, [("row/fp-matches-truth".to_owned(), 5)]);
    let sp = [0xb9, 6, 0, 0, 0, 0x90, 0xff, 0xc9, 0x74, 8, 0x83, 0xf9, 1, 0x75, 0xf6, 0x50, 0xeb, 0xf3, 0x58, 0xc3];
    assert_eq!(in_blocks(&sp, &[Row::Own(0, 8)]).0, [("row/cfa-matches-truth".to_owned(), 5)]);
    let slot = [
        0x55, 0xb9, 6, 0, 0, 0, 0x90, 0xff, 0xc9, 0x74, 11, 0x83, 0xf9, 1, 0x75, 0xf6, 0x48, 0x89, 0x0c, 0x24, 0xeb,
        0xf0, 0x5d, 0xc3,
    ];
    let (errors, undecided) = in_blocks(&slot, &[Row::Own(0, 8), Row::Saved(1, 16), Row::Own(23, 8)]);
    assert!(errors.is_empty() && undecided >= 5, "{errors:?}, {undecided} undecided");
}

/// push %rbp; lea -64(%rsp),%r9; mov $6,%ecx; 1: dec %ecx; cmovz %rsp,%r9; mov %rcx,(%r9); nop;
/// nop; test %ecx,%ecx; jnz 1b; pop %rbp; ret: in the last round the saved FP is written over in
/// the middle of a block that was a block hit before.
#[test]
fn a_slot_that_is_written_over_within_a_known_block_is_seen() {
    let code = [
        0x55, 0x4c, 0x8d, 0x4c, 0x24, 0xc0, 0xb9, 6, 0, 0, 0, 0xff, 0xc9, 0x4c, 0x0f, 0x44, 0xcc, 0x49, 0x89, 0x09,
        0x90, 0x90, 0x85, 0xc9, 0x75, 0xf1, 0x5d, 0xc3,
    ];
    let (errors, undecided) = in_blocks(&code, &[Row::Own(0, 8), Row::Saved(1, 16), Row::Own(27, 8)]);
    // nop, nop, test, jnz and pop; FP is not restored either.
    assert!(undecided >= 5, "{errors:?}, {undecided} undecided");
}

/// A program of a loop of six rounds, in the last of which two stores hit the slot of a return
/// address or FP: the first through a pointer that was elsewhere before, the second through another
/// one, with what the slot held. Both are in one block.
#[test]
fn a_slot_that_is_written_over_and_restored_within_a_known_block_is_seen() {
    // push %rbp; lea -64(%rsp),%r9; mov %r9,%r10; mov $6,%ecx; 1: dec %ecx; cmovz %rsp,%r9; cmovz
    // %rsp,%r10; mov %rcx,(%r9); nop; mov %rbp,(%r10); nop; test %ecx,%ecx; jnz 1b; pop %rbp; ret
    let amd64 = bytes_of("55 4c8d4c24c0 4d89ca b906000000 ffc9 4c0f44cc 4c0f44d4 498909 90 49892a 90 85c9 75ea 5d c3");
    let amd64 = sample(&amd64, &[Row::Own(0, 8), Row::Saved(1, 16), Row::Own(37, 8)], &[0xc3], None);
    // str x30,[sp,#-16]!; mov x3,sp; sub x9,sp,#64; mov x10,x9; movz x1,#6; 1: subs x1,x1,#1; csel
    // x9,x3,x9,eq; csel x10,x3,x10,eq; str x1,[x9]; nop; str x30,[x10]; nop; cbnz x1,1b; ldr
    // x30,[sp],#16; ret
    let words = [
        0xf81f_0ffe,
        0x9100_03e3,
        0xd101_03e9,
        0xaa09_03ea,
        0xd280_00c1,
        0xf100_0421,
        0x9a89_0069,
        0x9a8a_006a,
        0xf900_0121,
        0xd503_201f,
        0xf900_015e,
        0xd503_201f,
        0xb5ff_ff21,
        0xf841_07fe,
        0xd65f_03c0,
    ];
    let entry = FrameState::at_entry(Abi::Aarch64);
    let cfa = CfaRule::Register { reg: Abi::Aarch64.facts().sp, offset: 16 };
    let saved = FrameState { cfa, ra: ValueRule::AtCfa(-16), ..entry };
    let aarch64 = aarch64(words, &[(0, entry), (4, saved), (56, entry)], None);
    // stg %r14,112(%r15); lay %r2,-64(%r15); lgr %r3,%r2; la %r4,112(%r15); lghi %r1,6; 1: aghi
    // %r1,-1; locgre %r2,%r4; locgre %r3,%r4; stg %r1,0(%r2); nopr; stg %r14,0(%r3); nopr; ltgr
    // %r1,%r1; jne 1b; br %r14
    let s390x = bytes_of(
        "e3e0f0700024 e320ffc0ff71 b9040032 4140f070 a7190006 a71bffff b9e28024 b9e28034 e31020000024 0700 e3e030000024 0700 b9020011 a774fff0 07fe",
    );
    let entry = FrameState::at_entry(Abi::S390x);
    let rows = [(0, entry), (6, FrameState { ra: ValueRule::AtCfa(-48), ..entry })];
    let frames = rows.into_iter().map(|(offset, frame)| FrameAt { offset, frame }).collect();
    let middle = Function { code: s390x, frames, ..Function::leaf(Abi::S390x, "middle") };
    let (start, outer) =
        (Function::start(Abi::S390x, "_start", "outer"), Function::framed(Abi::S390x, "outer", "middle"));
    let s390x = built(Abi::S390x, vec![start, outer, middle]);
    for (abi, file) in [(Abi::Amd64, amd64), (Abi::Aarch64, aarch64), (Abi::S390x, s390x)] {
        let (errors, undecided) = judged(&file);
        // The nop after the first store, and the second store.
        assert_eq!(
            errors.iter().map(|(_, steps)| steps).sum::<u64>() + undecided,
            2,
            "{abi}: {errors:?}, {undecided} undecided"
        );
    }
}

/// mov $6,%ecx; lea -64(%rsp),%r9; 1: push %rbp; dec %ecx; cmovz %rsp,%r9; mov %rcx,(%r9); nop; lea
/// 8(%rsp),%rsp; test %ecx,%ecx; jnz 1b; ret: the one store of the last round hits a slot that the
/// block's last row does not name.
#[test]
fn a_slot_that_the_end_of_a_known_block_does_not_name_is_seen() {
    let code = bytes_of("b906000000 4c8d4c24c0 55 ffc9 4c0f44cc 498909 90 488d642408 85c9 75ec c3");
    let (errors, undecided) = in_blocks(&code, &[Row::Own(0, 8), Row::Saved(11, 16), Row::Own(26, 8)]);
    // nop and lea.
    assert_eq!(errors.iter().map(|(_, steps)| steps).sum::<u64>() + undecided, 2, "{errors:?}, {undecided} undecided");
}

/// A loop of six rounds, in the last of which an instruction in the middle of a block fails that
/// was a block hit before. Messages name the place.
#[test]
fn a_fault_within_a_known_block_ends_the_run_where_it_is() {
    let table: [(Abi, &str, u64, &str); 9] = [
        // mov %rsp,%r9; mov $6,%ecx; 1: dec %ecx; cmovz %rcx,%r9; nop; mov (%r9),%rax; nop; test
        // %ecx,%ecx; jnz 1b; ret
        (Abi::Amd64, "4989e1 b906000000 ffc9 4c0f44c9 90 498b01 90 85c9 75f1 c3", 15, "cannot read 8 bytes at 0x0"),
        // mov $6,%ecx; 1: dec %ecx; xor %edx,%edx; mov $1,%eax; nop; div %ecx; nop; test %ecx,%ecx;
        // jnz 1b; ret
        (Abi::Amd64, "b906000000 ffc9 31d2 b801000000 90 f7f1 90 85c9 75ef c3", 15, "divide error"),
        // mov x9,sp; mov x1,#6; 1: subs x1,x1,#1; csel x9,x1,x9,eq; nop; ldr x0,[x9]; nop; cbnz
        // x1,1b; ret
        (Abi::Aarch64, A64_LOW, 20, "cannot read 8 bytes at 0x0"),
        (Abi::Aarch64Be, A64_LOW, 20, "cannot read 8 bytes at 0x0"),
        // The same with an address of more than 48 bits: mov x3,#0x1234 lsl 48; ... csel
        // x9,x3,x9,eq
        (Abi::Aarch64, A64_HIGH, 24, "data abort"),
        (Abi::Aarch64Be, A64_HIGH, 24, "data abort"),
        // lgr %r2,%r15; lghi %r1,6; llihf %r3,0x1234; 1: aghi %r1,-1; locgre %r2,%r3; nopr; lg
        // %r0,0(%r2); nopr; ltgr %r1,%r1; jne 1b; br %r14
        (
            Abi::S390x,
            "b904002f a7190006 c03e00001234 a71bffff b9e28023 0700 e30020000004 0700 b9020011 a774fff5 07fe",
            24,
            "program interruption",
        ),
        // lghi %r1,6; 1: aghi %r1,-1; lghi %r5,7; nopr; dsgr %r4,%r1; nopr; ltgr %r1,%r1; jne 1b;
        // br %r14
        (
            Abi::S390x,
            "a7190006 a71bffff a7590007 0700 b90d0041 0700 b9020011 a774fff6 07fe",
            14,
            "program interruption",
        ),
        // lghi %r1,6; lghi %r3,0; 1: aghi %r1,-1; nopr; cgrte %r1,%r3; nopr; ltgr %r1,%r1; jne 1b;
        // br %r14
        (
            Abi::S390x,
            "a7190006 a7390000 a71bffff 0700 b9608013 0700 b9020011 a774fff8 07fe",
            14,
            "program interruption",
        ),
    ];
    for (abi, code, offset, what) in table {
        let middle = Function { code: bytes_of(code), ..Function::leaf(abi, "middle") };
        let functions = vec![Function::start(abi, "_start", "outer"), Function::framed(abi, "outer", "middle"), middle];
        let bytes = built(abi, functions);
        let image = elf::load("planted", &Bytes::copy_from_slice(&bytes)).expect("an image");
        let middle = image.symbols.iter().find(|symbol| symbol.name.as_str() == "middle").expect("a symbol").address;
        let checked = both("planted", &bytes, &Options::default()).expect("a file that loads");
        let ended: Vec<_> = checked.report.undecided.iter().map(|one| (one.pc, one.message.as_str())).collect();
        let found = ended.iter().any(|(pc, message)| *pc == Some(middle + offset) && message.contains(what));
        assert!(found, "{abi} {code}: {middle:#x} {ended:?}");
    }
}

const A64_LOW: &str = "e9030091 c10080d2 210400f1 2900899a 1f2003d5 200140f9 1f2003d5 61ffffb5 c0035fd6";
const A64_HIGH: &str = "e9030091 c10080d2 8346e2d2 210400f1 6900899a 1f2003d5 200140f9 1f2003d5 61ffffb5 c0035fd6";

fn bytes_of(text: &str) -> Vec<u8> {
    let digits: String = text.split_whitespace().collect();
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits")).collect()
}

/// A real program of s390x in which an instruction was made none: the emulator translates nothing
/// at all there, and the run ends all the same.
#[test]
fn what_is_no_instruction_ends_the_run_where_it_is() {
    let path = testing::frozen("s390x/gas-2.47.50--v3--gcc12-O2--exe");
    let mut bytes = std::fs::read(path).expect("a file");
    // c0e5ffff7381, brasl %r14, becomes e0e5ffff7381, of an opcode that there is not.
    bytes[0x1232e] ^= 0x20;
    let checked = both("changed", &bytes, &Options::default()).expect("a file that loads");
    let ended: Vec<&str> = checked.report.undecided.iter().map(|one| one.message.as_str()).collect();
    assert!(ended.iter().any(|message| message.contains("program interruption at 0x101232e")), "{ended:?}");
}

/// mov %rbp,%r8; mov $6,%ecx; 1: dec %ecx; cmovz %rcx,%rbp; nop; test %ecx,%ecx; jnz 1b; mov
/// %r8,%rbp; ret: in the last round FP is another from the middle of the block on.
#[test]
fn a_register_that_changes_within_a_known_block_is_seen() {
    let code = [
        0x49, 0x89, 0xe8, 0xb9, 6, 0, 0, 0, 0xff, 0xc9, 0x48, 0x0f, 0x44, 0xe9, 0x90, 0x85, 0xc9, 0x75, 0xf5, 0x4c,
        0x89, 0xc5, 0xc3,
    ];
    let (errors, _) = in_blocks(&code, &[Row::Own(0, 8)]);
    // nop, test, jnz and mov.
    assert_eq!(errors, [("row/fp-matches-truth".to_owned(), 4)]);
}

/// mov $6,%ecx; xor %edx,%edx; 1: dec %ecx; setz %dl; shl $3,%edx; sub %rdx,%rsp; nop; test
/// %ecx,%ecx; jnz 1b; add $8,%rsp; ret: in the last round SP moves.
#[test]
fn a_stack_pointer_that_changes_within_a_known_block_is_seen() {
    let code = [
        0xb9, 6, 0, 0, 0, 0x31, 0xd2, 0xff, 0xc9, 0x0f, 0x94, 0xc2, 0xc1, 0xe2, 3, 0x48, 0x29, 0xd4, 0x90, 0x85, 0xc9,
        0x75, 0xf0, 0x48, 0x83, 0xc4, 8, 0xc3,
    ];
    let (errors, _) = in_blocks(&code, &[Row::Own(0, 8)]);
    // nop, test, jnz and add.
    assert_eq!(errors, [("row/cfa-matches-truth".to_owned(), 4)]);
}

/// The same, and FP is what it was again at the end of the block: mov %r8,%rbp after the nop.
#[test]
fn a_register_that_is_made_good_within_a_known_block_is_seen() {
    let code = [
        0x49, 0x89, 0xe8, 0xb9, 6, 0, 0, 0, 0xff, 0xc9, 0x48, 0x0f, 0x44, 0xe9, 0x90, 0x4c, 0x89, 0xc5, 0x85, 0xc9,
        0x75, 0xf2, 0xc3,
    ];
    let (errors, _) = in_blocks(&code, &[Row::Own(0, 8)]);
    // nop and mov.
    assert_eq!(errors, [("row/fp-matches-truth".to_owned(), 2)]);
}

/// nop; dec %ecx; jz 2f; cmp $1,%ecx; jne 1b as above, and then another way leads to the known
/// block, which is right itself: with FP changed, that is saved, or with a word pushed.
#[test]
fn another_state_of_a_known_block_is_none_that_is_known() {
    let fp = [
        0x55, 0xb9, 6, 0, 0, 0, 0x90, 0xff, 0xc9, 0x74, 10, 0x83, 0xf9, 1, 0x75, 0xf6, 0x48, 0x89, 0xcd, 0xeb, 0xf1,
        0x5d, 0xc3,
    ];
    let rows = [Row::Own(0, 8), Row::Own(1, 16), Row::Saved(19, 16), Row::Own(22, 8)];
    assert_eq!(in_blocks(&fp, &rows).0, [("row/fp-matches-truth".to_owned(), 3)]);
    let sp = [0xb9, 6, 0, 0, 0, 0x90, 0xff, 0xc9, 0x74, 8, 0x83, 0xf9, 1, 0x75, 0xf6, 0x50, 0xeb, 0xf3, 0x58, 0xc3];
    let rows = [Row::Own(0, 8), Row::Own(16, 16), Row::Own(19, 8)];
    assert_eq!(in_blocks(&sp, &rows).0, [("row/cfa-matches-truth".to_owned(), 3)]);
}

/// As above with a CFA that counts from FP: push %rbp; mov %rsp,%rbp, the loop, and lea
/// 8(%rbp),%rbp for another way to the known block; then cmovz %rcx,%rbp within it, in the last
/// round.
#[test]
fn a_frame_pointer_that_the_cfa_counts_from_is_part_of_the_state() {
    let between = [
        0x55, 0x48, 0x89, 0xe5, 0xb9, 6, 0, 0, 0, 0x90, 0xff, 0xc9, 0x74, 11, 0x83, 0xf9, 1, 0x75, 0xf6, 0x48, 0x8d,
        0x6d, 8, 0xeb, 0xf0, 0x5d, 0xc3,
    ];
    let rows = [Row::Own(0, 8), Row::Saved(1, 16), Row::Based(4, 16), Row::Saved(23, 16), Row::Own(26, 8)];
    assert_eq!(in_blocks(&between, &rows).0, [("row/cfa-matches-truth".to_owned(), 3)]);
    let within = [
        0x55, 0x48, 0x89, 0xe5, 0xb9, 6, 0, 0, 0, 0xff, 0xc9, 0x48, 0x0f, 0x44, 0xe9, 0x90, 0x85, 0xc9, 0x75, 0xf5,
        0x48, 0x89, 0xe5, 0x5d, 0xc3,
    ];
    let rows = [Row::Own(0, 8), Row::Saved(1, 16), Row::Based(4, 16), Row::Saved(23, 16), Row::Own(24, 8)];
    // nop, test, jnz and mov: FP is 0, and at 8 there is no return address.
    assert_eq!(in_blocks(&within, &rows).0, [("row/ra-matches-truth".to_owned(), 4)]);
}

/// push %rbp; mov %rsp,%rbp; mov $6,%ecx; 1: nop; mov %rbp,%rsp; dec %ecx; jz 2f; cmp $1,%ecx; jne
/// 1b; push %rax; jmp 1b; 2: pop %rbp; ret: another SP, which the known block itself makes what it
/// was.
#[test]
fn a_stack_pointer_that_a_known_block_makes_good_is_part_of_the_state() {
    let code = [
        0x55, 0x48, 0x89, 0xe5, 0xb9, 6, 0, 0, 0, 0x90, 0x48, 0x89, 0xec, 0xff, 0xc9, 0x74, 8, 0x83, 0xf9, 1, 0x75,
        0xf3, 0x50, 0xeb, 0xf0, 0x5d, 0xc3,
    ];
    let rows = [Row::Own(0, 8), Row::Saved(1, 16), Row::Saved(23, 24), Row::Saved(25, 16), Row::Own(26, 8)];
    // nop and mov.
    assert_eq!(in_blocks(&code, &rows).0, [("row/cfa-matches-truth".to_owned(), 2)]);
}

/// `middle` of AArch64, called as by [`sample`]; where it calls, a function that signs its return
/// address.
fn aarch64(words: impl IntoIterator<Item = u32>, frames: &[(u32, FrameState)], calls_at: Option<usize>) -> Vec<u8> {
    let abi = Abi::Aarch64;
    let code = words.into_iter().flat_map(u32::to_le_bytes).collect();
    let frames = frames.iter().map(|(offset, frame)| FrameAt { offset: *offset, frame: *frame }).collect();
    let calls = calls_at.map(|at| {
        let call = Function::framed(abi, "", "signing").calls.remove(0);
        generators::code::Call { at, ..call }
    });
    let middle = Function { code, frames, calls: calls.into_iter().collect(), ..Function::leaf(abi, "middle") };
    let signing = Function::signed(abi, "signing", "leaf", PacKey::B).expect("a function");
    let (start, outer) = (Function::start(abi, "_start", "outer"), Function::framed(abi, "outer", "middle"));
    let functions = vec![start, outer, middle, signing, Function::leaf(abi, "leaf")];
    built(abi, functions)
}

/// str x30,[sp,#-16]!; movz x19,#6; 1: bl signing; subs x19,x19,#1; b.ne 1b; ldr x30,[sp],#16; ret.
#[test]
fn addresses_that_are_signed_in_known_blocks_are_followed() {
    let entry = FrameState::at_entry(Abi::Aarch64);
    let saved = FrameState {
        cfa: CfaRule::Register { reg: Abi::Aarch64.facts().sp, offset: 16 },
        ra: ValueRule::AtCfa(-16),
        ..entry
    };
    let words = [0xf81f_0ffe, 0xd280_00d3, 0x9400_0000, 0xf100_0673, 0x54ff_ffc1, 0xf841_07fe, 0xd65f_03c0];
    let (errors, undecided) = judged(&aarch64(words, &[(0, entry), (4, saved), (24, entry)], Some(8)));
    assert_eq!((errors, undecided), (Vec::new(), 0));
}

/// As above with the link register, by which the loop's rows find the return address: str
/// x30,[sp,#-16]!; movz x1,#6; 1: nop; subs x1,x1,#1; b.eq 2f; cmp x1,#1; b.ne 1b; mov x30,x1; b
/// 1b; 2: ldr x30,[sp],#16; ret. Then within the block: mov x2,x30; movz x1,#6; 1: subs x1,x1,#1;
/// csel x30,x1,x30,eq; nop; cbnz x1,1b; mov x30,x2; ret.
#[test]
fn a_link_register_is_part_of_the_state() {
    let entry = FrameState::at_entry(Abi::Aarch64);
    let pushed = FrameState { cfa: CfaRule::Register { reg: Abi::Aarch64.facts().sp, offset: 16 }, ..entry };
    let saved = FrameState { ra: ValueRule::AtCfa(-16), ..pushed };
    let between = [
        0xf81f_0ffe,
        0xd280_00c1,
        0xd503_201f,
        0xf100_0421,
        0x5400_00a0,
        0xf100_043f,
        0x54ff_ff81,
        0xaa01_03fe,
        0x17ff_fffa,
        0xf841_07fe,
        0xd65f_03c0,
    ];
    let rows = [(0, entry), (4, pushed), (32, saved), (40, entry)];
    assert_eq!(judged(&aarch64(between, &rows, None)).0, [("row/ra-matches-truth".to_owned(), 3)]);
    let within =
        [0xaa1e_03e2, 0xd280_00c1, 0xf100_0421, 0x9a9e_003e, 0xd503_201f, 0xb5ff_ffa1, 0xaa02_03fe, 0xd65f_03c0];
    // nop, cbnz and mov.
    assert_eq!(judged(&aarch64(within, &[(0, entry)], None)).0, [("row/ra-matches-truth".to_owned(), 3)]);
}

/// A loop in which the last instruction of a page signs the return address, so that a block ends
/// with it: 1: nop; paciasp; autiasp; subs x1,x1,#1; b.ne 1b; ret. If that is not followed, the
/// return address would be taken for another one.
#[test]
fn an_address_that_is_signed_at_the_end_of_a_block_is_followed() {
    const PAGE: u64 = 4096;
    const NOP: u32 = 0xd503_201f;
    let plain = FrameState::at_entry(Abi::Aarch64);
    let built = |nops: usize| {
        let words = [0xd280_00c1, NOP, 0xd503_233f, 0xd503_23bf, 0xf100_0421, 0x54ff_ff81, 0xd65f_03c0];
        let signed = nops as u32 * 4 + 12;
        let frames = [(0, plain), (signed, FrameState { signed: true, ..plain }), (signed + 4, plain)];
        aarch64(std::iter::repeat_n(NOP, nops).chain(words), &frames, None)
    };
    let begins = |bytes: &[u8]| {
        let image = elf::load("signed", &Bytes::copy_from_slice(bytes)).expect("an image");
        image.symbols.iter().find(|symbol| symbol.name.as_str() == "middle").expect("a symbol").address
    };
    let signs_at = (begins(&built(0)) + 8) % PAGE;
    let nops = (2 * PAGE - 4 - signs_at) % PAGE / 4;
    let (errors, undecided) = judged(&built(nops as usize));
    assert_eq!((errors, undecided), (Vec::new(), 0));
}

/// mov $6,%ecx; 1: call victim; dec %ecx; jnz 1b; ret, with any number of steps as the limit: the
/// run ends at the same instruction.
#[test]
fn a_limit_ends_the_run_at_the_same_step() {
    let middle = [0xb9, 6, 0, 0, 0, 0xe8, 0xfb, 0xff, 0xff, 0xff, 0xff, 0xc9, 0x75, 0xf7, 0xc3];
    let bytes = sample(&middle, &[Row::Own(0, 8)], &[0xc3], Some(5));
    for steps in 1..60 {
        both("limited", &bytes, &Options { limits: Limits::steps(steps), ..Options::default() });
    }
}

/// push %rbp; lea -64(%rsp),%r9; mov $6,%r10d; mov $60,%r12d; 1: mov $39,%eax; xor %edi,%edi; dec
/// %r10d; cmovz %rsp,%r9; cmovz %r12d,%eax; mov %r10,(%r9); nop; nop; syscall; jmp 1b: in the last
/// round the saved FP is written over, and the program exits at the end of that very block.
#[test]
fn a_slot_that_is_written_over_in_the_last_block_is_seen() {
    let code = bytes_of(
        "55 4c8d4c24c0 41ba06000000 41bc3c000000 b827000000 31ff 41ffca 4c0f44cc 410f44c4 4d8911 90 90 0f05 ebe5",
    );
    let bytes = sample(&code, &[Row::Own(0, 8), Row::Saved(1, 16)], &[0xc3], None);
    let checked = both("exits", &bytes, &Options::default()).expect("a file that loads");
    assert!(checked.report.summary.undecided >= 2, "{}", checked.report.summary.undecided);
}

/// push %rbp; mov %rsp,%rbp; and $-16,%rsp; nop; mov %rbp,%rsp; pop %rbp; ret, called with SP at
/// one alignment, six times at the other, and at the first again: how far AND moves SP is no part
/// of the state, and the block itself makes it good.
#[test]
fn a_stack_pointer_that_is_aligned_within_a_known_block_is_seen() {
    let victim = [0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xe4, 0xf0, 0x90, 0x48, 0x89, 0xec, 0x5d, 0xc3];
    // push %rax; call victim; pop %rax; mov $6,%ecx; 1: call victim; dec %ecx; jnz 1b; push %rax;
    // call victim; pop %rax; ret
    let middle = bytes_of("50 e8fbffffff 58 b906000000 e8fbffffff ffc9 75f7 50 e8fbffffff 58 c3");
    let rows = [Row::Own(0, 8), Row::Own(1, 16), Row::Own(7, 8), Row::Own(22, 16), Row::Own(28, 8)];
    // As it is, and with SP another word away.
    let away = [&[0x50][..], &middle[..28], &[0x58], &middle[28..]].concat();
    let rows_away = [
        Row::Own(0, 8),
        Row::Own(1, 16),
        Row::Own(2, 24),
        Row::Own(8, 16),
        Row::Own(23, 24),
        Row::Own(29, 16),
        Row::Own(30, 8),
    ];
    let its_rows = [Row::Own(0, 8), Row::Saved(1, 16), Row::Own(13, 8)];
    let wrong: Vec<u64> = [(&middle, &rows[..], [1, 12, 22]), (&away, &rows_away[..], [2, 13, 23])]
        .into_iter()
        .map(|(middle, rows, calls)| {
            judged(&calling(middle, rows, &calls, &victim, &its_rows)).0.iter().map(|one| one.1).sum()
        })
        .collect();
    // nop and mov of the calls at which AND moves SP.
    assert_eq!(wrong.iter().sum::<u64>(), 2 * 8, "{wrong:?}");
}

/// A program that makes a stack of its own and takes it away at the end of a block that is known:
/// mmap; lea 65536(%rax),%rsp; call middle; hlt, and push %rbp; mov $6,%r12d; 1: xor %edi,%edi; mov
/// $11,%eax; mov $65536,%esi; dec %r12d; cmovz %rbx,%rdi; mov %r12,-64(%rsp); nop; syscall; jmp 1b.
#[test]
fn a_stack_that_is_taken_away_by_a_known_block_ends_the_run_where_it_is() {
    let abi = Abi::Amd64;
    let mut code =
        bytes_of("b809000000 31ff be00000100 ba03000000 41ba22000000 49c7c0ffffffff 4531c9 0f05 4889c3 488da000000100");
    let at = code.len();
    code.extend(bytes_of("e8fbffffff f4"));
    let call = Function::framed(abi, "", "middle").calls.remove(0);
    let calls = vec![generators::code::Call { at, ..call }];
    let start = Function { code, calls, ..Function::start(abi, "_start", "middle") };
    let middle = Function {
        code: bytes_of("55 41bc06000000 31ff b80b000000 be00000100 41ffcc 480f44fb 4c896424c0 90 0f05 ebe3"),
        frames: [Row::Own(0, 8), Row::Saved(1, 16)].iter().map(|row| row.frame()).collect(),
        ..Function::leaf(abi, "middle")
    };
    let checked = both("unmaps", &built(abi, vec![start, middle]), &Options::default()).expect("a file that loads");
    let ended: Vec<&str> = checked.report.undecided.iter().map(|one| one.message.as_str()).collect();
    assert!(ended.iter().any(|message| message.contains("cannot write 8 bytes")), "{ended:?}");
}
