//! Tests of timers, and of calls that wait with a temporary signal mask. Numbers from POSIX and
//! Linux.

use super::*;

const SECOND: u64 = 1_000_000_000;
const HANDLER: u64 = 0x40_0000;
const USER_1: u64 = 10;
/// `SIGRTMIN` of the kernel's interface.
const REAL_TIME: u64 = 34;
const INTERRUPTED: i64 = -4;
const AGAIN: i64 = -11;
const NO_MEMORY: i64 = -12;
const FAULT: i64 = -14;
const INVALID: i64 = -22;

impl Guest {
    fn handle(&mut self, signal: u64) {
        self.put(PAGE_AT, &[HANDLER, 0, 0, 0]);
        assert_eq!(self.call(Call::Sigaction, &[signal, PAGE_AT, 0, 8]), 0);
    }

    fn block(&mut self, signal: u64) {
        self.put(PAGE_AT, &[1 << (signal - 1)]);
        assert_eq!(self.call(Call::Sigprocmask, &[0, PAGE_AT, 0, 8]), 0);
    }

    /// Two adjacent 32-bit fields as one word.
    fn pair(&self, first: u32, second: u32) -> u64 {
        let (first, second) = (u64::from(first), u64::from(second));
        match self.abi.facts().order {
            ByteOrder::Little => second << 32 | first,
            ByteOrder::Big => first << 32 | second,
        }
    }

    /// Creates a timer with this signal and value; returns its ID.
    fn timer(&mut self, signal: u64, word: u64) -> u64 {
        let what = self.pair(signal as u32, 0);
        self.put(PAGE_AT, &[word, what]);
        assert_eq!(self.call(Call::TimerCreate, &[1, PAGE_AT, PAGE_AT + 64]), 0);
        let id = self.word(PAGE_AT + 64);
        if self.abi.facts().order == ByteOrder::Big { id >> 32 } else { id & 0xffff_ffff }
    }

    /// Sets a timer's interval and first expiration, in nanoseconds.
    fn set(&mut self, timer: u64, interval: u64, first: u64) {
        self.put(PAGE_AT, &[interval / SECOND, interval % SECOND, first / SECOND, first % SECOND]);
        assert_eq!(self.call(Call::TimerSettime, &[timer, 0, PAGE_AT, 0]), 0);
    }
}

#[test]
fn a_timer_sends_its_signal_with_its_word_and_ends_a_sleep() {
    each(|mut guest| {
        guest.handle(REAL_TIME);
        let first = guest.timer(REAL_TIME, 0x1234_5678_9abc_def0);
        assert_eq!((first, guest.timer(USER_1, 0)), (0, 1), "numbers from 0 on");
        guest.set(first, SECOND, 3 * SECOND);
        guest.put(PAGE_AT, &[10, 0]);
        assert_eq!(guest.call(Call::Nanosleep, &[PAGE_AT, PAGE_AT + 16]), INTERRUPTED);
        assert_eq!((guest.word(PAGE_AT + 16), guest.word(PAGE_AT + 24)), (7, 0), "what was left of 10 seconds");
        let due = guest.kernel.process.signals.due().expect("a handler");
        let info = due.info(crate::record::Record::new(guest.abi.facts().order));
        let word = |at: usize| guest.abi.facts().order.u64(info[at..at + 8].try_into().expect("eight"));
        // si_signo and si_errno, si_code, si_timerid and si_overrun, si_value.
        assert_eq!((word(0), word(8)), (guest.pair(34, 0), guest.pair(-2i32 as u32, 0)));
        assert_eq!((word(16), word(24)), (0, 0x1234_5678_9abc_def0));
        // The next expiration is in a second.
        assert_eq!(guest.call(Call::TimerGettime, &[first, PAGE_AT]), 0);
        let left = [0, 8, 16, 24].map(|at| guest.word(PAGE_AT + at));
        assert_eq!(left, [1, 0, 1, 0]);
        assert_eq!(guest.call(Call::TimerDelete, &[first]), 0);
        assert_eq!(guest.call(Call::TimerDelete, &[first]), INVALID);
    });
}

#[test]
fn a_timer_whose_signal_waits_counts_how_often_it_went_off() {
    each(|mut guest| {
        guest.handle(USER_1);
        guest.block(USER_1);
        let timer = guest.timer(USER_1, 7);
        guest.set(timer, SECOND, SECOND);
        // A blocked signal ends no sleep. The timer expired at 1, 2 and 3 seconds.
        guest.put(PAGE_AT, &[3, SECOND / 2]);
        assert_eq!(guest.call(Call::Nanosleep, &[PAGE_AT, 0]), 0);
        assert_eq!(guest.call(Call::TimerGetoverrun, &[timer]), 2);
        guest.put(PAGE_AT, &[1 << (USER_1 - 1), 0, 0]);
        assert_eq!(guest.call(Call::Sigtimedwait, &[PAGE_AT, PAGE_AT + 64, PAGE_AT + 8, 8]), USER_1 as i64);
        assert_eq!((guest.word(PAGE_AT + 80), guest.word(PAGE_AT + 88)), (guest.pair(0, 2), 7));
        // No signal is pending now: with no time given the call fails; with time the next one
        // arrives.
        assert_eq!(guest.call(Call::Sigtimedwait, &[PAGE_AT, 0, PAGE_AT + 8, 8]), AGAIN);
        assert_eq!(guest.call(Call::Sigtimedwait, &[PAGE_AT, 0, 0, 8]), USER_1 as i64);
        assert_eq!(guest.call(Call::TimerGetoverrun, &[timer]), 0);
        assert!(!guest.kernel.process.signals.has_due());
    });
}

#[test]
fn timers_refuse_what_they_cannot_do() {
    each(|mut guest| {
        let event = |guest: &mut Guest, signal, what| {
            let word = guest.pair(signal, what);
            guest.put(PAGE_AT, &[0, word]);
            guest.call(Call::TimerCreate, &[0, PAGE_AT, PAGE_AT + 64])
        };
        assert_eq!([event(&mut guest, 0, 0), event(&mut guest, 65, 0), event(&mut guest, 10, 3)], [INVALID; 3]);
        assert_eq!(event(&mut guest, 0, 1), 0, "SIGEV_NONE needs no signal");
        assert_eq!(guest.call(Call::TimerCreate, &[10, 0, PAGE_AT]), INVALID, "no such clock");
        assert_eq!(guest.call(Call::TimerCreate, &[4, 0, PAGE_AT]), -95, "CLOCK_MONOTONIC_RAW has no timers");
        assert_eq!(guest.call(Call::TimerCreate, &[0, 0x5000, PAGE_AT]), FAULT);
        assert_eq!(guest.call(Call::TimerCreate, &[0, 0, 0x5000]), FAULT);
        guest.put(PAGE_AT, &[0, 0, 0, SECOND]);
        assert_eq!(guest.call(Call::TimerSettime, &[0, 0, PAGE_AT, 0]), INVALID, "a second of nanoseconds");
        guest.put(PAGE_AT, &[0, 0, 1, 0]);
        assert_eq!(guest.call(Call::TimerSettime, &[9, 0, PAGE_AT, 0]), INVALID, "no such timer");
        assert_eq!(guest.call(Call::TimerSettime, &[0, 0, 0, 0]), INVALID);
        // A timer without signal ends no wait.
        assert_eq!(guest.call(Call::TimerSettime, &[0, 0, PAGE_AT, 0]), 0);
        let pause = guest.kernel.serve(Call::Pause, [0; 6], &mut guest.registers, &mut guest.memory);
        assert!(matches!(pause, Err(Refusal::Ends(StopReason::WaitsForever, _))), "{pause:?}");
        let made = (0..2000).take_while(|_| guest.call(Call::TimerCreate, &[0, 0, PAGE_AT]) == 0).count();
        assert_eq!((made, guest.call(Call::TimerCreate, &[0, 0, PAGE_AT])), (1023, AGAIN));
    });
}

/// An absolute time in the past expires at once.
#[test]
fn a_timer_may_be_set_to_a_time_of_day() {
    each(|mut guest| {
        guest.handle(USER_1);
        let timer = guest.timer(USER_1, 0);
        guest.put(PAGE_AT, &[0, 0, 1_767_225_600 - 5, 0]);
        assert_eq!(guest.call(Call::TimerSettime, &[timer, 1, PAGE_AT, PAGE_AT + 64]), 0);
        assert_eq!(guest.word(PAGE_AT + 80), 0, "it was not set");
        assert_eq!(guest.kernel.process.signals.due().map(|due| due.signal), Some(USER_1));
    });
}

/// The mask applies while the call waits: a signal that it does not block ends the call, and its
/// handler's frame has the old mask.
#[test]
fn a_mask_of_a_wait_lets_signals_through() {
    each(|mut guest| {
        let poll = |guest: &mut Guest, mask| guest.call(Call::Ppoll, &[0, 0, 0, mask, 8]);
        let select = |guest: &mut Guest, mask| {
            guest.put(PAGE_AT + 0x100, &[mask, 8]);
            guest.call(Call::Pselect, &[0, 0, 0, 0, 0, PAGE_AT + 0x100])
        };
        let watch = |guest: &mut Guest, mask| {
            let epoll = guest.call(Call::EpollCreate, &[0]) as u64;
            guest.call(Call::EpollPwait, &[epoll, PAGE_AT + 0x200, 1, u64::MAX, mask, 8])
        };
        guest.handle(USER_1);
        guest.block(USER_1);
        type Wait<'a> = &'a dyn Fn(&mut Guest, u64) -> i64;
        for wait in [&poll as Wait, &select, &watch] {
            assert_eq!(guest.call(Call::Kill, &[1, USER_1]), 0);
            guest.put(PAGE_AT + 0x80, &[0]);
            assert_eq!(wait(&mut guest, PAGE_AT + 0x80), INTERRUPTED);
            assert_eq!(
                (guest.kernel.process.signals.has_due(), guest.kernel.process.signals.own.mask_before()),
                (true, 0x200)
            );
            let due = guest.kernel.process.signals.due().expect("a handler");
            guest.kernel.process.signals.begin_handler(&due);
            guest.kernel.process.signals.own.end_handler(0x200, None);
        }
        assert_eq!(guest.call(Call::Ppoll, &[0, 0, 0, PAGE_AT, 4]), INVALID, "the size of a set");
        assert_eq!(poll(&mut guest, 0x5000), FAULT);
        // If a descriptor is ready, the signal stays pending, and the old mask is restored.
        assert_eq!(guest.call(Call::Kill, &[1, USER_1]), 0);
        let event = guest.pair(1, 0);
        let write = if guest.abi.facts().order == ByteOrder::Little { 4 << 32 } else { 4 << 16 };
        guest.put(PAGE_AT, &[event | write]);
        assert_eq!(guest.call(Call::Ppoll, &[PAGE_AT, 1, 0, PAGE_AT + 0x80, 8]), 1);
        assert_eq!(
            (guest.kernel.process.signals.own.mask_before(), guest.kernel.process.signals.handled()),
            (0x200, (0, 0x200))
        );
    });
}

#[test]
fn a_wait_for_descriptors_tells_how_much_time_was_left() {
    each(|mut guest| {
        guest.handle(14);
        guest.call(Call::Alarm, &[2]);
        guest.put(PAGE_AT, &[5, 0]);
        assert_eq!(guest.call(Call::Ppoll, &[0, 0, PAGE_AT, 0, 8]), INTERRUPTED);
        assert_eq!((guest.word(PAGE_AT), guest.word(PAGE_AT + 8)), (3, 0));
        assert_eq!(guest.kernel.process.signals.due().map(|due| due.signal), Some(14));
        assert_eq!(guest.call(Call::Select, &[0, 0, 0, 0, PAGE_AT]), 0);
        assert_eq!((guest.word(PAGE_AT), guest.word(PAGE_AT + 8)), (0, 0));
    });
}

#[test]
fn mincore_tells_pages_apart() {
    each(|mut guest| {
        let base = guest.call(Call::Mmap, &[0, 8192, 3, ANONYMOUS_PRIVATE, u64::MAX, 0]) as u64;
        guest.put(PAGE_AT, &[u64::MAX]);
        assert_eq!(guest.call(Call::Mincore, &[base, 4097, PAGE_AT]), 0);
        assert_eq!(guest.memory.read(PAGE_AT, 3), Some(&[1, 1, 0xff][..]));
        let reserved = guest.call(Call::Mmap, &[0, 4096, 0, ANONYMOUS_PRIVATE, u64::MAX, 0]) as u64;
        assert_eq!(guest.call(Call::Mincore, &[reserved, 1, PAGE_AT]), 0);
        assert_eq!(guest.memory.read(PAGE_AT, 1), Some(&[0][..]), "mapped, and not in memory");
        assert_eq!(guest.call(Call::Mincore, &[base + 1, 1, PAGE_AT]), INVALID);
        assert_eq!(guest.call(Call::Mincore, &[base + 4096, 8192, PAGE_AT]), NO_MEMORY);
        assert_eq!(guest.call(Call::Mincore, &[base, 1, 0x5000]), FAULT);
        assert_eq!(guest.call(Call::Mincore, &[base, 0, 0x5000]), 0);
        assert_eq!(guest.call(Call::Mincore, &[u64::MAX << 12, 8192, PAGE_AT]), NO_MEMORY);
    });
}
