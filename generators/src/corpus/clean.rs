//! Files that break no structural rule, or only one that every file of their version breaks: they
//! reveal false findings. Both tables agree with each other and with the code, which runs to its
//! end.

use spec::RuleId;
use types::{Abi, PacKey, SframeVersion, ValueRule};

use super::bench::{Bench, EXTRA, LEAF, long_leaf, repeat_blocks};
use super::plt;
use crate::arch::{arch, target};
use crate::code::{FrameAt, Function, nops};
use crate::elf::{self, ElfSpec, FileKind, SHF_ALLOC, SHF_EXECINSTR, SHT_PROGBITS, Section, Symbol, SymbolKind};
use crate::facts::{self, Outermost};
use crate::sample::Sample;
use crate::sframe::{FunctionSpec, SectionSpec, Width};

/// A file for which a judge must report nothing except [`CleanFile::expected`].
#[derive(Clone, Debug)]
pub struct CleanFile {
    /// Description: target, version, kind, and contents.
    pub name: String,
    /// Rules that every file of its version breaks.
    pub expected: &'static [RuleId],
    pub bytes: Vec<u8>,
}

const KINDS: [FileKind; 3] = [FileKind::Executable, FileKind::Shared, FileKind::Relocatable];

/// Files for every target, version and kind of file: plain functions, and one file for each feature
/// of the version.
///
/// # Panics
/// When a specification in this crate cannot be encoded, which is tested.
pub fn clean() -> Vec<CleanFile> {
    let mut files = Vec::new();
    for abi in Abi::ALL {
        for version in SframeVersion::ALL {
            if !target(abi).is_in(version) {
                continue;
            }
            for kind in KINDS {
                let bench = Bench { abi, version, kind };
                files.push(plain(bench));
                files.extend(features(bench));
            }
        }
    }
    files
}

fn plain(bench: Bench) -> CleanFile {
    finish(bench, "plain", Vec::new(), |_| ())
}

fn features(bench: Bench) -> Vec<CleanFile> {
    let Bench { abi, version, .. } = bench;
    let (target, version) = (target(abi), facts::version(version));
    let layout = version.layout;
    let mut files = vec![
        // Long enough for 2-byte row starts, with rows at both ends.
        finish(bench, "two-byte starts", vec![long_framed(abi, 0x300)], |_| ()),
        finish(bench, "four-byte starts", vec![long_framed(abi, 0x1_2000)], |_| ()),
        finish(bench, "long leaf", vec![long_leaf(abi, "long", 0x300)], |_| ()),
    ];
    // LLVM chooses the width by the last row's start, GNU as by the function's size.
    files.push(finish(bench, "one-byte starts in a long function", vec![long_leaf(abi, "long", 0x300)], |function| {
        function.starts = Width::One;
    }));
    files.push(rows_in_another_order(bench));
    files.push(edited(bench, "padding", Vec::new(), |section| section.trailing = vec![0; 7], |_| ()));
    files.push(cold_part(bench));
    if bench.kind == FileKind::Relocatable {
        files.push(two_code_sections(bench));
    } else if target.plt_slot.is_none() || layout.has_rep_size() {
        files.push(linkage_table(bench));
    }
    for key in [PacKey::A, PacKey::B] {
        let signed = Function::signed(abi, "signed", "leaf", key);
        files.extend(signed.map(|signed| finish(bench, &format!("key {key:?}"), vec![signed], |_| ())));
    }
    if layout.has_rep_size() {
        let stubs = arch(abi).stubs("stubs", 3).zip(target.plt_slot);
        files.extend(
            stubs.map(|(stubs, block)| finish(bench, "stubs", vec![stubs], |function| repeat_blocks(function, block))),
        );
    }
    if layout.has_flex() {
        let saved = Function::saved_cfa(abi, "saved_cfa");
        files.extend(saved.map(|saved| finish(bench, "flexible rows", vec![saved], |_| ())));
    }
    if layout.has_signal() {
        let signal = Function { signal: true, ..Function::leaf(abi, "signal") };
        files.push(finish(bench, "signal frame without rows", vec![signal], |function| function.rows.clear()));
    }
    if version.outermost == Outermost::Always {
        let mut outermost = Function::leaf(abi, "outermost");
        outermost.frames[0].frame.ra = ValueRule::Undefined;
        files.push(finish(bench, "outermost", vec![outermost], |_| ()));
    }
    if target.has_odd_words(layout) {
        let registers = arch(abi).foreign_registers("registers");
        files.extend(registers.map(|function| finish(bench, "saved in registers", vec![function], |_| ())));
    }
    files
}

/// GNU ld sorts FDEs and leaves rows in the order of its inputs.
fn rows_in_another_order(bench: Bench) -> CleanFile {
    edited(
        bench,
        "rows in another order",
        Vec::new(),
        |section| section.row_order = Some((0..section.functions.len()).rev().collect()),
        |_| (),
    )
}

/// A part that compilers split off, which begins in the middle of its function's frame.
fn cold_part(bench: Bench) -> CleanFile {
    let framed = Function::framed(bench.abi, "framed", "leaf");
    let inside = FrameAt { offset: 0, ..framed.frames[2].clone() };
    let cold = Function { frames: vec![inside], ..Function::leaf(bench.abi, "framed.cold") };
    finish(bench, "a cold part", vec![cold], |_| ())
}

/// Functions of different sections, which all begin at 0 until they are linked
/// (-ffunction-sections).
fn two_code_sections(bench: Bench) -> CleanFile {
    edited(
        bench,
        "two code sections",
        Vec::new(),
        |_| (),
        |file| {
            let code = Function::leaf(bench.abi, "leaf").code;
            let other = Section::new(".text.leaf", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code).at(0, 16);
            let other = file.push_section(other);
            let kind = SymbolKind::Section;
            let symbol = Symbol { name: String::new(), kind, local: true, section: Some(other), value: 0, size: 0 };
            let symbol = file.push_symbol(symbol);
            for table in [".sframe", ".eh_frame"] {
                let relocation = &mut file.section_mut(table).expect("both tables are there").relocations[LEAF];
                (relocation.symbol, relocation.addend) = (Some(symbol), 0);
            }
            let leaf = file.symbols.iter_mut().find(|symbol| symbol.name == "leaf").expect("leaf has a symbol");
            (leaf.section, leaf.value) = (Some(other), 0);
        },
    )
}

/// A PLT, for targets on which linkers describe it.
fn linkage_table(bench: Bench) -> CleanFile {
    match plt::sample(bench) {
        Some(sample) => made(bench, "a linkage table", sample, plt::split),
        None => edited(
            bench,
            "a PLT without description",
            Vec::new(),
            |_| (),
            |file| {
                let text = file.section_index(".text").expect(".text is there");
                let end = file.sections[text].address + file.sections[text].size();
                let table = Section::new(".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, nops(bench.abi, 48));
                file.insert_section(".text", table.at(end.next_multiple_of(16), 16));
            },
        ),
    }
}

/// A function with rows before and after many bytes of nops.
fn long_framed(abi: Abi, bytes: usize) -> Function {
    Function::framed(abi, "long", "leaf").padded(abi, target(abi).epilogue, bytes)
}

fn finish(bench: Bench, what: &str, extra: Vec<Function>, edit: impl FnOnce(&mut FunctionSpec)) -> CleanFile {
    let edit_extra = |section: &mut SectionSpec| {
        if let Some(function) = section.functions.get_mut(EXTRA) {
            edit(function);
        }
    };
    edited(bench, what, extra, edit_extra, |_| ())
}

fn edited(
    bench: Bench,
    what: &str,
    extra: Vec<Function>,
    edit_section: impl FnOnce(&mut SectionSpec),
    edit_file: impl FnOnce(&mut ElfSpec),
) -> CleanFile {
    let mut sample = bench.sample_with(extra);
    edit_section(&mut sample.section);
    made(bench, what, sample, edit_file)
}

fn made(bench: Bench, what: &str, sample: Sample, edit_file: impl FnOnce(&mut ElfSpec)) -> CleanFile {
    let Bench { abi, version, kind } = bench;
    let name = format!("{abi} {version} {kind:?}, {what}");
    let mut file = sample.elf().unwrap_or_else(|error| panic!("{name}: {error}"));
    edit_file(&mut file);
    let bytes = elf::write(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
    CleanFile { name, expected: facts::version(version).breaks, bytes }
}
