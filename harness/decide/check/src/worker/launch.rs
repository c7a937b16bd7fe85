//! A program ready for execution, with its dynamic linker if it needs one.

use backend::Plan;
use linux::World;
use types::{Bytes, Image, ImageKind};

use super::error::CheckError;
use super::invoked::is_invoked;
use super::process::{self, Process};
use crate::options::Inputs;
use crate::signals;
use crate::supplies::Outside;

/// A program at its address in memory.
pub(super) struct Launch {
    /// Image with relocations applied, from which tables are read.
    pub(super) program: Image,
    /// The program with its dynamic linker; `None` if it is static.
    pub(super) process: Option<Process>,
}

impl Launch {
    /// Prepares a file that can be executed from its entry.
    pub(super) fn new(name: &str, bytes: &Bytes, inputs: &Inputs) -> Result<Launch, CheckError> {
        let image = elf::load(name, bytes)?;
        match (image.kind, &inputs.supplies.outside) {
            (ImageKind::Executable, _) => Ok(Launch { program: image, process: None }),
            (ImageKind::Dynamic, Outside::Libraries | Outside::Folder(_)) => {
                let program = image.clone().moved(process::place(&image, bytes));
                let process = Process::new(&program, bytes, &inputs.supplies)?;
                Ok(Launch { program, process: Some(process) })
            }
            (ImageKind::Shared, Outside::Libraries | Outside::Folder(_)) if is_invoked(&image, inputs) => {
                let place = process::place(&image, bytes);
                let program = image.moved(place);
                let process = Process::of_linker(&program, bytes, inputs);
                Ok(Launch { program, process: Some(process) })
            }
            (ImageKind::Dynamic, Outside::Nothing) | (ImageKind::Shared | ImageKind::Relocatable, _) => {
                Err(CheckError::NoProgram)
            }
        }
    }

    /// The environment that the program starts in.
    fn world(&self, inputs: &Inputs) -> World {
        let alone = || inputs.supplies.world();
        self.process.as_ref().map_or_else(alone, |process| process.world(&inputs.supplies))
    }

    /// Plan of a run from the entry.
    pub(super) fn plan(&self, inputs: &Inputs, step_limit: u64) -> Result<Plan<'_>, CheckError> {
        let plan = match &self.process {
            Some(process) => Plan { interpreter: process.interpreter(), ..Plan::new(&process.program) },
            None => Plan::new(&self.program),
        };
        Ok(Plan {
            arguments: inputs.arguments.clone(),
            signals: signals::asked(&inputs.signals, &self.program).map_err(CheckError::SignalPlace)?,
            schedule: inputs.schedule,
            vector_bits: inputs.vector_bits(),
            step_limit,
            world: self.world(inputs),
            ..plan
        })
    }
}
