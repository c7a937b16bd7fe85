use super::*;

const PC: u64 = 0x1000;
const NONE: Marks = Marks::NONE;
const SP_MOVES: Marks = Marks::WRITES_SP.and(Marks::MOVES_SP);
const ALL: Marks = Marks::WRITES_SP.and(Marks::WRITES_FP).and(Marks::WRITES_LINK);

/// Encodings are those of GNU as.
#[test]
fn flows() {
    use Flow::{Branch, Call, Ends, IndirectCall, IndirectJump, Jump, Next, Return, ReturnOrNext};
    let table: [(&[u8], Flow); 27] = [
        (&[0xa7, 0xf4, 0x00, 0x06], Jump(0x100c)),               // j
        (&[0xa7, 0x84, 0x00, 0x0f], Branch(0x101e)),             // je
        (&[0xc0, 0xf4, 0x00, 0x00, 0x00, 0x04], Jump(0x1008)),   // jg
        (&[0xc0, 0x84, 0x00, 0x00, 0x00, 0x04], Branch(0x1008)), // jge
        (&[0xa7, 0x27, 0xff, 0xfe], Branch(0xffc)),              // brctg %r2
        (&[0xcc, 0xe6, 0xff, 0xff, 0xff, 0xfe], Branch(0xffc)),  // brcth %r14
        (&[0x84, 0x12, 0x00, 0x04], Branch(0x1008)),             // brxh %r1,%r2
        (&[0xec, 0x12, 0x00, 0x04, 0x00, 0x44], Branch(0x1008)), // brxhg %r1,%r2
        (&[0xec, 0x12, 0x00, 0x04, 0x80, 0x64], Branch(0x1008)), // cgrje %r1,%r2
        (&[0xec, 0x16, 0x00, 0x04, 0x05, 0x7f], Branch(0x1008)), // clijne %r1,5
        (&[0xa7, 0xe5, 0x00, 0x06], Call(0x100c)),               // bras %r14
        (&[0xa7, 0xd5, 0x00, 0x06], Jump(0x100c)),               // bras %r13
        (&[0xc0, 0xe5, 0x00, 0x00, 0x00, 0x04], Call(0x1008)),   // brasl %r14
        (&[0x0d, 0xe1], IndirectCall),                           // basr %r14,%r1
        (&[0x0d, 0xd0], Next),                                   // basr %r13,%r0
        (&[0x07, 0xfe], Return),                                 // br %r14
        (&[0x07, 0xf1], IndirectJump),                           // br %r1
        (&[0x07, 0x8e], ReturnOrNext),                           // ber %r14
        (&[0x47, 0xf1, 0x20, 0x00], IndirectJump),               // b 0(%r1,%r2)
        (&[0x07, 0x07], Next),                                   // nopr %r7
        (&[0x47, 0x00, 0x00, 0x00], Next),                       // nop 0
        (&[0xc0, 0x04, 0x00, 0x00, 0x00, 0x00], Next),           // jgnop 0x62
        (&[0x06, 0xb0], Next),                                   // bctr %r11,%r0
        (&[0x0a, 0x01], Next),                                   // svc 1
        (&[0x44, 0x10, 0x20, 0x00], Next),                       // ex %r1,0(%r2)
        (&[0x00, 0x00], Ends),                                   // no instruction
        (&[0xb2, 0xb2, 0x10, 0x00], Ends),                       // lpswe 0(%r1)
    ];
    for (code, expected) in table {
        let insn = decode(code, PC).unwrap();
        assert_eq!((insn.flow, usize::from(insn.length)), (expected, code.len()), "{code:x?}");
    }
    assert_eq!(decode(&[0xc0, 0xe5, 0, 0], PC), None, "cut off");
    // exrl %r0,1f; 0: j 0b; 1: br
    for (branch, expected) in [(0xf1, IndirectJump), (0xfe, Return)] {
        let thunk = [0xc6, 0x00, 0x00, 0x00, 0x00, 0x05, 0xa7, 0xf4, 0x00, 0x00, 0x07, branch];
        let insn = decode(&thunk, PC).unwrap();
        assert_eq!((insn.flow, insn.length, insn.marks.by_role()), (expected, 6, NONE));
    }
    assert_eq!(decode(&[0xc6, 0x00, 0x00, 0x00, 0x00, 0x05], PC).unwrap().flow, Next, "of what is not shown");
}

#[test]
fn marked() {
    let table: [(&[u8], Marks); 56] = [
        (&[0xb9, 0x83, 0x00, 0xa1], Marks::WRITES_FP), // flogr %r10,%r1
        (&[0xa7, 0xb6, 0xff, 0xfe], Marks::WRITES_FP), // brct %r11,0x14
        (&[0xcc, 0xe6, 0xff, 0xff, 0xff, 0xfe], Marks::WRITES_LINK), // brcth %r14,0x18
        (&[0xc0, 0xe5, 0x00, 0x00, 0x00, 0x04], NONE), // brasl %r14,0x48
        (&[0xc0, 0xb5, 0x00, 0x00, 0x00, 0x04], Marks::WRITES_FP), // brasl %r11,0x4e
        (&[0x0d, 0xe1], NONE),                         // basr %r14,%r1
        (&[0x0d, 0xb0], Marks::WRITES_FP),             // basr %r11,%r0
        (&[0x07, 0x07], Marks::NOP),                   // nopr %r7
        (&[0x47, 0x00, 0x00, 0x00], Marks::NOP),       // nop 0
        (&[0xc0, 0x04, 0x00, 0x00, 0x00, 0x00], Marks::NOP), // jgnop 0x62
        (&[0x06, 0xb0], Marks::WRITES_FP),             // bctr %r11,%r0
        (&[0x0a, 0x01], Marks::SKIP.and(Marks::CALLS_SYSTEM)), // svc 1
        (&[0x44, 0x10, 0x20, 0x00], Marks::SKIP),      // ex %r1,0(%r2)
        (&[0xc6, 0x10, 0x00, 0x00, 0x00, 0x04], Marks::SKIP), // exrl %r1,0x7e
        (&[0xa7, 0xfb, 0xff, 0x60], SP_MOVES),         // aghi %r15,-160
        (&[0xa7, 0xba, 0x00, 0x01], Marks::WRITES_FP), // ahi %r11,1
        (&[0xe3, 0xf0, 0xff, 0x60, 0xff, 0x71], SP_MOVES), // lay %r15,-160(%r15)
        (&[0x41, 0xf0, 0xf0, 0xa0], SP_MOVES),         // la %r15,160(%r15)
        (&[0x41, 0xf1, 0xf0, 0x00], Marks::WRITES_SP), // la %r15,0(%r1,%r15)
        (&[0xb9, 0x04, 0x00, 0xfb], SP_MOVES),         // lgr %r15,%r11
        (&[0xb9, 0x04, 0x00, 0xf1], Marks::WRITES_SP), // lgr %r15,%r1
        (&[0xb9, 0x09, 0x00, 0xf1], Marks::WRITES_SP), // sgr %r15,%r1
        (&[0xe3, 0xf0, 0x10, 0x00, 0x00, 0x04], Marks::WRITES_SP), // lg %r15,0(%r1)
        (&[0xeb, 0x6f, 0xf0, 0x30, 0x00, 0x04], ALL.and(Marks::MOVES_SP)), // lmg %r6,%r15,48(%r15)
        (&[0xeb, 0xbe, 0xf0, 0x30, 0x00, 0x04], Marks::WRITES_FP.and(Marks::WRITES_LINK)), // lmg %r11,%r14,48(%r15)
        (&[0xeb, 0xe2, 0xf0, 0x30, 0x00, 0x04], Marks::WRITES_LINK.and(SP_MOVES)), // lmg %r14,%r2,48(%r15)
        (&[0xeb, 0x6a, 0xf0, 0x30, 0x00, 0x04], NONE), // lmg %r6,%r10,48(%r15)
        (&[0xeb, 0x6f, 0xf0, 0x30, 0x00, 0x24], Marks::SAVES), // stmg %r6,%r15,48(%r15)
        (&[0xeb, 0x6a, 0xf0, 0x30, 0x00, 0x24], NONE), // stmg %r6,%r10,48(%r15)
        (&[0xe3, 0xe0, 0xf0, 0x70, 0x00, 0x24], Marks::SAVES), // stg %r14,112(%r15)
        (&[0xe3, 0xd0, 0xf0, 0x70, 0x00, 0x24], NONE), // stg %r13,112(%r15)
        (&[0xc2, 0xf8, 0xff, 0xfe, 0xee, 0x90], SP_MOVES), // agfi %r15,-70000
        (&[0xec, 0xfb, 0xff, 0xf0, 0x00, 0xd9], SP_MOVES), // aghik %r15,%r11,-16
        (&[0xb9, 0x20, 0x00, 0xf1], Marks::COMPARES_SP), // cgr %r15,%r1
        (&[0xb9, 0x21, 0x00, 0x1f], Marks::COMPARES_SP), // clgr %r1,%r15
        (&[0xe3, 0xf0, 0x10, 0x08, 0x00, 0x20], Marks::COMPARES_SP), // cg %r15,8(%r1)
        (&[0xc2, 0xfc, 0x00, 0x00, 0x00, 0x03], Marks::COMPARES_SP), // cgfi %r15,3
        (&[0xa7, 0xff, 0x00, 0x03], Marks::COMPARES_SP), // cghi %r15,3
        (&[0xec, 0x1f, 0x00, 0x04, 0x20, 0x65], Marks::COMPARES_SP), // clgrjh %r1,%r15,0x100
        (&[0xb9, 0x0d, 0x00, 0xa1], Marks::SKIP.and(Marks::WRITES_FP)), // dsgr %r10,%r1
        (&[0xb9, 0x87, 0x00, 0x21], Marks::SKIP),      // dlgr %r2,%r1
        (&[0xb9, 0x86, 0x00, 0xa1], Marks::WRITES_FP), // mlgr %r10,%r1
        (&[0x89, 0xa0, 0x00, 0x01], NONE),             // sll %r10,1
        (&[0x8f, 0xa0, 0x00, 0x01], Marks::WRITES_FP), // slda %r10,1
        (&[0xba, 0xa9, 0x50, 0x00], NONE),             // cs %r10,%r9,0(%r5)
        (&[0xbb, 0xa8, 0x50, 0x00], Marks::WRITES_FP), // cds %r10,%r8,0(%r5)
        (&[0x0e, 0xa2], Marks::SKIP.and(Marks::WRITES_FP)), // mvcl %r10,%r2
        (&[0xa8, 0x2e, 0x00, 0x00], Marks::SKIP.and(Marks::WRITES_LINK).and(Marks::WRITES_SP)), // mvcle %r2,%r14,0
        (&[0xe3, 0xa0, 0x10, 0x00, 0x00, 0x8f], Marks::WRITES_FP), // lpq %r10,0(%r1)
        (&[0xb3, 0xcd, 0x00, 0xb0], Marks::WRITES_FP), // lgdr %r11,%f0
        (&[0xb3, 0xcd, 0x00, 0xe0], Marks::WRITES_LINK), // lgdr %r14,%f0
        (&[0xb3, 0xeb, 0x00, 0xa0], Marks::WRITES_FP), // csxtr %r10,%f0,0
        (&[0xb2, 0x5e, 0x00, 0xe8], Marks::SKIP.and(Marks::WRITES_LINK)), // srst %r14,%r8
        (&[0xe7, 0xb0, 0x00, 0x00, 0x30, 0x21], Marks::WRITES_FP), // vlgvg %r11,%v0,0
        (&[0xbf, 0xb1, 0x10, 0x00], Marks::WRITES_FP), // icm %r11,1,0(%r1)
        (&[0xb2, 0xb1, 0x00, 0x00], Marks::SKIP),      // stfl 0
    ];
    for (code, expected) in table {
        assert_eq!(decode(code, PC).unwrap().marks.by_role(), expected, "{code:x?}");
    }
}

#[test]
fn bounds() {
    let table: [(&[u8], Option<u64>); 7] = [
        (&[0xc2, 0x2f, 0x00, 0x00, 0x00, 0x07], Some(7)), // clfi %r2,7
        (&[0xc2, 0x2e, 0x00, 0x00, 0x00, 0x09], Some(9)), // clgfi %r2,9
        (&[0xa7, 0x2f, 0x00, 0x05], Some(5)),             // cghi %r2,5
        (&[0xa7, 0x2e, 0x00, 0x06], Some(6)),             // chi %r2,6
        (&[0xec, 0x22, 0x00, 0x04, 0x04, 0x7d], Some(4)), // clgijh %r2,4,0x146
        (&[0xec, 0x22, 0x00, 0x04, 0x03, 0x7c], Some(3)), // cgijh %r2,3,0x14c
        (&[0xc0, 0x10, 0x00, 0x00, 0x00, 0x80], None),    // larl
    ];
    for (code, limit) in table {
        let expected = limit.map(|limit| Bound { operand: Operand::Register(Reg(2)), limit });
        assert_eq!(bound(code), expected, "{code:x?}");
    }
    let at = |base: Option<u16>, offset, size| Operand::Memory { base: base.map(Reg), index: None, offset, size };
    let memory: [(&[u8], Operand, u64); 5] = [
        (&[0x95, 0x07, 0x20, 0x10], at(Some(2), 16, 1), 7), // cli 16(%r2),7
        (&[0xe5, 0x5d, 0xb0, 0xa4, 0x00, 0x08], at(Some(11), 164, 4), 8), // clfhsi 164(%r11),8
        (&[0xe5, 0x5c, 0xbf, 0xff, 0x00, 0x09], at(Some(11), 4095, 4), 9), // chsi 4095(%r11),9
        (&[0xe5, 0x59, 0x10, 0x00, 0x01, 0x00], at(Some(1), 0, 8), 256), // clghsi 0(%r1),256
        (&[0xe5, 0x55, 0x00, 0x20, 0x00, 0x05], at(None, 32, 2), 5), // clhhsi 32,5
    ];
    for (code, operand, limit) in memory {
        assert_eq!(bound(code), Some(Bound { operand, limit }), "{code:x?}");
    }
}

#[test]
fn indices() {
    let table: [(&[u8], Option<Reg>); 6] = [
        (&[0xeb, 0x12, 0x00, 0x03, 0x00, 0x0d], Some(Reg(2))), // sllg %r1,%r2,3
        (&[0xeb, 0x12, 0x00, 0x05, 0x00, 0x0d], None),         // sllg %r1,%r2,5
        (&[0xeb, 0x12, 0x30, 0x03, 0x00, 0x0d], None),         // sllg %r1,%r2,3(%r3)
        (&[0xec, 0x13, 0x1d, 0xbc, 0x03, 0x55], Some(Reg(3))), // risbgz %r1,%r3,29,60,3
        (&[0xec, 0x13, 0x20, 0xbf, 0x00, 0x55], None),         // risbgz %r1,%r3,32,63,0
        (&[0xe3, 0x22, 0x10, 0x00, 0x00, 0x04], None),         // lg %r2,0(%r2,%r1)
    ];
    for (code, expected) in table {
        assert_eq!(index(code), expected, "{code:x?}");
    }
}

#[test]
fn addresses() {
    assert_eq!(taken(&[0xc0, 0x10, 0x00, 0x00, 0x00, 0x80], PC), Some(0x1100), "larl");
    assert_eq!(taken(&[0xc0, 0xe5, 0x00, 0x00, 0x00, 0x04], PC), None, "brasl");
}

#[test]
fn writes() {
    let table: [(&[u8], &[u16]); 9] = [
        (&[0xeb, 0xbf, 0xf0, 0x58, 0x00, 0x04], &[11, 12, 13, 14, 15]), // lmg %r11,%r15,88(%r15)
        (&[0xeb, 0xf1, 0xf0, 0x58, 0x00, 0x04], &[0, 1, 15]),           // lmg %r15,%r1,88(%r15)
        (&[0xc0, 0x05, 0x00, 0x00, 0x00, 0x00], &[0]),                  // brasl %r0,
        (&[0xc0, 0xe5, 0x00, 0x00, 0x00, 0x00], &[14]),                 // brasl %r14,
        (&[0xa7, 0xe5, 0x00, 0x06], &[14]),                             // bras %r14,
        (&[0x0d, 0xe1], &[14]),                                         // basr %r14,%r1
        (&[0x0d, 0xa1], &[10]),                                         // basr %r10,%r1
        (&[0xb9, 0x20, 0x00, 0x12], &[]),                               // cgr %r1,%r2
        (&[0x07, 0xfe], &[]),                                           // br %r14
    ];
    for (code, expected) in table {
        let found: Vec<u16> = decode(code, PC).unwrap().marks.registers().iter().map(|reg| reg.0).collect();
        assert_eq!(found, expected, "{code:x?}");
    }
}
