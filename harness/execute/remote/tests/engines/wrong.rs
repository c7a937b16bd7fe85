//! Planted wrong semantics: the first engine gets code in which an instruction is replaced, so that
//! another flag, word or register differs from the second engine.

use libtest_mimic::Failed;
use machine::Unicorn;
use remote::{Both, BothError};
use types::memo::NoMemo;
use types::{Abi, Step};
use witness::{Backend as _, Plan};

use crate::agree::{SAMPLE, second};
use crate::executables;

/// An instruction that is replaced for the first engine.
pub(crate) struct Wrong {
    pub(crate) abis: &'static [Abi],
    pub(crate) what: &'static str,
    code: &'static [u8],
    executes: &'static [u8],
    /// The instruction that must be reported: the replaced one, or the one that uses its result.
    shown_by: &'static [u8],
}

const AMD64: &[Abi] = &[Abi::Amd64];
const AARCH64: &[Abi] = &[Abi::Aarch64, Abi::Aarch64Be];
const S390X: &[Abi] = &[Abi::S390x];

pub(crate) static WRONG: [Wrong; 9] = [
    // cmp disp8(%rbp),%rax with exchanged operands; jb.
    Wrong { abis: AMD64, what: "flags", code: &[0x48, 0x3b, 0x45], executes: &[0x48, 0x39, 0x45], shown_by: &[0x72] },
    // push %rbp stores another register; pop %rbp.
    Wrong { abis: AMD64, what: "stored-word", code: &[0x55], executes: &[0x53], shown_by: &[0x5d] },
    // mov %rsp,%rbp moves another register.
    Wrong {
        abis: AMD64,
        what: "moved-register",
        code: &[0x48, 0x89, 0xe5],
        executes: &[0x48, 0x89, 0xc5],
        shown_by: &[0x48, 0x89, 0xe5],
    },
    // cmp x1, x0 with exchanged operands; b.cc.
    Wrong {
        abis: AARCH64,
        what: "flags",
        code: &[0x3f, 0x0, 0x0, 0xeb],
        executes: &[0x1f, 0x0, 0x1, 0xeb],
        shown_by: &[0x83, 0xfe, 0xff, 0x54],
    },
    // str w0, [sp, #44] stores another register; ldr w0, [sp, #44].
    Wrong {
        abis: AARCH64,
        what: "stored-word",
        code: &[0xe0, 0x2f, 0x0, 0xb9],
        executes: &[0xe1, 0x2f, 0x0, 0xb9],
        shown_by: &[0xe0, 0x2f, 0x40, 0xb9],
    },
    // ldp x29, x30, [sp], #48 with exchanged registers.
    Wrong {
        abis: AARCH64,
        what: "register-pair",
        code: &[0xfd, 0x7b, 0xc3, 0xa8],
        executes: &[0xfe, 0x77, 0xc3, 0xa8],
        shown_by: &[0xfd, 0x7b, 0xc3, 0xa8],
    },
    // clg %r1,160(%r11) compares another register; the branch.
    Wrong {
        abis: S390X,
        what: "flags",
        code: &[0xe3, 0x10, 0xb0, 0xa0, 0x00, 0x21],
        executes: &[0xe3, 0xb0, 0xb0, 0xa0, 0x00, 0x21],
        shown_by: &[0xa7],
    },
    // st %r1,164(%r11) stores another register; lgf %r1,164(%r11).
    Wrong {
        abis: S390X,
        what: "stored-word",
        code: &[0x50, 0x10, 0xb0, 0xa4],
        executes: &[0x50, 0x30, 0xb0, 0xa4],
        shown_by: &[0xe3, 0x10, 0xb0, 0xa4, 0x00, 0x14],
    },
    // lmg %r10,%r15,248(%r11) loads other registers.
    Wrong {
        abis: S390X,
        what: "register-pair",
        code: &[0xeb, 0xaf, 0xb0, 0xf8, 0x00, 0x04],
        executes: &[0xeb, 0xaf, 0xb0, 0xf0, 0x00, 0x04],
        shown_by: &[0xeb, 0xaf, 0xb0, 0xf8, 0x00, 0x04],
    },
];

/// Asserts that the difference is found, with all instances replaced in the first engine's code.
pub(crate) fn is_found(wrong: &Wrong, folder: &str) -> Result<(), Failed> {
    let file = executables(folder).into_iter().find(|file| file.to_string_lossy().contains("v3--gcc12-O0"));
    let bytes = std::fs::read(file.ok_or("no executable")?)?;
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
    let plan = Plan { step_limit: SAMPLE, ..Plan::new(&image) };
    let given = elf::load("program", &bytes.clone().into())?;
    let named = |pc: u64| given.bytes_at(pc).map(|code| code[..code.len().min(6)].to_vec());
    match Both::new(Unicorn::default(), second(&bytes)).run(&plan, &mut NoMemo(&mut |_: &Step<'_>| {})) {
        Err(BothError::Differ(difference))
            if named(difference.after).is_some_and(|code| code.starts_with(wrong.shown_by)) =>
        {
            Ok(())
        }
        Err(BothError::Differ(difference)) => {
            Err(format!("{first:#x}: {difference}, {:x?}", named(difference.after)).into())
        }
        other => Err(format!("{first:#x}: {other:?}").into()),
    }
}
