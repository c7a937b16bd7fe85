//! The crate simple-frame-rs behind the line protocol of readers under test (ci/README.md).

use std::io::{BufRead, BufWriter, Write};
use std::process::ExitCode;

use simple_frame_rs::v3::{SFrameFDEType, SFrameFlexRecoveryRule};
use simple_frame_rs::{SFrameFDE, SFrameFRE, SFrameSection};

/// The crate's version, which it does not tell.
const VERSION: &str = "0.3.0";

const USAGE: u8 = 2;

/// What the ABI byte decides.
struct Target {
    sp: i32,
    fp: i32,
    is_s390x: bool,
    signs: bool,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words == ["--version"] {
        println!("simple-frame-rs {VERSION}");
        return ExitCode::SUCCESS;
    }
    if words != ["sframe-answers-2"] {
        return ExitCode::from(USAGE);
    }
    // Where it panics is told apart from other places.
    std::panic::set_hook(Box::new(|info| {
        if let Some(place) = info.location() {
            let file = place.file().rsplit_once("/src/").map_or(place.file(), |(_, file)| file);
            eprintln!("at {file}:{}\n{info}", place.line());
        }
    }));
    let mut bytes = Vec::new();
    let mut place = None;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let done = match words.as_slice() {
            ["section", path, address, _, _, _, abi] => {
                // What came before is told, whatever this one does.
                let told = out.flush();
                let (Ok(read), Some(address)) = (std::fs::read(path), hex(address)) else { return ExitCode::from(USAGE) };
                bytes = read;
                let is_read = SFrameSection::from(&bytes, address).is_ok();
                place = is_read.then(|| (address, Target::of(abi)));
                told.and_then(|()| writeln!(out, "{}", if is_read { "read" } else { "refused" }))
            }
            [pc, ..] => {
                let Some(pc) = hex(pc) else { return ExitCode::from(USAGE) };
                let said = place.as_ref().and_then(|(address, target)| {
                    answer(&SFrameSection::from(&bytes, *address).ok()?, target, pc)
                });
                writeln!(out, "{}", said.unwrap_or_else(|| "err".to_owned()))
            }
            [] => return ExitCode::from(USAGE),
        };
        if done.is_err() {
            return ExitCode::from(USAGE);
        }
    }
    if out.flush().is_ok() { ExitCode::SUCCESS } else { ExitCode::from(USAGE) }
}

impl Target {
    fn of(abi: &str) -> Target {
        match abi {
            "amd64" => Target { sp: 7, fp: 6, is_s390x: false, signs: false },
            "s390x" => Target { sp: 15, fp: 11, is_s390x: true, signs: false },
            _ => Target { sp: 31, fp: 29, is_s390x: false, signs: true },
        }
    }
}

fn hex(word: &str) -> Option<u64> {
    u64::from_str_radix(word.strip_prefix("0x")?, 16).ok()
}

/// None where the crate has an error or no answer of the row's form.
fn answer(section: &SFrameSection<'_>, target: &Target, pc: u64) -> Option<String> {
    let Some(fde) = section.find_fde(pc).ok()? else { return Some("none".to_owned()) };
    let Some(fre) = fde.find_fre(section, pc).ok()? else { return Some("none".to_owned()) };
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
    let signal = if signal { " signal" } else { "" };
    if words == 0 {
        return Some(format!("outer{signal}"));
    }
    let fixed_ra = match section {
        SFrameSection::V1(section) => section.get_cfa_fixed_ra_offset(),
        SFrameSection::V2(section) => section.get_cfa_fixed_ra_offset(),
        SFrameSection::V3(section) => section.get_cfa_fixed_ra_offset(),
    };
    let default_ra = if fixed_ra == 0 { "same".to_owned() } else { format!("cfa{fixed_ra:+}") };
    let (cfa, ra, fp) = match &fre {
        SFrameFRE::V3(fre) if flex => {
            // A CFA counts from a register.
            let rules = fre.get_flex_recovery_rules().filter(|rules| rules.cfa.control.reg_p())?;
            let value = |rule: Option<&SFrameFlexRecoveryRule>, absent: &str| match rule {
                Some(rule) if !rule.control.is_padding() => pair(target, rule, rule.offset),
                _ => absent.to_owned(),
            };
            let offset = if target.is_s390x { rules.cfa.offset * 8 + 160 } else { rules.cfa.offset };
            (pair(target, &rules.cfa, offset), value(rules.ra.as_ref(), &default_ra), value(rules.fp.as_ref(), "same"))
        }
        _ => {
            let base = if fre.get_cfa_base_reg_id() == 1 { "sp" } else { "fp" };
            let is_v2 = matches!(section, SFrameSection::V2(_));
            let slot = |offset: i32| match offset {
                odd if odd & 1 == 1 && target.is_s390x && is_v2 => format!("{}+0", name(target, odd >> 1)),
                offset => format!("cfa{offset:+}"),
            };
            let ra = fre.get_ra_offset(section).ok()?.filter(|offset| *offset != 0 || !target.is_s390x);
            let fp = fre.get_fp_offset(section).ok()?;
            let cfa = format!("{base}{:+}", fre.get_cfa_offset(section).ok()??);
            (cfa, ra.map_or(default_ra, slot), fp.map_or_else(|| "same".to_owned(), slot))
        }
    };
    let signed = if mangled && target.signs { " signed-a" } else { "" };
    Some(format!("{cfa} {ra} {fp}{signed}{signal}"))
}

fn pair(target: &Target, rule: &SFrameFlexRecoveryRule, offset: i32) -> String {
    match (rule.control.reg_p(), rule.control.deref_p()) {
        (false, true) => format!("cfa{offset:+}"),
        (false, false) => format!("=cfa{offset:+}"),
        (true, false) => format!("{}{offset:+}", name(target, rule.control.regnum())),
        (true, true) => format!("[{}{offset:+}]", name(target, rule.control.regnum())),
    }
}

/// Numbers below 0 are no registers either as the largest ones.
fn name(target: &Target, number: i32) -> String {
    match number {
        number if number == target.sp => "sp".to_owned(),
        number if number == target.fp => "fp".to_owned(),
        number => format!("r{}", number as u16),
    }
}
