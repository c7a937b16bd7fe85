//! Instructions that the emulator begins twice. An instruction that stores into the block of code
//! that executes makes the emulator translate the block again, and begins again itself, before its
//! store: the hook is called twice for one step.

use isa::flow::{self, Flow, Marks};

use super::execution::Execution;
use crate::layout::Access;

impl Execution {
    /// Returns true if the instruction at the PC of the last step begins again, which is no step.
    /// One that comes back to itself is a jump, a call that moves SP, or a repeated string
    /// instruction.
    #[cold]
    pub(super) fn begins_again(&mut self, pc: u64, sp: u64) -> bool {
        if !self.is_overwritable(pc) || self.code.began_again == Some(self.steps) {
            return false;
        }
        let code = self.code.go_to(pc, &self.core.memory);
        let insn = code.and_then(|code| flow::decode(self.fixed.abi, code, pc));
        let again = insn.is_some_and(|insn| match insn.flow {
            Flow::Next => !insn.marks.any(Marks::SKIP),
            Flow::Call(_) | Flow::IndirectCall => !self.fixed.facts.link_register && sp == self.followed.shadow.sp(),
            Flow::Jump(_) | Flow::IndirectJump | Flow::Branch(_) | Flow::Return | Flow::ReturnOrNext | Flow::Ends => {
                false
            }
        });
        if again {
            self.code.began_again = Some(self.steps);
        }
        again
    }

    /// Returns true if the program may overwrite its own code at an address.
    pub(super) fn is_overwritable(&self, pc: u64) -> bool {
        self.core.memory.access(pc).is_some_and(|access| access.has(Access::WRITE))
    }
}
