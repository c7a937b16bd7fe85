//! Ranges of descriptors, for executed code without another table: a lost range is an error.

use check::Options;
use spec::RuleId;
use types::Abi;

use crate::asm::program;
use crate::check;

/// A function that returns, in two instructions, and a call of it.
fn shape(abi: Abi) -> ([&'static str; 2], &'static str) {
    match abi {
        Abi::Amd64 => (["nop", "ret"], "call f"),
        Abi::Aarch64 | Abi::Aarch64Be => (["nop", "ret"], "bl f"),
        Abi::S390x => (["nopr", "br %r14"], "brasl %r14, f"),
    }
}

/// Rules that a program with this function breaks; `size` is that of the last FDE, which is the
/// function's.
fn broken(abi: Abi, f: &str, sized: bool, size: Option<u8>) -> Vec<RuleId> {
    let symbol = if sized { ".size f, .-f" } else { "" };
    let mut bytes = program(abi, shape(abi).1, &format!(".type f, %function\nf: {f}\n{symbol}")).to_vec();
    if let Some(size) = size {
        // GNU ld omits FDEs that have lost their range in the object.
        let image = elf::load("f", &bytes.clone().into()).expect("an image");
        let section = image.section(".eh_frame").expect("a table");
        let length = |at: usize| abi.facts().order.number(&bytes[at..at + 4]);
        let (mut at, end) = (section.file_offset as usize, (section.file_offset + section.size) as usize);
        while at + 4 + (length(at) as usize) < end && length(at + 4 + length(at) as usize) > 0 {
            at += 4 + length(at) as usize;
        }
        abi.facts().order.store(&mut bytes[at + 12..at + 16], size.into());
    }
    let report = check("f", &bytes.into(), &Options::default()).report;
    report.discrepancies.iter().map(|found| found.rule()).collect()
}

#[test]
fn a_range_that_lost_code_that_runs_is_wrong() {
    let (lost, none) = ([RuleId::EhFrameRangeLost], Vec::<RuleId>::new());
    for abi in Abi::ALL {
        let [first, last] = shape(abi).0;
        let whole = format!(".cfi_startproc\n{first}\n{last}\n.cfi_endproc");
        for sized in [true, false] {
            assert_eq!(broken(abi, &whole, sized, None), none, "{abi}");
            assert_eq!(broken(abi, &whole, sized, Some(1)), lost, "{abi}: {sized}");
        }
        assert_eq!(broken(abi, &whole, true, Some(0)), lost, "{abi}");
        // Directives around no code make the same table.
        assert_eq!(broken(abi, &whole, false, Some(0)), [RuleId::EhFrameEmpty], "{abi}");
        let part = format!(".cfi_startproc\n{first}\n.cfi_endproc\n{first}\n.cfi_startproc\n{last}\n.cfi_endproc");
        assert_eq!(broken(abi, &part, true, None), none, "{abi}");
        // No descriptor covers the function.
        assert_eq!(broken(abi, &format!("{first}\n{last}"), true, None), none, "{abi}");
    }
}

/// The CIE's initial locations are PC-relative, 4 bytes: here they are absolute.
#[test]
fn a_descriptor_of_what_is_no_code_is_wrong() {
    for abi in Abi::ALL {
        let [first, last] = shape(abi).0;
        let right = program(abi, shape(abi).1, &format!("f: .cfi_startproc\n{first}\n{last}\n.cfi_endproc"));
        let wrong = |change: &dyn Fn(&mut Vec<u8>, usize)| {
            let mut bytes = right.to_vec();
            let cie = bytes.windows(4).position(|four| four == [1, b'z', b'R', 0]).expect("a CIE");
            change(&mut bytes, cie);
            let report = check("f", &bytes.into(), &Options::default()).report;
            report.discrepancies.iter().any(|found| found.rule() == RuleId::EhFrameRangeInCode)
        };
        assert!(!wrong(&|_, _| ()), "{abi}");
        // DW_EH_PE_sdata4, DW_EH_PE_udata4: relative values become absolute.
        assert!(wrong(&|bytes, cie| bytes[cie + 8] = 0x0b), "{abi}");
        assert!(wrong(&|bytes, cie| bytes[cie + 8] = 0x03), "{abi}");
    }
}
