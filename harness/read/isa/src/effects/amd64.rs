//! Effects of AMD64 instructions (Intel SDM volume 2).

use types::{Abi, Reg};

use super::Effect;
use crate::simple::{Address, Does, Operand, Operation, Segment, Simple, Size};

const FP: Reg = Abi::Amd64.facts().fp;
const SP: Reg = Abi::Amd64.facts().sp;

/// Bytes that a push moves SP by.
const WORD: i64 = 8;

/// The effects of a simple instruction; `None` if they are unknown.
pub(super) fn effects(simple: &Simple) -> Option<Vec<Effect>> {
    let wide = simple.size == Size::Eight;
    let Simple { does, to, from, .. } = *simple;
    Some(match (does, to, from) {
        (Does::Nothing | Does::Compares(_) | Does::Jumps | Does::BranchesIf(_), _, _) => Vec::new(),
        (Does::Pushes, _, Operand::Register(from)) => {
            vec![Effect::Sets { to: SP, base: SP, offset: -WORD }, Effect::Stores { from, base: SP, offset: 0 }]
        }
        (Does::Pushes, _, _) => vec![Effect::Sets { to: SP, base: SP, offset: -WORD }],
        (Does::Pops, Operand::Register(to), _) if to != SP => {
            vec![Effect::Loads { to, base: SP, offset: 0 }, Effect::Sets { to: SP, base: SP, offset: WORD }]
        }
        (Does::PushesTwo, Operand::Register(second), Operand::Register(first)) => {
            let push =
                |from| [Effect::Sets { to: SP, base: SP, offset: -WORD }, Effect::Stores { from, base: SP, offset: 0 }];
            [push(first), push(second)].concat()
        }
        (Does::PopsTwo, Operand::Register(second), Operand::Register(first)) => {
            let pop = |to| [Effect::Loads { to, base: SP, offset: 0 }, Effect::Sets { to: SP, base: SP, offset: WORD }];
            [pop(first), pop(second)].concat()
        }
        (Does::Leaves, _, _) => {
            vec![Effect::Sets { to: SP, base: FP, offset: WORD }, Effect::Loads { to: FP, base: SP, offset: -WORD }]
        }
        (Does::Moves, Operand::Register(to), Operand::Register(base)) if wide => {
            vec![Effect::Sets { to, base, offset: 0 }]
        }
        (Does::Moves, Operand::Register(to), Operand::Value(value)) => {
            vec![Effect::Constant { to, value: value.cast_signed() }]
        }
        (Does::Moves, Operand::Register(to), Operand::Memory(address)) if wide => match plain(&address) {
            Some((base, offset)) => vec![Effect::Loads { to, base, offset }],
            None => vec![Effect::Loses(to)],
        },
        (Does::Moves, Operand::Memory(address), Operand::Register(from)) if wide => match plain(&address) {
            Some((base, offset)) => vec![Effect::Stores { from, base, offset }],
            None => Vec::new(),
        },
        (Does::Moves, Operand::Memory(address), _) if wide => overwrites(&address),
        (Does::Exchanges, Operand::Register(reg), Operand::Memory(address))
        | (Does::Exchanges, Operand::Memory(address), Operand::Register(reg))
            if wide =>
        {
            overwrites(&address).into_iter().chain([Effect::Loses(reg)]).collect()
        }
        (Does::Addresses, Operand::Register(to), Operand::Memory(address)) if wide => match plain(&address) {
            Some((base, offset)) => vec![Effect::Sets { to, base, offset }],
            None => vec![Effect::Loses(to)],
        },
        (Does::Computes(operation @ (Operation::Add | Operation::Subtract)), Operand::Register(to), from) if wide => {
            let sign = if operation == Operation::Add { 1 } else { -1 };
            match from {
                Operand::Value(value) => {
                    vec![Effect::Sets { to, base: to, offset: value.cast_signed().wrapping_mul(sign) }]
                }
                Operand::Register(by) => vec![Effect::Adds { to, base: to, by, sign }],
                Operand::Second(_) | Operand::Vector(_) | Operand::Memory(_) => vec![Effect::Loses(to)],
            }
        }
        (
            Does::ComputesInto(operation @ (Operation::Add | Operation::Subtract), base),
            Operand::Register(to),
            from @ (Operand::Value(_) | Operand::Register(_)),
        ) if wide => {
            let sign = if operation == Operation::Add { 1 } else { -1 };
            vec![match from {
                Operand::Value(value) => Effect::Sets { to, base, offset: value.cast_signed().wrapping_mul(sign) },
                Operand::Register(by) => Effect::Adds { to, base, by, sign },
                Operand::Second(_) | Operand::Vector(_) | Operand::Memory(_) => Effect::Loses(to),
            }]
        }
        (
            Does::Moves
            | Does::ComputesInto(..)
            | Does::ZeroExtends(_)
            | Does::SignExtends(_)
            | Does::Addresses
            | Does::MovesIf(_)
            | Does::SetsIf(_)
            | Does::Computes(_)
            | Does::MultipliesBy(_)
            | Does::ShiftsIn(..)
            | Does::Finds(_)
            | Does::Vector(_),
            to,
            _,
        ) => match to {
            Operand::Register(to) | Operand::Second(to) => vec![Effect::Loses(to)],
            Operand::Vector(_) | Operand::Memory(_) | Operand::Value(_) => Vec::new(),
        },
        (
            Does::Pops
            | Does::PushesTwo
            | Does::PopsTwo
            | Does::Exchanges
            | Does::ExchangesAndAdds
            | Does::ComparesAndExchanges
            | Does::SpreadsSign
            | Does::Multiplies(_),
            _,
            _,
        ) => return None,
    })
}

/// The register and the offset by which a simple instruction finds the 8 bytes that it stores.
pub(super) fn stored(simple: &Simple) -> Option<(Reg, i64)> {
    let wide = simple.size == Size::Eight;
    match (simple.does, simple.to, simple.from) {
        (Does::Moves | Does::Exchanges, Operand::Memory(address), _)
        | (Does::Exchanges, _, Operand::Memory(address))
            if wide =>
        {
            plain(&address)
        }
        _ => None,
    }
}

fn overwrites(address: &Address) -> Vec<Effect> {
    plain(address).map(|(base, offset)| Effect::Overwrites { base, offset }).into_iter().collect()
}

/// Base register and offset of an address that has no index and no segment; else `None`.
fn plain(address: &Address) -> Option<(Reg, i64)> {
    let alone = address.segment == Segment::Flat && address.index.is_none();
    Some((address.base.filter(|_| alone)?, address.offset.cast_signed()))
}
