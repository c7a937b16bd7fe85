use std::io::Write;
#[derive(clap::Args)]
pub(crate) struct BundleCommand {}
impl BundleCommand { pub(crate) fn run(self, _out: &mut dyn Write) -> anyhow::Result<u8> { Ok(0) } }
