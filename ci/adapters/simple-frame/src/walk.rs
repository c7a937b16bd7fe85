//! All callers of a stack, by the rows that the crate gives: it has no walker of its own.

use std::collections::HashMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::hex;
use crate::row::{Answer, Base, Location, Row, Target};

/// Registers and memory, as far as they are known.
pub(crate) struct Machine {
    registers: HashMap<i32, u64>,
    memory: HashMap<u64, u64>,
}

impl Machine {
    /// Parses `rN=... @ADDRESS=...`.
    pub(crate) fn parse(state: &[&str]) -> Option<Machine> {
        let mut machine = Machine { registers: HashMap::new(), memory: HashMap::new() };
        for word in state {
            let (name, value) = word.split_once('=')?;
            match (name.strip_prefix('r'), name.strip_prefix('@')) {
                (Some(number), _) => drop(machine.registers.insert(number.parse().ok()?, hex(value)?)),
                (None, address) => drop(machine.memory.insert(hex(address?)?, hex(value)?)),
            }
        }
        Some(machine)
    }

    fn value(&self, place: Location, cfa: Option<u64>, same: Option<i32>) -> Option<u64> {
        let register = |number: i32| self.registers.get(&number).copied();
        match place {
            Location::Same => register(same?),
            Location::Of { base, offset, loaded } => {
                let base = match base {
                    Base::Register(number) => register(number)?,
                    Base::Cfa => cfa?,
                };
                let sum = base.wrapping_add_signed(i64::from(offset));
                if loaded { self.memory.get(&sum).copied() } else { Some(sum) }
            }
        }
    }
}

/// `chain PC...`, for `MOST PC rN=... @ADDRESS=...`. `None` if the question has another form.
pub(crate) fn chain(target: &Target, question: &[&str], look: impl Fn(u64) -> Option<Answer>) -> Option<String> {
    let [most, pc, state @ ..] = question else { return None };
    let (most, pc): (usize, u64) = (most.parse().ok()?, hex(pc)?);
    let mut machine = Machine::parse(state)?;
    let (mut line, mut at) = ("chain".to_owned(), pc);
    for _ in 0..most {
        let Some(Answer::Row(row)) = look(at) else { break };
        let Some(caller) = caller(target, &mut machine, &row) else { break };
        line.push_str(&format!(" {caller:#x}"));
        at = if row.signal { caller } else { caller.wrapping_sub(1) };
    }
    Some(line)
}

/// Time of the fastest of some passes over questions, each a step to the caller.
pub(crate) fn time(
    target: &Target,
    asked: &[(u64, Machine)],
    passes: u32,
    look: impl Fn(u64) -> Option<Answer>,
) -> Duration {
    let pass = |_| {
        let began = Instant::now();
        for (pc, machine) in asked {
            let Some(Answer::Row(row)) = look(*pc) else { continue };
            let cfa = machine.value(row.cfa, None, None);
            black_box((machine.value(row.ra, cfa, target.link), machine.value(row.fp, cfa, Some(target.fp))));
        }
        began.elapsed()
    };
    (0..passes).map(pass).min().unwrap_or_default()
}

/// Where the caller continues; its registers come in place of the others.
fn caller(target: &Target, machine: &mut Machine, row: &Row) -> Option<u64> {
    let cfa = machine.value(row.cfa, None, None)?;
    let ra = machine.value(row.ra, Some(cfa), target.link)?;
    let fp = machine.value(row.fp, Some(cfa), Some(target.fp));
    machine.registers = HashMap::from([(target.sp, cfa.wrapping_add_signed(target.caller_sp))]);
    machine.registers.extend(fp.map(|fp| (target.fp, fp)));
    // The upper bytes of a signed address hold its signature.
    Some(if row.signed { ra & ((1 << 48) - 1) } else { ra })
}
