//! A function under construction: instructions with the frame before each, labels, and transfers to
//! other functions.

use types::{Abi, ByteOrder, PacKey, ValueRule};

use crate::arch::arch;
use crate::code::{Address, Call, FrameAt, FrameState, Function, Transfer};

/// A function under construction.
pub(crate) struct Code {
    abi: Abi,
    bytes: Vec<u8>,
    /// Offset of each instruction.
    starts: Vec<u32>,
    frames: Vec<FrameAt>,
    calls: Vec<Call>,
    addresses: Vec<Address>,
    /// Offsets of bound labels.
    labels: Vec<Option<usize>>,
    branches: Vec<Branch>,
    /// The frame before the next instruction.
    pub(crate) state: FrameState,
}

/// A position in the function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label(usize);

/// A jump inside the function; its distance is known when its label is bound.
struct Branch {
    at: usize,
    label: Label,
    /// Encodes the instruction for a distance; its length is the same for every distance.
    encode: Box<dyn Fn(i32) -> Vec<u8>>,
}

/// A function with its branches encoded.
pub(crate) struct FunctionCode {
    pub(crate) function: Function,
    /// Offsets of its instructions.
    pub(crate) starts: Vec<u32>,
    /// Offsets at which the function leaves its frame early, and at which the frame applies again.
    pub(crate) comes_back: Option<(u32, u32)>,
    /// Size in bytes of a block, if the function consists of identical blocks.
    pub(crate) block: Option<u8>,
}

impl Code {
    pub(crate) fn new(abi: Abi, state: FrameState) -> Self {
        Code {
            abi,
            bytes: Vec::new(),
            starts: Vec::new(),
            frames: vec![FrameAt { offset: 0, frame: state }],
            calls: Vec::new(),
            addresses: Vec::new(),
            labels: Vec::new(),
            branches: Vec::new(),
            state,
        }
    }

    pub(crate) fn abi(&self) -> Abi {
        self.abi
    }

    /// Offset of the next instruction.
    pub(crate) fn offset(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// Appends one instruction.
    pub(crate) fn push(&mut self, instruction: impl AsRef<[u8]>) {
        self.note_state();
        self.starts.push(self.offset());
        self.bytes.extend_from_slice(instruction.as_ref());
    }

    /// Appends one instruction, and sets the frame after it.
    pub(crate) fn push_to(&mut self, instruction: impl AsRef<[u8]>, state: FrameState) {
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

    pub(crate) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    pub(crate) fn bind(&mut self, label: Label) {
        self.labels[label.0] = Some(self.bytes.len());
    }

    /// Appends a branch to a label.
    pub(crate) fn branch<I: AsRef<[u8]>>(&mut self, label: Label, encode: impl Fn(i32) -> I + 'static) {
        let encode = Box::new(move |distance| encode(distance).as_ref().to_vec());
        let at = self.bytes.len();
        self.push(encode(0));
        self.branches.push(Branch { at, label, encode });
    }

    /// Appends a jump to a label.
    pub(crate) fn jump(&mut self, label: Label) {
        let abi = self.abi;
        self.branch(label, move |distance| arch(abi).transfer(Transfer::Jump, distance));
    }

    /// Appends a call of another function, to `into` bytes after its start.
    pub(crate) fn call(&mut self, callee: &str, into: u32) {
        self.transfer(callee, into, Transfer::Call);
    }

    /// Appends a jump into another function, to `into` bytes after its start.
    pub(crate) fn jump_out(&mut self, callee: &str, into: u32) {
        self.transfer(callee, into, Transfer::Jump);
    }

    fn transfer(&mut self, callee: &str, into: u32, transfer: Transfer) {
        let at = self.bytes.len();
        self.push(arch(self.abi).transfer(transfer, 0));
        self.calls.push(Call { at, callee: callee.to_owned(), into, transfer });
    }

    /// Appends the address of a byte of another function: 8 bytes that are not an instruction.
    pub(crate) fn address(&mut self, callee: &str, into: u32) {
        self.addresses.push(Address { at: self.bytes.len(), callee: callee.to_owned(), into });
        self.bytes.extend([0; 8]);
    }

    /// Appends an 8-byte word, after an address.
    pub(crate) fn word(&mut self, word: u64) {
        self.bytes.extend(match self.abi.facts().order {
            ByteOrder::Little => word.to_le_bytes(),
            ByteOrder::Big => word.to_be_bytes(),
        });
    }

    /// Appends nops, so that the function ends at a multiple of 16 bytes after `more` bytes.
    pub(crate) fn align_end(&mut self, more: usize) {
        while !(self.bytes.len() + more).is_multiple_of(16) {
            self.push(arch(self.abi).nop());
        }
    }

    /// Appends a return.
    pub(crate) fn ret(&mut self) {
        self.push(arch(self.abi).ret());
    }

    /// Encodes the branches, and returns the function.
    pub(crate) fn finish(mut self, name: &str, key: Option<PacKey>, signal: bool) -> FunctionCode {
        for Branch { at, label, encode } in &self.branches {
            let target = self.labels[label.0].expect("every label that is used is bound");
            let instruction = encode((target as i64 - *at as i64) as i32);
            self.bytes[*at..at + instruction.len()].copy_from_slice(&instruction);
        }
        // A frame after the last instruction applies to no code.
        let end = self.offset();
        self.frames.retain(|frame| frame.offset < end);
        let mut function = Function::plain(name, self.bytes, self.frames);
        (function.calls, function.key, function.signal) = (self.calls, key.unwrap_or_default(), signal);
        function.addresses = self.addresses;
        FunctionCode { function, starts: self.starts, comes_back: None, block: None }
    }
}

/// Changes of the frame in prologues and epilogues.
pub(crate) trait FrameChanges {
    /// FP is saved at CFA + offset.
    fn fp_at(self, offset: i64) -> Self;
    /// The return address is saved at CFA + offset.
    fn ra_at(self, offset: i64) -> Self;
    /// FP holds the caller's value again.
    fn fp_back(self) -> Self;
    /// The return address is in its register again.
    fn ra_back(self) -> Self;
}

impl FrameChanges for FrameState {
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
