//! Benchmark: printing a whole table, compared with readelf.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::object::{assembled, program};
use crate::{Absent, Measured};

const LINE: &str = "a section of 5 MB printed";
/// Enough for 5 MB.
const FUNCTIONS: u32 = 150_000;
const TURNS: usize = 3;

/// Measures a line of the table; `None` if the line is not for this benchmark.
pub(crate) fn measure(what: &str) -> Option<Result<Measured, Absent>> {
    (what == LINE).then(printed)
}

fn printed() -> Result<Measured, Absent> {
    let readelf = program("readelf")?;
    let object = assembled(FUNCTIONS)?;
    let own = Path::new(env!("CARGO_BIN_EXE_sframe-conformance"));
    let (mut ours, mut yardstick) = (Duration::MAX, Duration::MAX);
    for _ in 0..TURNS {
        yardstick = yardstick.min(time(Command::new(&readelf).arg("--sframe").arg(&object.path)));
        ours = ours.min(time(Command::new(own).arg("dump").arg(&object.path)));
    }
    drop(object.folder);
    let shown = |time: Duration| format!("{:.2} s", time.as_secs_f64());
    let ratio = yardstick.as_secs_f64() / ours.as_secs_f64();
    Ok(Measured { ours: shown(ours), yardstick: shown(yardstick), ratio })
}

/// Processor time of a program whose output is discarded.
fn time(command: &mut Command) -> Duration {
    let before = children();
    let ended = command.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("a program");
    assert!(ended.success());
    children().saturating_sub(before)
}

/// Processor time of all child processes that have ended, in hundredths of a second (Linux
/// `proc_pid_stat(5)`: fields 16 and 17).
fn children() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let fields = text.rsplit_once(')').map_or("", |(_, rest)| rest).split_ascii_whitespace();
    // The third field: the first one after the name.
    let ticks: u64 = fields.skip(13).take(2).map(|field| field.parse::<u64>().expect("a number")).sum();
    Duration::from_millis(ticks * 10)
}
