//! Values dropped at each way out, moved, and in reverse order.
#![no_std]
#![crate_type = "lib"]

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

static mut SEED: i32 = 3;
static mut COUNT: i32 = 10;

fn seed() -> i32 {
    unsafe { core::ptr::read_volatile(&raw const SEED) }
}

struct Guard(i32);

impl Drop for Guard {
    #[inline(never)]
    fn drop(&mut self) {
        unsafe { COUNT = COUNT.wrapping_mul(3).wrapping_add(self.0) & 0xffff }
    }
}

#[inline(never)]
fn taken(guard: Guard) -> i32 {
    guard.0
}

#[inline(never)]
fn guarded(n: i32) -> Option<i32> {
    let _outer = Guard(n);
    let mut i = 0i32;
    while i < n {
        let inner = Guard(i);
        if i == seed() {
            return Some(taken(inner));
        }
        i = i.wrapping_add(1);
    }
    None
}

#[unsafe(no_mangle)]
pub extern "C" fn test() -> i32 {
    guarded(5).unwrap_or(1).wrapping_add(guarded(2).unwrap_or(2)).wrapping_add(unsafe { COUNT } & 63)
}
