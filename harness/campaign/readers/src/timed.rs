//! Asks readers for the callers of an execution's frames, and for the time that this takes them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use accuracy::{FrameQuestion, QuestionedTable};
use results::ReaderTime;
use toolchain::consumer::{Exception, Question, Reader, Reply, Tells};
use types::{Abi, SframeVersion, TableFormat};

use crate::INDEX;
use crate::corpus::{AnswerLine, AnswerValue, Name};

/// Number of passes, of which the fastest counts.
const PASSES: u32 = 20;

/// The readers that claim to read any of these tables, and report their time, with their answers.
/// Sections are written as files into a folder.
pub fn timed(readers: &[Reader], tables: &[QuestionedTable], folder: &Path) -> io::Result<Vec<ReaderTime>> {
    let mut questions = Vec::new();
    for (index, table) in tables.iter().enumerate() {
        let section = folder.join(format!("table{index}"));
        fs::write(&section, &table.bytes)?;
        if let Some((_, bytes)) = &table.index {
            fs::write(section.with_extension(INDEX), bytes)?;
        }
        let lines: String = table.frames.iter().map(line).collect();
        questions.push(TableQuestion {
            table,
            format: format(table),
            section,
            lines: format!("{lines}time {PASSES}\n"),
        });
    }
    let times = readers.iter().filter(|reader| reader.consumer.tells.contains(&Tells::Time));
    Ok(times.filter_map(|reader| time(reader, &questions)).collect())
}

struct TableQuestion<'t> {
    table: &'t QuestionedTable,
    format: TableFormat,
    section: PathBuf,
    lines: String,
}

fn format(table: &QuestionedTable) -> TableFormat {
    SframeVersion::named(&table.format).map_or(TableFormat::EhFrame, TableFormat::Sframe)
}

fn line(frame: &FrameQuestion) -> String {
    let registers = frame.registers.iter().map(|(number, value)| format!(" r{number}={value:#x}"));
    let words = frame.memory.iter().map(|(address, value)| format!(" @{address:#x}={value:#x}"));
    let state: String = registers.chain(words).collect();
    format!("{:#x}{state}\n", frame.pc)
}

/// Result of one reader; `None` if it reads none of the tables.
fn time(reader: &Reader, all: &[TableQuestion<'_>]) -> Option<ReaderTime> {
    let reads = |one: &&TableQuestion<'_>| {
        let needs_index = one.format == TableFormat::EhFrame && reader.consumer.except.contains(&Exception::NoIndex);
        reader.consumer.reads(one.format, one.table.abi) && (!needs_index || one.table.index.is_some())
    };
    let read: Vec<&TableQuestion<'_>> = all.iter().filter(reads).collect();
    let questions: Vec<Question<'_>> = read
        .iter()
        .map(|one| {
            let QuestionedTable { address, text, abi, ref index, .. } = *one.table;
            let index = index.as_ref().map(|(address, _)| (one.section.with_extension(INDEX), *address));
            let (section, order) = (one.section.as_path(), abi.facts().order);
            Question {
                section,
                address,
                text,
                order,
                abi,
                format: one.format,
                register: None,
                index,
                lines: &one.lines,
            }
        })
        .collect();
    let section = read.first()?.format.section().to_owned();
    let (mut frames, mut right, mut nanoseconds) = (0, 0, Some(0));
    for (one, reply) in read.iter().zip(reader.ask(&questions)) {
        let answers = match &reply {
            Reply::Lines(lines) => lines.as_slice(),
            _ => &[],
        };
        frames += one.table.frames.len() as u64;
        let is_right = |(frame, answer): &(&FrameQuestion, &String)| {
            let caller = answer.parse().ok().and_then(|line| caller(one.table.abi, line, frame));
            caller.is_some_and(|(pc, sp)| (stripped(one.table.abi, pc), sp) == frame.caller)
        };
        right += one.table.frames.iter().zip(answers).filter(is_right).count() as u64;
        let took = answers.last().and_then(|line| line.strip_prefix("time ")?.parse::<u64>().ok());
        nanoseconds = nanoseconds.zip(took).map(|(sum, took)| sum + took);
    }
    Some(ReaderTime {
        reader: reader.consumer.name.clone(),
        version: reader.version.clone(),
        section,
        frames,
        right,
        nanoseconds_per_frame: nanoseconds.map(|sum: u64| sum as f64 / frames.max(1) as f64),
    })
}

/// A return address without its signature: user memory ends below 48 bits.
fn stripped(abi: Abi, pc: u64) -> u64 {
    match abi {
        Abi::Aarch64 | Abi::Aarch64Be => pc & ((1 << 48) - 1),
        Abi::Amd64 | Abi::S390x => pc,
    }
}

/// PC and SP of the caller that follows from an answer.
fn caller(abi: Abi, answer: AnswerLine, frame: &FrameQuestion) -> Option<(u64, u64)> {
    let facts = abi.facts();
    match answer {
        AnswerLine::Caller { pc, sp, .. } => Some((pc, sp)),
        AnswerLine::Row { cfa, ra, .. } => {
            let cfa = value(abi, cfa, None, frame)?;
            let ra = match ra {
                AnswerValue::Same => register(frame, facts.ra.0)?,
                ra => value(abi, ra, Some(cfa), frame)?,
            };
            Some((ra, cfa.wrapping_add_signed(facts.caller_sp_minus_cfa)))
        }
        AnswerLine::Outer { .. } | AnswerLine::None | AnswerLine::Err => None,
    }
}

fn value(abi: Abi, place: AnswerValue, cfa: Option<u64>, frame: &FrameQuestion) -> Option<u64> {
    let facts = abi.facts();
    let (base, offset, load) = match place {
        AnswerValue::Same => return None,
        AnswerValue::Cfa { offset, load } => (cfa?, offset, load),
        AnswerValue::Register { reg: Name::Sp, offset, load } => (register(frame, facts.sp.0)?, offset, load),
        AnswerValue::Register { reg: Name::Fp, offset, load } => (register(frame, facts.fp.0)?, offset, load),
        AnswerValue::Register { reg: Name::Number(number), offset, load } => (register(frame, number)?, offset, load),
    };
    let sum = base.wrapping_add_signed(offset);
    if load { find(&frame.memory, sum) } else { Some(sum) }
}

fn register(frame: &FrameQuestion, number: u16) -> Option<u64> {
    find(&frame.registers, number)
}

fn find<K: Copy + PartialEq>(all: &[(K, u64)], key: K) -> Option<u64> {
    all.iter().find(|(other, _)| *other == key).map(|(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The caller follows from each form of an answer.
    #[test]
    fn a_caller_follows_from_a_row() {
        let frame = FrameQuestion {
            pc: 0x1000,
            registers: vec![(6, 0x7040), (7, 0x7000), (30, 0x0012_0000_0000_2000), (31, 0x7000)],
            memory: vec![(0x7018, 0x2000), (0x7030, 0x7020)],
            caller: (0x2000, 0x7020),
        };
        let of = |abi, text: &str| caller(abi, text.parse().expect("an answer"), &frame);
        for right in ["sp+32 cfa-8 same", "[fp-16] cfa-8 cfa-16", "r7+32 [r7+24] same", "caller 0x2000 0x7020 0x0"] {
            assert_eq!(of(Abi::Amd64, right), Some(frame.caller), "{right}");
        }
        for wrong in ["sp+24 cfa-8 same", "sp+32 =cfa-8 same", "sp+32 same same", "outer", "none", "err"] {
            assert_ne!(of(Abi::Amd64, wrong), Some(frame.caller), "{wrong}");
        }
        let (pc, sp) = of(Abi::Aarch64, "sp+32 same same signed-a").expect("a caller");
        assert_eq!((stripped(Abi::Aarch64, pc), sp), frame.caller);
    }
}
