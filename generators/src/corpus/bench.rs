//! Templates of broken files: a correct sample, an edit of its section or of its file, and the
//! bytes.

use spec::RuleId;
use types::{Abi, SframeVersion};

use super::BrokenFile;
use crate::code::Function;
use crate::elf::{self, ElfSpec, FileKind};
use crate::sample::Sample;
use crate::sframe::{FunctionSpec, PcType, SectionSpec};

/// Indices of the functions of a bench. In executables of V3 `_start` follows; other versions
/// cannot describe it.
pub(super) const FRAMED: usize = 0;
pub(super) const LEAF: usize = 1;
/// Index of the first additional function of a bench.
pub(super) const EXTRA: usize = 2;

/// The kind of file to break.
#[derive(Clone, Copy)]
pub(super) struct Bench {
    pub(super) abi: Abi,
    pub(super) version: SframeVersion,
    pub(super) kind: FileKind,
}

pub(super) const fn exe(abi: Abi, version: SframeVersion) -> Bench {
    Bench { abi, version, kind: FileKind::Executable }
}

pub(super) const fn object(abi: Abi, version: SframeVersion) -> Bench {
    Bench { abi, version, kind: FileKind::Relocatable }
}

pub(super) const AMD64_V2: Bench = exe(Abi::Amd64, SframeVersion::V2Errata1);
pub(super) const AMD64_V3: Bench = exe(Abi::Amd64, SframeVersion::V3);
pub(super) const AARCH64_V3: Bench = exe(Abi::Aarch64, SframeVersion::V3);
pub(super) const S390X_V2: Bench = exe(Abi::S390x, SframeVersion::V2Errata1);

impl Bench {
    /// A sample with a function with a frame, one without, and a program start.
    pub(super) fn sample(self) -> Sample {
        self.sample_with(Vec::new())
    }

    /// A sample with additional functions in between.
    pub(super) fn sample_with(self, extra: Vec<Function>) -> Sample {
        let Bench { abi, version, kind } = self;
        let mut functions = vec![Function::framed(abi, "framed", "leaf"), Function::leaf(abi, "leaf")];
        functions.extend(extra);
        if kind == FileKind::Executable {
            functions.push(Function::start(abi, "_start", "framed"));
        }
        Sample::new(abi, version, kind, functions).expect("the bench's functions have tables")
    }

    /// The correct section in an edited file.
    pub(super) fn file(self, rule: RuleId, note: &'static str, edit: impl FnOnce(&mut ElfSpec)) -> BrokenFile {
        self.finish(rule, note, self.sample(), |_| (), edit)
    }

    /// A sample with both edits.
    pub(super) fn finish(
        self,
        rule: RuleId,
        note: &'static str,
        mut sample: Sample,
        edit_section: impl FnOnce(&mut SectionSpec),
        edit_file: impl FnOnce(&mut ElfSpec),
    ) -> BrokenFile {
        edit_section(&mut sample.section);
        let mut file = sample.elf().unwrap_or_else(|error| panic!("{rule} ({note}): {error}"));
        edit_file(&mut file);
        let bytes = elf::write(&file).unwrap_or_else(|error| panic!("{rule} ({note}): {error}"));
        let Bench { abi, version, kind } = self;
        BrokenFile { rule, note, offset: None, abi, version, kind, bytes }
    }
}

/// Makes a function of identical blocks, described by the rows of its first block.
pub(super) fn repeat_blocks(function: &mut FunctionSpec, block: u8) {
    function.pc_type = PcType::Mask(block);
    function.rows.retain(|row| row.start < u32::from(block));
}

/// A leaf function of this many bytes (rounded to whole instructions).
pub(super) fn long_leaf(abi: Abi, name: &str, bytes: usize) -> Function {
    let leaf = Function::leaf(abi, name);
    let ret = leaf.code.len();
    leaf.padded(abi, ret, bytes - ret)
}
