//! Descriptors, and the open files that they refer to: two descriptors made by `dup` share an
//! offset.

use std::collections::BTreeMap;

use crate::errno::Errno;
use crate::tree::NodeId;

/// Maximum number of descriptors, the value of `RLIMIT_NOFILE`.
pub(crate) const MOST: u64 = 1024;
/// Access modes and flags that are equal on all targets (Linux `include/uapi/asm-generic/fcntl.h`).
pub(crate) mod flag {
    pub(crate) const ACCESS: u64 = 3;
    pub(crate) const WRITE_ONLY: u64 = 1;
    pub(crate) const READ_WRITE: u64 = 2;
    pub(crate) const CREATE: u64 = 0o100;
    pub(crate) const EXCLUSIVE: u64 = 0o200;
    pub(crate) const TRUNCATE: u64 = 0o1000;
    pub(crate) const APPEND: u64 = 0o2000;
    pub(crate) const NONBLOCK: u64 = 0o4000;
    pub(crate) const CLOSE_ON_EXEC: u64 = 0o2_000_000;
    pub(crate) const TEMPORARY: u64 = 0o20_000_000;
}

/// The object of an open file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Node(NodeId),
    /// Standard output or error.
    Output,
    /// One end of a pipe.
    ReadEnd(u64),
    WriteEnd(u64),
    /// A counter (`eventfd`), and whether a read decrements it by one.
    Event {
        count: u64,
        single: bool,
    },
    /// Watched descriptors with the requested events and the program's data.
    Epoll(BTreeMap<u64, (u32, u64)>),
}

/// An open file.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    pub(crate) what: What,
    pub(crate) offset: u64,
    pub(crate) flags: u64,
    descriptors: u32,
}

/// What a descriptor stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    open: u64,
    close_on_exec: bool,
}

/// The descriptors of a process.
pub(crate) type Slots = BTreeMap<u64, Slot>;

/// All of a process, and the open files of all processes.
#[derive(Debug, Default)]
pub(crate) struct Descriptors {
    slots: Slots,
    open: BTreeMap<u64, Open>,
    next: u64,
}

impl Descriptors {
    /// Opens an object at the lowest free descriptor.
    pub(crate) fn open(&mut self, what: What, flags: u64) -> Result<u64, Errno> {
        let free = self.free_from(0)?;
        let id = self.next;
        self.next += 1;
        let kept = flags & !(flag::CLOSE_ON_EXEC | flag::CREATE | flag::EXCLUSIVE | flag::TRUNCATE);
        self.open.insert(id, Open { what, offset: 0, flags: kept, descriptors: 1 });
        self.slots.insert(free, Slot { open: id, close_on_exec: flags & flag::CLOSE_ON_EXEC != 0 });
        Ok(free)
    }

    fn free_from(&self, least: u64) -> Result<u64, Errno> {
        (least..MOST).find(|number| !self.slots.contains_key(number)).ok_or(Errno::TooManyFiles)
    }

    pub(crate) fn get(&self, number: u64) -> Result<&Open, Errno> {
        let slot = self.slots.get(&number).ok_or(Errno::BadFile)?;
        self.open.get(&slot.open).ok_or(Errno::BadFile)
    }

    pub(crate) fn get_mut(&mut self, number: u64) -> Result<&mut Open, Errno> {
        let slot = self.slots.get(&number).ok_or(Errno::BadFile)?;
        self.open.get_mut(&slot.open).ok_or(Errno::BadFile)
    }

    /// Adds another descriptor of the same open file: the lowest free one from `least`.
    pub(crate) fn copy(&mut self, number: u64, least: u64, close_on_exec: bool) -> Result<u64, Errno> {
        self.get(number)?;
        if least >= MOST {
            return Err(Errno::Invalid);
        }
        let free = self.free_from(least)?;
        self.copy_to(number, free, close_on_exec)?;
        Ok(free)
    }

    /// Adds the descriptor `to` of the same open file; returns the open file that it had if this
    /// was its last.
    pub(crate) fn copy_to(&mut self, number: u64, to: u64, close_on_exec: bool) -> Result<Option<Open>, Errno> {
        let slot = *self.slots.get(&number).ok_or(Errno::BadFile)?;
        if to >= MOST {
            return Err(Errno::BadFile);
        }
        let closed = if self.slots.contains_key(&to) { self.close(to)? } else { None };
        self.open.get_mut(&slot.open).ok_or(Errno::BadFile)?.descriptors += 1;
        self.slots.insert(to, Slot { open: slot.open, close_on_exec });
        Ok(closed)
    }

    /// Removes a descriptor; returns the open file if this was its last.
    pub(crate) fn close(&mut self, number: u64) -> Result<Option<Open>, Errno> {
        let slot = self.slots.remove(&number).ok_or(Errno::BadFile)?;
        let open = self.open.get_mut(&slot.open).ok_or(Errno::BadFile)?;
        open.descriptors -= 1;
        Ok(if open.descriptors == 0 { self.open.remove(&slot.open) } else { None })
    }

    /// Another process has the same: gives those of the one that made it.
    pub(crate) fn share(&mut self) -> Slots {
        for slot in self.slots.values() {
            if let Some(open) = self.open.get_mut(&slot.open) {
                open.descriptors += 1;
            }
        }
        self.slots.clone()
    }

    /// Another process executes, which has these: gives those of the one before.
    pub(crate) fn exchange(&mut self, slots: Slots) -> Slots {
        std::mem::replace(&mut self.slots, slots)
    }

    /// The descriptors between two numbers.
    pub(crate) fn between(&self, first: u64, last: u64) -> Vec<u64> {
        self.slots.keys().copied().filter(|number| (first..=last).contains(number)).collect()
    }

    pub(crate) fn closes_on_exec(&self, number: u64) -> Result<bool, Errno> {
        self.slots.get(&number).map(|slot| slot.close_on_exec).ok_or(Errno::BadFile)
    }

    pub(crate) fn set_close_on_exec(&mut self, number: u64, close: bool) -> Result<(), Errno> {
        self.slots.get_mut(&number).ok_or(Errno::BadFile)?.close_on_exec = close;
        Ok(())
    }
}

impl Open {
    pub(crate) fn reads(&self) -> bool {
        self.flags & flag::ACCESS != flag::WRITE_ONLY
    }

    pub(crate) fn writes(&self) -> bool {
        self.flags & flag::ACCESS != 0
    }

    /// Returns true if calls must fail rather than wait (`O_NONBLOCK`).
    pub(crate) fn never_waits(&self) -> bool {
        self.flags & flag::NONBLOCK != 0
    }
}
