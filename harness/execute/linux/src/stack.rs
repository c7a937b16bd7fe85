//! The initial stack of a process, as Linux lays it out: argc, argv, envp, the auxiliary vector,
//! then the strings and data. (System V psABI AMD64 1.0, 3.4.1 "Initial Stack and Register State";
//! the same layout on AArch64 and s390x, words in the target's byte order.)

use types::ByteOrder;

use crate::memory::PAGE;

/// Auxiliary vector entry types (Linux `include/uapi/linux/auxvec.h`).
mod at {
    pub(super) const NULL: u64 = 0;
    pub(super) const PHDR: u64 = 3;
    pub(super) const PHENT: u64 = 4;
    pub(super) const PHNUM: u64 = 5;
    pub(super) const PAGESZ: u64 = 6;
    pub(super) const BASE: u64 = 7;
    pub(super) const FLAGS: u64 = 8;
    pub(super) const ENTRY: u64 = 9;
    pub(super) const UID: u64 = 11;
    pub(super) const EUID: u64 = 12;
    pub(super) const GID: u64 = 13;
    pub(super) const EGID: u64 = 14;
    pub(super) const PLATFORM: u64 = 15;
    pub(super) const HWCAP: u64 = 16;
    pub(super) const CLKTCK: u64 = 17;
    pub(super) const SECURE: u64 = 23;
    pub(super) const RANDOM: u64 = 25;
    pub(super) const HWCAP2: u64 = 26;
    pub(super) const EXECFN: u64 = 31;
}

/// Bytes of `Elf64_Phdr` (ELF gABI).
const PHDR_BYTES: u64 = 56;

/// The bytes at AT_RANDOM: constant, so that runs repeat.
const RANDOM: [u8; 16] = *b"\x9e\x37\x79\xb9\x7f\x4a\x7c\x15\xf3\x9c\xc0\x60\x5c\xed\xc8\x34";

/// An initial stack: bytes that begin at `sp`.
pub struct InitialStack {
    /// The stack pointer at entry, 16-byte aligned.
    pub sp: u64,
    /// Memory from `sp` upwards.
    pub bytes: Vec<u8>,
}

/// The parameters of the initial stack.
#[derive(Clone, Copy, Debug)]
pub struct Beginning<'a> {
    /// The arguments, with the program's name first.
    pub arguments: &'a [Vec<u8>],
    pub environment: &'a [Vec<u8>],
    /// The path that the program was started by.
    pub name: &'a [u8],
    /// The program's own entry point.
    pub entry: u64,
    /// Address of the interpreter, or 0.
    pub interpreter: u64,
    /// What the processor offers.
    pub processor: &'a Processor,
    /// Address of the program headers in memory, and their number.
    pub headers: Option<(u64, u64)>,
}

/// What a processor offers, as the kernel reports it to programs.
#[derive(Clone, Copy, Debug)]
pub struct Processor {
    /// AT_HWCAP and AT_HWCAP2.
    pub capabilities: [u64; 2],
    pub platform: &'static str,
}

impl Beginning<'_> {
    /// Lays out a stack that ends at `top`; `None` if it does not fit above address 0.
    #[must_use]
    pub fn stack(&self, top: u64, order: ByteOrder) -> Option<InitialStack> {
        let headers = self.headers.into_iter();
        let headers = headers.flat_map(|(at, count)| [(at::PHDR, at), (at::PHENT, PHDR_BYTES), (at::PHNUM, count)]);
        let auxiliary: Vec<(u64, u64)> = [
            (at::PAGESZ, PAGE),
            (at::HWCAP, self.processor.capabilities[0]),
            (at::HWCAP2, self.processor.capabilities[1]),
            (at::CLKTCK, 100),
            (at::BASE, self.interpreter),
            (at::FLAGS, 0),
            (at::ENTRY, self.entry),
            (at::UID, 0),
            (at::EUID, 0),
            (at::GID, 0),
            (at::EGID, 0),
            (at::SECURE, 0),
        ]
        .into_iter()
        .chain(headers)
        .collect();
        let strings = [self.name, self.processor.platform.as_bytes()];
        build(top, order, [self.arguments, self.environment], strings, &auxiliary)
    }
}

/// Bytes of the string of AT_PLATFORM, with padding.
const PLATFORM_BYTES: usize = 32;

/// Lays out a stack. `auxiliary` has no AT_RANDOM, AT_EXECFN, AT_PLATFORM and AT_NULL.
fn build(
    top: u64,
    order: ByteOrder,
    [arguments, environment]: [&[Vec<u8>]; 2],
    [name, platform]: [&[u8]; 2],
    auxiliary: &[(u64, u64)],
) -> Option<InitialStack> {
    // Strings are above the vectors; their offsets are known before their addresses.
    let mut pool = RANDOM.to_vec();
    let mut place = |text: &[u8]| {
        let offset = pool.len() as u64;
        pool.extend_from_slice(text);
        pool.push(0);
        offset
    };
    let argument_offsets: Vec<u64> = arguments.iter().map(|text| place(text)).collect();
    let environment_offsets: Vec<u64> = environment.iter().map(|text| place(text)).collect();
    let name = match argument_offsets.first().filter(|_| arguments.first().is_some_and(|first| first == name)) {
        Some(first) => *first,
        None => place(name),
    };
    // Findings of realigned frames depend on SP modulo 64. With this block, AT_HWCAP2 and
    // AT_PLATFORM take 64 bytes, whatever the strings: SP is aligned as on a stack without them.
    pool.resize(pool.len().next_multiple_of(16), 0);
    let platform_offset = pool.len() as u64;
    pool.extend_from_slice(platform);
    pool.push(0);
    pool.resize((platform_offset as usize + PLATFORM_BYTES).max(pool.len()), 0);

    let words = 1 + arguments.len() + 1 + environment.len() + 1 + 2 * (auxiliary.len() + 4);
    let vector_bytes = words as u64 * 8;
    let pool_base = top.checked_sub(pool.len() as u64)? & !15;
    let sp = pool_base.checked_sub(vector_bytes)? & !15;

    let mut vector = Vec::with_capacity(words);
    vector.push(arguments.len() as u64);
    vector.extend(argument_offsets.iter().map(|offset| pool_base + offset));
    vector.push(0);
    vector.extend(environment_offsets.iter().map(|offset| pool_base + offset));
    vector.push(0);
    vector.extend(auxiliary.iter().flat_map(|(kind, value)| [*kind, *value]));
    let strings = [at::RANDOM, pool_base, at::EXECFN, pool_base + name, at::PLATFORM, pool_base + platform_offset];
    vector.extend(strings.into_iter().chain([at::NULL, 0]));

    let mut bytes: Vec<u8> = vector.into_iter().flat_map(|word| order.bytes_of(word)).collect();
    bytes.resize((pool_base - sp) as usize, 0);
    bytes.extend_from_slice(&pool);
    Some(InitialStack { sp, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(stack: &InitialStack, order: ByteOrder) -> Vec<u64> {
        stack.bytes.chunks_exact(8).map(|word| order.u64(word.try_into().expect("eight bytes"))).collect()
    }

    #[test]
    fn vectors_are_in_order_and_point_to_their_strings() {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let texts = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect::<Vec<_>>();
            let (arguments, environment) = (texts(&["prog", "-x"]), texts(&["A=b"]));
            let build =
                |name| build(0x10_0000, order, [&arguments, &environment], [name, b"z15"], &[(at::PAGESZ, 4096)]);
            let stack = build(b"prog").expect("fits");
            assert_eq!(stack.sp % 16, 0);
            assert_eq!(stack.sp + stack.bytes.len() as u64, 0x10_0000);
            let words = words(&stack, order);
            let text = |address: u64| {
                let bytes = &stack.bytes[(address - stack.sp) as usize..];
                String::from_utf8_lossy(bytes.split(|byte| *byte == 0).next().expect("one")).into_owned()
            };
            assert_eq!((words[0], words[3], words[5]), (2, 0, 0), "argc, and the ends of argv and envp");
            assert_eq!((text(words[1]), text(words[2]), text(words[4])), ("prog".into(), "-x".into(), "A=b".into()));
            assert_eq!(words[6..8], [at::PAGESZ, 4096]);
            assert_eq!((words[8], words[10], words[11]), (at::RANDOM, at::EXECFN, words[1]));
            assert_eq!((words[12], text(words[13])), (at::PLATFORM, "z15".into()));
            assert_eq!(words[14..16], [at::NULL, 0]);
            let random = (words[9] - stack.sp) as usize;
            assert_eq!(stack.bytes[random..random + 16], RANDOM);
            assert!(build(b"/bin/prog").expect("fits").bytes.windows(9).any(|text| text == b"/bin/prog"));
        }
    }

    #[test]
    fn what_does_not_fit_is_none() {
        assert!(build(64, ByteOrder::Little, [&[vec![b'a'; 27]], &[]], [b"", b""], &[]).is_none());
    }
}
