//! Files of a generated program: the ELF file, the bytes of its `.sframe`, and the true frames at
//! each address as JSON.

use generators::elf;
use generators::sample::SampleError;
use serde_json::{Value, json};
use types::{Abi, CfaRule, PacKey, Reg, ValueRule};

use super::Numbered;

/// Files of one program.
#[derive(Clone, Debug)]
pub struct Files {
    /// Name without extension.
    pub name: String,
    pub elf: Vec<u8>,
    /// Contents of its `.sframe`. In an object start fields are zero until it is linked.
    pub sframe: Vec<u8>,
    /// True frames, as JSON.
    pub expected: Value,
}

/// The files of a program.
pub fn files(numbered: &Numbered) -> Result<Files, SampleError> {
    let built = numbered.program.build()?;
    let sample = &built.sample;
    let file = sample.elf()?;
    let sections = || file.sections.iter().filter(|section| section.name == ".sframe");
    let base = if sample.kind == elf::FileKind::Relocatable { 0 } else { sample.text_address() };
    let functions: Vec<Value> = sample
        .functions
        .iter()
        .map(|placed| {
            let start = base + placed.offset;
            let function = &placed.function;
            let described = sample.section.functions.iter().any(|spec| spec.start == start);
            let ends = function.frames.iter().skip(1).map(|at| u64::from(at.offset));
            let ends = ends.chain([function.code.len() as u64]);
            let rows: Vec<Value> = function
                .frames
                .iter()
                .zip(ends)
                .map(|(at, end)| {
                    let key = at.frame.signed.then_some(if function.key == PacKey::A { "a" } else { "b" });
                    json!({
                        "start": start + u64::from(at.offset),
                        "end": start + end,
                        "cfa": cfa(sample.abi, at.frame.cfa),
                        "ra": value(sample.abi, at.frame.ra),
                        "fp": value(sample.abi, at.frame.fp),
                        "signed": key,
                    })
                })
                .collect();
            json!({
                "name": function.name,
                "start": start,
                "size": function.code.len(),
                "in_sframe": described,
                "signal": function.signal,
                "rows": rows,
            })
        })
        .collect();
    let expected = json!({
        "schema": 1,
        "name": numbered.name(),
        "seed": numbered.seed,
        "number": numbered.number,
        "abi": sample.abi.name(),
        "sframe_version": sample.version.name(),
        "kind": match sample.kind {
            elf::FileKind::Relocatable => "object",
            elf::FileKind::Executable => "executable",
            elf::FileKind::Shared => "shared",
        },
        "sframe_address": sections().map(|section| section.address).next(),
        "warned": built.warnings,
        "functions": functions,
    });
    let sframe = sections().map(|section| section.bytes.clone()).next().unwrap_or_default();
    let elf = elf::write(&file)?;
    Ok(Files { name: numbered.name(), elf, sframe, expected })
}

fn register(abi: Abi, reg: Reg) -> Value {
    json!({ "dwarf": reg.0, "name": abi.register_name(reg) })
}

fn cfa(abi: Abi, rule: CfaRule) -> Value {
    let text = rule.describe(abi);
    match rule {
        CfaRule::Register { reg, offset } => {
            json!({ "text": text, "rule": "register", "register": register(abi, reg), "offset": offset })
        }
        CfaRule::Memory { reg, offset } => {
            json!({ "text": text, "rule": "memory", "register": register(abi, reg), "offset": offset })
        }
        CfaRule::Expression(_) | CfaRule::Unspecified => json!({ "text": text, "rule": "none" }),
    }
}

fn value(abi: Abi, rule: ValueRule) -> Value {
    let text = rule.describe(abi);
    match rule {
        ValueRule::SameValue => json!({ "text": text, "rule": "same" }),
        ValueRule::Undefined | ValueRule::Expression(_) => json!({ "text": text, "rule": "undefined" }),
        ValueRule::AtCfa(offset) => json!({ "text": text, "rule": "at-cfa", "offset": offset }),
        ValueRule::CfaPlus(offset) => json!({ "text": text, "rule": "cfa-plus", "offset": offset }),
        ValueRule::Register { reg, offset } => {
            json!({ "text": text, "rule": "register", "register": register(abi, reg), "offset": offset })
        }
        ValueRule::Memory { reg, offset } => {
            json!({ "text": text, "rule": "memory", "register": register(abi, reg), "offset": offset })
        }
    }
}
