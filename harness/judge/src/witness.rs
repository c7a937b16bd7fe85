//! The true frame at one PC in the form of a row, so that a person can compare it with both tables.

use types::{Abi, CfaRule, Claim, Equations, Frame, Location, PacKey, Reg, RegFile as _, Step, ValueRule};

/// True locations of the caller's values when a PC was first executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Witness {
    /// CFA minus SP; `None` in the outermost function.
    cfa_minus_sp: Option<i64>,
    ra: Location,
    fp: Location,
    signed_by: Option<PacKey>,
    signed_with_pc: bool,
}

/// Distance in bytes below the CFA that is searched for a saved value.
const SEARCH: i64 = 4096;

impl Witness {
    /// Searches for the true values. Bounded, but not cheap: for first visits.
    pub fn new(step: &Step<'_>) -> Witness {
        let facts = step.regs.abi.facts();
        let Some(frame) = step.frames.innermost() else {
            let (ra, fp) = (Location::Elsewhere, Location::Elsewhere);
            return Witness { cfa_minus_sp: None, ra, fp, signed_by: None, signed_with_pc: false };
        };
        let in_register = |reg, value| step.regs.read(reg) == Some(value);
        let home = |held: bool, value: u64| match held {
            true => Location::Rule(ValueRule::SameValue),
            false => search(step, frame, value),
        };
        Witness {
            cfa_minus_sp: Some(frame.cfa.wrapping_sub(step.regs.sp) as i64),
            ra: home(facts.link_register && in_register(facts.ra, frame.raw_ra), frame.raw_ra),
            fp: home(in_register(facts.fp, frame.fp), frame.fp),
            signed_by: frame.signed_by,
            signed_with_pc: frame.signed_with_pc,
        }
    }

    /// The true frame in the form of a row.
    pub fn claim(&self, abi: Abi) -> Claim {
        let Some(offset) = self.cfa_minus_sp else { return Claim::NoCaller };
        let cfa = CfaRule::Register { reg: abi.facts().sp, offset };
        let Witness { ra, fp, signed_by, signed_with_pc, .. } = *self;
        Claim::Row(Equations { abi, cfa, ra, fp, sp: None, signed_by, signed_with_pc, signal: false }, None)
    }
}

/// The slot nearest to the CFA that holds the value, else a register that does. On s390x registers
/// are saved above SP in the caller's area, which is also below the CFA.
fn search(step: &Step<'_>, frame: &Frame, value: u64) -> Location {
    (1..=SEARCH / 8)
        .map(|slot| -8 * slot)
        .take_while(|offset| frame.cfa.wrapping_add_signed(*offset) >= step.stack.live_from)
        .find(|offset| step.stack.read(frame.cfa.wrapping_add_signed(*offset)) == Ok(value))
        .map(|offset| Location::Rule(ValueRule::AtCfa(offset)))
        .or_else(|| {
            let registers = 0..step.regs.abi.facts().keeping_registers;
            let holder = registers.map(Reg).find(|reg| step.regs.read(*reg) == Some(value));
            holder.map(|reg| Location::Rule(ValueRule::Register { reg, offset: 0 }))
        })
        .unwrap_or(Location::Elsewhere)
}
