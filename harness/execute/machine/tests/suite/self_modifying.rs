//! Code that overwrites itself: each instruction is one step, also if it stores into the block of
//! code that executes.

use machine::{End, Plan};
use types::Abi;

use crate::common::trace::{follow, words};
use crate::common::{CODE, hex, image, load};

/// Readable, writable and executable.
const RWX: u32 = 7;

#[test]
fn an_instruction_that_stores_into_its_own_block_is_one_step() {
    // The loop comes back to itself, which is a step each time.
    let amd64 = hex("b903000000     ;  0: mov $3,%ecx
         e2fe           ;  5: loop .
         488b0508000000 ;  7: mov 8(%rip),%rax
         48890501000000 ;  e: mov %rax,1(%rip)
         9090           ; 15: nop; nop
         b83c000000     ; 17: mov $60,%eax
         bf07000000     ; 1c: mov $7,%edi
         0f05           ; 21: syscall");
    let aarch64 = words(
        "10000080 b9400001 b9000001 ; adr x0,0x10; ldr w1,[x0]; str w1,[x0]
         d503201f d503201f          ; nop; nop
         d2800ba8 d28000e0 d4000001 ; mov x8,93; mov x0,7; svc 0",
    );
    let s390x = hex("c01000000007   ;  0: larl %r1,0xe
         d20110001000   ;  6: mvc 0(2,%r1),0(%r1)
         1800 1800      ;  c: lr %r0,%r0; lr %r0,%r0
         a7290007 0a01  ; 10: lghi %r2,7; svc 1");
    let programs: [(Abi, Vec<u8>, &[u64]); 3] = [
        (Abi::Amd64, amd64, &[0, 5, 5, 5, 7, 0xe, 0x15, 0x16, 0x17, 0x1c, 0x21]),
        (Abi::Aarch64, aarch64, &[0, 4, 8, 0xc, 0x10, 0x14, 0x18, 0x1c]),
        (Abi::S390x, s390x, &[0, 6, 0xc, 0xe, 0x10, 0x14]),
    ];
    for (abi, code, expected) in programs {
        let image = image(abi, CODE, vec![load(CODE, RWX, &code, code.len() as u64)]);
        let trace = follow(&Plan { step_limit: 100, ..Plan::new(&image) });
        let path: Vec<u64> = trace.steps.iter().map(|step| step.at).collect();
        assert_eq!((&path[..], &trace.run.end), (expected, &End::Exit(7)), "{abi}");
    }
}
