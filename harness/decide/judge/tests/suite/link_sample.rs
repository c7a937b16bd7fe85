//! A link of two objects that keeps everything, for tests to break.

use judge::link::{Breach, CodeSymbol, Expected, LinkFile, LinkedFunction, MadeCode, TableFacts, conserved};
use types::{CfaRule, PacKey, Pc, Reg, SframeVersion, UnwindRow, ValueRule};

/// The reported shape of a change, and the change.
pub(crate) type Change<T> = (&'static str, fn(&mut T));

/// A row at offsets in its function: CFA is SP plus `offset`.
pub(crate) fn row(start: u64, end: u64, offset: i64) -> UnwindRow {
    UnwindRow {
        start: Pc(start),
        end: Pc(end),
        cfa: CfaRule::Register { reg: Reg(7), offset },
        ra: ValueRule::AtCfa(-8),
        fp: ValueRule::SameValue,
        signed: false,
        key: PacKey::A,
        signed_with_pc: false,
        sp: None,
        signal: false,
    }
}

/// A function of 16 bytes that pushes one word.
pub(crate) fn function(start: u64) -> LinkedFunction {
    LinkedFunction {
        start,
        size: 16,
        block: None,
        signal: false,
        key: PacKey::A,
        rows: vec![row(0, 1, 8), row(1, 15, 16), row(15, 16, 8)],
    }
}

/// A file whose symbols are all described, at the addresses given.
pub(crate) fn file(name: &str, relocatable: bool, functions: &[(&str, u64)]) -> LinkFile {
    let described: Vec<LinkedFunction> = functions.iter().map(|(_, start)| function(*start)).collect();
    LinkFile {
        name: name.to_owned(),
        relocatable,
        symbols: functions.iter().map(|(name, address)| symbol(name, *address)).collect(),
        cfi: Vec::new(),
        made: Vec::new(),
        has_section: true,
        has_segment: !relocatable,
        allocated: true,
        address: 0x1000,
        bytes: vec![1, 2, 3],
        table: Some(TableFacts {
            version: SframeVersion::V3,
            flags: if relocatable { 4 } else { 5 },
            abi_arch: 3,
            fixed_fp: 0,
            fixed_ra: -8,
            elements: 1,
            length: 3,
            relocated: described.len(),
            by_field: Vec::new(),
            broken: 0,
            functions: described,
        }),
    }
}

pub(crate) fn symbol(name: &str, address: u64) -> CodeSymbol {
    CodeSymbol { name: name.to_owned(), address }
}

/// An entry of the PLT.
pub(crate) fn plt(start: u64, end: u64) -> MadeCode {
    MadeCode { section: ".plt".to_owned(), code: (start, end) }
}

pub(crate) fn object(name: &str, functions: &[(&str, u64)]) -> LinkFile {
    file(name, true, functions)
}

/// The inputs of the link that all tests start from.
pub(crate) fn inputs() -> [LinkFile; 2] {
    [object("a.o", &[("f", 0x100), ("g", 0x110)]), object("b.o", &[("h", 0x100)])]
}

/// The correct output of the link.
pub(crate) fn output() -> LinkFile {
    file("out", false, &[("f", 0x2000), ("g", 0x2010), ("h", 0x2020)])
}

pub(crate) fn table(file: &mut LinkFile) -> &mut TableFacts {
    file.table.as_mut().expect("the file has a table")
}

pub(crate) fn judged(change: impl FnOnce(&mut [LinkFile; 2], &mut LinkFile)) -> Vec<Breach> {
    let (mut inputs, mut output) = (inputs(), output());
    change(&mut inputs, &mut output);
    conserved(&inputs.iter().collect::<Vec<_>>(), &output, Expected::Conserved)
}

pub(crate) fn ids(breaches: &[Breach]) -> Vec<&str> {
    breaches.iter().map(|breach| breach.rule.name()).collect()
}

pub(crate) fn names(all: &[&str]) -> Vec<String> {
    all.iter().map(|name| (*name).to_owned()).collect()
}
