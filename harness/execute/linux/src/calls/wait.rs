//! Waiting for descriptors: `poll`, `select`, `epoll`. If there is one thread only, nothing
//! changes the descriptors meanwhile, so a wait ends at once, after its time, or never.

use std::collections::BTreeMap;

use crate::descriptors::{MOST, What, flag};
use crate::errno::{Errno, Refusal};
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::threads::WaitFor;
use crate::tree::Body;

/// Events (Linux `include/uapi/asm-generic/poll.h`; those of epoll have the same bits).
const IN: u32 = 1;
const OUT: u32 = 4;
const ERROR: u32 = 8;
const HANG_UP: u32 = 0x10;
const NOT_OPEN: u32 = 0x20;
const READ_NORMAL: u32 = 0x40;
const WRITE_NORMAL: u32 = 0x100;
/// `EPOLL_CTL_ADD` and what follows, `EPOLLONESHOT` (Linux `include/uapi/linux/eventpoll.h`).
const ADD: u64 = 1;
const DELETE: u64 = 2;
const MODIFY: u64 = 3;
const ONCE: u32 = 1 << 30;

/// The time limit of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WaitLimit {
    Forever,
    Nanoseconds(u64),
}

impl Kernel {
    /// The events that a descriptor is ready for.
    fn ready(&self, descriptor: u64) -> u32 {
        let Ok(open) = self.descriptors.get(descriptor) else { return NOT_OPEN };
        let both = IN | OUT | READ_NORMAL | WRITE_NORMAL;
        let bits = |ready: bool, bits: u32| if ready { bits } else { 0 };
        match &open.what {
            What::Node(node) => match self.tree.node(*node).map(|node| &node.body) {
                Ok(Body::Folder { .. }) | Err(_) => IN | READ_NORMAL,
                _ => both,
            },
            What::Output => OUT | WRITE_NORMAL,
            What::ReadEnd(_) => self
                .pipes
                .fill(&open.what)
                .map_or(0, |fill| bits(fill.bytes > 0, IN | READ_NORMAL) | bits(!fill.other, HANG_UP)),
            What::WriteEnd(_) => self
                .pipes
                .fill(&open.what)
                .map_or(0, |fill| bits(fill.room > 0, OUT | WRITE_NORMAL) | bits(!fill.other, ERROR)),
            What::Event { count, .. } => bits(*count > 0, IN | READ_NORMAL) | OUT | WRITE_NORMAL,
            What::Epoll(watched) => {
                let any = watched.iter().any(|(number, (wanted, _))| self.ready(*number) & wanted != 0);
                bits(any, IN | READ_NORMAL)
            }
        }
    }

    /// Lets the time pass if no descriptor is ready.
    fn wait(&mut self, patience: WaitLimit) -> Result<u64, Refusal> {
        if self.has_due() {
            return Err(Errno::Interrupted.into());
        }
        match patience {
            _ if self.has_others() => {
                let end = match patience {
                    WaitLimit::Nanoseconds(time) => Some(self.clock.now.saturating_add(time)),
                    WaitLimit::Forever => None,
                };
                self.wait_for(WaitFor::Files { activity: self.threads.activity }, end).map(|()| 0)
            }
            WaitLimit::Nanoseconds(time) => {
                self.sleep(time)?;
                Ok(0)
            }
            WaitLimit::Forever => {
                self.sleep_until_signal("it polls file descriptors that no other thread changes")?;
                Ok(0)
            }
        }
    }

    /// The time limit at an address, none at address 0. `unit` is that of its second word, in
    /// nanoseconds.
    fn patience(&self, address: u64, unit: u64, memory: &dyn Memory) -> Result<WaitLimit, Errno> {
        if address == 0 {
            return Ok(WaitLimit::Forever);
        }
        self.nanoseconds(address, unit, memory).map(WaitLimit::Nanoseconds)
    }

    pub(crate) fn poll(
        &mut self,
        files: u64,
        count: u64,
        milliseconds: u64,
        memory: &mut dyn Memory,
    ) -> Result<u64, Refusal> {
        let patience = match milliseconds as u32 as i32 {
            negative if negative < 0 => WaitLimit::Forever,
            time => WaitLimit::Nanoseconds(time as u64 * 1_000_000),
        };
        self.poll_until(files, count, patience, memory)
    }

    pub(crate) fn ppoll(&mut self, files: u64, count: u64, time: u64, memory: &mut dyn Memory) -> Result<u64, Refusal> {
        self.with_patience(time, 1, memory, |kernel, patience, memory| {
            kernel.poll_until(files, count, patience, memory)
        })
    }

    /// Executes a call with a time limit in memory, in which it stores the remaining time.
    fn with_patience(
        &mut self,
        time: u64,
        unit: u64,
        memory: &mut dyn Memory,
        call: impl FnOnce(&mut Kernel, WaitLimit, &mut dyn Memory) -> Result<u64, Refusal>,
    ) -> Result<u64, Refusal> {
        let patience = self.patience(time, unit, memory)?;
        let began = self.waited_from();
        let answer = call(self, patience, memory);
        if let WaitLimit::Nanoseconds(given) = patience
            && matches!(answer, Ok(_) | Err(Refusal::Errno(_)))
        {
            // A failed write is ignored (Linux `fs/select.c`, `poll_select_finish`).
            let left = given.saturating_sub(self.clock.now - began);
            let _ = self.give_words(memory, time, &Kernel::parts(left, unit));
        }
        answer
    }

    /// `poll`. `struct pollfd`: descriptor (4 bytes), requested and returned events (2 bytes each).
    fn poll_until(
        &mut self,
        files: u64,
        count: u64,
        patience: WaitLimit,
        memory: &mut dyn Memory,
    ) -> Result<u64, Refusal> {
        if count > MOST {
            return Err(Errno::Invalid.into());
        }
        let mut ready = 0;
        for at in (0..count).map(|index| files.wrapping_add(8 * index)) {
            let descriptor = self.half(at, memory)?;
            let wanted = self.half(at + 4, memory)?;
            // Two 16-bit fields, read as one word in the target's byte order; the first is the
            // requested one.
            let wanted = match self.order {
                types::ByteOrder::Little => wanted & 0xffff,
                types::ByteOrder::Big => wanted >> 16,
            };
            let there = match (descriptor as i32) < 0 {
                true => 0,
                false => self.ready(descriptor.into()) & (wanted | ERROR | HANG_UP | NOT_OPEN),
            };
            let record = self.record().u16(there as u16);
            self.give(memory, at + 6, record.bytes())?;
            ready += u64::from(there != 0);
        }
        if ready > 0 { Ok(ready) } else { self.wait(patience) }
    }

    pub(crate) fn select(
        &mut self,
        [count, reads, writes, others, time, _]: [u64; 6],
        unit: u64,
        memory: &mut dyn Memory,
    ) -> Result<u64, Refusal> {
        self.with_patience(time, unit, memory, |kernel, patience, memory| {
            kernel.select_until(count, [reads, writes, others], patience, memory)
        })
    }

    /// `pselect6`: its last argument points to the address and the size of a mask.
    pub(crate) fn pselect(&mut self, arguments: [u64; 6], memory: &mut dyn Memory) -> Result<u64, Refusal> {
        let [.., mask_at] = arguments;
        let (mask, size) = match mask_at {
            0 => (0, 0),
            at => (self.word(at, memory)?, self.word(at + 8, memory)?),
        };
        self.with_mask(mask, size, memory, |kernel, memory| kernel.select(arguments, 1, memory))
    }

    fn select_until(
        &mut self,
        count: u64,
        [reads, writes, others]: [u64; 3],
        patience: WaitLimit,
        memory: &mut dyn Memory,
    ) -> Result<u64, Refusal> {
        if count > MOST {
            return Err(Errno::Invalid.into());
        }
        let words = count.div_ceil(64) as usize;
        let (mut ready, mut sets) = (0, Vec::new());
        for (set, wanted) in [(reads, IN | HANG_UP), (writes, OUT | ERROR), (others, 0)] {
            if set == 0 {
                continue;
            }
            let mut bits = self.words(set, words, memory).ok_or(Errno::Fault)?;
            for number in 0..count {
                let Some(word) = bits.get_mut((number / 64) as usize) else { break };
                let bit = 1 << (number % 64);
                if *word & bit == 0 {
                    continue;
                }
                match self.ready(number) {
                    NOT_OPEN => return Err(Errno::BadFile.into()),
                    there if there & wanted != 0 => ready += 1,
                    _ => *word &= !bit,
                }
            }
            // Descriptors from `count` on are in no returned set.
            if let Some(last) = bits.last_mut().filter(|_| !count.is_multiple_of(64)) {
                *last &= (1 << (count % 64)) - 1;
            }
            sets.push((set, bits));
        }
        // A call that waits is repeated with the same sets.
        let answer = if ready > 0 { ready } else { self.wait(patience)? };
        for (set, bits) in sets {
            self.give_words(memory, set, &bits)?;
        }
        Ok(answer)
    }

    pub(crate) fn epoll_create(&mut self, flags: u64) -> Result<u64, Errno> {
        self.descriptors.open(What::Epoll(BTreeMap::new()), flags & flag::CLOSE_ON_EXEC | flag::READ_WRITE)
    }

    /// `epoll_ctl`. `struct epoll_event`: events (4 bytes), data (8 bytes), packed on AMD64 only.
    pub(crate) fn epoll_ctl(
        &mut self,
        [epoll, what, descriptor, event, ..]: [u64; 6],
        memory: &dyn Memory,
    ) -> Result<u64, Errno> {
        let skip = self.target.epoll_word;
        let entry = match what {
            DELETE => (0, 0),
            _ => (self.half(event, memory)?, self.word(event + skip, memory)?),
        };
        match self.descriptors.get(descriptor)?.what {
            What::Node(_) => return Err(Errno::NotPermitted),
            What::Epoll(_) => return Err(Errno::Invalid),
            _ => {}
        }
        let What::Epoll(watched) = &mut self.descriptors.get_mut(epoll)?.what else { return Err(Errno::Invalid) };
        let known = watched.contains_key(&descriptor);
        match what {
            ADD if known => return Err(Errno::Exists),
            ADD => drop(watched.insert(descriptor, entry)),
            DELETE | MODIFY if !known => return Err(Errno::NoEntry),
            DELETE => drop(watched.remove(&descriptor)),
            MODIFY => drop(watched.insert(descriptor, entry)),
            _ => return Err(Errno::Invalid),
        }
        Ok(0)
    }

    pub(crate) fn epoll_wait(
        &mut self,
        [epoll, events, most, milliseconds, ..]: [u64; 6],
        memory: &mut dyn Memory,
    ) -> Result<u64, Refusal> {
        let skip = self.target.epoll_word;
        let What::Epoll(watched) = &self.descriptors.get(epoll)?.what else { return Err(Errno::Invalid.into()) };
        let ready = watched.iter().filter_map(|(number, (wanted, word))| {
            let there = self.ready(*number) & (wanted | ERROR | HANG_UP) & !NOT_OPEN;
            (there != 0).then_some((*number, there, *word))
        });
        let ready: Vec<_> = ready.take(most as usize).collect();
        for (index, (number, there, word)) in ready.iter().enumerate() {
            let at = events.wrapping_add(index as u64 * (skip + 8));
            let record = self.record().u32(*there).up_to(skip as usize).u64(*word);
            self.give(memory, at, record.bytes())?;
            if let What::Epoll(watched) = &mut self.descriptors.get_mut(epoll)?.what
                && let Some((wanted, _)) = watched.get_mut(number)
                && *wanted & ONCE != 0
            {
                *wanted = 0;
            }
        }
        match (ready.len(), milliseconds as u32 as i32) {
            (0, negative) if negative < 0 => self.wait(WaitLimit::Forever),
            (0, 0) => Ok(0),
            (0, time) => self.wait(WaitLimit::Nanoseconds(time as u64 * 1_000_000)),
            (count, _) => Ok(count as u64),
        }
    }
}
