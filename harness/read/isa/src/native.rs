//! Vector instructions of AMD64 that an emulator may lack and a host may have: operands that each
//! reads and writes, and its encoding with another memory operand, so that a host can execute it
//! with a guest's registers and memory. (Intel SDM volume 2, 2.1, 2.3 and 2.7.)
//!
//! Only instructions that compute are covered: no branch, no system register, no state that is
//! saved or restored, no scatter. Gathers are executed by their definition ([`defined`]).

mod bytes;
mod gather;

use iced_x86::{
    CpuidFeature, Decoder, DecoderOptions, EncodingKind, FlowControl, Instruction, InstructionInfoFactory, Mnemonic,
    OpAccess, OpKind, Register, UsedRegister,
};

pub use gather::{Action, Defined, Gather, StateForm, defined};

/// Length in bytes of the longest instruction.
pub const LONGEST: usize = 15;

/// An instruction that a host can execute for the guest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Native {
    /// Length in bytes in the program.
    pub length: u8,
    /// The bytes to execute: their memory operand is at the address in [`Operand::pointer`].
    pub code: Vec<u8>,
    /// The features that a processor must have, all of them.
    pub features: Vec<Feature>,
    /// General registers, by their number in encodings.
    pub general: Used,
    /// Vector registers, by number; all their bytes.
    pub vectors: Used,
    /// Opmask registers, by number.
    pub masks: Used,
    /// The instruction changes status flags.
    pub writes_flags: bool,
    /// The operand in memory.
    pub operand: Option<Operand>,
    /// The instruction loads MXCSR from the memory operand or stores it there: MXCSR of the guest,
    /// not of the host.
    pub moves_control: bool,
}

/// Registers as a bit set, indexed by register number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Registers whose value matters.
    pub read: u32,
    /// Registers that change.
    pub written: u32,
}

/// An operand in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The general register that must hold the operand's address when [`Native::code`] is executed;
    /// the instruction does not use it otherwise.
    pub pointer: u8,
    /// Address of the operand in the program.
    pub address: Address,
    /// Size in bytes.
    pub size: usize,
    /// The required alignment of the address, in bytes.
    pub alignment: u64,
    /// The operand is read.
    pub is_read: bool,
    /// The operand is written.
    pub is_written: bool,
    /// The parts of the operand that are accessed.
    pub elements: Elements,
}

/// Address computation of a memory operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// The segment whose base is added, if any.
    pub segment: Option<Segment>,
    /// The address is relative to the instruction pointer.
    pub from_pc: bool,
    /// The base register.
    pub base: Option<u8>,
    /// The index register and its scale.
    pub index: Option<(u8, u64)>,
    /// The displacement, added.
    pub displacement: u64,
    /// The address is truncated to 32 bits.
    pub is_short: bool,
}

/// A segment whose base may differ from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    Fs,
    Gs,
}

/// Accessed parts of a memory operand; other parts may be unmapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    /// The whole operand.
    All,
    /// The elements that an opmask register selects, or all: instructions differ in this (Intel SDM
    /// volume 2, 2.8, exception classes E4 and E4NF).
    Some,
    /// Elements of `size` bytes whose bits in the opmask register are set.
    Masked { mask: u8, size: u8 },
    /// Elements of `size` bytes whose counterparts in the vector register are negative.
    Signs { register: u8, size: u8 },
    /// As many elements of `size` bytes, from the first on, as the opmask register has bits set.
    Packed { mask: u8, size: u8 },
}

/// Processor features.
macro_rules! features {
    ($($name:ident $iced:ident,)*) => {
        /// A set of instructions that a processor may have (Intel SDM volume 2, CPUID).
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Feature { $(#[allow(missing_docs, reason = "names of the manual")] $name,)* }

        impl Feature {
            fn new(feature: CpuidFeature) -> Option<Feature> {
                match feature {
                    $(CpuidFeature::$iced => Some(Feature::$name),)*
                    _ => None,
                }
            }
        }
    };
}

features! {
    Ssse3 SSSE3,
    Avx AVX,
    Avx2 AVX2,
    Fma FMA,
    F16c F16C,
    Avx512F AVX512F,
    Avx512Bw AVX512BW,
    Avx512Cd AVX512CD,
    Avx512Dq AVX512DQ,
    Avx512Vl AVX512VL,
    Avx512Ifma AVX512_IFMA,
    Avx512Vbmi AVX512_VBMI,
    Avx512Vbmi2 AVX512_VBMI2,
    Avx512Vnni AVX512_VNNI,
    Avx512Bitalg AVX512_BITALG,
    Avx512Vpopcntdq AVX512_VPOPCNTDQ,
    Gfni GFNI,
    Vaes VAES,
    Vpclmulqdq VPCLMULQDQ,
    Aes AES,
    Pclmulqdq PCLMULQDQ,
    Sha SHA,
    Bmi1 BMI1,
    Bmi2 BMI2,
    Adx ADX,
}

/// The instruction at the start of `bytes`, if it is one that a host can execute for the guest.
#[must_use]
pub fn native(bytes: &[u8]) -> Option<Native> {
    let bytes = bytes.get(..LONGEST.min(bytes.len()))?;
    let decoded = Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE).decode();
    if decoded.is_invalid() || !is_known(&decoded) {
        return None;
    }
    let features: Option<Vec<Feature>> = decoded.cpuid_features().iter().map(|one| Feature::new(*one)).collect();
    let mut factory = InstructionInfoFactory::new();
    let info = factory.info(&decoded);
    let (mut general, mut vectors, mut masks) = (Used::default(), Used::default(), Used::default());
    for used in info.used_registers() {
        let register = used.register();
        let (kind, number) = match register.full_register() {
            full if full.is_gpr() => (&mut general, full.number()),
            full if register.is_vector_register() => (&mut vectors, full.number()),
            _ if register.is_k() => (&mut masks, register.number()),
            _ if register.is_segment_register() || register.is_ip() => continue,
            _ => return None,
        };
        kind.add(*used, number);
    }
    let named = (0..decoded.op_count()).filter(|at| decoded.op_kind(*at) == OpKind::Register);
    let stack_pointer = named.map(|at| decoded.op_register(at).full_register()).any(|one| one == Register::RSP);
    let memory = info.used_memory().first().map(|memory| memory.access());
    let length = decoded.len();
    let parts = bytes::Parts::new(bytes.get(..length)?, decoded.encoding() == EncodingKind::Legacy)?;
    let (code, operand) = match memory {
        None => (parts.whole(), None),
        Some(access) => {
            // Registers that neither the operation nor the address uses; no instruction uses all
            // six.
            let free =
                [3, 6, 7, 1, 2, 0].into_iter().find(|number| (general.read | general.written) & 1 << number == 0)?;
            (parts.with_pointer(free)?, Some(operand(&decoded, access, free)?))
        }
    };
    let writes_flags = decoded.rflags_modified() != 0;
    (!stack_pointer && info.used_memory().len() <= 1).then_some(())?;
    let moves_control = moves_control(&decoded);
    let (length, features) = (length as u8, features?);
    Some(Native { length, code, features, general, vectors, masks, writes_flags, operand, moves_control })
}

impl Used {
    fn add(&mut self, used: UsedRegister, number: usize) {
        let bit = 1 << number;
        let access = used.access();
        let writes = [OpAccess::Write, OpAccess::CondWrite, OpAccess::ReadWrite, OpAccess::ReadCondWrite];
        // A register that is written partly or conditionally is read as well.
        self.read |= bit;
        self.written |= if writes.contains(&access) { bit } else { 0 };
    }
}

/// Returns true for instructions other than branches and system instructions whose memory operand
/// can be replaced.
fn is_known(decoded: &Instruction) -> bool {
    let is_vector = match decoded.encoding() {
        EncodingKind::VEX | EncodingKind::EVEX => true,
        EncodingKind::Legacy => {
            // Legacy encodings: those that the emulator lacks.
            let features = decoded.cpuid_features();
            features.iter().any(|one| matches!(one, CpuidFeature::SHA | CpuidFeature::GFNI | CpuidFeature::ADX))
                || adds_across(decoded)
        }
        _ => false,
    };
    // This instruction accesses memory that no operand names.
    is_vector
        && decoded.mnemonic() != Mnemonic::Vmaskmovdqu
        && decoded.flow_control() == FlowControl::Next
        && !decoded.is_save_restore_instruction()
        && !decoded.is_privileged()
        && !decoded.is_vsib()
}

fn moves_control(decoded: &Instruction) -> bool {
    matches!(decoded.mnemonic(), Mnemonic::Vldmxcsr | Mnemonic::Vstmxcsr)
}

/// Returns true for horizontal additions and subtractions, which an emulator may get wrong.
fn adds_across(decoded: &Instruction) -> bool {
    use Mnemonic::{Phaddd, Phaddsw, Phaddw, Phsubd, Phsubsw, Phsubw};
    matches!(decoded.mnemonic(), Phaddw | Phaddd | Phaddsw | Phsubw | Phsubd | Phsubsw)
}

fn operand(decoded: &Instruction, access: OpAccess, pointer: u8) -> Option<Operand> {
    let kind = decoded.memory_size();
    let size = Some(kind.size()).filter(|size| (1..=64).contains(size))?;
    let address = address_of(decoded);
    let is_read = !matches!(access, OpAccess::Write | OpAccess::CondWrite);
    let is_written = !matches!(access, OpAccess::Read | OpAccess::CondRead);
    let elements = elements(decoded);
    Some(Operand { pointer, address, size, alignment: alignment(decoded, size), is_read, is_written, elements })
}

/// The address of the memory operand; a vector of indices is not part of it.
fn address_of(decoded: &Instruction) -> Address {
    let segment = match decoded.memory_segment() {
        Register::FS => Some(Segment::Fs),
        Register::GS => Some(Segment::Gs),
        _ => None,
    };
    let (base, index) = (decoded.memory_base(), decoded.memory_index());
    let number = |register: Register| register.is_gpr().then(|| register.full_register().number() as u8);
    Address {
        segment,
        from_pc: base.is_ip(),
        base: number(base),
        index: number(index).map(|number| (number, u64::from(decoded.memory_index_scale()))),
        displacement: decoded.memory_displacement64(),
        is_short: [base, index].into_iter().any(|one| one.is_gpr32() || one == Register::EIP)
            || (base == Register::None && index == Register::None && decoded.memory_displ_size() == 4),
    }
}

fn elements(decoded: &Instruction) -> Elements {
    use Mnemonic::{
        Vcompresspd, Vcompressps, Vexpandpd, Vexpandps, Vmaskmovpd, Vmaskmovps, Vmovapd, Vmovaps, Vmovdqa32, Vmovdqa64,
        Vmovdqu8, Vmovdqu16, Vmovdqu32, Vmovdqu64, Vmovupd, Vmovups, Vpcompressb, Vpcompressd, Vpcompressq,
        Vpcompressw, Vpexpandb, Vpexpandd, Vpexpandq, Vpexpandw, Vpmaskmovd, Vpmaskmovq,
    };
    let size = decoded.memory_size().element_size() as u8;
    let mask = decoded.op_mask();
    match decoded.mnemonic() {
        Vmaskmovps | Vmaskmovpd | Vpmaskmovd | Vpmaskmovq => {
            // The mask is the second operand.
            Elements::Signs { register: decoded.op1_register().number() as u8, size }
        }
        Vcompresspd | Vcompressps | Vpcompressb | Vpcompressd | Vpcompressq | Vpcompressw | Vexpandpd | Vexpandps
        | Vpexpandb | Vpexpandd | Vpexpandq | Vpexpandw
            if mask != Register::None =>
        {
            Elements::Packed { mask: mask.number() as u8, size }
        }
        Vmovups | Vmovupd | Vmovaps | Vmovapd | Vmovdqu8 | Vmovdqu16 | Vmovdqu32 | Vmovdqu64 | Vmovdqa32
        | Vmovdqa64
            if mask != Register::None =>
        {
            Elements::Masked { mask: mask.number() as u8, size }
        }
        _ if mask != Register::None => Elements::Some,
        _ => Elements::All,
    }
}

/// The required alignment of a memory operand. VEX and EVEX forms accept any address unless the
/// mnemonic has "aligned" (Intel SDM volume 1, 14.9); most legacy forms require alignment.
fn alignment(decoded: &Instruction, size: usize) -> u64 {
    use Mnemonic::{Vmovapd, Vmovaps, Vmovdqa, Vmovdqa32, Vmovdqa64, Vmovntdq, Vmovntdqa, Vmovntpd, Vmovntps};
    let is_aligned = match decoded.mnemonic() {
        Vmovapd | Vmovaps | Vmovdqa | Vmovdqa32 | Vmovdqa64 | Vmovntdq | Vmovntdqa | Vmovntpd | Vmovntps => true,
        _ => decoded.encoding() == EncodingKind::Legacy,
    };
    if is_aligned { size as u64 } else { 1 }
}
