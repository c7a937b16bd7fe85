//! A page of generated code on which the host executes one instruction at a time, and the registers
//! for it.
#![allow(unsafe_code, reason = "executes instructions that the compiler does not know of")]

use std::arch::{is_x86_feature_detected, naked_asm};
use std::mem::offset_of;
use std::ptr::{NonNull, null_mut};
use std::sync::OnceLock;

use isa::native::{Feature, Native};
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
use unicorn_engine::RegisterX86 as R;

use super::operand::general;
use crate::engine::Engine;
use crate::error::MachineError;

/// Bytes of a vector register.
pub(crate) const VECTOR: usize = 64;

/// The host's registers before and after an instruction.
#[repr(C, align(64))]
pub(super) struct State {
    vectors: [[u8; VECTOR]; 32],
    masks: [u64; 8],
    /// General registers by their number in encodings; the stack pointer stays the host's.
    general: [u64; 16],
    flags: u64,
    control: u32,
    /// MXCSR of the host.
    kept: u32,
    /// MXCSR of the program.
    wanted: u32,
}

/// Status flags (Intel SDM volume 1, 3.4.3.1): CF, PF, AF, ZF, SF, OF.
const STATUS: u64 = 0x8d5;
/// MXCSR (Intel SDM volume 1, 10.2.3): the exception flags, and their masks.
const RAISED: u32 = 0x3f;
const MASKS: u32 = RAISED << 7;

impl State {
    /// The state with the registers that the instruction reads.
    pub(super) fn new(native: &Native, engine: &Engine) -> State {
        let wanted = engine.read(R::MXCSR as i32) as u32;
        let mut state = State {
            vectors: [[0; VECTOR]; 32],
            masks: engine.masks(),
            general: [0; 16],
            flags: engine.read(R::RFLAGS as i32) & STATUS | 2,
            control: (wanted | MASKS) & !RAISED & 0xffff,
            kept: 0,
            wanted,
        };
        for (number, value) in numbered(&mut state.vectors, native.vectors.read) {
            *value = engine.read_vector(number);
        }
        for (number, value) in numbered(&mut state.general, native.general.read) {
            *value = engine.read(general(number as u8));
        }
        state
    }

    /// Sets the register that points to the memory operand.
    pub(super) fn point(&mut self, register: u8, bytes: &mut [u8; 64]) {
        if let Some(value) = self.general.get_mut(usize::from(register)) {
            *value = bytes.as_mut_ptr().expose_provenance() as u64;
        }
    }

    /// The exceptions that the program has unmasked.
    pub(super) fn unmasked(&self) -> u32 {
        !(self.wanted >> 7) & RAISED
    }

    /// The exceptions that the instruction has raised.
    pub(super) fn raised(&self) -> u32 {
        self.control & RAISED
    }

    /// Copies the registers that the instruction wrote to the program.
    pub(super) fn give(&mut self, native: &Native, engine: &mut Engine) -> Result<(), MachineError> {
        for (number, value) in numbered(&mut self.vectors, native.vectors.written) {
            engine.write_vector(number, value)?;
        }
        for (number, value) in numbered(&mut self.general, native.general.written) {
            engine.write(general(number as u8), *value)?;
        }
        let mut masks = engine.masks();
        for (number, value) in numbered(&mut self.masks, native.masks.written) {
            masks.get_mut(number).into_iter().for_each(|mask| *mask = *value);
        }
        engine.set_masks(masks);
        if native.writes_flags {
            let flags = engine.read(R::RFLAGS as i32);
            engine.write(R::RFLAGS as i32, flags & !STATUS | self.flags & STATUS)?;
        }
        let raised = self.wanted | self.raised();
        if raised != self.wanted {
            engine.write(R::MXCSR as i32, raised.into())?;
        }
        Ok(())
    }
}

/// The values whose bit is set, with their number.
fn numbered<T>(values: &mut [T], bits: u32) -> impl Iterator<Item = (usize, &mut T)> {
    values.iter_mut().enumerate().filter(move |(number, _)| bits >> number & 1 != 0)
}

/// A mapping of code, in slots of one instruction and a return each.
pub(super) struct Page {
    start: NonNull<u8>,
    length: usize,
}

const SLOT: usize = 16;
const RETURN: u8 = 0xc3;

impl Page {
    pub(super) fn new(slots: usize) -> Option<Page> {
        let length = slots * SLOT;
        // SAFETY: a new mapping at an address of the system's choice.
        let start = unsafe { mmap_anonymous(null_mut(), length, ProtFlags::READ, MapFlags::PRIVATE) };
        Some(Page { start: NonNull::new(start.ok()?.cast())?, length })
    }

    /// Writes an instruction of at most 15 bytes into a slot. The mapping is not executable while
    /// it is writable.
    pub(super) fn put(&mut self, slot: usize, code: &[u8]) -> Option<()> {
        let at = slot.checked_mul(SLOT).filter(|at| at + SLOT <= self.length && code.len() < SLOT)?;
        // SAFETY: the mapping is this value's alone; nothing executes there, since executing
        // borrows it. The slot lies inside it.
        unsafe {
            let start = self.start.as_ptr().cast();
            mprotect(start, self.length, MprotectFlags::READ | MprotectFlags::WRITE).ok()?;
            let slot = self.start.add(at);
            slot.copy_from_nonoverlapping(NonNull::from(code).cast(), code.len());
            slot.add(code.len()).write(RETURN);
            mprotect(start, self.length, MprotectFlags::READ | MprotectFlags::EXEC).ok()
        }
    }

    /// Executes the code of a slot.
    pub(super) fn execute(&self, slot: usize, state: &mut State) {
        let enter = if has(Feature::Avx512F) && has(Feature::Avx512Bw) { enter_512 } else { enter_256 };
        // SAFETY: the slot was `put` and has one instruction, of those that `isa::native` lets
        // through: it changes registers, all of which `enter` restores or the calling convention
        // gives away, and memory that `State::point` allows. The host has it (`Host::prepared`).
        unsafe { enter(state, self.start.as_ptr().add(slot * SLOT)) }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: it was mapped by `new`, and nothing executes there.
        let _ = unsafe { munmap(self.start.as_ptr().cast(), self.length) };
    }
}

/// Returns true if this host has the feature, and its system saves the registers that it needs.
pub(super) fn has(feature: Feature) -> bool {
    static FOUND: OnceLock<[bool; 32]> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let mut found = [false; 32];
        for (feature, is_here) in detected() {
            found.get_mut(feature as usize).into_iter().for_each(|one| *one = is_here);
        }
        found
    });
    found.get(feature as usize).copied().unwrap_or(false)
}

fn detected() -> [(Feature, bool); 25] {
    // Without AVX state none of the other features is usable here.
    let avx = is_x86_feature_detected!("avx");
    [
        (Feature::Ssse3, avx),
        (Feature::Avx, avx),
        (Feature::Avx2, is_x86_feature_detected!("avx2")),
        (Feature::Fma, is_x86_feature_detected!("fma")),
        (Feature::F16c, is_x86_feature_detected!("f16c")),
        (Feature::Avx512F, is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")),
        (Feature::Avx512Bw, is_x86_feature_detected!("avx512bw")),
        (Feature::Avx512Cd, is_x86_feature_detected!("avx512cd")),
        (Feature::Avx512Dq, is_x86_feature_detected!("avx512dq")),
        (Feature::Avx512Vl, is_x86_feature_detected!("avx512vl")),
        (Feature::Avx512Ifma, is_x86_feature_detected!("avx512ifma")),
        (Feature::Avx512Vbmi, is_x86_feature_detected!("avx512vbmi")),
        (Feature::Avx512Vbmi2, is_x86_feature_detected!("avx512vbmi2")),
        (Feature::Avx512Vnni, is_x86_feature_detected!("avx512vnni")),
        (Feature::Avx512Bitalg, is_x86_feature_detected!("avx512bitalg")),
        (Feature::Avx512Vpopcntdq, is_x86_feature_detected!("avx512vpopcntdq")),
        (Feature::Gfni, avx && is_x86_feature_detected!("gfni")),
        (Feature::Vaes, is_x86_feature_detected!("vaes")),
        (Feature::Vpclmulqdq, is_x86_feature_detected!("vpclmulqdq")),
        (Feature::Aes, avx && is_x86_feature_detected!("aes")),
        (Feature::Pclmulqdq, avx && is_x86_feature_detected!("pclmulqdq")),
        (Feature::Sha, avx && is_x86_feature_detected!("sha")),
        (Feature::Bmi1, avx && is_x86_feature_detected!("bmi1")),
        (Feature::Adx, avx && is_x86_feature_detected!("adx")),
        (Feature::Bmi2, avx && is_x86_feature_detected!("bmi2")),
    ]
}

/// Assembly that loads vector registers, `vmovups zmmN, [rdi + 64 * N]`, or stores them.
macro_rules! load {
    ($kind:literal, $($number:literal)*) => {
        concat!($("vmovups ", $kind, $number, ", [rdi + 64 * ", $number, "]\n",)*)
    };
}
macro_rules! store {
    ($kind:literal, $($number:literal)*) => {
        concat!($("vmovups [rdi + 64 * ", $number, "], ", $kind, $number, "\n",)*)
    };
}
macro_rules! load_masks {
    ($($number:literal)*) => { concat!($("kmovq k", $number, ", [rdi + {masks} + 8 * ", $number, "]\n",)*) };
}
macro_rules! store_masks {
    ($($number:literal)*) => { concat!($("kmovq [rdi + {masks} + 8 * ", $number, "], k", $number, "\n",)*) };
}

/// Defines a function that executes the code at rsi with the registers at rdi.
macro_rules! enter {
    ($name:ident, [$($load:expr),*], [$($store:expr),*], $($masks:tt)*) => {
        /// # Safety
        /// The host has the registers; the code is an instruction that changes registers and what
        /// `State::point` was given at most, and a return.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(state: *mut State, code: *const u8) {
            naked_asm!(
                "push rbx", "push rbp", "push r12", "push r13", "push r14", "push r15", "push rdi", "push rsi",
                "sub rsp, 8",
                "stmxcsr [rdi + {kept}]", "ldmxcsr [rdi + {control}]",
                $($load,)*
                "push qword ptr [rdi + {flags}]", "popfq",
                "mov rax, [rdi + {general}]", "mov rcx, [rdi + {general} + 8]", "mov rdx, [rdi + {general} + 16]",
                "mov rbx, [rdi + {general} + 24]", "mov rbp, [rdi + {general} + 40]", "mov rsi, [rdi + {general} + 48]",
                "mov r8, [rdi + {general} + 64]", "mov r9, [rdi + {general} + 72]", "mov r10, [rdi + {general} + 80]",
                "mov r11, [rdi + {general} + 88]", "mov r12, [rdi + {general} + 96]", "mov r13, [rdi + {general} + 104]",
                "mov r14, [rdi + {general} + 112]", "mov r15, [rdi + {general} + 120]", "mov rdi, [rdi + {general} + 56]",
                "call [rsp + 8]",
                // Push and mov leave the flags unchanged.
                "mov [rsp], rdi", "mov rdi, [rsp + 16]",
                "mov [rdi + {general}], rax", "mov [rdi + {general} + 8], rcx", "mov [rdi + {general} + 16], rdx",
                "mov [rdi + {general} + 24], rbx", "mov [rdi + {general} + 40], rbp", "mov [rdi + {general} + 48], rsi",
                "mov [rdi + {general} + 64], r8", "mov [rdi + {general} + 72], r9", "mov [rdi + {general} + 80], r10",
                "mov [rdi + {general} + 88], r11", "mov [rdi + {general} + 96], r12", "mov [rdi + {general} + 104], r13",
                "mov [rdi + {general} + 112], r14", "mov [rdi + {general} + 120], r15",
                "mov rax, [rsp]", "mov [rdi + {general} + 56], rax",
                "pushfq", "pop qword ptr [rdi + {flags}]",
                "stmxcsr [rdi + {control}]", "ldmxcsr [rdi + {kept}]",
                $($store,)*
                "vzeroupper",
                "add rsp, 24", "pop r15", "pop r14", "pop r13", "pop r12", "pop rbp", "pop rbx",
                "ret",
                kept = const offset_of!(State, kept),
                control = const offset_of!(State, control),
                flags = const offset_of!(State, flags),
                general = const offset_of!(State, general),
                $($masks)*
            )
        }
    };
}

enter!(
    enter_512,
    [
        load!("zmm", 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31),
        load_masks!(0 1 2 3 4 5 6 7)
    ],
    [
        store!("zmm", 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31),
        store_masks!(0 1 2 3 4 5 6 7)
    ],
    masks = const offset_of!(State, masks),
);

enter!(
    enter_256,
    [load!("ymm", 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)],
    [store!("ymm", 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)],
);
