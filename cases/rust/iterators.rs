//! Iterators that adapt iterators, over a slice and over a chain of them.
#![no_std]
#![crate_type = "lib"]

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

static mut SEED: [i32; 6] = [1, 2, 3, 4, 5, 6];

/// What large values are moved by without optimisation.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, size: usize) -> *mut u8 {
    let mut i = 0usize;
    while i != size {
        unsafe { to.add(i).write_volatile(from.add(i).read()) };
        i = i.wrapping_add(1);
    }
    to
}

struct Halves(i32);

impl Iterator for Halves {
    type Item = i32;

    #[inline(never)]
    fn next(&mut self) -> Option<i32> {
        self.0 >>= 1;
        (self.0 > 0).then_some(self.0)
    }
}

#[inline(never)]
fn folded(values: &mut dyn Iterator<Item = i32>) -> i32 {
    let mut sum = 0i32;
    for value in values {
        sum = sum.wrapping_mul(3).wrapping_add(value);
    }
    sum
}

#[unsafe(no_mangle)]
pub extern "C" fn test() -> i32 {
    let seed = unsafe { core::ptr::read_volatile(&raw const SEED) };
    let evens = seed.iter().copied().filter(|value| value & 1 == 0);
    let pairs = seed.iter().zip(seed.iter().rev()).map(|(a, b)| a.wrapping_mul(*b));
    folded(&mut evens.chain(Halves(40))).wrapping_add(folded(&mut pairs.skip(1).take(3)))
}
