//! Frames of sampled chains as questions for readers of tables: the registers and the memory that a
//! step to the caller needs, and the true caller.

use std::cell::RefCell;

use serde::{Deserialize, Serialize};
use types::{
    Abi, CodePoint, Extent, Fault, Frame, FrameRegs, LeftBy, OuterStacks, Reg, RegFile as _, Stack, Step, TableFormat,
};

use crate::chain::{MOST_FRAMES, walk};
use crate::compare::compare;
use crate::methods::{ByTable, TableOf};
use crate::{Method as _, Part, Parts, Position};

/// A table, and questions about frames in code that it describes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct QuestionedTable {
    /// Name of the format: `v3`, `eh-frame`.
    pub format: String,
    /// ABI of the object.
    pub abi: Abi,
    /// Address of the section.
    pub address: u64,
    /// The section.
    pub bytes: Vec<u8>,
    /// Address and bytes of `.eh_frame_hdr`.
    pub index: Option<(u64, Vec<u8>)>,
    /// First address of the object's code, and first address after it.
    pub text: (u64, u64),
    /// The frames.
    pub frames: Vec<FrameQuestion>,
}

/// A frame as a question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FrameQuestion {
    /// Address to look up: of a caller the last byte of its call.
    pub pc: u64,
    /// Known registers, by DWARF number.
    pub registers: Vec<(u16, u64)>,
    /// Addresses and values of the 8-byte words that the step reads.
    pub memory: Vec<(u64, u64)>,
    /// PC at which the true caller continues, and its SP.
    pub caller: (u64, u64),
}

/// Collects the frames of every Nth sample.
pub(crate) struct Questions {
    every: u64,
    /// Frames by the number of their object.
    frames: Vec<Vec<FrameQuestion>>,
}

impl Questions {
    pub(crate) fn new(every: u64, parts: &Parts<'_>) -> Questions {
        Questions { every, frames: vec![Vec::new(); parts.iter().count()] }
    }

    /// Adds the frames of a sample, as far as `.eh_frame` finds their true callers.
    pub(crate) fn add(
        &mut self,
        sample: u64,
        abi: Abi,
        parts: &Parts<'_>,
        step: &Step<'_>,
        regs: &FrameRegs,
        truth: &[Frame],
    ) {
        if !sample.is_multiple_of(self.every) {
            return;
        }
        let method = ByTable { parts, table: TableOf::EhFrame };
        let chain = walk(&method, step, regs, truth.len().min(MOST_FRAMES));
        let right = compare(abi, step.regs.sp, &chain.callers, truth, truth.len()).right;
        let first = Position { at: CodePoint::Exact(step.pc), regs: *regs, innermost: true };
        let positions = std::iter::once(&first).chain(chain.callers.iter().map(|caller| &caller.frame));
        for (position, frame) in positions.zip(truth).take(right) {
            // Of a frame after a signal the PC is exact, which a question cannot tell.
            let is_called = frame.left_by == LeftBy::Call;
            let Some((index, _)) = parts.at(position.at.lookup()).filter(|_| is_called) else { continue };
            let recorder = Recorder { stack: &step.stack, words: RefCell::default() };
            let Stack { live_from, order, .. } = step.stack;
            let stack = Stack::partly_at_hand(step.stack.extent(), (0, &[]), live_from, order, &recorder);
            if method.caller(position, &stack).is_err() {
                continue;
            }
            let facts = abi.facts();
            // AMD64's column 16 is the PC itself.
            let known = |reg: &Reg| facts.link_register || *reg != facts.ra;
            let registers = (0..32).map(Reg).filter(known);
            let question = FrameQuestion {
                pc: position.at.lookup().0,
                registers: registers.filter_map(|reg| Some((reg.0, position.regs.read(reg)?))).collect(),
                memory: recorder.words.into_inner(),
                caller: (frame.ra.0, frame.cfa.wrapping_add_signed(facts.caller_sp_minus_cfa)),
            };
            if let Some(frames) = self.frames.get_mut(index) {
                frames.push(question);
            }
        }
    }

    /// The questions by table. If an object has both tables, only objects with both count, so that
    /// both are chosen about the same frames.
    pub(crate) fn finish(self, abi: Abi, parts: &Parts<'_>) -> Vec<QuestionedTable> {
        let has_both = |part: &Part<'_>| part.tables.sframe.is_some() && part.image.section(".eh_frame").is_some();
        let any = parts.iter().any(has_both);
        let chosen =
            parts.iter().zip(self.frames).filter(|(part, frames)| !frames.is_empty() && (!any || has_both(part)));
        chosen.flat_map(|(part, frames)| tables(abi, part, &frames)).collect()
    }
}

fn tables(abi: Abi, part: &Part<'_>, frames: &[FrameQuestion]) -> Vec<QuestionedTable> {
    let code = part.image.sections.iter().filter(|section| section.is_code());
    let text = code.fold((u64::MAX, 0), |(from, to), section| {
        (from.min(section.address), to.max(section.address.saturating_add(section.size)))
    });
    let section = |name: &str| part.image.section(name).map(|one| (one.address, one.bytes.to_vec()));
    let table = |format: TableFormat| {
        let (address, bytes) = section(format.section())?;
        let index = section(".eh_frame_hdr").filter(|_| format == TableFormat::EhFrame);
        Some(QuestionedTable {
            format: format.name().to_owned(),
            abi,
            address,
            bytes,
            index,
            text,
            frames: frames.to_vec(),
        })
    };
    part.tables.version.map(TableFormat::Sframe).into_iter().chain([TableFormat::EhFrame]).filter_map(table).collect()
}

/// Memory that records which words are read.
struct Recorder<'s> {
    stack: &'s Stack<'s>,
    words: RefCell<Vec<(u64, u64)>>,
}

impl OuterStacks for Recorder<'_> {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Fault> {
        self.stack.copy(address, bytes)?;
        if let Ok(word) = <[u8; 8]>::try_from(&*bytes) {
            let mut words = self.words.borrow_mut();
            if words.iter().all(|(other, _)| *other != address) {
                words.push((address, self.stack.order.u64(word)));
            }
        }
        Ok(())
    }

    fn extent(&self, frame: usize) -> Option<Extent> {
        self.stack.outer.extent(frame)
    }

    fn interrupted(&self, frame: usize) -> Option<&FrameRegs> {
        self.stack.outer.interrupted(frame)
    }

    fn kept(&self, frame: usize) -> &[(u64, u64)] {
        self.stack.outer.kept(frame)
    }
}
