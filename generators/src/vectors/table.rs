//! Vectors that are lines of a table: those of `breaches.txt`, and the valid ones of `valid.txt`.
//!
//! A line's first column is the class, the name, conditions (`!` for the contrary) and the
//! functions: `two` is a function that sets up a frame and one without a frame, `none` no function,
//! and both are `two` if nothing is given. `+OFFSET:SIZE:FRAMES` is a function at an offset in the
//! code (`=ADDRESS:` at an address) with that many frames of [`Bench::frames`] (`1..3`: without the
//! first; `outermost`), of which the last may begin at another offset, `2@11`; `/16` repeats them
//! in blocks of 16 bytes; `:flex` and `:signal` are further properties.
//!
//! Besides the statements that edit a section, `at ADDRESS` places it, `text FROM TO` is the code,
//! `move FUNCTION ADDRESS` moves a function, and `cut = SIZE` truncates the section.
//!
//! The last column of a valid vector has the frames of its only function from the 4th byte on,
//! every 4 bytes or at an offset; `flexible` rows describe them. That of another has the answers:
//! `nothing` allows none, `nothing f0.r1` none from that row of a function on, `either f2 no-row
//! outermost` one of several.

use types::PacKey;

use super::Class;
use super::bench::{Bench, Draft, SECTION, TEXT};
use super::expected::{Expected, Row};
use super::notation::Notation;
use super::question::question;
use crate::arch::target;
use crate::breaches::{Line, lines};
use crate::code::{FrameAt, FrameState};
use crate::sframe::{Field, SectionAddress, edit, integer};

/// The drafts of a table whose conditions a target and version fulfil.
pub(super) fn drafts(table: &'static str, bench: Bench) -> Vec<Draft> {
    let vectors = lines(table).filter(|line| line.words.first() != Some(&"file"));
    vectors.filter_map(|line| draft(&line, bench).unwrap_or_else(|| panic!("{line:?}"))).collect()
}

/// The draft of a line; `Some(None)` if a condition is not fulfilled, `None` if the line means
/// nothing.
fn draft(line: &Line<'static>, bench: Bench) -> Option<Option<Draft>> {
    let [class, name, options @ ..] = &line.words[..] else { return None };
    let mut draft = bench.empty(name, line.about);
    let mut is_empty = false;
    for option in options {
        match (*option, option.strip_prefix(['+', '='])) {
            ("two", _) => draft = draft.and_two(),
            ("none", _) => is_empty = true,
            ("flexible", _) => {}
            (_, Some(function)) => draft = add(draft, function, option.starts_with('+'))?,
            (condition, None) => {
                let (expected, name) = match condition.strip_prefix('!') {
                    Some(name) => (false, name),
                    None => (true, condition),
                };
                if fulfils(bench, name)? != expected {
                    return Some(None);
                }
            }
        }
    }
    if *class == "valid" && !line.expected.is_empty() {
        draft = framed(draft, &line.expected, options.contains(&"flexible"))?;
    } else if draft.known.is_empty() && !is_empty {
        draft = draft.and_two();
    }
    draft.class = match *class {
        "valid" => Class::Valid,
        "invalid" => Class::Invalid(line.heading.parse().ok()?),
        "malformed" => Class::Malformed(line.heading.parse().ok()?),
        "open" => Class::Open(question(line.heading.strip_prefix('?')?)),
        _ => return None,
    };
    line.edits.iter().try_for_each(|statement| change(&mut draft, statement))?;
    if *class == "valid" {
        return Some(Some(draft));
    }
    line.expected.iter().try_fold(draft, |draft, statement| answer(draft, statement)).map(Some)
}

/// Adds a function of 32 bytes with the frame at entry, and these at every 4 bytes or at an offset.
fn framed(draft: Draft, texts: &[&str], is_flexible: bool) -> Option<Draft> {
    let notation = Notation { abi: draft.bench.abi, register: None };
    let mut frames = vec![FrameAt { offset: 0, frame: notation.frame("entry")? }];
    for (text, next) in texts.iter().zip((4..).step_by(4)) {
        let offset = text.split(' ').next().and_then(|word| word.parse().ok());
        let frame = notation.frame(text.trim_start_matches(|first: char| first.is_ascii_digit()))?;
        frames.push(FrameAt { offset: offset.unwrap_or(next), frame });
    }
    Some(match is_flexible {
        true => draft.flex(TEXT + 0x100, 0x20, &frames),
        false => draft.with(TEXT + 0x100, 0x20, &frames),
    })
}

fn fulfils(bench: Bench, condition: &str) -> Option<bool> {
    let (target, layout) = (target(bench.abi), bench.layout());
    Some(match condition {
        "v1" => layout.version_byte() == 1,
        "v2" => layout.version_byte() == 2,
        "v3" => layout.version_byte() == 3,
        "pcrel" => bench.has_pcrel(),
        "little" => bench.abi.facts().order == types::ByteOrder::Little,
        "fixed-ra" => target.fixed_ra != 0,
        "signs" => target.signs,
        "flex" => target.has_flex(layout),
        abi if ["amd64", "s390x"].contains(&abi) => bench.abi.name() == abi,
        _ => return None,
    })
}

/// Adds a function: `OFFSET:SIZE:FRAMES[@OFFSET][/BLOCK][:flex][:signal]`.
fn add(draft: Draft, text: &str, in_code: bool) -> Option<Draft> {
    let mut parts = text.split(':');
    let (at, size, frames) = (integer(parts.next()?)? as u64, integer(parts.next()?)? as u32, parts.next()?);
    let properties: Vec<&str> = parts.collect();
    let (frames, block) = frames.split_once('/').map_or((frames, None), |(frames, block)| (frames, Some(block)));
    let (frames, last) = frames.split_once('@').map_or((frames, None), |(frames, last)| (frames, Some(last)));
    let all = draft.bench.frames();
    let mut frames = match (frames, frames.split_once("..")) {
        ("outermost", _) => vec![FrameAt { offset: 0, frame: all[0].frame.outermost() }],
        (_, Some((from, to))) => all.get(from.parse().ok()?..to.parse().ok()?)?.to_vec(),
        (count, None) => all.get(..count.parse().ok()?)?.to_vec(),
    };
    if let (Some(frame), Some(offset)) = (frames.last_mut(), last) {
        frame.offset = integer(offset)? as u32;
    }
    let start = if in_code { TEXT + at } else { at };
    let mut draft = match properties.contains(&"flex") {
        true => draft.flex(start, size, &frames),
        false => draft.with(start, size, &frames),
    };
    if let Some(block) = block {
        draft = draft.in_blocks(block.parse().ok()?);
    }
    Some(if properties.contains(&"signal") { draft.signal() } else { draft })
}

/// Applies a statement to a draft; `None` if it means nothing.
fn change(draft: &mut Draft, statement: &str) -> Option<()> {
    let words: Vec<&str> = statement.split_whitespace().collect();
    match words[..] {
        ["cut", "=", size] => draft.cut = Some(integer(size)? as usize),
        ["at", address] => draft.address = integer(address)? as u64,
        ["text", from, to] => draft.text = (integer(from)? as u64, integer(to)? as u64),
        ["move", function, address] => {
            let (index, address) = (Field::parse(function).index(&draft.section)?, integer(address)? as u64);
            draft.section.functions.get_mut(index)?.start = address;
            draft.known.get_mut(index)?.start = address;
        }
        ["key-b"] => {
            draft.section.functions.iter_mut().for_each(|function| function.key = PacKey::B);
            draft.known.iter_mut().for_each(|known| known.key = PacKey::B);
        }
        _ => edit(&mut draft.section, SectionAddress::Linked { section: SECTION + 0x200 }, statement)?,
    }
    Some(())
}

/// Allows nothing, or several answers.
fn answer(draft: Draft, statement: &str) -> Option<Draft> {
    let words: Vec<&str> = statement.split_whitespace().collect();
    match words[..] {
        ["nothing"] => Some(draft.nothing()),
        ["nothing", function] => {
            let field = Field::parse(function);
            let index = field.index(&draft.section)?;
            Some(draft.nothing_for(index, field.row.unwrap_or(0)))
        }
        ["either", function, ref readings @ ..] => {
            let index = Field::parse(function).index(&draft.section)?;
            let frame = FrameState::at_entry(draft.bench.abi).outermost();
            let signal = draft.known.get(index)?.signal;
            let reading = |name: &&str| match *name {
                "no-row" => Some(Expected::NoRow),
                "refuse" => Some(Expected::Refuse),
                "anything" => Some(Expected::Anything),
                "outermost" => Some(Expected::Row(Row { frame, key: None, signal })),
                _ => None,
            };
            let readings = readings.iter().map(reading).collect::<Option<Vec<_>>>()?;
            Some(draft.either(index, &readings))
        }
        _ => None,
    }
}
