//! What the judge asks of instructions: a stub that a call leads to.

use judge::instructions::is_in_stub;
use types::{Abi, Bytes, Image, Pc};

use crate::eh_frame_hdr::{TEXT, hdr, image};

/// The offsets of 16 bytes that are in a stub to which the call before offset 4 leads.
fn in_stub(words: [u32; 4]) -> Vec<u64> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut image = Image { abi: Abi::Aarch64, ..image(&[], hdr(&[])) };
    image.sections[0].size = bytes.len() as u64;
    image.sections[0].bytes = Bytes::from(bytes);
    (0..16).step_by(4).filter(|at| is_in_stub(&image, Pc(TEXT + at), Pc(TEXT + 4))).collect()
}

#[test]
fn a_stub_is_what_a_call_leads_to_up_to_a_jump_by_register() {
    // bl of two instructions on; nop; mov x16, x1; br x16; ret.
    let [bl, nop, mov, br, ret] = [0x9400_0002, 0xd503_201f, 0xaa01_03f0, 0xd61f_0200, 0xd65f_03c0];
    assert_eq!(in_stub([bl, nop, mov, br]), [8, 12]);
    assert_eq!(in_stub([bl - 1, nop, mov, br]), [4, 8, 12], "bti, or none");
    assert_eq!(in_stub([bl, nop, mov, ret]), [0; 0], "a function");
    assert_eq!(in_stub([nop, nop, mov, br]), [0; 0], "no call");
}
