//! Mutants: files with one planted bug in a table, made by named operators from samples whose true
//! frames are known. The effect of a bug (it changes the table's meaning, only breaks the format,
//! or neither) is decided here from the file's bytes and the state of the machine, so that a
//! judge's silence is never taken as proof.

mod base;
mod cfi;
mod descriptor;
mod effect;
mod flex;
mod header;
pub mod linker;
mod row;
mod site;
pub(crate) mod subject;
mod table;
pub(crate) mod truth;

use types::{Abi, SframeVersion};

use crate::elf::{self, ElfSpec, FileKind};
use crate::sample::{Sample, SampleError};

pub use base::{Base, base, bases};
use effect::Original;
pub use effect::{Effect, Equivalence};
pub use subject::Subject;
pub use truth::{Truth, Value};

/// A way to plant bugs.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    /// A stable kebab-case name.
    pub name: &'static str,
    /// The bug, as a clause of a sentence.
    pub what: &'static str,
    /// The wrong table.
    pub fault: WrongTable,
    /// All mutants of a sample.
    make: fn(&Base) -> Vec<Edit>,
}

/// The wrong table, and so the producer that has the bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WrongTable {
    /// Only `.sframe`: a bug of the assembler, which made it from right directives, or of the
    /// linker.
    Sframe,
    /// Only `.eh_frame`.
    EhFrame,
    /// Both tables: a bug in the directives, that is in the compiler.
    Both,
    /// Data that the linker adds to the tables: `.eh_frame_hdr`, and the segments by which
    /// unwinders find them.
    Linker,
}

/// The required report for a planted bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expectation {
    /// A finding of severity error.
    Error,
    /// A warning or an error: a recommendation of the format is broken, or producers differ or the
    /// text is ambiguous.
    Warning,
    /// Any finding: the table has something unnecessary.
    Info,
    /// A function without description: a table may omit functions.
    Gap,
}

/// A file with a planted bug.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Name of the operator.
    pub operator: &'static str,
    /// Function, row and change.
    pub note: String,
    pub abi: Abi,
    pub version: SframeVersion,
    pub kind: FileKind,
    /// The wrong table.
    pub fault: WrongTable,
    /// The effect of the bug.
    pub effect: Effect,
    /// The required report, unless the bug's effect requires more.
    pub expected: Expectation,
    /// The sample of the file: the bytes of most mutants are never needed.
    sample: Sample,
    /// The file itself, if no sample can express the bug.
    linked: Option<ElfSpec>,
}

/// A planted bug in a sample, without the file.
struct Edit {
    note: String,
    /// The clause of the format that is broken, whatever the bytes mean.
    breaks: Option<&'static str>,
    expected: Expectation,
    sample: Sample,
    /// The file itself, if no sample can express the bug.
    linked: Option<ElfSpec>,
}

/// All operators, those for `.sframe` first.
pub fn operators() -> Vec<Operator> {
    let of_tables =
        [header::OPERATORS, table::OPERATORS, descriptor::OPERATORS, row::OPERATORS, flex::OPERATORS, cfi::OPERATORS];
    [of_tables.concat(), linker::OPERATORS.to_vec()].concat()
}

impl Mutant {
    /// A name for reports.
    pub fn name(&self) -> String {
        format!("{} ({}; {} {} {:?})", self.operator, self.note, self.abi, self.version, self.kind)
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// The bug cannot be expressed in a file.
    pub fn bytes(&self) -> Result<Vec<u8>, SampleError> {
        match &self.linked {
            Some(file) => Ok(elf::write(file)?),
            None => self.sample.bytes(),
        }
    }
}

impl Operator {
    /// The mutants of a base: none if the bug is impossible for the target or version.
    pub fn mutants(&self, base: &Base) -> Result<Vec<Mutant>, SampleError> {
        let original = &base.sample;
        // Without execution there is no evidence which of two tables is wrong.
        if original.kind == FileKind::Relocatable && self.fault != WrongTable::Sframe {
            return Ok(Vec::new());
        }
        let edits = (self.make)(base);
        let decoded = match self.fault {
            WrongTable::Sframe if !edits.is_empty() => Some(Original::new(base)?),
            _ => None,
        };
        let finish = |edit: Edit| {
            let effect = match (&decoded, self.fault) {
                (_, WrongTable::Linker) => Effect::Structure(edit.breaks.unwrap_or(self.what)),
                (Some(decoded), _) => effect::section_effect(decoded, &edit.sample, edit.breaks)?,
                (None, _) => effect::frames_effect(base, &edit.sample),
            };
            // The original with the mutant's call frame information is wrong only in `.eh_frame`.
            let sample = match self.fault {
                WrongTable::EhFrame => Sample { eh_frame: edit.sample.eh_frame, ..original.clone() },
                WrongTable::Sframe | WrongTable::Both | WrongTable::Linker => edit.sample,
            };
            Ok(Mutant {
                operator: self.name,
                note: edit.note,
                abi: original.abi,
                version: original.version,
                kind: original.kind,
                fault: self.fault,
                effect,
                expected: edit.expected,
                sample,
                linked: edit.linked,
            })
        };
        edits.into_iter().map(finish).collect()
    }
}
