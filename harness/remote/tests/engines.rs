//! Both engines in step over the frozen executables of every target; each of them is a test, ignored
//! where its qemu-user is absent. All steps of all of them with `SAMPLES=all`, else the first steps
//! of one a target. And engines that execute an instruction wrongly, which are found.

use std::path::{Path, PathBuf};

use backend::{Backend as _, Plan};
use libtest_mimic::{Arguments, Failed, Trial};
use machine::Unicorn;
use remote::{Both, BothError, Remote, Target};
use testing::samples;
use types::memo::NoMemo;
use types::{Abi, ImageKind, RunEnd, SframeVersion, Step, StopReason};

/// Steps of one executable in every run of the tests.
const SAMPLE: u64 = 1_500;

const TARGETS: [(Abi, &str, &str); 4] = [
    (Abi::Amd64, "x86_64", "qemu-x86_64"),
    (Abi::Aarch64, "aarch64", "qemu-aarch64"),
    (Abi::Aarch64Be, "aarch64_be", "qemu-aarch64_be"),
    (Abi::S390x, "s390x", "qemu-s390x"),
];

fn main() {
    let arguments = Arguments::from_args();
    let strict = std::env::var_os("SFRAME_CONFORMANCE_STRICT").is_some_and(|value| value == "1");
    let producers = testing::root().join("target/producers");
    let mut trials = Vec::new();
    for (abi, folder, qemu) in TARGETS {
        let absent = remote::qemu(abi, &producers).is_err();
        for (number, file) in executables(folder).into_iter().enumerate() {
            let name = format!("{folder}/{}", file.file_name().unwrap_or_default().to_string_lossy());
            let producers = producers.clone();
            let whole = samples::all();
            if number > 0 && !whole {
                continue;
            }
            let steps = if whole { u64::MAX } else { SAMPLE };
            if number == 0 {
                let (file, producers) = (file.clone(), producers.clone());
                let trial = Trial::test(format!("{name} alone"), move || alone(&file, &producers));
                trials.push(if absent {
                    trial.with_ignored_flag(!strict).with_kind(format!("no {qemu}: ci/producers qemu"))
                } else {
                    trial
                });
            }
            let trial = Trial::test(name, move || agree(&file, &producers, steps)).with_ignored_flag(absent && !strict);
            trials.push(if absent { trial.with_kind(format!("no {qemu}: ci/producers qemu")) } else { trial });
        }
    }
    for (abi, _, qemu) in TARGETS {
        let absent = remote::qemu(abi, &producers).is_err();
        let producers = producers.clone();
        let count = if samples::all() { 1000 } else { 2 };
        let trial = Trial::test(format!("generated/{abi}"), move || generated(abi, count, &producers));
        let trial = trial.with_ignored_flag(absent && !strict);
        trials.push(if absent { trial.with_kind(format!("no {qemu}: ci/producers qemu")) } else { trial });
    }
    let amd64 = remote::qemu(Abi::Amd64, &producers).is_err();
    for wrong in WRONG {
        let producers = producers.clone();
        let trial = Trial::test(format!("wrong/{}", wrong.what), move || is_found(&wrong, &producers));
        let trial = trial.with_ignored_flag(amd64 && !strict);
        trials.push(if amd64 { trial.with_kind("no qemu-x86_64: ci/producers qemu") } else { trial });
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn executables(folder: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(testing::frozen(folder)).expect("frozen objects");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with("--exe"));
    files.sort();
    files
}

fn agree(file: &Path, producers: &Path, steps: u64) -> Result<(), Failed> {
    compare(&file.display().to_string(), std::fs::read(file)?, producers, steps, Signals::None)
}

/// Random programs, of which about a third are executables.
fn generated(abi: Abi, count: usize, producers: &Path) -> Result<(), Failed> {
    let mut compared = 0;
    for number in 0.. {
        let built = generators::program::numbered(abi, SframeVersion::V3, 1, number).build()?;
        let bytes = built.sample.bytes()?;
        let name = format!("program {number} of seed 1");
        if elf::load(&name, &bytes.clone().into())?.kind != ImageKind::Executable {
            continue;
        }
        let signals = if built.handles { Signals::Some } else { Signals::None };
        compare(&name, bytes, producers, u64::MAX, signals)
            .map_err(|failed| format!("{name}: {}", failed.message().unwrap_or_default()))?;
        compared += 1;
        if compared == count {
            break;
        }
    }
    Ok(())
}

/// Whether a program receives signals: up to the first one it is compared, as kernels differ in the
/// size of a signal's frame.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Signals {
    Some,
    None,
}

fn compare(name: &str, bytes: Vec<u8>, producers: &Path, steps: u64, signals: Signals) -> Result<(), Failed> {
    let image = elf::load(name, &bytes.clone().into())?;
    let second = Remote { target: Target::Qemu { fetched: producers.to_owned() }, file: bytes.into() };
    let both = Both::new(Unicorn::default(), second);
    let plan = Plan { step_limit: steps, ..Plan::new(&image) };
    let run = both.run(&plan, &mut NoMemo(&mut |_: &Step<'_>| {}))?;
    let compared = both.compared();
    let at_signal =
        signals == Signals::Some && compared.ended.as_ref().is_some_and(|why| why.contains("signal's frame"));
    if !at_signal && (compared.ended.is_some() || compared.steps != run.steps) {
        return Err(format!("{} of {} steps were compared: {:?}", compared.steps, run.steps, compared.ended).into());
    }
    let whole = matches!(run.end, RunEnd::Exit(_));
    let bounded = matches!(run.end, RunEnd::Undecided { reason: StopReason::StepLimit, .. }) && run.steps == steps;
    if whole || bounded { Ok(()) } else { Err(format!("{:?}", run.end).into()) }
}

/// The second engine alone shows as many steps, with as many frames.
fn alone(file: &Path, producers: &Path) -> Result<(), Failed> {
    let bytes = std::fs::read(file)?;
    let image = elf::load(&file.display().to_string(), &bytes.clone().into())?;
    let plan = Plan { step_limit: SAMPLE, ..Plan::new(&image) };
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let state = |step: &Step<'_>| {
        let ra = step.frames.innermost().map(|frame| frame.ra.0);
        // What is in memory is where the true return address is, on AMD64.
        let saved = step.frames.innermost().map(|frame| frame.cfa.wrapping_sub(8)).map(|at| step.stack.read(at).ok());
        let saved = if step.regs.abi == Abi::Amd64 { saved.flatten() } else { None };
        (step.pc.0, step.event, step.frames.depth(), ra, saved)
    };
    Unicorn::default().run(&plan, &mut NoMemo(&mut |step: &Step<'_>| first.push(state(step))))?;
    let remote = Remote { target: Target::Qemu { fetched: producers.to_owned() }, file: bytes.into() };
    remote.run(&plan, &mut NoMemo(&mut |step: &Step<'_>| second.push(state(step))))?;
    match first.iter().zip(&second).position(|(one, other)| one != other) {
        None if first.len() == second.len() => Ok(()),
        at => Err(format!("{} and {} steps, first difference at {at:?}", first.len(), second.len()).into()),
    }
}

/// An instruction that the first engine executes as another one.
struct Wrong {
    what: &'static str,
    code: &'static [u8],
    executes: &'static [u8],
    /// The difference shows at once.
    at_once: bool,
}

const WRONG: [Wrong; 3] = [
    // cmp disp8(%rbp),%rax sets the flags of the operands the other way round.
    Wrong { what: "flags", code: &[0x48, 0x3b, 0x45], executes: &[0x48, 0x39, 0x45], at_once: false },
    // push %rbp stores another word.
    Wrong { what: "stored-word", code: &[0x55], executes: &[0x53], at_once: false },
    // mov %rsp,%rbp moves another register.
    Wrong { what: "moved-register", code: &[0x48, 0x89, 0xe5], executes: &[0x48, 0x89, 0xc5], at_once: true },
];

/// The first engine is given code in which all such instructions are the other one.
fn is_found(wrong: &Wrong, producers: &Path) -> Result<(), Failed> {
    let file = testing::frozen("x86_64/gas-2.47.50--v3--gcc12-O0--exe");
    let bytes = std::fs::read(&file)?;
    let mut image = elf::load("program", &bytes.clone().into())?;
    let mut executed = Vec::new();
    let limit = Plan { step_limit: SAMPLE, ..Plan::new(&image) };
    Unicorn::default().run(&limit, &mut NoMemo(&mut |step: &Step<'_>| executed.push(step.pc.0)))?;
    let is_it = |pc: &u64| image.bytes_at(*pc).is_some_and(|code| code.starts_with(wrong.code));
    let pcs: Vec<u64> = executed.into_iter().filter(is_it).collect();
    let first = *pcs.first().ok_or("no such instruction is executed")?;
    for segment in &mut image.segments {
        let mut code = segment.bytes.to_vec();
        for pc in &pcs {
            let offset = usize::try_from(pc.wrapping_sub(segment.address)).unwrap_or(usize::MAX);
            if let Some(code) = code.get_mut(offset..).and_then(|code| code.get_mut(..wrong.executes.len())) {
                code.copy_from_slice(wrong.executes);
            }
        }
        segment.bytes = code.into();
    }
    let second = Remote { target: Target::Qemu { fetched: producers.to_owned() }, file: bytes.into() };
    let plan = Plan { step_limit: SAMPLE, ..Plan::new(&image) };
    match Both::new(Unicorn::default(), second).run(&plan, &mut NoMemo(&mut |_: &Step<'_>| {})) {
        Err(BothError::Differ(difference)) if !wrong.at_once || difference.after == first => Ok(()),
        other => Err(format!("{:#x}: {:?}", first, other.map_err(|error| error.to_string())).into()),
    }
}
