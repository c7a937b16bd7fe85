//! Programs that make a process: it executes with frames and memory of its own, also as another
//! program, until it has ended or waits for something, and then the one that made it goes on.

use std::sync::Arc;

use linux::{Given, Programs, World};
use machine::{End, Plan};
use types::{Abi, Event, Image, ThreadId};

use crate::common::trace::follow;
use crate::common::{hex, program};

/// ```text
/// main:  word = 1; call f; exit_group(status of the child >> 8 + word)
/// f:     saves a register; fork; in the child: word += 40; else wait4(-1, word + 8); returns
/// ```
#[test]
fn a_child_executes_in_memory_of_its_own_and_then_its_maker_goes_on() {
    let code = hex("bb00086000           ;  0: mov $0x600800,%ebx
         c70301000000         ;  5: movl $1,(%rbx)
         e810000000           ;  b: call 20
         8b7b08               ; 10: mov 8(%rbx),%edi
         c1ef08               ; 13: shr $8,%edi
         033b                 ; 16: add (%rbx),%edi
         b8e7000000           ; 18: mov $231,%eax
         0f05                 ; 1d: syscall
         90                   ; 1f: nop
         55                   ; 20: push %rbp
         b839000000           ; 21: mov $57,%eax
         0f05                 ; 26: syscall
         85c0                 ; 28: test %eax,%eax
         7419                 ; 2a: je 45
         48c7c7ffffffff       ; 2c: mov $-1,%rdi
         488d7308             ; 33: lea 8(%rbx),%rsi
         31d2                 ; 37: xor %edx,%edx
         4531d2               ; 39: xor %r10d,%r10d
         b83d000000           ; 3c: mov $61,%eax
         0f05                 ; 41: syscall
         eb03                 ; 43: jmp 48
         830328               ; 45: addl $40,(%rbx)
         5d                   ; 48: pop %rbp
         c3                   ; 49: ret");
    let trace = follow(&Plan { step_limit: 10_000, stack_size: 64 << 10, ..Plan::new(&program(Abi::Amd64, &code)) });
    // The child ends with 41, and what it wrote is not in the memory of the other.
    assert_eq!(trace.run.end, End::Exit(41 + 1));
    assert_eq!((trace.run.processes, trace.run.threads), (2, 1));
    let (of_child, of_maker): (Vec<_>, Vec<_>) = trace.steps.iter().partition(|step| step.thread == ThreadId(2));
    assert!(of_maker.iter().all(|step| step.thread == ThreadId::FIRST));
    for steps in [&of_child, &of_maker] {
        let back = steps.iter().find(|step| step.at == 0x10).expect("it comes back from f");
        assert_eq!((back.event, back.frames.len()), (Event::Return, 0));
    }
    let first = of_child.first().expect("a step of the child");
    assert_eq!((first.at, first.event, first.frames.len()), (0x28, Event::Sequential, 1));
}

/// ```text
/// main:  pipe; fork; in the child: read a byte from the pipe, exit_group(byte + 40);
///        else write the number of the child to it; wait4(-1, word); exit_group(status >> 8)
/// ```
#[test]
fn a_child_waits_for_what_its_maker_writes_and_that_waits_for_its_end() {
    let code = hex("bb00086000           ;  0: mov $0x600800,%ebx
         89df                 ;  5: mov %ebx,%edi
         b816000000           ;  7: mov $22,%eax
         0f05                 ;  c: syscall
         b839000000           ;  e: mov $57,%eax
         0f05                 ; 13: syscall
         488d7308             ; 15: lea 8(%rbx),%rsi
         ba01000000           ; 19: mov $1,%edx
         85c0                 ; 1e: test %eax,%eax
         7420                 ; 20: je 42
         8906                 ; 22: mov %eax,(%rsi)
         8b7b04               ; 24: mov 4(%rbx),%edi
         b801000000           ; 27: mov $1,%eax
         0f05                 ; 2c: syscall
         6aff 5f              ; 2e: push $-1; pop %rdi
         31d2                 ; 31: xor %edx,%edx
         4531d2               ; 33: xor %r10d,%r10d
         b83d000000           ; 36: mov $61,%eax
         0f05                 ; 3b: syscall
         8b7b09               ; 3d: mov 9(%rbx),%edi
         eb0b                 ; 40: jmp 4d
         8b3b                 ; 42: mov (%rbx),%edi
         31c0                 ; 44: xor %eax,%eax
         0f05                 ; 46: syscall
         8b3e                 ; 48: mov (%rsi),%edi
         83c728               ; 4a: add $40,%edi
         b8e7000000           ; 4d: mov $231,%eax
         0f05                 ; 52: syscall");
    let trace = follow(&Plan { step_limit: 1000, stack_size: 64 << 10, ..Plan::new(&program(Abi::Amd64, &code)) });
    assert_eq!((trace.run.end, trace.run.processes), (End::Exit(42), 2));
    let mut turns: Vec<(u32, Vec<u64>)> = Vec::new();
    for step in &trace.steps {
        match turns.last_mut() {
            Some((thread, steps)) if *thread == step.thread.0 => steps.push(step.at),
            _ => turns.push((step.thread.0, vec![step.at])),
        }
    }
    let between: Vec<_> = turns.iter().map(|(thread, steps)| (*thread, steps[0], steps[steps.len() - 1])).collect();
    assert_eq!(between, [(1, 0, 0x13), (2, 0x15, 0x46), (1, 0x15, 0x3b), (2, 0x48, 0x52), (1, 0x3d, 0x52)]);
}

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
