//! The truth at one PC in the words of a table row, so that a reader can hold it against both tables.

use model::{Abi, Frame, PacKey, Reg, RegFile as _, Step};

/// Where the caller's values really were when a PC was first executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Witness {
    /// CFA minus SP; none in the outermost function.
    cfa_minus_sp: Option<i64>,
    ra: Home,
    fp: Home,
    signed_by: Option<PacKey>,
}

/// Where a value was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home {
    /// Still in its register.
    Register,
    /// In memory at CFA + n.
    AtCfa(i64),
    /// In another register.
    In(Reg),
    /// Somewhere else.
    Elsewhere,
}

/// How far below the CFA the stack is searched for a saved value.
const SEARCH: i64 = 4096;

impl Witness {
    /// Looks where the true values are. Bounded, but not cheap: for first visits.
    pub fn of(step: &Step<'_>) -> Witness {
        let facts = step.regs.abi.facts();
        let Some(frame) = step.frames.innermost() else {
            return Witness { cfa_minus_sp: None, ra: Home::Elsewhere, fp: Home::Elsewhere, signed_by: None };
        };
        let in_register = |reg, value| step.regs.read(reg) == Some(value);
        let home = |held: bool, value: u64| match held {
            true => Home::Register,
            false => search(step, frame, value),
        };
        Witness {
            cfa_minus_sp: Some(frame.cfa.wrapping_sub(step.regs.sp) as i64),
            ra: home(facts.link_register && in_register(facts.ra, frame.raw_ra), frame.raw_ra),
            fp: home(in_register(facts.fp, frame.fp), frame.fp),
            signed_by: frame.signed_by,
        }
    }

    /// As text in the form of [`model::UnwindRow::describe`].
    pub fn describe(&self, abi: Abi) -> String {
        let Some(offset) = self.cfa_minus_sp else { return "no caller".to_owned() };
        let facts = abi.facts();
        let name = |reg| abi.register_name(reg).unwrap_or_default();
        let text = |home: Home| match home {
            Home::Register => "same".to_owned(),
            Home::AtCfa(n) => format!("[cfa{n:+}]"),
            Home::In(reg) => name(reg),
            Home::Elsewhere => "elsewhere".to_owned(),
        };
        let base = if offset == 0 { name(facts.sp) } else { format!("{}{offset:+}", name(facts.sp)) };
        let signed = match self.signed_by {
            None => "",
            Some(PacKey::A) => " signed:A",
            Some(PacKey::B) => " signed:B",
        };
        format!("cfa={base} ra={} fp={}{signed}", text(self.ra), text(self.fp))
    }
}

/// The slot nearest to the CFA that holds the value, else a register that does; on s390x registers are saved above SP in the caller's area, below the CFA too.
fn search(step: &Step<'_>, frame: &Frame, value: u64) -> Home {
    (1..=SEARCH / 8)
        .map(|slot| -8 * slot)
        .take_while(|offset| frame.cfa.wrapping_add_signed(*offset) >= step.stack.live_from)
        .find(|offset| step.stack.read(frame.cfa.wrapping_add_signed(*offset)) == Ok(value))
        .map(Home::AtCfa)
        .or_else(|| (0..32).map(Reg).find(|reg| step.regs.read(*reg) == Some(value)).map(Home::In))
        .unwrap_or(Home::Elsewhere)
}
