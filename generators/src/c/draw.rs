//! Draws a program: two to six functions, each with a few statements of any kind.

use types::Rng;

use super::arguments::{Aggregate, Variadic};
use super::assembly::Push;
use super::calls::{Call, Recurse};
use super::control::{EarlyReturn, If, Loop, Switch};
use super::fragment::{
    ASM_GOTO, CLEANUP, COLD, COMPUTED_GOTO, FRAME_ADDRESS, INTERRUPT, LANDING, NAKED, NESTED, NO_RETURN,
    NO_RETURN_IN_BLOCK, RETURN_ADDRESS, SCALABLE,
};
use super::frames::{Form, Memory};
use super::registers::{Clobber, Floating, Pressure, floating, general};
use super::{Compiler, CompilerTarget, Convention, Ending, Function, Program, Statement};

/// One function in this many has an attribute.
const ATTRIBUTE_ONE_IN: u64 = 3;

pub(super) fn program(target: CompilerTarget, seed: u64) -> Program {
    let of = match target.compiler {
        Compiler::Gcc => 1,
        Compiler::Clang => 2,
    };
    let mut rng = Rng::new(seed ^ (u64::from(target.abi.facts().sframe_id) << 56) ^ (of << 48));
    let count = u8::try_from(2 + rng.below(5)).unwrap_or(2);
    let functions = (0..count).map(|number| Draw { target, rng: &mut rng, number, count }.function()).collect();
    let input = u32::try_from(rng.below(100)).unwrap_or(0);
    Program { target, functions, input, fuel: u32::try_from(rng.below(4)).unwrap_or(0) }
}

/// The state while a function is drawn.
struct Draw<'a> {
    target: CompilerTarget,
    rng: &'a mut Rng,
    number: u8,
    count: u8,
}

impl Draw<'_> {
    fn function(&mut self) -> Function {
        let parameters = match self.rng.below(4) {
            0 => self.within(7, 14),
            1 => self.within(3, 6),
            _ => self.within(1, 2),
        };
        let convention = self.rng.one_in(ATTRIBUTE_ONE_IN).then(|| self.convention()).flatten();
        let statements = self.statements(1, 5, 0);
        let ending = match self.callee().filter(|_| self.rng.one_in(3)) {
            Some(callee) => Ending::Tail { callee, must: self.rng.one_in(2) },
            None => Ending::Return,
        };
        Function { number: self.number, parameters, convention, statements, ending }
    }

    fn convention(&mut self) -> Option<Convention> {
        let all = Convention::supported(self.target);
        let mut at = self.rng.below(all.iter().map(|(_, weight)| u64::from(*weight)).sum());
        all.into_iter().find_map(|(one, weight)| {
            let here = at < u64::from(weight);
            at = at.saturating_sub(u64::from(weight));
            here.then_some(one)
        })
    }

    fn statements(&mut self, least: u64, most: u64, depth: u8) -> Vec<Statement> {
        let count = least + self.rng.below(most - least + 1);
        let mut all = Vec::new();
        while (all.len() as u64) < count {
            let one = self.statement(depth);
            if one.is_for(self.target) {
                all.push(one);
            }
        }
        all
    }

    fn statement(&mut self, depth: u8) -> Statement {
        match self.rng.below(39) {
            0..=4 => Statement::Memory(self.memory()),
            5..=8 => match self.callee() {
                Some(callee) => Statement::Call(Call { callee, indirect: self.rng.one_in(3) }),
                None => Statement::Fragment(&COLD),
            },
            9 => Statement::Recurse(Recurse),
            10..=11 => Statement::Fragment(self.rng.pick(&[&NO_RETURN, &COLD, &NO_RETURN_IN_BLOCK])),
            12 => Statement::Aggregate(Aggregate { words: self.rng.pick(&[1, 2, 3, 5, 9, 16, 40, 300]) }),
            13 => Statement::Variadic(Variadic { count: self.within(1, 12) }),
            14..=17 => Statement::EarlyReturn(EarlyReturn { bit: self.within(0, 7) }),
            18..=20 if depth < 2 => {
                let (bit, body) = (self.within(0, 4), self.statements(1, 3, depth + 1));
                Statement::If(If { bit, body })
            }
            21 if depth < 2 => {
                let (times, body) = (self.within(1, 3), self.statements(1, 2, depth + 1));
                Statement::Loop(Loop { times, body })
            }
            22 => Statement::Switch(Switch { cases: self.within(2, 8) }),
            23 => Statement::Fragment(&COMPUTED_GOTO),
            24 => Statement::Fragment(&ASM_GOTO),
            25..=26 => Statement::Clobber(self.clobber()),
            27 => Statement::Floating(Floating { count: self.within(1, 6) }),
            28 => Statement::Fragment(&CLEANUP),
            29 => Statement::Fragment(&NESTED),
            30 => Statement::Fragment(&LANDING),
            31 => Statement::Fragment(self.rng.pick(&[&FRAME_ADDRESS, &RETURN_ADDRESS])),
            32 => Statement::Push(Push),
            33 => Statement::Fragment(&NAKED),
            34 => Statement::Fragment(&INTERRUPT),
            35 | 36 => Statement::Fragment(&SCALABLE),
            _ => Statement::Pressure(Pressure { count: self.within(1, 12) }),
        }
    }

    fn memory(&mut self) -> Memory {
        let form = match self.rng.below(6) {
            0..=2 => Form::Fixed(self.rng.pick(&[8, 64, 200, 500, 600, 2000, 4200, 9000, 40_000, 70_000])),
            // Large frames are rare: every instruction of a probing loop is executed.
            3 if self.rng.one_in(6) => Form::Fixed(self.rng.pick(&[300_000, 1_100_000])),
            3 | 4 => Form::Variable,
            _ => Form::Alloca,
        };
        Memory { form, align: self.rng.pick(&[4, 4, 4, 16, 32, 64, 128]) }
    }

    fn clobber(&mut self) -> Clobber {
        let some = |rng: &mut Rng, all: &[&'static str]| -> Vec<&'static str> {
            let one_in = rng.pick(&[1, 2, 4]);
            all.iter().copied().filter(|_| rng.one_in(one_in)).collect()
        };
        let mut general = some(self.rng, general(self.target));
        let floating = if self.rng.one_in(3) { some(self.rng, floating(self.target.abi)) } else { Vec::new() };
        if general.is_empty() && floating.is_empty() {
            general.push(super::registers::general(self.target)[0]);
        }
        Clobber { general, floating }
    }

    /// A random later function.
    fn callee(&mut self) -> Option<u8> {
        let after = self.number + 1;
        (after < self.count).then(|| self.within(after, self.count - 1))
    }

    fn within(&mut self, least: u8, most: u8) -> u8 {
        let span = u64::from(most.saturating_sub(least)) + 1;
        least + u8::try_from(self.rng.below(span)).unwrap_or(0)
    }
}
