//! System calls: executed by both engines, or by the first alone, whose result the second takes over.

use types::{Abi, Reg, RunEnd, Step};

use super::beside::{Beside, PAGE, Stop};
use super::signals::left_in;
use crate::arch::{Asks, Names};
use crate::session::PRIVATE_FIXED_ANONYMOUS;

/// `MREMAP_MAYMOVE | MREMAP_FIXED`.
const MOVE_TO: u64 = 3;

impl Beside<'_> {
    /// Returns true if the instruction is a system call that both engines execute.
    pub(super) fn executes_call(&self) -> bool {
        let calls = &Names::of_abi(self.session.abi()).calls;
        matches!(self.session.asks(), Asks::Kernel(number) if calls.executed.contains(&number))
    }

    /// Makes a system call that the first engine has made.
    pub(super) fn call(&mut self, step: &Step<'_>, number: u64, abi: Abi) -> Result<Option<RunEnd>, Stop> {
        let calls = &Names::of_abi(abi).calls;
        let result = left_in(step).read(calls.result).unwrap_or_default();
        let failed = result > u64::MAX - PAGE;
        if calls.signal_returns.contains(&number) {
            self.return_from_signal(step)?;
            return Ok(self.session.advance()?);
        }
        let second = &mut self.session;
        if calls.executed.contains(&number) || number == calls.munmap {
            return Ok(second.advance()?);
        }
        if number == calls.mmap && !failed {
            // A file's descriptor is an `int`.
            if second.mmap_argument(4)? as i32 >= 0 {
                self.unlike("a file that was mapped");
            }
            let second = &mut self.session;
            for (place, value) in [(0, result), (3, PRIVATE_FIXED_ANONYMOUS), (4, u64::MAX), (5, 0)] {
                second.set_mmap_argument(place, value)?;
            }
            let ended = second.advance()?;
            second.take_over(left_in(step), &calls.arguments)?;
            return Ok(ended);
        }
        if number == calls.mremap && !failed {
            if second.argument(0) != result {
                second.set(calls.arguments[3], MOVE_TO)?;
                second.set(calls.arguments[4], result)?;
            }
            let ended = second.advance()?;
            second.take_over(left_in(step), &calls.arguments)?;
            return Ok(ended);
        }
        if number == calls.brk {
            let (from, to) = (self.brk.next_multiple_of(PAGE), result.next_multiple_of(PAGE));
            if self.brk != 0 && to > from {
                second.map(from, to - from)?;
            }
            self.brk = result;
        } else if !calls.silent.contains(&number) {
            self.unlike(&format!("system call {number}"));
        }
        let everything: Vec<Reg> = (0..abi.facts().general_registers).map(Reg).collect();
        let writes = number != calls.brk && !calls.silent.contains(&number);
        self.session.skip()?;
        if writes {
            // Most buffers that a kernel fills are on the stack.
            let stack = live_stack(step);
            self.session.stub().write(step.regs.sp, &stack)?;
        }
        self.session.take_over(left_in(step), &everything)?;
        Ok(None)
    }
}

/// The bytes of a stack from SP to its end, or the first of them.
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
