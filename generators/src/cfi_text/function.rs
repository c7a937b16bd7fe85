//! Random functions as data: lines of code and directives in a legal order.

use std::fmt::Write as _;

use types::Abi;

use crate::arch::arch;

use super::Text;
use super::directive::Directive;
use super::escape::Escape;

/// A file of functions whose CFI is legal, but not true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Target.
    pub abi: Abi,
    /// The functions in the order of the text.
    pub functions: Vec<Function>,
}

/// A function between `.cfi_startproc` and `.cfi_endproc`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Symbol name.
    pub name: String,
    /// `.cfi_startproc simple`: no initial rules.
    pub simple: bool,
    pub own_section: bool,
    /// The function has a personality routine and a language-specific data area, which `.sframe`
    /// does not represent.
    pub handlers: bool,
    /// The lines between the two directives, in order.
    pub lines: Vec<Line>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// One no-op.
    Nop,
    /// This number of zero bytes, never executed.
    Skip(u32),
    Cfi(Directive),
}

impl Text for Program {
    fn abi(&self) -> Abi {
        self.abi
    }

    fn text(&self) -> String {
        let mut text = "\t.text\n".to_owned();
        for function in &self.functions {
            // Writing to a String cannot fail.
            let _ = function.write(self.abi, &mut text);
        }
        if self.functions.iter().any(|function| function.handlers) {
            text.push_str(HANDLERS);
        }
        text
    }

    fn kinds(&self) -> Vec<String> {
        let mut kinds = Vec::new();
        for function in &self.functions {
            if function.simple {
                kinds.push("simple".to_owned());
            }
            if function.handlers {
                kinds.push("personality".to_owned());
            }
            kinds.extend(function.lines.iter().map(|line| match line {
                Line::Nop => "code".to_owned(),
                Line::Skip(_) => "skip".to_owned(),
                Line::Cfi(directive) => directive.kind(),
            }));
        }
        kinds
    }

    fn only(&self, function: &str) -> Option<Program> {
        let only = self.functions.iter().find(|candidate| candidate.name == function)?;
        Some(Program { abi: self.abi, functions: vec![only.clone()] })
    }

    fn apart(&self) -> Vec<Program> {
        let alone = |only: &Function| Program { abi: self.abi, functions: vec![only.clone()] };
        self.functions.iter().filter(|_| self.functions.len() > 1).map(alone).collect()
    }

    fn smaller(&self) -> Vec<Program> {
        let mut found = self.apart();
        for (at, function) in self.functions.iter().enumerate() {
            for smaller in function.smaller() {
                let mut functions = self.functions.clone();
                functions[at] = smaller;
                found.push(Program { abi: self.abi, functions });
            }
        }
        found
    }
}

impl Function {
    fn write(&self, abi: Abi, out: &mut String) -> std::fmt::Result {
        let name = &self.name;
        if self.own_section {
            writeln!(out, "\t.section .text.{name},\"ax\",%progbits")?;
        }
        writeln!(out, "\t.type {name}, %function\n{name}:")?;
        writeln!(out, "\t.cfi_startproc{}", if self.simple { " simple" } else { "" })?;
        if self.handlers {
            writeln!(out, "\t.cfi_personality {PCREL_SDATA4:#x}, personality\n\t.cfi_lsda {PCREL_SDATA4:#x}, lsda")?;
        }
        for line in &self.lines {
            match line {
                Line::Nop => writeln!(out, "{}", arch(abi).text().nop)?,
                Line::Skip(bytes) => writeln!(out, "\t.skip {bytes}")?,
                Line::Cfi(directive) => writeln!(out, "\t{directive}")?,
            }
        }
        writeln!(out, "\t.cfi_endproc\n\t.size {name}, .-{name}")?;
        if self.own_section {
            writeln!(out, "\t.text")?;
        }
        Ok(())
    }

    /// Every directive is valid in its position: states are restored only when remembered, and the
    /// CFA's register or offset is changed only while the CFA is a register plus an offset (DWARF
    /// 5, 6.4.2.2).
    pub fn is_legal(&self) -> bool {
        let mut states = vec![!self.simple];
        for line in &self.lines {
            let Line::Cfi(directive) = line else { continue };
            let (depth, sum) = (states.len(), states.last_mut());
            let Some(sum) = sum else { return false };
            match directive {
                Directive::DefCfa(..) => *sum = true,
                Directive::Escape(Escape::CfaSum(..) | Escape::CfaLoad(..)) => *sum = false,
                Directive::DefCfaOffset(_) | Directive::AdjustCfaOffset(_) | Directive::DefCfaRegister(_) if !*sum => {
                    return false;
                }
                // The offset is relative to the CFA's register, which must exist.
                Directive::RelOffset(..) if !*sum => return false,
                Directive::RememberState => {
                    let same = *sum;
                    states.push(same);
                }
                Directive::RestoreState if depth < 2 => return false,
                Directive::RestoreState => {
                    states.pop();
                }
                _ => {}
            }
        }
        true
    }

    fn smaller(&self) -> Vec<Function> {
        let mut found = Vec::new();
        let with = |lines: Vec<Line>| Function { lines, ..self.clone() };
        if self.own_section {
            found.push(Function { own_section: false, ..self.clone() });
        }
        if self.handlers {
            found.push(Function { handlers: false, ..self.clone() });
        }
        if self.simple {
            found.push(Function { simple: false, ..self.clone() });
        }
        let mut length = self.lines.len().div_ceil(2);
        while length > 0 {
            for start in (0..self.lines.len()).step_by(length) {
                let kept = self.lines.iter().enumerate().filter(|(at, _)| *at < start || *at >= start + length);
                found.push(with(kept.map(|(_, line)| *line).collect()));
            }
            length = if length == 1 { 0 } else { length.div_ceil(2) };
        }
        // Matching directives are removed together.
        for (at, line) in self.lines.iter().enumerate() {
            if *line == Line::Cfi(Directive::RememberState) {
                for (end, _) in self
                    .lines
                    .iter()
                    .enumerate()
                    .filter(|(end, other)| *end > at && **other == Line::Cfi(Directive::RestoreState))
                {
                    let kept = self.lines.iter().enumerate().filter(|(place, _)| *place != at && *place != end);
                    found.push(with(kept.map(|(_, line)| *line).collect()));
                }
            }
        }
        for (at, line) in self.lines.iter().enumerate() {
            for simpler in line.simpler() {
                let mut lines = self.lines.clone();
                lines[at] = simpler;
                found.push(with(lines));
            }
        }
        found.retain(Function::is_legal);
        found
    }
}

impl Line {
    /// Simpler lines; none leads back to a less simple one, so that shrinking terminates.
    fn simpler(&self) -> Vec<Line> {
        match *self {
            Line::Nop => Vec::new(),
            Line::Skip(bytes) => {
                let plain = [Line::Nop, Line::Skip(4), Line::Skip(256), Line::Skip(65536)];
                plain.into_iter().filter(|line| !matches!(line, Line::Skip(n) if *n >= bytes)).collect()
            }
            Line::Cfi(Directive::Escape(Escape::Nop(count))) if count > 1 => {
                vec![Line::Cfi(Directive::Escape(Escape::Nop(1)))]
            }
            Line::Cfi(directive) => directive.simpler().into_iter().map(Line::Cfi).collect(),
        }
    }
}

/// `DW_EH_PE_pcrel | DW_EH_PE_sdata4` (Linux Standard Base Core 5.0, 10.5.1).
const PCREL_SDATA4: u8 = 0x1b;

/// Symbols for the directives of handlers; nothing is called.
const HANDLERS: &str =
    "\t.section .gcc_except_table,\"a\",%progbits\n\t.balign 4\npersonality:\n\t.long 0\nlsda:\n\t.long 0\n";
