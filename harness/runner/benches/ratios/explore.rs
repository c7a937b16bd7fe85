//! Benchmark: functions explored per second of processor time, compared with executing every
//! instruction in the emulator. The inputs are libraries of this machine.

use std::path::Path;

use elf::load;
use judge::tables::Tables;
use judge::territory::Territory;
use judge::{Judge, Options};
use machine::{Budget, Executor, Pad, explore};
use types::{Abi, Image, Reach};

use crate::turns::in_turns;
use crate::{Absent, Measured};

/// Folders of AMD64 libraries, and the libraries used: common ones, in C and C++.
const FOLDERS: [&str; 4] = ["/usr/lib/x86_64-linux-gnu", "/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"];
const NAMES: [&str; 5] = ["libc.so.6", "libm.so.6", "libstdc++.so.6", "libcrypto.so.3", "libsqlite3.so.0"];
const TURNS: usize = 2;
const MEMORY: u64 = 1 << 30;

/// Measures the line.
pub(crate) fn measure() -> Result<Measured, Absent> {
    let images: Vec<Image> =
        NAMES.iter().filter_map(|name| FOLDERS.iter().find_map(|folder| image(folder, name))).collect();
    if images.is_empty() {
        return Err(format!("none of {}", NAMES.join(", ")));
    }
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let times = in_turns(TURNS, || ours = all(&images, Executor::Crate), || theirs = all(&images, Executor::Emulator));
    assert_eq!(ours, theirs, "both come to the same");
    let functions: usize = ours.iter().map(|(functions, _)| functions).sum();
    let rate = |time: std::time::Duration| functions as f64 / time.as_secs_f64();
    let (ours, yardstick) = (rate(times.ours), rate(times.yardstick));
    Ok(Measured { ours: format!("{ours:.0}/s"), yardstick: format!("{yardstick:.0}/s"), ratio: ours / yardstick })
}

fn image(folder: &str, name: &str) -> Option<Image> {
    let bytes = std::fs::read(Path::new(folder).join(name)).ok()?;
    load(name, &bytes.into()).ok().filter(|image| image.abi == Abi::Amd64)
}

/// Explores each image: number of functions, and coverage.
fn all(images: &[Image], executor: Executor) -> Vec<(usize, Reach)> {
    images.iter().map(|image| one(image, executor)).collect()
}

fn one(image: &Image, executor: Executor) -> (usize, Reach) {
    let tables = Tables::new(image);
    let territory = Territory::new(image, &tables);
    let pads: Vec<Pad> = territory.pads.iter().map(|pad| Pad { site: pad.site.clone(), pad: pad.pad }).collect();
    let mut judge = Judge::new(image, &tables, Options::default());
    judge.begin(false);
    let territory = machine::Territory {
        functions: &territory.functions,
        pads: &pads,
        callable: &territory.callable,
        pushed: &territory.pushed,
        stops: &territory.stops,
        watched: &territory.watched,
        skipped: &[],
        ran: &[],
        budget: Budget::default(),
        memory_limit: MEMORY,
        executor,
    };
    let explored = explore(image, &territory, &mut judge).expect("explored");
    assert_eq!(explored.disagreements, []);
    (territory.functions.len(), explored.reach)
}
