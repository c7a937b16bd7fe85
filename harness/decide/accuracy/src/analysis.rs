//! Static analysis of a function's frame at each of its instructions, from its code alone: every
//! path from the entry, whose frame the psABI defines, is followed to a fixed point.

use std::collections::BTreeMap;

use isa::Code;
use isa::effects::{self, Effect};
use isa::flow::{Flow, Insn};
use types::{Abi, Reg};

use crate::parts::Function;
use crate::state::State;

/// Maximum size in bytes of a function that is analysed.
const MOST_CODE: usize = 1 << 20;

/// The state at each reached instruction, by offset in the function.
pub(crate) struct Analysis {
    rows: BTreeMap<u64, Row>,
}

/// Rules for the caller at an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// Register and offset of the CFA in bytes.
    pub(crate) cfa: Option<(Reg, i64)>,
    pub(crate) ra: Option<Held>,
    /// Rule for RA after a call, which overwrites the link register.
    pub(crate) ra_after_call: Option<Held>,
    pub(crate) fp: Option<Held>,
}

/// Location of a value of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// In a register.
    In(Reg),
    /// In the slot at this offset from the CFA.
    At(i64),
}

/// How a known state at a branch target is combined with a new one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// Only what both states have in common is kept.
    Met,
    /// The known state is kept.
    Kept,
}

struct Step {
    insn: Insn,
    effects: Vec<Effect>,
}

impl Analysis {
    pub(crate) fn new(abi: Abi, function: Function<'_>) -> Analysis {
        if function.code.len() > MOST_CODE {
            return Analysis { rows: BTreeMap::new() };
        }
        let steps = decode(abi, function);
        let mut states: BTreeMap<u64, State> = BTreeMap::new();
        let mut work = vec![(0, State::entry(abi))];
        follow(abi, function, &steps, &mut states, &mut work, Known::Met);
        // The target of a jump through a table, or a landing pad, gets the frame of the code before
        // it: of the last such jump, or else of the last call. This is a guess, so it does not
        // change known states.
        let (mut jump, mut call) = (None, None);
        for (offset, step) in &steps {
            if let Some(guess) = jump.or(call).filter(|_| !states.contains_key(offset)) {
                let guessed = states.get(&guess).cloned();
                work.extend(guessed.map(|state| (*offset, state)));
                follow(abi, function, &steps, &mut states, &mut work, Known::Kept);
            }
            let place = match step.insn.flow {
                Flow::IndirectJump => &mut jump,
                Flow::Call(_) | Flow::IndirectCall => &mut call,
                Flow::Next | Flow::Jump(_) | Flow::Branch(_) | Flow::Return | Flow::ReturnOrNext | Flow::Ends => {
                    continue;
                }
            };
            if states.contains_key(offset) {
                *place = Some(*offset);
            }
        }
        let rows = states.iter().map(|(offset, state)| (*offset, Row::new(abi, state)));
        Analysis { rows: rows.collect() }
    }

    /// The state at the instruction that contains an offset.
    pub(crate) fn row(&self, offset: u64) -> Option<Row> {
        self.rows.range(..=offset).next_back().map(|(_, row)| *row)
    }
}

fn decode(abi: Abi, function: Function<'_>) -> BTreeMap<u64, Step> {
    let mut code = Code::new(abi, function.code, function.start);
    let mut steps = BTreeMap::new();
    let mut offset = 0;
    while offset < function.code.len() {
        let Some((insn, effects)) = effects::decode(abi, &mut code, offset) else { break };
        steps.insert(offset as u64, Step { insn, effects });
        offset += usize::from(insn.length.max(1));
    }
    steps
}

fn follow(
    abi: Abi,
    function: Function<'_>,
    steps: &BTreeMap<u64, Step>,
    states: &mut BTreeMap<u64, State>,
    work: &mut Vec<(u64, State)>,
    at_known: Known,
) {
    while let Some((offset, state)) = work.pop() {
        let Some(step) = steps.get(&offset) else { continue };
        match states.get_mut(&offset) {
            None => {
                states.insert(offset, state);
            }
            Some(known) => {
                if at_known == Known::Kept || !known.meet(&state) {
                    continue;
                }
            }
        }
        let Some(mut state) = states.get(&offset).cloned() else { continue };
        let inside = |target: u64| target.checked_sub(function.start).filter(|at| steps.contains_key(at));
        let next = offset.saturating_add(u64::from(step.insn.length.max(1)));
        match step.insn.flow {
            Flow::Call(_) | Flow::IndirectCall => {
                state.call(abi);
                work.push((next, state));
                continue;
            }
            Flow::Next | Flow::Jump(_) | Flow::Branch(_) | Flow::ReturnOrNext => {
                step.effects.iter().for_each(|effect| state.apply(abi, *effect));
            }
            Flow::IndirectJump | Flow::Return | Flow::Ends => continue,
        }
        match step.insn.flow {
            Flow::Next | Flow::ReturnOrNext => work.push((next, state)),
            Flow::Jump(target) => work.extend(inside(target).map(|target| (target, state))),
            Flow::Branch(target) => {
                work.extend(inside(target).map(|target| (target, state.clone())));
                work.push((next, state));
            }
            Flow::Call(_) | Flow::IndirectCall | Flow::IndirectJump | Flow::Return | Flow::Ends => {}
        }
    }
}

impl Row {
    fn new(abi: Abi, state: &State) -> Row {
        let facts = abi.facts();
        let held = |reg: Reg| {
            let kept = state.register_of(reg).filter(|kept| *kept == reg).map(Held::In);
            kept.or_else(|| state.slot_of(reg).map(Held::At)).or_else(|| state.register_of(reg).map(Held::In))
        };
        let ra_after_call = state.slot_of(facts.ra).map(Held::At);
        Row { cfa: state.cfa(abi), ra: held(facts.ra), ra_after_call, fp: held(facts.fp) }
    }

    /// Returns true if the frame pointer is as the caller left it.
    pub(crate) fn keeps_fp(&self, abi: Abi) -> bool {
        self.fp == Some(Held::In(abi.facts().fp))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(abi: Abi, code: &[u8], offsets: &[u64]) -> Vec<Option<Row>> {
        let analysis = Analysis::new(abi, Function { start: 0x1000, code });
        offsets.iter().map(|offset| analysis.row(*offset)).collect()
    }

    fn row(cfa: (u16, i64), ra: Held, fp: Held) -> Option<Row> {
        let ra_after_call = matches!(ra, Held::At(_)).then_some(ra);
        Some(Row { cfa: Some((Reg(cfa.0), cfa.1)), ra: Some(ra), ra_after_call, fp: Some(fp) })
    }

    /// Adds the slot in which a function has its return address while the register has it too.
    fn saved(row: Option<Row>, slot: i64) -> Option<Row> {
        row.map(|row| Row { ra_after_call: Some(Held::At(slot)), ..row })
    }

    /// A frame on one of two paths, as shrink wrapping leaves it: both paths are known, and the
    /// return after them.
    #[test]
    fn both_ways_through_a_shrink_wrapped_function() {
        let code = [
            0x85, 0xff, // 0: test %edi,%edi
            0x74, 0x0b, // 2: je f
            0x55, // 4: push %rbp
            0x48, 0x89, 0xe5, // 5: mov %rsp,%rbp
            0xe8, 0, 0, 0, 0,    // 8: call
            0x5d, // d: pop %rbp
            0xc3, // e: ret
            0x90, // f: nop
            0xc3, // 10: ret
        ];
        let (at, fp) = (Held::At(-8), Held::In(Reg(6)));
        let expected = [
            row((7, 8), at, fp),
            row((7, 16), at, fp),
            row((7, 16), at, Held::At(-16)),
            row((7, 16), at, Held::At(-16)),
            row((7, 8), at, fp),
            row((7, 8), at, fp),
        ];
        assert_eq!(rows(Abi::Amd64, &code, &[2, 5, 8, 0xd, 0xe, 0x10]), expected);
    }

    /// SP is unknown in a frame of computed size; FP is known.
    #[test]
    fn a_stack_of_unknown_size() {
        let code = [
            0x55, // 0: push %rbp
            0x48, 0x89, 0xe5, // 1: mov %rsp,%rbp
            0x48, 0x29, 0xc4, // 4: sub %rax,%rsp
            0xc9, // 7: leave
            0xc3, // 8: ret
        ];
        let expected = [row((6, 16), Held::At(-8), Held::At(-16)), row((7, 8), Held::At(-8), Held::In(Reg(6)))];
        assert_eq!(rows(Abi::Amd64, &code, &[7, 8]), expected);
    }

    #[test]
    fn aarch64_saves_and_restores() {
        let words = [0xa9be_7bfd_u32, 0x9100_03fd, 0x9400_0000, 0xa8c2_7bfd, 0xd65f_03c0];
        let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let (ra, fp) = (Held::In(Reg(30)), Held::In(Reg(29)));
        let expected = [
            row((31, 0), ra, fp),
            saved(row((31, 32), ra, fp), -24),
            saved(row((31, 32), ra, Held::At(-32)), -24),
            row((31, 32), Held::At(-24), Held::At(-32)),
            saved(row((31, 0), ra, fp), -24),
        ];
        assert_eq!(rows(Abi::Aarch64, &code, &[0, 4, 8, 12, 16]), expected);
    }

    /// Code after a jump through a register has the frame of the jump.
    #[test]
    fn cases_of_a_switch_have_the_frame_of_the_jump() {
        let code = [
            0x48, 0x83, 0xec, 0x18, // 0: sub $24,%rsp
            0xff, 0xe0, // 4: jmp *%rax
            0x48, 0x83, 0xc4, 0x18, // 6: add $24,%rsp
            0xc3, // a: ret
        ];
        let fp = Held::In(Reg(6));
        assert_eq!(rows(Abi::Amd64, &code, &[6, 0xa]), [row((7, 32), Held::At(-8), fp), row((7, 8), Held::At(-8), fp)]);
    }

    #[test]
    fn s390x_saves_and_restores() {
        let code = [
            0xeb, 0xbf, 0xf0, 0x58, 0x00, 0x24, // 0: stmg %r11,%r15,88(%r15)
            0xa7, 0xfb, 0xff, 0x60, // 6: aghi %r15,-160
            0xc0, 0xe5, 0, 0, 0, 0, // a: brasl %r14
            0xeb, 0xbf, 0xf0, 0xf8, 0x00, 0x04, // 10: lmg %r11,%r15,248(%r15)
            0x07, 0xfe, // 16: br %r14
        ];
        let (ra, fp) = (Held::In(Reg(14)), Held::In(Reg(11)));
        let expected = [
            row((15, 160), ra, fp),
            saved(row((15, 160), ra, fp), -48),
            row((15, 320), Held::At(-48), fp),
            saved(row((15, 160), ra, fp), -48),
        ];
        assert_eq!(rows(Abi::S390x, &code, &[0, 6, 0x10, 0x16]), expected);
    }
}
