//! Instructions that the emulator begins twice. An instruction that stores into the block of code
//! that executes makes the emulator translate the block again, and begins again itself, before its
//! store: the hook is called twice for one step.

use isa::flow::{self, Flow, Marks};
use types::memo::Memo;

use super::Session;
use crate::layout::Access;

impl<M: Memo> Session<'_, M> {
    /// Returns true if the instruction at the PC of the last step begins again, which is no step.
    /// One that comes back to itself is a jump, a call that moves SP, or a repeated string
    /// instruction.
    #[cold]
    pub(super) fn begins_again(&mut self, pc: u64, sp: u64) -> bool {
        if !self.is_overwritable(pc) || self.began_again == Some(self.steps) || !self.goes_to(pc) {
            return false;
        }
        // SAFETY: the region is mapped, and the guest does not run inside the hook.
        let code = unsafe { self.code.bytes() }.get((pc - self.code.base) as usize..);
        let insn = code.and_then(|code| flow::decode(self.abi, code, pc));
        let again = insn.is_some_and(|insn| match insn.flow {
            Flow::Next => !insn.marks.any(Marks::SKIP),
            Flow::Call(_) | Flow::IndirectCall => !self.facts.link_register && sp == self.shadow.sp(),
            Flow::Jump(_) | Flow::IndirectJump | Flow::Branch(_) | Flow::Return | Flow::ReturnOrNext | Flow::Ends => {
                false
            }
        });
        if again {
            self.began_again = Some(self.steps);
        }
        again
    }

    /// Returns true if the program may overwrite its own code at an address.
    pub(super) fn is_overwritable(&self, pc: u64) -> bool {
        self.core.memory.access(pc).is_some_and(|access| access.has(Access::WRITE))
    }
}
