//! Frame operations on s390x (ELF ABI 1.6) as assembly text: registers are saved at fixed offsets
//! in the 160 bytes that the caller provides.

use crate::cfi_text::register::{Register, Role, reg};
use crate::cfi_text::truth::{Act, ActKind, Frame, Instructions};

pub(crate) const INSTRUCTIONS: Instructions = Instructions {
    start: "\taghi %r15, -160\n\tlghi %r2, 0\n\tbrasl %r14, f0\n\tlghi %r2, 1\n\tbrasl %r14, f0\n\tlghi %r2, 0\n\tsvc 1",
    ret: "\tbr %r14",
    nop: "\tnopr",
    branch: |label| format!("\tltgr %r2, %r2\n\tjne {label}"),
    act,
    registers: REGISTERS,
};

/// DWARF numbers: s390x ELF ABI 1.6, table 1.17: f0 is 16, f2 is 17, f1 is 20, f8 is 24.
const REGISTERS: &[Register] = &[
    reg("%r15", 15, Role::Sp),
    reg("%r11", 11, Role::Fp),
    reg("%r14", 14, Role::Ra),
    reg("%r6", 6, Role::Other),
    reg("%r1", 1, Role::Other),
    reg("%r13", 13, Role::Other),
    reg("%f0", 16, Role::Other),
    reg("%f2", 17, Role::Other),
    reg("%f8", 24, Role::Other),
];

/// CFA minus SP at entry: the register save area.
const AREA: i64 = 160;

fn act(frame: &mut Frame, act: Act) -> Option<(String, String)> {
    let words = act.other_words;
    match act.kind {
        ActKind::Alloc(bytes) => {
            let done = frame.moved(bytes, words);
            let back = frame.moved_back(bytes, words);
            Some((format!("\tlay %r15, -{bytes}(%r15){done}"), format!("\tlay %r15, {bytes}(%r15){back}")))
        }
        ActKind::SaveFp if !frame.fp_kept => {
            frame.fp_kept = true;
            Some(store(11, frame, words))
        }
        ActKind::SaveRa if !frame.ra_saved => {
            frame.ra_saved = true;
            Some(store(14, frame, words))
        }
        ActKind::SaveBoth if !frame.fp_kept && !frame.ra_saved => {
            (frame.fp_kept, frame.ra_saved) = (true, true);
            let at = 88 + frame.depth - AREA;
            let directive = if words {
                "\t.cfi_offset %r14, -48\n\t.cfi_offset %r11, -72"
            } else {
                "\t.cfi_offset %r11, -72\n\t.cfi_offset %r14, -48"
            };
            let back = "\t.cfi_restore %r14\n\t.cfi_restore %r11";
            Some((
                format!("\tstmg %r11, %r14, {at}(%r15)\n{directive}"),
                format!("\tlmg %r11, %r14, {at}(%r15)\n{back}"),
            ))
        }
        ActKind::SaveOther if frame.others < 3 => {
            let register = [13, 12, 10][frame.others];
            frame.others += 1;
            Some(store(register, frame, words))
        }
        ActKind::SetFp if frame.fp_kept && !frame.on_fp => {
            frame.on_fp = true;
            let directive = frame.based_on("%r11", words);
            let back = frame.based_on("%r15", words);
            Some((format!("\tlgr %r11, %r15\n\t{directive}"), format!("\t{back}")))
        }
        ActKind::ClobberFp if frame.fp_kept && !frame.on_fp => Some(("\tlghi %r11, 7".to_owned(), String::new())),
        ActKind::ParkRa if !frame.ra_saved && !frame.parked => {
            frame.parked = true;
            let back = if words { ".cfi_same_value %r14" } else { ".cfi_restore %r14" };
            Some(("\tldgr %f0, %r14\n\t.cfi_register %r14, %f0".to_owned(), format!("\tlgdr %r14, %f0\n\t{back}")))
        }
        ActKind::ParkFp if !frame.fp_kept => {
            frame.fp_kept = true;
            frame.parked = true;
            let back = if words { ".cfi_same_value %r11" } else { ".cfi_restore %r11" };
            Some(("\tldgr %f2, %r11\n\t.cfi_register %r11, %f2".to_owned(), format!("\tlgdr %r11, %f2\n\t{back}")))
        }
        // A callee saves into the 160 bytes above SP: they must belong to this frame.
        ActKind::Call if !frame.parked && frame.ra_saved && frame.depth >= 2 * AREA => {
            let callee = frame.callee?;
            Some((format!("\tbrasl %r14, f{callee}"), String::new()))
        }
        _ => None,
    }
}

/// Register n is saved 8n bytes above the SP of entry (figure 1-3 of the ABI): at CFA - 160 + 8n.
fn store(register: i64, frame: &Frame, words: bool) -> (String, String) {
    let at = 8 * register + frame.depth - AREA;
    let directive = frame.saved(&format!("%r{register}"), at, words);
    (
        format!("\tstg %r{register}, {at}(%r15)\n\t{directive}"),
        format!("\tlg %r{register}, {at}(%r15)\n\t.cfi_restore %r{register}"),
    )
}
