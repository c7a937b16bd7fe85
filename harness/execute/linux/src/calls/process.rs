//! Calls about the process and the system: the results are constant.

use types::{ByteOrder, Rng};

use crate::caller::Caller;
use crate::descriptors;
use crate::errno::Errno;
use crate::registers::{Register, Registers};

/// `RLIMIT_STACK`, `RLIMIT_NOFILE` (Linux `include/uapi/asm-generic/resource.h`); every other limit
/// is infinite.
const LIMIT_STACK: u64 = 3;
const LIMIT_FILES: u64 = 7;
const STACK_BYTES: u64 = 8 << 20;
/// `ARCH_SET_FS`, `ARCH_GET_FS` (Linux `arch/x86/include/uapi/asm/prctl.h`).
const SET_FS: u64 = 0x1002;
const GET_FS: u64 = 0x1003;
/// Maximum number of bytes of one `getrandom`; it may always return less, and a program that needs
/// more calls again.
const RANDOM_BYTES: u64 = 256;
/// Size in bytes of a field of `struct utsname` (Linux `include/uapi/linux/utsname.h`).
const NAME: usize = 65;
/// `PR_SET_NAME`, `PR_GET_NAME` (Linux `include/uapi/linux/prctl.h`), and the name's length.
const SET_NAME: u64 = 15;
const GET_NAME: u64 = 16;
/// `_LINUX_CAPABILITY_VERSION_3` (Linux `include/uapi/linux/capability.h`).
const CAPABILITIES: u32 = 0x2008_0522;
/// Size in bytes of the original `struct rseq` (Linux `include/uapi/linux/rseq.h`), and the flag
/// that unregisters it.
const RSEQ: u64 = 32;
const RSEQ_UNREGISTER: u64 = 1;

pub(crate) fn arch_prctl(
    code: u64,
    address: u64,
    registers: &mut dyn Registers,
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    match code {
        SET_FS => registers.write(Register::ThreadPointer, address).map(|()| 0).map_err(|_| Errno::Invalid),
        GET_FS => caller.store_words(address, &[registers.read(Register::ThreadPointer)]),
        _ => Err(Errno::Invalid),
    }
}

pub(crate) fn prctl(what: u64, value: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    match what {
        SET_NAME => Ok(0),
        GET_NAME => caller.store(value, b"program\0\0\0\0\0\0\0\0\0"),
        _ => Err(Errno::Invalid),
    }
}

/// `capget`, in its last version: none. (Linux `include/uapi/linux/capability.h`)
pub(crate) fn capabilities(header: u64, data: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    let version = caller.half(header)?;
    if version != CAPABILITIES {
        caller.store(header, caller.record().u32(CAPABILITIES).bytes())?;
        return if data == 0 { Ok(0) } else { Err(Errno::Invalid) };
    }
    if data == 0 { Ok(0) } else { caller.store(data, &[0; 24]) }
}

pub(crate) fn uname(buffer: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    let machine = caller.facts.uname_machine;
    let mut bytes = vec![0u8; 6 * NAME];
    for (field, text) in bytes.chunks_exact_mut(NAME).zip(["Linux", "conformance", "6.1.0", "#1", machine, ""]) {
        field[..text.len()].copy_from_slice(text.as_bytes());
    }
    caller.store(buffer, &bytes)
}

/// `struct sysinfo` (Linux `include/uapi/linux/sysinfo.h`): 1 GiB, half of it free, one
/// process, unit 1 byte.
pub(crate) fn sysinfo(buffer: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    // The 16-bit process count and the 32-bit unit are at the beginning of their words.
    let (processes, unit) = match caller.facts.order {
        ByteOrder::Little => (1, 1),
        ByteOrder::Big => (1 << 48, 1 << 32),
    };
    let memory_words = [1 << 30, 1 << 29, 0, 0, 0, 0];
    let words = [&[1, 0, 0, 0][..], &memory_words, &[processes, 0, 0, unit]].concat();
    caller.store_words(buffer, &words)
}

pub(crate) fn getrandom(random: &mut Rng, buffer: u64, length: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    let length = length.min(RANDOM_BYTES);
    let bytes: Vec<u8> = (0..length).map(|_| random.byte()).collect();
    caller.store(buffer, &bytes).map(|_| length)
}

pub(crate) fn limits(resource: u64, buffer: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    let limits = match resource {
        LIMIT_STACK => [STACK_BYTES, u64::MAX],
        LIMIT_FILES => [descriptors::MOST; 2],
        _ => [u64::MAX; 2],
    };
    if buffer == 0 { Ok(0) } else { caller.store_words(buffer, &limits) }
}

/// `getcpu`: processor 0 and node 0.
pub(crate) fn getcpu(processor: u64, node: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    for place in [processor, node].into_iter().filter(|place| *place != 0) {
        caller.store(place, &[0; 4])?;
    }
    Ok(0)
}

/// `sched_getaffinity`: a mask with processor 0.
pub(crate) fn affinity(length: u64, buffer: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    if length < 8 || !length.is_multiple_of(8) {
        return Err(Errno::Invalid);
    }
    caller.store_words(buffer, &[1]).map(|_| 8)
}

pub(crate) fn three_zeroes(places: &[u64; 3], caller: &mut Caller<'_>) -> Result<u64, Errno> {
    places.iter().try_fold(0, |_, place| caller.store(*place, &[0; 4]))
}

/// `rseq`: the process stays on processor 0, so no sequence is ever restarted.
pub(crate) fn rseq(area: u64, length: u64, flags: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    match flags {
        RSEQ_UNREGISTER => Ok(0),
        0 if length >= RSEQ => caller.store(area, &[0; 8]),
        _ => Err(Errno::Invalid),
    }
}
