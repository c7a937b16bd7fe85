//! Options of `check` and `sweep`: the parts of a file that are judged, and limits.

use std::time::Duration;

use crate::judged::{EXPLORATION, RUN};

use check::{Chains, Execution, Explore, Judging, Limits, Options, Rows, Sframe, Start, Synchronous};

#[derive(clap::Args)]
pub(crate) struct JudgingArgs {
    /// do static checks only, execute nothing
    #[arg(long = "static", conflicts_with = "explore", help_heading = "Execution")]
    static_only: bool,
    /// explore without a limit of time, also with --entry
    #[arg(long, help_heading = "Execution")]
    pub(super) explore: bool,
    /// execute programs only, no function with invented inputs
    #[arg(long, conflicts_with_all = ["explore", "static_only"], help_heading = "Execution")]
    no_explore: bool,
    /// walk the whole chain at every step, not only at calls, returns and first visits
    #[arg(long, help_heading = "Execution")]
    whole_chain: bool,
    /// evaluate the tables at every step, without cached verdicts (slow)
    #[arg(long, help_heading = "Execution")]
    every_step: bool,
    /// end a run as undecided after this many instructions
    #[arg(long, value_name = "N", default_value_t = Limits::default().steps, help_heading = "Execution")]
    step_limit: u64,
    /// end the execution of a file as undecided after this many seconds [default: 600 s of
    /// processor time for the run, 60 s for exploration]
    #[arg(long, value_name = "N", help_heading = "Execution")]
    seconds: Option<u64>,
    /// count a file without .sframe as an error
    #[arg(long, help_heading = "Verdict")]
    require_sframe: bool,
    /// accept synchronous unwind tables, which are right at calls only: a note, not an error
    #[arg(long, help_heading = "Verdict")]
    sync_tables: bool,
}

impl JudgingArgs {
    /// What is done with each file, in a sentence; `programs`: those that are executed.
    pub(crate) fn sentence(&self, programs: &str) -> String {
        match (self.execution(Vec::new()), self.seconds) {
            (Execution::Static, _) => "static checks of each file: nothing is executed".to_owned(),
            (Execution::Run { explore: Explore::Nothing, .. }, _) => format!("{programs} are executed"),
            (Execution::Run { explore: Explore::All, .. }, seconds) => {
                let time = match seconds {
                    Some(seconds) => format!(", at most {seconds} s a file"),
                    None if self.explore => String::new(),
                    None => format!(", at most {} s of processor time a file", EXPLORATION.as_secs()),
                };
                format!("{programs} are executed, and every function is explored{time} (--static, --no-explore: less)")
            }
        }
    }

    /// The options for [`check::check()`], without the program's inputs.
    pub(crate) fn options(&self) -> Options {
        let judging = Judging {
            chains: if self.whole_chain { Chains::AtEveryStep } else { Chains::AtCalls },
            rows: if self.every_step { Rows::AtEveryStep } else { Rows::Changed },
        };
        let time = self.seconds.map(Duration::from_secs);
        let exploration = (time.is_none() && !self.explore).then_some(EXPLORATION);
        let run = time.is_none().then_some(RUN);
        let limits = Limits { steps: self.step_limit, time, run, exploration };
        let sframe = if self.require_sframe { Sframe::Required } else { Sframe::Optional };
        let synchronous = if self.sync_tables { Synchronous::Note } else { Synchronous::Error };
        Options { execution: self.execution(Vec::new()), judging, limits, sframe, synchronous, ..Options::default() }
    }

    /// The parts that are executed, starting from these functions instead of the ELF entry.
    pub(crate) fn execution(&self, functions: Vec<String>) -> Execution {
        let start = if functions.is_empty() { Start::ElfEntry } else { Start::Functions(functions) };
        let explore = match &start {
            _ if self.static_only => return Execution::Static,
            _ if self.explore => Explore::All,
            // A user who names functions wants these.
            Start::Functions(_) => Explore::Nothing,
            Start::ElfEntry if self.no_explore => Explore::Nothing,
            Start::ElfEntry => Explore::All,
        };
        Execution::Run { start, explore }
    }
}
