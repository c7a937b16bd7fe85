# A child executes in memory of its own, and then its maker goes on: the child ends with 41, and
# what it wrote is not in the memory of the other.
# link: -Ttext=0x400000 -Tbss=0x600000
# show: frames
# expect: 0 0 entry
# expect: 20 1 call: ra +10, cfa sp+0, fp 0x0
# expect: 28 1 in thread 2: ra +10, cfa sp+0, fp 0x0
# expect: 45 1 jump in thread 2
# expect: 10 0 return in thread 2
# expect: 28 1
# expect: 48 1 jump
# expect: 10 0 return
# expect: exit 42, after 32 steps with up to 1 frames
    mov $0x600800,%ebx
    movl $1,(%rbx)
    call at_20
    mov 8(%rbx),%edi
    shr $8,%edi
    add (%rbx),%edi
    mov $231,%eax
    syscall
    nop
at_20:
    push %rbp
    mov $57,%eax
    syscall
    test %eax,%eax
    je at_45
    mov $-1,%rdi
    lea 8(%rbx),%rsi
    xor %edx,%edx
    xor %r10d,%r10d
    mov $61,%eax
    syscall
    jmp at_48
at_45:
    addl $40,(%rbx)
at_48:
    pop %rbp
    ret
    .bss
    .skip 0x1000
