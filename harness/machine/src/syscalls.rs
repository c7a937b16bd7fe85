//! A kernel for hosted static programs: the system calls that a C library makes before, around and after `main`, as Linux
//! answers them to a process with three open files and no file system. Deterministic; nothing reaches the host.

pub(crate) mod aarch64;
pub(crate) mod amd64;
mod files;
mod heap;
mod process;
pub(crate) mod s390x;
mod signals;
#[cfg(test)]
mod tests;

use model::{Abi, ByteOrder};

use crate::engine::Engine;
use crate::memory::Memory;
use crate::stack::bytes_of;
use heap::Heap;
use signals::Signals;

pub(crate) use files::StatLayout;

/// A system call that is served, by what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// `exit` and `exit_group`.
    Exit,
    Read,
    Write,
    Writev,
    Close,
    Lseek,
    Fcntl,
    Ioctl,
    Fstat,
    Newfstatat,
    /// Calls that look for a file by name: there are none.
    NoSuchFile,
    Brk,
    Mmap,
    /// The six arguments of `mmap` in memory, as s390x passes them.
    MmapStruct,
    Munmap,
    Getcwd,
    Uname,
    Sysinfo,
    Getrandom,
    Prlimit,
    Getrlimit,
    ArchPrctl,
    ClockGettime,
    Gettimeofday,
    Time,
    Sigaction,
    /// `kill` and `tkill`: whom, then the signal.
    Kill,
    /// `tgkill`: process, thread, signal.
    Tgkill,
    Sigprocmask,
    /// Calls whose answer is one number.
    Returns(i32),
}

/// What a system call comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Result(u64),
    /// The program ends with this status.
    Exit(i32),
    /// It is not served.
    Unserved,
}

/// Error numbers (Linux `include/uapi/asm-generic/errno-base.h`, `errno.h`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Errno {
    NoEntry = 2,
    BadFile = 9,
    NoMemory = 12,
    Fault = 14,
    Invalid = 22,
    NotTty = 25,
    Seek = 29,
    NoSystemCall = 38,
}

/// A process as the kernel keeps it.
#[derive(Debug)]
pub(crate) struct Kernel {
    abi: Abi,
    order: ByteOrder,
    heap: Heap,
    written: u64,
    /// State of the generator behind `getrandom`.
    random: u64,
    /// Nanoseconds since the start; every look at a clock moves it.
    clock: u64,
    signals: Signals,
}

impl Kernel {
    /// For a program whose image ends at `image_end`.
    pub(crate) fn new(abi: Abi, image_end: u64) -> Self {
        let order = abi.facts().order;
        Kernel {
            abi,
            order,
            heap: Heap::new(image_end),
            written: 0,
            random: 0x9e37_79b9_7f4a_7c15,
            clock: 0,
            signals: Signals::default(),
        }
    }

    /// Bytes written to standard output and error.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    pub(crate) fn serve(&mut self, call: Call, arguments: [u64; 6], engine: &Engine, memory: &mut Memory) -> Outcome {
        let answer = match call {
            // A parent sees the low eight bits (POSIX `exit`).
            Call::Exit => return Outcome::Exit((arguments[0] & 0xff) as i32),
            Call::Kill => return self.signals.send(arguments[1]),
            Call::Tgkill => return self.signals.send(arguments[2]),
            Call::Returns(value) => Ok(i64::from(value) as u64),
            Call::NoSuchFile => Err(Errno::NoEntry),
            Call::Brk => Ok(self.heap.brk(arguments[0], engine, memory)),
            Call::Mmap => self.heap.mmap(arguments, engine, memory),
            Call::MmapStruct => match self.words(arguments[0], memory) {
                Some(arguments) => self.heap.mmap(arguments, engine, memory),
                None => Err(Errno::Fault),
            },
            Call::Munmap => self.heap.munmap(arguments[0], arguments[1], engine, memory),
            Call::Read | Call::Write | Call::Writev | Call::Close | Call::Lseek | Call::Fcntl | Call::Ioctl => {
                self.file(call, arguments, memory)
            }
            Call::Fstat => self.fstat(arguments[0], arguments[1], memory),
            Call::Newfstatat => self.newfstatat(arguments, memory),
            Call::ArchPrctl => self.arch_prctl(arguments[0], arguments[1], engine, memory),
            Call::Getcwd
            | Call::Uname
            | Call::Sysinfo
            | Call::Getrandom
            | Call::Prlimit
            | Call::Getrlimit
            | Call::ClockGettime
            | Call::Gettimeofday
            | Call::Time
            | Call::Sigaction
            | Call::Sigprocmask => self.process(call, arguments, memory),
        };
        Outcome::Result(answer.unwrap_or_else(|errno| i64::from(-(errno as i32)) as u64))
    }

    /// Six words at an address.
    fn words(&self, address: u64, memory: &Memory) -> Option<[u64; 6]> {
        let bytes = memory.read(address, 48)?;
        let mut words = [0; 6];
        for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = self.order.u64(bytes.try_into().ok()?);
        }
        Some(words)
    }

    /// Stores bytes where the program wants them.
    fn give(&self, memory: &mut Memory, address: u64, bytes: &[u8]) -> Result<u64, Errno> {
        if memory.write(address, bytes) { Ok(0) } else { Err(Errno::Fault) }
    }

    /// Stores 64-bit words in the guest's byte order.
    fn give_words(&self, memory: &mut Memory, address: u64, words: &[u64]) -> Result<u64, Errno> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| bytes_of(self.order, *word)).collect();
        self.give(memory, address, &bytes)
    }
}
