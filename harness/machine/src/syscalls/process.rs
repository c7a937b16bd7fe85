//! Calls about the process itself and its system: always the same answers.

use model::ByteOrder;

use super::{Call, Errno, Kernel};
use crate::engine::Engine;
use crate::memory::Memory;

/// `RLIMIT_STACK` (Linux `include/uapi/asm-generic/resource.h`); every other limit is infinite.
const LIMIT_STACK: u64 = 3;
const STACK_BYTES: u64 = 8 << 20;
/// `ARCH_SET_FS`, `ARCH_GET_FS` (Linux `arch/x86/include/uapi/asm/prctl.h`).
const SET_FS: u64 = 0x1002;
const GET_FS: u64 = 0x1003;
/// The most that one `getrandom` gives; a program that wants more calls again (it may always give less).
const RANDOM_BYTES: u64 = 256;
/// What a clock advances each time it is looked at.
const TICK: u64 = 1_000_000;
/// 2026-01-01, when every process begins.
const EPOCH: u64 = 1_767_225_600;
/// `struct sigaction` of the system call interface: handler, flags, restorer, mask; the same length on every target.
const SIGACTION: usize = 32;
/// Bytes of one `struct utsname` field (Linux `include/uapi/linux/utsname.h`).
const NAME: usize = 65;

impl Kernel {
    pub(super) fn process(&mut self, call: Call, arguments: [u64; 6], memory: &mut Memory) -> Result<u64, Errno> {
        let [first, second, third, fourth, ..] = arguments;
        match call {
            Call::Getcwd if second < 2 => Err(Errno::Invalid),
            Call::Getcwd => self.give(memory, first, b"/\0").map(|_| 2),
            Call::Uname => self.uname(first, memory),
            Call::Sysinfo => self.sysinfo(first, memory),
            Call::Getrandom => self.getrandom(first, second, memory),
            Call::Prlimit if fourth == 0 => Ok(0),
            Call::Prlimit => self.limits(second, fourth, memory),
            Call::Getrlimit => self.limits(first, second, memory),
            Call::ClockGettime => self.time(second, 1, memory),
            Call::Gettimeofday => self.time(first, 1000, memory),
            Call::Time => self.seconds(first, memory),
            Call::Sigaction => self.sigaction(first, second, third, memory),
            Call::Sigprocmask if third != 0 => self.give_words(memory, third, &[0]),
            _ => Ok(0),
        }
    }

    /// What was asked for before is not told: C libraries only give it back.
    fn sigaction(&mut self, signal: u64, new: u64, old: u64, memory: &mut Memory) -> Result<u64, Errno> {
        if new != 0 {
            let bytes = memory.read(new, 8).and_then(|bytes| bytes.first_chunk::<8>().copied());
            self.signals.set(signal, self.order.u64(bytes.ok_or(Errno::Fault)?));
        }
        if old == 0 { Ok(0) } else { self.give(memory, old, &[0; SIGACTION]) }
    }

    pub(super) fn arch_prctl(
        &mut self,
        code: u64,
        address: u64,
        engine: &Engine,
        memory: &mut Memory,
    ) -> Result<u64, Errno> {
        let [thread_pointer, ..] = engine.target().thread_pointer else { return Err(Errno::Invalid) };
        match code {
            SET_FS => engine.write(*thread_pointer, address).map(|()| 0).map_err(|_| Errno::Invalid),
            GET_FS => self.give_words(memory, address, &[engine.read(*thread_pointer)]),
            _ => Err(Errno::Invalid),
        }
    }

    fn uname(&mut self, buffer: u64, memory: &mut Memory) -> Result<u64, Errno> {
        let machine = self.abi.facts().uname_machine;
        let mut bytes = vec![0u8; 6 * NAME];
        for (field, text) in bytes.chunks_exact_mut(NAME).zip(["Linux", "conformance", "6.1.0", "#1", machine, ""]) {
            field[..text.len()].copy_from_slice(text.as_bytes());
        }
        self.give(memory, buffer, &bytes)
    }

    /// `struct sysinfo` (Linux `include/uapi/linux/sysinfo.h`): a gibibyte, half of it free, one process, bytes as the unit.
    fn sysinfo(&mut self, buffer: u64, memory: &mut Memory) -> Result<u64, Errno> {
        // The 16-bit count of processes and the 32-bit unit lead their words.
        let (processes, unit) = match self.order {
            ByteOrder::Little => (1, 1),
            ByteOrder::Big => (1 << 48, 1 << 32),
        };
        let memory_words = [1 << 30, 1 << 29, 0, 0, 0, 0];
        let words = [&[1, 0, 0, 0][..], &memory_words, &[processes, 0, 0, unit]].concat();
        self.give_words(memory, buffer, &words)
    }

    fn getrandom(&mut self, buffer: u64, length: u64, memory: &mut Memory) -> Result<u64, Errno> {
        let length = length.min(RANDOM_BYTES);
        let mut bytes = Vec::with_capacity(RANDOM_BYTES as usize);
        while (bytes.len() as u64) < length {
            // xorshift64 (Marsaglia 2003): repeats from run to run, which is all that it is for.
            self.random ^= self.random << 13;
            self.random ^= self.random >> 7;
            self.random ^= self.random << 17;
            bytes.extend_from_slice(&self.random.to_le_bytes());
        }
        bytes.truncate(length as usize);
        self.give(memory, buffer, &bytes).map(|_| length)
    }

    fn limits(&mut self, resource: u64, buffer: u64, memory: &mut Memory) -> Result<u64, Errno> {
        let soft = if resource == LIMIT_STACK { STACK_BYTES } else { u64::MAX };
        self.give_words(memory, buffer, &[soft, u64::MAX])
    }

    /// Nanoseconds since the start, later at each look.
    pub(crate) fn tick(&mut self) -> u64 {
        self.clock = self.clock.wrapping_add(TICK);
        self.clock
    }

    /// Seconds, in the result and where wanted.
    fn seconds(&mut self, buffer: u64, memory: &mut Memory) -> Result<u64, Errno> {
        let seconds = EPOCH + self.tick() / 1_000_000_000;
        if buffer != 0 {
            self.give_words(memory, buffer, &[seconds])?;
        }
        Ok(seconds)
    }

    /// Seconds and a fraction in units of `unit` nanoseconds.
    fn time(&mut self, buffer: u64, unit: u64, memory: &mut Memory) -> Result<u64, Errno> {
        let now = self.tick();
        let (seconds, nanoseconds) = (now / 1_000_000_000, now % 1_000_000_000);
        self.give_words(memory, buffer, &[EPOCH + seconds, nanoseconds / unit])
    }
}
