//! Parses the text that [`Claim`] prints.

use crate::{Abi, CfaRule, Claim, Equations, ExprId, Fault, Location, PacKey, Reg, RowFault, ValueRule};
use alloc::borrow::ToOwned as _;
use alloc::boxed::Box;
use alloc::string::ToString as _;

impl Claim {
    /// Parses a claim with the target's register names. Any other text gives [`Claim::Printed`];
    /// the number of an expression is not printed, so it is read as 0.
    pub fn read(abi: Abi, text: &str) -> Claim {
        let printed = || Claim::Printed(text.to_owned());
        let row = || {
            let (row, flaw) = text.split_once("; ").map_or((text, None), |(row, flaw)| (row, Some(flaw)));
            let flaw = flaw.map_or(Some(None), |flaw| read_flaw(flaw).map(Some))?;
            equations(abi, row).map(|row| Claim::Row(row, flaw))
        };
        Claim::without_row(text).or_else(row).unwrap_or_else(printed)
    }

    /// Parses a claim without a row, which has the same text on every target.
    pub fn without_row(text: &str) -> Option<Claim> {
        let (kind, fault) = text.split_once("; ").map_or((text, None), |(kind, fault)| (kind, Some(fault)));
        let claim = match kind {
            "no row" => Claim::NoRow,
            "-" => Claim::Nothing,
            "no caller" => Claim::NoCaller,
            "no caller: execution began here" => Claim::BeganHere,
            _ => {
                let depth = kind.strip_suffix(" frames up").or_else(|| kind.strip_suffix(" frame up"));
                Claim::FramesUp(depth?.parse().ok()?)
            }
        };
        match fault {
            None => Some(claim),
            Some(fault) => read_fault(fault).map(|fault| Claim::Fault(Box::new(claim), fault)),
        }
    }
}

fn equations(abi: Abi, text: &str) -> Option<Equations> {
    let mut words = text.split(' ').peekable();
    let cfa = cfa_rule(abi, words.next()?.strip_prefix("cfa=")?)?;
    let ra = place(abi, words.next()?.strip_prefix("ra=")?)?;
    let fp = place(abi, words.next()?.strip_prefix("fp=")?)?;
    let mut row = Equations { abi, cfa, ra, fp, sp: None, signed_by: None, signed_with_pc: false, signal: false };
    if let Some(sp) = words.peek().and_then(|word| word.strip_prefix("sp=")) {
        row.sp = Some(value_rule(abi, sp)?);
        words.next();
    }
    if let Some(signed) = words.peek().and_then(|word| word.strip_prefix("signed:")) {
        let (key, with_pc) = signed.strip_suffix("+pc").map_or((signed, false), |key| (key, true));
        row.signed_by = Some(match key {
            "A" => PacKey::A,
            "B" => PacKey::B,
            _ => return None,
        });
        row.signed_with_pc = with_pc;
        words.next();
    }
    row.signal = words.next_if_eq(&"signal").is_some();
    words.next().is_none().then_some(row)
}

fn cfa_rule(abi: Abi, text: &str) -> Option<CfaRule> {
    match (text, bracketed(text)) {
        ("expression", _) => Some(CfaRule::Expression(ExprId(0))),
        ("none", _) => Some(CfaRule::Unspecified),
        (_, Some(inner)) => sum(abi, inner).map(|(reg, offset)| CfaRule::Memory { reg, offset }),
        (_, None) => sum(abi, text).map(|(reg, offset)| CfaRule::Register { reg, offset }),
    }
}

fn place(abi: Abi, text: &str) -> Option<Location> {
    if text == "elsewhere" { Some(Location::Elsewhere) } else { value_rule(abi, text).map(Location::Rule) }
}

fn value_rule(abi: Abi, text: &str) -> Option<ValueRule> {
    let inner = bracketed(text);
    if let Some(offset) = inner.unwrap_or(text).strip_prefix("cfa").filter(|offset| offset.starts_with(['+', '-'])) {
        let offset = offset.parse().ok()?;
        return Some(if inner.is_some() { ValueRule::AtCfa(offset) } else { ValueRule::CfaPlus(offset) });
    }
    match (text, inner) {
        ("same", _) => Some(ValueRule::SameValue),
        ("undefined", _) => Some(ValueRule::Undefined),
        ("expression", _) => Some(ValueRule::Expression(ExprId(0))),
        (_, Some(inner)) => sum(abi, inner).map(|(reg, offset)| ValueRule::Memory { reg, offset }),
        (_, None) => sum(abi, text).map(|(reg, offset)| ValueRule::Register { reg, offset }),
    }
}

fn bracketed(text: &str) -> Option<&str> {
    text.strip_prefix('[')?.strip_suffix(']')
}

/// Parses a register and an offset.
fn sum(abi: Abi, text: &str) -> Option<(Reg, i64)> {
    let (name, offset) = text.find(['+', '-']).map_or((text, None), |at| (&text[..at], Some(&text[at..])));
    Some((register(abi, name)?, offset.map_or(Some(0), |offset| offset.parse().ok())?))
}

/// Parses a register by the ABI's name, or as `reg` and its number if it has no name.
fn register(abi: Abi, name: &str) -> Option<Reg> {
    /// Registers from this number on have no names.
    const NAMED: u16 = 146;
    let by_name = (0..NAMED).map(Reg).find(|reg| abi.register_name(*reg).as_deref() == Some(name));
    by_name.or_else(|| name.strip_prefix("reg")?.parse().ok().map(Reg))
}

fn read_flaw(text: &str) -> Option<RowFault> {
    match (text, text.strip_prefix("FP: ")) {
        ("no caller", _) => Some(RowFault::Outermost),
        (_, Some(fault)) => read_fault(fault).map(RowFault::Fp),
        (_, None) => read_fault(text).map(RowFault::Row),
    }
}

fn read_fault(text: &str) -> Option<Fault> {
    let plain = [Fault::NoFunction, Fault::NoRow, Fault::NoCfa, Fault::Expression, Fault::Overflow];
    if let Some(fault) = plain.into_iter().find(|fault| fault.to_string() == text) {
        return Some(fault);
    }
    // The only number in a fault follows "reg" or "0x".
    let (word, radix) = if text.contains(" reg") { (" reg", 10) } else { (" 0x", 16) };
    let digits = text.split_once(word)?.1.split(' ').next()?;
    let number = u64::from_str_radix(digits, radix).ok()?;
    let reg = Reg(u16::try_from(number).unwrap_or_default());
    let named = [
        Fault::UnknownRegister { reg },
        Fault::DeadMemory { address: number },
        Fault::UnreadableMemory { address: number },
    ];
    named.into_iter().find(|fault| fault.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::{Abi, CfaRule, Claim, Equations, Fault, Location, PacKey, Reg, RowFault, ValueRule};
    use alloc::borrow::ToOwned as _;
    use alloc::boxed::Box;
    use alloc::string::ToString as _;
    use alloc::vec;
    use alloc::vec::Vec;

    /// Every form of a rule, a fault and a claim without a row, on every target.
    #[test]
    fn what_is_printed_is_read_back() {
        let faults = [
            Fault::NoFunction,
            Fault::NoRow,
            Fault::NoCfa,
            Fault::UnknownRegister { reg: Reg(31) },
            Fault::DeadMemory { address: 0x10 },
            Fault::UnreadableMemory { address: u64::MAX },
            Fault::Expression,
            Fault::Overflow,
        ];
        for abi in Abi::ALL {
            let sums = (0..200).map(Reg).zip([0, 8, -16, i64::MIN].into_iter().cycle());
            let mut rules =
                vec![ValueRule::SameValue, ValueRule::Undefined, ValueRule::AtCfa(0), ValueRule::CfaPlus(-8)];
            let mut cfas = vec![CfaRule::Unspecified, CfaRule::Expression(crate::ExprId(0))];
            for (reg, offset) in sums {
                rules.extend([ValueRule::Register { reg, offset }, ValueRule::Memory { reg, offset }]);
                cfas.extend([CfaRule::Register { reg, offset }, CfaRule::Memory { reg, offset }]);
            }
            rules.push(ValueRule::Expression(crate::ExprId(0)));
            let flaws = faults.iter().flat_map(|fault| [RowFault::Fp(*fault), RowFault::Row(*fault)]);
            let mut flaws: Vec<Option<RowFault>> = flaws.map(Some).collect();
            flaws.extend([None, Some(RowFault::Outermost)]);
            let mut claims: Vec<Claim> = vec![Claim::NoRow, Claim::Nothing, Claim::NoCaller, Claim::BeganHere];
            claims.push(Claim::FramesUp(3));
            claims.extend(faults.iter().map(|fault| Claim::Fault(Box::new(Claim::NoRow), *fault)));
            for nth in 0..cfas.len().max(rules.len()) {
                let rule = rules[nth % rules.len()];
                let row = Equations {
                    abi,
                    cfa: cfas[nth % cfas.len()],
                    ra: Location::Rule(rule),
                    fp: if nth % 3 == 0 { Location::Elsewhere } else { Location::Rule(rules[(nth + 1) % rules.len()]) },
                    sp: (nth % 4 == 0).then_some(rule),
                    signed_by: [None, Some(PacKey::A), Some(PacKey::B)][nth % 3],
                    signed_with_pc: nth % 6 == 1,
                    signal: nth % 5 == 0,
                };
                claims.push(Claim::Row(row, flaws[nth % flaws.len()]));
            }
            for claim in claims {
                assert_eq!(Claim::read(abi, &claim.to_string()), claim, "{claim}");
            }
        }
    }

    #[test]
    fn what_nobody_prints_stays_text() {
        for text in ["", "cfa=rsp+8", "cfa=rsp+8 ra=[cfa-8 fp=same", "cfa=rsp+8 ra=same fp=same twice", "no row; tired"]
        {
            assert_eq!(Claim::read(Abi::Amd64, text), Claim::Printed(text.to_owned()));
        }
    }
}
