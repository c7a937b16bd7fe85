//! Classifies the code in which a method is wrong.

use isa::flow::{Flow, Insn, Marks};
use results::MissPlace;
use rustc_hash::FxHashMap;
use types::{Abi, ImageSection, Pc, Reg};

use crate::analysis::{Analysis, Row};
use crate::parts::{Function, Parts};

/// Classifier, with the functions that have been analysed.
pub(crate) struct Places<'p> {
    abi: Abi,
    parts: &'p Parts<'p>,
    known: FxHashMap<u64, Shape>,
}

/// Properties of a function's code.
struct Shape {
    start: u64,
    instructions: Vec<(usize, Insn)>,
    /// True if it sets up a frame pointer; on s390x, if it creates a frame.
    makes_frame: bool,
    calls: bool,
    analysis: Analysis,
}

impl<'p> Places<'p> {
    pub(crate) fn new(abi: Abi, parts: &'p Parts<'p>) -> Places<'p> {
        Places { abi, parts, known: FxHashMap::default() }
    }

    /// Returns true if the address is in the program's own code.
    pub(crate) fn is_program(&self, pc: Pc) -> bool {
        self.parts.at(pc).is_some_and(|(index, _)| index == 0)
    }

    /// The place of an instruction, or of a call, whose caller a method did not find although it
    /// had data for the code.
    pub(crate) fn place(&mut self, pc: Pc) -> MissPlace {
        let part = self.parts.at(pc).map(|(_, part)| part);
        if part.and_then(|part| part.image.section_at(pc.0)).is_some_and(ImageSection::is_plt) {
            return MissPlace::Plt;
        }
        let Some(function) = self.parts.function(pc) else { return MissPlace::NoSymbol };
        let abi = self.abi;
        self.known.entry(function.start).or_insert_with(|| Shape::new(abi, function)).place(abi, pc)
    }
}

impl Shape {
    fn new(abi: Abi, function: Function<'_>) -> Shape {
        let instructions = function.instructions(abi);
        let has = |is_so: &dyn Fn(&Insn) -> bool| instructions.iter().any(|(_, insn)| is_so(insn));
        let frame_mark = match abi {
            Abi::Amd64 | Abi::Aarch64 | Abi::Aarch64Be => Marks::SETS_FP,
            Abi::S390x => Marks::MOVES_SP,
        };
        Shape {
            start: function.start,
            makes_frame: has(&|insn| insn.marks.any(frame_mark)),
            calls: has(&|insn| matches!(insn.flow, Flow::Call(_) | Flow::IndirectCall)),
            analysis: Analysis::new(abi, function),
            instructions,
        }
    }

    fn place(&self, abi: Abi, pc: Pc) -> MissPlace {
        if !self.makes_frame {
            return if self.calls { MissPlace::Frameless } else { MissPlace::Leaf };
        }
        let offset = pc.0.saturating_sub(self.start);
        let unmade = self.analysis.row(offset).is_some_and(|row| is_unmade(abi, row));
        match unmade {
            true if self.is_straight_from_entry(offset) => MissPlace::Prologue,
            true if self.is_straight_to_end(offset) => MissPlace::Epilogue,
            true => MissPlace::ShrinkWrapped,
            false => MissPlace::Body,
        }
    }

    fn is_straight_from_entry(&self, offset: u64) -> bool {
        let mut before = self.instructions.iter().take_while(|(at, _)| (*at as u64) < offset);
        before.all(|(_, insn)| insn.flow == Flow::Next)
    }

    fn is_straight_to_end(&self, offset: u64) -> bool {
        let from = self.instructions.iter().skip_while(|(at, _)| (*at as u64) < offset);
        let last = from.map(|(_, insn)| insn.flow).find(|flow| *flow != Flow::Next);
        let end = self.instructions.last().map_or(self.start, |(at, insn)| {
            self.start.saturating_add(*at as u64).saturating_add(u64::from(insn.length))
        });
        match last {
            Some(Flow::Return | Flow::IndirectJump) => true,
            Some(Flow::Jump(target)) => !(self.start..end).contains(&target),
            Some(
                Flow::Next | Flow::Branch(_) | Flow::Call(_) | Flow::IndirectCall | Flow::ReturnOrNext | Flow::Ends,
            )
            | None => false,
        }
    }
}

/// Returns true if the frame pointer is as the caller left it; on s390x, if SP is.
fn is_unmade(abi: Abi, row: Row) -> bool {
    match abi {
        Abi::Amd64 | Abi::Aarch64 | Abi::Aarch64Be => row.keeps_fp(abi),
        Abi::S390x => row.cfa == Some((Reg(abi.facts().sp.0), abi.facts().cfa_minus_sp_at_entry)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_a_shrink_wrapped_function() {
        let code = [
            0x31, 0xc0, // 0: xor %eax,%eax
            0x85, 0xff, // 2: test %edi,%edi
            0x74, 0x0a, // 4: je 10
            0x55, // 6: push %rbp
            0x48, 0x89, 0xe5, // 7: mov %rsp,%rbp
            0xff, 0xd0, // a: call *%rax
            0x5d, // c: pop %rbp
            0xc3, // d: ret
            0x90, 0x90, // e: nop; nop
            0x75, 0xee, // 10: jne 0
            0xc3, // 12: ret
        ];
        let shape = Shape::new(Abi::Amd64, Function { start: 0x1000, code: &code });
        let at = |offset: u64| shape.place(Abi::Amd64, Pc(0x1000 + offset));
        assert_eq!([at(0), at(4)], [MissPlace::Prologue; 2]);
        assert_eq!([at(6), at(7), at(0x10)], [MissPlace::ShrinkWrapped; 3]);
        assert_eq!([at(0xa), at(0xc)], [MissPlace::Body; 2]);
        assert_eq!([at(0xd), at(0x12)], [MissPlace::Epilogue; 2]);
    }

    #[test]
    fn without_a_frame_pointer() {
        let place = |code: &[u8]| Shape::new(Abi::Amd64, Function { start: 0, code }).place(Abi::Amd64, Pc(0));
        assert_eq!(place(&[0x90, 0xc3]), MissPlace::Leaf);
        assert_eq!(place(&[0x50, 0xff, 0xd0, 0x58, 0xc3]), MissPlace::Frameless);
    }
}
