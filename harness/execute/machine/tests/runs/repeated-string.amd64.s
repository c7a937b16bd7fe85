# A repeated string instruction is no jump: rcx counts down, a step for each iteration.
# link: -Ttext=0x400000 -Tbss=0x600000
# show: registers=2
# expect: 0 0 entry
# expect: register 2 is 0x0
# expect: halt at 11, after 8 steps with up to 0 frames
    mov $3, %ecx
    mov $0x600000, %esi
    mov $0x600010, %edi
    rep movsb
    hlt
    .bss
    .skip 0x1000
