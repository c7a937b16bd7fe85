# Mapped memory is used, written from and gone when unmapped.
# link: -Ttext=0x400000
# expect: 0 0 entry
# expect: fault at 5e: program interruption at 0x40005e; the program counter is 0x40005e, after 23 steps with up to 0 frames
# expect: 11 bytes written
    aghi %r15,-48
    lghi %r1,0
    stg %r1,0(%r15)
    lghi %r1,4096
    stg %r1,8(%r15)
    lghi %r1,3
    stg %r1,16(%r15)
    lghi %r1,34
    stg %r1,24(%r15)
    lghi %r1,-1
    stg %r1,32(%r15)
    lgr %r2,%r15
    svc 90 # mmap
    lgr %r6,%r2
    stg %r1,0(%r6)
    lghi %r2,1
    lgr %r3,%r6
    lghi %r4,11
    svc 4 # write
    lgr %r2,%r6
    lghi %r3,4096
    svc 91 # munmap
    lg %r1,0(%r6)
