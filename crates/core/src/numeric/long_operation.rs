//! Long operations on big integers run on a separate thread without the global lock, so that other threads can run
//! meanwhile, and an exception for this thread (a timeout, Interrupt) is not delayed. The libraries cannot interrupt a
//! multiplication or division: an abandoned operation runs to its end, or to its next step if it has steps, and its
//! result is dropped.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
    mpsc::{RecvTimeoutError, channel},
};
use std::time::Duration;

use numeric::big::{self, Error, Int, Integer};
use runtime::{Cx, R, Value, concurrency::thread::blocking};

use super::ops::{give_result, int, raise};

/// The number of word products from which an operation counts as long: some ten milliseconds. Starting a thread takes
/// some twenty microseconds.
const LONG: u64 = 1 << 30;

/// The interval at which the waiting thread checks for interrupts.
const GLANCE: Duration = Duration::from_millis(10);

/// The operations of the libraries recurse, but not deeply.
const STACK_BYTES: usize = 1 << 20;

/// Runs `work` on the operands, on a separate thread if `weight`, the approximate number of word multiplications, is
/// large. `work` should check its second argument from time to time, and stop when that returns true.
pub fn run<T: Send + 'static>(
    cx: &mut Cx,
    operands: &[Int],
    weight: u64,
    work: impl FnOnce(&[Int], &mut dyn FnMut() -> bool) -> Result<T, Error> + Send + 'static,
) -> R<T> {
    let result = if weight < LONG {
        work(operands, &mut big::never)
    } else {
        let operands: Vec<Integer> = operands.iter().map(|operand| operand.to_integer()).collect();
        wait_for(cx, move |stop| {
            let operands: Vec<Int> = operands.iter().map(Integer::as_int).collect();
            work(&operands, stop)
        })?
    };
    result.map_err(|error| raise(cx, error))
}

fn wait_for<T: Send + 'static>(
    cx: &mut Cx,
    work: impl FnOnce(&mut dyn FnMut() -> bool) -> Result<T, Error> + Send + 'static,
) -> R<Result<T, Error>> {
    let (sender, receiver) = channel();
    let abandoned = Arc::new(AtomicBool::new(false));
    let stop = Arc::clone(&abandoned);
    let body = move || drop(sender.send(work(&mut || stop.load(Relaxed))));
    if host::thread::spawn("arithmetic", STACK_BYTES, body).is_err() {
        return Err(cx.no_memory());
    }
    loop {
        match blocking(cx, || receiver.recv_timeout(GLANCE)) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Disconnected) => return Ok(Err(Error::OutOfMemory)),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(raised) = cx.safepoint() {
                    abandoned.store(true, Relaxed);
                    return Err(raised);
                }
            }
        }
    }
}

fn words(n: Int) -> u64 {
    n.magnitude_bits() / 64 + 1
}

/// The weight of a product or quotient of two numbers.
pub fn product_weight(a: Int, b: Int) -> u64 {
    words(a).saturating_mul(words(b))
}

type Binary = fn(Int, Int) -> Result<Integer, Error>;

/// An operation on two Integers that takes about as long as their product.
#[inline]
pub fn binary(cx: &mut Cx, a: Value, b: Value, operation: Binary) -> R {
    weighed(cx, a, b, 1, operation)
}

/// An operation on two Integers that takes `times` as long as their product.
#[inline]
pub fn weighed(cx: &mut Cx, a: Value, b: Value, times: u64, operation: Binary) -> R {
    let weight = product_weight(int(&a), int(&b)).saturating_mul(times);
    if weight < LONG {
        return give_result(cx, operation(int(&a), int(&b)));
    }
    let result = run(cx, &[int(&a), int(&b)], weight, move |operands, _| operation(operands[0], operands[1]))?;
    super::ops::give(cx, result)
}

/// The weight of converting a number of `bits` bits to digits, or of computing it from smaller ones.
pub fn square_weight(bits: u64) -> u64 {
    (bits / 64 + 1).saturating_mul(bits / 64 + 1)
}
