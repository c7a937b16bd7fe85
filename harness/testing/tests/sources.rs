//! The walker of source files: each file that it cannot test, or with another outcome, is a
//! failure.

use std::fs;

use libtest_mimic::Arguments;
use testing::scratch;
use testing::sources::{Built, trials};

/// File, text, and whether its test passes.
const FILES: [(&str, &str, bool); 11] = [
    ("right.amd64.s", "# A purpose.\n# expect: amd64, 1 bytes\nnop\n", true),
    ("cases.s", "# A purpose.\n# case: a\n# target: s390x\n# expect: s390x, 2 bytes\nnopr\n", true),
    (
        "values.amd64.s",
        "# A purpose.\n# with x: nop\n# case: a\n# with x: nop; nop\n# expect: amd64, 2 bytes\n{x}\n",
        true,
    ),
    ("wrong.amd64.s", "# A purpose.\n# expect: amd64, 2 bytes\nnop\n", false),
    ("more.amd64.s", "# A purpose.\n# expect: amd64, 1 bytes\n# expect: more\nnop\n", false),
    ("none.amd64.s", "# A purpose.\nnop\n", false),
    ("purpose.amd64.s", "# expect: amd64, 1 bytes\nnop\n", false),
    ("unknown.amd64.s", "# A purpose.\n# unknown: word\n# expect: amd64, 1 bytes\n", false),
    ("unused.amd64.s", "# A purpose.\n# with x: nop\n# expect: amd64, 1 bytes\nnop\n", false),
    ("target.s", "# A purpose.\n# expect: amd64, 1 bytes\nnop\n", false),
    ("code.amd64.s", "# A purpose.\n# expect: amd64, 1 bytes\nno such instruction\n", false),
];

/// The target, and the size of the code: the first section after the header of an object of GNU as.
fn outcome(built: &Built<'_>) -> Vec<String> {
    let code = &built.bytes[0x40..];
    let nop: &[u8] = if built.target.name() == "s390x" { &[7, 0] } else { &[0x90] };
    let count = code.chunks(nop.len()).take_while(|bytes| *bytes == nop).count();
    vec![format!("{}, {} bytes", built.target.name(), count * nop.len())]
}

#[test]
fn each_source_passes_or_fails_by_its_lines() {
    if std::env::var_os("BLESS").is_some() {
        return;
    }
    let folder = scratch::folder();
    for (name, text, _) in FILES {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    // Their failures are not those of this test.
    let log = scratch::folder();
    for (name, _, passes) in FILES {
        let logfile = Some(log.path().join("log").display().to_string());
        let filter = Some(name.trim_end_matches(".s").to_owned());
        let arguments = Arguments { filter, exact: true, logfile, ..Arguments::default() };
        let conclusion = libtest_mimic::run(&arguments, trials(folder.path(), &[], outcome));
        assert_eq!((conclusion.num_passed, conclusion.num_failed), (u64::from(passes), u64::from(!passes)), "{name}");
    }
}
