//! `reduce` and `bundle` of bugs of readers, and the stored bundles: each shows the bug that it
//! describes.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use readers::corpus::SEED;
use readers::vector_named;
use results::bundle::ReaderBundle;
use toolchain::yaml;
use types::{Abi, Bytes, Symbol};

use crate::command::document;
use crate::command::support::{Folder, Ran, finish, program_with, run};

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
    let asked = format!(
        "section {section} {:#x} 0x0 0x0 {order} {} {}\n{question}\n",
        bundle.address,
        bundle.abi,
        bundle.format(),
    );
    child.stdin.take().expect("a pipe").write_all(asked.as_bytes()).expect("a question");
    let told = String::from_utf8(child.wait_with_output().expect("an answer").stdout).expect("text");
    let (read, answer) = told.split_once('\n').expect("two lines");
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports/known/readers");
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
        assert!(report.contains(&bundle.want) && report.contains("0x"), "{report}");
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

/// A consumers' file with the reference adapter, changed in one place.
fn planted(folder: &Folder, from: &str, to: &str) -> String {
    let right = include_str!("../../../../../ci/adapters/reference.py");
    assert!(right.contains(from), "the reference adapter has no '{from}'");
    let adapter = folder.write("planted.py", right.replacen(from, to, 1).as_bytes());
    let file = format!(
        "- name: planted\n  about: planted\n  command: python3 {adapter}\n  version_pattern: 'reference (\\S+)'\n  from: nowhere\n  \
         reads: [{{versions: [v3, v2e1]}}]\n  tells: [chain]\n"
    );
    folder.write("planted.yaml", file.as_bytes())
}

fn reduced(folder: &Folder, consumers: &str, vector: &str, command: &str) -> (Ran, Vec<u8>) {
    let out = folder.path("out");
    let ran = run(&[command, vector, "--consumer", "planted", "--consumers", consumers, "--out", &out]);
    let section = fs::read(format!("{out}/repro.sframe")).unwrap_or_default();
    (ran, section)
}

#[test]
fn a_section_is_reduced_to_the_row_that_is_read_wrongly() {
    let folder = Folder::new();
    let consumers = planted(&folder, "(\"bhi\" if signed", "(\"BHI\" if signed");
    let (ran, section) = reduced(&folder, &consumers, "valid/v3-amd64/eight-functions", "reduce");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // A header of 28 bytes, an entry of 16, attributes of 5, and the rows up to the one with a
    // saved FP: 3 and 4 bytes.
    assert!(section.len() <= 28 + 16 + 5 + 3 + 4, "{} bytes: {ran:?}", section.len());
    assert_eq!(section[8..12], [1, 0, 0, 0], "one function is left");
    let right = reduced(
        &folder,
        &planted(&folder, "\"reference 2\"", "\"reference 3\""),
        "valid/v3-amd64/eight-functions",
        "reduce",
    )
    .0;
    assert!(right.code == Some(3) && right.stderr.contains("answers as expected"), "{right:?}");
}

/// Functions that contain no caller are removed, and those on the path to all callers stay.
#[test]
fn a_section_is_reduced_to_what_a_stack_is_walked_by() {
    let folder = Folder::new();
    let consumers = planted(&folder, "regs = {sp: cfa", "regs = {sp: cfa + 8");
    let vector = "valid/v2e1-amd64/chain-1";
    let (ran, section) = reduced(&folder, &consumers, vector, "bundle");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let bundle: ReaderBundle = yaml::read(Path::new(&folder.path("out/bundle.yaml"))).expect("a bundle");
    assert!(bundle.want.starts_with("chain 0x") && bundle.got != bundle.want && bundle.stack.len() > 32, "{bundle:?}");
    let whole = vector_named(SEED, vector).expect("the vector").bytes;
    assert!(section.len() < whole.len() && section[8] < whole[8], "{} of {} bytes", section.len(), whole.len());
    let report = fs::read_to_string(folder.path("out/report.md")).expect("a report");
    assert!(report.contains("r7=0x") && report.contains("`chain` lists"), "{report}");
}

/// A reader that finds nothing is wrong about any table except an empty one.
#[test]
fn what_is_expected_stays_while_a_section_gets_smaller() {
    let folder = Folder::new();
    let script = "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'nothing 1'; exit; fi\n\
                  while read word rest; do if [ $word = section ]; then echo read; else echo none; fi; done\n";
    let consumers = stand_in(&folder, script, "nothing");
    let (ran, section) = reduced(&folder, &consumers, "valid/v2e1-amd64/two-functions", "bundle");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // A header of 28 bytes, a descriptor of 20, a row of 3.
    assert_eq!(section.len(), 28 + 20 + 3, "{ran:?}");
    let bundle: ReaderBundle = yaml::read(Path::new(&folder.path("out/bundle.yaml"))).expect("a bundle");
    assert_eq!(own(&folder.path("out/repro.sframe"), &bundle).1, bundle.want);
}

/// A consumers' file for a script.
fn stand_in(folder: &Folder, script: &str, name: &str) -> String {
    let adapter = folder.write("stand-in.sh", script.as_bytes());
    let file = format!(
        "- name: planted\n  about: planted\n  command: sh {adapter}\n  version_pattern: '{name} (\\S+)'\n  from: nowhere\n  reads: \
         [{{versions: [v2e1]}}]\n"
    );
    folder.write("planted.yaml", file.as_bytes())
}

#[test]
fn what_ends_a_reader_is_reduced_byte_by_byte_and_bundled_for_its_makers_alone() {
    let folder = Folder::new();
    // It crashes on an undefined version after the magic.
    let script = "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'dies 1'; exit; fi\nread word file rest\n\
                  case $(head -c 3 $file | od -An -tx1) in ' e2 de ff') kill -SEGV $$ ;; esac\necho refused\n\
                  while read pc; do echo err; done\n";
    let consumers = stand_in(&folder, script, "dies");
    let (ran, section) = reduced(&folder, &consumers, "malformed/v2e1-amd64/version-255", "bundle");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(section, b"\xe2\xde\xff", "{ran:?}");
    let report = fs::read_to_string(folder.path("out/report.md")).expect("a report");
    assert!(report.contains("Report it in private first"), "{report}");
    let kept = run(&[
        "bundle",
        "malformed/v2e1-amd64/version-255",
        "--consumer",
        "planted",
        "--consumers",
        &consumers,
        "--out",
        &folder.path("kept"),
        "--entry",
        "planted",
    ]);
    assert!(kept.code == Some(3) && kept.stderr.contains("not kept in the repository"), "{kept:?}");
}

/// A ledger with one bug of a reader that refuses everything: the folder of the data, and the
/// bundle of its entry.
fn bundle_of_entry(folder: &Folder, script: &str, entry: &str) -> Ran {
    let adapter = folder.write("adapter.sh", script.as_bytes());
    for path in ["home/cases/objects", "home/ci", "home/reports/known/readers"] {
        fs::create_dir_all(folder.path(path)).expect("a folder");
    }
    folder.write("home/cases/objects/objects.yaml", b"objects: []\n");
    folder.write("home/ci/producers.yaml", b"producers: []\n");
    let readers = format!(
        "- name: planted-1\n  project: planted\n  about: planted\n  command: sh {adapter}\n  version_pattern: 'planted (\\S+)'\n  \
         from: ci/readers planted\n  reads: [{{versions: [v3]}}]\n  only: [valid/v3-amd64/two-functions]\n"
    );
    folder.write("home/ci/consumers.yaml", readers.as_bytes());
    let head = "title: 'planted: refuses two functions'\nproject: planted\nreason: because\nlink: unfiled\n\
                added: '2026-01-01'\nexpires: '2100-01-01'\nversions: {first: '1', last: '1'}\n";
    folder.write("home/reports/known/readers/planted-refuses.yaml", format!("{head}{entry}").as_bytes());
    let mut command = program_with(&["bundle", "planted-refuses", "--out", &folder.path("out")]);
    command.current_dir(folder.path("home"));
    finish(command)
}

/// An entry that keeps no bundle has one made with a reader here, and a private one names whom to
/// contact first. Without an affected reader the message has the command to get one.
#[test]
fn an_entry_of_a_reader_without_a_bundle_has_one_made() {
    let folder = Folder::new();
    let script = |version: &str| {
        format!(
            "if [ \"$1\" = --version ]; then echo 'planted {version}'; exit; fi\n\
             while read word rest; do if [ $word = section ]; then echo refused; else echo err; fi; done\n"
        )
    };
    let shows = "shows: [{causes: {'refused: valid/two-functions: the section': [v3-amd64]}}]\n";
    let ran = bundle_of_entry(&folder, &script("1"), shows);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report = fs::read_to_string(folder.path("out/report.md")).expect("a report");
    assert!(report.contains("# planted 1: refuses two functions (") && report.contains("because"), "{report}");
    assert!(!report.contains("in private"), "{report}");
    let ran = bundle_of_entry(&folder, &script("1"), &format!("{shows}tell: the author of planted\n"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report = fs::read_to_string(folder.path("out/report.md")).expect("a report");
    assert!(report.contains("Report it in private first: the author of planted"), "{report}");
    // The version before the first affected one.
    let ran = bundle_of_entry(&folder, &script("0"), shows);
    assert!(
        ran.code == Some(3) && ran.stderr.contains("planted-refuses: not shown by the readers of planted found here"),
        "{ran:?}"
    );
}

/// One's own readelf by its file or the folder it was built in, and no other reader.
#[test]
fn a_readelf_of_ones_own_is_the_only_reader() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("build/binutils")).expect("a folder");
    let program = folder.path("build/binutils/readelf");
    testing::program::write_program(&program, "#!/bin/sh\necho 'GNU readelf (GNU Binutils) 9.99'\n");
    for path in [&program, &folder.path("build")] {
        let ran = run(&["consumers", "--readelf", path, "--list"]);
        let listed: Vec<Vec<&str>> = ran.stdout.lines().map(|line| line.split_whitespace().take(2).collect()).collect();
        assert_eq!(listed, [["readelf-own", "9.99"]], "{ran:?}");
    }
    let nowhere = run(&["consumers", "--objdump", &folder.path("build"), "--list"]);
    assert!(nowhere.code == Some(3) && nowhere.stderr.contains("no objdump there"), "{nowhere:?}");
    testing::program::write_program(&program, "#!/bin/sh\necho mute\n");
    let mute = run(&["consumers", "--readelf", &program, "--programs", "0", "--builds", "0"]);
    assert!(mute.code == Some(3) && mute.stderr.contains("readelf-own: the program"), "{mute:?}");
}
