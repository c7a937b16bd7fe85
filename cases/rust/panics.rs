//! Panics that unwind: an index out of bounds, a failed unwrap, and an overflow, with values to be dropped on the way.
#![no_std]
#![crate_type = "lib"]

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

unsafe extern "C" {
    safe fn source(n: usize) -> i32;
    safe fn dropped(n: i32);
}

struct Guard(i32);

impl Drop for Guard {
    fn drop(&mut self) {
        dropped(self.0);
    }
}

#[unsafe(no_mangle)]
pub fn indexed(values: &[i32], at: usize) -> i32 {
    let guard = Guard(source(at));
    values[at] + values[at + guard.0 as usize]
}

#[unsafe(no_mangle)]
pub fn unwrapped(values: &[i32]) -> i32 {
    let _outer = Guard(1);
    let first = *values.first().unwrap();
    let _inner = Guard(first);
    let last = values.iter().copied().find(|value| source(*value as usize) > 3).expect("one above three");
    first / last
}

#[unsafe(no_mangle)]
pub extern "C" fn foreign(n: usize) -> i32 {
    let _guard = Guard(2);
    indexed(&[1, 2, 3, 4], n) + source(n)
}
