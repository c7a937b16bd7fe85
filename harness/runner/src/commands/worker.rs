//! `worker`: executes foreign code for the process that started it. Not for people, and not in the help.

use std::path::PathBuf;

use matrix::workers::serve::serve;

/// Options of `worker`.
#[derive(clap::Args)]
pub(crate) struct Worker {
    /// The file through which it tells where it is
    position: PathBuf,
}

impl Worker {
    pub(crate) fn run(self) -> anyhow::Result<u8> {
        serve(&self.position)?;
        Ok(0)
    }
}
