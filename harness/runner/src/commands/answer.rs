//! `answer`: this project's reader, or a linker, as a program with the protocol of readers under
//! test (ci/readers.md). Hidden in the help.

use std::io::{BufRead as _, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use readers::corpus::AnswerLine;
use readers::{GIMLI, Linked, Output, OwnReader, SectionInput, link, linker};
use toolchain::consumer::PROTOCOL;
use toolchain::producers::Producers;
use toolchain::tool::Tool;
use types::{Abi, Reg, SframeVersion, TableFormat};

/// answer questions about one section, as a reader under test
#[derive(clap::Args)]
#[command(hide = true)]
pub(crate) struct Answer {
    protocol: Option<String>,
    /// let a linker of the producers' file answer: NAME@VERSION; the beginning of its version is
    /// enough
    #[arg(long, requires = "producers")]
    linker: Option<String>,
    /// producers' file; paths in it are relative to the folder above its own
    #[arg(long)]
    producers: Option<PathBuf>,
    /// print its version only
    #[arg(long)]
    version: bool,
}

fn section(line: &str) -> anyhow::Result<SectionInput> {
    let words: Vec<&str> = line.split_ascii_whitespace().skip(1).collect();
    let [path, address, from, to, _, abi, ref rest @ ..] = words[..] else {
        bail!("a section's file, addresses, order and ABI")
    };
    let bytes = std::fs::read(path).with_context(|| path.to_owned())?;
    let abi: Abi = abi.parse()?;
    // The version of a `.sframe` is in its header.
    let format = match rest.first() {
        Some(word) if *word == TableFormat::EhFrame.name() => TableFormat::EhFrame,
        _ => SframeVersion::LATEST.into(),
    };
    let register = match rest {
        [.., "register", number] => Some(Reg(number.parse()?)),
        _ => None,
    };
    Ok(SectionInput { bytes, address: hex(address)?, text: (hex(from)?, hex(to)?), abi, format, register })
}

fn hex(word: &str) -> anyhow::Result<u64> {
    let digits = word.strip_prefix("0x").context("a hexadecimal number")?;
    Ok(u64::from_str_radix(digits, 16)?)
}

/// The reader that answers.
enum Who {
    ThisReader,
    Linker { producers: Producers, name: String, version: String },
}

impl Who {
    fn tool(&self, abi: Abi) -> Option<&Tool> {
        match self {
            Who::ThisReader => None,
            Who::Linker { producers, name, version } => linker(producers, name, version, abi),
        }
    }

    /// Result of reading the section, in the protocol's words, and the table that gives answers.
    fn read(&self, asked: &SectionInput) -> anyhow::Result<(String, Answers)> {
        let nothing = |reply: String| (reply, Answers::None);
        if matches!(self, Who::ThisReader) {
            return Ok(match OwnReader::new(asked) {
                Some(own) => ("read".to_owned(), Answers::Own(Box::new(own))),
                None => nothing("refused".to_owned()),
            });
        }
        let Some(tool) = self.tool(asked.abi) else { return Ok(nothing(format!("not-asked none for {}", asked.abi))) };
        Ok(match link(tool, asked)? {
            Linked::Made(output) => ("read".to_owned(), Answers::Linked(Box::new(output))),
            Linked::Refused => nothing("refused".to_owned()),
            Linked::NotAsked(why) => nothing(format!("not-asked {why}")),
            Linked::Hang => nothing("hang".to_owned()),
            Linked::Crash(signal, place) => nothing(format!("crash {signal} {place}").trim().to_owned()),
            Linked::Broken(why) => bail!(why),
        })
    }
}

/// Source of the answers for a section.
enum Answers {
    Own(Box<OwnReader>),
    Linked(Box<Output>),
    None,
}

impl Answers {
    fn to(&self, question: &str) -> anyhow::Result<String> {
        if let (Answers::Own(own), true) = (self, question.starts_with("chain ")) {
            let callers = own.walk(question).context("a stack")?;
            return Ok(callers.iter().fold("chain".to_owned(), |line, pc| format!("{line} {pc:#x}")));
        }
        let pc = hex(question.split_ascii_whitespace().next().unwrap_or_default())?;
        let answer = match self {
            Answers::Own(own) => own.answer(question).context("a question")?,
            Answers::Linked(output) => output.answer(pc),
            Answers::None => AnswerLine::Err,
        };
        Ok(answer.to_string())
    }

    /// Time for the PCs among earlier questions.
    fn time<'q>(&self, earlier: impl Iterator<Item = &'q String>, passes: &str) -> anyhow::Result<String> {
        let Answers::Own(own) = self else { return Ok(AnswerLine::Err.to_string()) };
        let pcs = earlier.map(String::as_str).filter(|line| line.starts_with("0x"));
        let took = own.time(pcs, passes.parse()?).context("a question, and passes")?;
        Ok(format!("time {}", took.as_nanos()))
    }
}

impl Answer {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let who = self.who()?;
        if self.version && matches!(who, Who::ThisReader) {
            writeln!(out, "gimli {GIMLI}")?;
            return Ok(0);
        }
        if self.version {
            let tool =
                Abi::ALL.into_iter().find_map(|abi| who.tool(abi)).context("the linker is not on this machine")?;
            writeln!(out, "{} {}", tool.entry.name, tool.version)?;
            return Ok(0);
        }
        if self.protocol.as_deref() != Some(PROTOCOL) {
            bail!("this is {PROTOCOL}");
        }
        let lines: Vec<String> = std::io::stdin().lock().lines().collect::<Result<_, _>>()?;
        for chunk in lines.chunk_by(|_, next| !next.starts_with("section ")) {
            let Some((first, pcs)) = chunk.split_first() else { continue };
            let (reply, answers) = who.read(&section(first)?)?;
            writeln!(out, "{reply}")?;
            for (index, line) in pcs.iter().enumerate() {
                match line.strip_prefix("time ") {
                    Some(passes) => writeln!(out, "{}", answers.time(pcs.iter().take(index), passes)?)?,
                    None => writeln!(out, "{}", answers.to(line)?)?,
                }
            }
            out.flush()?;
        }
        Ok(0)
    }

    fn who(&self) -> anyhow::Result<Who> {
        let Some((linker, file)) = self.linker.as_deref().zip(self.producers.as_deref()) else {
            return Ok(Who::ThisReader);
        };
        let (name, version) = linker.split_once('@').context("a linker is NAME@VERSION")?;
        let root = file.parent().and_then(Path::parent).context("a producers' file in a folder")?;
        let producers = Producers::read(file, root)?;
        Ok(Who::Linker { producers, name: name.to_owned(), version: version.to_owned() })
    }
}
