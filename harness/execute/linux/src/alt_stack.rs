//! The alternate stack of signal handlers.

use crate::record::Record;

/// `SS_ONSTACK`, `SS_DISABLE` and `SS_AUTODISARM` (Linux `include/uapi/linux/signal.h`).
pub(crate) const IN_USE: u32 = 1;
pub(crate) const NONE: u32 = 2;
pub(crate) const DISARM: u32 = 1 << 31;

/// The alternate stack, `sigaltstack`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AltStack {
    pub(crate) base: u64,
    pub(crate) flags: u32,
    pub(crate) size: u64,
}

impl AltStack {
    pub(crate) const UNSET: AltStack = AltStack { base: 0, flags: NONE, size: 0 };

    pub(crate) fn new(base: u64, flags: u32, size: u64) -> AltStack {
        AltStack { base, flags, size }
    }

    pub(crate) fn base(&self) -> u64 {
        self.base
    }

    pub(crate) fn end(&self) -> u64 {
        self.base.saturating_add(self.size)
    }

    /// Returns true if SP is on the alternate stack.
    pub(crate) fn holds(&self, sp: u64) -> bool {
        self.flags & DISARM == 0 && sp > self.base && sp - self.base <= self.size
    }

    /// Returns true if there is an alternate stack, and SP is elsewhere.
    pub(crate) fn is_free(&self, sp: u64) -> bool {
        self.size > 0 && !self.holds(sp)
    }

    /// Returns true if a frame on the alternate stack would extend below its base. `comes`: the
    /// frame would be the first one on it.
    pub(crate) fn overflows(&self, frame: u64, sp: u64, comes: bool) -> bool {
        (comes || self.holds(sp)) && !(self.base..self.end()).contains(&frame)
    }

    /// The bytes of `stack_t`: base, flags (4 bytes and 4 of padding), size.
    pub(crate) fn bytes(&self, sp: u64, record: Record) -> Vec<u8> {
        record.u64(self.base).u32(self.status(sp)).u32(0).u64(self.size).bytes().to_vec()
    }

    /// The flags as `sigaltstack` reports them.
    pub(crate) fn status(&self, sp: u64) -> u32 {
        let state = match self.size {
            0 => NONE,
            _ if self.holds(sp) => IN_USE,
            _ => 0,
        };
        state | self.flags & DISARM
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alternate_stack_is_free_where_sp_is_elsewhere() {
        // Linux `include/linux/sched/signal.h`, `sas_ss_flags`: SP at the end is on the stack, SP
        // at the base is not.
        let stack = AltStack::new(0x1000, 0, 0x2000);
        assert_eq!([0x1000, 0x1008, 0x3000, 0x3008].map(|sp| stack.is_free(sp)), [true, false, false, true]);
        assert_eq!([0x1000, 0x1008].map(|sp| stack.status(sp)), [0, IN_USE]);
        assert_eq!((AltStack::UNSET.is_free(0x1008), AltStack::UNSET.status(0x1008)), (false, NONE));
        let disarms = AltStack::new(0x1000, DISARM, 0x2000);
        assert_eq!((disarms.is_free(0x1008), disarms.status(0x1008)), (true, DISARM));
        assert_eq!(
            [(0xff8, true), (0xff8, false), (0x1000, true)].map(|(at, comes)| stack.overflows(at, 0x8000, comes)),
            [true, false, false]
        );
    }
}
