//! A linker as a reader of the tables that it merges: a section becomes the table of an object,
//! which is linked with an object that has another table, and the output's table gives the answers.
//!
//! Only the address of the code changes: an answer is looked up where the linker placed the code.
//! Sections without positions for relocations are not given to linkers, because no assembler could
//! have made them.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use generators::code::{FrameState, Function};
use generators::elf::{self as file, ElfSpec, FileKind, Relocation, Symbol};
use generators::sample::Sample;
use generators::vectors::{Row, Vector};
use sframe::{Placement, Section, StartBase, Table};
use toolchain::complaint::{Complaint, SframeLines};
use toolchain::entry::Step;
use toolchain::input;
use toolchain::process::{Bounds, ProcessError, run_bounded};
use toolchain::producers::Producers;
use toolchain::scratch::Scratch;
use toolchain::tool::{Order, Tool};
use types::{Abi, Reg, SframeVersion, TableFormat, ValueRule};

use crate::corpus::AnswerLine;

/// A section, as an adapter receives it.
#[derive(Clone, Debug)]
pub struct SectionInput {
    pub bytes: Vec<u8>,
    pub address: u64,
    pub text: (u64, u64),
    pub abi: Abi,
    pub format: TableFormat,
    /// The register that is asked for in place of FP.
    pub register: Option<Reg>,
}

impl From<&Vector> for SectionInput {
    fn from(vector: &Vector) -> SectionInput {
        let Vector { bytes, address, text, abi, format, register, .. } = vector.clone();
        SectionInput { bytes, address, text, abi, format, register }
    }
}

/// Result of linking a section.
#[derive(Debug)]
pub enum Linked {
    /// The linker was not run, for this reason.
    NotAsked(&'static str),
    /// The linker failed, or reported that it omitted a table.
    Refused,
    /// A signal killed the linker, at a position if one is known.
    Crash(i32, String),
    /// The linker exceeded its time limit.
    Hang,
    /// The linked file.
    Made(Output),
    /// A bug of the adapter, or a result that the protocol cannot express.
    Broken(String),
}

/// The relevant data of the linked file.
#[derive(Debug)]
pub struct Output {
    table: Option<Table>,
    /// True if its table can be read.
    readable: bool,
    /// New address of the code minus the old one, wrapping.
    shift: u64,
}

/// Number of padding bytes on both sides of the code, so that the section's functions have no
/// adjacent functions.
const PAD: u64 = 64;
/// Maximum size in bytes of code that is written to a file.
const MOST_TEXT: u64 = 1 << 20;
/// Time limit of one link, which takes a hundredth of a second on an idle machine.
const LIMIT: Duration = Duration::from_secs(20);
/// Maximum size in bytes of the linked file.
const MOST_FILE: u64 = 64 << 20;
/// Symbol of the first byte of the code.
const CODE: &str = "code_of_the_section";

/// The first version of a linker for a target that begins with `version`.
pub fn linker<'a>(producers: &'a Producers, name: &str, version: &str, abi: Abi) -> Option<&'a Tool> {
    let tools = producers.tools(name, abi).ok()?;
    tools.iter().find(|tool| tool.version.to_string().starts_with(version))
}

/// Links a section, and reads the output.
pub fn link(linker: &Tool, input: &SectionInput) -> io::Result<Linked> {
    if let Some(why) = stands_alone(input) {
        return Ok(Linked::NotAsked(why));
    }
    let Objects { version, inputs, other } = match objects(input) {
        Ok(objects) => objects,
        Err(why) => return Ok(Linked::NotAsked(why)),
    };
    if !linker.sframe().contains(&version) {
        return Ok(Linked::NotAsked("a version that it does not merge"));
    }
    let folder = Scratch::new()?;
    for (name, spec) in &inputs {
        let bytes = file::write(spec).map_err(io::Error::other)?;
        fs::write(folder.path().join(name), bytes)?;
    }
    let order = Order {
        step: Step::Link,
        inputs: &inputs.each_ref().map(|(name, _)| *name),
        output: "linked",
        options: "-e _start",
        sframe: true,
    };
    Ok(match run(linker, &order, folder.path()) {
        Err(ProcessError::Timeout { .. }) => Linked::Hang,
        Err(error) => Linked::Broken(error.to_string()),
        Ok(Ended::Signal(signal, place)) => Linked::Crash(signal, place),
        Ok(Ended::Complained) => Linked::Refused,
        Ok(Ended::Silent) => output(&input::read_made(&folder.path().join("linked"), MOST_FILE)?, input, other),
    })
}

/// Why a link of a section with the other object cannot be judged.
fn stands_alone(input: &SectionInput) -> Option<&'static str> {
    let (_, header, starts) = starts(input)?;
    let of_abi = (0, input.abi.facts().fixed_ra.unwrap_or(0));
    if (header.fixed_fp, header.fixed_ra) != of_abi {
        // The other object's rows would have another meaning with these offsets.
        return Some("fixed offsets that the object beside it cannot have");
    }
    // Linkers may drop sections that nothing refers to.
    starts.is_empty().then_some("no functions")
}

enum Ended {
    Silent,
    Complained,
    Signal(i32, String),
}

fn run(linker: &Tool, order: &Order<'_>, folder: &Path) -> Result<Ended, ProcessError> {
    let words = linker.command(order)?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Some((program, arguments)) = words.split_first() else { return Ok(Ended::Complained) };
    let bounds = Bounds { time: LIMIT, most_file: Some(MOST_FILE), most_memory: None };
    let ended = run_bounded(program, arguments, folder, bounds, &[])?;
    let tells = |text: &str| !SframeLines::parse(text).is_empty();
    Ok(match ended.signal {
        Some(signal) => Ended::Signal(signal, Complaint(&ended.stderr).place().unwrap_or_default().to_owned()),
        None if !ended.success || tells(&ended.stdout) || tells(&ended.stderr) => Ended::Complained,
        None => Ended::Silent,
    })
}

/// The inputs of the linker, by name: an object whose table is valid, then the object with the
/// section.
pub type Inputs = [(&'static str, ElfSpec); 2];

/// The objects for a section.
pub fn inputs(input: &SectionInput) -> Result<Inputs, &'static str> {
    Ok(objects(input)?.inputs)
}

/// The inputs of the linker.
struct Objects {
    version: SframeVersion,
    inputs: Inputs,
    /// Expected row for the code of the first object.
    other: AnswerLine,
}

fn objects(input: &SectionInput) -> Result<Objects, &'static str> {
    let length = input.text.1.checked_sub(input.text.0).filter(|length| *length <= MOST_TEXT);
    let length = length.ok_or("more code than is put into a file")?;
    let (version, header, starts) = starts(input).ok_or("no place for relocations")?;
    let is_relocated = match version {
        SframeVersion::V1 | SframeVersion::V2 | SframeVersion::V2Errata1 => true,
        SframeVersion::V3 => header.flags.pcrel(),
    };
    if !is_relocated {
        return Err("starts that no relocation can count from");
    }
    if starts.iter().any(|(_, start)| !(input.text.0..=input.text.1).contains(start)) {
        return Err("a function outside of the code");
    }
    let of = |name: &str| {
        let made = Sample::new(input.abi, version, FileKind::Relocatable, vec![Function::leaf(input.abi, name)]);
        let mut sample = made.ok()?;
        // Linkers need not merge tables with other fixed offsets, or other flags.
        sample.section.flags = header.flags.0 & !sframe::Flags::SORTED;
        (sample.section.fixed_fp, sample.section.fixed_ra) = (header.fixed_fp, header.fixed_ra);
        let mut spec = sample.elf().ok()?;
        // A table of the other kind is irrelevant here, and would be another reason to fail.
        spec.sections.retain(|section| section.name != ".eh_frame");
        Some(spec)
    };
    let (other, mut own) = of("_start").zip(of(CODE)).ok_or("no object of that version")?;
    let text = own.section_mut(".text").ok_or("no code")?;
    text.bytes = vec![0; (length + 2 * PAD) as usize];
    let symbol: Option<&mut Symbol> = own.symbols.iter_mut().find(|symbol| symbol.name == CODE);
    let symbol = symbol.ok_or("no symbol")?;
    (symbol.value, symbol.size) = (PAD, length);
    let table = own.section_mut(".sframe").ok_or("no table")?;
    let model = *table.relocations.first().ok_or("no relocation to go by")?;
    table.bytes.clone_from(&input.bytes);
    let relocation = |(offset, start): &(u64, u64)| Relocation {
        offset: *offset,
        addend: (start - input.text.0 + PAD) as i64,
        ..model
    };
    table.relocations = starts.iter().map(relocation).collect();
    for relocation in &table.relocations {
        let width = usize::from(version.start_width());
        let from = relocation.offset as usize;
        table.bytes.get_mut(from..from + width).ok_or("no place for relocations")?.fill(0);
    }
    let frame = FrameState::at_entry(input.abi);
    let row = AnswerLine::new(input.abi, &Row { frame, key: None, signal: false });
    Ok(Objects { version, inputs: [("other.o", other), ("asked.o", own)], other: row })
}

/// Offset of a start field, and the address that it refers to.
type Start = (u64, u64);

/// Version and header, and the start fields. `None` if they cannot be determined.
fn starts(input: &SectionInput) -> Option<(SframeVersion, sframe::Header, Vec<Start>)> {
    let header = sframe::Header::parse(&input.bytes).ok()?;
    // Truncated rows do not affect the positions of descriptors.
    let need = header.fdes_end().max(header.fres_end());
    let mut whole = input.bytes.clone();
    whole.resize(whole.len().max(usize::try_from(need.min(MOST_TEXT)).ok()?), 0);
    let section = Section::parse(&whole).ok()?;
    let place = Placement { section_address: input.address, starts: StartBase::Header };
    let starts = section.entries().map(|entry| Some((entry.offset, place.start_of(&header, &entry)?)));
    Some((header.version(), header, starts.collect::<Option<_>>()?))
}

fn output(bytes: &[u8], input: &SectionInput, expected_of_other: AnswerLine) -> Linked {
    let image = match elf::load("linked", &bytes.to_vec().into()) {
        Ok(image) => image,
        Err(error) => return Linked::Broken(format!("what was linked cannot be read: {error}")),
    };
    let address = |name: &str| image.symbols.iter().find(|symbol| symbol.name == *name).map(|symbol| symbol.address);
    let Some((code, other)) = address(CODE).zip(address("_start")) else {
        return Linked::Broken("what was linked has no symbols".to_owned());
    };
    let shift = code.wrapping_sub(input.text.0);
    let Some(found) = image.sframe_sections().next() else {
        return Linked::Made(Output { table: None, readable: true, shift });
    };
    let section = Section::parse(&found.bytes);
    let table = section.and_then(|section| Table::new(&section, Placement::in_file(image.kind, found.address)));
    let table = table.ok();
    // An error in one table does not allow wrong rows for the code of the other object.
    match table.as_ref().map(|table| answer(table, other)) {
        Some(actual) if actual != expected_of_other => {
            Linked::Broken(format!("the row of the other object is '{actual}', expected '{expected_of_other}'"))
        }
        _ => Linked::Made(Output { readable: table.is_some(), table, shift }),
    }
}

impl Output {
    /// Answer of the output's table for an address of the section.
    pub fn answer(&self, pc: u64) -> AnswerLine {
        match &self.table {
            Some(table) => answer(table, pc.wrapping_add(self.shift)),
            None if self.readable => AnswerLine::None,
            None => AnswerLine::Err,
        }
    }
}

/// Answer of a table for an address, in the format of readers.
pub(super) fn answer(table: &Table, pc: u64) -> AnswerLine {
    let Some(row) = table.find(pc).and_then(|function| function.unwind_row(pc)) else { return AnswerLine::None };
    if row.ra == ValueRule::Undefined {
        return AnswerLine::Outer { signal: row.signal };
    }
    let frame = FrameState { cfa: row.cfa, ra: row.ra, fp: row.fp, signed: row.signed };
    let key = row.signed.then_some(row.key);
    AnswerLine::new(table.abi(), &Row { frame, key, signal: row.signal })
}

#[cfg(test)]
mod tests {
    use generators::vectors::{Class, Expected, all};
    use sframe::{Placement, Section, Table};

    use super::{AnswerLine, CODE, SectionInput, answer, file, objects};

    /// The input is not to blame: with its relocations applied, the object has the rows of the
    /// section at every address.
    #[test]
    fn the_object_says_what_the_section_says() {
        let (mut answers, mut left_out) = (0, 0);
        for vector in all(1).iter().filter(|vector| vector.class == Class::Valid).step_by(3) {
            let Ok(made) = objects(&SectionInput::from(vector)) else {
                left_out += 1;
                continue;
            };
            let bytes = file::write(&made.inputs[1].1).expect("an object");
            let image = elf::load("asked.o", &bytes.into()).expect("an object");
            let code = image.symbols.iter().find(|symbol| symbol.name == *CODE).expect("the code").address;
            let found = image.sframe_sections().next().expect("a table");
            let section = Section::parse(&found.bytes).expect("a section");
            let table = Table::new(&section, Placement::in_file(image.kind, found.address)).expect("a table");
            for one in &vector.answers {
                let actual = answer(&table, one.pc.wrapping_sub(vector.text.0).wrapping_add(code));
                let expected = match &one.expected {
                    Expected::Row(row) => AnswerLine::new(vector.abi, row),
                    _ => AnswerLine::None,
                };
                assert_eq!(actual, expected, "{} at {:#x}", vector.id, one.pc);
                answers += 1;
            }
        }
        assert!(answers > 2000 && left_out < 60, "{answers} answers, {left_out} sections left out");
    }
}
