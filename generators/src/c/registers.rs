//! Callee-saved registers: clobbered by assembly, or used for values that are live across a call.

use std::ops::ControlFlow;

use types::Abi;

use super::helper::Helper;
use super::result::Run;
use super::statement::{Construct, Flow, Statement};
use super::writer::Writer;
use super::{Compiler, CompilerTarget};

/// Registers that assembly clobbers: the function must save the callee-saved ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clobber {
    pub general: Vec<&'static str>,
    /// Floating-point registers, if options allow any.
    pub floating: Vec<&'static str>,
}

/// Callee-saved general registers that assembly may clobber, including the link register.
pub(super) fn general(target: CompilerTarget) -> &'static [&'static str] {
    match (target.abi, target.compiler) {
        (Abi::Amd64, _) => &["rbx", "r12", "r13", "r14", "r15", "rbp"],
        // clang reserves x29, and ignores it here.
        (Abi::Aarch64 | Abi::Aarch64Be, Compiler::Clang) => {
            &["x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30"]
        }
        (Abi::Aarch64 | Abi::Aarch64Be, Compiler::Gcc) => {
            &["x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "x30"]
        }
        (Abi::S390x, _) => &["r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14"],
    }
}

/// The frame pointer that the compiler refuses in functions that need one.
fn frame_pointer(target: CompilerTarget) -> Option<&'static str> {
    match (target.compiler, target.abi) {
        (Compiler::Clang, _) => None,
        (Compiler::Gcc, Abi::Amd64) => Some("rbp"),
        (Compiler::Gcc, Abi::Aarch64 | Abi::Aarch64Be) => Some("x29"),
        (Compiler::Gcc, Abi::S390x) => Some("r11"),
    }
}

/// Floating-point registers that are callee-saved in some convention.
pub(super) fn floating(abi: Abi) -> &'static [&'static str] {
    match abi {
        Abi::Amd64 => &["xmm6", "xmm7", "xmm8", "xmm9", "xmm15"],
        Abi::Aarch64 | Abi::Aarch64Be => &["v8", "v9", "v10", "v11", "v12", "v15", "v16", "v23"],
        Abi::S390x => &["f8", "f9", "f10", "f11", "f12", "f15"],
    }
}

impl Construct for Clobber {
    fn write(&self, to: &mut Writer) {
        let quoted = |names: &[&str]| names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
        let clobbered = |names: &[&str]| match names.is_empty() {
            true => "".to_owned(),
            false => format!("asm volatile (\"\" : \"+r\" (x) : : {});", quoted(names)),
        };
        let pointer = frame_pointer(to.target);
        let others: Vec<&str> = self.general.iter().copied().filter(|name| Some(*name) != pointer).collect();
        if others.len() < self.general.len() && to.without_fp {
            to.line("#if defined __OPTIMIZE__ && !defined FRAMED");
            to.line(&clobbered(&self.general));
            to.line("#else");
            to.line(&clobbered(&others));
            to.line("#endif");
        } else if !others.is_empty() {
            to.line(&clobbered(&others));
        }
        if !self.floating.is_empty() {
            to.line("#ifndef NO_FLOAT");
            to.line(&format!("asm volatile (\"\" : : : {});", quoted(&self.floating)));
            to.line("#endif");
        }
    }

    fn value(&self, x: u32, _: &mut Run<'_>) -> Flow {
        ControlFlow::Continue(x)
    }

    fn kind(&self) -> String {
        "clobber".to_owned()
    }

    fn smaller(&self) -> Vec<Statement> {
        let (general, floating) = (&self.general, &self.floating);
        let mut all = Vec::new();
        let mut add = |general: Vec<&'static str>, floating: Vec<&'static str>| {
            if !(general.is_empty() && floating.is_empty()) {
                all.push(Statement::Clobber(Clobber { general, floating }));
            }
        };
        if !floating.is_empty() && !general.is_empty() {
            add(general.clone(), Vec::new());
            add(Vec::new(), floating.clone());
        }
        for at in 0..general.len() {
            add(without(general, at), floating.clone());
        }
        for at in 0..floating.len() {
            add(general.clone(), without(floating, at));
        }
        all
    }
}

fn without(names: &[&'static str], at: usize) -> Vec<&'static str> {
    names.iter().enumerate().filter(|(nth, _)| *nth != at).map(|(_, name)| *name).collect()
}

/// Values that are live across a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pressure {
    pub count: u8,
}

impl Construct for Pressure {
    fn write(&self, to: &mut Writer) {
        to.uses(Helper::Leaf);
        to.open("{");
        for nth in 0..self.count {
            to.line(&format!("unsigned t{nth} = x * {}u;", weight(nth)));
            to.line(&format!("asm volatile (\"\" : \"+r\" (t{nth}));"));
        }
        to.line("x = leaf(x);");
        for nth in 0..self.count {
            to.line(&format!("x ^= t{nth};"));
        }
        to.close();
    }

    fn value(&self, x: u32, _: &mut Run<'_>) -> Flow {
        let held = (0..self.count).map(|nth| x.wrapping_mul(weight(nth)));
        ControlFlow::Continue(held.fold(x.wrapping_add(1), |x, one| x ^ one))
    }

    fn kind(&self) -> String {
        "pressure".to_owned()
    }

    fn smaller(&self) -> Vec<Statement> {
        (1..self.count).map(|count| Statement::Pressure(Pressure { count })).collect()
    }
}

fn weight(nth: u8) -> u32 {
    u32::from(nth) * 2 + 3
}

/// Floating-point values that are live across a call; integers if options allow no floating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Floating {
    pub count: u8,
}

impl Construct for Floating {
    fn write(&self, to: &mut Writer) {
        to.uses(Helper::Leaf);
        let constraint = match to.target.abi {
            Abi::Amd64 => "+x",
            Abi::Aarch64 | Abi::Aarch64Be => "+w",
            Abi::S390x => "+f",
        };
        to.line("#ifdef NO_FLOAT");
        let least: u32 = (0..u32::from(self.count)).sum();
        to.line(&format!("x = leaf(x) + (x & 255u) * {}u + {least}u;", self.count));
        to.line("#else");
        to.open("{");
        for nth in 0..self.count {
            to.line(&format!("double d{nth} = (double)(int)(x & 255u) + {nth}.0;"));
            to.line(&format!("asm volatile (\"\" : \"{constraint}\" (d{nth}));"));
        }
        to.line("x = leaf(x);");
        let sum: Vec<String> = (0..self.count).map(|nth| format!("d{nth}")).collect();
        to.line(&format!("x += (unsigned)(int)({});", sum.join(" + ")));
        to.close();
        to.line("#endif");
    }

    fn value(&self, x: u32, _: &mut Run<'_>) -> Flow {
        let added: u32 = (0..u32::from(self.count)).map(|nth| (x & 255) + nth).sum();
        ControlFlow::Continue(x.wrapping_add(1).wrapping_add(added))
    }

    fn kind(&self) -> String {
        "floating".to_owned()
    }

    fn smaller(&self) -> Vec<Statement> {
        (1..self.count).map(|count| Statement::Floating(Floating { count })).collect()
    }
}
