# Floating-point registers are read where values are saved. f0, f2 and f9 are DWARF numbers 16,
# 17 and 28 (s390x ELF ABI 1.6, table 1.17).
# link: -Ttext=0x400000
# show: frames registers=11,14,16,17,28
# expect: 0 0 entry
# expect: c 1 call: ra +a, cfa sp+160, fp 0x55
# expect: a 0 return
# expect: register 11 is 0x55
# expect: register 14 is 0x40000a
# expect: register 16 is 0x55
# expect: register 17 is 0x40000a
# expect: register 28 is 0x3ffeffffe60
# expect: exit 0, after 11 steps with up to 1 frames
    lghi %r11,85
    brasl %r14,at_c
    svc 1
at_c:
    ldgr %f0,%r11
    ldgr %f2,%r14
    ldgr %f9,%r15
    lghi %r11,7
    lghi %r14,9
    lgdr %r14,%f2
    lgdr %r11,%f0
    br %r14
