//! Instructions of APX, which Zydis and iced-x86 lack, against objdump of GNU binutils 2.43 or
//! newer: lengths of random encodings.

use std::fs;
use std::process::Command;

use isa::flow;
use types::{Abi, Rng};

/// Bytes between two encodings.
const SLOT: usize = 32;

/// A random encoding: REX2, or EVEX with a map of general instructions.
fn draw(rng: &mut Rng) -> Vec<u8> {
    let mut byte = || rng.byte();
    let mut code = match byte() % 2 {
        0 => vec![0xd5, byte()],
        // P0, P1 and P2: map 4, most often without a rounding or a length.
        _ => vec![0x62, byte() & !7 | 4, byte() | 4, byte() & 0x1c],
    };
    code.extend((0..11).map(|_| byte()));
    code
}

/// The lengths that objdump prints, by slot; `None` where it has no instruction.
fn objdump(tool: &str, code: &[u8]) -> Vec<Option<usize>> {
    let file = std::env::temp_dir().join(format!("apx-{}.bin", std::process::id()));
    fs::write(&file, code).unwrap();
    let arguments = ["-D", "-b", "binary", "-m", "i386:x86-64", "--insn-width=16"];
    let out = Command::new(tool).args(arguments).arg(&file).output().unwrap();
    fs::remove_file(&file).unwrap();
    let mut lengths = vec![None; code.len() / SLOT];
    for line in String::from_utf8_lossy(&out.stdout).lines() {
        let mut fields = line.split('\t');
        let at = fields.next().and_then(|at| usize::from_str_radix(at.trim().trim_end_matches(':'), 16).ok());
        let (Some(at), Some(bytes), Some(text)) = (at, fields.next(), fields.next()) else { continue };
        // Also prefixes that stand alone, and segment registers that do not exist.
        let is_bad = ["(bad)", "{bad", "rex", "%?"].iter().any(|bad| text.contains(bad));
        if at % SLOT == 0 && !is_bad {
            lengths[at / SLOT] = Some(bytes.split_whitespace().count());
        }
    }
    lengths
}

#[test]
#[ignore = "needs OBJDUMP, a path to objdump 2.43 or newer"]
fn lengths_are_those_of_objdump() {
    let tool = std::env::var("OBJDUMP").unwrap();
    let mut rng = Rng::new(64);
    let all: Vec<Vec<u8>> = (0..100_000).map(|_| draw(&mut rng)).collect();
    let mut code = vec![0x90; all.len() * SLOT];
    for (slot, one) in code.chunks_mut(SLOT).zip(&all) {
        slot[..one.len()].copy_from_slice(one);
    }
    let (mut compared, mut unknown, mut differ) = (0, Vec::new(), Vec::new());
    for (slot, length) in code.chunks(SLOT).zip(objdump(&tool, &code)) {
        let Some(length) = length else { continue };
        match flow::decode(Abi::Amd64, slot, 0) {
            Some(insn) if usize::from(insn.length) == length => compared += 1,
            Some(insn) => differ.push((insn.length, &slot[..length])),
            None => unknown.push(&slot[..length]),
        }
    }
    println!("{compared} alike, {} unknown, {} differ", unknown.len(), differ.len());
    unknown.iter().take(20).for_each(|code| println!("unknown {code:02x?}"));
    differ.iter().take(20).for_each(|(ours, code)| println!("{ours} {code:02x?}"));
    assert!(compared > 5_000 && differ.is_empty() && unknown.len() * 50 < compared);
}
