//! The second opinion of capstone: on AArch64 the registers that capstone reports as written; on
//! s390x, where it reports none, mnemonic and operands. Known bugs of capstone are listed here,
//! with what the manuals define.

use capstone::prelude::*;
use capstone::{Insn, RegId};
use isa::flow::Flow;
use types::Abi;

use crate::{Opinion, Second};

/// The disassembler of one target.
pub(crate) struct Disassembler {
    abi: Abi,
    engine: Capstone,
    tracked: [Vec<RegId>; 3],
}

impl Disassembler {
    pub(crate) fn new(abi: Abi) -> Disassembler {
        use capstone::arch;
        let builder = Capstone::new();
        let engine = match abi {
            Abi::Amd64 | Abi::Aarch64 | Abi::Aarch64Be => {
                builder.arm64().mode(arch::arm64::ArchMode::Arm).detail(true).build()
            }
            Abi::S390x => builder.sysz().mode(arch::sysz::ArchMode::Default).build(),
        };
        let engine = engine.unwrap();
        let names: [&[&str]; 3] = match abi {
            Abi::Amd64 | Abi::Aarch64 | Abi::Aarch64Be => {
                [&["sp", "wsp"], &["x29", "fp", "w29"], &["x30", "lr", "w30"]]
            }
            Abi::S390x => [&[], &[], &[]],
        };
        let all: Vec<(RegId, String)> =
            (1..400).filter_map(|id| Some((RegId(id), engine.reg_name(RegId(id))?))).collect();
        let numbers =
            |names: &[&str]| all.iter().filter(|(_, name)| names.contains(&name.as_str())).map(|(id, _)| *id).collect();
        let tracked = names.map(numbers);
        Disassembler { abi, engine, tracked }
    }

    fn written(&self, insn: &Insn<'_>) -> [bool; 3] {
        let detail = self.engine.insn_detail(insn).unwrap();
        std::array::from_fn(|which| detail.regs_write().iter().any(|reg| self.tracked[which].contains(reg)))
    }
}

impl Second for Disassembler {
    fn opinion(&self, code: &[u8], pc: u64) -> Option<Opinion> {
        let window = code.get(..code.len().min(15))?;
        let decoded = self.engine.disasm_count(window, pc, 1).ok()?;
        let insn = decoded.first()?;
        let (mnemonic, operands) = (insn.mnemonic()?, insn.op_str()?);
        let (flow, writes) = match self.abi {
            Abi::Amd64 | Abi::Aarch64 | Abi::Aarch64Be => {
                let mut writes = self.written(insn);
                let read = reports_reads(mnemonic, operands);
                writes.iter_mut().zip(["sp", "x29", "x30"]).for_each(|(writes, name)| *writes &= !read(name));
                (aarch64(mnemonic, operands), writes)
            }
            Abi::S390x => s390x(mnemonic, operands),
        };
        let text = format!("{mnemonic} {operands}");
        Some(Opinion { length: insn.len(), flow, writes, mnemonic: mnemonic.to_owned(), text })
    }
}

/// The last operand if it is a number.
fn target(operands: &str) -> Option<u64> {
    let last = operands.rsplit(", ").next()?.trim_start_matches('#');
    let (digits, negative) = last.strip_prefix('-').map_or((last, false), |digits| (digits, true));
    let number = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if negative { number.wrapping_neg() } else { number })
}

/// Registers that capstone reports as written on AArch64 although they are only read: the first of
/// comparisons, which are aliases of instructions with the zero register as destination; the last
/// of LD1 to ST4, which is added to the address. SVC leaves all registers to the system.
fn reports_reads<'a>(mnemonic: &'a str, operands: &'a str) -> impl Fn(&str) -> bool + 'a {
    let none = matches!(mnemonic, "cmp" | "cmn" | "tst" | "svc");
    let structures = matches!(mnemonic.get(..3), Some("ld1" | "ld2" | "ld3" | "ld4" | "st1" | "st2" | "st3" | "st4"));
    move |register| none || (structures && !operands.contains(&format!("[{register}]")))
}

fn aarch64(mnemonic: &str, operands: &str) -> Flow {
    match (mnemonic, target(operands)) {
        ("b", Some(target)) => Flow::Jump(target),
        ("bl", Some(target)) => Flow::Call(target),
        ("cbz" | "cbnz" | "tbz" | "tbnz", Some(target)) => Flow::Branch(target),
        ("br" | "braa" | "brab" | "braaz" | "brabz", _) => Flow::IndirectJump,
        ("blr" | "blraa" | "blrab" | "blraaz" | "blrabz", _) => Flow::IndirectCall,
        ("ret" | "retaa" | "retab", _) => Flow::Return,
        ("brk" | "hlt" | "udf" | "eret" | "eretaa" | "eretab" | "drps", _) => Flow::Ends,
        (name, Some(target)) if name.starts_with("b.") || name.starts_with("bc.") => Flow::Branch(target),
        _ => Flow::Next,
    }
}

fn s390x(mnemonic: &str, operands: &str) -> (Flow, [bool; 3]) {
    let list: Vec<&str> = operands.split(", ").collect();
    let first = list.first().copied().unwrap_or_default();
    (
        s390x_flow(mnemonic, first, list.get(1).copied().unwrap_or_default(), target(operands)),
        s390x_writes(mnemonic, &list),
    )
}

fn s390x_flow(mnemonic: &str, first: &str, second: &str, target: Option<u64>) -> Flow {
    match (mnemonic, target) {
        ("j" | "jg" | "jlu", Some(target)) => Flow::Jump(target),
        ("bras" | "brasl", Some(target)) if first == "%r14" => Flow::Call(target),
        ("brasl", Some(target)) => Flow::Call(target),
        ("bras", Some(target)) => Flow::Jump(target),
        ("br", _) if first == "%r14" => Flow::Return,
        ("br", _) if first == "%r0" => Flow::Next,
        // Register 0 means no register in an address.
        ("basr" | "balr" | "bassm" | "bsm", _) if second == "%r0" => Flow::Next,
        ("b" | "br" | "bi" | "bsm", _) => Flow::IndirectJump,
        ("bas" | "bal" | "basr" | "balr" | "bassm", _) => Flow::IndirectCall,
        ("lpsw" | "lpswe", _) => Flow::Ends,
        (name, Some(target)) if is_relative(name) => Flow::Branch(target),
        // Conditional returns.
        (name, None) if name.starts_with('b') && name.ends_with('r') && first == "%r14" && !is_count(name) => {
            Flow::Return
        }
        _ => Flow::Next,
    }
}

fn is_count(name: &str) -> bool {
    matches!(name, "bctr" | "bctgr")
}

fn is_relative(name: &str) -> bool {
    const COMPARE: &[&str] = &["crj", "cgrj", "clrj", "clgrj", "cij", "cgij", "clij", "clgij"];
    name.starts_with('j')
        || name.starts_with("brct")
        || name.starts_with("brx")
        || COMPARE.iter().any(|start| name.starts_with(start))
}

/// Returns for SP, FP and link register (%r15, %r11, %r14) whether they are written. The first
/// operand is written, with exceptions by mnemonic.
fn s390x_writes(mnemonic: &str, operands: &[&str]) -> [bool; 3] {
    let number = |operand: &&str| operand.strip_prefix("%r").and_then(|digits| digits.parse::<u8>().ok());
    let Some(first) = operands.first().and_then(number) else { return [false; 3] };
    let second = operands.get(1).and_then(number);
    let pair = |reg: u8, of: u8| reg == of || (of.is_multiple_of(2) && reg == of + 1);
    let written = |reg: u8| match (mnemonic, second) {
        ("lm" | "lmg" | "lmh" | "lmy" | "lmd", Some(last)) => {
            (reg.wrapping_sub(first) & 15) <= (last.wrapping_sub(first) & 15)
        }
        (name, Some(second)) if BOTH_PAIRS.contains(&name) => pair(reg, first) || pair(reg, second),
        (name, _) if only_reads(name) => false,
        (name, _) if PAIRS.contains(&name) => pair(reg, first),
        _ => reg == first,
    };
    [15, 11, 14].map(written)
}

/// Mnemonics that write an even-odd pair of registers.
const PAIRS: &[&str] = &[
    "d", "dr", "dl", "dlr", "dlg", "dlgr", "dsg", "dsgr", "dsgf", "dsgfr", "m", "mr", "ml", "mlr", "mlg", "mlgr",
    "mfy", "mg", "mgrk", "slda", "sldl", "srda", "srdl", "lpq", "cds", "cdsy", "cdsg", "lpd", "lpdg", "tre", "troo",
    "trot", "trto", "trtt", "cksm", "cuxtr", "csxtr",
];

/// Mnemonics that write two even-odd pairs of registers.
const BOTH_PAIRS: &[&str] =
    &["mvcl", "mvcle", "mvclu", "clcl", "clcle", "clclu", "cuse", "cu12", "cu14", "cu21", "cu24", "cu41", "cu42"];

/// Returns true for stores, tests, comparisons, non-counting branches, and privileged instructions
/// that only read.
fn only_reads(name: &str) -> bool {
    const EXACT: &[&str] = &[
        "c", "cr", "cg", "cgr", "cgf", "cgfr", "cy", "ch", "chy", "cgh", "chi", "cghi", "cfi", "cgfi", "cl", "clr",
        "cly", "clg", "clgr", "clgf", "clgfr", "clfi", "clgfi", "chf", "clhf", "chhr", "chlr", "clhhr", "clhlr", "cih",
        "clih", "crl", "cgrl", "chrl", "cghrl", "cgfrl", "clrl", "clgrl", "clhrl", "clghrl", "clgfrl", "clm", "clmh",
        "clmy", "ex", "exrl", "br", "spm", "plo", "sigp", "trace", "tracg", "diag", "ipte", "idte", "sske", "ssm",
        "ppa", "pt", "spctr", "scctr", "pgin", "pgout", "tb", "sfpc",
    ];
    const STARTS: &[&str] = &[
        "st", "tm", "crj", "cgrj", "clrj", "clgrj", "cij", "cgij", "clij", "clgij", "crb", "cgrb", "clrb", "clgrb",
        "cib",
    ];
    const TRAPS: &[&str] = &["crt", "cgrt", "clrt", "clgrt", "cit", "cgit", "clfit", "clgit", "clt", "clgt"];
    const MORE: &[&str] = &["cgib", "clib", "clgib"];
    let starts = |list: &[&str]| list.iter().any(|start| name.starts_with(start));
    let branches = name.starts_with('b') && name.ends_with('r') && !matches!(name, "basr" | "balr" | "bctr" | "bctgr");
    EXACT.contains(&name) || starts(STARTS) || starts(TRAPS) || starts(MORE) || branches
}
