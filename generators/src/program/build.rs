//! Builds the file of a program, with its true frames.

use spec::RuleId;

use super::Program;
use super::code::FunctionCode;
use super::coverage::Coverage;
use super::lower::{StyledFunction, lower};
use super::plan::{Plan, plan};
use super::tables::style;
use crate::sample::{Sample, SampleError};

/// A program as a file that can still be edited, with facts about it.
#[derive(Clone, Debug)]
pub struct ProgramFile {
    /// Code and both tables.
    pub sample: Sample,
    /// Offsets in the text of all instructions of functions, ascending.
    pub instructions: Vec<u64>,
    /// Offsets in the text of addresses between the instructions.
    pub addresses: Vec<u64>,
    /// The program throws: during a throw, answers are undecided.
    pub throws: bool,
    /// The program handles a signal, which may arrive at any instruction.
    pub handles: bool,
    /// Styles and kinds of the program, each counted once.
    pub coverage: Coverage,
    /// Rules that its version and style break: the tables are right, but a warning is expected.
    pub warnings: Vec<RuleId>,
    /// Maximum number of callers in a run from `_start`.
    pub depth: u64,
}

impl Program {
    /// Generates machine code and tables.
    pub fn build(&self) -> Result<ProgramFile, SampleError> {
        let plan = plan(self);
        self.file(&plan, &lower(self, &plan))
    }

    /// Generates the same machine code, with tables of functions whose frames `change` changed, and
    /// returns its answer too. `None` if it has none.
    pub(crate) fn build_changed<T>(
        &self,
        change: impl FnOnce(&mut [&mut FunctionCode]) -> Option<T>,
    ) -> Result<Option<(ProgramFile, T)>, SampleError> {
        let plan = plan(self);
        let mut lowered = lower(self, &plan);
        let answer = change(&mut lowered.iter_mut().map(|lowered| &mut lowered.code).collect::<Vec<_>>());
        answer.map(|answer| Ok((self.file(&plan, &lowered)?, answer))).transpose()
    }

    fn file(&self, plan: &Plan, lowered: &[StyledFunction]) -> Result<ProgramFile, SampleError> {
        let emitted: Vec<_> = lowered.iter().map(|lowered| &lowered.code).collect();
        let functions = emitted.iter().map(|emitted| emitted.function.clone()).collect();
        let mut sample = Sample::with_tables(self.abi, self.version, self.kind, self.tables.place, functions)?;
        let warnings = style(self, &emitted, &mut sample);
        let instructions = emitted
            .iter()
            .zip(&sample.functions)
            .flat_map(|(emitted, placed)| emitted.starts.iter().map(|start| placed.offset + u64::from(*start)))
            .collect();
        let addresses = sample
            .functions
            .iter()
            .flat_map(|placed| placed.function.addresses.iter().map(|address| placed.offset + address.at as u64));
        let (addresses, throws) = (addresses.collect(), plan.functions.iter().any(|function| function.throws()));
        let styles = lowered.iter().flat_map(|lowered| lowered.styles.iter().copied());
        let coverage = Coverage::new(self, styles, &emitted, &sample);
        Ok(ProgramFile {
            sample,
            instructions,
            addresses,
            throws,
            handles: plan.handler.is_some(),
            coverage,
            warnings,
            depth: plan.depth,
        })
    }
}
