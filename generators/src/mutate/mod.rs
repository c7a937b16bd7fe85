//! Mutants: files with one planted bug in a table, made by named operators from samples whose true
//! frames are known. The effect of a bug - it changes what the table means, only breaks the format,
//! or neither - is decided here from the file's bytes and the state of the machine, so that what a
//! judge does not report is never taken as proof.

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
    /// The table that is wrong.
    pub fault: Fault,
    /// All its mutants of a sample.
    make: fn(&Base) -> Vec<Edit>,
}

/// Which table is wrong, and so which producer has the bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// `.sframe` alone: a bug of the assembler that made it from right directives, or of the
    /// linker.
    Sframe,
    /// `.eh_frame` alone.
    EhFrame,
    /// Both alike: the directives, that is the compiler.
    Both,
    /// What the linker adds to the tables: `.eh_frame_hdr`, and the segments by which unwinders
    /// find them.
    Linker,
}

/// How a planted bug has to be reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expectation {
    /// By a finding of severity error.
    Error,
    /// By a warning, or worse: a recommendation of the format, or what producers do differently or
    /// the text leaves open.
    Warning,
    /// By any finding: something that is merely needless.
    Info,
    /// As a function without description: a table may leave functions out.
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
    /// The table that is wrong.
    pub fault: Fault,
    /// The effect of the bug.
    pub effect: Effect,
    /// How it has to be reported, unless its effect demands more.
    pub expected: Expectation,
    /// What the file is made of: most mutants are never asked for their bytes.
    sample: Sample,
    /// The file itself, where no sample has the bug.
    linked: Option<ElfSpec>,
}

/// A planted bug before it is a file.
struct Edit {
    note: String,
    /// The clause of the format that is broken whatever the bytes mean.
    breaks: Option<&'static str>,
    expected: Expectation,
    sample: Sample,
    /// The file itself, where no sample has the bug.
    linked: Option<ElfSpec>,
}

/// All operators, `.sframe`'s first.
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

    /// The file.
    ///
    /// # Errors
    /// If no file can hold the bug.
    pub fn bytes(&self) -> Result<Vec<u8>, SampleError> {
        match &self.linked {
            Some(file) => Ok(elf::write(file)?),
            None => self.sample.bytes(),
        }
    }
}

impl Operator {
    /// The mutants it makes of a base: none if the target or version has nothing to get wrong in
    /// that way.
    pub fn mutants(&self, base: &Base) -> Result<Vec<Mutant>, SampleError> {
        let original = &base.sample;
        // Where nothing runs, nothing shows which of two tables is wrong.
        if original.kind == FileKind::Relocatable && self.fault != Fault::Sframe {
            return Ok(Vec::new());
        }
        let edits = (self.make)(base);
        let decoded = match self.fault {
            Fault::Sframe if !edits.is_empty() => Some(Original::new(base)?),
            _ => None,
        };
        let finish = |edit: Edit| {
            let effect = match (&decoded, self.fault) {
                (_, Fault::Linker) => Effect::Structure(edit.breaks.unwrap_or(self.what)),
                (Some(decoded), _) => effect::section_effect(decoded, &edit.sample, edit.breaks)?,
                (None, _) => effect::frames_effect(base, &edit.sample),
            };
            // An original with the other's call frame information is what is wrong in `.eh_frame`
            // alone.
            let sample = match self.fault {
                Fault::EhFrame => Sample { eh_frame: edit.sample.eh_frame, ..original.clone() },
                Fault::Sframe | Fault::Both | Fault::Linker => edit.sample,
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
