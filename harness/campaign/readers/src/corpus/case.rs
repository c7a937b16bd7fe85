//! A vector as JSON: each row once, and for every PC the accepted answers. Addresses and values are
//! hexadecimal text, because not every JSON parser has 64-bit integers.

use generators::vectors::{Caller, Chain, Class, Expected, Row, Vector, Word};
use serde_json::{Value, json};
use types::{Abi, CfaRule, PacKey, Reg, TableFormat, ValueRule};

use super::AnswerLine;

/// The JSON case of a vector: `corpus-case.schema.json`.
pub fn case(vector: &Vector) -> Value {
    let mut rows = Vec::new();
    let answers: Vec<Value> = vector
        .answers
        .iter()
        .map(|answer| {
            let mut object = expected(&answer.expected, &mut rows);
            object["pc"] = hex(answer.pc);
            object
        })
        .collect();
    let rows: Vec<Value> = rows.iter().map(|row| row_object(vector, row)).collect();
    let name = vector.id.rsplit('/').next().unwrap_or_default();
    let mut object = json!({
        "schema": 1,
        "id": vector.id,
        "class": vector.class.name(),
        "about": vector.about,
        "version": vector.format.name(),
        "abi": vector.abi.name(),
        "byte_order": match vector.abi.facts().order {
            types::ByteOrder::Little => "little",
            types::ByteOrder::Big => "big",
        },
        "section": { "file": format!("{name}{}", vector.format.section()), "bytes": vector.bytes.len(), "address": hex(vector.address) },
        "text": { "start": hex(vector.text.0), "end": hex(vector.text.1) },
        "sorted": vector.sorted,
        "rows": rows,
        "answers": answers,
    });
    if !vector.chains.is_empty() {
        object["chains"] = vector.chains.iter().map(chain).collect();
    }
    match vector.class {
        Class::Valid => {}
        Class::Invalid(rule) | Class::Malformed(rule) => {
            let rule = rule.facts();
            object["breaks"] = json!({ "rule": rule.id.name(), "statement": rule.statement, "clause": rule.clause });
        }
        Class::Open(question) => {
            object["open"] = json!({ "question": question.name, "asks": question.asks, "clause": question.clause });
        }
    }
    object
}

/// Registers and memory that determine a row's caller, as the words after the PC in a query:
/// `r7=0x... @0x...=0x...`.
pub fn state_line(caller: &Caller) -> String {
    words(&caller.registers, &caller.memory).join(" ")
}

/// Registers and memory for a question about a row; `None` if nothing is given.
pub(crate) fn row_state(vector: &Vector, row: &Row) -> Option<String> {
    let of_outermost = || words(&vector.outermost(), &[]).join(" ");
    match (vector.caller(row), vector.format) {
        (Some(caller), _) => Some(state_line(&caller)),
        // Debuggers guess unless registers show that the frame has no caller.
        (None, TableFormat::EhFrame) => Some(of_outermost()),
        (None, TableFormat::Sframe(_)) => None,
    }
}

/// Registers and memory of a stack, as words of a query.
pub fn state_words(stack: &Chain) -> Vec<String> {
    words(&stack.registers, &stack.memory)
}

/// The query for all callers of a stack: `chain MOST PC`, and its registers and memory. MOST is one
/// more than there are callers if the table ends the chain.
pub fn chain_line(chain: &Chain) -> String {
    let most = chain.callers.len() + usize::from(chain.ends);
    format!("chain {most} {:#x} {}", chain.pc, state_words(chain).join(" "))
}

fn words(registers: &[(Reg, u64)], memory: &[Word]) -> Vec<String> {
    let registers = registers.iter().map(|(reg, value)| format!("r{}={value:#x}", reg.0));
    let memory = memory.iter().map(|word| format!("@{:#x}={:#x}", word.address, word.value));
    registers.chain(memory).collect()
}

fn chain(chain: &Chain) -> Value {
    let (registers, memory) = state(&chain.registers, &chain.memory);
    let callers: Vec<Value> = chain.callers.iter().map(|pc| hex(*pc)).collect();
    json!({ "pc": hex(chain.pc), "registers": registers, "memory": memory, "callers": callers, "ends": chain.ends })
}

fn state(registers: &[(Reg, u64)], memory: &[Word]) -> (Vec<Value>, Vec<Value>) {
    let registers = registers.iter().map(|(reg, value)| json!({ "dwarf": reg.0, "value": hex(*value) }));
    let memory = memory.iter().map(|word| json!({ "address": hex(word.address), "value": hex(word.value) }));
    (registers.collect(), memory.collect())
}

fn expected(expected: &Expected, rows: &mut Vec<Row>) -> Value {
    let mut number = |row: &Row| {
        let known = rows.iter().position(|one| one == row);
        known.unwrap_or_else(|| {
            rows.push(*row);
            rows.len() - 1
        })
    };
    match expected {
        Expected::Row(row) => json!({ "expect": "row", "row": number(row) }),
        Expected::RowOrRefuse(row) => json!({ "expect": "row-or-refuse", "row": number(row) }),
        Expected::NoRow => json!({ "expect": "none" }),
        Expected::Refuse => json!({ "expect": "refuse" }),
        Expected::Anything => json!({ "expect": "anything" }),
        Expected::OneOf(readings) => {
            let readings: Vec<Value> = readings.iter().map(|one| self::expected(one, rows)).collect();
            json!({ "expect": "one-of", "readings": readings })
        }
    }
}

fn row_object(vector: &Vector, row: &Row) -> Value {
    let abi = vector.abi;
    let line = AnswerLine::new(abi, row).to_string();
    let frame = row.frame;
    let Some(caller) = vector.caller(row) else {
        return json!({ "line": line, "outermost": true, "signal": row.signal });
    };
    let key = row.key.map(|key| if key == PacKey::A { "a" } else { "b" });
    json!({
        "line": line,
        "outermost": false,
        "cfa": match frame.cfa {
            CfaRule::Register { reg, offset } => from_register(abi, "register", reg, offset),
            CfaRule::Memory { reg, offset } => from_register(abi, "loaded-from-register", reg, offset),
            CfaRule::Expression(_) | CfaRule::Unspecified => Value::Null,
        },
        "ra": value(abi, frame.ra),
        "fp": value(abi, frame.fp),
        "signed": key,
        "signal": row.signal,
        "example": example(&caller),
    })
}

fn example(caller: &Caller) -> Value {
    let (registers, memory) = state(&caller.registers, &caller.memory);
    let caller = json!({ "pc": hex(caller.pc), "sp": hex(caller.sp), "fp": hex(caller.fp) });
    json!({ "registers": registers, "memory": memory, "caller": caller })
}

fn value(abi: Abi, rule: ValueRule) -> Value {
    match rule {
        ValueRule::SameValue => json!({ "rule": "same" }),
        ValueRule::AtCfa(offset) => json!({ "rule": "loaded-from-cfa", "offset": offset }),
        ValueRule::CfaPlus(offset) => json!({ "rule": "cfa", "offset": offset }),
        ValueRule::Register { reg, offset } => from_register(abi, "register", reg, offset),
        ValueRule::Memory { reg, offset } => from_register(abi, "loaded-from-register", reg, offset),
        ValueRule::Undefined | ValueRule::Expression(_) => Value::Null,
    }
}

fn from_register(abi: Abi, rule: &str, reg: Reg, offset: i64) -> Value {
    json!({ "rule": rule, "register": { "dwarf": reg.0, "name": abi.register_name(reg) }, "offset": offset })
}

fn hex(value: u64) -> Value {
    Value::String(format!("{value:#x}"))
}
