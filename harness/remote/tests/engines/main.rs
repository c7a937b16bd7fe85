//! Both engines in step over the frozen executables and generated programs of every target; each is
//! a test, ignored where its qemu-user is absent. All steps of all of them with `SAMPLES=all`, else
//! the first steps of one a target. And engines that execute an instruction wrongly, which are
//! found. Prints how many steps were compared.

mod agree;
mod wrong;

use std::path::PathBuf;

use libtest_mimic::{Arguments, Failed, Trial};
use testing::samples;
use types::Abi;

/// A target: its folder of frozen objects, and its qemu-user.
const TARGETS: [(Abi, &str, &str); 4] = [
    (Abi::Amd64, "x86_64", "qemu-x86_64"),
    (Abi::Aarch64, "aarch64", "qemu-aarch64"),
    (Abi::Aarch64Be, "aarch64_be", "qemu-aarch64_be"),
    (Abi::S390x, "s390x", "qemu-s390x"),
];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for (abi, folder, qemu) in TARGETS {
        let mut add = |name: String, test: Box<dyn FnOnce() -> Result<(), Failed> + Send>| {
            let trial = Trial::test(name, test);
            let absent = remote::qemu(abi, &producers()).is_err();
            trials.push(match absent {
                true => trial.with_ignored_flag(!strict()).with_kind(format!("no {qemu}: ci/producers qemu")),
                false => trial,
            });
        };
        let files = executables(folder);
        for (number, file) in files.into_iter().enumerate().take(if samples::all() { usize::MAX } else { 1 }) {
            let name = format!("{folder}/{}", file.file_name().unwrap_or_default().to_string_lossy());
            if number == 0 {
                let file = file.clone();
                add(format!("{name} alone"), Box::new(move || agree::alone(&file)));
            }
            add(name, Box::new(move || agree::frozen(&file)));
        }
        let count = if samples::all() { 2500 } else { 2 };
        add(format!("generated/{abi}"), Box::new(move || agree::generated(abi, count)));
        for wrong in wrong::WRONG.iter().filter(|wrong| wrong.abis.contains(&abi)) {
            add(format!("wrong/{abi}/{}", wrong.what), Box::new(move || wrong::is_found(wrong, folder)));
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    if !arguments.list {
        let all: Vec<String> = TARGETS.iter().map(|(abi, ..)| format!("{abi} {}", agree::compared(*abi))).collect();
        let sum: u64 = TARGETS.iter().map(|(abi, ..)| agree::compared(*abi)).sum();
        println!("steps compared: {sum} ({})", all.join(", "));
    }
    conclusion.exit();
}

fn strict() -> bool {
    std::env::var_os("SFRAME_CONFORMANCE_STRICT").is_some_and(|value| value == "1")
}

/// The folder of fetched producers.
fn producers() -> PathBuf {
    testing::root().join("target/producers")
}

fn executables(folder: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(testing::frozen(folder)).expect("frozen objects");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with("--exe"));
    files.sort();
    files
}
