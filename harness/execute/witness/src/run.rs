//! The result of a run.

use linux::{Absent, Kernel, Mapped};
use types::{RunEnd, SignalCounts};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Number of steps shown to the observer.
    pub steps: u64,
    pub end: RunEnd,
    /// Maximum number of frames live at once.
    pub max_depth: usize,
    /// Number of bytes that the program wrote to standard output and error. They are not passed on.
    pub written: u64,
    /// The first MiB of standard output and error, in the order written.
    pub output: Vec<u8>,
    /// The files of the program's root that it mapped as executable, in order.
    pub mapped: Vec<Mapped>,
    /// The files that the program did not find.
    pub absent: Absent,
    /// Numbers of its system calls that returned ENOSYS, in ascending order.
    pub refused: Vec<u64>,
    /// Number of threads, including the first.
    pub threads: u32,
    /// Processes likewise.
    pub processes: u32,
    /// Programs likewise.
    pub programs: u32,
    /// What became of signals.
    pub signals: SignalCounts,
}

impl Run {
    /// Creates the result of a run from its kernel, without requested signals.
    pub fn new(steps: u64, end: RunEnd, max_depth: usize, kernel: &mut Kernel) -> Run {
        let written = kernel.files.written();
        let (output, mapped, threads) =
            (kernel.files.take_output(), kernel.mappings.take_executable(), kernel.threads_made());
        let (processes, programs) = (kernel.processes.made(), kernel.processes.programs_begun());
        let (absent, refused) = (kernel.files.take_absent(), kernel.take_refused());
        Run {
            steps,
            end,
            max_depth,
            written,
            output,
            mapped,
            absent,
            refused,
            threads,
            processes,
            programs,
            signals: SignalCounts::default(),
        }
    }
}
