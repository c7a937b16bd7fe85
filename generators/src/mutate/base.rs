//! The correct samples that mutants are made from: one for each target, version and kind of file,
//! with a function for each way of keeping a frame. In executables every instruction except filler
//! is executed.

use types::{Abi, SframeVersion};

use super::subject::{Subject, Subjects};
use crate::arch::{arch, target};
use crate::code::Function;
use crate::elf::FileKind;
use crate::facts;
use crate::sample::{Sample, SampleError};
use crate::sframe::{FunctionSpec, PcType, Width};

/// A correct sample and the state of the machine at each of its instructions.
#[derive(Clone, Debug)]
pub struct Base {
    /// The sample, in which both tables are right.
    pub sample: Sample,
    /// The sample's functions with the machine state at each instruction, in the order of
    /// [`Sample::functions`].
    pub subjects: Vec<Subject>,
}

/// Creates a base for every target and version, linked and not.
pub fn bases() -> Result<Vec<Base>, SampleError> {
    let mut bases = Vec::new();
    for abi in Abi::ALL {
        for version in SframeVersion::ALL {
            if !target(abi).is_in(version) {
                continue;
            }
            for kind in [FileKind::Executable, FileKind::Relocatable] {
                bases.push(base(abi, version, kind)?);
            }
        }
    }
    Ok(bases)
}

/// Creates the base of one target, version and kind.
pub fn base(abi: Abi, version: SframeVersion, kind: FileKind) -> Result<Base, SampleError> {
    let mut subjects = subjects(abi, version);
    if kind == FileKind::Executable {
        subjects.push(Subjects::start(arch(abi)));
    }
    let functions = subjects.iter().map(|subject| subject.function.clone()).collect();
    let mut base = Base { sample: Sample::new(abi, version, kind, functions)?, subjects };
    base.shorten_blocks();
    Ok(base)
}

fn subjects(abi: Abi, version: SframeVersion) -> Vec<Subject> {
    let arch = arch(abi);
    let special = arch.special(facts::version(version).layout);
    let mut callees = vec!["leaf", "no_fp", "big", "blocks"];
    callees.extend(special.iter().map(|subject| subject.function.name.as_str()));
    let main = arch.main(&callees);
    let common = [main, arch.leaf("leaf"), arch.no_fp(), arch.big(), arch.blocks(), arch.leaf("tail")];
    common.into_iter().chain(special).collect()
}

impl Base {
    /// The subject of a described function.
    pub fn subject(&self, function: &FunctionSpec) -> Option<&Subject> {
        let text = if self.sample.kind == FileKind::Relocatable { 0 } else { self.sample.text_address() };
        let at = |offset: u64| text + offset == function.start;
        let index = self.sample.functions.iter().position(|placed| at(placed.offset))?;
        self.subjects.get(index)
    }

    /// The same code with some frames described wrongly. `None` if these have no rows in the
    /// version, or no CFI.
    pub(super) fn falsified(&self, falsify: impl Fn(usize, &mut Function) -> bool) -> Option<Sample> {
        let mut functions: Vec<Function> = self.subjects.iter().map(|subject| subject.function.clone()).collect();
        let mut any = false;
        for (index, function) in functions.iter_mut().enumerate() {
            any |= falsify(index, function);
        }
        if !any {
            return None;
        }
        let left_out = self.sample.left_out.len();
        let sample = Sample::new(self.sample.abi, self.sample.version, self.sample.kind, functions).ok()?;
        if sample.left_out.len() != left_out {
            return None;
        }
        let mut base = Base { sample, subjects: self.subjects.clone() };
        base.shorten_blocks();
        Some(base.sample)
    }

    /// Gives functions of blocks the rows of their first block.
    fn shorten_blocks(&mut self) {
        let blocks: Vec<Option<u8>> =
            self.sample.section.functions.iter().map(|function| self.subject(function)?.block).collect();
        for (function, block) in self.sample.section.functions.iter_mut().zip(blocks) {
            if let Some(block) = block {
                function.pc_type = PcType::Mask(block);
                function.starts = Width::One;
                function.rows.retain(|row| row.start < u32::from(block));
            }
        }
    }
}
