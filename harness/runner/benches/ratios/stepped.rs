//! Steps judged, beside the same program stepped on the processor itself by what is at hand for that: gdb with a script (`gdb.py`), and a loop around
//! ptrace (`ptrace.c`). Clock time, the best of several: two processes take turns at each step.

use std::fs::{Permissions, set_permissions, write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use types::Abi;

use crate::goals::{GDB, PTRACE};
use crate::program::file;
use crate::steps::Steps;
use crate::{Absent, Measured};

const TURNS: usize = 3;
/// More than are stepped.
const ROUNDS: u32 = 1_000_000;

/// The measurement of a line with one of these yardsticks; none for another.
pub(crate) fn measure(yardstick: &str, steps: &mut Steps) -> Option<Result<Measured, Absent>> {
    let folder = tempfile::tempdir().expect("a folder");
    let stepper = match yardstick {
        GDB => Ok(gdb()),
        PTRACE => ptrace(folder.path()),
        _ => return None,
    };
    Some(stepper.and_then(|stepper| beside(stepper, folder.path(), steps)))
}

fn gdb() -> Command {
    let mut gdb = Command::new("gdb");
    gdb.args(["-nx", "-batch", "-x"]).arg(source("gdb.py"));
    gdb
}

fn ptrace(folder: &Path) -> Result<Command, Absent> {
    let program = folder.join("ptrace");
    let built = Command::new("cc").args(["-O1", "-o"]).arg(&program).arg(source("ptrace.c")).status();
    match built {
        Ok(ended) if ended.success() => Ok(Command::new(program)),
        _ => Err("no C compiler builds ptrace.c here".to_owned()),
    }
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/ratios").join(name)
}

fn beside(mut stepper: Command, folder: &Path, steps: &mut Steps) -> Result<Measured, Absent> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return Err("an x86-64 Linux is needed".to_owned());
    }
    let program = folder.join("rounds");
    write(&program, file(Abi::Amd64, ROUNDS)).expect("a file");
    set_permissions(&program, Permissions::from_mode(0o755)).expect("a program");
    stepper.arg(&program);
    let mut best = f64::MAX;
    for _ in 0..TURNS {
        let ended = stepper.output().map_err(|error| format!("{}: {error}", stepper.get_program().display()))?;
        let text = String::from_utf8_lossy(&ended.stdout);
        let told = text.lines().find_map(|line| line.strip_prefix("a step: ")?.trim().parse().ok());
        best = best.min(told.ok_or("it steps nothing here: no ptrace, or no Python in gdb")?);
    }
    let (ours, _) = steps.nanoseconds(Abi::Amd64);
    Ok(Measured { ours: format!("{ours:.2} ns"), yardstick: format!("{best:.0} ns"), ratio: best / ours })
}
