//! Loads a file: its image at its address, and what it is started with.

use judge::tables::Tables;
use linux::{Mapped, World};
use results::{Report, Undecided};
use types::{Bytes, Image, ImageKind, UndecidedReason};
use witness::Plan;

use super::error::{CheckError, Other};
use super::invoked::is_invoked;
use super::objects::Objects;
use super::process::{self, Process, ProcessError};
use crate::options::Inputs;
use crate::signals;
use crate::supplies::Outside;

/// A file at its address in memory.
pub(super) struct Program {
    /// Image with relocations applied, from which tables are read.
    pub(super) image: Image,
    pub(super) started: Started,
}

/// How a program is started.
pub(super) enum Started {
    /// Alone: a static program, or functions of any file.
    Alone,
    /// As a process, usually with its dynamic linker.
    Process(Box<Process>),
    /// Not at all, because its dynamic linker is missing.
    Not(ProcessError),
}

impl Program {
    /// Loads a file of which only functions are executed, or nothing.
    pub(super) fn alone(name: &str, bytes: &Bytes) -> Result<Program, CheckError> {
        Ok(Program { image: elf::load(name, bytes)?, started: Started::Alone })
    }

    /// Loads a file that is executed from its entry, if it can be.
    pub(super) fn from_entry(name: &str, bytes: &Bytes, inputs: &Inputs) -> Result<Program, CheckError> {
        let image = elf::load(name, bytes)?;
        let alone = |image| Ok(Program { image, started: Started::Alone });
        let moved = || image.clone().moved(process::place(&image, bytes));
        match (image.kind, &inputs.supplies.outside) {
            (ImageKind::Executable, _) if inputs.supplies.have_programs() => {
                let process = Process::from_static(&image, bytes, &inputs.supplies);
                Ok(Program { image, started: Started::Process(Box::new(process)) })
            }
            (_, Outside::Nothing) => alone(image),
            (ImageKind::Shared, _) if is_invoked(&image, inputs) => {
                let image = moved();
                let process = Process::from_linker(&image, bytes, inputs);
                Ok(Program { image, started: Started::Process(Box::new(process)) })
            }
            (ImageKind::Dynamic, outside) if !image.is_debug_only() => {
                let moved = moved();
                match (Process::new(&moved, bytes, &inputs.supplies), outside) {
                    (Ok(process), _) => Ok(Program { image: moved, started: Started::Process(Box::new(process)) }),
                    (Err(error), Outside::Folder(_)) => Err(error.into()),
                    (Err(error), _) => Ok(Program { image, started: Started::Not(error) }),
                }
            }
            (_, Outside::Libraries | Outside::Folder(_)) => alone(image),
        }
    }

    /// The program, if it can be executed from its entry.
    pub(super) fn executable(self) -> Result<Program, CheckError> {
        match self.started {
            Started::Not(error) => Err(error.into()),
            Started::Alone if self.image.kind != ImageKind::Executable => Err(CheckError::NoProgram),
            Started::Alone | Started::Process(_) => Ok(self),
        }
    }

    /// The program's process; `None` if it has none.
    pub(super) fn process(&self) -> Option<&Process> {
        match &self.started {
            Started::Process(process) => Some(process),
            Started::Alone | Started::Not(_) => None,
        }
    }

    /// The objects that a run mapped, besides the program.
    pub(super) fn objects(&self, mapped: &[Mapped], world: &World) -> Objects {
        let objects = self.process().map(|process| process.objects(mapped, world, &process.programs()));
        objects.unwrap_or_default()
    }

    /// Plan of a run from the entry.
    pub(super) fn plan(&self, inputs: &Inputs, step_limit: u64) -> Result<Plan<'_>, CheckError> {
        let plan = plan(&self.image, inputs, step_limit)?;
        Ok(match self.process() {
            Some(process) => process.plan(plan, &inputs.supplies),
            None => plan,
        })
    }
}

/// The report of a file in which there is nothing to judge.
pub(super) fn nothing_to_judge(image: &Image, tables: &Tables) -> Option<Report> {
    let mut report =
        Report { file: image.name.clone(), abi: Some(image.abi), sframe_version: tables.version, ..Report::default() };
    if image.is_debug_only() {
        let message = "a separate debug file: its code and tables are in the file that it belongs to".to_owned();
        report.undecided.push(Undecided { reason: UndecidedReason::NothingJudged, pc: None, message });
    } else if !tables.has_sframe && tables.cfi.is_none() {
        report.error = Some(CheckError::NoTable { other: Other::from_image(image) }.into());
    } else {
        return None;
    }
    Some(report)
}

/// Plan of a run of an image alone.
pub(super) fn plan<'i>(image: &'i Image, inputs: &Inputs, step_limit: u64) -> Result<Plan<'i>, CheckError> {
    Ok(Plan {
        arguments: inputs.arguments.clone(),
        world: inputs.supplies.world(),
        signals: signals::resolve(&inputs.signals, image).map_err(CheckError::SignalPlace)?,
        schedule: inputs.schedule,
        vector_bits: inputs.vector_bits(),
        step_limit,
        ..Plan::new(image)
    })
}
