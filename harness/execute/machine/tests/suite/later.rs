//! Instructions of z14 and z15, which the emulator lacks, executed by the machine: general
//! registers compared with the manual's definition (z/Architecture Principles of Operation
//! SA22-7832-13, chapter 7), vectors with results of QEMU 10.0, which shares no code with the
//! machine.

use crate::common::trace::trace;
use crate::common::{CODE, DATA, hex, program};
use machine::{End, Plan, Reason, run};
use types::{Abi, Pc, Reg, RegFile};

/// An instruction, registers 2 and 3 after it, and the condition code. Before, register 2 is
/// 0x0123456789abcdef, 3 is -7, 4 and the eight bytes at 8(%r6) are 0xffff8001.
const GENERAL: &[(&str, [u64; 2], u64)] = &[
    ("e320600e0038", [0x0123456789ab4df0, 0xfffffffffffffff9], 2), // agh %r2,14(%r6)
    ("e320600e0039", [0x0123456789ac4dee, 0xfffffffffffffff9], 2), // sgh %r2,14(%r6)
    ("e320600e003c", [0x5e6f8091a2b44def, 0xfffffffffffffff9], 0), // mgh %r2,14(%r6)
    ("e32060080084", [0xffffffffffffffff, 0xfffffff900037ff9], 0), // mg %r2,8(%r6)
    ("e320600c0053", [0x01234567a2b44def, 0xfffffffffffffff9], 3), // msc %r2,12(%r6)
    ("e32060080083", [0xe81b4e80a2b44def, 0xfffffffffffffff9], 3), // msgc %r2,8(%r6)
    ("e320600c003b", [0x01234567ffff8000, 0xfffffffffffffff9], 0), // lzrf %r2,12(%r6)
    ("b9ec4023", [0xffffffffffffffff, 0xfffffff900037ff9], 0),     // mgrk %r2,%r3,%r4
    ("b9fd4023", [0x0123456700037ff9, 0xfffffffffffffff9], 2),     // msrkc %r2,%r3,%r4
    ("b9ed4023", [0xfffffff900037ff9, 0xfffffffffffffff9], 1),     // msgrkc %r2,%r3,%r4
    ("b9f54023", [0x0123456700007ff8, 0xfffffffffffffff9], 1),     // ncrk %r2,%r3,%r4
    ("b9e54023", [0xffffffff00007ff8, 0xfffffffffffffff9], 1),     // ncgrk %r2,%r3,%r4
    ("b9744023", [0x0123456700007ffe, 0xfffffffffffffff9], 1),     // nnrk %r2,%r3,%r4
    ("b9644023", [0xffffffff00007ffe, 0xfffffffffffffff9], 1),     // nngrk %r2,%r3,%r4
    ("b9764023", [0x0123456700000006, 0xfffffffffffffff9], 1),     // nork %r2,%r3,%r4
    ("b9664023", [0x0000000000000006, 0xfffffffffffffff9], 1),     // nogrk %r2,%r3,%r4
    ("b9774023", [0x01234567ffff8007, 0xfffffffffffffff9], 1),     // nxrk %r2,%r3,%r4
    ("b9674023", [0x00000000ffff8007, 0xfffffffffffffff9], 1),     // nxgrk %r2,%r3,%r4
    ("b9754023", [0x01234567ffffffff, 0xfffffffffffffff9], 1),     // ocrk %r2,%r3,%r4
    ("b9654023", [0xffffffffffffffff, 0xfffffffffffffff9], 1),     // ocgrk %r2,%r3,%r4
    ("b9e34823", [0xfffffffffffffff9, 0xfffffffffffffff9], 0),     // selgre %r2,%r3,%r4
    ("b9e34723", [0x00000000ffff8001, 0xfffffffffffffff9], 0),     // selgrne %r2,%r3,%r4
    ("b9f04823", [0x01234567fffffff9, 0xfffffffffffffff9], 0),     // selre %r2,%r3,%r4
    ("b9c04723", [0x0000000089abcdef, 0xfffffffffffffff9], 0),     // selfhrne %r2,%r3,%r4
    ("b9e18023", [0x000000000000003e, 0xfffffffffffffff9], 1),     // popcnt %r2,%r3,8
];

/// An instruction of z13 or before that the emulator executes wrongly, register 2 after it, and the
/// condition code. Before, registers 2 and 3 are the minimum of 64 bits, 4 and the eight bytes at
/// 8(%r6) are 0xffff8001.
const OLDER: &[(&str, u64, u64)] = &[
    ("b9080023", 0, 3),                         // agr %r2,%r3
    ("b9e83023", 0, 3),                         // agrk %r2,%r3,%r3
    ("a7290000 b9090023", 1 << 63, 3),          // lghi %r2,0; sgr %r2,%r3
    ("c02980000000 1a22", 1 << 63, 3),          // iilf %r2,0x80000000; ar %r2,%r2
    ("b9e08024", 0, 0),                         // locfhre %r2,%r4
    ("b9e04024", 1 << 63, 0),                   // locfhrl %r2,%r4
    ("ec23813f0054", 1 << 63, 0),               // rnsbg %r2,%r3,1,63, tested
    ("ec23803f0054", 1 << 63, 1),               // rnsbg %r2,%r3,0,63, tested
    ("ec23803f0057", 1 << 63, 0),               // rxsbg %r2,%r3,0,63, tested
    ("e72060080027", 1 << 63 | 16, 0),          // lcbb %r2,8(%r6),0
    ("e7206ffb6027", 1 << 63 | 5, 3),           // lcbb %r2,4091(%r6),6
    ("eb29600c0080", 0xff00_00ff_0000_0000, 1), // icmh %r2,9,12(%r6)
    ("bf29600c", 0x8000_0000_ff00_00ff, 1),     // icm %r2,9,12(%r6)
    // iihf %r2,0x7ff80000; ldgr %f4,%r2; cfdbr %r2,0,%f4; cgdbr %r2,0,%f4; clgdbr %r2,0,%f4
    ("c0287ff80000 b3c10042 b3990024", 0x7ff8_0000_8000_0000, 3),
    ("c0287ff80000 b3c10042 b3a90024", 1 << 63, 3),
    ("c0287ff80000 b3c10042 b3ad0024", 0, 3),
    // iihf %r2,0x40400000; ldgr %f4,%r2; mdebr %f4,%f4; lgdr %r2,%f4: 3 times 3
    ("c02840400000 b3c10042 b30c0044 b3cd0024", 0x4022_0000_0000_0000, 0),
    // iihf %r2,0; iilf %r2,0x1234567d; stg %r2,8(%r6); cvb %r2,8(%r6): -1234567 in packed digits
    ("c02800000000 c0291234567d e32060080024 4f206008", 0xffed_2979, 0),
    ("c02800000000 c0291234567d e32060080024 e32060080006", 0xffed_2979, 0),
    ("c02800000000 c0291234567c e32060100024 a7290000 e32060080024 e3206008000e", 1_234_567, 0),
    // iihf %r2,0x40000000; iilf %r2,0; ldgr %f4,%r2; lzdr %f6; sqxbr %f4,%f4; lgdr %r2,%f4: of 2
    ("c02840000000 c02900000000 b3c10042 b3750060 b3160044 b3cd0024", 0x3fff_6a09_e667_f3bc, 0),
    // lghi %r0,0; stfle 8(%r6); lg %r2,8(%r6): one word of three
    ("a7090000 b2b06008 e32060080004", 0xf940_b6d3_f4c4_5c24, 3),
    // cghrl of the halfword 0xffff after a branch; then 1 << 63 is less.
    ("c62400000005 a7f40003 ffff", 1 << 63, 1),
];

/// The second, third and fourth vector register.
type Operands = [u64; 6];

const BITS: Operands = [
    0x0123456789abcdef,
    0xf0e1d2c3b4a59687,
    0x0369d0369d0369cd,
    0xe1f0c3d2a5b48796,
    0x05b05b05b05b05ab,
    0xd2c3f0e19687b4a5,
];
const INDICES: Operands = [0x0123456789abcdef, 0xf0e1d2c3b4a59687, 0x0001020340417f80, 0x3f3e3d3c05060708, 0, 0];
const SHORT: Operands = [
    0x3fc00000c0100000,
    0x7f61b1e63dcccccd,
    0xc00000003f000000,
    0x7f61b1e640400000,
    0x3e800000c0e00000,
    0xbf8000003a83126f,
];
const LONG: Operands = [
    0x3ff199999999999a,
    0xc01d000000000000,
    0x3fd3333333333333,
    0x4000000000000000,
    0xc016000000000000,
    0x4202a05f20000000,
];
const EXTENDED: Operands = [
    0x3fff19999999999a,
    0x123456789abcdef0,
    0xc000500000000001,
    0x2468acf13579bde0,
    0x3ffd555555555555,
    0x369d0369d0369cd0,
];

/// A text, a string that is searched in it, and the length of the string.
const PARTIAL: Operands = [0x0101020101010202, 0x0101010202020102, 0x0200010001010101, 0x0202000201020102, 0x9, 0];
const ENDED: Operands = [0x0101000102010001, 0x0202010201020101, 0x0201010201020102, 0x0201020202020101, 0x8, 0];
const WHOLE: Operands = [0x0201020101010001, 0x0100020101020101, 0x0101000201010201, 0x0102020102020102, 0xc, 0];

/// An instruction, its operands, the first vector register after it, the IEEE flags and the
/// condition code.
const VECTOR: &[(&str, Operands, [u64; 2], u64, u64)] = &[
    ("e7123000006e", BITS, [0xfedebfd976fcb632, 0x1f1f3d3d5b5b7979], 0x00, 0), // vnn
    ("e7123000006c", BITS, [0xfdb56aaeeb575bdd, 0xeeeeeeeeeeeeeeee], 0x00, 0), // vnx
    ("e7123000006f", BITS, [0xfdb76fefebffdfff, 0xfeeffeeffeeffeef], 0x00, 0), // voc
    ("e71200001050", BITS, [0x000400080008000c, 0x0008000800080008], 0x00, 0), // vpopcth
    ("e71200003050", BITS, [0x0000000000000020, 0x0000000000000020], 0x00, 0), // vpopctg
    ("e71230000085", INDICES, [0x0000000000000ef2, 0x0000000000000000], 0x00, 0), // vbperm
    ("e712334040b8", BITS, [0xaee649a5e8df7777, 0xb5d3193b54066c3c], 0x00, 0), // vmslg
    ("e7123000408b", PARTIAL, [15, 0], 0x00, 3),                               // vstrsb
    ("e7123020408b", WHOLE, [3, 0], 0x00, 2),                                  // vstrszb
    ("e7123020408b", ENDED, [16, 0], 0x00, 1),                                 // vstrszb
    ("e7123120408b", PARTIAL, [16, 0], 0x00, 0),                               // vstrszh
    ("e71230050086", BITS, [0x2468acf13579bdfe, 0x1c3a587694b2d0e0], 0x00, 0), // vsld
    ("e71230030087", BITS, [0xe06d3a06d3a06d39, 0xbc3e187a54b690f2], 0x00, 0), // vsrd
    ("e712300020e3", SHORT, [0xbf000000bfe00000, 0x7f80000040466666], 0x28, 0), // vfasb
    ("e712300020e2", SHORT, [0x40600000c0300000, 0x00000000c039999a], 0x08, 0), // vfssb
    ("e712300020e7", SHORT, [0xc0400000bf900000, 0x7f8000003e99999a], 0x28, 0), // vfmsb
    ("e712300020e5", SHORT, [0xbf400000c0900000, 0x3f8000003d088889], 0x08, 0), // vfdsb
    ("e7123200408f", SHORT, [0xc0300000c1020000, 0x7f8000003e9a1cac], 0x28, 0), // vfmasb
    ("e7123200408e", SHORT, [0xc050000040bc0000, 0x7f8000003e991687], 0x28, 0), // vfmssb
    ("e712000020ce", SHORT, [0x3f9cc4717fc00000, 0x5f705ece3ea1e89b], 0x88, 0), // vfsqsb
    ("e7123300409f", LONG, [0x4014ae147ae147ae, 0xc202a05f1f8c0000], 0x08, 0), // vfnmadb
    ("e7123300409e", LONG, [0xc01751eb851eb852, 0x4202a05f20740000], 0x08, 0), // vfnmsdb
    ("e712304030ef", LONG, [0x3ff199999999999a, 0x4000000000000000], 0x00, 0), // vfmaxdb
    ("e712301030ee", LONG, [0x3fd3333333333333, 0xc01d000000000000], 0x00, 0), // vfmindb
    ("e712301430e8", LONG, [0x0000000000000000, 0x0000000000000000], 0x00, 3), // vfkedbs
    ("e712301020eb", SHORT, [0xffffffff00000000, 0x0000000000000000], 0x00, 1), // vfchsbs
    ("e712300020ea", SHORT, [0xffffffff00000000, 0xffffffff00000000], 0x00, 0), // vfchesb
    ("e712000020cc", SHORT, [0xbfc0000040100000, 0xff61b1e6bdcccccd], 0x00, 0), // vflcsb
    ("e7128000204a", SHORT, [0x0000000000000000, 0x0000000000000000], 0x00, 3), // vftcisb
    ("e712005020c7", SHORT, [0x3f800000c0000000, 0x7f61b1e600000000], 0x08, 0), // vfisb
    ("e712300840e3", EXTENDED, [0xbfff866666666668, 0x369d0369d0369cd0], 0x00, 0), // wfaxb
    ("e712300840e2", EXTENDED, [0x4000dcccccccccce, 0x2d82d82d82d82d58], 0x00, 0), // wfsxb
    ("e712300840e7", EXTENDED, [0xc00071999999999b, 0x798b09546c518c06], 0x08, 0), // wfmxb
    ("e712300840e5", EXTENDED, [0xbffdad1ad1ad1ad0, 0xef72c3cf6d90ee21], 0x08, 0), // wfdxb
    ("e7123408408f", EXTENDED, [0xc00046eeeeeeeef0, 0xd2b768e7324ab86c], 0x08, 0), // wfmaxb
    ("e712000840ce", EXTENDED, [0x3fff0c7ebc96a56f, 0x93750639af43f2e8], 0x08, 0), // wfsqxb
    ("e712007840c7", EXTENDED, [0x3fff000000000000, 0x0000000000000000], 0x08, 0), // wfixb
    ("e712000830c4", LONG, [0x3fff199999999999, 0xa000000000000000], 0x00, 0), // wflld
    ("e712000040cb", EXTENDED, [0x0000000000000000, 0x0000000000000000], 0x00, 1), // wfcxb
    ("e712000020c3", BITS, [0x4b91a2b4ceeca864, 0xcd71e2d4ce96b4d3], 0x08, 0), // vcefb
    ("e712000020c1", BITS, [0x4b91a2b44f09abce, 0x4f70e1d34f34a597], 0x08, 0), // vcelfb
    ("e712005020c2", SHORT, [0x00000001fffffffe, 0x7fffffff00000000], 0x88, 0), // vcfeb
    ("e712005020c0", SHORT, [0x0000000100000000, 0xffffffff00000000], 0x88, 0), // vclfeb
];

/// Code that sets a register by `iihf` and `iilf`.
fn set(register: u8, value: u64) -> Vec<u8> {
    let half =
        |opcode: u8, half: u64| [vec![0xc0, register << 4 | opcode], (half as u32).to_be_bytes().to_vec()].concat();
    [half(8, value >> 32), half(9, value)].concat()
}

/// The values of general registers after some code.
fn after(code: &[u8]) -> impl Fn(u16) -> u64 {
    let trace = trace(Abi::S390x, &[code, &hex("0a01")].concat()); // svc 1
    assert!(matches!(trace.run.end, End::Exit(_)), "{:?}", trace.run.end);
    move |number| trace.visit(code.len() as u64, 0).registers.read(Reg(number)).unwrap_or_default()
}

#[test]
fn general_registers_are_what_the_manual_defines() {
    for (text, expected, condition) in GENERAL {
        let registers = [(2, 0x0123_4567_89ab_cdef), (3, 0_u64.wrapping_sub(7)), (4, 0xffff_8001), (6, DATA)];
        let mut code: Vec<u8> = registers.iter().flat_map(|(register, value)| set(*register, *value)).collect();
        code.extend(hex("e34060080024 b9820055")); // stg %r4,8(%r6); xgr %r5,%r5
        code.extend(hex(text));
        code.extend(hex("b2220050")); // ipm %r5
        let register = after(&code);
        assert_eq!(([register(2), register(3)], register(5) >> 28 & 3), (*expected, *condition), "{text}");
    }
}

#[test]
fn older_instructions_are_what_the_manual_defines() {
    for (text, expected, condition) in OLDER {
        let registers = [(2, 1 << 63), (3, 1 << 63), (4, 0xffff_8001), (6, DATA)];
        let mut code: Vec<u8> = registers.iter().flat_map(|(register, value)| set(*register, *value)).collect();
        code.extend(hex("e34060080024 b9820055")); // stg %r4,8(%r6); xgr %r5,%r5
        code.extend(hex(text));
        code.extend(hex("b2220050")); // ipm %r5
        let register = after(&code);
        assert_eq!((register(2), register(5) >> 28 & 3), (*expected, *condition), "{text}");
    }
}

#[test]
fn vectors_are_what_another_emulator_answers() {
    for (text, operands, expected, flags, condition) in VECTOR {
        let mut code: Vec<u8> = (2..).zip(operands).flat_map(|(register, value)| set(register, *value)).collect();
        code.extend(hex("e72230000062 e73450000062 e74670000062")); // vlvgp %v2,%r2,%r3 and so on
        code.extend(hex("b9820055")); // xgr %r5,%r5
        code.extend(hex(text));
        code.extend(hex("b2220050 b38c0040 e72100003021 e73100013021")); // ipm, efpc, vlgvg
        let register = after(&code);
        let found = ([register(2), register(3)], register(4) >> 16 & 0xff, register(5) >> 28 & 3);
        assert_eq!(found, (*expected, *flags, *condition), "{text}");
    }
}

#[test]
fn vectors_are_loaded_and_stored_in_other_orders() {
    let bytes = [0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f_u64];
    // An instruction with its first operand in %v1, whose bytes are 0 to 15 for a store; a loaded
    // register is stored afterwards. Correct results show in the byte numbers.
    let table: [(&str, [u64; 2]); 9] = [
        ("e61060001006", [0x0100_0302_0504_0706, 0x0908_0b0a_0d0c_0f0e]), // vlbrh
        ("e61060004006", [0x0f0e_0d0c_0b0a_0908, 0x0706_0504_0302_0100]), // vlbrq
        ("e61060002007", [0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203]), // vlerf
        ("e61060003004", [0x0706_0504_0302_0100, 0]),                     // vllebrzg
        ("e61060002005", [0x0302_0100_0302_0100, 0x0302_0100_0302_0100]), // vlbrrepf
        ("e61060001002", [0x0001_0203_0405_0607, 0x0706_0504_0302_0100]), // vlebrg, 1
        ("e6106000300e", [0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908]), // vstbrg
        ("e6106000100f", [0x0e0f_0c0d_0a0b_0809, 0x0607_0405_0203_0001]), // vsterh
        ("e6106000200b", [0x0b0a_0908_0405_0607, 0x0809_0a0b_0c0d_0e0f]), // vstebrf, 2
    ];
    for (text, expected) in table {
        let stores = matches!(hex(text)[5], 9..);
        let mut code: Vec<u8> =
            [(2, bytes[0]), (3, bytes[1]), (6, DATA)].iter().flat_map(|(at, value)| set(*at, *value)).collect();
        code.extend(hex("e71230000062 e7106000000e")); // vlvgp %v1,%r2,%r3; vst %v1,0(%r6)
        code.extend(hex(text));
        code.extend(hex(if stores { "" } else { "e7106000000e" }));
        code.extend(hex("e32060000004 e33060080004")); // lg %r2,0(%r6); lg %r3,8(%r6)
        let register = after(&code);
        assert_eq!([register(2), register(3)], expected, "{text}");
    }
}

#[test]
fn a_move_from_right_to_left_may_overlap() {
    // la %r2,...: the eight bytes at 0(%r6) are moved to 1(%r6); seven of them overlap.
    let mut code = [set(2, 0x0102_0304_0506_0708), set(6, DATA), set(0, 7)].concat();
    code.extend(hex("e32060000024 e50a60016000 e32060010004")); // stg; mvcrl 1(%r6),0(%r6); lg
    assert_eq!(after(&code)(2), 0x0102_0304_0506_0708);
}

/// `bic` jumps to the address in memory, and the frame of a call remains.
#[test]
fn an_indirect_branch_goes_on_where_memory_says() {
    let head = [set(3, CODE + 50), set(6, DATA)].concat();
    // stg %r3,0(%r6); bi 0(%r6); two words that are not instructions; lghi %r2,5
    let code = [head, hex("e33060000024 e3f060000047 00000000 00000000 0000 0000 0707"), hex("a7290005")].concat();
    let registers = after(&code);
    assert_eq!(registers(2), 5);
}

/// A message names an instruction that is not executed, whether the disassembler knows it or not.
#[test]
fn what_is_lacking_is_named() {
    let table = [
        ("b3d24023", "adtr"),
        ("b93b1023", "nnpa"),
        ("b9680023", "clzg"),
        ("e712302030ef", "vfmaxdb"),
        ("e6120000 0056", "vclfnh"),
    ];
    for (text, name) in table {
        let trace = trace(Abi::S390x, &hex(&format!("0700{text}")));
        let End::Undecided { reason, pc, message } = &trace.run.end else { panic!("{:?}", trace.run.end) };
        assert_eq!((*reason, *pc), (Reason::IllegalInstruction, Pc(CODE + 2)), "{message}");
        assert!(message.contains(&format!("instruction {name}")), "{message}");
    }
}

/// The emulator refuses an instruction that it lacks at the beginning of a page before any hook.
#[test]
fn one_that_begins_a_page_is_executed() {
    let nops = "0700".repeat(0x1000 / 2 - 12);
    let code = [set(3, 6), set(4, 7), hex(&nops), hex("b9ed4023 0a01")].concat(); // msgrkc; svc 1
    assert_eq!(code.len(), 0x1000 + 6);
    let image = program(Abi::S390x, &code);
    let run = run(&Plan::new(&image), &mut Ignoring).expect("a run");
    assert_eq!(run.end, End::Exit(42));
}

struct Ignoring;

impl types::Observer for Ignoring {
    fn step(&mut self, _: &types::Step<'_>) {}
}
