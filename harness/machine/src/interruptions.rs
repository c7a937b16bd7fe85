//! Processors as signals interrupted them, for what no frame holds or the emulator does not give.

use crate::engine::{Context, Engine};
use crate::error::MachineError;

/// Each by where the handler's frame is, the outermost first.
#[derive(Default)]
pub(crate) struct Interruptions(Vec<(u64, Context)>);

/// The most handlers that may be left without their return; older ones come back with what the
/// frame alone holds.
const KEPT: usize = 1024;

impl Interruptions {
    /// Keeps the processor as the handler with this frame finds it.
    pub(crate) fn keep(&mut self, engine: &Engine, frame: u64) -> Result<(), MachineError> {
        // What lies inside the new frame, or is of the same place, was left by a longjmp.
        self.0.retain(|(at, _)| *at != frame);
        if self.0.len() >= KEPT {
            self.0.remove(0);
        }
        let mut context = engine.save_new()?;
        engine.save(&mut context)?;
        self.0.push((frame, context));
        Ok(())
    }

    /// Sets the processor to what it was when the handler with this frame began.
    pub(crate) fn restore(&mut self, engine: &Engine, frame: u64) -> Result<(), MachineError> {
        let Some(at) = self.0.iter().rposition(|(kept, _)| *kept == frame) else { return Ok(()) };
        let (_, context) = self.0.remove(at);
        self.0.truncate(at);
        // The thread pointer is in no frame but that of s390x, which restores it by itself.
        let pointers = engine.target().thread_pointer;
        let values: Vec<u64> = pointers.iter().map(|id| engine.read(*id)).collect();
        engine.restore(&context)?;
        pointers.iter().zip(values).try_for_each(|(id, value)| engine.write(*id, value))
    }
}
