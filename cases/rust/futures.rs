//! An async function that waits for another one, polled by hand.
#![no_std]
#![crate_type = "lib"]

use core::future::Future;
use core::pin::{Pin, pin};
use core::task::{Context, Poll, Waker};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

static mut SEED: i32 = 3;

fn seed() -> i32 {
    unsafe { core::ptr::read_volatile(&raw const SEED) }
}

struct Later(i32);

impl Future for Later {
    type Output = i32;

    #[inline(never)]
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<i32> {
        if self.0 == 0 {
            return Poll::Ready(seed());
        }
        self.0 = self.0.wrapping_sub(1);
        Poll::Pending
    }
}

#[inline(never)]
async fn inner(n: i32) -> i32 {
    Later(n).await.wrapping_mul(n)
}

#[inline(never)]
async fn outer(n: i32) -> i32 {
    let first = inner(n).await;
    let second = inner(n.wrapping_add(1)).await;
    first.wrapping_add(second)
}

#[unsafe(no_mangle)]
pub extern "C" fn test() -> i32 {
    let mut future = pin!(outer(seed()));
    let mut context = Context::from_waker(Waker::noop());
    let mut polls = 0i32;
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value.wrapping_add(polls),
            Poll::Pending => polls = polls.wrapping_add(1),
        }
    }
}
