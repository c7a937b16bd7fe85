//! Instructions on which the emulator crashes when it translates them, before any hook is called:
//! it is made to stop before them. They are searched in each page from which it fetches. They are
//! undefined, or executed by their definition ([`crate::later`]).

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use types::Abi;

use crate::arch::is_deadly;
use crate::engine::Engine;
use crate::error::MachineError;
use crate::layout::PAGE;
use crate::memory::Memory;

/// Maximum number of addresses at which the emulator stops; only a specially made program has more.
const MOST: usize = 1 << 16;

/// Length in bytes of the longest instruction.
const LONGEST: usize = 15;

/// The addresses before which the emulator stops, and the pages that were searched.
#[derive(Default)]
pub(crate) struct Deadly {
    found: BTreeSet<u64>,
    searched: FxHashSet<u64>,
    /// Version of the mappings that `searched` is about.
    version: u64,
}

impl Deadly {
    /// Searches a page, of which the emulator is about to translate code.
    pub(crate) fn search(&mut self, abi: Abi, page: u64, engine: &Engine, memory: &Memory) -> Result<(), MachineError> {
        if self.version != memory.version() {
            self.version = memory.version();
            self.searched.clear();
        }
        if !self.searched.insert(page) {
            return Ok(());
        }
        let bytes = memory.read(page, PAGE as usize + LONGEST).or_else(|| memory.read(page, PAGE as usize));
        let Some(bytes) = bytes else { return Ok(()) };
        let places = (0..PAGE as usize).step_by(abi.facts().instruction_alignment as usize);
        let deadly = places.filter(|at| bytes.get(*at..).is_some_and(|code| is_deadly(abi, code)));
        let before = self.found.len();
        self.found.extend(deadly.map(|at| page + at as u64).take(MOST.saturating_sub(before)));
        if self.found.len() == before { Ok(()) } else { engine.stop_before(self.found.iter().copied()) }
    }

    /// Returns true if the emulator stops before this address.
    pub(crate) fn has(&self, pc: u64) -> bool {
        self.found.contains(&pc)
    }

    /// Lets the emulator execute what is at this address: other code is there now.
    pub(crate) fn remove(&mut self, pc: u64, engine: &mut Engine) -> Result<(), MachineError> {
        self.found.remove(&pc);
        engine.stop_before(self.found.iter().copied())?;
        engine.forget_code()
    }
}
