//! Files: 0, 1 and 2 are open and are terminals to no one. Reading gives the end of the file, writing is counted, and no
//! name leads anywhere.

use super::{Call, Errno, Kernel};
use crate::arch::target;
use crate::memory::Memory;
use crate::stack::bytes_of;

/// `IOV_MAX` of Linux.
const IOV_MAX: u64 = 1024;
/// `AT_EMPTY_PATH` (Linux `include/uapi/linux/fcntl.h`).
const EMPTY_PATH: u64 = 0x1000;
/// `F_GETFL` (Linux `include/uapi/asm-generic/fcntl.h`), and `O_RDWR`, its answer.
const GET_FLAGS: u64 = 3;
const READ_WRITE: u64 = 2;
/// `S_IFCHR` and the mode of a terminal (POSIX `sys/stat.h`).
const TERMINAL: u32 = 0o020_620;
const BLOCK: u32 = 1024;

/// `struct stat` of a target: offset and width of the fields that are not zero, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatLayout {
    pub size: usize,
    pub mode: (usize, usize),
    pub links: (usize, usize),
    pub block: (usize, usize),
}

impl Kernel {
    pub(super) fn file(&mut self, call: Call, arguments: [u64; 6], memory: &Memory) -> Result<u64, Errno> {
        let [file, second, third, ..] = arguments;
        if file > 2 {
            return Err(Errno::BadFile);
        }
        match call {
            Call::Write => self.write(file, third),
            Call::Writev => self.writev(file, second, third, memory),
            Call::Fcntl if second == GET_FLAGS => Ok(READ_WRITE),
            Call::Lseek => Err(Errno::Seek),
            Call::Ioctl => Err(Errno::NotTty),
            // `read` at the end of the file, `close`, and `fcntl` of everything else.
            _ => Ok(0),
        }
    }

    fn write(&mut self, file: u64, bytes: u64) -> Result<u64, Errno> {
        if file == 0 {
            return Err(Errno::BadFile);
        }
        self.written = self.written.saturating_add(bytes);
        Ok(bytes)
    }

    fn writev(&mut self, file: u64, vector: u64, count: u64, memory: &Memory) -> Result<u64, Errno> {
        if count > IOV_MAX {
            return Err(Errno::Invalid);
        }
        let vector = memory.read(vector, count as usize * 16).ok_or(Errno::Fault)?;
        let lengths = vector.chunks_exact(16).filter_map(|entry| entry.last_chunk::<8>());
        let bytes = lengths.fold(0u64, |sum, length| sum.saturating_add(self.order.u64(*length)));
        self.write(file, bytes)
    }

    pub(super) fn newfstatat(&mut self, arguments: [u64; 6], memory: &mut Memory) -> Result<u64, Errno> {
        let [file, path, buffer, flags, ..] = arguments;
        match memory.read(path, 1) {
            None => Err(Errno::Fault),
            Some([0]) if flags & EMPTY_PATH != 0 => self.fstat(file, buffer, memory),
            Some(_) => Err(Errno::NoEntry),
        }
    }

    /// `struct stat` of a terminal.
    pub(super) fn fstat(&mut self, file: u64, buffer: u64, memory: &mut Memory) -> Result<u64, Errno> {
        if file > 2 {
            return Err(Errno::BadFile);
        }
        let StatLayout { size, mode, links, block } = target(self.abi).syscalls.stat;
        let mut stat = vec![0u8; size];
        let mut put = |(offset, bytes): (usize, usize), value: u64| {
            let word = bytes_of(self.order, value);
            let part = match self.order {
                model::ByteOrder::Little => &word[..bytes],
                model::ByteOrder::Big => &word[8 - bytes..],
            };
            stat[offset..offset + bytes].copy_from_slice(part);
        };
        put(mode, TERMINAL.into());
        put(links, 1);
        put(block, BLOCK.into());
        self.give(memory, buffer, &stat)
    }
}
