//! System calls: executed by both engines, or only by the first, whose result the second takes
//! over.

use types::{Abi, Reg, RunEnd, Step};

use super::beside::{PAGE, SideBySide, Stop};
use super::signals::left_in;
use crate::arch::Asks;
use crate::calls::Calls;
use crate::session::{PRIVATE_FIXED_ANONYMOUS, READ_WRITE};

/// `MREMAP_MAYMOVE | MREMAP_FIXED`.
const MOVE_TO: u64 = 3;

/// A command of `futex`, and the flags beside commands (Linux `include/uapi/linux/futex.h`).
const FUTEX_WAKE_OP: u64 = 5;
const FUTEX_FLAGS: u64 = 0x180;

impl SideBySide<'_> {
    /// Returns true if the instruction is a system call that both engines execute.
    pub(super) fn executes_call(&self) -> bool {
        let calls = Calls::of_abi(self.session.abi());
        matches!(self.session.asks(), Asks::Kernel(number) if calls.executed.contains(&number))
    }

    /// Executes a system call that the first engine has executed.
    pub(super) fn call(&mut self, step: &Step<'_>, number: u64, abi: Abi) -> Result<Option<RunEnd>, Stop> {
        let calls = Calls::of_abi(abi);
        let result = left_in(step).read(calls.convention.result).unwrap_or_default();
        let failed = result > u64::MAX - PAGE;
        if calls.signal_returns.contains(&number) {
            self.return_from_signal(step)?;
            return Ok(self.session.advance()?);
        }
        if !failed && self.make_thread(step, result)? {
            return Ok(None);
        }
        let second = &mut self.session;
        if calls.executed.contains(&number) || number == calls.munmap {
            return Ok(second.advance()?);
        }
        if number == calls.mmap && !failed {
            // A file descriptor is an `int`.
            let (length, descriptor) = (second.mmap_argument(1)?, second.mmap_argument(4)? as u32);
            let offset = second.mmap_argument(5)?;
            for (place, value) in [(0, result), (3, PRIVATE_FIXED_ANONYMOUS), (4, u64::MAX), (5, 0)] {
                second.set_mmap_argument(place, value)?;
            }
            let ended = second.advance()?;
            second.take_over(left_in(step), &calls.convention.arguments)?;
            if descriptor as i32 >= 0 {
                self.fill_from(descriptor, offset, result, length)?;
            }
            return Ok(ended);
        }
        if number == calls.mremap && !failed {
            if second.argument(0) != result {
                second.set(calls.convention.arguments[3], MOVE_TO)?;
                second.set(calls.convention.arguments[4], result)?;
            }
            let ended = second.advance()?;
            second.take_over(left_in(step), &calls.convention.arguments)?;
            return Ok(ended);
        }
        if number == calls.brk {
            let (from, to) = (self.brk.next_multiple_of(PAGE), result.next_multiple_of(PAGE));
            if self.brk != 0 && to > from {
                second.map(from, to - from, READ_WRITE)?;
            }
            self.brk = result;
        } else if calls.silent.contains(&number) {
            self.note_file(number, result, failed)?;
            self.note_end(number);
            if number == calls.futex && self.session.argument(1) & !FUTEX_FLAGS == FUTEX_WAKE_OP {
                self.unlike("a futex operation that stores");
            }
        } else {
            // Kernel writes to the stack are visible in the step.
            let stack = live_stack(step);
            let to = calls.writes.iter().find(|(call, _)| *call == number).map(|(_, place)| second.argument(*place));
            let known = step.regs.sp..step.regs.sp.saturating_add(stack.len() as u64);
            second.stub().write(step.regs.sp, &stack)?;
            if !failed && to.is_none_or(|to| to != 0 && !known.contains(&to)) {
                self.unlike(&format!("system call {number}"));
            }
        }
        self.skip_call(step)?;
        Ok(None)
    }

    /// Continues after a system call that only the first engine has made.
    pub(super) fn skip_call(&mut self, step: &Step<'_>) -> Result<(), Stop> {
        let abi = step.regs.abi;
        self.session.skip()?;
        let everything: Vec<Reg> = (0..abi.facts().general_registers).map(Reg).collect();
        Ok(self.session.take_over(left_in(step), &everything)?)
    }

    /// Records the file of a descriptor.
    fn note_file(&mut self, number: u64, result: u64, failed: bool) -> Result<(), Stop> {
        const LONGEST: usize = 4096;
        let calls = Calls::of_abi(self.session.abi());
        if number == calls.close {
            let descriptor = self.session.argument(0);
            self.files.remove(&descriptor);
        }
        if let Some((_, place)) = calls.opens.iter().find(|(call, _)| *call == number && !failed) {
            let at = self.session.argument(*place);
            let mut path = Vec::new();
            while path.len() < LONGEST && !path.contains(&0) {
                let bytes = self.session.stub().read(at + path.len() as u64, 64)?;
                let bytes = if bytes.is_empty() { self.session.stub().read(at + path.len() as u64, 1)? } else { bytes };
                if bytes.is_empty() {
                    break;
                }
                path.extend(bytes);
            }
            let path = path.split(|byte| *byte == 0).next().unwrap_or_default();
            self.files.insert(result, String::from_utf8_lossy(path).into_owned());
        }
        Ok(())
    }

    /// Writes the contents of a file from `offset` on to memory where the first engine mapped it.
    fn fill_from(&mut self, descriptor: u32, offset: u64, address: u64, length: u64) -> Result<(), Stop> {
        let path = self.files.get(&u64::from(descriptor));
        let Some((_, bytes)) = path.and_then(|path| self.plan.world.read(path).ok()) else {
            self.unlike("a file that was mapped");
            return Ok(());
        };
        let from = usize::try_from(offset).map_or(bytes.len(), |from| from.min(bytes.len()));
        let count = usize::try_from(length).map_or(bytes.len(), |count| count.min(bytes.len() - from));
        Ok(self.session.fill(address, &bytes[from..from + count])?)
    }
}

/// The bytes of the stack from SP to its end, at most `MOST`.
pub(super) fn live_stack(step: &Step<'_>) -> Vec<u8> {
    const MOST: usize = 256 << 10;
    let mut bytes = vec![0; MOST];
    let mut length = 0;
    while let Some(word) = bytes.get_mut(length..length + 8) {
        if step.stack.copy(step.regs.sp + length as u64, word).is_err() {
            break;
        }
        length += 8;
    }
    bytes.truncate(length);
    bytes
}
