//! Threads alternate when they wait and by a seed. Their frames: `runs/thread.*.s`.

use machine::{End, Plan};
use testing::binutils::Target;
use types::{Abi, Image};

use crate::common::assembled;
use crate::common::trace::{Trace, follow};

fn program(abi: Abi) -> Image {
    let (target, source) = match abi {
        Abi::Amd64 => (Target::Amd64, include_str!("../runs/thread.amd64.s")),
        Abi::Aarch64 => (Target::Aarch64, include_str!("../runs/thread.aarch64.s")),
        Abi::Aarch64Be => (Target::Aarch64Be, include_str!("../runs/thread.aarch64.s")),
        Abi::S390x => (Target::S390x, include_str!("../runs/thread.s390x.s")),
    };
    assembled(target, source)
}

fn run(image: &Image, seed: u64) -> Trace {
    follow(&Plan { schedule: Some(seed), step_limit: 10_000, stack_size: 64 << 10, ..Plan::new(image) })
}

/// By a seed a thread may be preempted at any instruction: the result is the same, and the steps
/// are the same each time.
#[test]
fn threads_take_turns_by_a_seed() {
    for abi in Abi::ALL {
        let image = program(abi);
        let orders = |seed| run(&image, seed).steps.iter().map(|step| (step.thread, step.at)).collect::<Vec<_>>();
        let mut all = Vec::new();
        for seed in 0..12 {
            let order = orders(seed);
            assert_eq!(run(&image, seed).run.end, End::Exit(42), "{abi} {seed}");
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
