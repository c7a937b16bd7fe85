//! Waiting for descriptors: `poll`, `select`, `epoll`.

use std::collections::BTreeMap;

use super::suspend::with_mask;
use crate::caller::Caller;
use crate::clock::parts;
use crate::descriptors::{MOST, What, flag};
use crate::errno::{Errno, Refusal};
use crate::files::Files;
use crate::sleeper::Sleeper;
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

/// The events that a descriptor is ready for.
fn ready(files: &Files, descriptor: u64) -> u32 {
    let Ok(open) = files.descriptors.get(descriptor) else { return NOT_OPEN };
    let both = IN | OUT | READ_NORMAL | WRITE_NORMAL;
    let bits = |ready: bool, bits: u32| if ready { bits } else { 0 };
    match &open.what {
        What::Node(node) => match files.tree.node(*node).map(|node| &node.body) {
            Ok(Body::Folder { .. }) | Err(_) => IN | READ_NORMAL,
            _ => both,
        },
        What::Output => OUT | WRITE_NORMAL,
        What::ReadEnd(_) => files
            .pipes
            .fill(&open.what)
            .map_or(0, |fill| bits(fill.bytes > 0, IN | READ_NORMAL) | bits(!fill.other, HANG_UP)),
        What::WriteEnd(_) => files
            .pipes
            .fill(&open.what)
            .map_or(0, |fill| bits(fill.room > 0, OUT | WRITE_NORMAL) | bits(!fill.other, ERROR)),
        What::Event { count, .. } => bits(*count > 0, IN | READ_NORMAL) | OUT | WRITE_NORMAL,
        What::Epoll(watched) => {
            let any = watched.iter().any(|(number, (wanted, _))| ready(files, *number) & wanted != 0);
            bits(any, IN | READ_NORMAL)
        }
    }
}

/// Waits for a change of descriptors, at most for some nanoseconds. If no other thread can change
/// them, lets the time pass.
fn wait(files: &Files, sleeper: &mut Sleeper<'_>, limit: Option<u64>) -> Result<u64, Refusal> {
    if sleeper.process.signals.has_due() {
        return Err(Errno::Interrupted.into());
    }
    if sleeper.has_others {
        let end = limit.map(|time| sleeper.clock.now.saturating_add(time));
        sleeper.wait_for(WaitFor::Files { activity: files.activity }, end)?;
    } else if let Some(time) = limit {
        sleeper.sleep(time)?;
    } else {
        sleeper.sleep_until_signal("it polls file descriptors that no other thread changes")?;
    }
    Ok(0)
}

/// The time limit of a number of milliseconds; negative ones are none.
fn limit_of(milliseconds: u64) -> Option<u64> {
    u64::try_from(milliseconds as u32 as i32).ok().map(|time| time * 1_000_000)
}

/// Executes a call with a time limit at an address, none at address 0, where it stores the
/// remaining time. `unit` is that of the second word, in nanoseconds.
fn with_limit(
    sleeper: &mut Sleeper<'_>,
    time: u64,
    unit: u64,
    caller: &mut Caller<'_>,
    call: impl FnOnce(&mut Sleeper<'_>, Option<u64>, &mut Caller<'_>) -> Result<u64, Refusal>,
) -> Result<u64, Refusal> {
    let limit = if time == 0 { None } else { Some(caller.nanoseconds(time, unit)?) };
    let began = sleeper.waited_from();
    let answer = call(sleeper, limit, caller);
    if let Some(given) = limit
        && matches!(answer, Ok(_) | Err(Refusal::Errno(_)))
    {
        // A failed write is ignored (Linux `fs/select.c`, `poll_select_finish`).
        let left = given.saturating_sub(sleeper.clock.now - began);
        let _ = caller.store_words(time, &parts(left, unit));
    }
    answer
}

pub(crate) fn poll(
    files: &Files,
    sleeper: &mut Sleeper<'_>,
    [at, count, milliseconds, ..]: [u64; 6],
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    poll_until(files, sleeper, [at, count], limit_of(milliseconds), caller)
}

pub(crate) fn ppoll(
    files: &Files,
    sleeper: &mut Sleeper<'_>,
    [at, count, time, mask, size, _]: [u64; 6],
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    with_mask(sleeper, mask, size, caller, |sleeper, caller| {
        with_limit(sleeper, time, 1, caller, |sleeper, limit, caller| {
            poll_until(files, sleeper, [at, count], limit, caller)
        })
    })
}

/// `poll`. `struct pollfd`: descriptor (4 bytes), requested and returned events (2 bytes each).
fn poll_until(
    files: &Files,
    sleeper: &mut Sleeper<'_>,
    [at, count]: [u64; 2],
    limit: Option<u64>,
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    if count > MOST {
        return Err(Errno::Invalid.into());
    }
    let mut sum = 0;
    for at in (0..count).map(|index| at.wrapping_add(8 * index)) {
        let descriptor = caller.half(at)?;
        let wanted = caller.half(at + 4)?;
        // Two 16-bit fields, read as one word in the target's byte order; the first is the
        // requested one.
        let wanted = match caller.facts.order {
            types::ByteOrder::Little => wanted & 0xffff,
            types::ByteOrder::Big => wanted >> 16,
        };
        let there = match (descriptor as i32) < 0 {
            true => 0,
            false => ready(files, descriptor.into()) & (wanted | ERROR | HANG_UP | NOT_OPEN),
        };
        let record = caller.record().u16(there as u16);
        caller.store(at + 6, record.bytes())?;
        sum += u64::from(there != 0);
    }
    if sum > 0 { Ok(sum) } else { wait(files, sleeper, limit) }
}

/// `select`; `unit` is that of the second word of its time limit, in nanoseconds.
pub(crate) fn select(
    files: &Files,
    sleeper: &mut Sleeper<'_>,
    [count, reads, writes, others, time, _]: [u64; 6],
    unit: u64,
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    with_limit(sleeper, time, unit, caller, |sleeper, limit, caller| {
        select_until(files, sleeper, count, [reads, writes, others], limit, caller)
    })
}

/// `pselect6`: its last argument points to the address and the size of a mask.
pub(crate) fn pselect(
    files: &Files,
    sleeper: &mut Sleeper<'_>,
    arguments: [u64; 6],
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    let [.., mask_at] = arguments;
    let (mask, size) = match mask_at {
        0 => (0, 0),
        at => (caller.word(at)?, caller.word(at + 8)?),
    };
    with_mask(sleeper, mask, size, caller, |sleeper, caller| select(files, sleeper, arguments, 1, caller))
}

fn select_until(
    files: &Files,
    sleeper: &mut Sleeper<'_>,
    count: u64,
    [reads, writes, others]: [u64; 3],
    limit: Option<u64>,
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    if count > MOST {
        return Err(Errno::Invalid.into());
    }
    let words = count.div_ceil(64) as usize;
    let (mut sum, mut sets) = (0, Vec::new());
    for (set, wanted) in [(reads, IN | HANG_UP), (writes, OUT | ERROR), (others, 0)] {
        if set == 0 {
            continue;
        }
        let mut bits = caller.words(set, words)?;
        for number in 0..count {
            let Some(word) = bits.get_mut((number / 64) as usize) else { break };
            let bit = 1 << (number % 64);
            if *word & bit == 0 {
                continue;
            }
            match ready(files, number) {
                NOT_OPEN => return Err(Errno::BadFile.into()),
                there if there & wanted != 0 => sum += 1,
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
    let answer = if sum > 0 { sum } else { wait(files, sleeper, limit)? };
    for (set, bits) in sets {
        caller.store_words(set, &bits)?;
    }
    Ok(answer)
}

pub(crate) fn epoll_create(files: &mut Files, flags: u64) -> Result<u64, Errno> {
    files.descriptors.open(What::Epoll(BTreeMap::new()), flags & flag::CLOSE_ON_EXEC | flag::READ_WRITE)
}

/// `epoll_ctl`. `struct epoll_event`: events (4 bytes), data (8 bytes), packed on AMD64 only.
pub(crate) fn epoll_ctl(
    files: &mut Files,
    [epoll, what, descriptor, event, ..]: [u64; 6],
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    let skip = caller.target.epoll_word;
    let entry = match what {
        DELETE => (0, 0),
        _ => (caller.half(event)?, caller.word(event + skip)?),
    };
    match files.descriptors.get(descriptor)?.what {
        What::Node(_) => return Err(Errno::NotPermitted),
        What::Epoll(_) => return Err(Errno::Invalid),
        _ => {}
    }
    let What::Epoll(watched) = &mut files.descriptors.get_mut(epoll)?.what else { return Err(Errno::Invalid) };
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
    files: &mut Files,
    sleeper: &mut Sleeper<'_>,
    [epoll, events, most, milliseconds, ..]: [u64; 6],
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    let skip = caller.target.epoll_word;
    let What::Epoll(watched) = &files.descriptors.get(epoll)?.what else { return Err(Errno::Invalid.into()) };
    let found = watched.iter().filter_map(|(number, (wanted, word))| {
        let there = ready(files, *number) & (wanted | ERROR | HANG_UP) & !NOT_OPEN;
        (there != 0).then_some((*number, there, *word))
    });
    let found: Vec<_> = found.take(most as usize).collect();
    for (index, (number, there, word)) in found.iter().enumerate() {
        let at = events.wrapping_add(index as u64 * (skip + 8));
        let record = caller.record().u32(*there).up_to(skip as usize).u64(*word);
        caller.store(at, record.bytes())?;
        if let What::Epoll(watched) = &mut files.descriptors.get_mut(epoll)?.what
            && let Some((wanted, _)) = watched.get_mut(number)
            && *wanted & ONCE != 0
        {
            *wanted = 0;
        }
    }
    match (found.len(), limit_of(milliseconds)) {
        (0, Some(0)) => Ok(0),
        (0, limit) => wait(files, sleeper, limit),
        (count, _) => Ok(count as u64),
    }
}
