//! A function: parameters, convention, statements and ending.

use super::result::factor;
use super::statement::smaller;
use super::writer::Writer;
use super::{Compiler, Convention, Program, Statement};

/// A function of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Number of the function, which names it: `f3`.
    pub number: u8,
    /// Number of parameters: more than fit into registers are passed on the stack.
    pub parameters: u8,
    /// Calling convention or another attribute.
    pub convention: Option<Convention>,
    pub statements: Vec<Statement>,
    pub ending: Ending,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Returns `x`.
    Return,
    /// Returns the result of another function for `x`.
    Tail {
        callee: u8,
        /// The compiler must make it a tail call, if it has an attribute for that.
        must: bool,
    },
}

impl Function {
    pub(super) fn write(&self, program: &Program, to: &mut Writer) {
        to.function = self.number;
        to.parameters.push((self.number, self.parameters));
        let fixed = self.statements.iter().any(Statement::fixes_frame);
        to.without_fp = !fixed && self.convention.is_none();
        let attribute = self.convention.map_or(String::new(), |convention| format!("{} ", convention.words()));
        let parameters: Vec<String> = (0..self.parameters).map(|nth| format!("unsigned a{nth}")).collect();
        to.line(&format!("KEEP {attribute}unsigned f{}({})", self.number, parameters.join(", ")));
        to.open("{");
        let sum: Vec<String> = (0..self.parameters)
            .map(|nth| if nth == 0 { "a0".to_owned() } else { format!("a{nth} * {}u", factor(nth)) })
            .collect();
        to.line(&format!("unsigned x = {};", sum.join(" + ")));
        for statement in &self.statements {
            statement.write(to);
        }
        match self.ending {
            Ending::Return => to.line("return x;"),
            Ending::Tail { callee, must } => {
                let same = program
                    .function(callee)
                    .is_some_and(|callee| callee.parameters == self.parameters && callee.convention == self.convention);
                // GCC refuses it in functions with memory of variable size.
                if must && same && (to.target.compiler == Compiler::Clang || !fixed) {
                    to.line("#if __has_attribute(musttail)");
                    to.line("__attribute__((musttail))");
                    to.line("#endif");
                }
                to.line(&format!("return f{callee}({});", to.arguments(callee)));
            }
        }
        to.close();
    }

    /// One name for the function and each of its parameters, attributes and statements.
    pub(super) fn kinds(&self) -> Vec<String> {
        let mut kinds = vec!["function".to_owned()];
        kinds.extend((1..self.parameters).map(|_| "parameter".to_owned()));
        kinds.extend(self.convention.map(|convention| convention.words()));
        kinds.extend(self.statements.iter().flat_map(Statement::kinds));
        match self.ending {
            Ending::Return => {}
            Ending::Tail { .. } => kinds.push("tail".to_owned()),
        }
        kinds
    }

    pub(super) fn without_calls_of(&self, number: u8) -> Function {
        let statements = self.statements.iter().filter_map(|one| one.without_calls_of(number)).collect();
        let ending = match self.ending {
            Ending::Tail { callee, .. } if callee == number => Ending::Return,
            ending => ending,
        };
        Function { statements, ending, ..self.clone() }
    }

    pub(super) fn smaller(&self) -> Vec<Function> {
        let mut all: Vec<Function> = Vec::new();
        let with = |statements| Function { statements, ..self.clone() };
        all.extend(smaller(&self.statements).into_iter().map(with));
        if self.convention.is_some() {
            all.push(Function { convention: None, ..self.clone() });
        }
        if self.parameters > 1 {
            all.push(Function { parameters: 1, ..self.clone() });
            all.push(Function { parameters: self.parameters - 1, ..self.clone() });
        }
        match self.ending {
            Ending::Return => {}
            Ending::Tail { callee, must } => {
                all.push(Function { ending: Ending::Return, ..self.clone() });
                if must {
                    all.push(Function { ending: Ending::Tail { callee, must: false }, ..self.clone() });
                }
            }
        }
        all
    }
}
