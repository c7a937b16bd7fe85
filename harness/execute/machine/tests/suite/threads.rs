//! Programs that create a thread: each thread has registers and frames of its own, and threads
//! alternate when they wait and by a seed.

use machine::{End, Plan};
use types::{Abi, Event, ThreadId};

use crate::common::trace::{Trace, follow};
use crate::common::{hex, program};

/// ```text
/// main:   clone(a thread's flags, stack below, its number at word + 8; cleared: word + 16)
///         while word = 0: futex(word, WAIT, 0)
///         while the number is not cleared: futex(word + 16, WAIT, number)
///         exit_group(word + the number)
/// thread: call f; futex(word, WAKE, 1); exit(0)
/// f:      saves a register; word = 40; restores it; returns
/// ```
fn code(abi: Abi) -> (Vec<u8>, [u64; 2]) {
    let (text, places) = match abi {
        Abi::Amd64 => (
            "4c8da42400ffffff b838000000 bf000f3100 488db42400c0ffff 498d542408 4d8d542410 41c744241001000000 0f05
             85c0 7443
             b8ca000000 4c89e7 31f6 31d2 4531d2 0f05 418b1c24 85db 74e7
             418b542410 85d2 7413 b8ca000000 498d7c2410 31f6 4531d2 0f05 ebe4
             b8e7000000 89df 41037c2408 0f05
             e81d000000 b8ca000000 4c89e7 be01000000 ba01000000 0f05 b83c000000 31ff 0f05
             55 41c7042428000000 5d c3",
            [0x76, 0x98],
        ),
        Abi::Aarch64 | Abi::Aarch64Be => (
            "f30304d1 881b80d2 00e081d2 2006a0f2 e11340d1 62220091 64420091 25008052 651200b9 010000d4
             a0020034
             480c80d2 e00313aa 010080d2 020080d2 030080d2 010000d4 740240b9 34ffff34
             621240b9 e2000034 480c80d2 60420091 010080d2 030080d2 010000d4 f9ffff17
             c80b80d2 600a40b9 0000140b 010000d4
             09000094 480c80d2 e00313aa 210080d2 220080d2 010000d4 a80b80d2 000080d2 010000d4
             fd7bbfa9 05058052 650200b9 fd7bc1a8 c0035fd6",
            [0x7c, 0xa0],
        ),
        Abi::S390x => (
            "e3c0ff00ff71 c03100310f00 e320f000fc71 4140c008 4150c010 e54cc0100001 0a78
             1222 a7840022
             b904002c a7390000 a7490000 a7590000 0aee e3b0c0000012 a784fff4
             e340c0100012 a784000b 4120c010 a7390000 a7590000 0aee a7f4fff4
             5820c008 1a2b 0af8
             c0e50000000d b904002c a7390001 a7490001 0aee a7290000 0a01
             e3e0f0700024 e54cc0000028 e3e0f0700004 07fe 0707",
            [0x68, 0x82],
        ),
    };
    (hex(text), places)
}

fn run(abi: Abi, schedule: Option<u64>) -> Trace {
    let (code, _) = code(abi);
    follow(&Plan { schedule, step_limit: 10_000, stack_size: 64 << 10, ..Plan::new(&program(abi, &code)) })
}

/// The main thread ends with 40, which the other thread stored, plus 2, the other thread's number.
#[test]
fn a_thread_executes_with_frames_of_its_own() {
    for abi in Abi::ALL {
        let (_, [begin, function]) = code(abi);
        let trace = run(abi, None);
        assert_eq!(trace.run.end, End::Exit(42), "{abi}");
        let second: Vec<_> = trace.steps.iter().filter(|step| step.thread != ThreadId::FIRST).collect();
        assert!(second.iter().all(|step| step.thread == ThreadId(2)), "{abi}");
        let first = second.first().expect("a step of the thread");
        assert_eq!((first.event, first.frames.len()), (Event::Entry, 0), "{abi}");
        assert!(second.iter().any(|step| step.at == begin && step.frames.is_empty()), "{abi}: nobody called it");
        let called = second.iter().find(|step| step.at == function).expect("its function");
        assert_eq!((called.event, called.frames.len()), (Event::Call, 1), "{abi}");
        assert!(called.sp < trace.steps[0].sp - 0x3000, "{abi}: on its own stack");
        // The main thread has made no calls, and jumps only in its loops.
        let main = trace.steps.iter().filter(|step| step.thread == ThreadId::FIRST);
        assert!(main.clone().all(|step| step.frames.is_empty()), "{abi}");
    }
}

/// By a seed a thread may be preempted at any instruction: the result is the same, and the steps
/// are the same each time.
#[test]
fn threads_take_turns_by_a_seed() {
    for abi in Abi::ALL {
        let orders = |seed| run(abi, Some(seed)).steps.iter().map(|step| (step.thread, step.at)).collect::<Vec<_>>();
        let mut all = Vec::new();
        for seed in 0..12 {
            let order = orders(seed);
            assert_eq!(run(abi, Some(seed)).run.end, End::Exit(42), "{abi} {seed}");
            assert_eq!(orders(seed), order, "{abi} {seed}");
            all.push(order);
        }
        all.sort();
        all.dedup();
        assert!(all.len() > 3, "{abi}: {} orders", all.len());
        // A thread was preempted between two instructions other than system calls.
        let switches = all.iter().flat_map(|order| order.windows(2)).filter(|pair| pair[0].0 != pair[1].0).count();
        assert!(switches > 2 * all.len(), "{abi}: {switches}");
    }
}
