//! The chain of frame records starting at FP: AMD64 and AArch64.

use results::UnwindMethod;
use types::{Abi, CodePoint, FrameRegs, Pc, RegFile as _, Stack};

use super::patterns::{Recognised, Recognises};
use crate::{Caller, Lost, Mark, Method, Parts, Position};

/// Walks frame records: `[FP]` is the caller's FP, `[FP+8]` the return address (System V AMD64
/// psABI, figure 3.3; AAPCS64, "The Frame Pointer"). It stops if FP is not an aligned stack
/// address, does not ascend, or the return address is not code.
pub struct FramePointer<'p> {
    pub(crate) abi: Abi,
    pub(crate) parts: &'p Parts<'p>,
}

impl Method for FramePointer<'_> {
    fn name(&self) -> UnwindMethod {
        UnwindMethod::FramePointer
    }

    fn caller(&self, frame: &Position, stack: &Stack<'_>) -> Result<Option<Caller>, Lost> {
        let facts = self.abi.facts();
        let fp = frame.regs.read(facts.fp).ok_or(Lost::Unreadable)?;
        if fp == 0 {
            return Ok(None);
        }
        if fp % 8 != 0 {
            return Err(Lost::Unreadable);
        }
        let word = |address: u64| stack.read(address).map_err(|_| Lost::Unreadable);
        let (next, ra) = (word(fp)?, word(fp.wrapping_add(8))? & facts.address_mask);
        let grows = frame.innermost || frame.regs.read(facts.sp).is_none_or(|above| fp >= above);
        if ra == 0 {
            return Ok(None);
        }
        if !grows || !self.parts.is_code(ra) {
            return Err(Lost::Unreadable);
        }
        let mut regs = FrameRegs::none();
        regs.set(facts.fp, Some(next));
        // The records of callers are above this one.
        regs.set(facts.sp, Some(fp.wrapping_add(16)));
        let frame = Position { at: CodePoint::AfterCall(Pc(ra)), regs, innermost: false };
        Ok(Some(Caller { mark: Mark::Record(fp), frame }))
    }
}

impl Recognises for FramePointer<'_> {
    const NAME: UnwindMethod = UnwindMethod::FramePointerPatterns;

    fn parts(&self) -> &Parts<'_> {
        self.parts
    }

    fn recognise(&self, code: &[u8], frame: &Position, stack: &Stack<'_>) -> Option<Recognised> {
        match self.abi {
            Abi::Amd64 => amd64(code, frame, stack),
            Abi::Aarch64 | Abi::Aarch64Be => aarch64(self.abi, code, frame, stack),
            // FP begins no chain on s390x.
            Abi::S390x => None,
        }
    }
}

/// Recognises instructions of prologues and epilogues around those that save and restore FP.
fn amd64(code: &[u8], frame: &Position, stack: &Stack<'_>) -> Option<Recognised> {
    let facts = Abi::Amd64.facts();
    let (sp, fp) = (frame.regs.read(facts.sp)?, frame.regs.read(facts.fp)?);
    // Number of bytes between SP and the return address.
    let above = match code {
        // endbr64; push %rbp; ret, rep ret.
        [0xf3, 0x0f, 0x1e, 0xfa, ..] | [0x55, ..] | [0xc3, ..] | [0xf3, 0xc3, ..] => 0,
        // mov %rsp,%rbp; pop %rbp, ret.
        [0x48, 0x89, 0xe5, ..] | [0x48, 0x8b, 0xec, ..] | [0x5d, 0xc3, ..] => 8,
        _ => return None,
    };
    let ra = stack.read(sp.checked_add(above)?).ok()?;
    let fp = if above == 0 { fp } else { stack.read(sp).ok()? };
    Some(Recognised { ra, mark: Mark::CallerSp(sp.checked_add(above + 8)?), fp })
}

fn aarch64(abi: Abi, code: &[u8], frame: &Position, stack: &Stack<'_>) -> Option<Recognised> {
    let facts = abi.facts();
    let (sp, fp) = (frame.regs.read(facts.sp)?, frame.regs.read(facts.fp)?);
    let word = u32::from_le_bytes(*code.first_chunk::<4>()?);
    let is = |mask: u32, bits: u32| word & mask == bits;
    // stp x29,x30,[sp,#-N]!; paciasp and pacibsp; bti; ret, retaa, retab; autiasp and autibsp.
    let unsaved = is(0xffe0_7fff, 0xa9a0_7bfd)
        || matches!(word, 0xd503_233f | 0xd503_237f | 0xd503_23bf | 0xd503_23ff)
        || is(0xffff_ff3f, 0xd503_241f)
        || matches!(word, 0xd65f_03c0 | 0xd65f_0bff | 0xd65f_0fff);
    if unsaved {
        return Some(Recognised { ra: frame.regs.read(facts.ra)?, mark: Mark::CallerSp(sp), fp });
    }
    // mov x29,sp or add x29,sp,#N: the record exists. The end of the frame is not known.
    if is(0xffc0_03ff, 0x9100_03fd) {
        let record = sp.checked_add(u64::from(word >> 10 & 0xfff))?;
        let (next, ra) = (stack.read(record).ok()?, stack.read(record.checked_add(8)?).ok()?);
        return Some(Recognised { ra, mark: Mark::Record(record), fp: next });
    }
    None
}
