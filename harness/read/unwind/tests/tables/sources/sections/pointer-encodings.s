# Every pointer encoding in both byte orders.
# show: functions
#
# case: amd64
# target: amd64
# expect: function 0x1000..0x1010 at 0x18
# expect: function 0x1100..0x1111 at 0x50
# expect: function 0x1200..0x1212 at 0x80
# expect: function 0x1300..0x1313 at 0xb0
# expect: function 0x1400..0x1414 at 0xe8
# expect: function 0x1500..0x1515 at 0x118
# expect: 0x1000..0x1010 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1100..0x1111 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1200..0x1212 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1300..0x1313 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1400..0x1414 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x1500..0x1515 cfa=rsp+8 ra=[cfa-8] fp=same
#
# case: aarch64
# target: aarch64
# expect: function 0x1000..0x1010 at 0x18
# expect: function 0x1100..0x1111 at 0x50
# expect: function 0x1200..0x1212 at 0x80
# expect: function 0x1300..0x1313 at 0xb0
# expect: function 0x1400..0x1414 at 0xe8
# expect: function 0x1500..0x1515 at 0x118
# expect: 0x1000..0x1010 cfa=sp ra=same fp=same
# expect: 0x1100..0x1111 cfa=sp ra=same fp=same
# expect: 0x1200..0x1212 cfa=sp ra=same fp=same
# expect: 0x1300..0x1313 cfa=sp ra=same fp=same
# expect: 0x1400..0x1414 cfa=sp ra=same fp=same
# expect: 0x1500..0x1515 cfa=sp ra=same fp=same
#
# case: aarch64be
# target: aarch64be
# expect: function 0x1000..0x1010 at 0x18
# expect: function 0x1100..0x1111 at 0x50
# expect: function 0x1200..0x1212 at 0x80
# expect: function 0x1300..0x1313 at 0xb0
# expect: function 0x1400..0x1414 at 0xe8
# expect: function 0x1500..0x1515 at 0x118
# expect: 0x1000..0x1010 cfa=sp ra=same fp=same
# expect: 0x1100..0x1111 cfa=sp ra=same fp=same
# expect: 0x1200..0x1212 cfa=sp ra=same fp=same
# expect: 0x1300..0x1313 cfa=sp ra=same fp=same
# expect: 0x1400..0x1414 cfa=sp ra=same fp=same
# expect: 0x1500..0x1515 cfa=sp ra=same fp=same
#
# case: s390x
# target: s390x
# expect: function 0x1000..0x1010 at 0x18
# expect: function 0x1100..0x1111 at 0x50
# expect: function 0x1200..0x1212 at 0x80
# expect: function 0x1300..0x1313 at 0xb0
# expect: function 0x1400..0x1414 at 0xe8
# expect: function 0x1500..0x1515 at 0x118
# expect: 0x1000..0x1010 cfa=r15+160 ra=same fp=same
# expect: 0x1100..0x1111 cfa=r15+160 ra=same fp=same
# expect: 0x1200..0x1212 cfa=r15+160 ra=same fp=same
# expect: 0x1300..0x1313 cfa=r15+160 ra=same fp=same
# expect: 0x1400..0x1414 cfa=r15+160 ra=same fp=same
# expect: 0x1500..0x1515 cfa=r15+160 ra=same fp=same
    .include "cfi.inc"
    eh_frame
    cie c0, encoding=absptr
    initial
    done
    fde 0x1000, 0x10, c0
    done
    cie c1, encoding=udata4
    initial
    done
    fde 0x1100, 0x11, c1
    done
    cie c2, encoding=pcrel4
    initial
    done
    fde 0x1200, 0x12, c2
    done
    cie c3, encoding=pcrel8
    initial
    done
    fde 0x1300, 0x13, c3
    done
    cie c4, encoding=textrel4
    initial
    done
    fde 0x1400, 0x14, c4
    done
    cie c5, encoding=datarel4
    initial
    done
    fde 0x1500, 0x15, c5
    done
