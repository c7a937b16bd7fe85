//! Threads. The first engine decides which one executes; the second one's process has one, whose
//! registers are exchanged. What a thread was at when another one took over is executed before that,
//! so that its stores are seen.

use types::{Step, ThreadId};

use super::beside::{Beside, Stop};
use super::signals::SignalFrame;
use super::state::State;
use crate::arch::{Asks, Names};
use crate::session::Parked;

/// What is known of a thread beside its registers and frames.
#[derive(Default)]
pub(super) struct Thread {
    /// The first engine's state at its last step.
    pub(super) last: Option<State>,
    /// The instruction of that step has executed.
    pub(super) is_done: bool,
    /// Frames of signals whose handlers execute.
    pub(super) frames: Vec<SignalFrame>,
    /// Where its number is cleared when it has ended; 0: nowhere.
    pub(super) clear_at: u64,
    /// The list of mutexes that it holds (`set_robust_list`).
    pub(super) mutexes: u64,
}

/// A thread that does not execute.
pub(super) struct Other {
    parked: Parked,
    thread: Thread,
}

impl Beside<'_> {
    /// The first engine is at a step of another thread than before.
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

    /// Executes what the thread is at, where that has no result of the first engine; true where it
    /// ends the thread.
    fn leave(&mut self) -> Result<bool, Stop> {
        let calls = &Names::of_abi(self.session.abi()).calls;
        let Some(last) = self.thread.last else { return Ok(false) };
        if self.session.makes_call(calls.exit) {
            self.end_thread()?;
            return Ok(true);
        }
        let alone = match self.session.asks() {
            Asks::Nothing => true,
            Asks::Kernel(number) => calls.executed.contains(&number) && !calls.signal_returns.contains(&number),
            Asks::Processor(_) | Asks::Unknown | Asks::Parts(..) | Asks::Wrong(_) => false,
        };
        if alone {
            self.thread.is_done = true;
            if let Some(end) = self.session.advance()? {
                return Err(self.differs(&last, last.pc, Err(end)));
            }
        }
        Ok(false)
    }

    /// The thread ends: its number is cleared.
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

    /// The first engine has made a thread; false where the call made none.
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

    /// Notes what the kernel has to know when a thread ends.
    pub(super) fn note_end(&mut self, number: u64) {
        let calls = &Names::of_abi(self.session.abi()).calls;
        if number == calls.set_tid_address {
            self.thread.clear_at = self.session.argument(0);
        } else if number == calls.set_robust_list {
            self.thread.mutexes = self.session.argument(0);
        }
    }
}
