//! Options of `check` and `sweep`: what of a file is judged, and within which bounds.

use std::time::Duration;

use check::Options;

#[derive(clap::Args)]
pub(crate) struct Judging {
    /// Leave the run out
    #[arg(long = "static")]
    static_only: bool,
    /// Also run functions that nothing calls
    #[arg(long)]
    explore: bool,
    /// Walk the whole chain at every step, not only at calls, returns and first visits
    #[arg(long)]
    whole_chain: bool,
    /// Evaluate rows at every step, also where all that they read is as it was when they were right
    #[arg(long)]
    every_step: bool,
    /// End a run as undecided after so many instructions
    #[arg(long, value_name = "N", default_value_t = Options::default().step_limit)]
    step_limit: u64,
    /// End what is executed of a file after so many seconds, all runs together, as undecided
    #[arg(long, value_name = "N")]
    seconds: Option<u64>,
    /// A file without .sframe is an error
    #[arg(long)]
    require_sframe: bool,
}

impl Judging {
    /// As [`check::check()`] takes them, with nothing said of the program that is run.
    pub(crate) fn options(&self) -> Options {
        Options {
            static_only: self.static_only,
            explore: self.explore,
            whole_chain: self.whole_chain,
            every_step: self.every_step,
            step_limit: self.step_limit,
            time_limit: self.seconds.map(Duration::from_secs),
            require_sframe: self.require_sframe,
            ..Options::default()
        }
    }
}
