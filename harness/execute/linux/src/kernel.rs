//! The kernel's state. It is deterministic; nothing reaches the host.

use std::collections::BTreeSet;

use types::Abi;

use crate::arch::kernel_abi;
use crate::call::Call;
use crate::clock::Clock;
use crate::errno::Errno;
use crate::files::Files;
use crate::kernel_abi::KernelAbi;
use crate::mappings::Mappings;
use crate::process::Process;
use crate::processes::Processes;
use crate::scheduler::Scheduler;
use crate::signal::layout::SignalAbi;
use crate::world::{World, WorldError};

/// Maximum number of numbers that [`Kernel::take_refused`] returns.
const REFUSED_KEPT: usize = 64;

/// The kernel of a program: the process that executes, the others, and what all share.
#[derive(Debug)]
pub struct Kernel {
    pub(crate) abi: Abi,
    pub(crate) target: &'static KernelAbi,
    /// Frames of signal handlers.
    pub(crate) frames: &'static SignalAbi,
    /// The process that executes.
    pub process: Process,
    pub processes: Processes,
    /// Files, pipes and output.
    pub files: Files,
    /// File mappings.
    pub mappings: Mappings,
    /// The time.
    pub clock: Clock,
    /// The choice of the thread that executes next.
    pub scheduler: Scheduler,
    /// Numbers of the calls that returned ENOSYS.
    pub(crate) refused: BTreeSet<u64>,
}

impl Kernel {
    /// Creates the kernel for a program of this name whose image ends at `image_end`.
    pub fn new(abi: Abi, program: &str, world: &World, image_end: u64) -> Result<Self, WorldError> {
        let executable = world.program.as_ref().map_or(program, |file| file.path.as_str());
        let executable =
            if executable.starts_with('/') { executable.to_owned() } else { format!("/{executable}") }.into_bytes();
        Ok(Kernel {
            abi,
            target: kernel_abi(abi),
            frames: kernel_abi(abi).signals,
            files: Files::new(world, &executable)?,
            process: Process::new(executable, image_end),
            processes: Processes::new(world.programs.clone()),
            mappings: Mappings::default(),
            clock: Clock::default(),
            scheduler: Scheduler::default(),
            refused: BTreeSet::new(),
        })
    }

    /// Takes the numbers of the system calls that the program made and that returned ENOSYS, in
    /// ascending order.
    pub fn take_refused(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.refused).into_iter().collect()
    }

    /// The call of a number. One that is newer than this kernel is refused, as by an old Linux.
    pub(crate) fn call(&mut self, number: u64) -> Option<Call> {
        const REFUSED: Call = Call::Refused(Errno::NoSystemCall);
        let newer = (number >= self.target.first_newer).then_some(REFUSED);
        let call = self.target.calls.get(number).or(newer);
        if call == Some(REFUSED) && self.refused.len() < REFUSED_KEPT {
            self.refused.insert(number);
        }
        call
    }

    /// The ABI of the program.
    pub fn abi(&self) -> Abi {
        self.abi
    }
}
