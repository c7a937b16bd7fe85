//! A function whose code, frames and machine states are written together: instruction by
//! instruction, each with its effect.

use types::{Abi, PacKey, ValueRule};

use super::truth::{Truth, Value};
use crate::arch::arch;
use crate::code::{Call, FrameAt, FrameState, Function, Transfer};
use crate::sframe::Layout;

/// A function that mutants are made from.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Code and true frames.
    pub function: Function,
    /// Offsets at which tables are looked up, with the machine state: each instruction, and the
    /// last byte of each call with the state during the call.
    pub truths: Vec<(u32, Truth)>,
    /// Offsets of instructions, and of the end.
    pub instructions: Vec<u32>,
    /// Size in bytes of a block, if the function consists of identical blocks.
    pub block: Option<u8>,
}

impl Subject {
    /// The offset of the next instruction.
    pub fn next(&self, offset: u32) -> Option<u32> {
        self.instructions.iter().copied().find(|at| *at > offset)
    }

    /// The offset of the previous instruction.
    pub fn previous(&self, offset: u32) -> Option<u32> {
        self.instructions.iter().copied().rev().find(|at| *at < offset)
    }
}

/// The functions of an architecture that mutants are made from.
pub(crate) trait Subjects {
    /// Sets FP to a unique value, calls `main`, and exits.
    fn start(&self) -> Subject;

    /// Keeps a frame pointer, moves SP away from it, and calls all others.
    fn main(&self, callees: &[&str]) -> Subject;

    /// A function without a frame.
    fn leaf(&self, name: &str) -> Subject;

    /// A function that saves FP and uses it for other values; SP is the base of the CFA.
    fn no_fp(&self) -> Subject;

    /// A function of more than 256 bytes of code, with a frame size that needs two bytes.
    fn big(&self) -> Subject;

    /// A function of three blocks of 16 bytes that move SP down and up. The last block falls
    /// through into the next function.
    fn blocks(&self) -> Subject;

    /// Functions whose rows only some targets and versions have.
    fn special(&self, layout: Layout) -> Vec<Subject>;
}

/// A function under construction.
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

    /// Marks the function as the start of execution.
    pub(crate) fn outermost(mut self) -> Self {
        self.truth.outermost = true;
        self.frame(|frame| frame.ra = ValueRule::Undefined)
    }

    /// Sets the key of signed return addresses.
    pub(crate) fn key(mut self, key: PacKey) -> Self {
        self.subject.function.key = key;
        self
    }

    /// Adds an instruction and its effect.
    pub(crate) fn op(mut self, bytes: impl AsRef<[u8]>, effect: impl FnOnce(&mut Truth)) -> Self {
        let at = self.here();
        self.subject.truths.push((at, self.truth.clone()));
        self.subject.instructions.push(at);
        self.subject.function.code.extend_from_slice(bytes.as_ref());
        effect(&mut self.truth);
        self
    }

    /// Adds an instruction that does not affect the frame.
    pub(crate) fn nop(self, bytes: impl AsRef<[u8]>) -> Self {
        self.op(bytes, |_| ())
    }

    /// Adds bytes that are jumped over.
    pub(crate) fn filler(mut self, bytes: &[u8]) -> Self {
        self.subject.function.code.extend_from_slice(bytes);
        self
    }

    /// Adds a call of another function of the sample.
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

    /// Changes the frame from here on.
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

    /// Sets the frame from here on to that at entry.
    pub(crate) fn entry_frame(self) -> Self {
        let entry = FrameState::at_entry(self.abi);
        self.frame(|frame| *frame = entry)
    }

    /// Makes the function one of identical blocks of this size in bytes.
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
