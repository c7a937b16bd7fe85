//! Checks of an instruction before the emulator executes it: whether the emulator lacks the
//! instruction, executes it wrongly, or reports its failures late.

use isa::zarch::Group;
use witness::on_link_register;

use super::execution::Execution;
use super::notes::Notes;
use crate::core::Core;
use crate::end::{End, Reason};
use crate::target::Watch;
use crate::{aarch64, amd64, s390x, scalable, zarch};

/// The result of decoding an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Looked {
    /// The emulator executes the instruction.
    Usual,
    /// The emulator executes the instruction with its current operands, which are checked each
    /// time.
    Checked,
    /// The emulator executes the instruction, and the next step takes the long path each time.
    EachTime,
    /// The emulator lacks the instruction.
    Lacking,
}

/// The use of scalable vectors.
#[derive(Clone, Copy, Default)]
pub(super) struct Vectors {
    /// The program has used them.
    pub(super) is_scalable: bool,
    /// The vector register whose first 128 bits the last instruction wrote.
    pub(super) written: Option<u8>,
}

impl Execution {
    /// Returns true if the emulator reports a failed access of the instruction only at the next
    /// one.
    pub(super) fn fails_late(&mut self, pc: u64) -> bool {
        let watch = self.fixed.watch;
        self.code.go_to(pc, &self.core.memory).is_some_and(|code| match watch {
            Watch::PointerAuthentication => aarch64::stores_late(code),
            Watch::Vectors => amd64::stores_late(code),
            Watch::ZArch => false,
        })
    }

    /// Records which vector register the instruction writes, if the program has used scalable
    /// vectors: before that the upper bits of all vectors are clear.
    #[inline]
    fn look_at_vectors(&mut self, pc: u64) -> Looked {
        let code = self.code.get(pc).unwrap_or_default();
        if self.vectors.is_scalable {
            self.vectors.written = isa::scalable::written_vector(code);
        } else if isa::scalable::is_scalable(code) {
            // Noted instructions must be decoded again.
            self.vectors.is_scalable = true;
            self.short.notes = Notes::new(self.fixed.facts.instruction_alignment);
        }
        if self.vectors.written.is_some() { Looked::EachTime } else { Looked::Usual }
    }

    /// Clears the upper bits of the vector register that the last instruction wrote: instructions
    /// of Advanced SIMD or floating point do so, and the emulator does not always.
    #[inline]
    pub(super) fn clear_rest_of_vector(&mut self, env: usize) {
        let Some(rest) = self.vectors.written.take().and_then(scalable::rest_of_vector) else { return };
        if self.registers.state.is(env) {
            // SAFETY: it is the state, and the guest does not run inside the hook.
            unsafe { self.registers.state.clear(rest) };
            return;
        }
        let cleared = self.core.engine.change_state(|state| {
            state.get_mut(rest)?.fill(0);
            Some(())
        });
        debug_assert!(cleared.is_some(), "the state has its vectors");
    }

    /// Decodes the instruction for the checks that the target needs.
    #[inline]
    pub(super) fn look(&mut self, pc: u64, link: u64) -> Result<Looked, End> {
        let Some(code) = self.code.go_to(pc, &self.core.memory) else { return Ok(Looked::Usual) };
        let unfaithful = match self.fixed.watch {
            Watch::PointerAuthentication => {
                // Instructions are little-endian in both byte orders.
                let word = |code: &[u8]| code.first_chunk::<4>().map(|word| u32::from_le_bytes(*word));
                let before = || word(self.core.memory.read(pc.checked_sub(4)?, 4)?);
                self.followed.pending = word(code).and_then(on_link_register).map(|op| (op.after(before()), link));
                if aarch64::lacks(code) {
                    return Ok(Looked::Lacking);
                }
                return Ok(self.look_at_vectors(pc));
            }
            Watch::Vectors if amd64::is_vector(code) => return Ok(Looked::Lacking),
            Watch::Vectors => amd64::is_unfaithful(code),
            Watch::ZArch if s390x::is_deadly(code) => return Err(end_deadly(pc)),
            Watch::ZArch => {
                let Some(one) = isa::zarch::decode(code) else { return Ok(Looked::Usual) };
                let Core { engine, memory, .. } = &mut self.core;
                let is_right = one.operation.group() == Group::Sum && !zarch::is_wrong(engine, memory, pc, &one);
                return Ok(if is_right { Looked::Checked } else { Looked::Lacking });
            }
        };
        if unfaithful {
            return Err(end_unfaithful(self.fixed.watch, pc));
        }
        Ok(Looked::Usual)
    }
}

#[cold]
fn end_unfaithful(watch: Watch, pc: u64) -> End {
    let what = match watch {
        Watch::Vectors => "executes instructions of this form wrongly",
        Watch::ZArch | Watch::PointerAuthentication => "executes it wrongly",
    };
    let message = format!("the instruction at {pc:#x} would not be executed faithfully: the emulator {what}");
    End::undecided(Reason::IllegalInstruction, pc, message)
}

#[cold]
fn end_deadly(pc: u64) -> End {
    let message = format!("the instruction at {pc:#x} is not executed: it would crash the emulator");
    End::undecided(Reason::IllegalInstruction, pc, message)
}
