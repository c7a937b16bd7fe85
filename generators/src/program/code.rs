//! A function in the making: instructions with the frame that holds before each, labels, and transfers to other functions.

use model::{PacKey, ValueRule};

use crate::code::{Call, FrameAt, FrameState, Function, Transfer};

/// A function in the making.
pub(super) struct Code {
    bytes: Vec<u8>,
    /// Offsets of instructions.
    starts: Vec<u32>,
    frames: Vec<FrameAt>,
    calls: Vec<Call>,
    /// Offsets of bound labels.
    labels: Vec<Option<usize>>,
    branches: Vec<Branch>,
    /// What holds before the next instruction.
    pub(super) state: FrameState,
}

/// A place in the function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label(usize);

/// A jump inside the function, to be directed once its label is bound.
struct Branch {
    at: usize,
    len: usize,
    label: Label,
    /// Writes the distance from the instruction's first byte into it.
    direct: fn(&mut [u8], i32),
}

/// A finished function.
pub(super) struct Emitted {
    pub(super) function: Function,
    /// Offsets of its instructions.
    pub(super) starts: Vec<u32>,
    /// From the first offset on it leaves its frame; at the second the frame is again as it was.
    pub(super) comes_back: Option<(u32, u32)>,
    /// Bytes of a block where the function is made of blocks that look alike.
    pub(super) block: Option<u8>,
}

impl Code {
    pub(super) fn new(state: FrameState) -> Self {
        Code {
            bytes: Vec::new(),
            starts: Vec::new(),
            frames: vec![FrameAt { offset: 0, frame: state }],
            calls: Vec::new(),
            labels: Vec::new(),
            branches: Vec::new(),
            state,
        }
    }

    /// Offset of the next instruction.
    pub(super) fn offset(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// Appends one instruction.
    pub(super) fn push(&mut self, instruction: impl AsRef<[u8]>) {
        self.note_state();
        self.starts.push(self.offset());
        self.bytes.extend_from_slice(instruction.as_ref());
    }

    /// Appends one instruction, after which the frame looks so.
    pub(super) fn push_to(&mut self, instruction: impl AsRef<[u8]>, state: FrameState) {
        self.push(instruction);
        self.state = state;
    }

    fn note_state(&mut self) {
        let offset = self.offset();
        match self.frames.last_mut() {
            Some(last) if last.frame == self.state => {}
            Some(last) if last.offset == offset => last.frame = self.state,
            _ => self.frames.push(FrameAt { offset, frame: self.state }),
        }
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    pub(super) fn bind(&mut self, label: Label) {
        self.labels[label.0] = Some(self.bytes.len());
    }

    /// Appends a jump to a label.
    pub(super) fn branch(&mut self, instruction: impl AsRef<[u8]>, label: Label, direct: fn(&mut [u8], i32)) {
        let at = self.bytes.len();
        self.push(instruction);
        self.branches.push(Branch { at, len: self.bytes.len() - at, label, direct });
    }

    /// Appends a call or jump to another function.
    pub(super) fn transfer(&mut self, instruction: impl AsRef<[u8]>, callee: &str, into: u32, transfer: Transfer) {
        let at = self.bytes.len();
        self.push(instruction);
        self.calls.push(Call { at, callee: callee.to_owned(), into, transfer });
    }

    /// The function with its jumps directed.
    pub(super) fn finish(mut self, name: &str, key: Option<PacKey>, signal: bool) -> Emitted {
        for Branch { at, len, label, direct } in &self.branches {
            let target = self.labels[label.0].expect("every label that is used is bound");
            direct(&mut self.bytes[*at..at + len], (target as i64 - *at as i64) as i32);
        }
        // A frame that was set and left again without an instruction is nobody's.
        let end = self.offset();
        self.frames.retain(|frame| frame.offset < end);
        let mut function = Function::plain(name, self.bytes, self.frames);
        (function.calls, function.key, function.signal) = (self.calls, key.unwrap_or_default(), signal);
        Emitted { function, starts: self.starts, comes_back: None, block: None }
    }
}

/// What prologues and epilogues change.
pub(super) trait Changed {
    /// FP is saved there.
    fn fp_at(self, offset: i64) -> Self;
    /// The return address is saved there.
    fn ra_at(self, offset: i64) -> Self;
    /// FP holds the caller's value again.
    fn fp_back(self) -> Self;
    /// The return address is in its register again.
    fn ra_back(self) -> Self;
}

impl Changed for FrameState {
    fn fp_at(self, offset: i64) -> Self {
        FrameState { fp: ValueRule::AtCfa(offset), ..self }
    }

    fn ra_at(self, offset: i64) -> Self {
        FrameState { ra: ValueRule::AtCfa(offset), ..self }
    }

    fn fp_back(self) -> Self {
        FrameState { fp: ValueRule::SameValue, ..self }
    }

    fn ra_back(self) -> Self {
        FrameState { ra: ValueRule::SameValue, ..self }
    }
}
