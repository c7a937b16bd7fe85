//! Subjects of the test with random C programs: a compiler for one ABI, with the newest assembler
//! and linker for it.

use std::path::PathBuf;
use std::sync::Arc;

use generators::c::CompilerTarget;
use ledger::Ledger;
use ledger::known::{Compiled, LedgerEntry, Proof};
use matrix::pipeline::{Pipeline, Sframe};
use results::{ProgramCause, ToolName, ToolVersion};
use toolchain::entry::{Kind, OptionSet, Step};
use toolchain::files::Files;
use toolchain::process::{Finished, ProcessError};
use toolchain::producers::Producers;
use toolchain::tool::{Order, Tool};
use types::{Abi, SframeVersion, Unknown};

use super::options::Family;

/// A compiler for an ABI, with the tools that follow it.
#[derive(Clone, Debug)]
pub struct CompilerSubject {
    /// Name: `gcc@12.2.0`.
    pub name: String,
    pub family: Family,
    /// The target.
    pub abi: Abi,
    compiler: Tool,
    assembler: Tool,
    linker: Tool,
}

/// Time limit of a command: a file of a few hundred lines takes a tenth of a second.
const MOST_SECONDS: u64 = 20;

/// Installed subjects, in the order of the producers' file; if some are `named`, by name and prefix
/// of the version, only these.
pub fn all(producers: &Producers, named: &[String]) -> Result<Vec<CompilerSubject>, Unknown> {
    let mut subjects = Vec::new();
    for family in [Family::Gcc, Family::Clang] {
        for abi in Abi::ALL {
            let compilers = producers.tools(family.name(), abi).unwrap_or_default();
            subjects.extend(compilers.iter().filter_map(|compiler| CompilerSubject::new(producers, compiler, family)));
        }
    }
    if let Some(name) = named.iter().find(|name| !subjects.iter().any(|one| ToolName::is_text_a(&one.name, name))) {
        return Err(Unknown::new("compiler", name, subjects.into_iter().map(|one| one.name)));
    }
    subjects.retain(|one| named.is_empty() || named.iter().any(|name| ToolName::is_text_a(&one.name, name)));
    Ok(subjects)
}

impl CompilerSubject {
    fn new(producers: &Producers, compiler: &Tool, family: Family) -> Option<CompilerSubject> {
        let newest = |tools: Vec<&Tool>| {
            let writes = tools.into_iter().filter(|tool| !tool.sframe().is_empty());
            writes.max_by(|a, b| a.version.cmp_numbers(&b.version)).cloned()
        };
        let assembler = newest(producers.partners(compiler, Kind::Assembler, true))?;
        let merges = |linker: &Tool| linker.can(Step::Link) && linker.version == assembler.version;
        let linker = producers.partner(&assembler, Kind::Linker, merges)?.clone();
        let hurried = |mut tool: Tool| {
            let limits = &mut Arc::make_mut(&mut tool.entry).limits;
            limits.seconds = limits.seconds.min(MOST_SECONDS);
            tool
        };
        Some(CompilerSubject {
            name: compiler.name(),
            family,
            abi: compiler.abi,
            compiler: hurried(compiler.clone()),
            assembler: hurried(assembler),
            linker: hurried(linker),
        })
    }

    /// Target of its programs.
    pub fn target(&self) -> CompilerTarget {
        CompilerTarget { abi: self.abi, compiler: self.family.compiler() }
    }

    pub fn version(&self) -> &ToolVersion {
        &self.compiler.version
    }

    pub fn tool(&self, step: Step) -> String {
        match step {
            Step::Assemble => self.assembler.name(),
            Step::Link | Step::Shared | Step::Relocatable => self.linker.name(),
            Step::Compile | Step::CompileObject | Step::Strip | Step::Copy => self.name.clone(),
        }
    }

    /// The tools as the build of a case has them, with options of the compiler.
    pub fn pipeline(&self, options: &str) -> Pipeline {
        let set = OptionSet { words: options.to_owned(), ..OptionSet::default() };
        Pipeline {
            compiler: Some((self.compiler.clone(), set)),
            assembler: Some(self.assembler.clone()),
            linker: Some(self.linker.clone()),
            strip: None,
            sframe: Sframe::Wanted,
        }
    }

    /// The SFrame version that the assembler writes; none without one.
    pub fn sframe(&self) -> Option<SframeVersion> {
        self.assembler.sframe().first().copied()
    }

    /// The tools that take part.
    pub fn tools(&self) -> Vec<ToolName> {
        [&self.compiler, &self.assembler, &self.linker]
            .into_iter()
            .filter_map(|tool| tool.name().parse().ok())
            .collect()
    }

    /// The ledger entry that covers a cause, for any of the tools.
    pub fn entry_of(&self, ledger: &Ledger, cause: &ProgramCause, program: Compiled<'_>) -> Option<usize> {
        self.tools().iter().find_map(|tool| ledger.of_cause(tool, cause, program))
    }

    /// Returns true if a program that proves a cause of an entry is for this compiler and a version
    /// of a tool that is due. Bugs of assemblers are proven by GCC's output, or clang's if the
    /// options are only clang's.
    pub fn proves(&self, entry: &LedgerEntry, proof: &Proof) -> bool {
        let of_assembler = if proof.options.contains("-Xclang") { Family::Clang } else { Family::Gcc };
        let is_compiler = self.family == of_assembler || self.family.name() == entry.project;
        self.abi == proof.abi && is_compiler && self.tools().iter().any(|tool| entry.is_due(tool))
    }

    /// The assembler's file and the words with which it writes `.sframe`, without input and output.
    pub fn assembler_words(&self) -> Result<(PathBuf, String), ProcessError> {
        const NONE: &str = "no-output";
        let order = Order { step: Step::Assemble, inputs: &[], output: NONE, options: "", sframe: true };
        let words = self.assembler.command(&order)?;
        let words: Vec<&str> =
            words.iter().skip(1).map(String::as_str).filter(|word| !["-o", NONE].contains(word)).collect();
        Ok((self.assembler.program.clone(), words.join(" ")))
    }

    /// Returns true if the compiler has an assembler of its own.
    pub fn assembles_itself(&self) -> bool {
        self.compiler.can(Step::CompileObject)
    }

    /// Runs a step of the build.
    ///
    /// # Errors
    /// The tool cannot start or hangs; a failure of the tool itself is in the result.
    pub fn run(&self, step: Step, files: &mut Files, options: &str) -> Result<Finished, ProcessError> {
        let (tool, input, output) = match step {
            Step::Assemble => (&self.assembler, "t.s", "t.o"),
            Step::Link | Step::Shared | Step::Relocatable => (&self.linker, "t.o", "t"),
            Step::CompileObject => (&self.compiler, "t.c", "t.o"),
            Step::Compile | Step::Strip | Step::Copy => (&self.compiler, "t.c", "t.s"),
        };
        let order = Order { step, inputs: &[input], output, options, sframe: true };
        Ok(tool.run(&order, files)?.finished)
    }
}
