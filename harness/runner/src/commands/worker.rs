//! `worker`: executes untrusted code for the process that started it. Internal, and hidden in the
//! help.

use std::io::Write;

use check::serve;

/// Execute foreign code for the process that started this one
#[derive(clap::Args)]
#[command(hide = true)]
pub(crate) struct Worker {}

impl Worker {
    pub(crate) fn run(self, _: &mut dyn Write) -> anyhow::Result<u8> {
        serve()?;
        Ok(0)
    }
}
