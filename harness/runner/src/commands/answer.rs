//! `answer`: this project's own reader behind the protocol of readers under test (ci/README.md). Not in the help.

use std::io::{BufRead as _, Write};

use anyhow::{Context as _, bail};
use generators::code::FrameState;
use generators::vectors::Row;
use matrix::corpus::AnswerLine;
use model::ValueRule;
use sframe::{Placement, Section, StartBase, Table};
use toolchain::consumer::PROTOCOL;

/// Options of `answer`: the protocol.
#[derive(clap::Args)]
pub(crate) struct Answer {
    protocol: String,
}

/// A section, as the protocol's line names it.
struct Asked {
    bytes: Vec<u8>,
    address: u64,
}

impl Asked {
    fn of(words: &[&str]) -> anyhow::Result<Asked> {
        let [path, address, ..] = words else { bail!("a section's file and its address") };
        let bytes = std::fs::read(path).with_context(|| (*path).to_owned())?;
        Ok(Asked { bytes, address: hex(address)? })
    }

    fn section(&self) -> Option<Section<'_>> {
        Section::parse(&self.bytes).ok()
    }
}

fn hex(word: &str) -> anyhow::Result<u64> {
    let digits = word.strip_prefix("0x").context("a hexadecimal number")?;
    Ok(u64::from_str_radix(digits, 16)?)
}

impl Answer {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        if self.protocol != PROTOCOL {
            bail!("this is {PROTOCOL}");
        }
        let lines: Vec<String> = std::io::stdin().lock().lines().collect::<Result<_, _>>()?;
        for chunk in lines.chunk_by(|_, next| !next.starts_with("section ")) {
            let Some((first, pcs)) = chunk.split_first() else { continue };
            let words: Vec<&str> = first.split_ascii_whitespace().skip(1).collect();
            let asked = Asked::of(&words)?;
            let section = asked.section();
            let place = Placement { section_address: asked.address, starts: StartBase::Header };
            let table = section.as_ref().and_then(|section| Table::new(section, place).ok());
            writeln!(out, "{}", if table.is_some() { "read" } else { "refused" })?;
            for line in pcs {
                let pc = hex(line.split_ascii_whitespace().next().unwrap_or_default())?;
                let said = table.as_ref().map_or(AnswerLine::Err, |table| answer(table, pc));
                writeln!(out, "{said}")?;
            }
            out.flush()?;
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
