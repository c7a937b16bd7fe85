//! The second processor: made ready, begun with the registers of the first one, and left.

use types::memo::Memo;
use unicorn_engine::{HookType, uc_error};

use super::enter::callback;
use super::{Passed, Session};
use crate::core::Core;
use crate::engine::{LiveRegs, start};
use crate::prepare::NOWHERE;
use crate::{MachineError, pages};

impl<M: Memo> Session<'_, M> {
    /// The second processor executes from an instruction on: where the first one goes on. None: it
    /// does not, or makes a turn first.
    ///
    /// # Safety
    /// `session` stays in place and is not borrowed, and its hooks are installed.
    #[cold]
    pub(super) unsafe fn take_blocks(session: *mut Self, pc: u64) -> Result<Option<u64>, MachineError> {
        // SAFETY: by this function's contract; nothing executes.
        if !unsafe { Self::enter_blocks(session, pc) }? {
            return Ok(Some(pc));
        }
        // SAFETY: as above, and the engine lives; nothing borrows the session while it executes.
        let outcome = unsafe { start((*session).core.engine.handle(), pc, NOWHERE, 0) };
        // SAFETY: nothing executes any more.
        let session = unsafe { &mut *session };
        session.leave_blocks(outcome)
    }

    /// Makes the second processor ready. False: there is none.
    unsafe fn enter_blocks(session: *mut Self, pc: u64) -> Result<bool, MachineError> {
        // SAFETY: by the contract of `take_blocks`.
        unsafe {
            if (*session).core.other.is_none() {
                if !(*session).state.is_believed() {
                    (*session).blocks.refuse();
                    return Ok(false);
                }
                let second = (*session).core.engine.another()?;
                let core = &mut (*session).core;
                core.memory.share_with(&core.engine, &second)?;
                core.other = Some(second);
                core.change_engine();
                Core::install_hooks(&raw mut (*session).core)?;
                pages::install(&raw mut (*session).core)?;
                (*session).core.engine.hook(HookType::BLOCK, callback::<M>(), session.cast())?;
                (*session).core.change_engine();
                (*session).blocks.context = Some((*session).core.engine.save_new()?);
                (*session).blocks.version = (*session).core.memory.code_version();
            }
            let session = &mut *session;
            session.blocks.tally.begin(session.steps);
            session.blocks.is_due = false;
            session.blocks.taken = false;
            session.hand_over()?;
            session.regs.pc = pc;
            session.blocks.forget_changed_code(pc, &session.core.memory);
            session.core.calm_until = session.calm_until();
            session.core.takes_blocks = true;
            Ok(true)
        }
    }

    /// The other processor goes on with the registers of the one that has executed.
    fn hand_over(&mut self) -> Result<(), MachineError> {
        if let Some(context) = &mut self.blocks.context {
            self.core.engine.save(context)?;
            self.core.change_engine();
            self.core.engine.restore(context)?;
        }
        std::mem::swap(&mut self.state, &mut self.blocks.other);
        // SAFETY: the engine lives in the session, beside the registers.
        self.regs = unsafe { LiveRegs::new(&self.core.engine, self.regs.pc) };
        let version = self.core.memory.code_version();
        if self.blocks.version != version {
            self.blocks.version = version;
            self.core.forget_code()?;
        }
        Ok(())
    }

    fn leave_blocks(&mut self, outcome: Result<(), uc_error>) -> Result<Option<u64>, MachineError> {
        self.core.calm_until = 0;
        self.core.takes_blocks = false;
        self.blocks.is_surprised |= self.core.broke_off || !self.has_ended_at_last();
        self.passed = Passed::NONE;
        let is_over = self.core.end.is_some() || self.panic.is_some() || self.blocks.is_surprised;
        self.blocks.tally.end(self.steps, &mut self.blocks.from);
        self.hand_over()?;
        if is_over || self.core.turn.is_some() {
            return Ok(None);
        }
        match &self.blocks.around {
            Some(around) if outcome.is_ok() => Ok(Some(around.place().0)),
            // It ended within a block: by a fault.
            _ => {
                self.blocks.is_surprised = true;
                Ok(None)
            }
        }
    }
}
