//! Threads in the second engine. The first engine decides which thread executes; the second
//! engine's process has one thread, and its registers are exchanged. The current instruction of a
//! thread is executed before a switch to another thread, so that the other thread sees its stores.

use types::{Step, ThreadId};

use super::beside::{SideBySide, Stop};
use super::signals::SignalFrame;
use super::state::State;
use crate::arch::Asks;
use crate::calls::Calls;
use crate::session::Parked;

/// The state of a thread, except its registers and frames.
#[derive(Default)]
pub(super) struct Thread {
    /// The first engine's state at its last step.
    pub(super) last: Option<State>,
    /// The instruction of that step was executed.
    pub(super) is_done: bool,
    /// Signal frames of executing handlers.
    pub(super) frames: Vec<SignalFrame>,
    /// Address at which the thread's number is cleared at its end; 0 for none.
    pub(super) clear_at: u64,
    /// Address of the list of mutexes that the thread holds (`set_robust_list`).
    pub(super) mutexes: u64,
}

/// A thread that is not executing.
pub(super) struct Other {
    parked: Parked,
    thread: Thread,
}

impl SideBySide<'_> {
    /// Switches to the thread of the first engine's current step.
    pub(super) fn change_thread(&mut self, to: ThreadId) -> Result<(), Stop> {
        let is_over = self.leave()?;
        let Some(Other { mut parked, mut thread }) = self.others.remove(&to) else {
            return Err(Stop::Until(format!("thread {} began without a call that both made", to.0)));
        };
        let from = self.session.thread();
        self.session.exchange(&mut parked)?;
        std::mem::swap(&mut self.thread, &mut thread);
        if !is_over {
            self.others.insert(from, Other { parked, thread });
        }
        Ok(())
    }

    /// Executes the thread's current instruction before a switch, if that needs no result of the
    /// first engine. Returns true if the instruction ends the thread.
    fn leave(&mut self) -> Result<bool, Stop> {
        let calls = Calls::of_abi(self.session.abi());
        let Some(last) = self.thread.last else { return Ok(false) };
        if self.session.makes_call(calls.exit) {
            self.end_thread()?;
            return Ok(true);
        }
        let alone = match self.session.asks() {
            Asks::Nothing => true,
            Asks::Kernel(number) => calls.executed.contains(&number) && !calls.signal_returns.contains(&number),
            Asks::Processor(_) | Asks::Unknown(_) | Asks::Parts(..) | Asks::Wrong(_) | Asks::Zeros(_) => false,
        };
        if alone {
            self.thread.is_done = true;
            if let Some(end) = self.session.advance()? {
                return Err(self.differs(&last, last.pc, Err(end)));
            }
        }
        Ok(false)
    }

    /// Ends the executing thread: clears its number.
    fn end_thread(&mut self) -> Result<(), Stop> {
        let Thread { clear_at, mutexes, .. } = self.thread;
        let first = self.session.stub().read(mutexes, 8)?;
        let order = self.session.abi().facts().order;
        if first.first_chunk().is_some_and(|first| order.u64(*first) & !1 != mutexes) {
            self.unlike("the end of a thread that holds mutexes");
        }
        if clear_at != 0 {
            self.session.write_number(clear_at, 0)?;
        }
        Ok(())
    }

    /// Creates the thread that the first engine has created; returns false if the call created
    /// none.
    pub(super) fn make_thread(&mut self, step: &Step<'_>, result: u64) -> Result<bool, Stop> {
        let Some(made) = self.session.makes_thread()? else { return Ok(false) };
        let Some(number) = u32::try_from(result).ok().filter(|number| *number != 0) else { return Ok(false) };
        for at in made.number_at() {
            self.session.write_number(at, number)?;
        }
        self.skip_call(step)?;
        let parked = self.session.new_thread(ThreadId(number), &made)?;
        let thread = Thread { clear_at: made.clear_at(), ..Thread::default() };
        self.others.insert(ThreadId(number), Other { parked, thread });
        self.made_threads = true;
        Ok(true)
    }

    /// Records addresses that the kernel uses when a thread ends.
    pub(super) fn note_end(&mut self, number: u64) {
        let calls = Calls::of_abi(self.session.abi());
        if number == calls.set_tid_address {
            self.thread.clear_at = self.session.argument(0);
        } else if number == calls.set_robust_list {
            self.thread.mutexes = self.session.argument(0);
        }
    }
}
