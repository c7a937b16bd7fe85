//! What the decoders read in single instructions: in each file, the bytes of an instruction at
//! [`PC`] and its text for GNU as, then what was read. `BLESS=1` writes it anew.

use std::fs;
use std::path::PathBuf;

use isa::flow::{self, Marks, Taken};
use isa::{Code, effects, preserved};
use types::{Abi, Reg};

const PC: u64 = 0x1000;
const MARKS: [(&str, Marks); 12] = [
    ("writes-sp", Marks::WRITES_SP),
    ("writes-fp", Marks::WRITES_FP),
    ("writes-link", Marks::WRITES_LINK),
    ("saves", Marks::SAVES),
    ("nop", Marks::NOP),
    ("skip", Marks::SKIP),
    ("compares-sp", Marks::COMPARES_SP),
    ("pushes", Marks::PUSHES),
    ("moves-sp", Marks::MOVES_SP),
    ("calls-system", Marks::CALLS_SYSTEM),
    ("sets-fp", Marks::SETS_FP),
    ("returns-from-interrupt", Marks::RETURNS_FROM_INTERRUPT),
];

fn numbers(registers: impl IntoIterator<Item = Reg>) -> String {
    registers.into_iter().map(|reg| format!(" {}", reg.0)).collect()
}

/// What is read, as lines; the addresses that are `taken` depend on instructions before.
fn read(abi: Abi, bytes: &[u8], taken: &mut Taken) -> String {
    let Some((insn, simple)) = Code::new(abi, bytes, PC).simple(0) else { return "    nothing\n".to_owned() };
    let marks = MARKS.iter().filter(|(_, mark)| insn.marks.any(*mark)).map(|(name, _)| format!(" {name}"));
    let length = usize::from(insn.length);
    let mut text = format!("    {:x?}{}", insn.flow, marks.collect::<String>());
    if length != bytes.len() {
        text += &format!("; {length} bytes");
    }
    let written = flow::written(abi, bytes, PC).map(|registers| numbers(registers.iter())).unwrap_or_default();
    let uses = preserved::uses(abi, bytes, &insn, simple.as_ref());
    for (name, numbers) in [("writes", written), ("of the preserved", numbers(uses.written.iter()))] {
        if !numbers.is_empty() {
            text += &format!("; {name}{numbers}");
        }
    }
    for (name, holds) in [("stores one", uses.stores), ("in registers", preserved::is_in_registers(abi, bytes))] {
        if holds {
            text += &format!("; {name}");
        }
    }
    text.push('\n');
    let mut note = |name: &str, what: Option<String>| {
        text += &what.map(|what| format!("    {name} {what}\n")).unwrap_or_default();
    };
    note("does", simple.map(|simple| format!("{simple:?}")));
    let (_, effects) = effects::decode(abi, &mut Code::new(abi, bytes, PC), 0).unwrap_or_else(|| (insn, Vec::new()));
    effects.iter().for_each(|effect| note("effect", Some(format!("{effect:?}"))));
    effects::all_saves(abi, bytes, PC).iter().for_each(|save| note("save", Some(format!("{save:?}"))));
    note("bound", flow::bound(abi, bytes, PC).map(|bound| format!("{bound:?}")));
    note("index", flow::index(abi, bytes).map(|reg| reg.0.to_string()));
    note("address", taken.by(bytes, PC).map(|address| format!("{address:#x}")));
    text
}

#[test]
fn single_instructions() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/opinion/instructions");
    for (name, abi) in [("amd64", Abi::Amd64), ("aarch64", Abi::Aarch64), ("s390x", Abi::S390x)] {
        let path = folder.join(format!("{name}.txt"));
        let (mut text, mut taken) = (String::new(), Taken::new(abi));
        for line in fs::read_to_string(&path).unwrap().lines().filter(|line| !line.starts_with(' ')) {
            let digits = line.split(' ').next().unwrap_or_default();
            let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
            let bytes: Vec<u8> = (0..digits.len()).step_by(2).map(byte).collect();
            text += &format!("{line}\n{}", read(abi, &bytes, &mut taken));
        }
        testing::blessed::blessed(&path, &text);
    }
}
