//! Debug information is untrusted too: findings do not depend on it.

use std::process::Command;

use check::Options;
use testing::elf::Elf;
use testing::{root, scratch};

use crate::check;

#[test]
fn damaged_debug_information_changes_no_finding() {
    let folder = scratch::folder();
    let (source, object) = (root().join("cases/frames/no-fp.amd64.s"), folder.path().join("leaf.o"));
    let mut assembler = Command::new("x86_64-linux-gnu-as");
    let made = assembler.args(["-g", "--gsframe", "-o"]).arg(&object).arg(source).status();
    assert!(made.expect("GNU as").success());
    let mut elf = Elf::new(std::fs::read(&object).expect("the object"));
    // The CFA of the last row, of `leaf`.
    let sframe = elf.section(".sframe");
    elf.bytes[sframe.offset + sframe.size - 1] = 24;
    let check = |bytes: Vec<u8>| {
        let report = check("leaf.o", &bytes.into(), &Options::default()).report;
        let found = report.discrepancies.iter().map(|found| found.fingerprint().to_owned());
        (report.error, found.collect::<Vec<_>>())
    };
    let whole = check(elf.bytes.clone());
    assert!(whole.0.is_none() && !whole.1.is_empty());
    let mut damaged = 0;
    for name in [".debug_info", ".debug_abbrev", ".debug_line", ".debug_aranges"] {
        let Some(section) = elf.sections().get(name).copied() else { continue };
        for at in section.offset..section.offset + section.size {
            for value in [0x00, 0x7f, 0xff] {
                let mut bytes = elf.bytes.clone();
                bytes[at] = value;
                assert!(check(bytes) == whole, "{name} at {at:#x}: {value:#x}");
                damaged += 1;
            }
        }
    }
    assert!(damaged > 500, "{damaged}");
}
