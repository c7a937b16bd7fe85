//! Operations of the instructions, named as in the manual.

use super::Fields;

/// An instruction that a driver can execute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Length in bytes.
    pub length: u8,
    pub operation: Operation,
    /// The operands.
    pub fields: Fields,
}

/// What an operation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// General registers, strings and memory.
    General,
    /// Vectors of integers.
    Vector,
    /// Vectors of floating-point numbers.
    Float,
    /// Additions and subtractions, which the emulator executes wrongly only for one or two values
    /// of the operands.
    Sum,
    /// Older instructions that the emulator executes wrongly, or lacks.
    Corrected,
}

macro_rules! operations {
    ($($group:ident { $($name:ident = $length:literal $first:literal $second:literal $doc:literal,)* })*) => {
        /// The operation of an instruction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Operation { $($(#[doc = $doc] $name,)*)* }

        impl Operation {
            pub const ALL: &[Operation] = &[$($(Operation::$name,)*)*];

            /// Length in bytes, first byte, and second part of the opcode: the last of six bytes,
            /// else the second byte or its low half; 0 if the first byte is the whole opcode.
            #[must_use]
            pub fn opcode(self) -> (u8, u8, u8) {
                match self { $($(Operation::$name => ($length, $first, $second),)*)* }
            }

            /// The group that the operation belongs to.
            #[must_use]
            pub fn group(self) -> Group {
                match self { $($(Operation::$name)|* => Group::$group,)* }
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
                    $($(($first, $second) => Some(Operation::$name),)*)*
                    _ => None,
                }
            }
        }
    };
}

operations! {
    General {
        Agh = 6 0xe3 0x38 "ADD HALFWORD (64), and the rest of miscellaneous-instruction-extensions facility 2.",
        Sgh = 6 0xe3 0x39 "SUBTRACT HALFWORD (64).",
        Mgh = 6 0xe3 0x3c "MULTIPLY HALFWORD (64).",
        Mg = 6 0xe3 0x84 "MULTIPLY (128 from 64 and memory).",
        Mgrk = 4 0xb9 0xec "MULTIPLY (128 from registers).",
        Msrkc = 4 0xb9 0xfd "MULTIPLY SINGLE (32), with a condition code.",
        Msgrkc = 4 0xb9 0xed "MULTIPLY SINGLE (64).",
        Msc = 6 0xe3 0x53 "MULTIPLY SINGLE (32) by memory.",
        Msgc = 6 0xe3 0x83 "MULTIPLY SINGLE (64) by memory.",
        Bic = 6 0xe3 0x47 "BRANCH INDIRECT ON CONDITION.",
        Lzrf = 6 0xe3 0x3b "LOAD AND ZERO RIGHTMOST BYTE (32), which z13 has and the emulator lacks.",
        Risbhg = 6 0xec 0x5d "ROTATE THEN INSERT SELECTED BITS HIGH, which z196 has and the emulator executes wrongly: \
            it puts bits that do not wrap around into the wrong half, if the rest of the half is kept or the bits fill \
            the half.",
        Risblg = 6 0xec 0x51 "ROTATE THEN INSERT SELECTED BITS LOW, likewise.",
        Ncrk = 4 0xb9 0xf5 "AND WITH COMPLEMENT (32), and the rest of miscellaneous-instruction-extensions facility 3.",
        Ncgrk = 4 0xb9 0xe5 "AND WITH COMPLEMENT (64).",
        Nnrk = 4 0xb9 0x74 "NAND (32).",
        Nngrk = 4 0xb9 0x64 "NAND (64).",
        Nork = 4 0xb9 0x76 "NOR (32).",
        Nogrk = 4 0xb9 0x66 "NOR (64).",
        Nxrk = 4 0xb9 0x77 "NOT EXCLUSIVE OR (32).",
        Nxgrk = 4 0xb9 0x67 "NOT EXCLUSIVE OR (64).",
        Ocrk = 4 0xb9 0x75 "OR WITH COMPLEMENT (32).",
        Ocgrk = 4 0xb9 0x65 "OR WITH COMPLEMENT (64).",
        Selr = 4 0xb9 0xf0 "SELECT (32).",
        Selgr = 4 0xb9 0xe3 "SELECT (64).",
        Selfhr = 4 0xb9 0xc0 "SELECT HIGH.",
        Popcnt = 4 0xb9 0xe1 "POPULATION COUNT of 64 bits. The emulator counts the bits of each byte instead.",
        Mvcrl = 6 0xe5 0x0a "MOVE RIGHT TO LEFT.",
        Vistr = 6 0xe7 0x5c "VECTOR ISOLATE STRING.",
        Vstrs = 6 0xe7 0x8b "VECTOR STRING SEARCH, of vector-enhancements facility 2.",
        Stfle = 4 0xb2 0xb0 "STORE FACILITY LIST EXTENDED, for which the emulator stores zeros.",
    }
    Vector {
        Vnn = 6 0xe7 0x6e "VECTOR NAND, and the rest of vector-enhancements facility 1.",
        Vnx = 6 0xe7 0x6c "VECTOR NOT EXCLUSIVE OR.",
        Voc = 6 0xe7 0x6f "VECTOR OR WITH COMPLEMENT.",
        Vpopct = 6 0xe7 0x50 "VECTOR POPULATION COUNT of elements larger than a byte.",
        Vbperm = 6 0xe7 0x85 "VECTOR BIT PERMUTE.",
        Vmsl = 6 0xe7 0xb8 "VECTOR MULTIPLY SUM LOGICAL.",
        Vsld = 6 0xe7 0x86 "VECTOR SHIFT LEFT DOUBLE BY BIT.",
        Vsrd = 6 0xe7 0x87 "VECTOR SHIFT RIGHT DOUBLE BY BIT.",
        Vlebrh = 6 0xe6 0x01 "VECTOR LOAD BYTE REVERSED ELEMENT (16).",
        Vlebrg = 6 0xe6 0x02 "VECTOR LOAD BYTE REVERSED ELEMENT (64).",
        Vlebrf = 6 0xe6 0x03 "VECTOR LOAD BYTE REVERSED ELEMENT (32).",
        Vllebrz = 6 0xe6 0x04 "VECTOR LOAD BYTE REVERSED ELEMENT AND ZERO.",
        Vlbrrep = 6 0xe6 0x05 "VECTOR LOAD BYTE REVERSED ELEMENT AND REPLICATE.",
        Vlbr = 6 0xe6 0x06 "VECTOR LOAD BYTE REVERSED ELEMENTS.",
        Vler = 6 0xe6 0x07 "VECTOR LOAD ELEMENTS REVERSED.",
        Vstebrh = 6 0xe6 0x09 "VECTOR STORE BYTE REVERSED ELEMENT (16).",
        Vstebrg = 6 0xe6 0x0a "VECTOR STORE BYTE REVERSED ELEMENT (64).",
        Vstebrf = 6 0xe6 0x0b "VECTOR STORE BYTE REVERSED ELEMENT (32).",
        Vstbr = 6 0xe6 0x0e "VECTOR STORE BYTE REVERSED ELEMENTS.",
        Vster = 6 0xe6 0x0f "VECTOR STORE ELEMENTS REVERSED.",
    }
    Float {
        Vfa = 6 0xe7 0xe3 "VECTOR FP ADD, short and extended.",
        Vfs = 6 0xe7 0xe2 "VECTOR FP SUBTRACT, short and extended.",
        Vfm = 6 0xe7 0xe7 "VECTOR FP MULTIPLY, short and extended.",
        Vfd = 6 0xe7 0xe5 "VECTOR FP DIVIDE, short and extended.",
        Vfma = 6 0xe7 0x8f "VECTOR FP MULTIPLY AND ADD, short and extended.",
        Vfms = 6 0xe7 0x8e "VECTOR FP MULTIPLY AND SUBTRACT, short and extended.",
        Vfnma = 6 0xe7 0x9f "VECTOR FP NEGATIVE MULTIPLY AND ADD.",
        Vfnms = 6 0xe7 0x9e "VECTOR FP NEGATIVE MULTIPLY AND SUBTRACT.",
        Vfsq = 6 0xe7 0xce "VECTOR FP SQUARE ROOT, short and extended.",
        Vfpso = 6 0xe7 0xcc "VECTOR FP PERFORM SIGN OPERATION, short and extended.",
        Vftci = 6 0xe7 0x4a "VECTOR FP TEST DATA CLASS IMMEDIATE, short and extended.",
        Wfc = 6 0xe7 0xcb "VECTOR FP COMPARE SCALAR, short and extended.",
        Wfk = 6 0xe7 0xca "VECTOR FP COMPARE AND SIGNAL SCALAR, short and extended.",
        Vfce = 6 0xe7 0xe8 "VECTOR FP COMPARE EQUAL, short, extended and signalling.",
        Vfch = 6 0xe7 0xeb "VECTOR FP COMPARE HIGH, likewise.",
        Vfche = 6 0xe7 0xea "VECTOR FP COMPARE HIGH OR EQUAL, likewise.",
        Vfmax = 6 0xe7 0xef "VECTOR FP MAXIMUM.",
        Vfmin = 6 0xe7 0xee "VECTOR FP MINIMUM.",
        Vfi = 6 0xe7 0xc7 "VECTOR LOAD FP INTEGER, short and extended.",
        Vfll = 6 0xe7 0xc4 "VECTOR FP LOAD LENGTHENED, long to extended.",
        Vflr = 6 0xe7 0xc5 "VECTOR FP LOAD ROUNDED, extended to long.",
        Vcfps = 6 0xe7 0xc3 "VECTOR FP CONVERT FROM FIXED, short, and the rest of vector-enhancements facility 2.",
        Vcfpl = 6 0xe7 0xc1 "VECTOR FP CONVERT FROM LOGICAL, short.",
        Vcsfp = 6 0xe7 0xc2 "VECTOR FP CONVERT TO FIXED, short.",
        Vclfp = 6 0xe7 0xc0 "VECTOR FP CONVERT TO LOGICAL, short.",
    }
    Sum {
        Ar = 2 0x1a 0 "ADD (32). For this and the other additions below the emulator sets the condition code of a zero \
            sum in place of overflow if both operands are the minimum.",
        A = 4 0x5a 0 "ADD (32) by memory.",
        Ay = 6 0xe3 0x5a "ADD (32) by memory, with a long displacement.",
        Ark = 4 0xb9 0xf8 "ADD (32), three operands.",
        Agr = 4 0xb9 0x08 "ADD (64).",
        Ag = 6 0xe3 0x08 "ADD (64) by memory.",
        Agrk = 4 0xb9 0xe8 "ADD (64), three operands.",
        Sr = 2 0x1b 0 "SUBTRACT (32). For this and the other subtractions below the emulator sets the condition code \
            of a negative difference in place of overflow for zero minus the minimum.",
        S = 4 0x5b 0 "SUBTRACT (32) by memory.",
        Sy = 6 0xe3 0x5b "SUBTRACT (32) by memory, with a long displacement.",
        Srk = 4 0xb9 0xf9 "SUBTRACT (32), three operands.",
        Sgr = 4 0xb9 0x09 "SUBTRACT (64).",
        Sg = 6 0xe3 0x09 "SUBTRACT (64) by memory.",
        Sgrk = 4 0xb9 0xe9 "SUBTRACT (64), three operands.",
        Ahhhr = 4 0xb9 0xc8 "ADD HIGH.",
        Ahhlr = 4 0xb9 0xd8 "ADD HIGH, with a low half as third operand.",
        Shhhr = 4 0xb9 0xc9 "SUBTRACT HIGH.",
        Shhlr = 4 0xb9 0xd9 "SUBTRACT HIGH, with a low half as third operand.",
        Afi = 6 0xc2 0x9 "ADD IMMEDIATE (32).",
        Aih = 6 0xcc 0x8 "ADD IMMEDIATE HIGH.",
    }
    Corrected {
        Chrl = 6 0xc6 0x5 "COMPARE HALFWORD RELATIVE LONG (32), for which the emulator reads more than two bytes.",
        Cghrl = 6 0xc6 0x4 "COMPARE HALFWORD RELATIVE LONG (64).",
        Icm = 4 0xbf 0 "INSERT CHARACTERS UNDER MASK, whose condition code the emulator sets wrongly if the mask's \
            bits are not contiguous.",
        Icmy = 6 0xeb 0x81 "INSERT CHARACTERS UNDER MASK, with a long displacement.",
        Icmh = 6 0xeb 0x80 "INSERT CHARACTERS UNDER MASK HIGH, whose condition code the emulator sets wrongly.",
        Locfhr = 4 0xb9 0xe0 "LOAD HIGH ON CONDITION, which the emulator executes on the low half.",
        Rnsbg = 6 0xec 0x54 "ROTATE THEN AND SELECTED BITS in its test form, for which the emulator writes the result.",
        Rosbg = 6 0xec 0x56 "ROTATE THEN OR SELECTED BITS.",
        Rxsbg = 6 0xec 0x57 "ROTATE THEN EXCLUSIVE OR SELECTED BITS.",
        Clfit = 6 0xec 0x73 "COMPARE LOGICAL IMMEDIATE AND TRAP (32), whose constant the emulator sign-extends.",
        Clgit = 6 0xec 0x71 "COMPARE LOGICAL IMMEDIATE AND TRAP (64).",
        Lcbb = 6 0xe7 0x27 "LOAD COUNT TO BLOCK BOUNDARY.",
        Vstl = 6 0xe7 0x3f "VECTOR STORE WITH LENGTH.",
        Vcksm = 6 0xe7 0x66 "VECTOR CHECKSUM.",
        Vsl = 6 0xe7 0x74 "VECTOR SHIFT LEFT, each byte by its own count.",
        Vsrl = 6 0xe7 0x7c "VECTOR SHIFT RIGHT LOGICAL.",
        Vsra = 6 0xe7 0x7e "VECTOR SHIFT RIGHT ARITHMETIC.",
        Mdebr = 4 0xb3 0x0c "MULTIPLY (long from short).",
        Mdeb = 6 0xed 0x0c "MULTIPLY (long from short) by memory.",
        Mxdbr = 4 0xb3 0x07 "MULTIPLY (extended from long).",
        Mxdb = 6 0xed 0x07 "MULTIPLY (extended from long) by memory.",
        Sqxbr = 4 0xb3 0x16 "SQUARE ROOT (extended), on which the emulator crashes.",
        Cvb = 4 0x4f 0 "CONVERT TO BINARY (32). This and the next two: the emulator lacks them.",
        Cvby = 6 0xe3 0x06 "CONVERT TO BINARY (32), with a long displacement.",
        Cvbg = 6 0xe3 0x0e "CONVERT TO BINARY (64).",
        Lder = 4 0xb3 0x24 "LOAD LENGTHENED (long from short, of hexadecimal floating point).",
        Vrep = 6 0xe7 0x4d "VECTOR REPLICATE of an element with an out-of-range index.",
        Vsldb = 6 0xe7 0x77 "VECTOR SHIFT LEFT DOUBLE BY BYTE, by more than 15 bytes.",
        Cfebr = 4 0xb3 0x98 "CONVERT TO FIXED (32 from short). This and the following conversions: numbers that do not \
            fit.",
        Cfdbr = 4 0xb3 0x99 "CONVERT TO FIXED (32 from long).",
        Cfxbr = 4 0xb3 0x9a "CONVERT TO FIXED (32 from extended).",
        Clfebr = 4 0xb3 0x9c "CONVERT TO LOGICAL (32 from short).",
        Clfdbr = 4 0xb3 0x9d "CONVERT TO LOGICAL (32 from long).",
        Clfxbr = 4 0xb3 0x9e "CONVERT TO LOGICAL (32 from extended).",
        Cgebr = 4 0xb3 0xa8 "CONVERT TO FIXED (64 from short).",
        Cgdbr = 4 0xb3 0xa9 "CONVERT TO FIXED (64 from long).",
        Cgxbr = 4 0xb3 0xaa "CONVERT TO FIXED (64 from extended).",
        Clgebr = 4 0xb3 0xac "CONVERT TO LOGICAL (64 from short).",
        Clgdbr = 4 0xb3 0xad "CONVERT TO LOGICAL (64 from long).",
        Clgxbr = 4 0xb3 0xae "CONVERT TO LOGICAL (64 from extended).",
    }
}

/// The instruction at the start of `bytes`, if it is one of [`Operation`] in a form that the
/// emulator lacks or executes wrongly.
#[must_use]
#[inline]
pub fn decode(bytes: &[u8]) -> Option<Instruction> {
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
    is_new(operation, &fields).then_some(Instruction { length, operation, fields })
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
