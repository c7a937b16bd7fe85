//! Instructions of z14 and z15, which the emulator lacks, executed by the machine: general
//! registers compared with the manual's definition (z/Architecture Principles of Operation
//! SA22-7832-13, chapter 7), vectors with results of QEMU 10.0, which shares no code with the
//! machine.

use crate::common::trace::trace;
use crate::common::{CODE, DATA, hex, program};
use machine::{End, Plan, Reason, run};
use types::{Abi, Pc, Reg, RegFile};

/// The fields of the lines of a section of `z14.txt`; the last one names the instruction.
fn table(section: &str) -> impl Iterator<Item = Vec<&'static str>> {
    let text = include_str!("z14.txt").split_once(&format!("[{section}]\n")).expect("the section").1;
    text.lines().take_while(|line| !line.is_empty()).map(|line| line.split(" | ").collect())
}

fn number(field: &str) -> u64 {
    let (digits, radix) = field.strip_prefix("0x").map_or((field, 10), |digits| (digits, 16));
    u64::from_str_radix(digits, radix).expect("a number")
}

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
    for row in table("general") {
        let [text, second, third, condition, name] = row[..] else { panic!("{row:?}") };
        let registers = [(2, 0x0123_4567_89ab_cdef), (3, 0_u64.wrapping_sub(7)), (4, 0xffff_8001), (6, DATA)];
        let mut code: Vec<u8> = registers.iter().flat_map(|(register, value)| set(*register, *value)).collect();
        code.extend(hex("e34060080024 b9820055")); // stg %r4,8(%r6); xgr %r5,%r5
        code.extend(hex(text));
        code.extend(hex("b2220050")); // ipm %r5
        let register = after(&code);
        assert_eq!([register(2), register(3), register(5) >> 28 & 3], [second, third, condition].map(number), "{name}");
    }
}

#[test]
fn older_instructions_are_what_the_manual_defines() {
    for row in table("older") {
        let [text, expected, condition, name] = row[..] else { panic!("{row:?}") };
        let registers = [(2, 1 << 63), (3, 1 << 63), (4, 0xffff_8001), (6, DATA)];
        let mut code: Vec<u8> = registers.iter().flat_map(|(register, value)| set(*register, *value)).collect();
        code.extend(hex("e34060080024 b9820055")); // stg %r4,8(%r6); xgr %r5,%r5
        code.extend(hex(text));
        code.extend(hex("b2220050")); // ipm %r5
        let register = after(&code);
        assert_eq!([register(2), register(5) >> 28 & 3], [expected, condition].map(number), "{name}");
    }
}

#[test]
fn vectors_are_what_another_emulator_answers() {
    for row in table("vector") {
        let [text, operands, high, low, flags, condition, name] = row[..] else { panic!("{row:?}") };
        let operands = table("operands").find(|row| row[0] == operands).expect("operands with this name");
        let values = operands[1..].iter().map(|value| number(value));
        let mut code: Vec<u8> = (2..).zip(values).flat_map(|(register, value)| set(register, value)).collect();
        code.extend(hex("e72230000062 e73450000062 e74670000062")); // vlvgp %v2,%r2,%r3 and so on
        code.extend(hex("b9820055")); // xgr %r5,%r5
        code.extend(hex(text));
        code.extend(hex("b2220050 b38c0040 e72100003021 e73100013021")); // ipm, efpc, vlgvg
        let register = after(&code);
        let found = [register(2), register(3), register(4) >> 16 & 0xff, register(5) >> 28 & 3];
        assert_eq!(found, [high, low, flags, condition].map(number), "{name}");
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
