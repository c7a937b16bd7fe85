//! Arguments other than words: structures by value, and variable numbers of arguments.

use std::ops::ControlFlow;

use super::helper::Helper;
use super::result::Run;
use super::statement::{Construct, Flow, Statement};
use super::writer::{Writer, arguments};

/// A structure passed and returned by value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aggregate {
    /// Size in words of 4 bytes.
    pub words: u16,
}

impl Construct for Aggregate {
    fn write(&self, to: &mut Writer) {
        let (words, last) = (self.words, self.words - 1);
        to.uses(Helper::Pass(words));
        to.open("{");
        to.line(&format!("struct s{words} s;"));
        to.line(&format!("s.v[0] = s.v[{last}] = x;"));
        to.line(&format!("s = pass{words}(s, 7u);"));
        to.line(&format!("x = s.v[0] + s.v[{last}];"));
        to.close();
    }

    fn value(&self, x: u32, _: &mut Run<'_>) -> Flow {
        let first = x.wrapping_add(7);
        ControlFlow::Continue(if self.words == 1 { (first ^ 5).wrapping_mul(2) } else { first.wrapping_add(x ^ 5) })
    }

    fn kind(&self) -> String {
        "structure".to_owned()
    }

    fn smaller(&self) -> Vec<Statement> {
        let less = [1, 5, 16, self.words / 2].into_iter().filter(|less| (1..self.words).contains(less));
        less.map(|words| Statement::Aggregate(Aggregate { words })).collect()
    }
}

/// A call with a variable number of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variadic {
    pub count: u8,
}

impl Construct for Variadic {
    fn write(&self, to: &mut Writer) {
        to.uses(Helper::Sum);
        to.line(&format!("x = sum({}u, {});", self.count, arguments(self.count)));
    }

    fn value(&self, x: u32, _: &mut Run<'_>) -> Flow {
        let all = (0..u32::from(self.count)).map(|nth| x.wrapping_add(nth));
        ControlFlow::Continue(all.fold(0, |total: u32, one| total.wrapping_mul(3).wrapping_add(one)))
    }

    fn kind(&self) -> String {
        "variadic".to_owned()
    }

    fn smaller(&self) -> Vec<Statement> {
        let less = [1, self.count / 2].into_iter().filter(|less| (1..self.count).contains(less));
        less.map(|count| Statement::Variadic(Variadic { count })).collect()
    }
}
