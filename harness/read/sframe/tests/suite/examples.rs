//! Worked examples: small hand-written sections, with one function at 0x1000 and the section at
//! address 0.

/// A section with the expected rows.
pub(crate) struct Example {
    pub(crate) name: &'static str,
    /// Bytes in hexadecimal; blanks are ignored.
    pub(crate) hex: &'static str,
    /// Start of each row in the function (or block) and its meaning.
    pub(crate) rows: &'static [(u32, &'static str)],
}

const AMD64_ROWS: &[(u32, &str)] = &[
    (0, "cfa=rsp+8 ra=[cfa-8] fp=same"),
    (1, "cfa=rsp+16 ra=[cfa-8] fp=[cfa-16]"),
    (4, "cfa=rbp+16 ra=[cfa-8] fp=[cfa-16]"),
];

/// The function's address in every example.
pub(crate) const FUNCTION: u64 = 0x1000;

pub(crate) const EXAMPLES: &[Example] = &[
    Example {
        name: "v2e1-amd64-pcrel",
        hex: "e2de0205 0300f800 01000000 03000000 0b000000 00000000 14000000
              e40f0000 30000000 00000000 03000000 00 00 0000
              000308 010510f0 040410f0",
        rows: AMD64_ROWS,
    },
    Example {
        name: "v2-amd64-section-relative",
        hex: "e2de0201 0300f800 01000000 03000000 0b000000 00000000 14000000
              00100000 30000000 00000000 03000000 00 00 0000
              000308 010510f0 040410f0",
        rows: AMD64_ROWS,
    },
    Example {
        name: "v1-amd64",
        hex: "e2de0101 0300f800 01000000 03000000 0b000000 00000000 11000000
              00100000 30000000 00000000 03000000 00
              000308 010510f0 040410f0",
        rows: AMD64_ROWS,
    },
    Example {
        name: "v3-amd64",
        hex: "e2de0305 0300f800 01000000 03000000 10000000 00000000 10000000
              e40f000000000000 30000000 00000000
              0300 00 00 00
              000308 010510f0 040410f0",
        rows: AMD64_ROWS,
    },
    Example {
        name: "v2e1-aarch64-b-key-signed",
        hex: "e2de0205 02000000 01000000 03000000 0b000000 00000000 14000000
              e40f0000 20000000 00000000 03000000 20 00 0000
              000300 048300 088720e8e0",
        rows: &[
            (0, "cfa=sp ra=same fp=same"),
            (4, "cfa=sp ra=same fp=same signed:B"),
            (8, "cfa=sp+32 ra=[cfa-24] fp=[cfa-32] signed:B"),
        ],
    },
    Example {
        name: "v2e1-s390x",
        hex: "dee20205 04000000 00000001 00000004 00000012 00000000 00000014
              00000fe4 00000040 00000000 00000004 00 00 0000
              000300 060700d0b8 0c0714d0b8 1207002123",
        rows: &[
            (0, "cfa=r15+160 ra=same fp=same"),
            (6, "cfa=r15+160 ra=[cfa-48] fp=[cfa-72]"),
            (12, "cfa=r15+320 ra=[cfa-48] fp=[cfa-72]"),
            (18, "cfa=r15+160 ra=f0 fp=f2"),
        ],
    },
    Example {
        name: "v3-s390x-flex",
        hex: "dee20305 04000000 00000001 00000002 00000011 00000000 00000010
              0000000000000fe4 00000010 00000000
              0002 00 01 00
              00047900 040c790081008900",
        rows: &[(0, "cfa=r15+160 ra=same fp=same"), (4, "cfa=r15+160 ra=f0 fp=f2")],
    },
    Example {
        name: "v2e1-amd64-pcmask",
        hex: "e2de0205 0300f800 01000000 02000000 06000000 00000000 14000000
              e40f0000 30000000 00000000 02000000 10 10 0000
              000308 0b0310",
        rows: &[(0, "cfa=rsp+8 ra=[cfa-8] fp=same"), (11, "cfa=rsp+16 ra=[cfa-8] fp=same")],
    },
    Example {
        name: "v2e1-amd64-wide",
        hex: "e2de0205 0300f800 01000000 02000000 0b000000 00000000 14000000
              e40f0000 00020000 00000000 02000000 01 00 0000
              0000 03 08
              0a01 25 1002 f0ff",
        rows: &[(0, "cfa=rsp+8 ra=[cfa-8] fp=same"), (0x10a, "cfa=rsp+528 ra=[cfa-8] fp=[cfa-16]")],
    },
    Example {
        name: "v2e2-amd64-outermost",
        hex: "e2de0205 0300f800 01000000 01000000 02000000 00000000 14000000
              e40f0000 30000000 00000000 01000000 00 00 0000
              0000",
        rows: &[(0, "cfa=none ra=undefined fp=same")],
    },
    Example {
        name: "v3-amd64-flex-realigned",
        hex: "e2de0305 0300f800 01000000 03000000 14000000 00000000 10000000
              e40f000000000000 40000000 00000000
              0300 00 01 00
              00043908 05045100 110a33f8003300",
        rows: &[
            (0, "cfa=rsp+8 ra=[cfa-8] fp=same"),
            (5, "cfa=r10 ra=[cfa-8] fp=same"),
            (17, "cfa=[rbp-8] ra=[cfa-8] fp=[rbp]"),
        ],
    },
    Example {
        name: "v3-amd64-signal-no-rows",
        hex: "e2de0305 0300f800 01000000 00000000 05000000 00000000 10000000
              e40f000000000000 09000000 00000000
              0000 80 00 00",
        rows: &[],
    },
    Example {
        name: "v2e1-aarch64-be",
        hex: "dee20205 01000000 00000001 00000002 00000008 00000000 00000014
              00000fe4 00000010 00000000 00000002 00 00 0000
              000300 040710f0f8",
        rows: &[(0, "cfa=sp ra=same fp=same"), (4, "cfa=sp+16 ra=[cfa-16] fp=[cfa-8]")],
    },
];

/// The example with this name.
pub(crate) fn example(name: &str) -> &'static Example {
    EXAMPLES.iter().find(|example| example.name == name).expect("an example of that name")
}

/// Bytes of a hexadecimal text.
pub(crate) fn unhex(text: &str) -> Vec<u8> {
    let digits: String = text.split_whitespace().collect();
    assert_eq!(digits.len() % 2, 0, "whole bytes");
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hex digits")).collect()
}

/// A function at 0x1000 as the examples place it.
pub(crate) fn at_zero(bytes: &[u8]) -> sframe::Table {
    let section = sframe::Section::parse(bytes).expect("a readable header");
    let place = sframe::Placement { section_address: 0, starts: sframe::StartBase::Header };
    sframe::Table::new(&section, place).expect("a known ABI")
}
