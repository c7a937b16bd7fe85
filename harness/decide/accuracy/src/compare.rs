//! Compares a chain with the true frames.

use types::{Abi, Frame};

use crate::{Caller, Mark};

/// Differences between a chain and the true frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Compared {
    /// Number of right callers, from the innermost on.
    pub(crate) right: usize,
    /// True if it omits a frame and continues after it.
    pub(crate) skips: bool,
    /// True if it contains a frame that does not exist.
    pub(crate) invents: bool,
    /// True if it ends too early.
    pub(crate) ends_early: bool,
}

/// Compares found callers with the true ones, both innermost first. `sp` is that of the innermost
/// frame, `expected` the number of callers of a complete chain.
pub(crate) fn compare(abi: Abi, sp: u64, found: &[Caller], truth: &[Frame], expected: usize) -> Compared {
    let is = |caller: &Caller, index: usize| {
        let from = index.checked_sub(1).and_then(|below| truth.get(below)).map_or(sp, |below| below.cfa);
        truth.get(index).is_some_and(|frame| is_frame(abi, caller, from, frame))
    };
    let right = found.iter().enumerate().take_while(|(index, caller)| is(caller, *index)).count();
    let (mut next, mut skips, mut invents) = (0, false, false);
    for caller in found {
        match (next..truth.len()).find(|index| is(caller, *index)) {
            Some(index) => {
                skips |= index > next;
                next = index + 1;
            }
            None => invents = true,
        }
    }
    Compared { right, skips, invents, ends_early: next < expected }
}

/// Returns true if a caller is the true one of a frame that begins at this SP.
fn is_frame(abi: Abi, caller: &Caller, from: u64, truth: &Frame) -> bool {
    let of_frame = match caller.mark {
        Mark::CallerSp(sp) => sp == truth.cfa.wrapping_add_signed(abi.facts().caller_sp_minus_cfa),
        // If the frames are on two stacks, only the end is known.
        Mark::Record(record) => record < truth.cfa && (record >= from || from > truth.cfa),
    };
    of_frame && caller.frame.at.pc() == truth.ra
}

#[cfg(test)]
mod tests {
    use types::{CodePoint, FrameRegs, Pc};

    use super::*;
    use crate::Position;

    /// Three callers with frames of 0x20 bytes; the first two are of one function, at one call.
    fn truth() -> Vec<Frame> {
        [(0x500, 0x1020), (0x500, 0x1040), (0x600, 0x1060)].map(|(ra, cfa)| Frame::called(Pc(ra), cfa, 0)).to_vec()
    }

    fn caller(ra: u64, mark: Mark) -> Caller {
        let frame = Position { at: CodePoint::AfterCall(Pc(ra)), regs: FrameRegs::none(), innermost: false };
        Caller { mark, frame }
    }

    fn compared(found: &[(u64, Mark)]) -> Compared {
        let found: Vec<Caller> = found.iter().map(|(ra, mark)| caller(*ra, *mark)).collect();
        compare(Abi::Amd64, 0x1000, &found, &truth(), 3)
    }

    #[test]
    fn each_way_to_be_wrong() {
        use Mark::{CallerSp, Record};
        let (one, two, three) = ((0x500, CallerSp(0x1020)), (0x500, CallerSp(0x1040)), (0x600, Record(0x1050)));
        let is = |right, skips, invents, ends_early| Compared { right, skips, invents, ends_early };
        assert_eq!(compared(&[one, two, three]), is(3, false, false, false));
        assert_eq!(compared(&[(0x500, Record(0x1010)), two]), is(2, false, false, true));
        // Recursion: the return address is equal, the frame differs.
        assert_eq!(compared(&[two, three]), is(0, true, false, false));
        assert_eq!(compared(&[(0x500, Record(0x1030)), three]), is(0, true, false, false));
        assert_eq!(compared(&[one, (0x700, CallerSp(0x1040)), three]), is(1, true, true, false));
        assert_eq!(compared(&[one, two, three, (0x800, CallerSp(0x1080))]), is(3, false, true, false));
        assert_eq!(compared(&[]), is(0, false, false, true));
    }
}
