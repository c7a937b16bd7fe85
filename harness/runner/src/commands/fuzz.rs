//! `fuzz`: random CFI text through assemblers, and a folder of what each of them got wrong.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context as _;
use model::Abi;
use sframe_conformance::fuzz::{self, tool};

/// Options of `fuzz`.
#[derive(clap::Args)]
pub(crate) struct Fuzz {
    /// Files for each assembler and ABI
    #[arg(long, value_name = "N", default_value_t = 200)]
    count: u64,
    /// First seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Another assembler besides those on PATH: GNU as or clang (may be repeated)
    #[arg(long, value_name = "PATH")]
    assembler: Vec<String>,
    /// Leave those on PATH out
    #[arg(long)]
    no_path: bool,
    /// Only this ABI (may be repeated)
    #[arg(long, value_name = "ABI")]
    abi: Vec<Abi>,
    /// Where the shortest file of each finding and `findings.jsonl` are written
    #[arg(long, value_name = "DIR", default_value = "target/fuzz")]
    out: PathBuf,
}

impl Fuzz {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let began = Instant::now();
        let mut tools = if self.no_path { Vec::new() } else { tool::on_path() };
        for program in &self.assembler {
            tools.extend(tool::at(program).map_err(anyhow::Error::msg)?);
        }
        if !self.abi.is_empty() {
            tools.retain(|tool| self.abi.contains(&tool.abi));
        }
        anyhow::ensure!(!tools.is_empty(), "no assembler that writes .sframe; name one with --assembler");
        let fuzzed = fuzz::fuzz(&tools, self.seed, self.count).map_err(anyhow::Error::msg)?;
        fs::create_dir_all(&self.out).with_context(|| self.out.display().to_string())?;
        let mut lines = String::new();
        for (index, found) in fuzzed.found.iter().enumerate() {
            let what: String = found.what.chars().take(40).map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
            let name = format!("{index:03}-{}-{}-{what}.s", found.assembler, found.abi);
            fs::write(self.out.join(&name), &found.text).with_context(|| name.clone())?;
            lines.push_str(&serde_json::to_string(found)?);
            lines.push('\n');
            writeln!(out, "{name}: {}\n  {}", found.kinds.join(" "), found.detail)?;
        }
        fs::write(self.out.join("findings.jsonl"), lines).context("findings.jsonl")?;
        for ((assembler, abi, what), times) in &fuzzed.seen {
            writeln!(out, "{assembler} {abi} {what}: seen {times} times")?;
        }
        let (files, found) = (fuzzed.files, fuzzed.found.len());
        writeln!(out, "{files} files, {found} distinct findings, {} s", began.elapsed().as_secs())?;
        Ok(u8::from(found > 0))
    }
}
