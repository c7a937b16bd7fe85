//! Programs that make a process: it executes with frames and memory of its own, also as another
//! program, until it has ended or waits for something, and then the one that made it goes on.

use std::sync::Arc;

use linux::{Given, Programs, World};
use machine::{End, Plan};
use types::{Abi, Event, Image, ThreadId};

use crate::common::trace::follow;
use crate::common::{hex, program};

/// One program, whatever the file.
#[derive(Debug)]
struct One(Arc<Image>);

impl Programs for One {
    fn load(&self, _: u32, _: &str, _: &[u8]) -> Option<Arc<Image>> {
        Some(Arc::clone(&self.0))
    }
}

/// ```text
/// main:  word = 1; vfork; in the child: execve("/p"); else wait4(-1, word + 8);
///        exit_group(status of the child >> 8 + word)
/// /p:    at the addresses of main: exit(word + 40) after word = 9
/// ```
#[test]
fn a_child_becomes_another_program_and_its_maker_has_its_memory() {
    let main = hex("bb00086000           ;  0: mov $0x600800,%ebx
         c70301000000         ;  5: movl $1,(%rbx)
         b83a000000           ;  b: mov $58,%eax
         0f05                 ; 10: syscall
         85c0                 ; 12: test %eax,%eax
         7426                 ; 14: je 3c
         48c7c7ffffffff       ; 16: mov $-1,%rdi
         488d7308             ; 1d: lea 8(%rbx),%rsi
         31d2                 ; 21: xor %edx,%edx
         4531d2               ; 23: xor %r10d,%r10d
         b83d000000           ; 26: mov $61,%eax
         0f05                 ; 2b: syscall
         8b7b08               ; 2d: mov 8(%rbx),%edi
         c1ef08               ; 30: shr $8,%edi
         033b                 ; 33: add (%rbx),%edi
         b8e7000000           ; 35: mov $231,%eax
         0f05                 ; 3a: syscall
         bf50004000           ; 3c: mov $0x400050,%edi
         31f631d2             ; 41: xor %esi,%esi; xor %edx,%edx
         b83b000000           ; 45: mov $59,%eax
         0f05                 ; 4a: syscall
         0f0b 9090            ; 4c: ud2
         2f7000               ; 50: the path");
    let other = hex("b800086000           ;  0: mov $0x600800,%eax
         8b38                 ;  5: mov (%rax),%edi
         83c728               ;  7: add $40,%edi
         c70009000000         ;  a: movl $9,(%rax)
         b83c000000           ; 10: mov $60,%eax
         0f05                 ; 15: syscall");
    let programs = Arc::new(One(Arc::new(program(Abi::Amd64, &other))));
    let files = vec![Given { path: "/p".to_owned(), bytes: b"\x7fELF"[..].into() }];
    let world = World { files, programs: Some(programs), ..World::default() };
    let image = program(Abi::Amd64, &main);
    let trace = follow(&Plan { step_limit: 1000, stack_size: 64 << 10, world, ..Plan::new(&image) });
    assert_eq!(trace.run.end, End::Exit(40 + 1));
    assert_eq!((trace.run.processes, trace.run.programs, trace.run.threads), (2, 2, 1));
    let of_other: Vec<_> = trace.steps.iter().filter(|step| step.thread == ThreadId(2).in_program(1)).collect();
    assert_eq!(of_other.iter().map(|step| step.at).collect::<Vec<_>>(), [0, 5, 7, 0xa, 0x10, 0x15]);
    assert_eq!((of_other[0].event, of_other[0].frames.len()), (Event::Entry, 0));
    assert_eq!(trace.steps.last().map(|step| (step.at, step.thread)), Some((0x3a, ThreadId::FIRST)));
}
