//! Runs both engines in lockstep on the frozen executables and generated programs of every target;
//! each is a test, ignored if its qemu-user is missing. All steps of all of them with
//! `SAMPLES=all`, else the first steps of one per target. Also tests that engines with planted
//! wrong instructions are found. `CASES=DIR`: executables of the matrix's cases too. Prints the
//! number of compared steps.

mod agree;
mod assembled;
mod opcodes;
mod placed;
mod threads;
mod wrong;

use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Failed, Trial};
use testing::samples;
use types::Abi;

/// A target: its directory of frozen objects, and its qemu-user.
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
                let copies = [file.clone(), file.clone(), file.clone()];
                let [alone, function, independent] = copies;
                add(format!("{name} alone"), Box::new(move || agree::alone(&alone)));
                add(format!("{name} function"), Box::new(move || placed::function(&function)));
                add(format!("{name} position-independent"), Box::new(move || placed::independent(&independent)));
            }
            add(name, Box::new(move || agree::frozen(&file)));
        }
        let count = if samples::all() { 2500 } else { 2 };
        add(format!("generated/{abi}"), Box::new(move || agree::generated(abi, count)));
        if let Some(arch) = opcodes::arch(abi) {
            let stride = if samples::all() { 1 } else { 40 };
            add(format!("opcodes/{abi}"), Box::new(move || opcodes::compare(arch, stride)));
        }
        for (_, compiler, options) in threads::COMPILERS.into_iter().filter(|of| of.0 == abi && which(of.1)) {
            add(format!("threads/{abi}"), Box::new(move || threads::agree(abi, compiler, options)));
        }
        for (_, foreign) in placed::FOREIGN.iter().filter(|of| of.0 == abi && which(of.1.compiler)) {
            let trial = move || placed::foreign(foreign);
            if Path::new(foreign.root).join("lib/libc.so.6").is_file() {
                add(format!("{abi}/dynamically linked"), Box::new(trial));
            }
        }
        for wrong in wrong::WRONG.iter().filter(|wrong| wrong.abis.contains(&abi)) {
            add(format!("wrong/{abi}/{}", wrong.what), Box::new(move || wrong::is_found(wrong, folder)));
        }
    }
    let there = cfg!(target_arch = "x86_64")
        && Path::new(placed::LOADER).is_file()
        && which("cc")
        && remote::qemu(Abi::Amd64, &producers()).is_ok();
    // In the output of `run --keep --out DIR`, executables of cases are named `case`.
    if let Some(folder) = std::env::var_os("CASES") {
        for file in cases(Path::new(&folder)) {
            trials.push(Trial::test(format!("case {}", file.display()), move || agree::case(&file)));
        }
    }
    let built = [
        Trial::test("x86_64/dynamically linked", placed::dynamic),
        Trial::test("x86_64/changes itself", assembled::changes_itself),
    ];
    trials.extend(built.into_iter().map(|trial| match there {
        true => trial,
        false => trial.with_ignored_flag(!strict()).with_kind("no cc, no glibc of AMD64 or no qemu-x86_64"),
    }));
    if remote::qemu(Abi::Aarch64, &producers()).is_ok() {
        trials.push(Trial::test("aarch64/dc zva", assembled::clears_a_block));
        trials.push(Trial::test("aarch64/instructions of the second alone", assembled::more_instructions));
    }
    for preserved in &assembled::PRESERVED {
        if remote::qemu(preserved.abi, &producers()).is_ok() {
            let name = format!("preserved/{}", preserved.abi);
            trials.push(Trial::test(name, move || assembled::compares_preserved(preserved)));
        }
    }
    for (abi, target, source) in assembled::HANDLERS {
        if remote::qemu(abi, &producers()).is_ok() {
            trials.push(Trial::test(format!("handlers/{abi}"), move || assembled::handles_signals(target, source)));
        }
    }
    let trial = Trial::test("x86_64/enter is wrong in qemu", assembled::enter_is_wrong);
    trials.push(match cfg!(target_arch = "x86_64") && fetched_qemu().is_file() {
        true => trial,
        false => trial.with_ignored_flag(!strict()).with_kind("not on AMD64, or not fetched: ci/producers qemu"),
    });
    let trial = Trial::test("x86_64/the processor, by gdbserver", assembled::processor);
    trials.push(match cfg!(target_arch = "x86_64") && which("gdbserver") {
        true => trial,
        false => trial.with_ignored_flag(true).with_kind("not on AMD64, or apt-get install gdbserver"),
    });
    let conclusion = libtest_mimic::run(&arguments, trials);
    if !arguments.list {
        let all: Vec<String> = TARGETS.iter().map(|(abi, ..)| format!("{abi} {}", agree::compared(*abi))).collect();
        let sum: u64 = TARGETS.iter().map(|(abi, ..)| agree::compared(*abi)).sum();
        println!("steps compared: {sum} ({})", all.join(", "));
    }
    for (why, count) in agree::ended() {
        println!("{count} cases compared no further: {why}");
    }
    conclusion.exit();
}

fn which(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

fn strict() -> bool {
    std::env::var_os("SFRAME_CONFORMANCE_STRICT").is_some_and(|value| value == "1")
}

/// The folder of fetched producers.
fn producers() -> PathBuf {
    testing::root().join("target/producers")
}

/// The executables of cases below a directory: ET_EXEC, a half-word with one nonzero byte.
fn cases(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a name").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.ends_with("case")
                && std::fs::read(&path).is_ok_and(|bytes| bytes.get(16..18).is_some_and(|kind| kind.contains(&2)))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn fetched_qemu() -> PathBuf {
    producers().join("qemu/bin/qemu-x86_64")
}

fn executables(folder: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(testing::frozen(folder)).expect("frozen objects");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with("--exe"));
    files.sort();
    files
}
