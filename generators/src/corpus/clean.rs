//! Files that break no structural rule, or only the one that their version breaks by nature: they find rules that accuse the
//! innocent.

use model::{Abi, PacKey, SframeVersion};

use super::bench::{Bench, EXTRA, long_leaf, repeat_blocks};
use crate::code::Function;
use crate::elf::FileKind;
use crate::sframe::{FunctionSpec, RowSpec};

/// A correct file.
#[derive(Clone, Debug)]
pub struct CleanFile {
    /// What it is: target, version, kind, and what is in it.
    pub name: String,
    /// Rules that files of this version break by nature.
    pub expected: &'static [&'static str],
    /// The file.
    pub bytes: Vec<u8>,
}

const VERSIONS: [SframeVersion; 4] =
    [SframeVersion::V1, SframeVersion::V2, SframeVersion::V2Errata1, SframeVersion::V3];
const KINDS: [FileKind; 3] = [FileKind::Executable, FileKind::Shared, FileKind::Relocatable];

/// For every target, version and kind of file: plain functions, and one file for each feature that the version has.
///
/// # Panics
/// When a specification in this crate cannot be encoded, which its tests find.
pub fn clean() -> Vec<CleanFile> {
    let mut files = Vec::new();
    for abi in Abi::ALL {
        for version in VERSIONS {
            // s390x came with errata 1.
            if abi == Abi::S390x && version < SframeVersion::V2Errata1 {
                continue;
            }
            for kind in KINDS {
                let bench = Bench { abi, version, kind };
                files.push(plain(bench));
                files.extend(features(bench));
            }
        }
    }
    files
}

fn plain(bench: Bench) -> CleanFile {
    finish(bench, "plain", Vec::new(), |_| ())
}

fn features(bench: Bench) -> Vec<CleanFile> {
    let Bench { abi, version, .. } = bench;
    let mut files = vec![
        // Long enough for row starts of two bytes, with rows at both ends.
        finish(bench, "two-byte starts", vec![long_framed(abi, 0x300)], |_| ()),
        finish(bench, "four-byte starts", vec![long_framed(abi, 0x1_2000)], |_| ()),
        finish(bench, "long leaf", vec![long_leaf(abi, "long", 0x300)], |_| ()),
    ];
    for key in [PacKey::A, PacKey::B] {
        let signed = Function::signed(abi, "signed", "leaf", key);
        files.extend(signed.map(|signed| finish(bench, &format!("key {key:?}"), vec![signed], |_| ())));
    }
    if version != SframeVersion::V1 {
        let stubs = Function::stubs(abi, "stubs", 3);
        files.extend(stubs.map(|stubs| finish(bench, "stubs", vec![stubs], |function| repeat_blocks(function, 16))));
    }
    if version == SframeVersion::V3 {
        let saved = Function::saved_cfa(abi, "saved_cfa");
        files.extend(saved.map(|saved| finish(bench, "flexible rows", vec![saved], |_| ())));
        let signal = Function { signal: true, ..Function::leaf(abi, "signal") };
        files.push(finish(bench, "signal frame without rows", vec![signal], |function| function.rows.clear()));
        let outermost = Function::leaf(abi, "outermost");
        files.push(finish(bench, "outermost", vec![outermost], |function| {
            function.rows = vec![RowSpec::outermost(0)];
        }));
    }
    if abi == Abi::S390x && version == SframeVersion::V2Errata1 {
        let registers = Function::foreign_registers(abi, "registers");
        files.extend(registers.map(|function| finish(bench, "saved in registers", vec![function], |_| ())));
    }
    files
}

/// A function whose rows come before and after many bytes of nothing.
fn long_framed(abi: Abi, bytes: usize) -> Function {
    let tail = match abi {
        // pop %rbp; ret
        Abi::Amd64 => 2,
        Abi::Aarch64 | Abi::Aarch64Be => 8,
        // lmg; br
        Abi::S390x => 8,
    };
    Function::framed(abi, "long", "leaf").padded(abi, tail, bytes)
}

fn finish(bench: Bench, what: &str, extra: Vec<Function>, edit: impl FnOnce(&mut FunctionSpec)) -> CleanFile {
    let Bench { abi, version, kind } = bench;
    let mut sample = bench.sample_with(extra);
    if let Some(function) = sample.section.functions.get_mut(EXTRA) {
        edit(function);
    }
    let name = format!("{abi} {version} {kind:?}, {what}");
    let bytes = sample.bytes().unwrap_or_else(|error| panic!("{name}: {error}"));
    let expected: &[&str] = match version {
        SframeVersion::V1 => &["header/obsolete-version"],
        SframeVersion::V2 => &["header/pcrel-clear-v2"],
        SframeVersion::V2Errata1 | SframeVersion::V3 => &[],
    };
    CleanFile { name, expected, bytes }
}
