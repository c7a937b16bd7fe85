//! Prints the causes that a C program shows, as records of the ledger have them; or a drawn
//! program, its options and their causes:
//! `cargo run -p selftest --example causes -- gcc@12 aarch64-le FILE.c -O2 ...`
//! `cargo run -p selftest --example causes -- gcc@12 aarch64-le seed:1009`

use std::env;
use std::ffi::OsStr;
use std::process::ExitCode;

use generators::c::Program;
use generators::cfi_text::Text as _;
use ledger::known::Compiled;
use ledger::{Home, Ledger};
use selftest::compiled::observe::observe;
use selftest::compiled::options::{Choices, SHIPPED};
use selftest::compiled::subject;
use toolchain::producers::Producers;
use types::Abi;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    if env::args_os().nth(1).as_deref() == Some(OsStr::new(check::client::SUBCOMMAND)) {
        return Ok(check::serve().map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS));
    }
    check::client::are_this_program();
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [compiler, abi, file, options @ ..] = arguments.as_slice() else {
        return Err("usage: causes NAME@VERSION ABI FILE OPTION...".into());
    };
    let home = Home::checkout()?;
    let abi: Option<Abi> = if abi == "all" { None } else { Some(abi.parse()?) };
    let named = if compiler == "all" { Vec::new() } else { vec![compiler.clone()] };
    let subjects = subject::all(&Producers::new(None, &home.root)?, &named)?;
    let ledger = Ledger::read(&home)?;
    let choices = Choices::read(&home.root.join(SHIPPED))?;
    for one in subjects.iter().filter(|one| abi.is_none_or(|abi| one.abi == abi)) {
        let (text, options) = match file.strip_prefix("seed:") {
            None => (std::fs::read_to_string(file)?, options.join(" ")),
            Some(seed) => {
                let seed = seed.parse()?;
                let drawn = choices.draw((one.family, one.version()), one.abi, seed);
                let words: Vec<&str> = drawn.iter().map(|choice| choice.words.as_str()).collect();
                let text = Program::draw(one.target(), seed).text();
                println!("{text}\n// {}", words.join(" "));
                (text, words.join(" "))
            }
        };
        let seen = observe(one, &text, &options)?;
        println!("{} {}: {:?}", one.name, one.abi, seen.end);
        for (cause, headline) in &seen.causes {
            let known = one.entry_of(&ledger, cause, Compiled { text: &text, options: &options });
            println!(
                "  {} | {} | {} | {}",
                cause.rule,
                cause.shape,
                cause.after,
                known.map_or("NEW".to_owned(), |at| ledger.stem(at))
            );
            println!("      {headline}");
        }
    }
    Ok(ExitCode::SUCCESS)
}
