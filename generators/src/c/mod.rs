//! Random C programs that stress frames: variable arrays, large and over-aligned frames, arguments
//! on the stack, early returns, tail calls, jumps, clobbered registers, other conventions.
//!
//! A program is a typed tree, drawn from a target and a seed. It is freestanding and terminates: a
//! function calls only functions of higher numbers, and itself only as long as there is fuel. The
//! generator computes the result too ([`Program::result`]): the exit status is 0 if the compiled
//! program computes the same, 1 after a miscompilation.
//!
//! Programs are reduced by a search over the tree ([`Text::smaller`]), as CFI text is, and not by a
//! proptest strategy: a candidate costs a compiler, an assembler, a linker and a run, so the search
//! must be limited in tries, start with the largest cuts and give the same text on any machine.

mod arguments;
mod assembly;
mod calls;
mod control;
mod convention;
mod draw;
mod fragment;
mod frames;
mod function;
mod helper;
mod registers;
mod result;
mod start;
mod statement;
mod texts;
mod writer;

pub use convention::Convention;
pub use function::{Ending, Function};
pub use statement::Statement;

use types::Abi;

use crate::cfi_text::Text;
use writer::Writer;

/// A family of compilers, with extensions of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    /// GCC: nested functions, `optimize`, `noipa`.
    Gcc,
    /// clang: `musttail`, `preserve_most` and others.
    Clang,
}

/// The target of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompilerTarget {
    /// The ABI of the program's assembly and registers.
    pub abi: Abi,
    /// The compiler whose extensions the program may use.
    pub compiler: Compiler,
}

/// A random C program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub target: CompilerTarget,
    /// The functions. The first is called with [`Program::input`]; each calls only later ones.
    pub functions: Vec<Function>,
    /// The first argument of the first function.
    pub input: u32,
    /// Maximum number of recursive calls of all functions together.
    pub fuel: u32,
}

impl Program {
    pub fn draw(target: CompilerTarget, seed: u64) -> Program {
        draw::program(target, seed)
    }

    /// The return value of the first function.
    pub fn result(&self) -> u32 {
        result::evaluate(self)
    }

    fn function(&self, number: u8) -> Option<&Function> {
        self.functions.iter().find(|function| function.number == number)
    }
}

impl Text for Program {
    fn abi(&self) -> Abi {
        self.target.abi
    }

    fn text(&self) -> String {
        let mut body = Writer::new(self.target);
        // Callees before their callers.
        for function in self.functions.iter().rev() {
            function.write(self, &mut body);
        }
        start::write(self, &mut body);
        body.finish(self.fuel)
    }

    fn kinds(&self) -> Vec<String> {
        self.functions.iter().flat_map(Function::kinds).collect()
    }

    fn only(&self, _: &str) -> Option<Program> {
        None
    }

    fn apart(&self) -> Vec<Program> {
        Vec::new()
    }

    fn smaller(&self) -> Vec<Program> {
        let mut smaller = Vec::new();
        let with = |functions: Vec<Function>| Program { functions, ..self.clone() };
        // First only the first function, then without each of the others, then starting with a
        // later one.
        for function in self.functions.iter().skip(1) {
            let number = function.number;
            let others = self.functions.iter().filter(|other| other.number != number);
            smaller.push(with(others.map(|other| other.without_calls_of(number)).collect()));
            smaller.push(with(self.functions.iter().filter(|other| other.number >= number).cloned().collect()));
        }
        for (at, function) in self.functions.iter().enumerate() {
            smaller.extend(function.smaller().into_iter().map(|plainer| {
                let mut functions = self.functions.clone();
                functions[at] = plainer;
                with(functions)
            }));
        }
        if self.fuel > 0 {
            smaller.push(Program { fuel: self.fuel / 2, ..self.clone() });
        }
        smaller
    }
}
