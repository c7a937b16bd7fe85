//! Closures by reference, by value and boxed as trait objects on the stack.
#![no_std]
#![crate_type = "lib"]

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

static mut SEED: i32 = 3;

fn seed() -> i32 {
    unsafe { core::ptr::read_volatile(&raw const SEED) }
}

#[inline(never)]
fn twice(f: &dyn Fn(i32) -> i32, a: i32) -> i32 {
    f(a).wrapping_add(f(a.wrapping_add(1)))
}

#[inline(never)]
fn changed(f: &mut dyn FnMut(i32), a: i32) {
    f(a);
    f(a.wrapping_mul(2));
}

#[inline(never)]
fn once<F: FnOnce(i32) -> i32>(f: F, a: i32) -> i32 {
    f(a).wrapping_sub(1)
}

#[unsafe(no_mangle)]
pub extern "C" fn test() -> i32 {
    let b = seed();
    let mut total = 1i32;
    changed(&mut |a| total = total.wrapping_add(a), b);
    let large = [b; 6];
    twice(&|a| a.wrapping_mul(b), b).wrapping_add(once(move |a| large[5].wrapping_add(a), 4)).wrapping_add(total)
}
