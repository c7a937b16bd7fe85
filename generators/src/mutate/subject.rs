//! A function whose code, frames and machine states are written together: one instruction after
//! another, each with what it does.

use types::{Abi, PacKey, ValueRule};

use super::truth::{Truth, Value};
use crate::arch::arch;
use crate::code::{Call, FrameAt, FrameState, Function, Transfer};
use crate::sframe::Layout;

/// A function from which mutants are made.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Code and true frames.
    pub function: Function,
    /// Offsets at which tables are looked up, with the state of the machine: each instruction, and
    /// the last byte of each call with the state during the call.
    pub truths: Vec<(u32, Truth)>,
    /// Offsets of instructions, and the end.
    pub instructions: Vec<u32>,
    /// Bytes of a block, where the function consists of blocks that look alike.
    pub block: Option<u8>,
}

impl Subject {
    /// The offset of the instruction after the one at an offset.
    pub fn next(&self, offset: u32) -> Option<u32> {
        self.instructions.iter().copied().find(|at| *at > offset)
    }

    /// The offset of the instruction before the one at an offset.
    pub fn previous(&self, offset: u32) -> Option<u32> {
        self.instructions.iter().copied().rev().find(|at| *at < offset)
    }
}

/// The functions of an architecture from which mutants are made.
pub(crate) trait Subjects {
    /// Gives FP a value that no default is, calls `main`, exits.
    fn start(&self) -> Subject;

    /// Keeps a frame pointer, moves SP away from it, and calls all others.
    fn main(&self, callees: &[&str]) -> Subject;

    /// Has no frame.
    fn leaf(&self, name: &str) -> Subject;

    /// Saves FP and uses it for something else; the CFA counts from SP.
    fn no_fp(&self) -> Subject;

    /// More than 256 bytes of code, and a frame whose size as stored needs two bytes.
    fn big(&self) -> Subject;

    /// Three blocks of 16 bytes that move SP down and up. The last falls through into the next
    /// function.
    fn blocks(&self) -> Subject;

    /// Functions whose rows only some targets and versions have.
    fn special(&self, layout: Layout) -> Vec<Subject>;
}

/// A function being written.
pub(crate) struct Writer {
    abi: Abi,
    subject: Subject,
    truth: Truth,
    frame: FrameState,
}

impl Writer {
    pub(crate) fn new(abi: Abi, name: &str) -> Self {
        let frame = FrameState::at_entry(abi);
        let frames = vec![FrameAt { offset: 0, frame }];
        let function = Function { code: Vec::new(), frames, ..Function::leaf(abi, name) };
        let subject = Subject { function, truths: Vec::new(), instructions: Vec::new(), block: None };
        Writer { abi, subject, truth: Truth::at_entry(abi), frame }
    }

    /// Execution begins here.
    pub(crate) fn outermost(mut self) -> Self {
        self.truth.outermost = true;
        self.frame(|frame| frame.ra = ValueRule::Undefined)
    }

    /// Return addresses are signed with this key.
    pub(crate) fn key(mut self, key: PacKey) -> Self {
        self.subject.function.key = key;
        self
    }

    /// An instruction and what it does.
    pub(crate) fn op(mut self, bytes: impl AsRef<[u8]>, effect: impl FnOnce(&mut Truth)) -> Self {
        let at = self.here();
        self.subject.truths.push((at, self.truth.clone()));
        self.subject.instructions.push(at);
        self.subject.function.code.extend_from_slice(bytes.as_ref());
        effect(&mut self.truth);
        self
    }

    /// An instruction that touches nothing of the frame.
    pub(crate) fn nop(self, bytes: impl AsRef<[u8]>) -> Self {
        self.op(bytes, |_| ())
    }

    /// Bytes that are jumped over.
    pub(crate) fn filler(mut self, bytes: &[u8]) -> Self {
        self.subject.function.code.extend_from_slice(bytes);
        self
    }

    /// Calls another function of the sample.
    pub(crate) fn call(mut self, callee: &str) -> Self {
        let at = self.here();
        let call = Call { at: at as usize, callee: callee.to_owned(), into: 0, transfer: Transfer::Call };
        self.subject.function.calls.push(call);
        let (abi, facts) = (self.abi, self.abi.facts());
        let mut writer = self.op(arch(abi).transfer(Transfer::Call, 0), |truth| {
            if facts.link_register {
                truth.set(facts.ra, Value::Unknown);
            }
        });
        let last = writer.here() - 1;
        writer.subject.truths.push((last, writer.truth.during_call()));
        writer
    }

    /// The frame looks otherwise from here on.
    pub(crate) fn frame(mut self, change: impl FnOnce(&mut FrameState)) -> Self {
        change(&mut self.frame);
        let at = FrameAt { offset: self.here(), frame: self.frame };
        let frames = &mut self.subject.function.frames;
        match frames.last_mut() {
            Some(last) if last.offset == at.offset => *last = at,
            _ => frames.push(at),
        }
        self
    }

    /// The frame looks as at entry from here on.
    pub(crate) fn entry_frame(self) -> Self {
        let entry = FrameState::at_entry(self.abi);
        self.frame(|frame| *frame = entry)
    }

    /// Made of identical blocks of this many bytes.
    pub(crate) fn blocks(mut self, block: u8) -> Self {
        self.subject.block = Some(block);
        self
    }

    pub(crate) fn finish(mut self) -> Subject {
        let end = self.here();
        self.subject.instructions.push(end);
        self.subject
    }

    fn here(&self) -> u32 {
        self.subject.function.code.len() as u32
    }
}
