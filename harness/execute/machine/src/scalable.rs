//! Armv9 instructions that the emulator, which has SVE of Armv8, lacks: executed here by their
//! definition. Vectors and predicates are changed in the emulator's own state, since its interface
//! gives only their first 128 bits.

use std::ops::Range;
use std::sync::OnceLock;

use isa::scalable::{Apart, Bits, One, Operation, Scalable, Two, scalable};
use unicorn_engine::RegisterARM64 as R;

use crate::aarch64;
use crate::engine::Engine;
use crate::substitute::Executed;

/// Size in bytes of a vector register and of a predicate in the state (QEMU `target/arm/cpu.h`,
/// `ARMVectorReg`, `ARMPredicateReg`: up to 2048 bits). The predicates follow the vectors.
const VECTOR: usize = 256;
const PREDICATE: usize = 32;
const VECTORS: usize = 32;

/// Executes the instruction at the start of `bytes`.
pub(crate) fn execute(engine: &mut Engine, pc: u64, bytes: &[u8]) -> Executed {
    match scalable(bytes).and_then(|one| run(engine, &one)) {
        Some(()) => Executed::Done { next: pc.wrapping_add(4) },
        None => Executed::Not,
    }
}

/// Executes an instruction. `None` if it cannot be executed; nothing has changed then.
fn run(engine: &mut Engine, one: &Scalable) -> Option<()> {
    let whole = u64::MAX >> (64 - one.size);
    let value = match one.operation {
        Operation::Bits(bits) => return combine(engine, bits, one),
        Operation::Apart(apart) => return compare(engine, apart, one),
        Operation::One(One::Ctz) => (general(engine, one.second) | !whole).trailing_zeros().min(one.size).into(),
        Operation::One(One::Cnt) => (general(engine, one.second) & whole).count_ones().into(),
        Operation::One(One::Abs) => signed(general(engine, one.second), one.size).unsigned_abs(),
        Operation::Two(two) => choose(two, general(engine, one.second), general(engine, one.third), one.size),
        Operation::Constant(two, constant) => choose(two, general(engine, one.second), constant as u64, one.size),
    };
    match one.first {
        31 => Some(()),
        number => engine.write(register(number), value & whole).ok(),
    }
}

/// The range of the state that holds the bits after the first 128 of a vector register.
pub(crate) fn rest_of_vector(number: u8) -> Option<Range<usize>> {
    let place = vectors()? + VECTOR * usize::from(number);
    Some(place + 16..place + VECTOR)
}

fn register(number: u8) -> i32 {
    match number {
        29 => R::X29 as i32,
        30 => R::X30 as i32,
        number => R::X0 as i32 + i32::from(number),
    }
}

/// The value of a general register; number 31 reads as zero.
fn general(engine: &Engine, number: u8) -> u64 {
    if number == 31 { 0 } else { engine.read(register(number)) }
}

fn signed(value: u64, size: u32) -> i64 {
    let unused = 64 - size;
    (value << unused) as i64 >> unused
}

fn choose(two: Two, left: u64, right: u64, size: u32) -> u64 {
    let [a, b] = [left, right].map(|value| signed(value, size));
    let [c, d] = [left, right].map(|value| value & (u64::MAX >> (64 - size)));
    match two {
        Two::Smax => a.max(b) as u64,
        Two::Smin => a.min(b) as u64,
        Two::Umax => c.max(d),
        Two::Umin => c.min(d),
    }
}

fn combine(engine: &mut Engine, bits: Bits, one: &Scalable) -> Option<()> {
    let (first, length) = (vectors()?, usize::from(engine.vector_bits().get()) / 8);
    let [to, mask, other] = [one.first, one.second, one.third].map(|number| first + VECTOR * usize::from(number));
    engine.change_state(|state| {
        for at in 0..length {
            let byte = |from: usize| state.get(from + at).copied();
            let (a, k, m) = (byte(to)?, byte(mask)?, byte(other)?);
            let value = match bits {
                Bits::Eor3 => a ^ m ^ k,
                Bits::Bcax => a ^ m & !k,
                Bits::Bsl => a & k | m & !k,
                Bits::Bsl1n => !a & k | m & !k,
                Bits::Bsl2n => a & k | !m & !k,
                Bits::Nbsl => !(a & k | m & !k),
            };
            *state.get_mut(to + at)? = value;
        }
        Some(())
    })
}

fn compare(engine: &mut Engine, apart: Apart, one: &Scalable) -> Option<()> {
    let bytes = i128::from(one.size / 8);
    let [from, to] = [one.second, one.third].map(|number| i128::from(general(engine, number)));
    let gap = match apart {
        Apart::WriteRead => to - from,
        Apart::ReadWrite => (to - from).abs(),
    };
    if (1..bytes).contains(&gap) {
        // A distance below the element size: QEMU sets no element active, the manual's pseudocode
        // all.
        return None;
    }
    let (distance, is_all) = (gap / bytes, gap <= 0);
    let count = i128::from(engine.vector_bits().get()) / i128::from(one.size);
    let active = if is_all { count } else { distance.min(count) };
    // The predicate has a bit for each byte of a vector; only the first bit of each element counts.
    let mut predicate = [0_u8; PREDICATE];
    for element in 0..active {
        let bit = (element * bytes) as usize;
        predicate.get_mut(bit / 8).into_iter().for_each(|byte| *byte |= 1 << (bit % 8));
    }
    let place = vectors()? + VECTORS * VECTOR + PREDICATE * usize::from(one.first & 15);
    engine.change_state(|state| {
        state.get_mut(place..place + PREDICATE)?.copy_from_slice(&predicate);
        Some(())
    })?;
    // N: the first element is active; Z: none is; C: the last is not. With distance 0 all are
    // active.
    let flags = u64::from(active > 0) << 31 | u64::from(active == 0) << 30 | u64::from(active < count) << 29;
    engine.write(R::NZCV as i32, flags).ok()
}

/// Offset of the vector registers in the state, found by words that no register has by itself.
fn vectors() -> Option<usize> {
    static PLACE: OnceLock<Option<usize>> = OnceLock::new();
    *PLACE.get_or_init(|| {
        let engine = Engine::new(&aarch64::LITTLE).ok()?;
        let words = [*b"the first of 32.", *b"and the second.."];
        for (id, word) in [R::Q0, R::Q1].into_iter().zip(words) {
            engine.write_wide(id as i32, word).ok()?;
        }
        let state = engine.state()?;
        let place = |word: &[u8; 16]| state.windows(16).position(|bytes| bytes == word);
        let [first, second] = [place(&words[0])?, place(&words[1])?];
        (second == first + VECTOR).then_some(first)
    })
}
