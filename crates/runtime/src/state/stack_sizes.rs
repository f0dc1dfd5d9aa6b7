//! The sizes of the stacks of threads and fibers. A program's user sets them by environment variables, in CRuby's units
//! (`RubyVM::DEFAULT_PARAMS`); Beni's stacks are some times larger.

use std::sync::OnceLock;

/// The sizes that CRuby has or would have with these environment variables.
pub struct StackSizes {
    pub thread_vm: usize,
    pub thread_machine: usize,
    pub fiber_vm: usize,
    pub fiber_machine: usize,
}

/// Sizes are multiples of this.
const ALIGN: usize = 4096;
/// A thread's stack is that many times as large as CRuby's: enough for 100,000 simple calls.
const THREAD_FACTOR: usize = 16;
/// Larger stacks of threads are given up for those of the size that was asked for.
const LARGE: usize = 1 << 30;
const FIBER_FACTOR: usize = 2;
const THREAD_MACHINE_FACTOR: usize = 4;
/// Native stacks do not get smaller: some of them is needed to raise an exception.
const LEAST_FIBER_MACHINE: usize = 256 << 10;
const LEAST_THREAD_MACHINE: usize = 1 << 20;

pub fn sizes() -> &'static StackSizes {
    static SIZES: OnceLock<StackSizes> = OnceLock::new();
    SIZES.get_or_init(|| StackSizes {
        thread_vm: size(b"RUBY_THREAD_VM_STACK_SIZE", 1 << 20, 16 << 10),
        thread_machine: size(b"RUBY_THREAD_MACHINE_STACK_SIZE", 1 << 20, 128 << 10),
        fiber_vm: size(b"RUBY_FIBER_VM_STACK_SIZE", 128 << 10, 16 << 10),
        fiber_machine: size(b"RUBY_FIBER_MACHINE_STACK_SIZE", 512 << 10, 128 << 10),
    })
}

fn size(variable: &[u8], default: usize, least: usize) -> usize {
    host::environment::get(variable).map_or(default, |text| chosen(&text, least))
}

/// The size that the text of a variable chooses: the number at its beginning, at least `least`.
fn chosen(text: &[u8], least: usize) -> usize {
    let digits = text.trim_ascii_start().iter().take_while(|byte| byte.is_ascii_digit());
    let number =
        digits.fold(0, |number: usize, digit| number.saturating_mul(10).saturating_add(usize::from(digit - b'0')));
    // Larger than any address space.
    number.clamp(least, 1 << 46).next_multiple_of(ALIGN)
}

/// The size of a thread's VM stack.
pub fn thread() -> usize {
    let size = sizes().thread_vm;
    (size * THREAD_FACTOR).min(size.max(LARGE))
}

/// The size of a fiber's VM stack.
pub fn fiber() -> usize {
    sizes().fiber_vm * FIBER_FACTOR
}

/// The size of a thread's native stack.
pub fn native_thread() -> usize {
    (sizes().thread_machine * THREAD_MACHINE_FACTOR).max(LEAST_THREAD_MACHINE)
}

/// The size of a fiber's native stack.
pub fn native_fiber() -> usize {
    sizes().fiber_machine.max(LEAST_FIBER_MACHINE)
}

/// How many stacks of a size share a mapping: the number of mappings of a process is limited, and so are addresses.
pub fn batch(size: usize) -> usize {
    const MOST: usize = 64;
    const BYTES: usize = 64 << 20;
    (BYTES / size).clamp(1, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_chooses_a_size() {
        assert_eq!(chosen(b"10000001", 4096), 10_002_432);
        assert_eq!(chosen(b" 8192x", 4096), 8192);
        for text in [&b""[..], b"x", b"-5", b"0"] {
            assert_eq!(chosen(text, 16 << 10), 16 << 10);
        }
        assert_eq!(chosen(b"99999999999999999999999", 4096), 1 << 46);
    }

    #[test]
    fn large_stacks_are_few_in_a_mapping() {
        assert_eq!([batch(512 << 10), batch(2 << 20), batch(1 << 30)], [64, 32, 1]);
    }
}
