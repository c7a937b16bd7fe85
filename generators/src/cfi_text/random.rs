//! Random legal files, by ABI and seed.
//!
//! Each function uses a random subset of the kinds of directives: with all kinds in every function
//! the common ones would always hide the rare ones (Groce and others: Swarm testing, ISSTA 2012).

use types::{Abi, Rng};

use super::directive::Directive;
use super::escape::Escape;
use super::function::{Function, Line, Program};
use super::register::{Register, Role, by_role, registers};
use crate::arch::target;

/// Draws a file of one to six functions.
pub fn program(abi: Abi, seed: u64) -> Program {
    let mut rng = Rng::new(seed ^ (u64::from(abi.facts().sframe_id) << 56));
    let count = 1 + rng.below(6);
    let functions = (0..count).map(|index| function(abi, index, &mut rng)).collect();
    Program { abi, functions }
}

/// Number of kinds of directives that [`pick`] draws from.
const KINDS: u64 = 19;

fn function(abi: Abi, index: u64, rng: &mut Rng) -> Function {
    let kinds: Vec<u64> = (0..KINDS).filter(|kind| rng.one_in(if is_rare(*kind) { 12 } else { 3 })).collect();
    let far = rng.one_in(4);
    let simple = rng.one_in(12);
    let mut function = Function {
        name: format!("f{index}"),
        simple,
        own_section: rng.one_in(8),
        handlers: rng.one_in(8),
        lines: start(abi, simple, rng),
    };
    for _ in 0..rng.below(16) {
        if kinds.is_empty() || rng.below(10) < 4 {
            let skip = [2, 100, 252, 256, 1024, 65_532, 65_536];
            let code = if far && rng.one_in(3) { Line::Skip(rng.pick(&skip) / 4 * 4) } else { Line::Nop };
            function.lines.push(code);
            continue;
        }
        let directive = pick(abi, rng.pick(&kinds), rng);
        function.lines.push(Line::Cfi(directive));
        if !function.is_legal() {
            function.lines.pop();
        }
    }
    if !rng.one_in(8) {
        function.lines.push(Line::Nop);
    }
    function
}

/// Kinds for which most assemblers omit the whole function: drawn rarely, so that the others are
/// covered too.
fn is_rare(kind: u64) -> bool {
    matches!(kind, 6 | 15 | 17 | 18)
}

/// The rules at function entry as directives, which `simple` omits.
fn start(abi: Abi, simple: bool, rng: &mut Rng) -> Vec<Line> {
    if !simple || rng.one_in(10) {
        return Vec::new();
    }
    let facts = abi.facts();
    let mut lines = vec![Line::Cfi(Directive::DefCfa(by_role(abi, Role::Sp), facts.cfa_minus_sp_at_entry))];
    if !facts.link_register {
        lines.push(Line::Cfi(Directive::Offset(by_role(abi, Role::Ra), -8)));
    }
    lines
}

fn pick(abi: Abi, kind: u64, rng: &mut Rng) -> Directive {
    let any = |rng: &mut Rng| rng.pick(registers(abi));
    let tracked = |rng: &mut Rng| {
        let role = rng.pick(&[Role::Fp, Role::Ra, Role::Fp, Role::Ra, Role::Sp, Role::Other]);
        if role == Role::Other { any(rng) } else { by_role(abi, role) }
    };
    let saved = |rng: &mut Rng| loop {
        let register = tracked(rng);
        if register.role != Role::Sp || rng.one_in(10) {
            return register;
        }
    };
    let base = |rng: &mut Rng| {
        let role = rng.pick(&[Role::Sp, Role::Fp, Role::Sp, Role::Fp, Role::Other]);
        if role == Role::Other { holder(abi, rng) } else { by_role(abi, role) }
    };
    let escaped = |rng: &mut Rng| {
        let (of, base) = (any(rng), base(rng));
        Directive::Escape(escape(abi, rng, of, base))
    };
    match kind {
        0 | 1 => Directive::DefCfaOffset(cfa_offset(abi, rng)),
        2 => Directive::AdjustCfaOffset(rng.pick(&[8, 16, -8, -16, 0, 4, 160, -160, 4096])),
        3 => Directive::DefCfa(base(rng), cfa_offset(abi, rng)),
        4 => Directive::DefCfaRegister(base(rng)),
        5 => Directive::Offset(saved(rng), slot(rng)),
        6 => Directive::ValOffset(tracked(rng), slot(rng)),
        7 => Directive::RelOffset(saved(rng), slot(rng)),
        8 | 9 => Directive::Restore(tracked(rng)),
        10 | 11 => Directive::RememberState,
        12 | 13 => Directive::RestoreState,
        14 => Directive::SameValue(saved(rng)),
        15 if rng.one_in(2) => Directive::Undefined(saved(rng)),
        15 => Directive::Register(saved(rng), holder(abi, rng)),
        16 => signing_or(abi, rng, |rng| Directive::Register(saved(rng), holder(abi, rng))),
        17 => escaped(rng),
        _ => match rng.below(6) {
            0 => Directive::SignalFrame,
            1 => Directive::ReturnColumn(any(rng)),
            2 | 3 => Directive::Undefined(by_role(abi, Role::Ra)),
            _ => escaped(rng),
        },
    }
}

/// A random register that can hold an address.
fn holder(abi: Abi, rng: &mut Rng) -> Register {
    loop {
        let register = rng.pick(registers(abi));
        if register.number <= target(abi).last_holder {
            return register;
        }
    }
}

fn signing_or(abi: Abi, rng: &mut Rng, other: impl Fn(&mut Rng) -> Directive) -> Directive {
    if target(abi).signs && !rng.one_in(4) {
        rng.pick(&[Directive::NegateRaState, Directive::NegateRaState, Directive::WindowSave, Directive::BKeyFrame])
    } else {
        other(rng)
    }
}

fn escape(abi: Abi, rng: &mut Rng, of: Register, base: Register) -> Escape {
    let near = rng.pick(&[0, 8, -8, 16, -16, 63, -64, 64, 200]);
    match rng.below(11) {
        0 => Escape::Nop(rng.pick(&[1, 2, 3])),
        1 => Escape::ArgsSize(rng.pick(&[0, 0, 16, 200])),
        2 | 3 => Escape::Expression(of, base, near),
        4 => Escape::ValExpression(of, base, near),
        5 => Escape::CfaSum(base, near),
        6 | 7 => Escape::CfaLoad(by_role(abi, rng.pick(&[Role::Fp, Role::Sp])), near),
        8 => Escape::ValOffset(of, rng.pick(&[0, 1, 2])),
        9 => rng.pick(&[Escape::SameValue(of), Escape::Undefined(of)]),
        _ => Escape::NopAndSameValue(of),
    }
}

/// A random CFA offset: usually one of normal frames; sometimes one that needs a wider encoding, is
/// misaligned, or does not fit.
fn cfa_offset(abi: Abi, rng: &mut Rng) -> i64 {
    let at_entry = abi.facts().cfa_minus_sp_at_entry;
    match rng.below(40) {
        0..=25 => at_entry + 8 * i64::try_from(rng.below(10)).unwrap_or(0),
        26..=33 => rng.pick(&[120, 127, 128, 255, 256, 1176, 1184, 32_760, 32_767, 32_768, 65_536, 262_296, 262_304]),
        34 => rng.pick(&[1, 4, 12, 164, 156, 100]),
        35 | 36 => rng.pick(&[0, 0, 8, 16]),
        37 | 38 => rng.pick(&[-8, -16, -128, -136, -32_768, -32_776]),
        _ => rng.pick(&[i64::from(i32::MAX), i64::from(i32::MAX) - 7, i64::from(i32::MIN), 1 << 31, 1 << 33]),
    }
}

fn slot(rng: &mut Rng) -> i64 {
    match rng.below(60) {
        0..=39 => -8 * i64::try_from(rng.below(10) + 1).unwrap_or(1),
        40..=48 => rng.pick(&[-120, -128, -136, -256, -32_760, -32_768, -32_776, -65_536]),
        49 => rng.pick(&[-1, -4, -12, 4, 3]),
        50..=53 => rng.pick(&[0, 0, 8, 16]),
        54..=58 => rng.pick(&[8, 16, 24, 120, 128, 32_760, 32_768]),
        _ => rng.pick(&[i64::from(i32::MIN), i64::from(i32::MAX) - 7, -(1 << 33)]),
    }
}
