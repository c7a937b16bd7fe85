//! Processor states saved when signals interrupted them, for registers that no signal frame holds
//! or that the emulator does not give.

use crate::engine::{Context, Engine};
use crate::error::MachineError;

/// Saved states by address of the handler's frame, the outermost first.
#[derive(Default)]
pub(crate) struct Interruptions(Vec<(u64, Context)>);

/// Maximum number of handlers left without a return; older ones restore only what the frame holds.
const KEPT: usize = 1024;

impl Interruptions {
    /// Returns true if no handler executes.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Saves the processor state that the handler with this frame interrupts.
    pub(crate) fn keep(&mut self, engine: &Engine, frame: u64) -> Result<(), MachineError> {
        // Entries inside the new frame, or at its address, were left by a longjmp.
        self.0.retain(|(at, _)| *at != frame);
        if self.0.len() >= KEPT {
            self.0.remove(0);
        }
        let mut context = engine.save_new()?;
        engine.save(&mut context)?;
        self.0.push((frame, context));
        Ok(())
    }

    /// Restores the processor state from before the handler with this frame.
    pub(crate) fn restore(&mut self, engine: &Engine, frame: u64) -> Result<(), MachineError> {
        let Some(at) = self.0.iter().rposition(|(kept, _)| *kept == frame) else { return Ok(()) };
        let (_, context) = self.0.remove(at);
        self.0.truncate(at);
        // Only the s390x signal frame has the thread pointer; s390x restores it from there.
        let pointers = engine.target().thread_pointer;
        let values: Vec<u64> = pointers.iter().map(|id| engine.read(*id)).collect();
        engine.restore(&context)?;
        pointers.iter().zip(values).try_for_each(|(id, value)| engine.write(*id, value))
    }
}
