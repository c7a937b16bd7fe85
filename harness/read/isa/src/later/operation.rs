//! Operations of the instructions, named as in the manual.

use super::Fields;

/// An instruction that a driver can execute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Later {
    /// Length in bytes.
    pub length: u8,
    /// The operation.
    pub operation: Operation,
    /// The operands.
    pub fields: Fields,
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident = $length:literal $first:literal $second:literal,)*) => {
        /// The operation of an instruction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Operation { $($(#[$doc])* $name,)* }

        impl Operation {
            /// All operations.
            pub const ALL: &[Operation] = &[$(Operation::$name,)*];

            /// Length in bytes, first byte, and second part of the opcode: the last of six bytes,
            /// else the second byte or its low half; 0 if the first byte is the whole opcode.
            #[must_use]
            pub fn opcode(self) -> (u8, u8, u8) {
                match self { $(Operation::$name => ($length, $first, $second),)* }
            }

            fn new(first: u8, second: u8, last: u8) -> Option<Operation> {
                let other = match first {
                    0xe3 | 0xe6 | 0xe7 | 0xeb..=0xed => last,
                    // Opcodes of one byte, in instructions of two or four bytes.
                    0x1a | 0x1b | 0x4f | 0x5a | 0x5b | 0xbf => 0,
                    0xc2 | 0xc6 | 0xcc => second & 15,
                    _ => second,
                };
                match (first, other) {
                    $(($first, $second) => Some(Operation::$name),)*
                    _ => None,
                }
            }
        }
    };
}

operations! {
    /// ADD HALFWORD (64), and the rest of miscellaneous-instruction-extensions facility 2.
    Agh = 6 0xe3 0x38,
    /// SUBTRACT HALFWORD (64).
    Sgh = 6 0xe3 0x39,
    /// MULTIPLY HALFWORD (64).
    Mgh = 6 0xe3 0x3c,
    /// MULTIPLY (128 from 64 and memory).
    Mg = 6 0xe3 0x84,
    /// MULTIPLY (128 from registers).
    Mgrk = 4 0xb9 0xec,
    /// MULTIPLY SINGLE (32), with a condition code.
    Msrkc = 4 0xb9 0xfd,
    /// MULTIPLY SINGLE (64).
    Msgrkc = 4 0xb9 0xed,
    /// MULTIPLY SINGLE (32) by memory.
    Msc = 6 0xe3 0x53,
    /// MULTIPLY SINGLE (64) by memory.
    Msgc = 6 0xe3 0x83,
    /// BRANCH INDIRECT ON CONDITION.
    Bic = 6 0xe3 0x47,
    /// LOAD AND ZERO RIGHTMOST BYTE (32), which z13 has and the emulator lacks.
    Lzrf = 6 0xe3 0x3b,
    /// ROTATE THEN INSERT SELECTED BITS HIGH, which z196 has and the emulator executes wrongly: it
    /// puts bits that do not wrap around into the wrong half, if the rest of the half is kept or
    /// the bits fill the half.
    Risbhg = 6 0xec 0x5d,
    /// ROTATE THEN INSERT SELECTED BITS LOW, likewise.
    Risblg = 6 0xec 0x51,
    /// AND WITH COMPLEMENT (32), and the rest of miscellaneous-instruction-extensions facility 3.
    Ncrk = 4 0xb9 0xf5,
    /// AND WITH COMPLEMENT (64).
    Ncgrk = 4 0xb9 0xe5,
    /// NAND (32).
    Nnrk = 4 0xb9 0x74,
    /// NAND (64).
    Nngrk = 4 0xb9 0x64,
    /// NOR (32).
    Nork = 4 0xb9 0x76,
    /// NOR (64).
    Nogrk = 4 0xb9 0x66,
    /// NOT EXCLUSIVE OR (32).
    Nxrk = 4 0xb9 0x77,
    /// NOT EXCLUSIVE OR (64).
    Nxgrk = 4 0xb9 0x67,
    /// OR WITH COMPLEMENT (32).
    Ocrk = 4 0xb9 0x75,
    /// OR WITH COMPLEMENT (64).
    Ocgrk = 4 0xb9 0x65,
    /// SELECT (32).
    Selr = 4 0xb9 0xf0,
    /// SELECT (64).
    Selgr = 4 0xb9 0xe3,
    /// SELECT HIGH.
    Selfhr = 4 0xb9 0xc0,
    /// POPULATION COUNT of 64 bits. The emulator counts the bits of each byte instead.
    Popcnt = 4 0xb9 0xe1,
    /// MOVE RIGHT TO LEFT.
    Mvcrl = 6 0xe5 0x0a,
    /// VECTOR NAND, and the rest of vector-enhancements facility 1.
    Vnn = 6 0xe7 0x6e,
    /// VECTOR NOT EXCLUSIVE OR.
    Vnx = 6 0xe7 0x6c,
    /// VECTOR OR WITH COMPLEMENT.
    Voc = 6 0xe7 0x6f,
    /// VECTOR POPULATION COUNT of elements larger than a byte.
    Vpopct = 6 0xe7 0x50,
    /// VECTOR BIT PERMUTE.
    Vbperm = 6 0xe7 0x85,
    /// VECTOR MULTIPLY SUM LOGICAL.
    Vmsl = 6 0xe7 0xb8,
    /// VECTOR FP ADD, short and extended.
    Vfa = 6 0xe7 0xe3,
    /// VECTOR FP SUBTRACT, short and extended.
    Vfs = 6 0xe7 0xe2,
    /// VECTOR FP MULTIPLY, short and extended.
    Vfm = 6 0xe7 0xe7,
    /// VECTOR FP DIVIDE, short and extended.
    Vfd = 6 0xe7 0xe5,
    /// VECTOR FP MULTIPLY AND ADD, short and extended.
    Vfma = 6 0xe7 0x8f,
    /// VECTOR FP MULTIPLY AND SUBTRACT, short and extended.
    Vfms = 6 0xe7 0x8e,
    /// VECTOR FP NEGATIVE MULTIPLY AND ADD.
    Vfnma = 6 0xe7 0x9f,
    /// VECTOR FP NEGATIVE MULTIPLY AND SUBTRACT.
    Vfnms = 6 0xe7 0x9e,
    /// VECTOR FP SQUARE ROOT, short and extended.
    Vfsq = 6 0xe7 0xce,
    /// VECTOR FP PERFORM SIGN OPERATION, short and extended.
    Vfpso = 6 0xe7 0xcc,
    /// VECTOR FP TEST DATA CLASS IMMEDIATE, short and extended.
    Vftci = 6 0xe7 0x4a,
    /// VECTOR FP COMPARE SCALAR, short and extended.
    Wfc = 6 0xe7 0xcb,
    /// VECTOR FP COMPARE AND SIGNAL SCALAR, short and extended.
    Wfk = 6 0xe7 0xca,
    /// VECTOR FP COMPARE EQUAL, short, extended and signalling.
    Vfce = 6 0xe7 0xe8,
    /// VECTOR FP COMPARE HIGH, likewise.
    Vfch = 6 0xe7 0xeb,
    /// VECTOR FP COMPARE HIGH OR EQUAL, likewise.
    Vfche = 6 0xe7 0xea,
    /// VECTOR FP MAXIMUM.
    Vfmax = 6 0xe7 0xef,
    /// VECTOR FP MINIMUM.
    Vfmin = 6 0xe7 0xee,
    /// VECTOR LOAD FP INTEGER, short and extended.
    Vfi = 6 0xe7 0xc7,
    /// VECTOR FP LOAD LENGTHENED, long to extended.
    Vfll = 6 0xe7 0xc4,
    /// VECTOR FP LOAD ROUNDED, extended to long.
    Vflr = 6 0xe7 0xc5,
    /// VECTOR FP CONVERT FROM FIXED, short, and the rest of vector-enhancements facility 2.
    Vcfps = 6 0xe7 0xc3,
    /// VECTOR FP CONVERT FROM LOGICAL, short.
    Vcfpl = 6 0xe7 0xc1,
    /// VECTOR FP CONVERT TO FIXED, short.
    Vcsfp = 6 0xe7 0xc2,
    /// VECTOR FP CONVERT TO LOGICAL, short.
    Vclfp = 6 0xe7 0xc0,
    /// VECTOR SHIFT LEFT DOUBLE BY BIT.
    Vsld = 6 0xe7 0x86,
    /// VECTOR SHIFT RIGHT DOUBLE BY BIT.
    Vsrd = 6 0xe7 0x87,
    /// VECTOR LOAD BYTE REVERSED ELEMENT (16).
    Vlebrh = 6 0xe6 0x01,
    /// VECTOR LOAD BYTE REVERSED ELEMENT (64).
    Vlebrg = 6 0xe6 0x02,
    /// VECTOR LOAD BYTE REVERSED ELEMENT (32).
    Vlebrf = 6 0xe6 0x03,
    /// VECTOR LOAD BYTE REVERSED ELEMENT AND ZERO.
    Vllebrz = 6 0xe6 0x04,
    /// VECTOR LOAD BYTE REVERSED ELEMENT AND REPLICATE.
    Vlbrrep = 6 0xe6 0x05,
    /// VECTOR LOAD BYTE REVERSED ELEMENTS.
    Vlbr = 6 0xe6 0x06,
    /// VECTOR LOAD ELEMENTS REVERSED.
    Vler = 6 0xe6 0x07,
    /// VECTOR STORE BYTE REVERSED ELEMENT (16).
    Vstebrh = 6 0xe6 0x09,
    /// VECTOR STORE BYTE REVERSED ELEMENT (64).
    Vstebrg = 6 0xe6 0x0a,
    /// VECTOR STORE BYTE REVERSED ELEMENT (32).
    Vstebrf = 6 0xe6 0x0b,
    /// VECTOR STORE BYTE REVERSED ELEMENTS.
    Vstbr = 6 0xe6 0x0e,
    /// VECTOR STORE ELEMENTS REVERSED.
    Vster = 6 0xe6 0x0f,
    /// ADD (32). For this and the other additions below the emulator sets the condition code of a
    /// zero sum in place of overflow if both operands are the minimum.
    Ar = 2 0x1a 0,
    /// ADD (32) by memory.
    A = 4 0x5a 0,
    /// ADD (32) by memory, with a long displacement.
    Ay = 6 0xe3 0x5a,
    /// ADD (32), three operands.
    Ark = 4 0xb9 0xf8,
    /// ADD (64).
    Agr = 4 0xb9 0x08,
    /// ADD (64) by memory.
    Ag = 6 0xe3 0x08,
    /// ADD (64), three operands.
    Agrk = 4 0xb9 0xe8,
    /// SUBTRACT (32). For this and the other subtractions below the emulator sets the condition
    /// code of a negative difference in place of overflow for zero minus the minimum.
    Sr = 2 0x1b 0,
    /// SUBTRACT (32) by memory.
    S = 4 0x5b 0,
    /// SUBTRACT (32) by memory, with a long displacement.
    Sy = 6 0xe3 0x5b,
    /// SUBTRACT (32), three operands.
    Srk = 4 0xb9 0xf9,
    /// SUBTRACT (64).
    Sgr = 4 0xb9 0x09,
    /// SUBTRACT (64) by memory.
    Sg = 6 0xe3 0x09,
    /// SUBTRACT (64), three operands.
    Sgrk = 4 0xb9 0xe9,
    /// ADD HIGH.
    Ahhhr = 4 0xb9 0xc8,
    /// ADD HIGH, with a low half as third operand.
    Ahhlr = 4 0xb9 0xd8,
    /// SUBTRACT HIGH.
    Shhhr = 4 0xb9 0xc9,
    /// SUBTRACT HIGH, with a low half as third operand.
    Shhlr = 4 0xb9 0xd9,
    /// ADD IMMEDIATE (32).
    Afi = 6 0xc2 0x9,
    /// ADD IMMEDIATE HIGH.
    Aih = 6 0xcc 0x8,
    /// COMPARE HALFWORD RELATIVE LONG (32), for which the emulator reads more than two bytes.
    Chrl = 6 0xc6 0x5,
    /// COMPARE HALFWORD RELATIVE LONG (64).
    Cghrl = 6 0xc6 0x4,
    /// INSERT CHARACTERS UNDER MASK, whose condition code the emulator sets wrongly if the mask's
    /// bits are not contiguous.
    Icm = 4 0xbf 0,
    /// INSERT CHARACTERS UNDER MASK, with a long displacement.
    Icmy = 6 0xeb 0x81,
    /// INSERT CHARACTERS UNDER MASK HIGH, whose condition code the emulator sets wrongly.
    Icmh = 6 0xeb 0x80,
    /// LOAD HIGH ON CONDITION, which the emulator executes on the low half.
    Locfhr = 4 0xb9 0xe0,
    /// ROTATE THEN AND SELECTED BITS in its test form, for which the emulator writes the result.
    Rnsbg = 6 0xec 0x54,
    /// ROTATE THEN OR SELECTED BITS.
    Rosbg = 6 0xec 0x56,
    /// ROTATE THEN EXCLUSIVE OR SELECTED BITS.
    Rxsbg = 6 0xec 0x57,
    /// COMPARE LOGICAL IMMEDIATE AND TRAP (32), whose constant the emulator sign-extends.
    Clfit = 6 0xec 0x73,
    /// COMPARE LOGICAL IMMEDIATE AND TRAP (64).
    Clgit = 6 0xec 0x71,
    /// LOAD COUNT TO BLOCK BOUNDARY.
    Lcbb = 6 0xe7 0x27,
    /// VECTOR STORE WITH LENGTH.
    Vstl = 6 0xe7 0x3f,
    /// VECTOR ISOLATE STRING.
    Vistr = 6 0xe7 0x5c,
    /// VECTOR CHECKSUM.
    Vcksm = 6 0xe7 0x66,
    /// VECTOR SHIFT LEFT, each byte by its own count.
    Vsl = 6 0xe7 0x74,
    /// VECTOR SHIFT RIGHT LOGICAL.
    Vsrl = 6 0xe7 0x7c,
    /// VECTOR SHIFT RIGHT ARITHMETIC.
    Vsra = 6 0xe7 0x7e,
    /// MULTIPLY (long from short).
    Mdebr = 4 0xb3 0x0c,
    /// MULTIPLY (long from short) by memory.
    Mdeb = 6 0xed 0x0c,
    /// MULTIPLY (extended from long).
    Mxdbr = 4 0xb3 0x07,
    /// MULTIPLY (extended from long) by memory.
    Mxdb = 6 0xed 0x07,
    /// SQUARE ROOT (extended), on which the emulator crashes.
    Sqxbr = 4 0xb3 0x16,
    /// VECTOR STRING SEARCH, of vector-enhancements facility 2.
    Vstrs = 6 0xe7 0x8b,
    /// STORE FACILITY LIST EXTENDED, for which the emulator stores zeros.
    Stfle = 4 0xb2 0xb0,
    /// CONVERT TO BINARY (32). This and the next two: the emulator lacks them.
    Cvb = 4 0x4f 0,
    /// CONVERT TO BINARY (32), with a long displacement.
    Cvby = 6 0xe3 0x06,
    /// CONVERT TO BINARY (64).
    Cvbg = 6 0xe3 0x0e,
    /// LOAD LENGTHENED (long from short, of hexadecimal floating point).
    Lder = 4 0xb3 0x24,
    /// VECTOR REPLICATE of an element with an out-of-range index.
    Vrep = 6 0xe7 0x4d,
    /// VECTOR SHIFT LEFT DOUBLE BY BYTE, by more than 15 bytes.
    Vsldb = 6 0xe7 0x77,
    /// CONVERT TO FIXED (32 from short). This and the following conversions: numbers that do not
    /// fit.
    Cfebr = 4 0xb3 0x98,
    /// CONVERT TO FIXED (32 from long).
    Cfdbr = 4 0xb3 0x99,
    /// CONVERT TO FIXED (32 from extended).
    Cfxbr = 4 0xb3 0x9a,
    /// CONVERT TO LOGICAL (32 from short).
    Clfebr = 4 0xb3 0x9c,
    /// CONVERT TO LOGICAL (32 from long).
    Clfdbr = 4 0xb3 0x9d,
    /// CONVERT TO LOGICAL (32 from extended).
    Clfxbr = 4 0xb3 0x9e,
    /// CONVERT TO FIXED (64 from short).
    Cgebr = 4 0xb3 0xa8,
    /// CONVERT TO FIXED (64 from long).
    Cgdbr = 4 0xb3 0xa9,
    /// CONVERT TO FIXED (64 from extended).
    Cgxbr = 4 0xb3 0xaa,
    /// CONVERT TO LOGICAL (64 from short).
    Clgebr = 4 0xb3 0xac,
    /// CONVERT TO LOGICAL (64 from long).
    Clgdbr = 4 0xb3 0xad,
    /// CONVERT TO LOGICAL (64 from extended).
    Clgxbr = 4 0xb3 0xae,
}

/// The instruction at the start of `bytes`, if it is one of [`Operation`] in a form that the
/// emulator lacks or executes wrongly.
#[must_use]
#[inline]
pub fn later(bytes: &[u8]) -> Option<Later> {
    let (&first, &second) = (bytes.first()?, bytes.get(1)?);
    // A quick test for the opcodes above; most instructions have others.
    if !matches!(first, 0x1a | 0x1b | 0x4f | 0x5a | 0x5b | 0xb2 | 0xb3 | 0xb9 | 0xbf | 0xc2 | 0xc6 | 0xcc | 0xe3 | 0xe5..=0xe7 | 0xeb..=0xed)
    {
        return None;
    }
    let operation = Operation::new(first, second, bytes.get(5).copied().unwrap_or_default())?;
    let length = operation.opcode().0;
    let mut code = [0; 6];
    code.iter_mut().zip(bytes.get(..length.into())?).for_each(|(to, from)| *to = *from);
    let fields = Fields { code };
    is_new(operation, &fields).then_some(Later { length, operation, fields })
}

impl Operation {
    /// Returns true if programs use the operation often and the emulator executes it wrongly only
    /// for one or two values of the operands.
    #[must_use]
    pub fn is_rare(self) -> bool {
        use Operation as O;
        matches!(
            self,
            O::Ar
                | O::A
                | O::Ay
                | O::Ark
                | O::Agr
                | O::Ag
                | O::Agrk
                | O::Sr
                | O::S
                | O::Sy
                | O::Srk
                | O::Sgr
                | O::Sg
                | O::Sgrk
                | O::Ahhhr
                | O::Ahhlr
                | O::Shhhr
                | O::Shhlr
                | O::Afi
                | O::Aih
        )
    }
}

/// Returns true if the form is one that the emulator lacks or executes wrongly.
fn is_new(operation: Operation, fields: &Fields) -> bool {
    /// Element size codes: 64 bits (the format "long"), and one byte.
    const LONG: u8 = 3;
    const BYTES: u8 = 0;
    use Operation as O;
    match operation {
        O::Risbhg | O::Risblg => {
            const ZERO_THE_REST: u8 = 0x80;
            let (from, to) = (fields.byte(16) & 0x1f, fields.byte(24) & 0x1f);
            from <= to && (fields.byte(24) & ZERO_THE_REST == 0 || (from, to) == (0, 31))
        }
        O::Icm | O::Icmy => matches!(fields.bits(12), 5 | 9..=11 | 13),
        O::Rnsbg | O::Rosbg | O::Rxsbg => fields.byte(16) & 0x80 != 0,
        // Only with the minimum as constant.
        O::Afi | O::Aih => fields.relative() == i32::MIN,
        // Other bits are reserved.
        O::Sqxbr => fields.byte(16) == 0,
        O::Vrep => (fields.byte(16), fields.byte(24)) >= (0, 16 >> fields.bits(32).min(4)),
        O::Vsldb => fields.byte(24) > 15,
        O::Popcnt => fields.bits(16) & 8 != 0,
        O::Vpopct => fields.bits(32) != BYTES,
        O::Vfce | O::Vfch | O::Vfche => fields.bits(32) != LONG || fields.bits(28) & 4 != 0,
        O::Vfma | O::Vfms => fields.bits(20) != LONG,
        O::Vfa
        | O::Vfs
        | O::Vfm
        | O::Vfd
        | O::Vfsq
        | O::Vfpso
        | O::Wfc
        | O::Wfk
        | O::Vftci
        | O::Vfi
        | O::Vflr
        | O::Vcfps
        | O::Vcfpl => fields.bits(32) != LONG,
        // Short to long exists on z13.
        O::Vfll => fields.bits(32) == LONG,
        _ => true,
    }
}
