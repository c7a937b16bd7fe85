//! A second opinion on `isa::flow`: Zydis (AMD64) and capstone decode opcode patterns with random
//! operands and real code; groups, operands and written registers are compared. Exploration without
//! inputs relies on `isa::flow`: an unmarked write of SP, FP or the link register makes a wrong
//! truth. Marks may be set without need, never be missing.

#![allow(clippy::unwrap_used, reason = "a test")]

mod apx;
mod capstone;
mod code;
mod instructions;
mod objects;
mod text;
mod words;
mod zydis;

use std::collections::BTreeMap;
use std::path::Path;

use isa::flow::{self, Flow, Marks};
use types::Abi;

const PC: u64 = 0x1000_0000;

/// One instruction as the second decoder sees it.
pub(crate) struct Opinion {
    pub(crate) length: usize,
    /// Control flow; conditional returns count as returns.
    pub(crate) flow: Flow,
    /// Whether SP, FP and link register are written.
    pub(crate) writes: [bool; 3],
    pub(crate) mnemonic: String,
    pub(crate) text: String,
}

/// A second decoder of one target.
pub(crate) trait Second {
    /// The instruction at the start of `code`; `None` if it cannot be decoded.
    fn opinion(&self, code: &[u8], pc: u64) -> Option<Opinion>;
}

fn second(abi: Abi) -> Box<dyn Second> {
    match abi {
        Abi::Amd64 => Box::new(::zydis::Decoder::new64()),
        Abi::Aarch64 | Abi::Aarch64Be | Abi::S390x => Box::new(capstone::Disassembler::new(abi)),
    }
}

/// Number of compared instructions, and the differences, with examples of each mnemonic.
#[derive(Default)]
struct Tally {
    compared: u64,
    marked_more: u64,
    differ: BTreeMap<String, (u64, String)>,
}

impl Tally {
    /// Compares one instruction; returns its length if the second decoder knows it.
    fn compare(&mut self, second: &dyn Second, abi: Abi, code: &[u8], pc: u64) -> Option<usize> {
        let theirs = second.opinion(code, pc)?;
        let length = theirs.length;
        let ours = flow::decode(abi, code, pc);
        self.compared += 1;
        let Some(ours) = ours else {
            self.note(&theirs, "is not decoded", code);
            return Some(length);
        };
        if usize::from(ours.length) != length {
            self.note(&theirs, &format!("is of {} bytes", ours.length), code);
            return Some(length);
        }
        let flow = match ours.flow {
            Flow::ReturnOrNext => Flow::Return,
            flow => flow,
        };
        if flow != theirs.flow {
            self.note(&theirs, &format!("is {}, not {}", word(flow), word(theirs.flow)), code);
        }
        // A call always sets the link register.
        let calls = matches!(flow, Flow::Call(_) | Flow::IndirectCall);
        let marks = [Marks::WRITES_SP, Marks::WRITES_FP, Marks::WRITES_LINK];
        for (mark, (name, writes)) in marks.into_iter().zip(["SP", "FP", "link"].into_iter().zip(theirs.writes)) {
            let leaves = matches!(flow, Flow::Return | Flow::Ends);
            let marked = ours.marks.any(mark) || (calls && mark != Marks::WRITES_FP) || leaves;
            self.marked_more += u64::from(ours.marks.any(mark) && !writes);
            if writes && !marked {
                self.note(&theirs, &format!("does not write {name}"), code);
            }
        }
        Some(length)
    }

    fn note(&mut self, theirs: &Opinion, what: &str, code: &[u8]) {
        let entry = self.differ.entry(format!("{} {what}", theirs.mnemonic).replace("0x", "")).or_default();
        entry.0 += 1;
        let code: String = code.iter().take(theirs.length).map(|byte| format!("{byte:02x}")).collect();
        entry.1 = format!("{code} {}", theirs.text);
    }

    /// Prints the differences; returns true if there are none and at least `least` instructions
    /// were compared.
    fn says(&self, least: u64) -> bool {
        println!("{} compared, {} marks more than theirs", self.compared, self.marked_more);
        for (what, (count, text)) in &self.differ {
            println!("{count:7} {what}: {text}");
        }
        self.differ.is_empty() && self.compared >= least
    }

    fn check(&self, least: u64) {
        assert!(self.says(least), "isa::flow differs, or less than {least} was compared: see above");
    }
}

/// The name of a flow without its target.
fn word(flow: Flow) -> String {
    format!("{flow:?}").split('(').next().unwrap_or_default().to_owned()
}

fn random(abi: Abi, count: u64, seed: u64) -> Tally {
    let (second, mut tally) = (second(abi), Tally::default());
    for index in 0..count {
        tally.compare(&*second, abi, &words::word(abi, index, seed), PC);
    }
    tally
}

fn real(abi: Abi, files: &[&Path], most: usize) -> Tally {
    let (second, mut tally) = (second(abi), Tally::default());
    let unit = abi.facts().instruction_alignment as usize;
    for file in files {
        for (address, bytes) in objects::code(std::fs::read(file).unwrap()) {
            // Some frozen objects are large because of their tables and repeat the same code.
            let bytes = bytes.get(..bytes.len().min(most)).unwrap_or_default();
            let mut at = 0;
            while let Some(code) = bytes.get(at..).filter(|code| !code.is_empty()) {
                at += tally.compare(&*second, abi, code, address + at as u64).unwrap_or(unit);
            }
        }
    }
    tally
}

#[test]
fn amd64_words() {
    random(Abi::Amd64, 120_000, 1).check(60_000);
}

#[test]
fn aarch64_words() {
    random(Abi::Aarch64, 200_000, 1).check(60_000);
}

#[test]
fn s390x_words() {
    random(Abi::S390x, 120_000, 1).check(50_000);
}

#[test]
fn frozen_objects() {
    for abi in Abi::ALL {
        let files = objects::frozen(abi);
        let files: Vec<&Path> = files.iter().map(|file| file.as_path()).collect();
        real(abi, &files, 1 << 12).check(2_000);
    }
}

/// `OPINION_WORDS` words of each target, and the code of the files that `OPINION_FILES` lists as
/// `abi=path`, separated by spaces.
#[test]
#[ignore = "minutes: for changes of isa::flow"]
fn at_length() {
    let count = std::env::var("OPINION_WORDS").ok().and_then(|count| count.parse().ok()).unwrap_or(3_000_000);
    let mut failed = false;
    for abi in [Abi::Amd64, Abi::Aarch64, Abi::S390x] {
        println!("{abi}, {count} words");
        failed |= !random(abi, count, 2).says(count / 4);
    }
    for file in std::env::var("OPINION_FILES").unwrap_or_default().split_whitespace() {
        let (name, path) = file.split_once('=').unwrap();
        let abi = Abi::ALL.into_iter().find(|abi| abi.name() == name).unwrap();
        println!("{file}");
        failed |= !real(abi, &[Path::new(path)], usize::MAX).says(1_000);
    }
    assert!(!failed, "isa::flow differs: see above");
}
