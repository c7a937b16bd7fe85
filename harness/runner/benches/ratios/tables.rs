//! Benchmark: reading tables and looking up rows, compared with libsframe and the crate
//! simple-frame-rs, each through its own interface. The results are summed, and a yardstick counts
//! only if its sum is the same: start and size of each function; start, CFA base, and the offsets
//! of CFA, return address and FP of each row.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use sframe::{Placement, Rules, Section, StartBase, Table};
use types::{CfaRule, Reg, SframeVersion, ValueRule};

use crate::sections::{ADDRESS, Made, made};
use crate::turns::time;
use crate::{Absent, Measured};

const READ: &str = "a section of 5 MB read, ";
const FOUND: &str = "10 million rows looked up, ";
const LOOK_UPS: u32 = 10_000_000;
/// Numbers of repetitions of looking up, which takes a second, and of reading, which takes a tenth,
/// so that a short disturbance of the machine does not matter.
const TURNS: [usize; 2] = [3, 9];
/// Number of reads of a section in one measurement.
const ROUNDS: u32 = 10;
/// Value in a sum for an offset that a row does not have.
const ABSENT: i64 = 1;

/// The readers for which `ci/consumers` builds `rate`.
const READERS: [&str; 4] = ["libsframe-2.40", "libsframe-2.44", "libsframe-newest", "simple-frame"];

/// Measures a line whose name gives the operation and ends with the version; `None` for other
/// lines.
pub(crate) fn measure(what: &str) -> Option<Result<Measured, Absent>> {
    let (name, looks) = match (what.strip_prefix(READ), what.strip_prefix(FOUND)) {
        (Some(name), _) => (name, false),
        (_, Some(name)) => (name, true),
        _ => return None,
    };
    let version = SframeVersion::ALL.into_iter().find(|version| version.name() == name).expect("a version");
    Some(beside(&made(version), looks))
}

/// Program of another reader, and its arguments.
struct Yardstick {
    name: &'static str,
    program: PathBuf,
    words: Vec<String>,
}

impl Yardstick {
    /// Time and sum; `None` if it cannot read the section.
    fn run(&self) -> Option<(Duration, u64)> {
        let ran = Command::new(&self.program).args(&self.words).output().expect("a program");
        let text = String::from_utf8(ran.stdout).expect("numbers");
        let (time, sum) = text.trim().split_once(' ').filter(|_| ran.status.success())?;
        Some((Duration::from_nanos(time.parse().ok()?), u64::from_str_radix(sum, 16).ok()?))
    }
}

fn beside(made: &Made, looks: bool) -> Result<Measured, Absent> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("section");
    std::fs::write(&file, &made.bytes).expect("a file");
    let mut words =
        vec![if looks { "look" } else { "decode" }.to_owned(), file.display().to_string(), ADDRESS.to_string()];
    if looks {
        words.extend([made.code.0.to_string(), made.code.1.to_string(), LOOK_UPS.to_string()]);
    }
    let consumers = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/consumers");
    let here = READERS.into_iter().map(|name| Yardstick {
        name,
        program: consumers.join(name).join("rate"),
        words: words.clone(),
    });
    let here: Vec<Yardstick> = here.filter(|yardstick| yardstick.program.is_file()).collect();
    if here.is_empty() {
        return Err("none is here: ci/consumers".to_owned());
    }
    let table = table(&made.bytes);
    let once = || if looks { found(&table, made.code) } else { read(&made.bytes) };
    let sum = once();
    let ran = here.into_iter().filter_map(|yardstick| {
        let (time, _) = yardstick.run().filter(|(_, theirs)| *theirs == sum)?;
        Some((time, yardstick))
    });
    let mut ran: Vec<(Duration, Yardstick)> = ran.collect();
    ran.sort_by_key(|(time, _)| *time);
    // A reader that is several times slower is not measured again.
    let Some((fastest, _)) = ran.first() else { return Err("none reads it so".to_owned()) };
    let near = *fastest * 2;
    ran.retain(|(time, _)| *time < near);
    let (mut ours, mut best) = (Duration::MAX, (Duration::MAX, ""));
    let [looking, reading] = TURNS;
    for _ in 0..if looks { looking } else { reading } {
        for (_, yardstick) in &ran {
            let (time, _) = yardstick.run().expect("it did before");
            best = best.min((time, yardstick.name));
        }
        let time = time(|| (0..if looks { 1 } else { ROUNDS }).for_each(|_| assert_eq!(once(), sum)));
        ours = ours.min(time);
    }
    let (theirs, name) = best;
    let shown = |time: Duration| match looks {
        true => format!("{:.0} ns each", time.as_secs_f64() * 1e9 / f64::from(LOOK_UPS)),
        false => format!("{:.1} ms", time.as_secs_f64() * 1e3 / f64::from(ROUNDS)),
    };
    Ok(Measured {
        ours: shown(ours),
        yardstick: format!("{} ({name})", shown(theirs)),
        ratio: theirs.as_secs_f64() / ours.as_secs_f64(),
    })
}

fn table(bytes: &[u8]) -> Table {
    let section = Section::parse(bytes).expect("a section");
    Table::new(&section, Placement { section_address: ADDRESS, starts: StartBase::Header }).expect("a table")
}

/// Reads a whole section: every function, and the meaning of every row.
fn read(bytes: &[u8]) -> u64 {
    let section = Section::parse(bytes).expect("a section");
    let place = Placement { section_address: ADDRESS, starts: StartBase::Header };
    let abi = section.header.abi().expect("an ABI");
    let sp = abi.facts().sp;
    let mut sum = 0_u64;
    for function in section.functions() {
        let function = function.expect("a function");
        let start = place.start_of(&section.header, &function.entry).expect("an address");
        sum = sum.wrapping_add(start.wrapping_mul(31).wrapping_add(u64::from(function.entry.size)));
        for row in section.rows(&function) {
            let row = row.expect("a row");
            let rules = section.meaning(abi, &function, &row).expect("a meaning");
            sum = sum.wrapping_add(sum_of(sp, row.start, &rules));
        }
    }
    sum
}

/// Looks up the rows for random addresses.
fn found(table: &Table, (low, size): (u64, u64)) -> u64 {
    let sp = table.abi().facts().sp;
    let (mut sum, mut state) = (0_u64, 1_u64);
    for _ in 0..LOOK_UPS {
        // xorshift64*.
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        let pc = low.wrapping_add((state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32).wrapping_mul(size) >> 32);
        let row = table.find(pc).and_then(|function| function.row_at(pc));
        sum = sum.wrapping_add(row.map_or(0, |row| sum_of(sp, row.start, &row.rules)));
    }
    sum
}

/// A row as a number.
fn sum_of(sp: Reg, start: u32, rules: &Rules) -> u64 {
    let (base, cfa) = match rules.cfa {
        CfaRule::Register { reg, offset } => (u64::from(reg == sp), offset),
        _ => (0, 0),
    };
    let value = |rule: ValueRule| match rule {
        ValueRule::AtCfa(offset) => offset,
        _ => ABSENT,
    };
    [base, cfa.cast_unsigned(), value(rules.ra).cast_unsigned(), value(rules.fp).cast_unsigned()]
        .into_iter()
        .fold(u64::from(start), |sum, next| sum.wrapping_mul(31).wrapping_add(next))
}
