//! One executed instruction boundary as the machine witnessed it: registers, live stack, and the true frames.
//!
//! Everything is borrowed from the running machine; nothing here is stored or allocated per step.

use crate::{Abi, ByteOrder, Fault, PacKey, Pc, Reg};

/// The state just before the instruction at [`Step::pc`] executes.
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "`regs` and `stack` say what they are")]
pub struct Step<'a> {
    /// The instruction about to execute.
    pub pc: Pc,
    /// How control came here.
    pub event: Event,
    pub regs: Regs<'a>,
    pub stack: Stack<'a>,
    /// The true callers; none in the function in which execution began.
    pub frames: Frames<'a>,
    /// How often frames came or went before it. A call or a return is one more; where that is not known it stays 0.
    pub changes: u64,
    /// Where a longjmp may go.
    pub earlier_calls: &'a dyn EarlierCalls,
}

/// The calls that live functions made and that have come back: `setjmp` is such a call, and a longjmp lands where it returned.
pub trait EarlierCalls {
    /// True when a live function made a call that came back to this return address with this SP.
    fn came_back(&self, ra: u64, sp: u64) -> bool;
}

/// No calls are remembered.
impl EarlierCalls for () {
    fn came_back(&self, _ra: u64, _sp: u64) -> bool {
        false
    }
}

/// How control came to an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Event {
    /// The first instruction of the run.
    Entry,
    /// From the instruction before it.
    Sequential,
    /// A jump inside a function, or a tail call.
    Jump,
    /// A call: one frame was pushed.
    Call,
    /// A return: one frame was popped.
    Return,
    /// A longjmp or a throw: frames were dropped.
    Unwound,
    /// The kernel began a signal's handler: two frames were pushed, the interrupted function's and the restorer's.
    Signal,
    /// The handler is over (`rt_sigreturn`): control is back where it was interrupted.
    Resumed,
    /// Another stack is in use, with frames of its own (`swapcontext`).
    Switched,
}

impl Event {
    /// The word in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Event::Entry => "entry",
            Event::Sequential => "sequential",
            Event::Jump => "jump",
            Event::Call => "call",
            Event::Return => "return",
            Event::Unwound => "unwound",
            Event::Signal => "signal",
            Event::Resumed => "resumed",
            Event::Switched => "switched",
        }
    }
}

/// How control left a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LeftBy {
    /// By a call: the return address is behind it.
    Call,
    /// By a signal, before the instruction at the return address.
    Signal,
}

/// The truth about one caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Frame {
    /// Where the callee returns to, without pointer authentication.
    pub ra: Pc,
    /// The return address as the callee holds it now: equal to `ra` unless signed.
    pub raw_ra: u64,
    /// The key that signed `raw_ra`, if any did.
    pub signed_by: Option<PacKey>,
    /// The CFA of the callee, which this frame called.
    pub cfa: u64,
    /// The frame pointer register's value in the caller at the call.
    pub fp: u64,
    /// How the caller was left. By a signal, the CFA is the one that gives the caller's SP by the ABI's distance: what a table calls the
    /// CFA of a signal frame is its own choice.
    pub left_by: LeftBy,
}

/// The true callers. Stored outermost first, because a stack grows at its end.
#[derive(Clone, Copy, Debug)]
pub struct Frames<'a>(pub &'a [Frame]);

impl<'a> Frames<'a> {
    /// The caller of the function now executing; none in the outermost function.
    pub fn innermost(self) -> Option<&'a Frame> {
        self.0.last()
    }

    /// The callers, innermost first.
    pub fn iter(self) -> impl ExactSizeIterator<Item = &'a Frame> {
        self.0.iter().rev()
    }

    /// How many callers there are.
    pub fn depth(self) -> usize {
        self.0.len()
    }
}

/// Registers by DWARF number.
pub trait RegFile {
    /// The register's value, or none where it is not known in this frame.
    fn read(&self, reg: Reg) -> Option<u64>;
}

/// The registers of a running machine: the three that every row needs at hand, others read on demand.
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "`abi`, `sp` and `fp` say what they are")]
pub struct Regs<'a> {
    pub abi: Abi,
    pub sp: u64,
    pub fp: u64,
    /// Link register; on AMD64 the program counter, which is what column 16 reads as inside an expression.
    pub ra: u64,
    /// Every register, `sp`, `fp` and `ra` included.
    pub others: &'a dyn RegFile,
}

impl RegFile for Regs<'_> {
    #[inline]
    fn read(&self, reg: Reg) -> Option<u64> {
        let facts = self.abi.facts();
        if reg == facts.sp {
            Some(self.sp)
        } else if reg == facts.fp {
            Some(self.fp)
        } else if reg == facts.ra {
            Some(self.ra)
        } else {
            self.others.read(reg)
        }
    }
}

/// The registers that are known in a caller's frame, DWARF numbers 0 to 39.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRegs {
    values: [u64; Self::COUNT],
    known: u64,
}

impl FrameRegs {
    const COUNT: usize = 40;

    /// A frame in which every register is unknown.
    pub const fn none() -> Self {
        FrameRegs { values: [0; Self::COUNT], known: 0 }
    }

    /// Sets a register; `None` forgets it. Numbers above 39 are not kept.
    pub fn set(&mut self, reg: Reg, value: Option<u64>) {
        let index = usize::from(reg.0);
        if let Some(slot) = self.values.get_mut(index) {
            *slot = value.unwrap_or(0);
            if value.is_some() {
                self.known |= 1 << index;
            } else {
                self.known &= !(1 << index);
            }
        }
    }

    /// All that can be read from another register file.
    pub fn snapshot(regs: &(impl RegFile + ?Sized)) -> Self {
        let mut all = FrameRegs::none();
        for number in 0..Self::COUNT as u16 {
            all.set(Reg(number), regs.read(Reg(number)));
        }
        all
    }
}

impl RegFile for FrameRegs {
    fn read(&self, reg: Reg) -> Option<u64> {
        let index = usize::from(reg.0);
        let value = self.values.get(index)?;
        (self.known >> index & 1 == 1).then_some(*value)
    }
}

/// The stack's memory. Bytes below the red zone are dead: a signal handler may overwrite them, so reading them is a fault.
#[derive(Clone, Copy)]
pub struct Stack<'a> {
    /// Address of `bytes[0]`.
    pub base: u64,
    /// The whole mapped stack.
    pub bytes: &'a [u8],
    /// First live address: SP less the red zone.
    pub live_from: u64,
    /// Order of bytes in data.
    pub order: ByteOrder,
    /// Stacks that are left for now.
    pub beneath: &'a dyn Beneath,
}

/// Stacks that are left for now: a signal's handler executes, on another stack or below what was interrupted.
pub trait Beneath {
    /// Copies bytes that are on none of the stack in use.
    ///
    /// # Errors
    /// [`Fault::DeadMemory`] below the red zone of where that stack was left, [`Fault::UnreadableMemory`] on none of them.
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Fault>;

    /// The stack that a frame is on, by the number of frames around it; none where that is the one in use.
    fn extent(&self, frame: usize) -> Option<Extent>;

    /// The registers of the function that was left by a signal with so many frames around it, as the kernel saved them; none where it was not.
    fn interrupted(&self, frame: usize) -> Option<&FrameRegs>;

    /// Where the kernel keeps PC, SP and FP of that function, and as which words: addresses and what was there. The program may set others, and goes
    /// on with these.
    fn kept(&self, frame: usize) -> &[(u64, u64)];
}

/// A stack that is left for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// First address.
    pub start: u64,
    /// First address after it.
    pub end: u64,
    /// SP where it was left.
    pub sp: u64,
}

/// There are none.
impl Beneath for () {
    fn read(&self, address: u64, _bytes: &mut [u8]) -> Result<(), Fault> {
        Err(Fault::UnreadableMemory { address })
    }

    fn extent(&self, _frame: usize) -> Option<Extent> {
        None
    }

    fn interrupted(&self, _frame: usize) -> Option<&FrameRegs> {
        None
    }

    fn kept(&self, _frame: usize) -> &[(u64, u64)] {
        &[]
    }
}

impl Stack<'_> {
    /// The 8-byte word at an address.
    ///
    /// # Errors
    /// [`Fault::DeadMemory`] below the red zone, [`Fault::UnreadableMemory`] outside the stack.
    #[inline]
    pub fn read(&self, address: u64) -> Result<u64, Fault> {
        let word = address
            .checked_sub(self.base)
            .and_then(|offset| usize::try_from(offset).ok())
            .and_then(|offset| self.bytes.get(offset..)?.first_chunk::<8>());
        match word {
            None => self.word_beneath(address),
            Some(_) if address < self.live_from => Err(Fault::DeadMemory { address }),
            Some(bytes) => Ok(self.order.u64(*bytes)),
        }
    }

    #[cold]
    fn word_beneath(&self, address: u64) -> Result<u64, Fault> {
        let mut bytes = [0; 8];
        self.beneath.read(address, &mut bytes).map(|()| self.order.u64(bytes))
    }

    /// The bytes at an address, in the order of memory.
    ///
    /// # Errors
    /// As [`Stack::read`].
    pub fn copy(&self, address: u64, bytes: &mut [u8]) -> Result<(), Fault> {
        let found = address
            .checked_sub(self.base)
            .and_then(|offset| usize::try_from(offset).ok())
            .and_then(|offset| self.bytes.get(offset..)?.get(..bytes.len()));
        match found {
            None => self.beneath.read(address, bytes),
            Some(_) if address < self.live_from => Err(Fault::DeadMemory { address }),
            Some(found) => {
                bytes.copy_from_slice(found);
                Ok(())
            }
        }
    }
}

/// Watches an execution: the only thing that the machine and the judge know of each other.
pub trait Observer {
    /// Called just before each executed instruction.
    fn step(&mut self, step: &Step<'_>);

    /// By which number it knows the instruction that it was just shown, if it wants to be asked when control comes there again.
    #[inline]
    fn note(&mut self) -> Option<Note> {
        None
    }

    /// Control is at an instruction again, by [`Event::Sequential`] or [`Event::Jump`]. True: the step is taken in, and [`Observer::step`] would have done
    /// no more. False: nothing is done, and the step is shown.
    #[inline]
    fn again(&mut self, _note: Note, _step: &Step<'_>) -> bool {
        false
    }

    /// Whether what it looks at and what it looks for are the same at two instructions that it knows.
    fn are_alike(&self, _one: Note, _other: Note) -> bool {
        false
    }

    /// Control went on from an instruction that was just taken in again to one that is like it, and nothing changed but registers that
    /// unwinding does not look at: the step is taken in too.
    #[inline]
    fn goes_on(&mut self, _note: Note) {}

    /// Whether it can take in the steps of a block at once, and forget all that it was shown should that have gone wrong.
    fn takes_blocks(&self) -> bool {
        false
    }

    /// Forgets what it was shown: the execution begins again.
    fn start_over(&mut self) {}

    /// Its note of the step's instruction, if the step would be taken in again.
    fn like(&mut self, _step: &Step<'_>) -> Option<Note> {
        None
    }

    /// By which number it knows a block of which each step was [`Observer::like`] one before, if it can take in such blocks.
    fn block(&mut self, _block: &Block<'_>) -> Option<Note> {
        None
    }

    /// A block that it knows begins with this step, and each of its steps will be shown.
    fn open(&mut self, _block: Note, _step: &Step<'_>) {}

    /// The last of them was shown, each was like one before, and this is what it has come to. It may be taken in at once where it begins in a state
    /// that is the same in all that the steps were judged by.
    fn close(&mut self, _after: &Boundary<'_>) {}

    /// A block begins with this step, by [`Event::Sequential`] or [`Event::Jump`], or the step was shown. True: its steps, or all but the first that was
    /// shown, are taken in. False: nothing is done.
    #[inline]
    fn block_again(&mut self, _block: Note, _step: &Step<'_>, _shown: bool) -> bool {
        false
    }

    /// The same where it is by [`Event::Call`] or [`Event::Return`].
    #[inline]
    fn block_entered(&mut self, _block: Note, _step: &Step<'_>) -> bool {
        false
    }

    /// What the block that was taken in has come to. False: not to what its like came to, so that its steps may have been others.
    #[inline]
    fn ended(&mut self, _after: &Boundary<'_>) -> bool {
        true
    }
}

/// Instructions that follow one another, of which the last alone may go elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// What the observer calls each.
    pub notes: &'a [Note],
    /// Which write FP.
    pub fp: Written,
    /// Which write the link register.
    pub link: Written,
    /// One of them may write memory.
    pub stores: bool,
    /// The last one is a call.
    pub calls: bool,
}

/// Which instructions of a block write a register, by how many have executed then, they included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The first; 0: none does.
    pub first: usize,
    /// The first that writes what does not follow from what the block begins with; 0: none does.
    pub loose: usize,
    /// The last.
    pub last: usize,
}

impl Written {
    /// An instruction writes it. `follows`: what the block begins with says what.
    pub fn write(&mut self, count: usize, follows: bool) {
        self.first = if self.first == 0 { count } else { self.first };
        self.loose = if self.loose == 0 && !follows { count } else { self.loose };
        self.last = count;
    }

    /// Whether the register is still what it is at the beginning, after so many instructions.
    pub fn is_old(&self, after: usize) -> bool {
        self.first == 0 || after < self.first
    }

    /// Whether neither the beginning nor the end says what it is, after so many.
    pub fn is_hidden(&self, after: usize) -> bool {
        self.loose != 0 && (self.loose..self.last).contains(&after)
    }
}

/// What a block has come to, before anything else happens.
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "they are what they are called")]
pub struct Boundary<'a> {
    pub sp: u64,
    pub fp: u64,
    pub link: u64,
    pub stack: Stack<'a>,
    /// Those of the block's last step.
    pub frames: Frames<'a>,
}

/// An observer's own number for an instruction, for as long as an execution lasts.
pub type Note = std::num::NonZeroU32;

/// Watches functions that are executed without their inputs: states that no run has shown yet, in no particular order.
pub trait Probe {
    /// Whether every table that has an answer for the step is right. The step stands for all these PCs: between them nothing changes that an
    /// answer could depend on. Nothing is charged.
    fn is_right(&mut self, step: &Step<'_>, pcs: &[Pc]) -> bool;

    /// The step is one that a real execution can come to, and what it shows does not depend on made-up values. Returns whether anything is
    /// charged: nothing is where a function has a convention of its own, as its table says or its returns show.
    ///
    /// `handed_ra`: the function loads its return address from there, where its caller put it, as a procedure linkage table does for the
    /// resolver of AArch64's dynamic linker.
    fn charge(&mut self, step: &Step<'_>, pcs: &[Pc], past: Past, handed_ra: Option<u64>) -> bool;
}

/// What is known of the function in which a step is, beside its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Past {
    /// Nothing that could have made it another.
    Plain,
    /// It was entered by nobody that is seen, and never returns: execution may begin there.
    Unseen,
    /// A system call, which may have come back in a new thread: one that nobody called.
    SystemCall,
    /// Nothing is known of FP: the function's returns give it another value than it found, or control comes here with it in another place too.
    ButForFp,
}

impl<F: FnMut(&Step<'_>)> Observer for F {
    #[inline]
    fn step(&mut self, step: &Step<'_>) {
        self(step);
    }
}
