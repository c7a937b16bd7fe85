//! `answer`: this project's own reader behind the protocol of readers under test (ci/README.md). Not in the help.

use std::io::{BufRead as _, Write};
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use generators::code::FrameState;
use generators::vectors::Row;
use matrix::corpus::AnswerLine;
use model::{Abi, ValueRule};
use sframe::{Placement, Section, StartBase, Table};
use toolchain::consumer::PROTOCOL;

/// Options of `answer`: the protocol's arguments.
#[derive(clap::Args)]
pub(crate) struct Answer {
    protocol: String,
    section: PathBuf,
    #[arg(value_parser = hex)]
    address: u64,
    #[arg(value_parser = hex)]
    text_start: u64,
    #[arg(value_parser = hex)]
    text_end: u64,
    order: String,
    abi: Abi,
}

/// The section is refused.
const REFUSED: u8 = 1;

fn hex(text: &str) -> Result<u64, String> {
    let digits = text.split_ascii_whitespace().next().and_then(|word| word.strip_prefix("0x"));
    let value = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
    value.ok_or_else(|| "a hexadecimal number".to_owned())
}

impl Answer {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        if self.protocol != PROTOCOL {
            bail!("this is {PROTOCOL}");
        }
        let bytes = std::fs::read(&self.section).with_context(|| self.section.display().to_string())?;
        let Ok(section) = Section::parse(&bytes) else { return Ok(REFUSED) };
        let place = Placement { section_address: self.address, starts: StartBase::Header };
        let Ok(table) = Table::new(&section, place) else { return Ok(REFUSED) };
        for line in std::io::stdin().lock().lines() {
            let pc = hex(&line?).map_err(anyhow::Error::msg)?;
            writeln!(out, "{}", answer(&table, pc))?;
        }
        Ok(0)
    }
}

fn answer(table: &Table, pc: u64) -> AnswerLine {
    let Some(row) = table.find(pc).and_then(|function| function.unwind_row(pc)) else { return AnswerLine::None };
    if row.ra == ValueRule::Undefined {
        return AnswerLine::Outer { signal: row.signal };
    }
    let frame = FrameState { cfa: row.cfa, ra: row.ra, fp: row.fp, signed: row.signed };
    let key = row.signed.then_some(row.key);
    AnswerLine::of(table.abi(), &Row { frame, key, signal: row.signal })
}
