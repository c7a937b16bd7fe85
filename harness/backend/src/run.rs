//! How an execution went.

use linux::{Absent, Kernel, Mapped};
use types::{RunEnd, SignalCounts};

/// How an execution went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Steps shown to the observer.
    pub steps: u64,
    /// How it ended.
    pub end: RunEnd,
    /// The most frames that were live at once.
    pub max_depth: usize,
    /// Bytes that the program wrote to its standard output and error. They go nowhere.
    pub written: u64,
    /// The first mebibyte of them, in the order written.
    pub output: Vec<u8>,
    /// The files of its root that it mapped to execute them, in that order.
    pub mapped: Vec<Mapped>,
    /// The files that it asked for and did not find.
    pub absent: Absent,
    /// Threads that executed, the first one included.
    pub threads: u32,
    /// Processes likewise.
    pub processes: u32,
    /// What became of signals.
    pub signals: SignalCounts,
}

impl Run {
    /// A run whose output and files the kernel has, and in which no signal was asked for.
    pub fn new(steps: u64, end: RunEnd, max_depth: usize, kernel: &mut Kernel) -> Run {
        let written = kernel.written();
        let (output, mapped, threads) = (kernel.take_output(), kernel.take_mapped(), kernel.threads_made());
        let processes = kernel.processes_made();
        let absent = kernel.take_absent();
        Run {
            steps,
            end,
            max_depth,
            written,
            output,
            mapped,
            absent,
            threads,
            processes,
            signals: SignalCounts::default(),
        }
    }
}
