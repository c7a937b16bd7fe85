//! The stored bundles of bugs of readers: each shows the bug that it describes.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use results::bundle::ReaderBundle;
use toolchain::yaml;
use types::{Abi, Bytes, Symbol};

use crate::command::document;
use crate::command::support::{Folder, run};

/// Answer of this project's reader.
fn own(section: &str, bundle: &ReaderBundle) -> (String, String) {
    let order = match bundle.abi.facts().order {
        types::ByteOrder::Little => "little",
        types::ByteOrder::Big => "big",
    };
    let mut child = Command::new(env!("CARGO_BIN_EXE_sframe-conformance"))
        .args(["answer", "sframe-answers-2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program");
    let pc = bundle.pc.unwrap_or(0);
    let question = match bundle.want.strip_prefix("chain ") {
        Some(callers) => format!("chain {} {pc:#x} {}", callers.split(' ').count(), bundle.stack.join(" ")),
        None => format!("{pc:#x}"),
    };
    let questions = format!(
        "section {section} {:#x} 0x0 0x0 {order} {} {}\n{question}\n",
        bundle.address,
        bundle.abi,
        bundle.format(),
    );
    child.stdin.take().expect("a pipe").write_all(questions.as_bytes()).expect("a question");
    let printed = String::from_utf8(child.wait_with_output().expect("an answer").stdout).expect("text");
    let (read, answer) = printed.split_once('\n').expect("two lines");
    (read.to_owned(), answer.trim_end().to_owned())
}

/// The core file of a bundle has the registers and words of its stack, its program the code.
fn has_core(folder: &str, bundle: &ReaderBundle) {
    let core = fs::read(format!("{folder}/core")).expect("a core file");
    let report = fs::read_to_string(format!("{folder}/report.md")).expect("a report");
    assert_eq!((&core[..4], core[16].max(core[17])), (&b"\x7fELF"[..], 4), "{folder}: ET_CORE");
    let order = bundle.abi.facts().order;
    let has = |value: u64| core.windows(8).any(|bytes| bytes == order.bytes_of(value));
    assert!(has(bundle.pc.expect("a PC")), "{folder}: the PC");
    for word in &bundle.stack {
        let (_, value) = word.split_once("=0x").expect("a register or word");
        assert!(has(u64::from_str_radix(value, 16).expect("a value")), "{folder}: {word}");
        assert!(report.contains(word), "{folder}: {word} is not in the report");
    }
    assert!(report.lines().all(|line| !line.starts_with("```:")), "{folder}: a fence that does not end");
    let program = fs::read(format!("{folder}/repro.elf")).expect("a program");
    let field = |at: usize| order.u64(program[at..at + 8].try_into().expect("8 bytes"));
    // p_vaddr and p_memsz of the two first segments, the program's headers and its code.
    let (start, end) = bundle.code.expect("the code");
    assert_eq!((field(64 + 56 + 16), field(64 + 56 + 40)), (start, end - start), "{folder}: the code");
    assert!(has(field(64 + 16) + 64), "{folder}: AT_PHDR");
}

/// The program of a bundle for libsframe compiles with the headers of each version here.
fn compiles(folder: &str) {
    for version in ["2.40", "2.44", "newest"] {
        let headers = document::root().join(format!("target/consumers/libsframe-{version}/include"));
        if headers.is_dir() {
            let mut cc = Command::new("cc");
            cc.args(["-fsyntax-only", "-Wall", "-Werror", "-x", "c", "repro.c", "-I"])
                .arg(&headers)
                .current_dir(folder);
            let ran = cc.output().expect("a compiler");
            assert!(ran.status.success(), "{folder}: {version}: {}", String::from_utf8_lossy(&ran.stderr));
        }
    }
}

#[test]
fn what_a_kept_bundle_expects_is_what_is_expected() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/known/readers");
    let folder = Folder::new();
    let mut count = 0;
    for entry in fs::read_dir(root).expect("the ledger of readers") {
        let path = entry.expect("an entry").path();
        let Some(name) = path.is_dir().then(|| path.file_name().expect("a name").to_string_lossy().into_owned()) else {
            continue;
        };
        assert!(
            path.with_extension("yaml").is_file()
                || path.parent().is_some_and(|known| known.join(format!("{name}.yaml")).is_file()),
            "{name} has no entry"
        );
        assert_eq!(fs::read_dir(&path).expect("a folder").count(), 1, "{name}: nothing else is kept");
        let bundle: ReaderBundle = yaml::read(&path.join("bundle.yaml")).expect("a bundle");
        assert!(!bundle.verdict.is_private(), "{name}: what ends a reader is kept out of the repository");
        let out = folder.path(&name);
        let ran = run(&["bundle", &name, "--out", &out]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let (read, answer) = own(&format!("{out}/repro{}", bundle.format().section()), &bundle);
        match bundle.want.as_str() {
            // This project reads with gimli: it shows the bug.
            _ if bundle.reader == "gimli" => assert_eq!(answer, bundle.got, "{name}"),
            "no row" => assert!(matches!(answer.as_str(), "none" | "err"), "{name}: {answer}"),
            want if want.ends_with(", or no row") => {
                assert!(answer == "none" || answer == "err" || want.starts_with(&answer), "{name}: {answer}");
            }
            want => assert_eq!((read.as_str(), answer.as_str()), ("read", want), "{name}"),
        }
        assert_ne!(bundle.got, bundle.want, "{name}");
        let report = fs::read_to_string(format!("{out}/report.md")).expect("a report");
        assert!(report.contains("0x") && !report.contains("{self}"), "{report}");
        assert_eq!(Path::new(&out).join("run.sh").is_file(), bundle.prints.is_some(), "{name}");
        assert!(report.contains("\nActual:   ") && report.contains("\nExpected: "), "{report}");
        assert!(!report.contains(&bundle.fingerprint), "{name}: its makers have no use for a number of ours");
        if bundle.code.is_some() {
            has_core(&out, &bundle);
        }
        if bundle.reader == "libsframe" {
            compiles(&out);
        }
        match bundle.linked {
            None => assert_eq!(&fs::read(format!("{out}/repro.elf")).expect("a file")[..4], b"\x7fELF"),
            Some(_) => ["asked", "other"].into_iter().for_each(|input| assembles(&out, input, bundle.abi)),
        }
        count += 1;
    }
    assert!(count > 20, "{count} bundles");
}

/// A linker's input assembled from the bundle is identical: bytes, relocations, symbols.
#[track_caller]
fn assembles(folder: &str, name: &str, abi: Abi) {
    let (tools, order) = match abi {
        Abi::Amd64 => ("x86_64-linux-gnu", "--64"),
        Abi::Aarch64 => ("aarch64-linux-gnu", "-EL"),
        Abi::Aarch64Be => ("aarch64-linux-gnu", "-EB"),
        Abi::S390x => ("s390x-linux-gnu", "-m64"),
    };
    let assembled = format!("{folder}/{name}-again.o");
    let mut assembler = Command::new(format!("{tools}-as"));
    let done = assembler.args([order, "-o", &assembled, &format!("{folder}/{name}.s")]).status();
    assert!(done.expect("GNU as").success(), "{folder}/{name}.s");
    let [written, assembled] = [format!("{folder}/{name}.o"), assembled].map(|path| {
        let mut dump = Command::new(format!("{tools}-objdump"));
        let dumped = dump.args(["-s", "-r", "-j", ".sframe", &path]).output().expect("objdump").stdout;
        let image = elf::load(&path, &Bytes::from(fs::read(&path).expect("an object"))).expect("an object");
        let named = |symbol: &&Symbol| !symbol.name.is_empty() && !symbol.name.starts_with('.');
        let symbols =
            image.symbols.iter().filter(named).map(|symbol| (symbol.name.to_string(), symbol.address, symbol.size));
        // After the line with the file's name.
        let dumped = String::from_utf8(dumped).expect("text").lines().skip(2).collect::<Vec<_>>().join("\n");
        (dumped, symbols.collect::<Vec<_>>())
    });
    assert!(written.0.contains("Contents of section .sframe") && !written.1.is_empty(), "{written:?}");
    assert_eq!(written, assembled, "{folder}/{name}");
}
