//! Frame operations on AArch64 (AAPCS64) as assembly text, for both byte orders.

use crate::cfi_text::register::{Register, Role, reg};
use crate::cfi_text::truth::{Act, ActKind, Frame, Instructions};

pub(crate) const INSTRUCTIONS: Instructions = Instructions {
    start: "\tmov w0, #0\n\tbl f0\n\tmov w0, #1\n\tbl f0\n\tmov w0, #0\n\tmov x8, #93\n\tsvc #0",
    ret: "\tret",
    nop: "\tnop",
    branch: |label| format!("\tcbnz w0, {label}"),
    act,
    registers: REGISTERS,
};

/// DWARF numbers: DWARF for the Arm 64-bit Architecture, 4.1.
const REGISTERS: &[Register] = &[
    reg("sp", 31, Role::Sp),
    reg("x29", 29, Role::Fp),
    reg("x30", 30, Role::Ra),
    reg("x19", 19, Role::Other),
    reg("x0", 0, Role::Other),
    reg("x9", 9, Role::Other),
    reg("x28", 28, Role::Other),
    reg("d8", 72, Role::Other),
];

fn act(frame: &mut Frame, act: Act) -> Option<(String, String)> {
    let words = act.other_words;
    match act.kind {
        ActKind::Alloc(bytes) => {
            // SP moves by a 12-bit immediate, or by one shifted by 12 (Arm ARM, SUB immediate).
            let amount = if bytes < 4096 { format!("#{bytes}") } else { format!("#{}, lsl #12", bytes / 4096) };
            let bytes = if bytes < 4096 { bytes } else { bytes / 4096 * 4096 };
            if bytes == 0 {
                return None;
            }
            let done = frame.moved(bytes, words);
            let undone = frame.moved_back(bytes, words);
            Some((format!("\tsub sp, sp, {amount}{done}"), format!("\tadd sp, sp, {amount}{undone}")))
        }
        ActKind::SaveBoth if !frame.fp_kept && !frame.ra_saved => {
            (frame.fp_kept, frame.ra_saved) = (true, true);
            let moved = frame.moved(16, words);
            let depth = frame.depth;
            let undone = frame.moved_back(16, words);
            let slots = [format!("x29, -{depth}"), format!("x30, -{}", depth - 8)];
            let directive = if words {
                format!("\n\t.cfi_offset {}\n\t.cfi_offset {}", slots[1], slots[0])
            } else {
                format!("\n\t.cfi_offset {}\n\t.cfi_offset {}", slots[0], slots[1])
            };
            let back = if words {
                "\n\t.cfi_same_value x29\n\t.cfi_same_value x30"
            } else {
                "\n\t.cfi_restore x30\n\t.cfi_restore x29"
            };
            Some((
                format!("\tstp x29, x30, [sp, #-16]!{moved}{directive}"),
                format!("\tldp x29, x30, [sp], #16{undone}{back}"),
            ))
        }
        ActKind::SaveFp if !frame.fp_kept => {
            frame.fp_kept = true;
            Some(store("x29", frame, words))
        }
        ActKind::SaveRa if !frame.ra_saved => {
            frame.ra_saved = true;
            Some(store("x30", frame, words))
        }
        ActKind::SaveOther if frame.others < 3 => {
            let register = ["x19", "x20", "x28"][frame.others];
            frame.others += 1;
            Some(store(register, frame, words))
        }
        ActKind::SetFp if frame.fp_kept && !frame.on_fp => {
            frame.on_fp = true;
            let directive = frame.based_on("x29", words);
            let back = frame.based_on("sp", words);
            Some((format!("\tmov x29, sp\n\t{directive}"), format!("\t{back}")))
        }
        ActKind::ClobberFp if frame.fp_kept && !frame.on_fp => Some(("\tmov x29, #7".to_owned(), String::new())),
        // paciasp and autiasp, pacibsp and autibsp as hints, which older assemblers accept too.
        ActKind::SignA | ActKind::SignB if frame.done == 0 => {
            let (sign, strip) = if act.kind == ActKind::SignA { (25, 29) } else { (27, 31) };
            let directive = if words { "window_save" } else { "negate_ra_state" };
            Some((format!("\thint #{sign}\n\t.cfi_{directive}"), format!("\thint #{strip}\n\t.cfi_{directive}")))
        }
        ActKind::Call if !frame.parked && frame.ra_saved => {
            let callee = frame.callee?;
            Some((format!("\tbl f{callee}"), String::new()))
        }
        _ => None,
    }
}

fn store(register: &str, frame: &mut Frame, words: bool) -> (String, String) {
    let moved = frame.moved(16, words);
    let directive = frame.saved(register, 0, words);
    let undone = frame.moved_back(16, words);
    (
        format!("\tstr {register}, [sp, #-16]!{moved}\n\t{directive}"),
        format!("\tldr {register}, [sp], #16{undone}\n\t.cfi_restore {register}"),
    )
}
