//! Templates of `.eh_frame` vectors: frames, and how they are written.

use types::{Abi, CfaRule, PacKey, Reg, TableFormat, ValueRule};

use crate::code::{FrameAt, FrameState, changes};
use crate::eh_frame::{Cfi, Cie, EhFrameSpec, EncodedSection, Fde, Form, encode, search_table};
use crate::sframe::SectionAddress;
use crate::vectors::bench::{self, SECTION, TEXT_SIZE};
use crate::vectors::expected::{self, Expected, KnownFunction, Lookup};
use crate::vectors::{Class, Has, Vector};

pub(super) use crate::vectors::bench::TEXT;

/// Offset in the code, and size, of the function that most vectors are about.
pub(super) const FIRST: (u64, u32) = (0x100, 0x30);

/// The ABI that vectors are for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bench {
    pub(super) abi: Abi,
}

impl Bench {
    /// A section with one CIE and no functions.
    pub(super) fn empty(self, name: &str, about: &str) -> Draft {
        Draft {
            abi: self.abi,
            register: None,
            name: name.to_owned(),
            about: about.to_owned(),
            class: Class::Valid,
            spec: EhFrameSpec {
                abi: self.abi,
                cies: vec![Cie::plain(self.abi)],
                trailing: Vec::new(),
                terminated: true,
            },
            known: Vec::new(),
            address: SECTION,
            text: (TEXT, TEXT + TEXT_SIZE),
            index: Index::Usual,
            damage: Damage::default(),
            has: Has::default(),
        }
    }

    /// A section with a function that sets up a frame, then one without a frame.
    pub(super) fn two(self, name: &str, about: &str) -> Draft {
        let frames = self.frames();
        let draft = self.empty(name, about).with(TEXT + FIRST.0, FIRST.1, &frames);
        draft.with(TEXT + 0x140, 0x10, &frames[..1])
    }

    /// A section with one function that has these frames and instructions.
    pub(super) fn runs(self, name: &str, about: &str, frames: &[FrameAt], program: Vec<(u64, Cfi)>) -> Draft {
        self.empty(name, about).function(TEXT + FIRST.0, FIRST.1, frames, program)
    }

    /// Frames at entry; with registers saved; and based on FP.
    pub(super) fn frames(self) -> Vec<FrameAt> {
        bench::frames(self.abi)
    }

    /// The frame at a function's first instruction.
    pub(super) fn entry(self) -> FrameState {
        FrameState::at_entry(self.abi)
    }

    /// The frame at entry, then others at intervals of 4 bytes.
    pub(super) fn then(self, frames: &[FrameState]) -> Vec<FrameAt> {
        let all = std::iter::once(self.entry()).chain(frames.iter().copied());
        (0..).step_by(4).zip(all).map(|(offset, frame)| FrameAt { offset, frame }).collect()
    }
}

/// The `.eh_frame_hdr` of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Index {
    /// As linkers write it.
    Usual,
    /// There is none.
    Absent,
    /// Without a table: count and entries are omitted.
    Bare,
}

/// What makes a section malformed.
#[derive(Clone, Debug, Default)]
pub(super) struct Damage {
    /// Bytes that replace those at an offset in an entry: its number, and its offset.
    pub(super) patches: Vec<(Entry, usize, Vec<u8>)>,
    /// Size of the section, if it is truncated.
    pub(super) size: Option<usize>,
}

/// An entry of the section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// The first CIE.
    Cie,
    /// The FDE of this number, from 0.
    Fde(usize),
}

/// A vector under construction.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    abi: Abi,
    pub(super) register: Option<Reg>,
    name: String,
    about: String,
    pub(super) class: Class,
    pub(super) spec: EhFrameSpec,
    pub(super) known: Vec<KnownFunction>,
    pub(super) address: u64,
    pub(super) text: (u64, u64),
    pub(super) index: Index,
    pub(super) damage: Damage,
    pub(super) has: Has,
}

impl Draft {
    /// Adds a function to the last CIE.
    pub(super) fn with(self, start: u64, size: u32, frames: &[FrameAt]) -> Draft {
        let program = changes(self.abi, frames).unwrap_or_else(|| panic!("{}: frames with expressions", self.name));
        self.function(start, size, frames, program)
    }

    /// Adds a function with its instructions to the last CIE.
    pub(super) fn function(mut self, start: u64, size: u32, frames: &[FrameAt], program: Vec<(u64, Cfi)>) -> Draft {
        if let Some(cie) = self.spec.cies.last_mut() {
            cie.fdes.push(Fde { start, target: 0, size, program });
        }
        self.knows(start, size, frames)
    }

    /// Adds what is expected of a function.
    pub(super) fn knows(mut self, start: u64, size: u32, frames: &[FrameAt]) -> Draft {
        let cie = self.spec.cies.last();
        let (key, signal) = cie.map_or((PacKey::A, false), |cie| (cie.key, cie.signal));
        self.known.push(KnownFunction { start, size, block: None, key, signal, frames: frames.to_vec() });
        self
    }

    /// Adds a CIE, to which further functions belong.
    pub(super) fn cie(mut self, cie: Cie) -> Draft {
        self.spec.cies.push(cie);
        self
    }

    /// Changes how the entries are written, but not what they mean.
    pub(super) fn written(mut self, edit: impl Fn(&mut Form)) -> Draft {
        self.spec.cies.iter_mut().for_each(|cie| edit(&mut cie.form));
        self
    }

    pub(super) fn index_address(&self) -> u64 {
        self.address + (self.encoded().bytes.len() as u64).next_multiple_of(4)
    }

    /// Size of the section in bytes.
    pub(super) fn size(&self) -> usize {
        self.encoded().bytes.len()
    }

    fn encoded(&self) -> EncodedSection {
        let place = SectionAddress::Linked { section: self.address };
        encode(&self.spec, place).unwrap_or_else(|error| panic!("{}: {error}", self.id()))
    }

    /// The ID, `CLASS/FORMAT-ABI/NAME`.
    pub(super) fn id(&self) -> String {
        let of = self.register.map_or_else(String::new, |reg| format!("-r{}", reg.0));
        format!("{}/{}-{}/{}{of}", self.class.name(), TableFormat::EhFrame, self.abi, self.name)
    }

    pub(super) fn finish(self) -> Vector {
        let mut made = self.encoded();
        let frames = || self.known.iter().flat_map(|known| &known.frames);
        let outermost = frames().any(|at| at.frame.ra == ValueRule::Undefined);
        let registers = frames().any(|at| needs_others(self.abi, &at.frame));
        let mut pcs = expected::probes(&self.known);
        pcs.extend(self.known.is_empty().then_some(self.text.0));
        let answers = pcs.into_iter().map(|pc| Lookup { pc, expected: self.expected(pc) }).collect();
        let at = self.index_address();
        let usual = || search_table(self.abi.facts().order, at, self.address, &made.fdes);
        let index = match self.index {
            Index::Usual => Some((usual(), at)),
            Index::Absent => None,
            Index::Bare => Some((bare(usual()), at)),
        };
        for (entry, offset, bytes) in &self.damage.patches {
            let begin = match entry {
                Entry::Cie => 0,
                Entry::Fde(number) => made.fdes[*number].1 as usize,
            };
            made.bytes[begin + offset..begin + offset + bytes.len()].copy_from_slice(bytes);
        }
        made.bytes.truncate(self.damage.size.unwrap_or(usize::MAX));
        Vector {
            id: self.id(),
            class: self.class,
            abi: self.abi,
            register: self.register,
            format: TableFormat::EhFrame,
            bytes: made.bytes,
            address: self.address,
            index,
            text: self.text,
            answers,
            chains: Vec::new(),
            sorted: true,
            has: Has { outermost, registers, ..self.has },
            about: self.about,
        }
    }

    /// The expected answer for an address: where two functions overlap one of both, and of a
    /// damaged section nothing that the intact one would not answer.
    fn expected(&self, pc: u64) -> Expected {
        let one = |known: &KnownFunction| expected::at(std::slice::from_ref(known), pc);
        let rows: Vec<Expected> = self.known.iter().map(one).filter(|one| *one != Expected::NoRow).collect();
        match (self.class, rows.as_slice()) {
            (Class::Malformed(_), [Expected::Row(row), ..]) => Expected::RowOrRefuse(*row),
            (Class::Malformed(_), _) => Expected::Refuse,
            (_, [first, second, ..]) if first != second => Expected::OneOf(rows),
            _ => expected::at(&self.known, pc),
        }
    }
}

/// Returns true if a frame has a rule by another register than SP, FP and the link register.
pub(in crate::vectors) fn needs_others(abi: Abi, frame: &FrameState) -> bool {
    let facts = abi.facts();
    let is_other = |reg| reg != facts.sp && reg != facts.fp && !(facts.link_register && reg == facts.ra);
    let of_cfa = match frame.cfa {
        CfaRule::Register { reg, .. } | CfaRule::Memory { reg, .. } => is_other(reg),
        CfaRule::Expression(_) | CfaRule::Unspecified => false,
    };
    let of = |rule| match rule {
        ValueRule::Register { reg, .. } | ValueRule::Memory { reg, .. } => is_other(reg),
        _ => false,
    };
    of_cfa || of(frame.ra) || of(frame.fp)
}

/// The part of an index that leads to `.eh_frame`: DW_EH_PE_omit for count and table.
fn bare(mut index: Vec<u8>) -> Vec<u8> {
    index.truncate(8);
    index[2..4].fill(crate::eh_frame::OMIT);
    index
}
