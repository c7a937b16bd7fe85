//! The two witnesses agree on every frozen executable: the same instructions, the same value in
//! every register, the same frames, the same end.

use crate::common;
use crate::common::samples;

use machine::{Plan, run, single_step};
use types::{Abi, Frame, Reg, RegFile, Step};

/// Number of compared registers: DWARF numbers 0 to 16 on AMD64, 0 to 31 elsewhere.
fn registers(abi: Abi) -> u16 {
    match abi {
        Abi::Amd64 => 17,
        Abi::Aarch64 | Abi::Aarch64Be | Abi::S390x => 32,
    }
}

/// The compared values of a step; outer frames are covered by the steps at which they were
/// innermost, and by the depth.
#[derive(Debug, PartialEq)]
struct StepRecord {
    pc: u64,
    registers: Vec<u64>,
    depth: usize,
    innermost: Option<Frame>,
}

fn record(step: &Step<'_>) -> StepRecord {
    let abi = step.regs.abi;
    let all = (0..registers(abi)).map(|number| {
        let value = step.regs.others.read(Reg(number)).unwrap_or_else(|| panic!("{abi} register {number} is readable"));
        assert_eq!(step.regs.read(Reg(number)), Some(value), "{abi} register {number}: at hand and on demand");
        value
    });
    let registers = all.collect();
    // Each engine numbers its frames.
    let innermost = step.frames.innermost().map(|frame| Frame { number: 0, ..*frame });
    StepRecord { pc: step.pc.0, registers, depth: step.frames.depth(), innermost }
}

#[test]
fn agree_on_every_sample() {
    for (folder, file, instructions, _) in samples::SAMPLES {
        let image = common::read_elf(&samples::path(folder, file));
        let plan = Plan::new(&image);
        let mut hooked = Vec::new();
        let by_hook = run(&plan, &mut |step: &Step<'_>| hooked.push(record(step))).expect("runs");
        let mut index = 0;
        let mut compare = |step: &Step<'_>| {
            assert_eq!(Some(&record(step)), hooked.get(index), "{folder}/{file} step {index}");
            index += 1;
        };
        let by_step = single_step::run(&plan, &mut compare).expect("runs");
        assert_eq!(by_hook, by_step, "{folder}/{file}");
        assert_eq!(index as u64, instructions, "{folder}/{file}");
    }
}
