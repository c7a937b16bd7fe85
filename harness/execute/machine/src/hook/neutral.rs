//! Checks an assumption of memo hits against the emulator: instructions for which
//! [`isa::flow::is_neutral`] returns true change neither memory nor SP, FP or link register.
#![allow(clippy::unwrap_used, reason = "a test")]

use types::{Abi, Rng};

use crate::arch::target;
use crate::engine::Engine;
use crate::layout::{Access, PAGE, Span};
use crate::memory::Memory;
use crate::prepare::NOWHERE;

const CODE: u64 = 0x10_0000;
const DATA: u64 = 0x20_0000;
/// Number of instructions of each ABI that must execute to their end, and maximum number of draws.
const ENOUGH: usize = 500;
const DRAWN: usize = 100_000;

/// Random bytes that may be an instruction: half of them begin with a common first byte.
fn code(rng: &mut Rng, abi: Abi) -> Vec<u8> {
    let mut code = [rng.bits().to_le_bytes(), rng.bits().to_le_bytes()].concat();
    let common: &[u8] = match abi {
        Abi::Amd64 => &[0x48, 0x4c, 0x0f, 0x89, 0x8b, 0x8d, 0x83, 0x31, 0x39, 0x85, 0xc1, 0xf7],
        Abi::Aarch64 | Abi::Aarch64Be => &[],
        Abi::S390x => &[0xb9, 0xe3, 0xeb, 0xec, 0xa7, 0xa5, 0xc0, 0xc2, 0x18, 0x41, 0x58],
    };
    if !common.is_empty() && rng.one_in(2) {
        code[0] = rng.pick(common);
    }
    code
}

/// A processor with a page of code and two of data, for one instruction at a time.
struct Trial {
    engine: Engine,
    memory: Memory,
    rng: Rng,
    /// The data before the instruction.
    before: Vec<u8>,
}

impl Trial {
    fn new(abi: Abi, seed: u64) -> Trial {
        let engine = Engine::new(target(abi)).unwrap();
        let mut memory = Memory::new(16 * PAGE);
        memory.map(&engine, Span::uniform(CODE, PAGE, Access(Access::READ.0 | Access::EXECUTE.0))).unwrap();
        memory.map(&engine, Span::uniform(DATA, 2 * PAGE, Access::READ_WRITE)).unwrap();
        Trial { engine, memory, rng: Rng::new(seed), before: Vec::new() }
    }

    /// Loads the instruction followed by no-ops, and random data.
    fn load(&mut self, code: &[u8]) {
        // The emulator crashes on some of the possible following bytes.
        let one = code.iter().chain(self.engine.target().nop.iter().cycle()).copied();
        self.memory.load(CODE, &one.take(64).collect::<Vec<u8>>());
        self.engine.forget_stretch(CODE, CODE + PAGE - 1).unwrap();
        self.before = (0..2 * PAGE / 8).flat_map(|_| self.rng.bits().to_le_bytes()).collect();
        self.memory.write(DATA, &self.before);
    }

    fn data(&self) -> &[u8] {
        self.memory.read(DATA, 2 * PAGE as usize).unwrap()
    }
}

#[test]
fn neutral_instructions_change_nothing_that_steps_are_judged_by() {
    for abi in Abi::ALL {
        let target = target(abi);
        let mut trial = Trial::new(abi, 1);
        let mut came_to_its_end = 0;
        for _ in 0..DRAWN {
            if came_to_its_end == ENOUGH {
                break;
            }
            let code = code(&mut trial.rng, abi);
            if !isa::flow::is_neutral(abi, &code, CODE) {
                continue;
            }
            let length = usize::from(isa::flow::decode(abi, &code, CODE).unwrap().length);
            trial.load(&code[..length]);
            // Addresses of the data, so that stores succeed.
            for id in target.dwarf {
                let place = DATA + PAGE / 2 + trial.rng.below(PAGE);
                trial.engine.write(*id, place & !7).unwrap();
            }
            let tracked = |engine: &Engine| target.tracked.map(|id| engine.read(id));
            let (registers, outcome) = (tracked(&trial.engine), trial.engine.start(CODE, NOWHERE, 1));
            let what = format!("{abi} {:x?}", &code[..length]);
            assert_eq!(tracked(&trial.engine), registers, "{what}");
            assert!(trial.data() == trial.before, "{what} writes memory");
            came_to_its_end += usize::from(outcome.is_ok());
        }
        assert_eq!(came_to_its_end, ENOUGH, "{abi}");
    }
}
