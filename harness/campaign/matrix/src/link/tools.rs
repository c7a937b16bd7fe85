//! The tools for a recipe: assemblers of objects, and tools of steps.

use std::collections::BTreeMap;

use toolchain::entry::{self, Flavour, Kind};
use toolchain::tool::Tool;
use types::{Abi, SframeVersion};

use super::lack::Lack;
use super::recipe::{Linker, Maker, Step, StepKind};

/// The tools of a link trial.
#[derive(Clone, Debug)]
pub struct LinkTools {
    /// The linker under test.
    pub linker: Tool,
    /// Family of its options.
    pub flavour: Flavour,
    /// Assembler of the objects.
    pub assembler: Tool,
    /// SFrame version that the assembler writes.
    pub version: SframeVersion,
    /// Assembler that writes another version.
    pub other: Option<Tool>,
    /// Linker of another family, if the recipe needs one.
    pub second: Option<SecondLinker>,
    /// The strip program.
    pub strip: Option<Tool>,
    /// The objcopy program.
    pub objcopy: Option<Tool>,
    /// Post-processors that steps name, by entry.
    pub others: BTreeMap<String, Tool>,
}

/// A linker whose output is an input of the one under test.
#[derive(Clone, Debug)]
pub struct SecondLinker {
    pub tool: Tool,
    /// Family of its options.
    pub flavour: Flavour,
}

impl LinkTools {
    /// Target of all tools.
    pub fn abi(&self) -> Abi {
        self.linker.abi
    }

    /// A linker, and the family of its options.
    pub fn linker(&self, linker: Linker) -> Option<(&Tool, Flavour)> {
        match linker {
            Linker::Own => Some((&self.linker, self.flavour)),
            Linker::Other => self.second.as_ref().map(|second| (&second.tool, second.flavour)),
        }
    }

    /// Assembler of an object; `None` if it is not installed.
    pub fn assembler(&self, maker: Maker) -> Option<&Tool> {
        match maker {
            Maker::Own => Some(&self.assembler),
            Maker::OtherVersion => self.other.as_ref(),
        }
    }

    /// Tool for a step, and the kind of its command.
    pub(super) fn worker<'a>(&'a self, step: &'a Step) -> Result<(&'a Tool, entry::Step), Lack> {
        let linker = || self.linker(step.linker).map(|(tool, _)| tool).ok_or("linker of another family");
        let named = |own: &'static str, tool: &'a Option<Tool>| match &step.tool {
            Some(name) => self.others.get(name).ok_or(name.as_str()),
            None => tool.as_ref().ok_or(own),
        };
        let (tool, command) = match step.by {
            StepKind::Link => (linker(), entry::Step::Link),
            StepKind::Shared => (linker(), entry::Step::Shared),
            StepKind::Relocatable => (linker(), entry::Step::Relocatable),
            StepKind::Strip => (named("strip", &self.strip), entry::Step::Strip),
            StepKind::Objcopy => (named("objcopy", &self.objcopy), entry::Step::Copy),
        };
        let tool = tool.map_err(|tool| Lack::Tool { tool: tool.to_owned(), linker: self.linker.name() })?;
        match tool.can(command) {
            true => Ok((tool, command)),
            false => Err(Lack::Command { tool: tool.name(), step: command }),
        }
    }

    /// `name@version` of each tool, by kind.
    pub fn names(&self) -> BTreeMap<String, String> {
        let tools = [Some(&self.linker), Some(&self.assembler), self.strip.as_ref()];
        let own = tools.into_iter().flatten().map(|tool| (tool.entry.kind.name().to_owned(), tool.name()));
        let own = own.chain(self.others.iter().map(|(name, tool)| (name.clone(), tool.name())));
        own.chain(self.second.iter().map(|second| ("other-linker".to_owned(), second.tool.name()))).collect()
    }
}

/// Arguments for an assembler, in the form that the tool expects that includes it.
pub(super) fn assembler_words(tool: &Tool, words: &[String]) -> String {
    match tool.entry.kind {
        Kind::Compiler => handed_on(words),
        _ => words.join(" "),
    }
}

/// Arguments for an assembler as a compiler passes them on: each option separately with its
/// operand, because clang refuses two in one argument.
fn handed_on(words: &[String]) -> String {
    let mut handed = String::new();
    for word in words {
        handed.push_str(if word.starts_with('-') { " -Wa," } else { "," });
        handed.push_str(word);
    }
    handed
}

#[cfg(test)]
mod tests {
    use super::handed_on;

    #[test]
    fn a_compiler_hands_on_each_option_with_its_operand() {
        let words = ["--defsym", "A=1", "-march=z13", "--defsym", "B=2"].map(str::to_owned);
        assert_eq!(handed_on(&words), " -Wa,--defsym,A=1 -Wa,-march=z13 -Wa,--defsym,B=2");
        assert_eq!(handed_on(&[]), "");
    }
}
