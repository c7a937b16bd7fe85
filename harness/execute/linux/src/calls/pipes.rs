//! `pipe` and `eventfd`.

use crate::caller::Caller;
use crate::descriptors::{What, flag};
use crate::errno::{Errno, Refusal};
use crate::files::Files;
use crate::threads::WaitFor;

/// `EFD_SEMAPHORE` (Linux `include/linux/eventfd.h`); other flags are those of files.
const SEMAPHORE: u64 = 1;
/// The highest value of a counter.
const COUNT_MAX: u64 = u64::MAX - 1;

impl Files {
    /// Takes the value of one read from a counter.
    pub(crate) fn take_event(&mut self, descriptor: u64) -> Result<u64, Refusal> {
        let open = self.descriptors.get_mut(descriptor)?;
        let never_waits = open.never_waits();
        let What::Event { count, single } = &mut open.what else { return Err(Errno::Invalid.into()) };
        match (*count, *single) {
            (0, _) if never_waits => Err(Errno::Again.into()),
            (0, _) => Err(wait_for_event(self, "it reads an eventfd that no other thread writes")),
            (_, true) => {
                *count -= 1;
                self.activity += 1;
                Ok(1)
            }
            (value, false) => {
                *count = 0;
                self.activity += 1;
                Ok(value)
            }
        }
    }

    /// Adds to a counter.
    pub(crate) fn raise_event(&mut self, descriptor: u64, by: u64) -> Result<(), Refusal> {
        let open = self.descriptors.get_mut(descriptor)?;
        let never_waits = open.never_waits();
        let What::Event { count, .. } = &mut open.what else { return Err(Errno::Invalid.into()) };
        match count.checked_add(by).filter(|sum| *sum <= COUNT_MAX) {
            Some(sum) => {
                *count = sum;
                self.activity += 1;
            }
            None if by == u64::MAX => return Err(Errno::Invalid.into()),
            None if never_waits => return Err(Errno::Again.into()),
            None => return Err(wait_for_event(self, "it writes a full eventfd that no other thread reads")),
        }
        Ok(())
    }
}

fn wait_for_event(files: &Files, alone: &'static str) -> Refusal {
    Refusal::Blocks { on: WaitFor::Files { activity: files.activity }, alone }
}

pub(crate) fn pipe(files: &mut Files, ends: u64, flags: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    let id = files.pipes.make();
    let kept = flags & (flag::NONBLOCK | flag::CLOSE_ON_EXEC);
    let reader = files.descriptors.open(What::ReadEnd(id), kept)?;
    let writer = match files.descriptors.open(What::WriteEnd(id), kept | flag::WRITE_ONLY) {
        Ok(writer) => writer,
        Err(errno) => {
            files.close(reader)?;
            return Err(errno);
        }
    };
    let record = caller.record().u32(reader as u32).u32(writer as u32);
    caller.store(ends, record.bytes())
}

pub(crate) fn eventfd(files: &mut Files, count: u64, flags: u64) -> Result<u64, Errno> {
    let what = What::Event { count: count & 0xffff_ffff, single: flags & SEMAPHORE != 0 };
    files.descriptors.open(what, flags & (flag::NONBLOCK | flag::CLOSE_ON_EXEC) | flag::READ_WRITE)
}
