//! `worker`: executes foreign code for the process that started it. Not for people, and not in the
//! help.

use check::serve;

/// It has no options.
#[derive(clap::Args)]
pub(crate) struct Worker {}

impl Worker {
    pub(crate) fn run(self) -> anyhow::Result<u8> {
        serve()?;
        Ok(0)
    }
}
