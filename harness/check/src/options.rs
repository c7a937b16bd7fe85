//! How a file is judged: what is executed of it, within which limits, and what is reported.

use std::time::Duration;

use types::ImageKind;

use crate::signals::SignalAt;
use crate::supplies::Supplies;

/// What to do with a file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Options {
    /// Leave the run out.
    pub static_only: bool,
    /// Also run functions that nothing called.
    pub explore: bool,
    /// Walk the whole chain at every step.
    pub whole_chain: bool,
    /// Evaluate rows at every step, also where all that they read is as it was at a step that was judged.
    pub every_step: bool,
    /// See [`machine::Plan::blocks_from`].
    pub blocks_from: u64,
    /// Most steps of one run.
    pub step_limit: u64,
    /// Most time for executing what the file has, all runs together.
    pub time_limit: Option<Duration>,
    /// Functions to run by name, in place of the ELF entry.
    pub entries: Vec<String>,
    /// Arguments of the program.
    pub arguments: Vec<String>,
    /// Files and input of the program.
    pub supplies: Supplies,
    /// Signals that it is sent.
    pub signals: Vec<SignalAt>,
    /// Tell what the program wrote.
    pub output: bool,
    /// Also list what the table has, for coverage of the specification.
    pub features: bool,
    /// Also list the instructions that exploration reached.
    pub reached: bool,
    /// A file without `.sframe` is an error.
    pub require_sframe: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            static_only: false,
            explore: false,
            whole_chain: false,
            every_step: false,
            blocks_from: machine::BLOCKS_FROM,
            step_limit: 100_000_000,
            time_limit: None,
            entries: Vec::new(),
            arguments: Vec::new(),
            supplies: Supplies::default(),
            signals: Vec::new(),
            output: false,
            features: false,
            reached: false,
            require_sframe: false,
        }
    }
}

impl Options {
    /// Returns true if code of a file of this kind is executed.
    pub(crate) fn executes(&self, kind: ImageKind) -> bool {
        let asked = self.explore || !self.entries.is_empty();
        let runs = match kind {
            ImageKind::Executable => true,
            ImageKind::Dynamic => asked || self.supplies.root.is_some(),
            ImageKind::Shared => asked,
            ImageKind::Relocatable => self.explore,
        };
        runs && !self.static_only
    }
}
