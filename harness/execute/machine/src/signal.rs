//! The processor's part of signals: a handler begins and returns.

use linux::Delivery;
use witness::Interruption;

use crate::core::Core;
use crate::end::{End, Reason};
use crate::error::MachineError;
use crate::interruptions::Interruptions;
use crate::process::{EmulatedMemory, EmulatedRegisters};
use crate::stacks::{Begun, StackRange};

impl Core {
    /// Sets the processor to the start of a handler, whose frame the kernel writes. `pc` is where
    /// execution continues after the handler.
    pub(crate) fn begin_handler(
        &mut self,
        pc: u64,
        delivery: &Delivery,
        interruptions: &mut Interruptions,
    ) -> Result<Begun, End> {
        let stopped = |error: MachineError| End::undecided(Reason::Stopped, pc, error.to_string());
        let engine = &self.engine;
        let mut memory = EmulatedMemory { engine, memory: &mut self.memory };
        let handler = self.kernel.begin_handler(pc, delivery, &EmulatedRegisters(engine), &mut memory)?;
        let registers = engine.snapshot(pc);
        interruptions.keep(engine, handler.frame).map_err(stopped)?;
        let target = engine.target();
        for (register, value) in handler.registers {
            target.id(register).map_or(Ok(()), |id| engine.write(id, value)).map_err(stopped)?;
        }
        let [handler_sp, handler_fp, _] = target.tracked.map(|id| engine.read(id));
        let (sp, fp, restorer) = (handler.sp, handler.fp, handler.restorer);
        Ok(Begun {
            by: Interruption { pc, sp, fp, restorer, handler_sp, handler_fp },
            live_from: handler.live_from,
            alternate: handler.alternate.map(|(base, end)| StackRange::new(base, end)),
            registers,
            kept: handler.kept,
        })
    }

    /// Handles the call that ends a handler: restores the processor state of its frame, and returns
    /// the address at which execution continues.
    pub(crate) fn end_handler(&mut self, is_plain: bool, interruptions: &mut Interruptions) -> Result<u64, End> {
        let pc = self.pc;
        let engine = &self.engine;
        let memory = EmulatedMemory { engine, memory: &mut self.memory };
        let mut registers = EmulatedRegisters(engine);
        let frame = self.kernel.left_frame(is_plain, &registers, &memory)?;
        let restored = interruptions.restore(engine, frame.at);
        restored.map_err(|error| End::undecided(Reason::Stopped, pc, error.to_string()))?;
        self.kernel.end_handler(pc, &frame, &mut registers)
    }
}
