//! Templates of vectors: a right section with two functions, as data, to be changed or broken in
//! one place.

use types::{Abi, PacKey, SframeVersion, ValueRule};

use super::expected::{self, Expected, KnownFunction, Lookup};
use super::{Class, Has, Question, Vector};
use crate::arch::target;
use crate::code::{FrameAt, FrameState, default_row, flex_row};
use crate::facts;
use crate::sframe::{FLAG_SORTED, FunctionSpec, Layout, PcType, RowSpec, SectionAddress, SectionSpec, Width, encode};

/// Address of the code.
pub(super) const TEXT: u64 = 0x40_1000;
/// Address of the section: after the code.
pub(super) const SECTION: u64 = 0x40_3000;
/// Size of the code in bytes.
pub(super) const TEXT_SIZE: u64 = 0x1000;

/// A target and a version that supports it.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    pub abi: Abi,
    pub version: SframeVersion,
}

/// Every target in every version that supports it.
pub fn combinations() -> impl Iterator<Item = Bench> {
    let all = SframeVersion::ALL.into_iter().flat_map(|version| Abi::ALL.map(|abi| Bench { abi, version }));
    all.filter(|bench| target(bench.abi).is_in(bench.version))
}

/// Frames at entry; with registers saved; and based on FP: at every 4 bytes.
pub(super) fn frames(abi: Abi) -> Vec<FrameAt> {
    let (entry, facts) = (FrameState::at_entry(abi), abi.facts());
    let (ra, fp, size) = target(abi).vector_frame;
    let ra = ra.map_or(entry.ra, ValueRule::AtCfa);
    let saved = FrameState { ra, fp: ValueRule::AtCfa(fp), ..entry };
    let all = [entry, saved.cfa(facts.sp, size), saved.cfa(facts.fp, size)];
    (0..).step_by(4).zip(all).map(|(offset, frame)| FrameAt { offset, frame }).collect()
}

impl Bench {
    /// A section without functions.
    pub(super) fn empty(self, name: &str, about: &str) -> Draft {
        Draft {
            name: name.to_owned(),
            about: about.to_owned(),
            class: Class::Valid,
            bench: self,
            section: SectionSpec::new(self.abi, self.version),
            known: Vec::new(),
            address: SECTION,
            text: (TEXT, TEXT + TEXT_SIZE),
            cut: None,
            wild: Vec::new(),
            open: Vec::new(),
            other: None,
        }
    }

    /// A section with a function that sets up a frame, then one without a frame, without a gap.
    pub(super) fn two(self, name: &str, about: &str) -> Draft {
        self.empty(name, about).and_two()
    }

    /// A section with one function with these frames.
    pub(super) fn one(self, name: &str, about: &str, size: u32, frames: &[FrameAt]) -> Draft {
        self.empty(name, about).with(TEXT + 0x100, size, frames)
    }

    /// Frames at entry; with registers saved; and based on FP.
    pub(super) fn frames(self) -> Vec<FrameAt> {
        frames(self.abi)
    }

    /// Returns true if the version's start fields can be relative to themselves.
    pub(super) fn has_pcrel(self) -> bool {
        facts::version(self.version).starts_from_field
    }

    /// The layout of the version's structures.
    pub(super) fn layout(self) -> Layout {
        facts::version(self.version).layout
    }

    /// The row of a frame, in default form if possible.
    fn row(self, flex: bool, at: &FrameAt) -> RowSpec {
        if at.frame.ra == ValueRule::Undefined {
            return RowSpec::outermost(at.offset);
        }
        let row = match flex {
            true => flex_row(self.abi, at.offset, &at.frame),
            false => default_row(self.abi, self.version, at.offset, &at.frame),
        };
        row.unwrap_or_else(|| panic!("{} {}: no row for {at:?}", self.abi, self.version))
    }
}

/// A vector under construction.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) name: String,
    about: String,
    pub(super) class: Class,
    pub(super) bench: Bench,
    pub(super) section: SectionSpec,
    /// The true rules of the functions, in the order of the section's.
    pub(super) known: Vec<KnownFunction>,
    pub(super) address: u64,
    pub(super) text: (u64, u64),
    /// Truncates the section to this many bytes.
    pub(super) cut: Option<usize>,
    /// Functions of a malformed section for which no answer is allowed, and the first such frame of
    /// each.
    wild: Vec<(usize, usize)>,
    /// Functions with several allowed answers.
    open: Vec<(usize, Vec<Expected>)>,
    /// A function in another interpretation.
    other: Option<(usize, KnownFunction)>,
}

impl Draft {
    /// Adds a function that sets up a frame, then one without a frame.
    pub(super) fn and_two(self) -> Self {
        let frames = self.bench.frames();
        self.with(TEXT + 0x100, 0x30, &frames).with(TEXT + 0x140, 0x10, &frames[..1])
    }

    /// Adds a function of default form.
    pub(super) fn with(self, start: u64, size: u32, frames: &[FrameAt]) -> Self {
        self.function(start, size, frames, false)
    }

    /// Adds a function of flexible form.
    pub(super) fn flex(self, start: u64, size: u32, frames: &[FrameAt]) -> Self {
        self.function(start, size, frames, true)
    }

    fn function(mut self, start: u64, size: u32, frames: &[FrameAt], flex: bool) -> Self {
        let rows = frames.iter().map(|at| self.bench.row(flex, at)).collect();
        let starts = FunctionSpec::narrowest_starts(size);
        self.section.functions.push(FunctionSpec { starts, flex, ..FunctionSpec::new(start, size, rows) });
        let frames = frames.to_vec();
        self.known.push(KnownFunction { start, size, block: None, key: PacKey::A, signal: false, frames });
        self
    }

    /// Changes the encoding of the section, but not its meaning.
    pub(super) fn written(mut self, edit: impl FnOnce(&mut SectionSpec)) -> Self {
        edit(&mut self.section);
        self
    }

    /// Makes the last function repeat its rows in blocks.
    pub(super) fn in_blocks(mut self, block: u8) -> Self {
        if let (Some(spec), Some(known)) = (self.section.functions.last_mut(), self.known.last_mut()) {
            spec.pc_type = PcType::Mask(block);
            spec.starts = Width::One;
            known.block = Some(block);
        }
        self
    }

    /// Makes the last function a signal frame.
    pub(super) fn signal(mut self) -> Self {
        if let (Some(spec), Some(known)) = (self.section.functions.last_mut(), self.known.last_mut()) {
            (spec.signal, known.signal) = (true, true);
        }
        self
    }

    /// Allows no answer for a function, from one of its frames on.
    pub(super) fn nothing_for(mut self, function: usize, from: usize) -> Self {
        self.wild.push((function, from));
        self
    }

    /// Allows no answer at all.
    pub(super) fn nothing(mut self) -> Self {
        self.wild = (0..self.known.len()).map(|function| (function, 0)).collect();
        self
    }

    /// Marks the section as one that the text leaves open.
    pub(super) fn asks(mut self, question: &'static Question) -> Self {
        self.class = Class::Open(question);
        self
    }

    /// Allows several answers for a function.
    pub(super) fn either(mut self, function: usize, readings: &[Expected]) -> Self {
        self.open.push((function, readings.to_vec()));
        self
    }

    /// Adds another interpretation of a function.
    pub(super) fn or_else(mut self, function: usize, other: impl FnOnce(&KnownFunction) -> KnownFunction) -> Self {
        self.other = Some((function, other(&self.known[function])));
        self
    }

    /// The bytes of the whole section.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let place = SectionAddress::Linked { section: self.address };
        let made = encode(&self.section, place);
        made.unwrap_or_else(|error| panic!("{} {:?}: {error}", self.name, self.bench)).bytes
    }

    /// The ID, `CLASS/VERSION-ABI/NAME`.
    pub(super) fn id(&self) -> String {
        let Bench { abi, version } = self.bench;
        format!("{}/{version}-{abi}/{}", self.class.name(), self.name)
    }

    pub(super) fn finish(self) -> Vector {
        let mut bytes = self.bytes();
        bytes.truncate(self.cut.unwrap_or(bytes.len()));
        let mut pcs = expected::probes(&self.known);
        // A section without functions describes no code.
        pcs.extend(self.known.is_empty().then_some(self.text.0));
        let answers = pcs.into_iter().map(|pc| Lookup { pc, expected: self.expected(pc) }).collect();
        let Bench { abi, version } = self.bench;
        Vector {
            id: self.id(),
            about: self.about,
            class: self.class,
            abi,
            register: None,
            format: version.into(),
            bytes,
            address: self.address,
            index: None,
            text: self.text,
            answers,
            chains: Vec::new(),
            sorted: self.section.flags & FLAG_SORTED != 0,
            has: Has::new(&self.section),
        }
    }

    fn expected(&self, pc: u64) -> Expected {
        let plain = expected::at(&self.known, pc);
        match self.class {
            Class::Valid => plain,
            Class::Invalid(_) => Expected::Anything,
            Class::Malformed(_) => {
                let found = expected::found(&self.known, pc);
                let gone = found.is_some_and(|(function, frame)| {
                    self.wild.iter().any(|(wild, from)| *wild == function && frame.is_none_or(|frame| frame >= *from))
                });
                match plain {
                    Expected::Row(row) if !gone => Expected::RowOrRefuse(row),
                    _ => Expected::Refuse,
                }
            }
            Class::Open(_) => {
                let function = expected::found(&self.known, pc).map(|(function, _)| function);
                let other = self.other.as_ref().filter(|(other, _)| Some(*other) == function);
                if let Some((_, known)) = other {
                    let other = expected::at(std::slice::from_ref(known), pc);
                    return if other == plain { plain } else { Expected::OneOf(vec![plain, other]) };
                }
                let open = self.open.iter().find(|(open, _)| Some(*open) == function);
                open.map_or(plain, |(_, readings)| Expected::OneOf(readings.clone()))
            }
        }
    }
}
