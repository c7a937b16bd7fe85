//! Programs from assembly sources, built with GNU binutils.

use std::fs;
use std::process::Command;

use testing::scratch;
use types::{Abi, Bytes};

/// Tools for the programs of a target.
pub(crate) struct Tools {
    assembler: &'static [&'static str],
    linker: &'static [&'static str],
}

/// The tools of a target.
pub(crate) const fn tools(abi: Abi) -> Tools {
    match abi {
        Abi::Amd64 => Tools { assembler: &["as", "--64"], linker: &["ld"] },
        Abi::Aarch64 => Tools { assembler: &["aarch64-linux-gnu-as"], linker: &["aarch64-linux-gnu-ld"] },
        Abi::Aarch64Be => Tools {
            assembler: &["aarch64-linux-gnu-as", "-EB"],
            linker: &["aarch64-linux-gnu-ld", "-EB", "-m", "aarch64linuxb"],
        },
        Abi::S390x => Tools { assembler: &["s390x-linux-gnu-as"], linker: &["s390x-linux-gnu-ld"] },
    }
}

/// A program whose `_start`, which has no caller, executes `main` and exits; `rest` follows.
pub(crate) fn program(abi: Abi, main: &str, rest: &str) -> Bytes {
    let (undefined, exit) = match abi {
        Abi::Amd64 => ("rip", "xor %edi, %edi\nmov $60, %eax\nsyscall"),
        Abi::Aarch64 | Abi::Aarch64Be => ("x30", "mov x0, #0\nmov x8, #93\nsvc #0"),
        Abi::S390x => ("%r14", "lghi %r2, 0\nlghi %r1, 1\nsvc 0"),
    };
    tools(abi).link(&format!(
        ".globl _start\n_start: .cfi_startproc\n.cfi_undefined {undefined}\n{main}\n{exit}\n.cfi_endproc\n{rest}"
    ))
}

impl Tools {
    /// The object of a source.
    pub(crate) fn object(&self, source: &str) -> Bytes {
        self.make(source, &[self.assembler])
    }

    /// The program of a source.
    pub(crate) fn link(&self, source: &str) -> Bytes {
        self.make(source, &[self.assembler, self.linker])
    }

    fn make(&self, source: &str, commands: &[&[&str]]) -> Bytes {
        let folder = scratch::folder();
        let mut input = folder.path().join("f.s");
        fs::write(&input, format!(".text\n{source}\n")).expect("a file");
        for command in commands {
            let [tool, arguments @ ..] = command else { panic!("no tool") };
            let output = input.with_extension(tool);
            let done = Command::new(tool).args(arguments).arg(&input).arg("-o").arg(&output).status();
            assert!(done.expect("GNU tools").success(), "{tool}: {source}");
            input = output;
        }
        fs::read(input).expect("a file").into()
    }
}
