//! File mappings of all processes.

use std::collections::BTreeMap;

use crate::caller::Caller;
use crate::memory::{PAGE, USER_END};
use crate::tree::NodeId;

/// An executable file mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapped {
    /// Path in the program's file tree, without symbolic links.
    pub path: String,
    /// Address of the mapping, and the file offset mapped there.
    pub base: u64,
    /// The file offset in bytes.
    pub offset: u64,
    /// The number of the program, 0 for the first ([`types::ThreadId::program`]).
    pub program: u32,
}

/// File mappings of all processes.
#[derive(Debug, Default)]
pub struct Mappings {
    /// Addresses of files of the root tree that were mapped: they are mapped there in other
    /// programs too.
    pub(crate) placed: BTreeMap<NodeId, u64>,
    pub(crate) executable: Vec<Mapped>,
}

impl Mappings {
    /// Takes the executable file mappings, in order of creation.
    pub fn take_executable(&mut self) -> Vec<Mapped> {
        std::mem::take(&mut self.executable)
    }

    /// The text of `/proc/self/maps`: all mappings (Linux `fs/proc/task_mmu.c`). Executable file
    /// mappings have the file's path.
    pub(crate) fn text(&self, caller: &Caller<'_>) -> Vec<u8> {
        let mut lines = Vec::new();
        let mut end = USER_END;
        while let Some(base) = caller.memory.last_mapping(0, end) {
            let size = caller.memory.rest(base).map_or(PAGE, |bytes| bytes.len() as u64);
            let mut known = self.executable.iter().rev();
            let file = known.find(|mapped| (mapped.base, mapped.program) == (base, caller.program));
            let (offset, path) = file.map_or((0, ""), |mapped| (mapped.offset, mapped.path.as_str()));
            lines.push(format!("{base:08x}-{:08x} rwxp {offset:08x} 00:00 0 {path}\n", base + size));
            end = base;
        }
        lines.reverse();
        lines.concat().into_bytes()
    }
}
