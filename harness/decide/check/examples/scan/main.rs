//! Tests the emulator with every instruction: executes words of every opcode of a target, each
//! alone in its own program, and lists those that crash the emulator and those that raise an
//! exception although a disassembler knows them. It takes minutes; its output is stored in
//! `harness/execute/machine/data`.
//!
//! ```text
//! cargo run --release -p check --example scan -- amd64 [WORDS [SEED]] \
//!     >harness/execute/machine/data/amd64.txt
//! ```
//!
//! Without a target, as `cargo test` calls it, it tests that each listed word still ends as
//! recorded.

mod aarch64;
mod amd64;
mod s390x;
mod tally;
mod tests;
mod words;

use std::str::FromStr;
use std::thread::{self, available_parallelism};
use std::time::Duration;
use std::{env, io};

use check::client::{Death, Limits, SUBCOMMAND, WordEnd, are_this_program, execute_words};
use tally::Tally;
use types::Abi;
use words::{Word, words};

/// Number of words given to one worker.
const BATCH: u64 = 2000;
/// A word is one instruction; one that takes longer hangs.
const LIMITS: Limits = Limits { executing: Duration::from_secs(3), judging: Duration::from_secs(60) };

type Batch = (Vec<Word>, Vec<Result<WordEnd, Death>>);

fn main() -> io::Result<()> {
    are_this_program();
    let arguments: Vec<String> = env::args().skip(1).collect();
    let first = arguments.first().map(String::as_str);
    if first == Some(SUBCOMMAND) {
        return check::serve();
    }
    let Some(abi) = first.and_then(|name| name.parse().ok()) else { tests::run() };
    let (count, seed) = (number(arguments.get(1), 600_000)?, number(arguments.get(2), 1)?);
    let mut tally = Tally::default();
    for (words, ends) in scan(abi, count, seed)? {
        words.iter().zip(&ends).for_each(|(word, end)| tally.add(abi, word, end));
    }
    let (tried, refused) = tally.counts();
    println!("# {tried} words of {abi} with seed {seed}, {refused} of them not executed");
    tally.lines().iter().for_each(|line| println!("{line}"));
    Ok(())
}

fn number(argument: Option<&String>, usual: u64) -> io::Result<u64> {
    argument.map_or(Ok(usual), |text| u64::from_str(text).map_err(io::Error::other))
}

/// Executes words in batches, with as many threads as there are processors.
fn scan(abi: Abi, count: u64, seed: u64) -> io::Result<Vec<Batch>> {
    let threads = available_parallelism()?.get();
    let batch = |number: u64| {
        let words = words(abi, number * BATCH..count.min((number + 1) * BATCH), seed);
        let bytes: Vec<Vec<u8>> = words.iter().map(|word| word.bytes.clone()).collect();
        let ends = execute_words(abi, &bytes, LIMITS)?;
        Ok((number, (words, ends)))
    };
    let share = |first: usize| (0..count.div_ceil(BATCH)).skip(first).step_by(threads).map(batch).collect();
    let shares: io::Result<Vec<Vec<(u64, Batch)>>> = thread::scope(|scope| {
        let begun: Vec<_> = (0..threads).map(|first| scope.spawn(move || share(first))).collect();
        begun.into_iter().map(|share| share.join().expect("a thread that does not panic")).collect()
    });
    let mut batches: Vec<(u64, Batch)> = shares?.into_iter().flatten().collect();
    batches.sort_by_key(|(number, _)| *number);
    Ok(batches.into_iter().map(|(_, batch)| batch).collect())
}
