//! The crate simple-frame-rs as a reader under test: it speaks the line protocol (ci/readers.md).

use std::io::{BufRead, BufWriter, Write};
use std::process::ExitCode;

mod row;
mod walk;

use row::{Answer, Base, Location, Row, Target};
use simple_frame_rs::v3::{SFrameFDEType, SFrameFlexRecoveryRule};
use simple_frame_rs::{SFrameFDE, SFrameFRE, SFrameSection};

/// The crate's version, which it does not export.
const VERSION: &str = "0.3.0";

const USAGE: u8 = 2;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words == ["--version"] {
        println!("simple-frame-rs {VERSION}");
        return ExitCode::SUCCESS;
    }
    if words != ["sframe-answers-2"] {
        return ExitCode::from(USAGE);
    }
    // Its own panics are distinguished from others.
    std::panic::set_hook(Box::new(|info| {
        if let Some(place) = info.location() {
            let file = place.file().rsplit_once("/src/").map_or(place.file(), |(_, file)| file);
            eprintln!("at {file}:{}\n{info}", place.line());
        }
    }));
    let mut bytes = Vec::new();
    let mut place = None;
    let mut asked = Vec::new();
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let done = match words.as_slice() {
            ["section", path, address, _, _, _, abi] => {
                // Earlier answers are printed, whatever this one does.
                let flushed = out.flush();
                let (Ok(read), Some(address)) = (std::fs::read(path), hex(address)) else { return ExitCode::from(USAGE) };
                bytes = read;
                asked.clear();
                let is_read = SFrameSection::from(&bytes, address).is_ok();
                place = is_read.then(|| (address, Target::new(abi)));
                flushed.and_then(|()| writeln!(out, "{}", if is_read { "read" } else { "refused" }))
            }
            [question @ ..] => {
                let read = place.as_ref().and_then(|(address, target)| {
                    Some((SFrameSection::from(&bytes, *address).ok()?, target))
                });
                let Some((section, target)) = read else {
                    if writeln!(out, "err").is_err() {
                        return ExitCode::from(USAGE);
                    }
                    continue;
                };
                let look = |pc| answer(&section, target, pc);
                match question {
                    ["time", passes] => {
                        let Ok(passes) = passes.parse() else { return ExitCode::from(USAGE) };
                        writeln!(out, "time {}", walk::time(target, &asked, passes, look).as_nanos())
                    }
                    ["chain", stack @ ..] => match walk::chain(target, stack, look) {
                        Some(callers) => writeln!(out, "{callers}"),
                        None => return ExitCode::from(USAGE),
                    },
                    [pc, state @ ..] => match hex(pc) {
                        Some(pc) => {
                            asked.extend(walk::Machine::parse(state).map(|machine| (pc, machine)));
                            writeln!(out, "{}", look(pc).map_or_else(|| "err".to_owned(), |answer| answer.line(target)))
                        }
                        None => return ExitCode::from(USAGE),
                    },
                    [] => return ExitCode::from(USAGE),
                }
            }
        };
        if done.is_err() {
            return ExitCode::from(USAGE);
        }
    }
    if out.flush().is_ok() { ExitCode::SUCCESS } else { ExitCode::from(USAGE) }
}

pub(crate) fn hex(word: &str) -> Option<u64> {
    u64::from_str_radix(word.strip_prefix("0x")?, 16).ok()
}

/// `None` if the crate has an error or no answer of the row's form.
fn answer(section: &SFrameSection<'_>, target: &Target, pc: u64) -> Option<Answer> {
    let Some(fde) = section.find_fde(pc).ok()? else { return Some(Answer::None) };
    let Some(fre) = fde.find_fre(section, pc).ok()? else { return Some(Answer::None) };
    let (flex, signal) = match &fde {
        SFrameFDE::V3(fde) => {
            (matches!(fde.get_fde_type().ok()?, SFrameFDEType::Flex), fde.func_info.is_signal_frame().ok()?)
        }
        SFrameFDE::V1(_) | SFrameFDE::V2(_) => (false, false),
    };
    let (words, mangled) = match &fre {
        SFrameFRE::V1(fre) => (fre.stack_offsets.len(), fre.info.get_mangled_ra_p()),
        SFrameFRE::V2(fre) => (fre.stack_offsets.len(), fre.info.get_mangled_ra_p()),
        SFrameFRE::V3(fre) => (fre.stack_offsets.len(), fre.info.get_mangled_ra_p()),
    };
    if words == 0 {
        return Some(Answer::Outer { signal });
    }
    let fixed_ra = match section {
        SFrameSection::V1(section) => section.get_cfa_fixed_ra_offset(),
        SFrameSection::V2(section) => section.get_cfa_fixed_ra_offset(),
        SFrameSection::V3(section) => section.get_cfa_fixed_ra_offset(),
    };
    let default_ra = if fixed_ra == 0 { Location::Same } else { Location::at_cfa(i32::from(fixed_ra)) };
    let (cfa, ra, fp) = match &fre {
        SFrameFRE::V3(fre) if flex => {
            // A CFA counts from a register.
            let rules = fre.get_flex_recovery_rules().filter(|rules| rules.cfa.control.reg_p())?;
            let value = |rule: Option<&SFrameFlexRecoveryRule>, absent: Location| match rule {
                Some(rule) if !rule.control.is_padding() => pair(rule, rule.offset),
                _ => absent,
            };
            let offset = if target.is_s390x { rules.cfa.offset * 8 + 160 } else { rules.cfa.offset };
            (pair(&rules.cfa, offset), value(rules.ra.as_ref(), default_ra), value(rules.fp.as_ref(), Location::Same))
        }
        _ => {
            let base = if fre.get_cfa_base_reg_id() == 1 { target.sp } else { target.fp };
            let is_v2 = matches!(section, SFrameSection::V2(_));
            let slot = |offset: i32| match offset {
                odd if odd & 1 == 1 && target.is_s390x && is_v2 => Location::register(odd >> 1, 0),
                offset => Location::at_cfa(offset),
            };
            let ra = fre.get_ra_offset(section).ok()?.filter(|offset| *offset != 0 || !target.is_s390x);
            let fp = fre.get_fp_offset(section).ok()?;
            let cfa = Location::register(base, fre.get_cfa_offset(section).ok()??);
            (cfa, ra.map_or(default_ra, slot), fp.map_or(Location::Same, slot))
        }
    };
    Some(Answer::Row(Row { cfa, ra, fp, signed: mangled && target.signs, signal }))
}

fn pair(rule: &SFrameFlexRecoveryRule, offset: i32) -> Location {
    let base = if rule.control.reg_p() { Base::Register(rule.control.regnum()) } else { Base::Cfa };
    Location::Of { base, offset, loaded: rule.control.deref_p() }
}
