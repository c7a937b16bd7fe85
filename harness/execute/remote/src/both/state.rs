//! The state of an engine at an instruction, and the difference between two states.

use std::fmt;

use types::{Reg, RunEnd, Step};

/// The state of an engine before an instruction, as far as unwinding needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Address of the instruction.
    pub pc: u64,
    /// Stack pointer.
    pub sp: u64,
    /// Frame pointer.
    pub fp: u64,
    /// The link register, without pointer authentication; 0 on AMD64.
    pub link: u64,
    /// The CFA of the innermost frame; 0 without frames.
    pub cfa: u64,
    /// The return address of the innermost frame; 0 without frames.
    pub ra: u64,
    /// Number of live frames.
    pub frames: usize,
}

/// The first difference between the states of both engines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Number of the step, from 1.
    pub step: u64,
    /// Address of the instruction before the step.
    pub after: u64,
    /// State of the first engine.
    pub first: State,
    /// State of the second engine, or the end of its run.
    pub second: Result<State, RunEnd>,
    /// A register that differs although the states are equal, by DWARF number, with both values.
    pub register: Option<(Reg, [u64; 2])>,
}

impl State {
    pub(super) fn at(step: &Step<'_>) -> State {
        let facts = step.regs.abi.facts();
        let link = if facts.link_register { step.regs.ra & facts.address_mask } else { 0 };
        let frame = step.frames.innermost();
        State {
            pc: step.pc.0,
            sp: step.regs.sp,
            fp: step.regs.fp,
            link,
            cfa: frame.map_or(0, |frame| frame.cfa),
            ra: frame.map_or(0, |frame| frame.ra.0),
            frames: step.frames.depth(),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at step {}, after the instruction at {:#x}: ", self.step, self.after)?;
        if let Some((register, [first, second])) = self.register {
            return write!(
                f,
                "DWARF register {} first {first:#x}, second {second:#x}; both {}",
                register.0, self.first
            );
        }
        write!(f, "first {}, second ", self.first)?;
        match &self.second {
            Ok(state) => write!(f, "{state}"),
            Err(RunEnd::Exit(status)) => write!(f, "exited with status {status}"),
            Err(RunEnd::Halt(pc)) => write!(f, "halted at {:#x}", pc.0),
            Err(RunEnd::Sentinel) => write!(f, "returned"),
            Err(RunEnd::Undecided { message, .. }) => write!(f, "ended: {message}"),
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let State { pc, sp, fp, link, cfa, ra, frames } = self;
        write!(f, "PC {pc:#x} SP {sp:#x} FP {fp:#x} LR {link:#x} CFA {cfa:#x} RA {ra:#x} frames {frames}")
    }
}
