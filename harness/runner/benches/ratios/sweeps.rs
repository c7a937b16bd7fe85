//! Benchmark: memory of a sweep, which hardly grows with the number of files. The memory of its
//! workers counts too.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::{Absent, Measured};

const LINE: &str = "memory of a sweep of 5,000 files";
const MANY: usize = 5_000;
const FEW: usize = 500;
/// Interval at which memory is read. The kernel records each process's maximum, so only its growth
/// in the last moment is missed.
const LOOK: Duration = Duration::from_millis(20);

/// Measures a line; `None` for other lines. The ratio is the memory of a sweep of few files divided
/// by that of one of many.
pub(crate) fn measure(what: &str) -> Option<Result<Measured, Absent>> {
    (what == LINE).then(|| {
        let (few, many) = (peak(FEW), peak(MANY));
        let shown = |kib: u64| format!("{} MiB", kib / 1024);
        Ok(Measured { ours: shown(many), yardstick: shown(few), ratio: few as f64 / many as f64 })
    })
}

/// Peak memory of a sweep of this many files in KiB: the command's, and its workers'.
fn peak(files: usize) -> u64 {
    let folder = tempfile::tempdir().expect("a folder");
    let (inputs, out) = (folder.path().join("files"), folder.path().join("out"));
    std::fs::create_dir(&inputs).expect("a folder");
    let originals = originals();
    for (index, original) in (0..files).zip(originals.iter().cycle()) {
        // No two files have the same contents.
        let mut bytes = std::fs::read(original).expect("an object");
        bytes.extend(index.to_le_bytes());
        std::fs::write(inputs.join(format!("{index}.elf")), bytes).expect("a file");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_sframe-conformance"));
    command.args(["sweep", "--quiet", "--out"]).arg(&out).arg(&inputs);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a program");
    let most = watched(&mut child);
    let results = std::fs::read_to_string(out.join("results.jsonl")).expect("results");
    assert_eq!(results.lines().count(), files, "each file has its line");
    most
}

fn watched(child: &mut Child) -> u64 {
    let mut most = std::collections::BTreeMap::new();
    while child.try_wait().expect("a child").is_none() {
        for process in [child.id()].into_iter().chain(children(child.id())) {
            let kib = high_water(process).unwrap_or_default();
            let before = most.entry(process).or_insert(0);
            *before = kib.max(*before);
        }
        std::thread::sleep(LOOK);
    }
    // Workers that replaced each other did not exist at the same time: as many count as there are
    // processors.
    let own = most.remove(&child.id()).unwrap_or_default();
    let mut workers: Vec<u64> = most.into_values().collect();
    workers.sort_unstable_by(|a, b| b.cmp(a));
    own + workers.iter().take(std::thread::available_parallelism().map_or(1, usize::from)).sum::<u64>()
}

/// `VmHWM` (Linux `proc_pid_status(5)`).
fn high_water(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix(" kB")?.parse().ok()
}

/// Child processes of a process.
fn children(parent: u32) -> Vec<u32> {
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    // The fourth field, the second one after the name (Linux `proc_pid_stat(5)`).
    let is_child = |id: &u32| {
        let text = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let of = text.rsplit_once(')').and_then(|(_, rest)| rest.split_ascii_whitespace().nth(1)?.parse().ok());
        of == Some(parent)
    };
    ids.filter(is_child).collect()
}

/// The frozen objects.
fn originals() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/objects");
    let below = |path: PathBuf| std::fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> =
        below(folder).filter(|path| path.is_dir() && !path.ends_with("src")).flat_map(below).collect();
    found.retain(|path| path.is_file());
    found.sort();
    assert!(found.len() > 50, "{}", found.len());
    found
}
