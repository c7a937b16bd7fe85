//! `scan`: executes words of every opcode of a target and lists what the emulator cannot do. Not in the help: it is for whoever changes
//! the emulator's version, and takes minutes. Its output is `harness/machine/data/ABI.txt`.

use std::io::Write;
use std::time::Duration;

use check::scan::{Tally, words};
use check::workers::{Limits, execute_words};
use rayon::prelude::*;
use types::Abi;

/// Options of `scan`.
#[derive(clap::Args)]
pub(crate) struct Scan {
    /// The target
    abi: Abi,
    /// How many words
    #[arg(long, default_value_t = 600_000)]
    count: u64,
    /// The operands follow from it
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Words that one worker is given.
const BATCH: u64 = 2000;
/// A word is one instruction; whatever takes longer hangs.
const LIMITS: Limits = Limits { executing: Duration::from_secs(3), judging: Duration::from_secs(60) };

impl Scan {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let batches = 0..self.count.div_ceil(BATCH);
        let batch = |number: u64| {
            let words = words(self.abi, number * BATCH..self.count.min((number + 1) * BATCH), self.seed);
            let bytes: Vec<Vec<u8>> = words.iter().map(|(word, _)| word.clone()).collect();
            let ends = execute_words(self.abi, &bytes, LIMITS)?;
            Ok((words, ends))
        };
        let batches: Vec<std::io::Result<_>> = batches.into_par_iter().map(batch).collect();
        let mut tally = Tally::default();
        for batch in batches {
            let (words, ends) = batch?;
            words.iter().zip(&ends).for_each(|(word, end)| tally.add(self.abi, word, end));
        }
        let (tried, refused) = tally.counts();
        writeln!(out, "# {tried} words of {} with seed {}, {refused} of them not executed", self.abi, self.seed)?;
        tally.lines().iter().try_for_each(|line| writeln!(out, "{line}"))?;
        Ok(0)
    }
}
